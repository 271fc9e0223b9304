// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "miniapp/basis/prism.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/elasticity/body.hpp"
#include "miniapp/elasticity/side_integral.hpp"
#include "miniapp/geometry/prism.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::elasticity {
namespace {

using Tensor = double[3][3];

std::size_t node_number(Index node) { return static_cast<std::size_t>(node < 0 ? ~node : node); }

/// sigma [Pa] of the displacement gradient H[i][d] = d u_i / d x_d.
void stress_of(const Tensor& H, const double* lame, Tensor& sigma) {
  const double pressure = lame[0] * (H[0][0] + H[1][1] + H[2][2]);
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) sigma[i][d] = lame[1] * (H[i][d] + H[d][i]) + (i == d ? pressure : 0);
}

/// A point of an element: the volume that it stands for [m^3], J^-1 and sigma(u).
struct StressPoint {
  double volume;
  Tensor inverse, sigma;
};

/// Calls visit(element, q, point) at the points of all elements of this rank.
template <class Visit>
void visit_stresses(const PreparedBody& body, const basis::PrismTables& tables, const std::vector<double>& u,
                    const Visit& visit) {
  for (std::size_t e = 0; e < body.prisms.size(); ++e) {
    const Index* const nodes = body.space.element_to_node.host()[e];
    for (int q = 0; q < tables.num_points; ++q) {
      const auto [x, y, z] = tables.points[q];
      StressPoint point;
      Tensor J, along{}, H{};  // along[i][a] = d u_i / d xi_a
      geometry::prism_jacobian(&body.prisms.vertices[e * geometry::prism_numbers], x, y, z, J);
      point.volume = tables.weights[q] * invert(J, point.inverse);
      for (int r = 0; r < tables.num_functions; ++r)
        for (int i = 0; i < 3; ++i)
          for (int a = 0; a < 3; ++a) along[i][a] += u[3 * node_number(nodes[r]) + i] * tables.derivative(a, q, r);
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d)
          for (int a = 0; a < 3; ++a) H[i][d] += along[i][a] * point.inverse[a][d];
      stress_of(H, &body.prisms.materials[2 * e], point.sigma);
      visit(e, q, point);
    }
  }
}

/// The largest sum_q volume (lambda + 2 mu) |grad phi_r|^2 of all elements and functions: what rounding of
/// displacements is multiplied by [N/m].
double stiffness_scale(const PreparedBody& body, const basis::PrismTables& tables) {
  const std::vector<double> zero(body.space.num_entries(), 0);
  std::vector<double> sums(static_cast<std::size_t>(tables.num_functions), 0);
  double most = 0;
  visit_stresses(body, tables, zero, [&](std::size_t e, int q, const StressPoint& point) {
    if (q == 0) std::fill(sums.begin(), sums.end(), 0.);
    const double* const lame = &body.prisms.materials[2 * e];
    for (int r = 0; r < tables.num_functions; ++r)
      for (int d = 0; d < 3; ++d) {
        double slope = 0;
        for (int a = 0; a < 3; ++a) slope += tables.derivative(a, q, r) * point.inverse[a][d];
        sums[r] += point.volume * (lame[0] + 2 * lame[1]) * slope * slope;
      }
    if (q == tables.num_points - 1) most = std::max(most, *std::max_element(sums.begin(), sums.end()));
  });
  return body.space.exchange.ranks().of_all(Reduction::max, most);
}

/// Values of any linear displacement that is no special one: its gradient has no unit.
constexpr Tensor patch_gradient{{0.3, -0.2, 0.5}, {0.7, 0.1, -0.4}, {-0.6, 0.8, 0.2}};

std::vector<mesh::CellSide> all_sides(const mesh::Mesh& mesh) {
  std::vector<mesh::CellSide> sides;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int side = 0; side < mesh::cell(mesh.kind).num_sides(); ++side) sides.push_back({static_cast<Index>(e), side});
  return sides;
}

}  // namespace

