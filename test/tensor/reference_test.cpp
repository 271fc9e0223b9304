// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/reference.hpp"

#include <limits>

#include "miniapp/geometry/hexahedron.hpp"
#include "support/problems.hpp"

namespace {

constexpr double lambda = 1.7;

Problem any_stiffness() { return GENERATE(Problem::bp3_0, Problem::bp3_5); }

std::vector<double> apply_reference(const Discretisation& d, const std::vector<double>& x) {
  const Vector<double> y = to_device<double>(std::vector<double>(x.size(), 99));
  tensor::Reference(d).apply(to_device<double>(x), y);
  return to_std(y);
}

/// x . A y.
double energy(const Discretisation& d, const std::vector<double>& x, const std::vector<double>& y) {
  return exact_dot(values(x), values(apply_reference(d, y)));
}

/// Products per result, the terms of tolerances.
double terms(const Discretisation& d) { return std::pow(d.order + 2.0, 3); }

double diagonal_scale(const Discretisation& d) { return largest(values(tensor::Reference(d).diagonal())); }

/// A function's values at the nodes.
template <class Function>
std::vector<double> interpolate(const Discretisation& d, const Function& f) {
  std::vector<double> x;
  for (const mesh::Point& node : node_points(*d.mesh, d.space)) x.push_back(f(node[0], node[1], node[2]));
  return x;
}

/// The integral of f over the mesh by a Gauss rule of 6 points per direction.
template <class Function>
double integrate(const mesh::Mesh& mesh, const Function& f) {
  const basis::Rule rule = basis::gauss(6);
  const Values W = values(geometry::make_factors<double>(geometry::make_trilinear(mesh), rule, true));
  double sum = 0;
  std::size_t at = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear c = mesh::trilinear(mesh, e);
    for (const double t : rule.points) {
      for (const double s : rule.points) {
        for (const double r : rule.points) {
          const mesh::Point x = evaluate(c, r, s, t);
          sum += W[at++] * f(x[0], x[1], x[2]);
        }
      }
    }
  }
  return sum;
}

/// y = A x by the definition: each entry of each element matrix is a sum over points of basis functions' values and
/// slopes. Natural boundary.
std::vector<double> apply_by_definition(const Discretisation& d, const std::vector<double>& x) {
  const basis::Rule& rule = d.rule();
  const basis::Matrix value = basis::lagrange_values(d.basis.nodes.points, rule.points),
                      slope = basis::lagrange_derivatives(d.basis.nodes.points, rule.points);
  const int n = d.order + 1, q = rule.size(), nodes = n * n * n;
  std::vector<double> y(x.size(), 0);
  for (std::size_t e = 0; e < d.mesh->num_elements(); ++e) {
    const mesh::Trilinear K = mesh::trilinear(*d.mesh, e);
    const Index* node = d.space.element_to_node.host()[e];
    for (int p = 0; p < q * q * q; ++p) {
      const int at[3] = {p % q, p / q % q, p / (q * q)};
      double f[geometry::num_factors], u = 0, gradient[3] = {};
      geometry::factors(K[0].data(), rule.points[at[0]], rule.points[at[1]], rule.points[at[2]],
                        rule.weights[at[0]] * rule.weights[at[1]] * rule.weights[at[2]], f);
      std::vector<std::array<double, 4>> phi(nodes);  // slopes along r, s, t, then the value
      for (int i = 0; i < nodes; ++i) {
        const int index[3] = {i % n, i / n % n, i / (n * n)};
        phi[i] = {1, 1, 1, 1};
        for (int c = 0; c < 4; ++c)
          for (int a = 0; a < 3; ++a) phi[i][c] *= (a == c ? slope : value)(at[a], index[a]);
        for (int a = 0; a < 3; ++a) gradient[a] += phi[i][a] * x[node[i]];
        u += phi[i][3] * x[node[i]];
      }
      const double stiffness = has_stiffness(d.problem) ? 1 : 0, mass = has_stiffness(d.problem) ? d.lambda : 1;
      const double flux[3] = {f[0] * gradient[0] + f[1] * gradient[1] + f[2] * gradient[2],
                              f[1] * gradient[0] + f[3] * gradient[1] + f[4] * gradient[2],
                              f[2] * gradient[0] + f[4] * gradient[1] + f[5] * gradient[2]};
      for (int i = 0; i < nodes; ++i)
        y[node[i]] +=
            stiffness * (phi[i][0] * flux[0] + phi[i][1] * flux[1] + phi[i][2] * flux[2]) + mass * f[6] * u * phi[i][3];
    }
  }
  return y;
}

}  // namespace

