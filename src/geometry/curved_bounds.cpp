// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"

namespace miniapp::geometry {
namespace {

/// (i, a): the factors by which values at `points` of [-1, 1] make the Bernstein coefficients of their polynomial. The
/// matrix of the Bernstein polynomials at increasing points is totally positive: it is inverted without a pivot.
basis::Matrix bernstein_of(const std::vector<double>& points) {
  const int n = static_cast<int>(points.size()), degree = n - 1;
  basis::Matrix values(n, n), inverse(n, n);
  for (int a = 0; a < n; ++a) {
    const double t = (1 + points[a]) / 2;
    double binomial = 1;
    for (int i = 0; i < n; ++i) {
      values(a, i) = binomial * std::pow(t, i) * std::pow(1 - t, degree - i);
      binomial *= double(degree - i) / (i + 1);
    }
    inverse(a, a) = 1;
  }
  for (int pivot = 0; pivot < n; ++pivot)
    for (int row = 0; row < n; ++row) {
      const double factor = values(row, pivot) / values(pivot, pivot);
      for (int column = 0; column < n; ++column) {
        if (row == pivot) continue;
        values(row, column) -= factor * values(pivot, column);
        inverse(row, column) -= factor * inverse(pivot, column);
      }
    }
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) inverse(row, column) /= values(row, row);
  return inverse;
}

/// The Bernstein coefficients (k, j, i) of a polynomial on a box, n in each direction.
class Coefficients {
 public:
  explicit Coefficients(std::size_t n) : n_(n), all_(n * n * n) {}
  /// Bounds from the values at the tensor points that the matrix is of.
  void set(std::vector<double>& values, const basis::Matrix& bernstein) {
    for (int axis = 0; axis < 3; ++axis) {  // (k, j, i) -> (i', k, j), so that the axes take turns
      for (std::size_t line = 0; line < n_ * n_; ++line)
        for (std::size_t i = 0; i < n_; ++i) {
          double sum = 0;
          for (std::size_t a = 0; a < n_; ++a) sum += bernstein.entries[i * n_ + a] * values[line * n_ + a];
          all_[i * n_ * n_ + line] = sum;
        }
      std::swap(values, all_);
    }
    std::swap(values, all_);
  }
  double operator[](std::size_t i) const { return all_[i]; }
  bool is_positive() const {
    return std::all_of(all_.begin(), all_.end(), [](double c) { return c > 0; });
  }
  /// Whether a value at a corner is not positive.
  bool has_bad_corner() const {
    for (const std::size_t k : {std::size_t{0}, n_ - 1})
      for (const std::size_t j : {std::size_t{0}, n_ - 1})
        for (const std::size_t i : {std::size_t{0}, n_ - 1})
          if (!(all_[(k * n_ + j) * n_ + i] > 0)) return true;
    return false;
  }
  /// Makes this the lower half along an axis, 0 to 2, and returns the upper one. By the algorithm of de Casteljau.
  Coefficients halve(int axis) {
    Coefficients upper = *this;
    const std::size_t stride = axis == 0 ? 1 : axis == 1 ? n_ : n_ * n_;
    for (std::size_t first = 0; first < all_.size(); ++first) {
      if (first / stride % n_ != 0) continue;
      const auto at = [&](std::size_t i) { return first + i * stride; };
      for (std::size_t step = 1; step < n_; ++step) {
        upper.all_[at(n_ - step)] = all_[at(n_ - 1)];
        for (std::size_t i = n_ - 1; i >= step; --i) all_[at(i)] = (all_[at(i)] + all_[at(i - 1)]) / 2;
      }
      upper.all_[at(0)] = all_[at(n_ - 1)];
    }
    return upper;
  }

