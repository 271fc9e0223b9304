// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <type_traits>

#include "linalg/counted_rows.hpp"
#include "linalg/find_entry.hpp"
#include "linalg/whole_blocks.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/linalg/sparse_products.hpp"

/// Products and transposes of matrices that consist of whole dense blocks, as those of elasticity do: C_IJ = sum_K A_IK
/// B_KJ. The pattern of C is that of a product of matrices with one entry per block, so that a column is looked up once
/// for all numbers of a block.
namespace miniapp::linalg {

struct CountBroken {
  const Index *offsets, *columns;
  int block_rows, block_columns;
  KOKKOS_FUNCTION void operator()(const Index row, Index& broken) const {
    broken += !has_whole_blocks(offsets, columns, block_rows, block_columns, row);
  }
};

/// Whether a matrix consists of dense blocks of so many rows and columns.
template <class Real>
bool has_whole_blocks(const CsrMatrix<Real>& matrix, int block_rows, int block_columns) {
  if (matrix.num_rows % block_rows != 0 || matrix.num_columns % block_columns != 0) return false;
  Index broken = 0;
  Kokkos::parallel_reduce("linalg/count broken blocks",
                          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(0, matrix.num_rows),
                          CountBroken{matrix.offsets.data(), matrix.columns.data(), block_rows, block_columns}, broken);
  return broken == 0;
}

/// The rows of blocks of a matrix, with one entry per block: its number.
struct PatternOfBlocks {
  const Index *offsets, *columns;
  int block_rows, block_columns;
  template <class To>
  KOKKOS_FUNCTION void visit(Index row, const To& to) const {
    const Index begin = offsets[row * block_rows], end = offsets[row * block_rows + 1];
    Index number = begin / (block_rows * block_columns);
    for (Index e = begin; e < end; e += block_columns) to(columns[e] / block_columns, double(number++));
  }
};
template <class Number, class Real>
CsrMatrix<Number> pattern_of_blocks(const CsrMatrix<Real>& matrix, int block_rows, int block_columns) {
  return make_visited_rows<Number>(
      PatternOfBlocks{matrix.offsets.data(), matrix.columns.data(), block_rows, block_columns},
      matrix.num_rows / block_rows, matrix.num_columns / block_columns);
}

/// Fills the rows of a matrix of whole blocks from the pattern of these, a team per row of blocks: number (r, c) of
/// block b of the pattern is value(b, r, c).
template <class Real, class Value>
struct FillBlocks {
  static constexpr int threads = 128, teams_at_once = 8;
  static constexpr std::size_t scratch_bytes = 0;
  const Index *block_offsets, *block_columns;
  int rows, columns;
  Value value;
  Index *offsets, *to_columns;
  Real* to_values;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index row = team.league_rank(), first = block_offsets[row], blocks = block_offsets[row + 1] - first;
    const Index begin = first * rows * columns, length = blocks * columns;
    for (int r = team.team_rank(); r < rows; r += team.team_size())
      offsets[row * rows + r + 1] = begin + (r + 1) * length;
    for (Index i = team.team_rank(); i < rows * length; i += team.team_size()) {
      const Index block = first + i % length / columns;
      const int r = i / length, c = i % columns;
      to_columns[begin + i] = block_columns[block] * columns + c;
      to_values[begin + i] = value(block, r, c);
    }
  }
};
template <class Real, class Number, class Value>
CsrMatrix<Real> fill_blocks_of(const CsrMatrix<Number>& pattern, int rows, int columns, const Value& value) {
  const std::int64_t entries = pattern.num_entries() * rows * columns;
  require_countable(entries);
  const CsrMatrix<Real> matrix{
      pattern.num_rows * rows, pattern.num_columns * columns,
      make_zeros<Index>("linalg/offsets", static_cast<std::size_t>(pattern.num_rows) * rows + 1),
      make_vector<Index>("linalg/columns", static_cast<std::size_t>(entries)),
      make_vector<Real>("linalg/values", static_cast<std::size_t>(entries))};
  for_teams(Instance(), "linalg/fill blocks", pattern.num_rows,
            FillBlocks<Real, Value>{pattern.offsets.data(), pattern.columns.data(), rows, columns, value,
                                    matrix.offsets.data(), matrix.columns.data(), matrix.values.data()});
  return matrix;
}

struct ZeroOfBlocks {
  KOKKOS_FUNCTION double operator()(Index, int, int) const { return 0; }
};

/// Number (r, c) of a block of A^T is number (c, r) of the block of A whose number the pattern of A^T has.
template <class Real>
struct TakeTransposed {
  const Index *offsets, *block_offsets;  ///< where rows, and rows of blocks, of A begin
  const Real* values;                    ///< the numbers of A
  int rows, columns;                     ///< the size of a block of A
  const Index* row_of;                   ///< (block of A^T): row of blocks of A
  const double* number_of;               ///< (block of A^T): number of the block of A
  KOKKOS_FUNCTION Real operator()(Index block, int r, int c) const {
    const Index row = row_of[block], within = static_cast<Index>(number_of[block]) - block_offsets[row];
    return values[offsets[row * rows + c] + within * columns + r];
  }
};