TEST_CASE("The reference is the weak form, term by term", "[tensor][reference]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3);
  const Discretisation d(GENERATE(0, 1) ? make_turned_box(2, 1, 2) : make_fan(3, 1), problem, order, Boundary::neumann,
                         lambda);
  const std::vector<double> x = random_numbers(d.space.num_nodes, 1);

  const Values expected = values(apply_by_definition(d, x));

  CHECK_THAT(values(apply_reference(d, x)), all_close<double>(expected, terms(d)));
}

TEST_CASE("A constant has no stiffness", "[tensor][reference]") {
  const int order = GENERATE(1, 2, 5, 8, 15);
  const Discretisation d(make_turned_box(3, 2, 1), any_stiffness(), order, Boundary::neumann, 0);

  const std::vector<double> y = apply_reference(d, std::vector<double>(d.space.num_nodes, 1));

  CHECK_THAT(values(y),
             all_close<double>(values(std::vector<double>(y.size(), 0)), terms(d), order * diagonal_scale(d)));
}

TEST_CASE("The mass of a constant is the volume, of lambda times it with a stiffness", "[tensor][reference]") {
  const Problem problem = any_problem();
  const int order = GENERATE(2, 7, 15);  // collocation of order 1 does not integrate a volume
  const Discretisation d(make_turned_box(3, 2, 5), problem, order, Boundary::neumann, lambda);
  const std::vector<double> ones(d.space.num_nodes, 1);

  const double mass = energy(d, ones, ones);

  const double expected = volume(*d.mesh) * (has_stiffness(problem) ? lambda : 1);
  CHECK(mass == close<double>(expected, terms(d), expected + order * diagonal_scale(d)));
}

TEST_CASE("The operator is symmetric: <A x, y> = <x, A y>", "[tensor][reference]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3, 8, 15);
  const Discretisation d(make_turned_box(3, 2, 5), problem, order, GENERATE(Boundary::neumann, Boundary::dirichlet),
                         lambda);
  const std::vector<double> x = random_numbers(d.space.num_nodes, 1), y = random_numbers(d.space.num_nodes, 2);

  const double xAy = energy(d, x, y), yAx = energy(d, y, x);

  CHECK(xAy == close<double>(yAx, terms(d), std::sqrt(double(x.size())) * diagonal_scale(d)));
}

TEST_CASE("The operator is positive: x . A x > 0", "[tensor][reference]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 7);
  const unsigned seed = GENERATE(1u, 2u, 3u);
  const Discretisation d(make_turned_box(3, 2, 2), problem, order, Boundary::neumann, lambda);
  const std::vector<double> x = random_numbers(d.space.num_nodes, seed);

  CHECK(energy(d, x, x) > 0);
}

TEST_CASE("The diagonal is e . A e of unit vectors e, and one where masked", "[tensor][reference]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3);
  const Discretisation d(make_turned_box(2, 1, 2), problem, order, GENERATE(Boundary::neumann, Boundary::dirichlet),
                         lambda);
  Values expected;
  std::vector<double> unit(d.space.num_nodes, 0);
  for (std::size_t i = 0; i < unit.size(); ++i) {
    unit[i] = 1;
    expected.entries.push_back(apply_reference(d, unit)[i]);
    unit[i] = 0;
  }
  for (const Index node : d.space.masked) expected.entries[node] = 1;

  CHECK_THAT(values(tensor::Reference(d).diagonal()), all_close<double>(expected, terms(d)));
}

