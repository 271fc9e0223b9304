// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/cg.hpp"
#include "support/problems.hpp"

/// For tests of preconditioners of the bake-off problems.
namespace miniapp::test {

/// Random numbers, zero at constrained nodes.
inline std::vector<double> make_residual(const Discretisation& d, unsigned seed) {
  std::vector<double> r = random_numbers(d.space.num_entries(), seed);
  for (const Index node : d.space.masked)
    for (int c = 0; c < d.space.components; ++c) r[d.space.entry(node, c)] = 0;
  return r;
}

/// M^-1 r; r_z, if given, becomes what the preconditioner says of r . M^-1 r.
template <class Preconditioner>
std::vector<double> apply(const Preconditioner& m, const Discretisation& d, const std::vector<double>& r,
                          double* r_z = nullptr) {
  const Vector<const double> from = to_device<double>(r);
  const Vector<double> z = make_vector<double>("z", r.size());
  const double product = m.apply(Instance(), d.space, from, z, 0);
  if (r_z) *r_z = product;
  return to_std(z);
}

/// Checks (s, M^-1 r) = (r, M^-1 s) > 0 in single precision, what the preconditioner says of r . M^-1 r, and zeros at
/// constrained nodes.
template <class Preconditioner>
void check_symmetric_positive(const Preconditioner& m, const Discretisation& d) {
  const std::vector<double> r = make_residual(d, 1), s = make_residual(d, 2);
  double r_Mr = 0;
  const Values Mr = values(apply(m, d, r, &r_Mr)), Ms = values(apply(m, d, s));
  const double s_Mr = exact_dot(values(s), Mr), r_Ms = exact_dot(values(r), Ms);
  const double scale = std::sqrt(exact_dot(values(r), Mr) * exact_dot(values(s), Ms));
  CHECK(std::fabs(s_Mr - r_Ms) <= 1e-5 * scale);
  CHECK(r_Mr > 0);
  CHECK(std::fabs(r_Mr - exact_dot(values(r), Mr)) <= 1e-12 * double(r.size()) * scale);
  for (const Index node : d.space.masked)
    for (int c = 0; c < d.space.components; ++c) CHECK(Mr[d.space.entry(node, c)] == 0);
}

/// The iterations of CG to 1e-8.
template <class Preconditioner>
int count_iterations(const Discretisation& d, const Preconditioner& m) {
  const auto op = tensor::make_operator<double>(usual_variant(d), d);
  const Vector<const double> b = to_device<double>(make_residual(d, 1));
  const Vector<double> x = make_vector<double>("x", b.extent(0));
  solver::CgWorkspace<double> work(b.extent(0), true);
  const solver::CgResult result = solver::cg<double>(Instance(), *op, m, b, x, work, {1e-8, 2000, {}});
  CHECK(result.verdict == solver::Verdict::converged);
  CHECK(result.true_relative_residual <= 1.1e-8);
  return result.iterations;
}

}  // namespace miniapp::test
