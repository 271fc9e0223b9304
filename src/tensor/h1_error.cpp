// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"
#include "miniapp/tensor/load.hpp"

namespace miniapp::tensor {
namespace {

/// The gradient with respect to (r, s, t) at the Gauss points of an element, from the values at its nodes. Loops as
/// they stand in the formula: they run once.
class ReferenceGradient {
 public:
  explicit ReferenceGradient(const basis::TensorBasis& b)
      : n_(b.nodes.size()), m_(b.points.size()), values_(b.interpolation.entries), slopes_(values_.size(), 0) {
    for (int a = 0; a < m_; ++a)
      for (int i = 0; i < n_; ++i)
        for (int c = 0; c < m_; ++c) slopes_[a * n_ + i] += b.point_derivative(a, c) * b.interpolation(c, i);
  }
  /// The derivative along an axis at all points (k, j, i).
  std::vector<double> along(int axis, const std::vector<double>& nodal) const {
    std::vector<double> from = nodal;
    for (int d = 0; d < 3; ++d) {  // (.., i) -> (i', ..): the axes take turns
      const std::vector<double>& matrix = d == axis ? slopes_ : values_;
      const auto lines = from.size() / static_cast<std::size_t>(n_);
      std::vector<double> to(lines * static_cast<std::size_t>(m_), 0);
      for (std::size_t line = 0; line < lines; ++line)
        for (int a = 0; a < m_; ++a)
          for (int i = 0; i < n_; ++i) to[a * lines + line] += matrix[a * n_ + i] * from[line * n_ + i];
      from = std::move(to);
    }
    return from;
  }

 private:
  int n_, m_;
  std::vector<double> values_, slopes_;
};

/// The length of the sum of the mean tangents of an element's vertices [m].
double size_of(const mesh::Mesh& mesh, std::size_t element) {
  const mesh::Trilinear map = mesh::trilinear(mesh, element);
  double squares = 0;
  for (const int q : {1, 2, 4})
    for (const double component : map[static_cast<std::size_t>(q)]) squares += component * component;
  return std::sqrt(squares);
}

/// Central differences of a function at points of an element; `step` [m].
std::vector<double> differences(const ElementFunction& u, std::int64_t element, int axis, double step,
                                const std::vector<double> (&x)[3]) {
  const auto count = x[0].size();
  std::vector<double> ahead(count), behind(count), moved[3] = {x[0], x[1], x[2]};
  const auto at = [&](double by, std::vector<double>& values) {
    for (std::size_t i = 0; i < count; ++i) moved[axis][i] = x[axis][i] + by;
    u.evaluate(element, static_cast<int>(count), moved[0].data(), moved[1].data(), moved[2].data(), values.data());
  };
  at(step, ahead);
  at(-step, behind);
  for (std::size_t i = 0; i < count; ++i) ahead[i] = (ahead[i] - behind[i]) / (2 * step);
  return ahead;
}

}  // namespace

double relative_h1_error(const Discretisation& d, const Vector<const double>& x, const ElementFunction& u) {
  constexpr double part = 1e-5;  // of an element's size: errors of truncation and of rounding are about 1e-10
  const basis::Rule& rule = d.basis.points;
  const int m = rule.size(), n = d.order + 1, points = m * m * m;
  const auto q = static_cast<std::size_t>(m);
  const ReferenceGradient gradient(d.basis);
  const auto host = to_host(x);
  const geometry::TensorPoints at_points(*d.mesh, rule.points);
  const Map& element_to_node = d.space.element_to_node.host();
  const HostRanges ranges(d.mesh->num_elements(), 64);
  std::vector<double> errors(static_cast<std::size_t>(ranges.count()), 0), norms = errors;
  ranges.for_each([&](int range) {
    std::vector<double> nodal(static_cast<std::size_t>(n * n * n)), at[3];
    for (std::vector<double>& coordinates : at) coordinates.resize(static_cast<std::size_t>(points));
    for (std::size_t e = ranges.begin(range); e < ranges.end(range); ++e) {
      const Index* const nodes = element_to_node[e];
      for (int i = 0; i < n * n * n; ++i)
        nodal[i] = host(static_cast<std::size_t>(nodes[i] < 0 ? ~nodes[i] : nodes[i]));
      at_points.visit(e, [&](std::size_t point, const mesh::Point& to) {
        for (int axis = 0; axis < 3; ++axis) at[axis][point] = to[axis];
      });
      const double step = part * size_of(*d.mesh, e);
      std::vector<double> reference[3], exact[3];
      for (int axis = 0; axis < 3; ++axis) {
        reference[axis] = gradient.along(axis, nodal);
        exact[axis] = differences(u, d.mesh->number(e), axis, step, at);
      }
      at_points.visit_tangents(e, [&](std::size_t point, const mesh::Point&, const double(&J)[3][3]) {
        double dual[3][3];
        for (int a = 0; a < 3; ++a) geometry::cross(J[(a + 1) % 3], J[(a + 2) % 3], dual[a]);
        const double det = geometry::dot(J[0], dual[0]),
                     W = det * rule.weights[point % q] * rule.weights[point / q % q] * rule.weights[point / q / q];
        for (int axis = 0; axis < 3; ++axis) {
          double slope = 0;
          for (int a = 0; a < 3; ++a) slope += dual[a][axis] / det * reference[a][point];
          errors[range] += W * std::pow(slope - exact[axis][point], 2);
          norms[range] += W * std::pow(exact[axis][point], 2);
        }
      });
    }
  });
  double error = 0, norm = 0;
  for (int range = 0; range < ranges.count(); ++range) {
    error += errors[range];
    norm += norms[range];
  }
  const Communicator& ranks = d.space.exchange.ranks();
  error = ranks.sum(error);
  norm = ranks.sum(norm);
  return std::sqrt(norm > 0 ? error / norm : error);
}

}  // namespace miniapp::tensor