TEST_CASE("The energy of a linear field is exact on distorted elements", "[tensor][reference]") {
  const int order = GENERATE(1, 2, 7);
  const Discretisation d(make_turned_box(3, 2, 2), Problem::bp3_0, order, Boundary::neumann, lambda);
  const auto u = [](double x, double y, double z) { return 1 + 2 * x - y + 3 * z; };  // |grad u|^2 = 14
  const std::vector<double> nodal = interpolate(d, u);

  const double expected = 14 * volume(*d.mesh) + lambda * integrate(*d.mesh, [&](double x, double y, double z) {
                                                   return std::pow(u(x, y, z), 2);
                                                 });

  CHECK(energy(d, nodal, nodal) == close<double>(expected, terms(d)));
}

TEST_CASE("The energy of a monomial on boxes is that computed by hand", "[tensor][reference]") {
  const Problem problem = any_stiffness();
  const int order = GENERATE(2, 3, 7);
  mesh::Mesh mesh = mesh::make_box(2, 1, 3);
  mesh::rotate_elements(mesh, 1);
  const Discretisation d(mesh, problem, order, Boundary::neumann, lambda);
  // collocation integrates degree 2 order - 1: squares of one degree less than the others
  const int a = problem == Problem::bp3_5 ? order - 1 : order, b = 1, c = a - 1;
  const std::vector<double> nodal =
      interpolate(d, [&](double x, double y, double z) { return std::pow(x, a) * std::pow(y, b) * std::pow(z, c); });

  const auto square = [](int degree) { return 1.0 / (2 * degree + 1); };  // of x^degree over [0, 1]
  const auto slope = [&](int degree) { return degree ? degree * degree * square(degree - 1) : 0; };
  const double expected = slope(a) * square(b) * square(c) + square(a) * slope(b) * square(c) +
                          square(a) * square(b) * slope(c) + lambda * square(a) * square(b) * square(c);

  CHECK(energy(d, nodal, nodal) == close<double>(expected, terms(d), order * diagonal_scale(d)));
}

TEST_CASE("Masked entries are not read and come out as zero", "[tensor][reference]") {
  const Problem problem = any_problem();
  const Discretisation d(make_turned_box(3, 2, 5), problem, 4, Boundary::dirichlet, lambda);
  std::vector<double> zero = random_numbers(d.space.num_nodes, 1), nan = zero;
  for (const Index node : d.space.masked) {
    zero[node] = 0;
    nan[node] = std::numeric_limits<double>::quiet_NaN();
  }

  const std::vector<double> y = apply_reference(d, nan);

  CHECK_THAT(values(y), all_close<double>(values(apply_reference(d, zero)), terms(d)));  // atomics may change the order
  for (const Index node : d.space.masked) CHECK(y[node] == 0);
}

TEST_CASE("Masking is leaving out rows and columns of the free operator", "[tensor][reference]") {
  const Problem problem = any_problem();
  const Discretisation fixed(make_turned_box(3, 2, 2), problem, 3, Boundary::dirichlet, lambda),
      free(make_turned_box(3, 2, 2), problem, 3, Boundary::neumann, lambda);
  std::vector<double> x = random_numbers(fixed.space.num_nodes, 1);
  for (const Index node : fixed.space.masked) x[node] = 0;

  std::vector<double> expected = apply_reference(free, x);

  for (const Index node : fixed.space.masked) expected[node] = 0;
  CHECK_THAT(values(apply_reference(fixed, x)), all_close<double>(values(expected), terms(fixed)));
}

