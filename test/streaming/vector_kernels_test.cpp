// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/vector_kernels.hpp"

#include "support/vectors.hpp"

namespace {

/// Empty, one number, sizes around blocks of 1024, many blocks, more than the resident teams of a GPU process.
std::size_t any_size() {
  return GENERATE(as<std::size_t>(), 0, 1, 2, 31, 33, 1023, 1024, 1025, 2047, 2048, 2049, 100003, (1 << 20) + 5,
                  (1 << 22) + 3);
}

template <class Real>
Vector<Real> random_vector(std::size_t size, unsigned seed) {
  return to_device<Real>(random_numbers(size, seed));
}

/// alpha x + beta y, entry by entry.
Values combined(double alpha, const Values& x, double beta, const Values& y) {
  Values result;
  for (std::size_t i = 0; i < x.size(); ++i)
    result.entries.push_back(static_cast<double>(static_cast<long double>(alpha) * x[i] + beta * y[i]));
  return result;
}

/// Additions one after the other in a sum over this many entries: one sum per block of 1024, and the entries of a rest.
double terms(std::size_t size) { return double(size / 1024 + std::min<std::size_t>(size, 1024)); }

/// sum of |a[i] b[i]|, the scale of a dot product's rounding; 1 for nothing.
double dot_scale(const Values& a, const Values& b) {
  double sum = 1;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(a[i] * b[i]);
  return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("copy copies", "[streaming][vector_kernels]", double, float) {
  const std::size_t size = any_size();
  const Vector<TestType> x = random_vector<TestType>(size, 1), y = random_vector<TestType>(size, 2);

  streaming::copy<TestType>(Instance(), x, y);

  CHECK(to_std(y) == to_std(x));
}

TEMPLATE_TEST_CASE("axpby computes alpha x + beta y", "[streaming][vector_kernels]", double, float) {
  const std::size_t size = any_size();
  const Vector<TestType> x = random_vector<TestType>(size, 1), y = random_vector<TestType>(size, 2);
  const TestType alpha = TestType(-1.7), beta = TestType(0.3);
  const Values expected = combined(alpha, values(x), beta, values(y));

  streaming::axpby<TestType>(Instance(), alpha, x, beta, y);

  CHECK_THAT(values(y), all_close<TestType>(expected, 2));
}

TEMPLATE_TEST_CASE("dot accumulates in double for vectors of any precision", "[streaming][vector_kernels]", double,
                   float) {
  const std::size_t size = any_size();
  const Vector<TestType> x = random_vector<TestType>(size, 1), y = random_vector<TestType>(size, 2);

  const double sum = streaming::dot<TestType>(Instance(), x, y);

  CAPTURE(size);
  CHECK(sum == close<double>(exact_dot(values(x), values(y)), terms(size), dot_scale(values(x), values(y))));
}

TEMPLATE_TEST_CASE("dot of a vector with itself is its squared norm", "[streaming][vector_kernels]", double, float) {
  const std::size_t size = any_size();
  const Vector<TestType> x = random_vector<TestType>(size, 1);

  CHECK(streaming::dot<TestType>(Instance(), x, x) == close<double>(exact_dot(values(x), values(x)), terms(size)));
}

TEST_CASE("dot is the same number in every run on a host", "[streaming][vector_kernels]") {
  if (!runs_on_host) return;
  const Vector<double> x = random_vector<double>(100003, 1), y = random_vector<double>(100003, 2);

  const double first = streaming::dot<double>(Instance(), x, y);

  for (int run = 0; run < 20; ++run) CHECK(streaming::dot<double>(Instance(), x, y) == first);
}

TEMPLATE_TEST_CASE("update moves x and r along p and q and returns the new r . r", "[streaming][vector_kernels]",
                   double, float) {
  const std::size_t size = any_size();
  const Vector<TestType> p = random_vector<TestType>(size, 1), q = random_vector<TestType>(size, 2),
                         x = random_vector<TestType>(size, 3), r = random_vector<TestType>(size, 4);
  const TestType alpha = TestType(0.37);
  const Values x_expected = combined(alpha, values(p), 1, values(x)),
               r_expected = combined(-alpha, values(q), 1, values(r));

  const double r_r = streaming::update<TestType>(Instance(), alpha, p, q, x, r);

  CHECK_THAT(values(x), all_close<TestType>(x_expected, 2));
  CHECK_THAT(values(r), all_close<TestType>(r_expected, 2));
  CHECK(r_r == close<double>(exact_dot(values(r), values(r)), terms(size)));
}

TEMPLATE_TEST_CASE("scale multiplies entry by entry and returns r . z", "[streaming][vector_kernels]", double, float) {
  const std::size_t size = any_size();
  const Vector<TestType> d = random_vector<TestType>(size, 1), r = random_vector<TestType>(size, 2),
                         z = random_vector<TestType>(size, 3);
  Values expected;
  const Values factors = values(d), numbers = values(r);
  for (std::size_t i = 0; i < size; ++i) expected.entries.push_back(factors[i] * numbers[i]);

  const double r_z = streaming::scale<TestType>(Instance(), d, r, z);

  CHECK_THAT(values(z), all_close<TestType>(expected, 1));
  CHECK(r_z == close<double>(exact_dot(values(r), values(z)), terms(size), dot_scale(values(r), values(z))));
}

TEST_CASE("NaN in one entry of many reaches the sum", "[streaming][vector_kernels]") {
  std::vector<double> numbers = random_numbers(5000, 1);
  numbers[4321] = std::numeric_limits<double>::quiet_NaN();
  const Vector<double> x = to_device<double>(numbers), y = random_vector<double>(5000, 2);

  CHECK(std::isnan(streaming::dot<double>(Instance(), x, y)));
}
