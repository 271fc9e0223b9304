// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/verification.hpp"

#include "support/vectors.hpp"

using elasticity::error_over_tolerance;
using elasticity::sample_of;

using Elements = std::vector<std::size_t>;

TEST_CASE("The first, the middle and the last element are compared, each once", "[elasticity][verification]") {
  CHECK(sample_of(0).empty());
  CHECK(sample_of(1) == Elements{0});
  CHECK(sample_of(2) == Elements{0, 1});
  CHECK(sample_of(3) == Elements{0, 1, 2});
  CHECK(sample_of(1000) == Elements{0, 500, 999});
}

TEST_CASE("A single wrong entry of a matrix is noticed, wherever it is", "[elasticity][verification]") {
  const int order = 2;
  const basis::PrismTables tables = basis::make_prism_tables(order);
  const elasticity::Prisms prisms = elasticity::make_prisms(3, 0.1, 2, 0.3, true, 5);
  const std::size_t e = 1;
  const std::vector<double> right = elasticity::reference_matrix(
      tables, &prisms.vertices[18 * e], {prisms.materials[2 * e], prisms.materials[2 * e + 1]});
  const double scale = largest(values(right));
  const auto error = [&](const std::vector<double>& matrix) {
    return error_over_tolerance<double>(tables, prisms, e, test::to_device<double>(matrix));
  };

  CHECK(error(right) == 0);
  CHECK(error_over_tolerance<float>(tables, prisms, e, test::to_device<float>(right)) <= 1);
  CHECK(error_over_tolerance<double>(tables, prisms, e - 1, test::to_device<double>(right)) >
        1e6);  // of another element
  for (const std::size_t place : {std::size_t(0), right.size() / 2, right.size() - 1}) {
    std::vector<double> wrong = right;
    wrong[place] += 1e-11 * scale;
    CHECK(error(wrong) > 100);
    wrong[place] = NAN;
    CHECK(std::isinf(error(wrong)));
  }
}
