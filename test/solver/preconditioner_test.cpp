// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/preconditioner.hpp"

#include "miniapp/solver/any_preconditioner.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "support/vectors.hpp"

namespace {

struct NoResult {
  [[maybe_unused]] double apply(const Instance&, const space::Space&, const Vector<const double>&,
                                const Vector<double>&, double) const {
    return 1;
  }
};

/// 3 z = r in single precision, with numbers to tell.
struct Third : solver::StoresResult, solver::SinglePrecisionPreconditioner {
  Vector<float> from = make_zeros<float>("from", 5), to = make_zeros<float>("to", 5);
  static bool is_symmetric() { return false; }
  static double bytes() { return 40; }
  static double traffic() { return 60; }
  static solver::Hierarchy hierarchy() { return solver::make_hierarchy({{10, 50, 2}, {5, 25, 2}}, 40, "odd"); }
  void run(const Instance&) const override {
    std::vector<float> values = to_std(from);
    for (float& value : values) value /= 3;
    Kokkos::deep_copy(to, to_device<float>(values));
  }
  Vector<float> residual() const override { return from; }
  Vector<const float> correction() const override { return to; }
  [[maybe_unused]] static double apply(const Instance&, const space::Space&, const Vector<const double>&,
                                       const Vector<double>&, double) {
    throw std::logic_error("CG does not call it");
  }
};

}  // namespace

TEST_CASE("Identity and Jacobi are preconditioners, half of one is not", "[solver][preconditioner]") {
  CHECK(solver::Preconditioner<solver::Identity, double>);
  CHECK(solver::Preconditioner<solver::Jacobi<float>, float>);
  CHECK(solver::Preconditioner<solver::AnyPreconditioner<float>, float>);
  CHECK_FALSE(solver::Preconditioner<NoResult, double>);
}

TEST_CASE("The identity leaves the residual where it is and knows its norm", "[solver][preconditioner]") {
  const Vector<const double> r = to_device<double>(random_numbers(5, 1));
  const Vector<double> z;

  CHECK(solver::Identity().apply(Instance(), space::make_unknowns(5), r, z, 2.5) == 2.5);
  CHECK(solver::Identity().result(r, z).data() == r.data());
}

TEST_CASE("A preconditioner of any type does what that does", "[solver][preconditioner]") {
  const Vector<const double> r = to_device<double>(random_numbers(5, 1)),
                             diagonal = to_device<double>(std::vector<double>{1, 2, 3, 4, 5});
  const Vector<double> z = make_zeros<double>("z", 5), expected = make_zeros<double>("expected", 5);
  const space::Space space = space::make_unknowns(5);
  const auto identity = solver::make_any<double, solver::Identity>();
  const auto any = solver::make_any<double, solver::Jacobi<double>>(diagonal);
  const auto* const jacobi = any->as<solver::Jacobi<double>>();

  REQUIRE(jacobi);
  CHECK(identity->result(r, z).data() == r.data());
  CHECK(any->result(r, z).data() == z.data());
  CHECK(any->apply(Instance(), space, r, z, 0) == jacobi->apply(Instance(), space, r, expected, 0));
  CHECK(to_std(z) == to_std(expected));
  CHECK(any->is_symmetric());
  CHECK_FALSE(any->as<solver::Identity>());
  CHECK_FALSE(any->in_single_precision());
  CHECK(any->bytes() + any->traffic() == 0);
  CHECK_FALSE(any->hierarchy());
}

TEST_CASE("A preconditioner of any type tells what that tells", "[solver][preconditioner]") {
  const auto any = solver::make_any<double, Third>();

  CHECK_FALSE(any->is_symmetric());
  CHECK(any->in_single_precision() == any->as<Third>());
  CHECK(any->bytes() == 40);
  CHECK(any->traffic() == 60);
  REQUIRE(any->hierarchy());
  CHECK(any->hierarchy()->levels.size() == 2);
  CHECK(any->hierarchy()->grid_complexity == 1.5);
  CHECK(any->hierarchy()->operator_complexity == 1.5);
  CHECK(any->hierarchy()->bytes == 40);
  CHECK(any->hierarchy()->remark == "odd");
}
