// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/mesh/mesh.hpp"

/// Curved hexahedra (mesh::Curved).
namespace miniapp::geometry {

/// Maps of all elements of a curved mesh on the device.
struct CurvedMaps {
  int order = 1;
  Vector<const double> nodes;  ///< (element, node (k, j, i), d) [m]; empty: the mesh is not curved
  bool empty() const { return nodes.extent(0) == 0; }
};
CurvedMaps make_curved(const mesh::Mesh& mesh);

/// The Lagrange polynomials of the nodes of curved elements at points of [-1, 1]: (point, value | slope, node).
std::vector<double> curved_rows(int order, const std::vector<double>& points);

/// What is left of a curved map for given (s, t): polynomials in r.
class CurvedLine {
 public:
  /// `nodes` (k, j, i, d) of one element, n in each direction; rows of curved_rows() at s and t.
  KOKKOS_INLINE_FUNCTION CurvedLine(const double* nodes, int n, const double* at_s, const double* at_t) : n_(n) {
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d) {
        double x = 0, slope_s = 0, slope_t = 0;
        for (int k = 0; k < n; ++k) {
          double row = 0, slope = 0;
          for (int j = 0; j < n; ++j) {
            const double node = nodes[((k * n + j) * n + i) * 3 + d];
            row += at_s[j] * node;
            slope += at_s[n + j] * node;
          }
          x += at_t[k] * row;
          slope_s += at_t[k] * slope;
          slope_t += at_t[n + k] * row;
        }
        x_[i][d] = x;
        along_s_[i][d] = slope_s;
        along_t_[i][d] = slope_t;
      }
  }
  /// x, and the tangents J[a][d] = d x_d / d r_a, from the row at r.
  KOKKOS_INLINE_FUNCTION void at(const double* at_r, double (&x)[3], double (&J)[3][3]) const {
    for (int d = 0; d < 3; ++d) x[d] = J[0][d] = J[1][d] = J[2][d] = 0;
    for (int i = 0; i < n_; ++i)
      for (int d = 0; d < 3; ++d) {
        x[d] += at_r[i] * x_[i][d];
        J[0][d] += at_r[n_ + i] * x_[i][d];
        J[1][d] += at_r[i] * along_s_[i][d];
        J[2][d] += at_r[i] * along_t_[i][d];
      }
  }

 private:
  static constexpr int most = mesh::most_curved_order + 1;
  int n_;
  double x_[most][3], along_s_[most][3], along_t_[most][3];
};

/// Calls visit(point, x, J) at the q^3 tensor points of one element, r fastest, on the host; `rows` are those of
/// curved_rows() at the q points of a direction.
template <class Visit>
void visit_curved_points(const double* nodes, int order, const std::vector<double>& rows, const Visit& visit) {
  const int n = order + 1, q = static_cast<int>(rows.size()) / (2 * n);
  std::size_t point = 0;
  for (int k = 0; k < q; ++k)
    for (int j = 0; j < q; ++j) {
      const CurvedLine along(nodes, n, &rows[2 * n * j], &rows[2 * n * k]);
      for (int i = 0; i < q; ++i) {
        double x[3], J[3][3];
        along.at(&rows[2 * n * i], x, J);
        visit(point++, x, J);
      }
    }
}

/// Stored factors of curved elements at the tensor points of `rule`: (element, component, point), or W alone, (element,
/// point), where `mass_only`. G is multiplied by `coefficient` (element, point), unless it is empty.
template <class Real>
Vector<const Real> make_factors(const CurvedMaps& maps, const basis::Rule& rule, bool mass_only,
                                const Vector<const double>& coefficient = {});
/// Factors of one curved element at the tensor points of `rule`, (component, point), on the host. `nodes` are the
/// element's; `rows` those of curved_rows() at the rule's points.
void curved_factors(const double* nodes, int order, const basis::Rule& rule, const std::vector<double>& rows,
                    double* factors);
