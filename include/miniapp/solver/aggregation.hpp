// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "miniapp/core/names.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"

/// Aggregates of strongly coupled nodes, the coarse unknowns of algebraic multigrid.
namespace miniapp::solver {

using miniapp::name;

/// How aggregates are found.
enum class Aggregation {
  mis2,    ///< around the nodes of a maximal independent set of distance 2, in parallel
  greedy,  ///< one after the other in the order of the nodes, on one thread of the host
};
constexpr auto names(Aggregation) { return std::array{"mis2", "greedy"}; }
constexpr auto descriptions(Aggregation) {
  return std::array{"around a maximal independent set of distance 2", "one after the other, on one thread"};
}

/// The nodes that a node is strongly coupled to, by rows; never itself.
struct Couplings {
  Vector<Index> offsets;  ///< (node + 1)
  Vector<Index> nodes;
  Index size() const { return static_cast<Index>(offsets.extent(0)) - 1; }
};

/// Checks that a matrix consists of blocks of `block` consecutive unknowns per node: all rows of a node have the same
/// columns, and these are all unknowns of some nodes. Blocks may hold zeros. Errors: a block below 1, a number of rows
/// that is not a multiple of it, the first row without whole blocks (InputError).
void require_blocks(const linalg::CsrMatrix<double>& matrix, int block);

/// The matrix with zeros beside its entries, so that it consists of blocks (require_blocks()); itself where it does.
/// Files often leave out zeros. Errors: InputError where rows are no whole number of nodes.
linalg::CsrMatrix<double> fill_blocks(const linalg::CsrMatrix<double>& matrix, int block);

/// The strong couplings of a matrix of `block` consecutive unknowns per node, as require_blocks() demands: |A_ij|_F >
/// strength sqrt(|A_ii|_F |A_jj|_F), |.|_F the Frobenius norm of a block. All couplings that are not zero where
/// strength is 0. On several ranks columns beyond the rows are those of `items`. Collective.
Couplings strong_couplings(const linalg::CsrMatrix<double>& matrix, int block, double strength,
                           const linalg::GhostItems& items = {});

struct Aggregates {
  Vector<Index> of_node;  ///< (node): 0 .. count - 1; -1 for a node without couplings, which is in none
  Index count = 0;
};

/// Every node with couplings is in one aggregate: around each root its neighbours; a node that is no neighbour of a
/// root joins the aggregate of a neighbour. Aggregates are numbered in the order of their roots. The same in every run,
/// for any number of threads. `couplings` must be symmetric. Sources: P. Vanek, J. Mandel, M. Brezina, Algebraic
/// multigrid by smoothed aggregation for second and fourth order elliptic problems, Computing 56 (1996) 179-196; N.
/// Bell, S. Dalton, L. Olson, Exposing fine-grained parallelism in algebraic multigrid methods, SIAM J. Sci. Comput. 34
/// (2012) C123-C152.
Aggregates aggregate(const Couplings& couplings, Aggregation how);

/// Aggregates of a rank's nodes, as aggregate() makes them, where some are coupled to nodes of other ranks, which have
/// numbers beyond: aggregates do not reach to these. A node that is coupled to them alone is an aggregate by itself.
/// Source: R. Tuminaro, C. Tong, Parallel smoothed aggregation multigrid: aggregation strategies on massively parallel
/// machines, SC 2000, "uncoupled".
Aggregates aggregate_own(const Couplings& couplings, Aggregation how);

}  // namespace miniapp::solver
