// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "miniapp/core/random_bits.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"

/// Slow and obvious: what a solve is compared with.
namespace miniapp::apps {

/// A random number in (-1/2, 1/2) by a row's number in the whole matrix, so that it does not depend on ranks.
inline double random_number(std::int64_t number, std::uint64_t seed) {
  return double(random_bits(static_cast<std::uint64_t>(number) + (seed << 40)) >> 11) * 0x1p-53 - 0.5;
}

/// A block of the matrix on the host.
struct HostBlock {
  decltype(to_host(Vector<Index>())) offsets, columns;
  decltype(to_host(Vector<double>())) values;
  explicit HostBlock(const linalg::CsrMatrix<double>& matrix)
      : offsets(to_host(matrix.offsets)), columns(to_host(matrix.columns)), values(to_host(matrix.values)) {}
};

/// What a row adds up to.
struct RowSum {
  double product = 0, scale = 0;  ///< sum a_ij x_j, sum |a_ij x_j|
  Index length = 0;
  template <class X>
  void add(const HostBlock& block, Index row, const X& x) {
    for (Index e = block.offsets(row); e < block.offsets(row + 1); ++e) {
      const double term = block.values(e) * double(x(block.columns(e)));
      product += term;
      scale += std::fabs(term);
    }
    length += block.offsets(row + 1) - block.offsets(row);
  }
};

/// This rank's rows on the host: obvious loops in double precision, for comparison.
class HostRows {
 public:
  explicit HostRows(const linalg::DistributedMatrix& matrix)
      : own_(matrix.own), ghost_block_(matrix.ghost_block), border_(to_host(matrix.border)) {}

  Index size() const { return static_cast<Index>(own_.offsets.extent(0)) - 1; }
  /// Calls visit(row, sum) for all rows; `ghosts` (item) is x at rows of other ranks.
  template <class X, class Ghosts, class Visit>
  void multiply(const X& x, const Ghosts& ghosts, const Visit& visit) const {
    std::size_t k = 0;
    for (Index row = 0; row < size(); ++row) {
      RowSum sum;
      sum.add(own_, row, x);
      if (k < border_.extent(0) && border_(k) == row) sum.add(ghost_block_, static_cast<Index>(k++), ghosts);
      visit(row, sum);
    }
  }

 private:
  HostBlock own_, ghost_block_;
  decltype(to_host(Vector<Index>())) border_;
};

}  // namespace miniapp::apps