/// x of all elements at the tensor points of `rule`: (d, element, point) [m].
Vector<const double> make_positions(const CurvedMaps& maps, const basis::Rule& rule);

/// The first element whose det J is not positive at some tensor point of `rule`, or anywhere that
/// find_inverted_by_bounds() finds; -1 if there is none.
std::int64_t find_inverted(const CurvedMaps& maps, const basis::Rule& rule);

/// The first element with a point, its corners included, where det J is not positive; -1 if there is none. det J is a
/// polynomial of degree 3 p - 1 in each direction, p the order of the elements. Its Bernstein coefficients bound it:
/// it is positive if all of them are, and has those of the corners as its values there. Parts of an element that are
/// not decided are halved, up to 12 times in each direction. What then is still open, det J of about 10^-7 of its
/// maximum, passes. On the host. Source: A. Johnen, J.-F. Remacle, C. Geuzaine, Geometrical validity of curvilinear
/// finite elements, J. Comput. Phys. 233 (2013).
std::int64_t find_inverted_by_bounds(const CurvedMaps& maps);

/// (element): the least of det J / (|x_r| |x_s| |x_t|), 1 for a box: at the corners of trilinear maps, 24 coefficients
/// each; at 2 order + 1 Gauss-Lobatto points per direction of curved ones.
Vector<const double> scaled_jacobians(const Vector<const double>& trilinear);
Vector<const double> scaled_jacobians(const CurvedMaps& maps);

/// The map of one hexahedron of a mesh at single points, on the host: x, and J[a][d] = d x_d / d r_a.
void map_at(const mesh::Mesh& mesh, std::size_t element, const double (&r)[3], mesh::Point& x, double (&J)[3][3]);

/// The points of elements, curved or trilinear, at the products of a line with itself, on the host.
class TensorPoints {
 public:
  /// `line`: points of [-1, 1]. Refers to the mesh.
  TensorPoints(const mesh::Mesh& mesh, std::vector<double> line)
      : mesh_(mesh), line_(std::move(line)), rows_(curved_rows(mesh.curved.order, line_)) {}

  /// Calls visit(i, x) at the points of an element, r fastest.
  template <class Visit>
  void visit(std::size_t element, const Visit& visit) const {
    if (!mesh_.curved.empty())
      return visit_curved(element, [&](std::size_t i, const mesh::Point& x, const auto&) { visit(i, x); });
    visit_trilinear([&, map = mesh::trilinear(mesh_, element)](std::size_t i, double r, double s, double t) {
      visit(i, position(map, r, s, t));
    });
  }
  /// Calls visit(i, x, J) at the points of an element, r fastest: J[a][d] = d x_d / d r_a.
  template <class Visit>
  void visit_tangents(std::size_t element, const Visit& visit) const {
    if (!mesh_.curved.empty()) return visit_curved(element, visit);
    visit_trilinear([&, map = mesh::trilinear(mesh_, element)](std::size_t i, double r, double s, double t) {
      double J[3][3];
      tangents(map.front().data(), r, s, t, J);
      visit(i, position(map, r, s, t), J);
    });
  }

 private:
  template <class Visit>
  void visit_trilinear(const Visit& visit) const {
    std::size_t i = 0;
    for (const double t : line_)
      for (const double s : line_)
        for (const double r : line_) visit(i++, r, s, t);
  }
  template <class Visit>
  void visit_curved(std::size_t element, const Visit& visit) const {
    const double* const nodes = mesh_.curved.nodes[element * mesh_.curved.per_element()].data();
    visit_curved_points(nodes, mesh_.curved.order, rows_,
                        [&](std::size_t i, const double(&x)[3], const double(&J)[3][3]) {
                          visit(i, mesh::Point{x[0], x[1], x[2]}, J);
                        });
  }

  const mesh::Mesh& mesh_;
  std::vector<double> line_, rows_;
};

}  // namespace miniapp::geometry