/// A^T of a matrix of whole blocks: the pattern of blocks is transposed and sorted, not that of numbers.
template <class Real, class Transpose>
CsrMatrix<Real> transpose_blocks(const CsrMatrix<Real>& A, int block_rows, int block_columns,
                                 const Transpose& transpose_pattern) {
  const CsrMatrix<double> blocks = pattern_of_blocks<double>(A, block_rows, block_columns),
                          transposed = transpose_pattern(blocks);
  const CsrMatrix<Real> result =
      fill_blocks_of<Real>(transposed, block_columns, block_rows,
                           TakeTransposed<Real>{A.offsets.data(), blocks.offsets.data(), A.values.data(), block_rows,
                                                block_columns, transposed.columns.data(), transposed.values.data()});
  Kokkos::fence();  // before the patterns are freed
  return result;
}

/// C += A B for A (block row I, K) of rows x inner numbers and B (K, J) of inner x columns, C (I, J) zero before:
///   C_IJ (i, c) += sum_t A_IK (i, t) B_KJ (t, c)   for all K of row I of A and J of row K of B.
/// All are CsrMatrix: rows of a block row are equally long, and number t of column block k is entry k inner + t. One
/// team per I, a group of threads per K, a thread per column c of B's row; J is found in the row of C by bisection.
template <class Real, int inner>
struct MultiplyBlocks {
  static constexpr int threads = 128, teams_at_once = 8, group = runs_on_host ? 1 : 8;
  static constexpr std::size_t scratch_bytes = 0;
  const Index *a_offsets, *a_columns, *b_offsets, *b_columns, *c_offsets;
  const Real *a_values, *b_values;
  Real* c_values;
  const Index *block_offsets, *block_columns;  ///< the pattern of the blocks of C
  int rows, columns;                           ///< the size of a block of C

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index row = team.league_rank(), a_begin = a_offsets[row * rows], c_begin = c_offsets[row * rows];
    const Index a_count = a_offsets[row * rows + 1] - a_begin, c_count = c_offsets[row * rows + 1] - c_begin;
    const int rank = team.team_rank(), groups = runs_on_host ? 1 : team.team_size() / group;
    for (Index a = rank / group * inner; a < a_count; a += groups * inner) {
      const Index b_row = a_columns[a_begin + a], b_begin = b_offsets[b_row], b_count = b_offsets[b_row + 1] - b_begin;
      Index place = block_offsets[row];
      for (Index e = rank % group; e < b_count; e += group) {
        const Index column = b_columns[b_begin + e], within = column % columns;
        if (group > 1 || within == 0)
          place = first_not_below(block_columns, place, block_offsets[row + 1], column / columns);
        Real b[inner];
        MINIAPP_UNROLL
        for (int t = 0; t < inner; ++t) b[t] = b_values[b_begin + t * b_count + e];
        Real* const to = c_values + c_begin + (place - block_offsets[row]) * columns + within;
        for (int i = 0; i < rows; ++i) {
          const Real* const factors = a_values + a_begin + i * a_count + a;
          Real sum = 0;
          MINIAPP_UNROLL
          for (int t = 0; t < inner; ++t) sum += factors[t] * b[t];
          if constexpr (runs_on_host)
            to[i * c_count] += sum;
          else
            Kokkos::atomic_add(to + i * c_count, sum);
        }
      }
    }
  }
};

/// Calls visit(constant) with `value` as a compile-time constant, if it is one of those listed.
template <int... values, class Visit>
void with_constant(int value, const Visit& visit) {
  (void)((value == values && (visit(std::integral_constant<int, values>()), true)) || ...);
}

/// A B, both of whole blocks; multiply_pattern(A, B) multiplies matrices of one entry per block. Nothing where no
/// kernel has been compiled for such blocks, or C would have too many entries.
template <class Real, class MultiplyPattern>
std::optional<CsrMatrix<Real>> multiply_blocks(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B, const BlockSizes& of,
                                               const MultiplyPattern& multiply_pattern) {
  std::optional<CsrMatrix<Real>> C;
  with_constant<1, 2, 3, 6>(of.inner, [&](auto inner) {
    const CsrMatrix<float> pattern = multiply_pattern(pattern_of_blocks<float>(A, of.rows, of.inner),
                                                      pattern_of_blocks<float>(B, of.inner, of.columns));
    if (pattern.num_entries() * of.rows * of.columns > std::numeric_limits<Index>::max()) return;
    C = fill_blocks_of<Real>(pattern, of.rows, of.columns, ZeroOfBlocks());
    const Instance instance;
    for_teams(instance, "linalg/multiply blocks", pattern.num_rows,
              MultiplyBlocks<Real, inner>{A.offsets.data(), A.columns.data(), B.offsets.data(), B.columns.data(),
                                          C->offsets.data(), A.values.data(), B.values.data(), C->values.data(),
                                          pattern.offsets.data(), pattern.columns.data(), of.rows, of.columns});
    instance.fence();  // before the pattern is freed
  });
  return C;
}

}  // namespace miniapp::linalg
