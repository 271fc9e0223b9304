// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/verification.hpp"

#include <limits>

#include "support/problems.hpp"

using tensor::Reference;

namespace {

constexpr double nan_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  return tensor::relative_difference(to_device<double>(x), to_device<double>(y));
}

Discretisation make_problem() {
  return {make_turned_box(2, 1, 2), Problem::bp3_0, tensor::built_orders().front(), space::Boundary::neumann, 1};
}

/// The fastest kernel with one entry of its result changed.
template <class Real>
class Spoilt : public tensor::ElementOperator<Real> {
 public:
  Spoilt(const Discretisation& d, Real change)
      : tensor::ElementOperator<Real>(d),
        op_(tensor::make_operator<Real>(tensor::fastest(d.problem, d.order, sizeof(Real)), d)),
        change_(change) {}
  void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const override {
    op_->apply_local(instance, u, v);
  }
  Vector<const Index> local_nodes() const override { return op_->local_nodes(); }
  typename tensor::ElementOperator<Real>::Memory memory() const override { return op_->memory(); }

 private:
  void update_factors(bool) override { op_->update(); }
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    op_->apply(instance, x, y);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    host(host.extent(0) / 2) += change_;
    Kokkos::deep_copy(y, host);
  }

  std::unique_ptr<tensor::ElementOperator<Real>> op_;
  Real change_;
};

}  // namespace

TEST_CASE("The difference is the largest one over the largest expected value", "[tensor][verification]") {
  CHECK(difference({1, 2, 3}, {1, 2, 4}) == 0.25);
  CHECK(difference({1, -2}, {1, 2}) == 2);
  CHECK(difference({0.5, 0}, {0, 0}) == 0.5);
  CHECK(difference({}, {}) == 0);
}

TEST_CASE("A number that is not finite gives an infinite difference, wherever it is", "[tensor][verification]") {
  const double wrong = GENERATE(as<double>(), nan_number, infinity, -infinity);
  CAPTURE(wrong);
  const std::vector<double> right = {1, 2, 3};
  const int at = GENERATE(0, 1, 2);
  std::vector<double> spoilt = right;
  spoilt[at] = wrong;

  CHECK(difference(spoilt, right) == infinity);
  CHECK(difference(right, spoilt) == infinity);
  CHECK(difference(spoilt, spoilt) == infinity);
}

TEMPLATE_TEST_CASE("A right kernel passes", "[tensor][verification]", double, float) {
  const Discretisation d = make_problem();

  const auto verification = tensor::verify(
      *tensor::make_operator<TestType>(tensor::fastest(d.problem, d.order, sizeof(TestType)), d), Reference(d), d);

  CHECK(verification.passed());
  CHECK(verification.limit < (sizeof(TestType) == 8 ? 1e-12 : 1e-3));
}

TEMPLATE_TEST_CASE("A kernel that is wrong in one entry fails", "[tensor][verification]", double, float) {
  const Discretisation d = make_problem();
  const auto change = static_cast<TestType>(GENERATE(1e-2, nan_number, infinity));

  CHECK_FALSE(tensor::verify(Spoilt<TestType>(d, change), Reference(d), d).passed());
}

TEST_CASE("Random vectors repeat by seed and vanish where masked", "[tensor][verification]") {
  const Discretisation d(make_turned_box(3, 2, 2), Problem::bp3_0, 2, space::Boundary::dirichlet, 1);

  const std::vector<double> x = to_std(tensor::random_vector(d.space, 1));

  CHECK(x == to_std(tensor::random_vector(d.space, 1)));
  CHECK(x != to_std(tensor::random_vector(d.space, 2)));
  for (const Index node : d.space.masked) CHECK(x[node] == 0);
  CHECK(largest(values(x)) <= 0.5);
  CHECK(largest(values(x)) > 0.2);
}

TEST_CASE("Entries of a random vector have the mean and the variance of uniform ones, and do not depend on each other",
          "[tensor][verification]") {
  const Discretisation d(mesh::make_box(8, 9, 7), Problem::bp1_0, 3, space::Boundary::neumann, 1);

  const std::vector<double> x = to_std(tensor::random_vector(d.space, GENERATE(0, 1, 2)));

  double sum = 0, squares = 0, products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i];
    squares += x[i] * x[i];
    products += x[i] * x[(i + 1) % x.size()];
  }
  const auto size = double(x.size());
  CHECK(std::fabs(sum / size) < 5 / std::sqrt(12 * size));
  CHECK(squares / size == test::Approx(1. / 12).epsilon(5 / std::sqrt(size)));
  CHECK(std::fabs(products / size) < 5. / 12 / std::sqrt(size));
}