namespace {

/// The unit cube with distorted elements and a flat surface: the manufactured solutions belong to it.
mesh::Mesh make_cube(int n) {
  mesh::Mesh mesh = mesh::make_box(n, n, n);
  mesh::perturb(mesh, 0.1, 1);
  mesh::rotate_elements(mesh, 1);
  return mesh;
}

constexpr int fine = 12;  // an order that resolves the manufactured solutions to rounding on 3^3 elements

}  // namespace

TEST_CASE("The load sums to the integral of the source", "[tensor][reference]") {
  const Discretisation d(make_cube(3), any_problem(), fine, Boundary::neumann, lambda);

  const Values b = values(tensor::Reference(d).load({Boundary::dirichlet}, 2.5));

  double sum = 0;
  for (const double x : b.entries) sum += x;
  CHECK(sum == close<double>(2.5 * std::pow(2 / std::numbers::pi, 3), terms(d), 1));
}

TEST_CASE("The load of a solution is the mass operator on its nodal values", "[tensor][reference]") {
  const tensor::Manufactured u{GENERATE(Boundary::neumann, Boundary::dirichlet)};
  const Discretisation d(make_cube(3), Problem::bp1_0, fine, Boundary::neumann, 0);

  const Values expected = values(apply_reference(d, interpolate(d, u)));

  CHECK_THAT(values(tensor::Reference(d).load(u, 1)), all_close<double>(expected, terms(d)));
}

TEST_CASE("The nodal load is the function times the number of elements at a node", "[tensor][reference]") {
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const Discretisation d(make_cube(3), any_problem(), 3, boundary, lambda, GENERATE(1, 2));
  using std::numbers::pi;
  const std::vector<double> u = interpolate(d, tensor::Manufactured{Boundary::neumann});
  const auto nodes = static_cast<std::size_t>(d.space.num_nodes);
  std::vector<double> elements(nodes);
  for (const Index node : d.space.element_to_node.host().entries)
    if (node >= 0) ++elements[static_cast<std::size_t>(node)];
  Values expected;
  for (std::size_t i = 0; i < d.space.num_entries(); ++i)
    expected.entries.push_back(-3 * pi * pi * u[i % nodes] * elements[i % nodes]);

  CHECK_THAT(values(tensor::Reference(d).nodal_load()), all_close<double>(expected, 8));
}

TEST_CASE("The load is zero at masked nodes", "[tensor][reference]") {
  const Discretisation d(make_cube(2), any_problem(), 3, Boundary::dirichlet, lambda);

  const Values b = values(tensor::Reference(d).load({Boundary::neumann}, 1));

  for (const Index node : d.space.masked) CHECK(b[node] == 0);
  CHECK(largest(b) > 0);
}

TEST_CASE("The relative error of zero is one, that of (1 + a) times the solution is a", "[tensor][reference]") {
  const tensor::Manufactured u{GENERATE(Boundary::neumann, Boundary::dirichlet)};
  const Discretisation d(make_cube(3), any_problem(), fine, u.boundary, lambda);
  const tensor::Reference reference(d);
  std::vector<double> nodal = interpolate(d, u), multiple = nodal;
  for (double& x : multiple) x *= 1.5;

  CHECK(reference.relative_l2_error(to_device<double>(std::vector<double>(nodal.size(), 0)), u) ==
        close<double>(1, terms(d)));
  CHECK(reference.relative_l2_error(to_device<double>(nodal), u) == close<double>(0, terms(d), 1));
  CHECK(reference.relative_l2_error(to_device<double>(multiple), u) == close<double>(0.5, terms(d)));
}

TEST_CASE("NaN in a solution makes its error NaN", "[tensor][reference]") {
  const tensor::Manufactured u{Boundary::neumann};
  const Discretisation d(make_cube(2), Problem::bp1_0, 3, Boundary::neumann, lambda);
  std::vector<double> nodal = interpolate(d, u);

  nodal[nodal.size() / 2] = std::numeric_limits<double>::quiet_NaN();

  CHECK(std::isnan(tensor::Reference(d).relative_l2_error(to_device<double>(nodal), u)));
}
