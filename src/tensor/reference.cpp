// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::tensor {
namespace {

using DeviceMatrix = Kokkos::View<double**, Kokkos::LayoutRight, MemorySpace>;
using Flat = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

DeviceMatrix to_device(const basis::Matrix& matrix) {
  const DeviceMatrix device("tensor/matrix", matrix.rows, matrix.columns);
  const auto host = Kokkos::create_mirror_view(device);
  for (int r = 0; r < matrix.rows; ++r)
    for (int c = 0; c < matrix.columns; ++c) host(r, c) = matrix(r, c);
  Kokkos::deep_copy(device, host);
  return device;
}

basis::Matrix transpose(const basis::Matrix& a) {
  basis::Matrix t(a.columns, a.rows);
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.columns; ++c) t(c, r) = a(r, c);
  return t;
}

basis::Matrix product(const basis::Matrix& a, const basis::Matrix& b) {
  basis::Matrix c(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j)
      for (int k = 0; k < a.columns; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// The entrywise product.
basis::Matrix hadamard(const basis::Matrix& a, const basis::Matrix& b) {
  basis::Matrix c(a.rows, a.columns);
  for (std::size_t i = 0; i < c.entries.size(); ++i) c.entries[i] = a.entries[i] * b.entries[i];
  return c;
}

basis::Matrix identity(int size) {
  basis::Matrix one(size, size);
  for (int i = 0; i < size; ++i) one(i, i) = 1;
  return one;
}

/// Values of some elements on a tensor grid of extent[0] x extent[1] x extent[2] points, the first direction fastest.
struct Grid {
  Vector<double> values;
  int extent[3];
  std::int64_t size(std::int64_t elements) const { return elements * extent[0] * extent[1] * extent[2]; }
};

/// out(.., r, ..) = sum_c matrix(r, c) in(.., c, ..) along `axis`; adds to `out` where `accumulate`.
void contract(std::int64_t elements, const DeviceMatrix& matrix, int axis, const Grid& in, Grid& out,
              bool accumulate = false) {
  for (int d = 0; d < 3; ++d) out.extent[d] = d == axis ? matrix.extent_int(0) : in.extent[d];
  const int rows = matrix.extent_int(0), columns = matrix.extent_int(1);
  int stride = 1;  // of the axis, in `in` and `out` alike
  for (int d = 0; d < axis; ++d) stride *= in.extent[d];
  const Vector<double> from = in.values, to = out.values;
  Kokkos::parallel_for(
      "tensor/reference/contract", Flat(0, out.size(elements)), KOKKOS_LAMBDA(const std::int64_t flat) {
        const std::int64_t before = flat % stride, after = flat / stride / rows;
        const int r = static_cast<int>(flat / stride % rows);
        double sum = 0;
        for (int c = 0; c < columns; ++c) sum += matrix(r, c) * from((after * columns + c) * stride + before);
        to(flat) = accumulate ? to(flat) + sum : sum;
      });
}

/// Applies one matrix per direction; `work` is overwritten.
void contract_all(std::int64_t elements, const DeviceMatrix& r, const DeviceMatrix& s, const DeviceMatrix& t,
                  const Grid& in, Grid& work, Grid& out) {
  contract(elements, r, 0, in, out);
  contract(elements, s, 1, out, work);
  contract(elements, t, 2, work, out);
}

/// Elements [begin, begin + size) and work arrays.
struct Batch {
  std::size_t begin, size;
  Grid make_grid(int q) const { return {make_vector<double>("tensor/reference", size * q * q * q), {q, q, q}}; }
};

/// Component c of a vector.
template <class T>
Vector<T> component(const Discretisation& problem, const Vector<T>& x, int c) {
  const std::size_t size = problem.space.num_nodes;
  return slice(x, c * size, size);
}

/// Calls body(batch) for all elements, in batches large enough to fill a device and small enough for a host's caches.
template <class Body>
void for_batches(const Discretisation& problem, const Body& body) {
  constexpr std::size_t points = runs_on_host ? 1 << 16 : 1 << 22;
  const int m = problem.order + 2;
  const std::size_t elements = problem.mesh->num_elements(), most = std::max<std::size_t>(1, points / (m * m * m));
  for (std::size_t begin = 0; begin < elements; begin += most) body(Batch{begin, std::min(most, elements - begin)});
}

/// The curved maps of a batch.
geometry::CurvedMaps batch_maps(const Discretisation& problem, const Batch& batch) {
  const std::size_t numbers = 3 * problem.mesh->curved.per_element();
  return {problem.curved.order, slice(problem.curved.nodes, numbers * batch.begin, numbers * batch.size)};
}

/// Stored factors of a batch (element, component, point) at the points of `rule`.
Vector<const double> batch_factors(const Discretisation& problem, const Batch& batch, const basis::Rule& rule) {
  const std::size_t points = rule.size() * rule.size() * rule.size();
  const Vector<const double> k = &rule == &problem.rule() && problem.coefficient.extent(0) > 0
                                     ? slice(problem.coefficient, points * batch.begin, points * batch.size)
                                     : Vector<const double>();
  if (!problem.curved.empty()) return geometry::make_factors<double>(batch_maps(problem, batch), rule, false, k);
  return geometry::make_factors<double>(slice(problem.trilinear, 24 * batch.begin, 24 * batch.size), rule, false, k);
}

/// The entries of the map for a batch.
Vector<const Index> batch_nodes(const Discretisation& problem, const Vector<const Index>& map, const Batch& batch) {
  const std::size_t arity = problem.space.element_to_node.arity();
  return slice(map, batch.begin * arity, batch.size * arity);
}

/// y += Z^T local.
void add_to_nodes(const Vector<const Index>& map, const Vector<double>& local, const Vector<double>& y) {
  Kokkos::parallel_for(
      "tensor/reference/add", Flat(0, map.extent(0)), KOKKOS_LAMBDA(const std::int64_t q) {
        if (map(q) >= 0) Kokkos::atomic_add(&y(map(q)), local(q));
      });
}

/// values *= factor * W at the points.
void multiply_mass(const Batch& batch, const Vector<const double>& factors, double factor, const Grid& grid) {
  const int points = grid.extent[0] * grid.extent[1] * grid.extent[2];
  const Vector<double> values = grid.values;
  Kokkos::parallel_for(
      "tensor/reference/mass", Flat(0, batch.size * points), KOKKOS_LAMBDA(const std::int64_t flat) {
        values(flat) *= factor * factors((flat / points * geometry::num_factors + 6) * points + flat % points);
      });
}

/// values = scale * one component of the factors at the points.
void set_factor(const Batch& batch, const Vector<const double>& factors, int component, double scale,
                const Grid& grid) {
  const int points = grid.extent[0] * grid.extent[1] * grid.extent[2];
  const Vector<double> values = grid.values;
  Kokkos::parallel_for(
      "tensor/reference/factor", Flat(0, batch.size * points), KOKKOS_LAMBDA(const std::int64_t flat) {
        values(flat) = scale * factors((flat / points * geometry::num_factors + component) * points + flat % points);
      });
}

/// sum of W (values - solution)^2 and of W solution^2 over the points of a batch.
std::pair<double, double> squared_error(const Batch& batch, const Vector<const double>& factors, const Grid& grid,
                                        const Grid& exact) {
  const int points = grid.extent[0] * grid.extent[1] * grid.extent[2];
  const Vector<double> values = grid.values, solution = exact.values;
  double error = 0, norm = 0;
  Kokkos::parallel_reduce(
      "tensor/reference/l2_error", Flat(0, batch.size * points),
      KOKKOS_LAMBDA(const std::int64_t flat, double& error_sum, double& norm_sum) {
        const double W = factors((flat / points * geometry::num_factors + 6) * points + flat % points);
        const double difference = values(flat) - solution(flat);
        error_sum += W * difference * difference;
        norm_sum += W * solution(flat) * solution(flat);
      },
      error, norm);
  return {error, norm};
}

/// values = u at the tensor points of a rule, of a batch.
void evaluate(const Discretisation& problem, const Batch& batch, const basis::Rule& points_of, const Manufactured& u,
              const Grid& grid) {
  const int m = grid.extent[0], points = m * m * m;
  const Vector<double> rule = make_vector<double>("tensor/rule", m), values = grid.values;
  const auto rule_host = Kokkos::create_mirror_view(rule);
  for (int a = 0; a < m; ++a) rule_host(a) = points_of.points[a];
  Kokkos::deep_copy(rule, rule_host);
  const Vector<const double> trilinear = slice(problem.trilinear, 24 * batch.begin, 24 * batch.size);
  const Vector<const double> curved =
      problem.curved.empty() ? Vector<const double>() : geometry::make_positions(batch_maps(problem, batch), points_of);
  Kokkos::parallel_for(
      "tensor/reference/evaluate", Flat(0, batch.size * points), KOKKOS_LAMBDA(const std::int64_t flat) {
        const int point = static_cast<int>(flat % points);
        const double* K = &trilinear(24 * (flat / points));
        const double r = rule(point % m), s = rule(point / m % m), t = rule(point / (m * m));
        double x[3];
        geometry::position(K, r, s, t, x);
        if (curved.extent(0) > 0)
          for (int d = 0; d < 3; ++d) x[d] = curved(d * (curved.extent(0) / 3) + flat);
        values(flat) = u(x[0], x[1], x[2]);
      });
}

/// (gr, gs, gt) = G (gr, gs, gt) at the points.
void multiply_stiffness(const Batch& batch, const Vector<const double>& factors, const Grid (&gradient)[3]) {
  const int points = gradient[0].extent[0] * gradient[0].extent[1] * gradient[0].extent[2];
  const Vector<double> gr = gradient[0].values, gs = gradient[1].values, gt = gradient[2].values;
  Kokkos::parallel_for(
      "tensor/reference/stiffness", Flat(0, batch.size * points), KOKKOS_LAMBDA(const std::int64_t flat) {
        const double* G = &factors(flat / points * geometry::num_factors * points + flat % points);
        const double rr = G[0], rs = G[points], rt = G[2 * points], ss = G[3 * points], st = G[4 * points],
                     tt = G[5 * points];
        const double r = gr(flat), s = gs(flat), t = gt(flat);
        gr(flat) = rr * r + rs * s + rt * t;
        gs(flat) = rs * r + ss * s + st * t;
        gt(flat) = rt * r + st * s + tt * t;
      });
}

}  // namespace

Reference::Reference(const Discretisation& problem)
    : problem_(problem), node_map_(problem.space.element_to_node.device()) {}

void Reference::apply(const Vector<const double>& x, const Vector<double>& y) const {
  const bool gauss = !is_collocated(problem_.problem), stiffness = has_stiffness(problem_.problem);
  const int n = problem_.order + 1, q = problem_.rule().size();
  const DeviceMatrix I = to_device(problem_.basis.interpolation),
                     It = to_device(transpose(problem_.basis.interpolation));
  const basis::Matrix& derivative = gauss ? problem_.basis.point_derivative : problem_.basis.derivative;
  const DeviceMatrix D = to_device(derivative), Dt = to_device(transpose(derivative));
  fill(y, 0.0);
  for_batches(problem_, [&](const Batch& batch) {
    const auto elements = static_cast<std::int64_t>(batch.size);
    const Vector<const double> factors = batch_factors(problem_, batch, problem_.rule());
    const auto nodes = batch_nodes(problem_, node_map_, batch);
    for (int c = 0; c < problem_.space.components; ++c) {
      Grid nodal = batch.make_grid(n), u = batch.make_grid(q), work = batch.make_grid(q);
      streaming::scatter<double>(Instance(), nodes, component(problem_, x, c), nodal.values);
      if (gauss)
        contract_all(elements, I, I, I, nodal, work, u);
      else
        u = nodal;
      if (stiffness) {
        Grid gradient[3] = {batch.make_grid(q), batch.make_grid(q), batch.make_grid(q)};
        for (int axis = 0; axis < 3; ++axis) contract(elements, D, axis, u, gradient[axis]);
        multiply_stiffness(batch, factors, gradient);
        multiply_mass(batch, factors, problem_.lambda, u);
        for (int axis = 0; axis < 3; ++axis) contract(elements, Dt, axis, gradient[axis], u, true);
      } else {
        multiply_mass(batch, factors, 1, u);
      }
      Grid result = batch.make_grid(q);
      if (gauss)
        contract_all(elements, It, It, It, u, work, result);
      else
        result = u;
      add_to_nodes(nodes, result.values, component(problem_, y, c));
    }
  });
  const SurfaceMass surface = problem_.surface;
  Kokkos::parallel_for(
      "tensor/reference/surface", Flat(0, surface.entries.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i) { y(surface.entries(i)) += surface.values(i) * x(surface.entries(i)); });
}

Vector<double> Reference::diagonal() const {
  const bool gauss = !is_collocated(problem_.problem);
  const int n = problem_.order + 1, q = problem_.rule().size();
  const basis::Matrix value = gauss ? problem_.basis.interpolation : identity(n);
  const basis::Matrix slope =
      gauss ? product(problem_.basis.point_derivative, problem_.basis.interpolation) : problem_.basis.derivative;
  // squares[k]: products of 1-D functions of which k are differentiated, transposed to act from points to nodes
  const DeviceMatrix squares[3] = {to_device(transpose(hadamard(value, value))),
                                   to_device(transpose(hadamard(value, slope))),
                                   to_device(transpose(hadamard(slope, slope)))};
  const Vector<double> diagonal = make_zeros<double>("tensor/diagonal", problem_.space.num_nodes);
  for_batches(problem_, [&](const Batch& batch) {
    const auto elements = static_cast<std::int64_t>(batch.size);
    const auto nodes = batch_nodes(problem_, node_map_, batch);
    const Vector<const double> factors = batch_factors(problem_, batch, problem_.rule());
    Grid coefficient = batch.make_grid(q), work = batch.make_grid(q), term = batch.make_grid(q);
    const auto add_term = [&](int component, double scale, const int(&differentiated)[3]) {
      set_factor(batch, factors, component, scale, coefficient);
      contract_all(elements, squares[differentiated[0]], squares[differentiated[1]], squares[differentiated[2]],
                   coefficient, work, term);
      add_to_nodes(nodes, term.values, diagonal);
    };
    add_term(6, has_stiffness(problem_.problem) ? problem_.lambda : 1, {0, 0, 0});
    if (!has_stiffness(problem_.problem)) return;
    int component = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) {
        int differentiated[3] = {0, 0, 0};
        ++differentiated[a];
        ++differentiated[b];
        add_term(component++, a == b ? 1 : 2, differentiated);
      }
    }
  });
  const auto host = Kokkos::create_mirror_view(diagonal);
  Kokkos::deep_copy(host, diagonal);
  for (const Index node : problem_.space.masked) host(node) = problem_.space.owns(node) ? 1 : 0;
  Kokkos::deep_copy(diagonal, host);
  Vector<double> of_all = diagonal;
  if (problem_.space.components > 1) {
    of_all = make_vector<double>("tensor/diagonal", problem_.space.num_entries());
    for (int c = 0; c < problem_.space.components; ++c) Kokkos::deep_copy(component(problem_, of_all, c), diagonal);
  }
  const SurfaceMass surface = problem_.surface;
  Kokkos::parallel_for(
      "tensor/reference/surface", Flat(0, surface.entries.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i) { of_all(surface.entries(i)) += surface.values(i); });
  problem_.space.exchange.sum(Instance(), of_all);
  return of_all;
}