 private:
  std::size_t n_;
  std::vector<double> all_;
};

/// Whether a polynomial has a value that is not positive, as far as `halvings` tell.
bool is_anywhere_bad(const Coefficients& whole, int halvings) {
  constexpr std::size_t most = 4096;  // parts that are open at the same time
  std::vector<Coefficients> open{whole};
  for (int step = 0; step <= halvings && !open.empty() && open.size() <= most; ++step) {
    std::vector<Coefficients> parts;
    for (const Coefficients& one : open) {
      if (one.has_bad_corner()) return true;
      if (!one.is_positive()) parts.push_back(one);
    }
    open.clear();
    for (Coefficients& part : parts) {
      std::vector<Coefficients> halves{std::move(part)};
      for (int axis = 0; axis < 3; ++axis)
        for (std::size_t i = halves.size(); i-- > 0;) halves.push_back(halves[i].halve(axis));
      open.insert(open.end(), std::make_move_iterator(halves.begin()), std::make_move_iterator(halves.end()));
    }
  }
  return false;
}

/// Whether an element is so little curved that its nodes alone show det J > 0: J = (I + E) J_0 with J_0 in the middle,
/// and the rows of E, which are means of its Bernstein coefficients, have a Frobenius norm below 1.
class NearlyStraight {
 public:
  explicit NearlyStraight(int order)
      : n_(std::size_t(order) + 1), centre_(curved_rows(order, {0})), control_(3, Coefficients(n_)) {
    std::vector<double> line;
    for (int i = 0; i <= order; ++i) line.push_back(-1 + 2. * i / order);
    bernstein_ = bernstein_of(line);
  }
  bool operator()(const double* nodes) {
    double J[3][3], inverse[3][3], x[3];
    CurvedLine(nodes, static_cast<int>(n_), centre_.data(), centre_.data()).at(centre_.data(), x, J);
    if (!(invert(J, inverse) > 0)) return false;
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<double> values(n_ * n_ * n_);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = nodes[3 * i + d];
      control_[d].set(values, bernstein_);
    }
    double squares = 0;
    for (int a = 0; a < 3; ++a) squares += largest_row(a, inverse);
    return squares < 1;
  }

 private:
  /// The largest square of the length of E's row a.
  double largest_row(int a, const double (&inverse)[3][3]) const {
    const std::size_t stride = a == 0 ? 1 : a == 1 ? n_ : n_ * n_;
    double most = 0;
    for (std::size_t i = 0; i < n_ * n_ * n_; ++i) {
      if (i / stride % n_ == n_ - 1) continue;
      double square = 0;
      for (int b = 0; b < 3; ++b) {
        double entry = a == b ? -1 : 0;
        for (std::size_t d = 0; d < 3; ++d)
          entry += double(n_ - 1) / 2 * (control_[d][i + stride] - control_[d][i]) * inverse[d][b];
        square += entry * entry;
      }
      most = std::max(most, square);
    }
    return most;
  }

  std::size_t n_;
  std::vector<double> centre_;
  std::vector<Coefficients> control_;  ///< (d)
  basis::Matrix bernstein_{0, 0};
};

}  // namespace

std::int64_t find_inverted_by_bounds(const CurvedMaps& maps) {
  const int n = 3 * maps.order;  // coefficients in each direction
  const std::vector<double> points = basis::gauss_lobatto(n).points, rows = curved_rows(maps.order, points);
  const basis::Matrix bernstein = bernstein_of(points);
  const auto nodes = to_host(maps.nodes);
  const std::size_t per_element = 3 * std::size_t(maps.order + 1) * (maps.order + 1) * (maps.order + 1),
                    elements = nodes.extent(0) / per_element;
  std::atomic<std::size_t> first = elements;
  const HostRanges ranges(elements, 64);
  ranges.for_each([&](int range) {
    std::vector<double> values(points.size() * points.size() * points.size());
    Coefficients determinants(points.size());
    NearlyStraight is_nearly_straight(maps.order);
    for (std::size_t e = ranges.begin(range); e < std::min(ranges.end(range), first.load()); ++e) {
      if (is_nearly_straight(nodes.data() + e * per_element)) continue;
      visit_curved_points(
          nodes.data() + e * per_element, maps.order, rows,
          [&](std::size_t i, const double(&)[3], const double(&J)[3][3]) { values[i] = determinant(J); });
      determinants.set(values, bernstein);
      if (determinants.is_positive() || !is_anywhere_bad(determinants, 12)) continue;
      std::size_t least = first;
      while (e < least && !first.compare_exchange_weak(least, e)) {
      }
      break;
    }
  });
  return first < elements ? static_cast<std::int64_t>(first.load()) : -1;
}

}  // namespace miniapp::geometry
