// SPDX-License-Identifier: BSD-3-Clause
#include "apps/solver/matrix.hpp"

#include <fmt/format.h>

#include "apps/frontend/checks.hpp"
#include "apps/solver/near_null.hpp"
#include "core/agree.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/linalg/matrix_market.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/multigrid/low_order.hpp"

namespace miniapp::apps {
namespace {

System make_low_order_system(const MatrixChoice& choice) {
  mesh::Mesh mesh = mesh::make_box(choice.side, choice.side, choice.side);
  mesh::deform(mesh, 0.08);
  const tensor::Discretisation problem(std::move(mesh), tensor::Problem::bp3_0, choice.order,
                                       space::Boundary::dirichlet, 1);
  return {linalg::make_undivided(multigrid::make_low_order_matrix(problem)), problem.space.masked};
}

/// All ranks throw what rank 0 says of the file.
System read_system(const std::string& file, const Communicator& ranks, int block) {
  linalg::CsrMatrix<double> matrix;
  agree(ranks, [&] {
    if (ranks.rank() > 0) return;
    of_option("--matrix", [&] {
      const std::string called = printable(file, 200);
      matrix = linalg::read_matrix_market(file);
      require_solvable(matrix, called, ranks.size());
    });
  });
  agree(ranks, [&] {
    if (ranks.rank() == 0) require_nodes(matrix.num_rows, block);
  });
  return {linalg::distribute(matrix, ranks, block), {}};
}

}  // namespace

void require_solvable(const linalg::CsrMatrix<double>& matrix, const std::string& called, int ranks) {
  linalg::require_spd_candidate(matrix, called);
  require(matrix.num_rows >= ranks, called, "",
          fmt::format("{} ranks for {} rows; accepted are no more ranks than rows", ranks, matrix.num_rows));
}

System make_system(const MatrixChoice& choice, const Communicator& ranks, int block) {
  if (choice.kind == MatrixKind::lor) return make_low_order_system(choice);
  if (choice.kind == MatrixKind::file) return read_system(choice.file, ranks, block);
  return {linalg::make_poisson(choice.kind == MatrixKind::poisson2d ? 2 : 3, choice.side, ranks), {}};
}

}  // namespace miniapp::apps
