// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <vector>

#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/space/space.hpp"

/// Matrices whose rows ranks share, each rank's in one block, for products of sparse matrices.
namespace miniapp::linalg {

/// A rank's rows of a matrix, and perhaps copies of some rows of other ranks below them. Columns are numbers of this
/// rank: first those that it has itself, num_own_columns(), then those of other ranks, ghosts[k] that of the k-th.
struct LocalRows {
  CsrMatrix<double> rows;
  std::vector<Place> ghosts;  ///< (k): where the column is a row of a vector; rank -1 of one that no row uses
  /// Arrays that those of `rows` are the beginning of, with room for rows below them, which append_rows() uses; or
  /// others.
  Vector<Index> columns_with_room = {};
  Vector<double> values_with_room = {};

  Index num_own_columns() const { return rows.num_columns - static_cast<Index>(ghosts.size()); }
};

/// A rank's rows of a square matrix that ranks share. Column num_rows + i is that of item i, so that the vector of a
/// product has this rank's entries and those of its ghosts after them.
struct GhostedMatrix : GhostItems {
  CsrMatrix<double> rows;
  /// Arrays that those of `rows` are the beginning of, with room for rows below them; or others.
  Vector<Index> columns_with_room = {};
  Vector<double> values_with_room = {};

  LocalRows local() const { return {rows, ghosts, columns_with_room, values_with_room}; }
};

/// A matrix that one rank has as one that ranks share, without ghosts.
GhostedMatrix make_ghosted(CsrMatrix<double> matrix);
/// The two blocks of a distributed matrix as one. Ghosts are whole nodes of `block` consecutive rows. Collective.
GhostedMatrix make_ghosted(const DistributedMatrix& matrix, int block = 1);

/// Rows of a matrix that ranks share, in vectors of a space.
struct SpaceRows {
  GhostedMatrix matrix;
  Vector<const Index> entries;  ///< (own row): which entry of a vector of the space it is
};
/// The sum of what ranks have of a matrix, each from its elements: A = sum over ranks of R^T A_r R. A row is its
/// owner's, which gets the entries that others have of it and adds them in the order of ranks; rows of constrained
/// nodes are the owner's alone. `part` has a row per entry of the space, or of its first component. Ghosts are whole
/// nodes of `block` consecutive rows. Collective. Errors: InputError where it has neither.
SpaceRows make_ghosted(const CsrMatrix<double>& part, const space::Space& space, int block = 1);

/// B with rows of other ranks below its own: row num_rows + i is that of item i of all that are given, empty where that
/// is padding. Columns that B has not come after its own, in the order of ranks and rows; where `beyond` is given, it
/// becomes the items of these columns, and the columns are in its order. Collective.
LocalRows append_rows(const LocalRows& B, std::initializer_list<const GhostItems*> items, GhostItems* beyond = nullptr);

/// A rank's rows of a matrix that has at most one entry per row: values (row) in the column columns (row), -1: none.
struct SingleRows {
  Vector<const Index> columns;
  Vector<const double> values;
  Index num_columns = 0;
  std::vector<Place> ghosts = {};  ///< the last columns, which are of other ranks: where each is a row of a vector
};
/// T, whose columns are all of this rank, with rows of other ranks below its own: row num_rows + i is that of item i.
/// Their columns of other ranks come after T's, in the order of ranks and rows. Collective.
SingleRows append_rows(const SingleRows& T, const GhostItems& items);

/// values (row, k), `count` numbers per row, with those of ghosts below them. Collective.
Vector<double> append_values(const Vector<const double>& values, int count, Index rows, const GhostItems& items);

/// This rank's rows of A B; those of A have columns of `A`'s items. Collective. Errors: as multiply() of one rank.
LocalRows multiply(const GhostedMatrix& A, const LocalRows& B);

/// What the Galerkin product of ranks makes.
struct GalerkinProduct {
  GhostedMatrix coarse;  ///< R A P, R = P^T
  LocalRows P;           ///< P, whose columns are now those of `coarse`
  CsrMatrix<double> R;   ///< this rank's rows of P^T; columns are those of A
};

/// R A P for R = P^T. Coarse rows belong to the rank that has the column of P, in nodes of `block` rows; those of A
/// have `fine_block` rows. Where P (i, I) is not zero and another rank has I, this rank has a ghost that I depends on:
/// A (i, j) and P (j, I) are not zero for some row j of that rank, and the pattern of A is symmetric. Columns of P that
/// no row of this rank needs are left out. Collective. Errors: as galerkin_product() of one rank.
GalerkinProduct galerkin_product(const GhostedMatrix& A, const LocalRows& P, int block, int fine_block = 1);

/// All rows on each rank, in the order of ranks. Collective. Errors: InputError where they are too many.
CsrMatrix<double> gather_rows(const GhostedMatrix& matrix);

}  // namespace miniapp::linalg
