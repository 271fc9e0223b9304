// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/curved.hpp"

#include <cmath>
#include <utility>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::geometry {
namespace {

using Items = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

std::vector<double> equidistant(int order) {
  std::vector<double> nodes;
  for (int i = 0; i <= order; ++i) nodes.push_back(double(2 * i - order) / order);
  return nodes;
}

/// Maps with the tables of points of a line.
struct MapsAtPoints {
  Vector<const double> nodes, rows;
  int n, q;  ///< nodes, points of a direction

  MapsAtPoints(const CurvedMaps& maps, const std::vector<double>& points)
      : nodes(maps.nodes),
        rows(to_device<double>("geometry/curved/rows", curved_rows(maps.order, points))),
        n(maps.order + 1),
        q(static_cast<int>(points.size())) {}

  std::int64_t elements() const { return static_cast<std::int64_t>(nodes.extent(0)) / (3 * n * n * n); }
  std::int64_t lines() const { return elements() * q * q; }

  /// Calls visit(element, point, x, J) along one of lines(), of which q * q belong to each element.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(std::int64_t line, const Visit& visit) const {
    const std::int64_t e = line / (q * q);
    const int first = static_cast<int>(line % (q * q)), j = first % q, k = first / q;
    const CurvedLine along(&nodes(3 * n * n * n * e), n, &rows(2 * n * j), &rows(2 * n * k));
    for (int i = 0; i < q; ++i) {
      double x[3], J[3][3];
      along.at(&rows(2 * n * i), x, J);
      visit(e, (k * q + j) * q + i, x, J);
    }
  }
};

}  // namespace

CurvedMaps make_curved(const mesh::Mesh& mesh) {
  if (mesh.curved.empty()) return {};
  const mesh::Curved& curved = mesh.curved;
  require(curved.order > 1 && curved.order <= mesh::most_curved_order, "curved", std::to_string(curved.order),
          "is the order of elements; accepted are 2 to " + std::to_string(mesh::most_curved_order));
  const std::size_t wanted = curved.per_element() * mesh.num_elements();
  require(curved.nodes.size() == wanted, "curved", std::to_string(curved.nodes.size()),
          "nodes; accepted are " + std::to_string(wanted) + ", " + std::to_string(curved.per_element()) +
              " for each element");
  const Vector<double> nodes = make_vector<double>("geometry/curved/nodes", 3 * curved.nodes.size());
  copy_entries(nodes, HostVector<const double>(curved.nodes.front().data(), nodes.extent(0)));
  return {curved.order, nodes};
}

std::vector<double> curved_rows(int order, const std::vector<double>& points) {
  const std::vector<double> nodes = equidistant(order);
  const basis::Matrix values = basis::lagrange_values(nodes, points),
                      slopes = basis::lagrange_derivatives(nodes, points);
  std::vector<double> rows;
  for (int point = 0; point < values.rows; ++point)
    for (const basis::Matrix* matrix : {&values, &slopes})
      for (int node = 0; node < values.columns; ++node) rows.push_back((*matrix)(point, node));
  return rows;
}

template <class Real>
Vector<const Real> make_factors(const CurvedMaps& maps, const basis::Rule& rule, bool mass_only,
                                const Vector<const double>& coefficient) {
  const MapsAtPoints at(maps, rule.points);
  const int q = at.q, points = q * q * q;
  const Vector<const double> w = to_device<double>("geometry/weights", rule.weights);
  const Vector<Real> stored =
      make_vector<Real>("geometry/factors", at.elements() * points * (mass_only ? 1 : num_factors));
  Kokkos::parallel_for(
      "geometry/curved/factors", Items(0, at.lines()), KOKKOS_LAMBDA(const std::int64_t line) {
        at.visit(line, [&](std::int64_t e, int point, const double(&)[3], const double(&J)[3][3]) {
          double f[num_factors];
          factors_of(J, w(point % q) * w(point / q % q) * w(point / (q * q)), f);
          if (mass_only) {
            stored(e * points + point) = static_cast<Real>(f[6]);
            return;
          }
          const double k = coefficient.extent(0) > 0 ? coefficient(e * points + point) : 1;
          for (int c = 0; c < num_factors; ++c)
            stored((e * num_factors + c) * points + point) = static_cast<Real>(c < 6 ? k * f[c] : f[c]);
        });
      });
  return stored;
}

template Vector<const double> make_factors(const CurvedMaps&, const basis::Rule&, bool, const Vector<const double>&);
template Vector<const float> make_factors(const CurvedMaps&, const basis::Rule&, bool, const Vector<const double>&);