Vector<double> Reference::load(const Manufactured& u, double factor) const {
  const int m = problem_.order + 2;
  const DeviceMatrix It = to_device(transpose(problem_.basis.interpolation));
  const Vector<double> b = make_zeros<double>("tensor/load", problem_.space.num_entries());
  for_batches(problem_, [&](const Batch& batch) {
    const auto elements = static_cast<std::int64_t>(batch.size);
    const Vector<const double> factors = batch_factors(problem_, batch, problem_.basis.points);
    for (int c = 0; c < problem_.space.components; ++c) {
      Grid values = batch.make_grid(m), work = batch.make_grid(m), result = batch.make_grid(m);
      evaluate(problem_, batch, problem_.basis.points, u.of_component(c), values);
      multiply_mass(batch, factors, factor, values);
      contract_all(elements, It, It, It, values, work, result);
      add_to_nodes(batch_nodes(problem_, node_map_, batch), result.values, component(problem_, b, c));
    }
  });
  problem_.space.exchange.sum(Instance(), b);
  return b;
}

Vector<double> Reference::nodal_load() const {
  constexpr double pi = std::numbers::pi;
  const Manufactured f{space::Boundary::neumann, -3 * pi * pi};  // sin(pi (x - 1/2)) = -cos(pi x)
  const Vector<double> b = make_zeros<double>("tensor/load", problem_.space.num_entries());
  for_batches(problem_, [&](const Batch& batch) {
    Grid values = batch.make_grid(problem_.order + 1);
    evaluate(problem_, batch, problem_.basis.nodes, f, values);
    for (int c = 0; c < problem_.space.components; ++c)
      add_to_nodes(batch_nodes(problem_, node_map_, batch), values.values, component(problem_, b, c));
  });
  problem_.space.exchange.sum(Instance(), b);
  return b;
}

