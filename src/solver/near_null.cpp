// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/near_null.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "miniapp/core/error.hpp"
#include "solver/gram_schmidt.hpp"

namespace miniapp::solver {
namespace {

using Point = std::array<double, 3>;
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// Calls set(component, mode, value) for what is not zero of the rotations of a node at r from the centre.
template <class Set>
void visit_rotations(int dim, const Point& r, const Set& set) {
  int mode = dim;
  for (int axis = dim == 3 ? 0 : 2; axis < 3; ++axis, ++mode) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    set(next, mode, -r[last]);
    set(last, mode, r[next]);
  }
}

/// Mode m, divided by its largest number, so that squares are numbers. Errors: InputError where it is zero, or a number
/// is not finite.
std::vector<double> scaled_mode(const std::vector<double>& near_null, std::size_t modes, std::size_t m) {
  std::vector<double> mode;
  double largest = 0;
  for (std::size_t i = m; i < near_null.size(); i += modes) {
    if (!std::isfinite(near_null[i]))
      throw InputError(
          "near_null", "",
          fmt::format("row {} of mode {} is {}; accepted are finite numbers", i / modes + 1, m + 1, near_null[i]));
    mode.push_back(near_null[i]);
    largest = std::max(largest, std::fabs(near_null[i]));
  }
  require(
      largest > 0, "near_null", "",
      fmt::format("mode {} is zero in all rows that are coupled to others; accepted are modes that are not", m + 1));
  for (double& value : mode) value /= largest;
  return mode;
}

/// Number of modes. Errors: InputError where numbers are not one per row and mode.
int count_modes(std::size_t numbers, Index rows) {
  const auto size = static_cast<std::size_t>(rows);
  require(size > 0 && numbers % size == 0, "near_null", static_cast<std::int64_t>(numbers),
          fmt::format("numbers; accepted are multiples of {}, one per row and mode", rows));
  return static_cast<int>(numbers / size);
}

}  // namespace

Vector<double> make_near_null(const space::Space& space, const std::vector<Point>& points, const Point& centre,
                              bool rotates) {
  const int components = space.components;
  require(!rotates || components == 2 || components == 3, "components", components,
          "rotations need two or three components");
  require(!rotates || std::ssize(points) == space.num_nodes, "points", std::ssize(points),
          fmt::format("accepted is one per node, {}", space.num_nodes));
  const int modes = components + (rotates ? num_rotations(components) : 0);
  std::vector<double> values(space.num_entries() * modes, 0);
  for (Index node = 0; node < space.num_nodes; ++node) {
    if (std::binary_search(space.masked.begin(), space.masked.end(), node)) continue;
    const auto set = [&](int c, int mode, double value) { values[space.entry(node, c) * modes + mode] = value; };
    for (int c = 0; c < components; ++c) set(c, c, 1);
    if (!rotates) continue;
    const Point& r = points[node];
    visit_rotations(components, {r[0] - centre[0], r[1] - centre[1], r[2] - centre[2]}, set);
  }
  return to_device<double>("solver/near null", values);
}

Vector<double> make_constant_modes(Index rows, int block) {
  require(block >= 1 && rows % block == 0, "block", block, fmt::format("{} rows are no whole number of nodes", rows));
  return make_near_null(space::make_unknowns(rows / block, block, Layout::aos), {}, {}, false);
}

Vector<double> make_rigid_modes(const std::vector<double>& coordinates, int dim) {
  require((dim == 2 || dim == 3) && coordinates.size() % static_cast<std::size_t>(dim) == 0, "dim", dim,
          fmt::format("accepted are 2 and 3, of which {} coordinates are a multiple", coordinates.size()));
  std::vector<Point> points(coordinates.size() / static_cast<std::size_t>(dim));
  Point mean{};
  for (std::size_t node = 0; node < points.size(); ++node)
    for (int d = 0; d < dim; ++d) {
      points[node][d] = coordinates[node * dim + d];
      mean[d] += points[node][d] / double(points.size());
    }
  return make_near_null(space::make_unknowns(static_cast<Index>(points.size()), dim, Layout::aos), points, mean, true);
}

void clear_uncoupled(const linalg::CsrMatrix<double>& matrix, const Vector<double>& near_null) {
  const int modes = count_modes(near_null.extent(0), matrix.num_rows);
  Kokkos::parallel_for(
      "solver/clear uncoupled", Range(0, matrix.num_rows), KOKKOS_LAMBDA(const Index row) {
        bool coupled = false;
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e)
          coupled = coupled || (matrix.columns(e) != row && matrix.values(e) != 0);
        for (int m = 0; m < modes && !coupled; ++m) near_null(std::int64_t(row) * modes + m) = 0;
      });
  Kokkos::fence();
}

void require_independent(const std::vector<double>& near_null, Index rows) {
  const auto modes = static_cast<std::size_t>(count_modes(near_null.size(), rows));
  Columns basis;
  for (std::size_t m = 0; m < modes; ++m)
    require(extend_basis(basis, scaled_mode(near_null, modes, m)), "near_null", "",
            fmt::format("mode {} is a sum of those before it; accepted are independent modes", m + 1));
}

std::vector<int> find_null_modes(const linalg::CsrMatrix<double>& matrix, const Vector<const double>& near_null) {
  const int modes = count_modes(near_null.extent(0), matrix.num_columns);
  std::vector<int> found;
  constexpr Index piece = 1 << 16;  // most modes are none, which the first one shows
  for (int m = 0; m < modes; ++m) {
    double largest = 0;
    for (Index begin = 0; begin < matrix.num_rows && largest <= null_rounding; begin += piece)
      Kokkos::parallel_reduce(
          "solver/null mode", Range(begin, begin + std::min(piece, matrix.num_rows - begin)),
          KOKKOS_LAMBDA(const Index row, double& most) {
            double sum = 0, scale = 0;
            for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e) {
              const double term = matrix.values(e) * near_null(std::int64_t(matrix.columns(e)) * modes + m);
              sum += term;
              scale += km::fabs(term);
            }
            const double error = sum == 0 ? 0 : km::fabs(sum) / scale;
            most = error <= most ? most : error >= 0 ? error : 1;  // NaN is none
          },
          Kokkos::Max<double>(largest));
    if (largest <= null_rounding) found.push_back(m);
  }
  return found;
}

}  // namespace miniapp::solver