void curved_factors(const double* nodes, int order, const basis::Rule& rule, const std::vector<double>& rows,
                    double* factors) {
  const int q = rule.size(), points = q * q * q;
  const std::vector<double>& w = rule.weights;
  visit_curved_points(nodes, order, rows, [&](std::size_t point, const double(&)[3], const double(&J)[3][3]) {
    const int i = static_cast<int>(point);
    double f[num_factors];
    factors_of(J, w[i % q] * w[i / q % q] * w[i / (q * q)], f);
    for (int c = 0; c < num_factors; ++c) factors[c * points + i] = f[c];
  });
}

Vector<const double> make_positions(const CurvedMaps& maps, const basis::Rule& rule) {
  const MapsAtPoints at(maps, rule.points);
  const std::int64_t points = at.q * at.q * at.q, size = at.elements() * points;
  const Vector<double> positions = make_vector<double>("geometry/curved/positions", 3 * size);
  Kokkos::parallel_for(
      "geometry/curved/positions", Items(0, at.lines()), KOKKOS_LAMBDA(const std::int64_t line) {
        at.visit(line, [&](std::int64_t e, int point, const double(&x)[3], const double(&)[3][3]) {
          for (int d = 0; d < 3; ++d) positions(d * size + e * points + point) = x[d];
        });
      });
  return positions;
}

std::int64_t find_inverted(const CurvedMaps& maps, const basis::Rule& rule) {
  const MapsAtPoints at(maps, rule.points);
  const std::int64_t elements = at.elements();
  std::int64_t first = elements;
  Kokkos::parallel_reduce(
      "geometry/curved/inverted", Items(0, at.lines()),
      KOKKOS_LAMBDA(const std::int64_t line_of_all, std::int64_t& least) {
        at.visit(line_of_all, [&](std::int64_t e, int, const double(&)[3], const double(&J)[3][3]) {
          if (e < least && !(determinant(J) > 0)) least = e;
        });
      },
      Kokkos::Min<std::int64_t>(first));
  const std::int64_t by_bounds = find_inverted_by_bounds(maps);
  if (by_bounds >= 0) first = std::min(first, by_bounds);
  return first < elements ? first : -1;
}

namespace {

/// det J of the tangents over the product of their lengths.
KOKKOS_INLINE_FUNCTION double scaled_jacobian(const double (&J)[3][3]) {
  const double lengths = std::sqrt(dot(J[0], J[0]) * dot(J[1], J[1]) * dot(J[2], J[2]));
  return lengths > 0 ? determinant(J) / lengths : 0;
}

}  // namespace

Vector<const double> scaled_jacobians(const Vector<const double>& trilinear) {
  const auto elements = static_cast<std::int64_t>(trilinear.extent(0)) / 24;
  const Vector<double> least = make_vector<double>("geometry/scaled Jacobian", elements);
  Kokkos::parallel_for(
      "geometry/scaled Jacobian", Items(0, elements), KOKKOS_LAMBDA(const std::int64_t e) {
        double smallest = 1;
        for (int corner = 0; corner < 8; ++corner) {
          double J[3][3];
          tangents(&trilinear(24 * e), corner & 1 ? 1. : -1., corner & 2 ? 1. : -1., corner & 4 ? 1. : -1., J);
          const double one = scaled_jacobian(J);
          if (one < smallest) smallest = one;
        }
        least(e) = smallest;
      });
  return least;
}

Vector<const double> scaled_jacobians(const CurvedMaps& maps) {
  const MapsAtPoints at(maps, basis::gauss_lobatto(2 * maps.order + 1).points);
  const Vector<double> least = make_vector<double>("geometry/scaled Jacobian", at.elements());
  Kokkos::parallel_for(
      "geometry/curved/scaled Jacobian", Items(0, at.elements()), KOKKOS_LAMBDA(const std::int64_t e) {
        double smallest = 1;
        for (int line = 0; line < at.q * at.q; ++line)
          at.visit(e * at.q * at.q + line, [&](std::int64_t, int, const double(&)[3], const double(&J)[3][3]) {
            const double one = scaled_jacobian(J);
            if (one < smallest) smallest = one;
          });
        least(e) = smallest;
      });
  return least;
}

void map_at(const mesh::Mesh& mesh, std::size_t element, const double (&r)[3], mesh::Point& x, double (&J)[3][3]) {
  if (mesh.curved.empty()) {
    const mesh::Trilinear map = mesh::trilinear(mesh, element);
    x = position(map, r[0], r[1], r[2]);
    tangents(map.front().data(), r[0], r[1], r[2], J);
    return;
  }
  const std::vector<double> rows = curved_rows(mesh.curved.order, {r[0], r[1], r[2]});
  const int n = mesh.curved.order + 1;
  double to[3];
  CurvedLine(mesh.curved.nodes[element * mesh.curved.per_element()].data(), n, &rows[2 * n], &rows[4 * n])
      .at(rows.data(), to, J);
  x = {to[0], to[1], to[2]};
}

}  // namespace miniapp::geometry