double Reference::relative_l2_error(const Vector<const double>& x, const Manufactured& u) const {
  const int n = problem_.order + 1, m = problem_.order + 2;
  const DeviceMatrix I = to_device(problem_.basis.interpolation);
  double error = 0, norm = 0;
  for_batches(problem_, [&](const Batch& batch) {
    const auto elements = static_cast<std::int64_t>(batch.size);
    Grid nodal = batch.make_grid(n), work = batch.make_grid(m), approximate = batch.make_grid(m),
         exact = batch.make_grid(m);
    const Vector<const double> factors = batch_factors(problem_, batch, problem_.basis.points);
    for (int c = 0; c < problem_.space.components; ++c) {
      streaming::scatter<double>(Instance(), batch_nodes(problem_, node_map_, batch), component(problem_, x, c),
                                 nodal.values);
      contract_all(elements, I, I, I, nodal, work, approximate);
      evaluate(problem_, batch, problem_.basis.points, u.of_component(c), exact);
      const auto [batch_error, batch_norm] = squared_error(batch, factors, approximate, exact);
      error += batch_error;
      norm += batch_norm;
    }
  });
  const Communicator& ranks = problem_.space.exchange.ranks();
  return std::sqrt(ranks.sum(error) / ranks.sum(norm));
}

}  // namespace miniapp::tensor
