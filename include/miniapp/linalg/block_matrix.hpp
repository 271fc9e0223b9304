// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::linalg {

/// The sparsity pattern of assembled element matrices: row r has the block columns of block row r in ascending order,
/// one block for every pair of nodes that share an element. Constrained nodes (~id) have empty rows and columns.
/// Computed on the host, O(entries of all element matrices).
Csr<> make_block_pattern(const Map& element_to_node, std::size_t num_nodes);

/// A sparse matrix of 3 x 3 blocks, the sum A = sum_e Z_e^T A_e Z_e of element matrices, Z the map of nodes.
///   x, y   (node, component)
///   values (row; c, i, k) on a host: entry (i, k) of block c of a row, at 9 (offsets[row] + c) + 3 i + k, so that they
///          are read one after the other; (row; i, c, k) on a GPU, at 9 offsets[row] + 3 (i blocks + c) + k: the three
///          rows of numbers of a block row lie one after the other, so that the 32 threads that share a row read
///          numbers next to each other
/// Rows and columns of constrained nodes are left out: x reads as zero and y is zero there. Memory: 9 numbers and 4
/// bytes per block; for the map, 4 bytes per entry. Where the mesh is distributed it is what this rank's elements add
/// to A: linalg::apply() adds up the products of all ranks.
template <class Real>
class BlockMatrix {
 public:
  /// A zero matrix. `space` has three components, (node, component), and `pattern` is the pattern of its map.
  BlockMatrix(miniapp::space::Space space, const Csr<>& pattern);

  /// Adds the matrices (element, i, k, r, s) of elements first .. first + count - 1 of the map
  /// (elasticity::matrix_place), without waiting. Each entry finds its block in the row by bisection, so that no table
  /// of positions is stored. Additions are atomic where there is more than one thread: results then differ by rounding
  /// from run to run. Bytes per block of an element matrix: 9 numbers read, 9 added to, and the entries of the pattern
  /// that bisection reads.
  void add(const Instance& instance, const Vector<const Real>& matrices, std::size_t first, std::size_t count);

  /// Constrains single components of nodes: rows and columns of the entries (node, component) whose flag is not zero
  /// become those of the identity. Called after the last add(). On several ranks all copies of a node have its flags.
  /// Errors: InputError where there is not one flag for each entry.
  void hold(const Instance& instance, const std::vector<char>& held);

  /// y = A x. Bytes: 9 numbers and 4 bytes per block.
  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const;

  /// The diagonal (node, component) and the diagonal blocks (node, i, k) of A, on several ranks in all copies of a
  /// node: collective then; 1 and identity blocks at constrained nodes.
  Vector<double> diagonal() const;
  Vector<double> diagonal_blocks() const;

  /// This rank's matrix by entries: row 3 node + i, all nine of each block, also zeros; unit blocks in empty rows. 108
  /// bytes per block. Errors: InputError where there are more entries than indices can number.
  CsrMatrix<double> to_csr() const;

  const miniapp::space::Space& space() const { return space_; }
  std::int64_t num_blocks() const { return static_cast<std::int64_t>(columns_.extent(0)); }

  /// Memory of a matrix of `blocks` blocks without its map [bytes].
  static double stored_bytes(std::int64_t blocks) { return double(blocks) * (9 * sizeof(Real) + sizeof(Index)); }
  /// Least memory traffic of apply() [bytes]: the matrix, its row offsets, x and y.
  double bytes() const {
    return stored_bytes(num_blocks()) + double(space_.num_nodes) * (sizeof(std::int64_t) + 6 * sizeof(Real));
  }

 private:
  std::size_t num_nodes() const { return static_cast<std::size_t>(space_.num_nodes); }

  miniapp::space::Space space_;
  Vector<std::int64_t> offsets_;  ///< (row + 1)
  Vector<Index> columns_;
  Vector<Real> values_;
};

}  // namespace miniapp::linalg