std::vector<double> internal_forces(const PreparedBody& body, const std::vector<double>& u) {
  const basis::PrismTables tables = basis::make_prism_tables(body.space.order);
  std::vector<double> forces(body.space.num_entries(), 0);
  visit_stresses(body, tables, u, [&](std::size_t e, int q, const StressPoint& point) {
    const Index* const nodes = body.space.element_to_node.host()[e];
    Tensor flux{};  // of sigma, in the directions of the reference prism
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d) flux[i][a] += point.volume * point.sigma[i][d] * point.inverse[a][d];
    for (int r = 0; r < tables.num_functions; ++r)
      for (int i = 0; i < 3; ++i)
        for (int a = 0; a < 3; ++a) forces[3 * node_number(nodes[r]) + i] += flux[i][a] * tables.derivative(a, q, r);
  });
  return space::sum_over_ranks(body.space, forces);
}

std::vector<double> von_mises(const PreparedBody& body, const std::vector<double>& u) {
  const basis::PrismTables tables = basis::make_prism_tables(body.space.order);
  std::vector<double> means(body.prisms.size(), 0), volumes(body.prisms.size(), 0);
  visit_stresses(body, tables, u, [&](std::size_t e, int, const StressPoint& point) {
    const Tensor& s = point.sigma;
    const double mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
    double square = 0;
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) square += std::pow(s[i][d] - (i == d ? mean : 0), 2);
    means[e] += point.volume * std::sqrt(1.5 * square);
    volumes[e] += point.volume;
  });
  for (std::size_t e = 0; e < means.size(); ++e) means[e] /= volumes[e];
  return means;
}

mesh::Point sum_of(const PreparedBody& body, const std::vector<double>& forces, bool held) {
  mesh::Point sum{};
  for (Index node = 0; node < body.space.num_nodes; ++node)
    for (int c = 0; c < 3; ++c)
      if (const std::size_t entry = body.space.entry(node, c); body.space.owns(node) && (body.held[entry] != 0) == held)
        sum[c] += forces[entry];
  body.space.exchange.ranks().reduce(Reduction::sum, sum.data(), 3);
  return sum;
}

template <class Real>
BodyErrors verify(const PreparedBody& body, const mesh::Mesh& mesh, const linalg::BlockMatrix<Real>& matrix) {
  const Communicator& ranks = mesh.part.ranks;
  const basis::PrismTables tables = basis::make_prism_tables(body.space.order);
  const std::vector<mesh::Point> points = node_points(mesh, body.space);
  const mesh::Point mean = space::mean_of(points, body.space);
  std::vector<double> linear, held;
  double largest = 0;
  for (const mesh::Point& x : points)
    for (int i = 0; i < 3; ++i) {
      double value = 0;
      for (int d = 0; d < 3; ++d) value += patch_gradient[i][d] * (x[d] - mean[d]);
      largest = std::max(largest, std::fabs(value));
      linear.push_back(value);
    }
  largest = ranks.of_all(Reduction::max, largest);
  for (double& value : linear) value += 0.5 * largest;  // it moves too
  held = linear;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (body.held[i]) held[i] = 0;

  const double scale = largest * stiffness_scale(body, tables), terms = 3. * tables.num_functions * tables.num_points;
  const std::vector<double> tractions = space::sum_over_ranks(
      body.space,
      integrate_sides(mesh, body.space, all_sides(mesh), [&](std::size_t e, const mesh::Point&, const mesh::Point& n) {
        Tensor sigma;
        stress_of(patch_gradient, &body.prisms.materials[2 * e], sigma);
        mesh::Point t{};
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 3; ++d) t[i] += sigma[i][d] * n[d];
        return t;
      }));
  BodyErrors errors;
  errors.patch =
      space::largest_difference(internal_forces(body, linear), tractions, ranks) / tolerance<double>(terms, scale);

  const Instance instance;
  const Vector<Real> x = convert<Real>(to_device<double>("elasticity/u", held)),
                     y = make_vector<Real>("elasticity/A u", held.size());
  linalg::apply<Real>(instance, matrix, x, y);
  instance.fence();
  const auto product = to_host(convert<double>(y));
  std::vector<double> found(product.data(), product.data() + product.extent(0)), expected = internal_forces(body, held);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (body.held[i]) found[i] = expected[i] = 0;
  errors.matrix = space::largest_difference(found, expected, ranks) / tolerance<Real>(terms, scale);
  return errors;
}
template BodyErrors verify(const PreparedBody&, const mesh::Mesh&, const linalg::BlockMatrix<double>&);
template BodyErrors verify(const PreparedBody&, const mesh::Mesh&, const linalg::BlockMatrix<float>&);

}  // namespace miniapp::elasticity
