// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/frontend/options.hpp"
#include "miniapp/linalg/distributed_matrix.hpp"
#include "miniapp/linalg/matrix_market.hpp"

namespace miniapp::apps {

/// Words of --near-null that are no files.
inline const std::vector<std::string> near_null_words{"constant", "rigid"};

/// What `miniapp solver` tells algebraic multigrid of a matrix.
struct NearNullChoice {
  std::string name = "constant";                      ///< constant, rigid or a file of Matrix Market
  int block = 1;                                      ///< rows per node
  std::string coordinates;                            ///< the file of nodes, with rigid
  std::shared_ptr<const linalg::DenseArray> numbers;  ///< what the file of modes, or of coordinates, has

  bool is_rigid() const { return name == "rigid"; }
  /// Ones, which multigrid takes by itself.
  bool is_usual() const { return name == "constant" && block == 1; }
  int modes() const;
};

void add_near_null_options(const Options::Group& group, NearNullChoice& variables);

/// Completes a choice: reads its file. Errors: InputError naming the option.
void read_near_null(NearNullChoice& choice, const Options& options);

/// Errors: InputError naming --block where rows are no whole number of nodes.
void require_nodes(Index rows, int block);

/// The modes (own row, mode), zero in rows that are coupled to no other; empty where they are ones. Collective. Errors:
/// InputError naming the option where they do not fit the matrix, or are not independent.
Vector<double> make_near_null(const NearNullChoice& choice, const linalg::DistributedMatrix& matrix);

}  // namespace miniapp::apps
