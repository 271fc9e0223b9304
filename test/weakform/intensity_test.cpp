// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/intensity.hpp"

#include "miniapp/weakform/case.hpp"
#include "support/all_close.hpp"

using weakform::model_intensity;

TEST_CASE("The model gives 41/22 flops per byte for linear triangles in single precision, as the paper says",
          "[weakform][intensity]") {
  const weakform::Intensity beta = model_intensity(2, 3, 1, 1);

  CHECK(beta.flops == 42 + 4 + 36);
  CHECK(beta.words == 5 + 3 + 3);
  CHECK(beta(4) == 41. / 22);
  CHECK(beta(8) == 41. / 44);
}

TEST_CASE("The model counts points, components and dimensions as by hand", "[weakform][intensity]") {
  const weakform::Intensity scalar = model_intensity(3, 4, 1, 4), vector = model_intensity(3, 12, 3, 1);

  CHECK(scalar.flops == 26 * 4 * 4 + 6 * 1 * 4 + 24 * 4 * 4);
  CHECK(scalar.words == 10 + 4 + 4 * 4);
  CHECK(vector.flops == 26 * 12 + 6 * 3 + 24 * 12);
  CHECK(vector.words == 10 + 12 + 4);
}

TEST_CASE("The intensity of the library's forms follows from their sizes", "[weakform][intensity]") {
  using weakform::FormKind;

  CHECK(facts(FormKind::variable_poisson, 2).intensity(4) == 41. / 22);
  CHECK(facts(FormKind::helmholtz, 3).intensity(8) == model_intensity(3, 4, 1, 4)(8));
  CHECK(facts(FormKind::neo_hookean, 3).intensity(8) == model_intensity(3, 12, 3, 1)(8));
}

TEST_CASE("Sizes below 1 have no intensity", "[weakform][intensity]") {
  CHECK_THROWS_AS(model_intensity(2, 3, 1, 0), InputError);
  CHECK_THROWS_AS(model_intensity(0, 3, 1, 1), InputError);
}
