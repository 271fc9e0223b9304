// SPDX-License-Identifier: BSD-3-Clause
#include "solver_matrix.hpp"

#include "core/printable.hpp"
#include "miniapp/linalg/matrix_market.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/tensor/low_order.hpp"

namespace miniapp::apps {
namespace {

System without_mesh(linalg::CsrMatrix<double> matrix) {
  const Index rows = matrix.num_rows;
  return {std::move(matrix), space::make_unknowns(rows)};
}

System make_low_order_system(const MatrixChoice& choice) {
  mesh::Mesh mesh = mesh::make_box(choice.side, choice.side, choice.side);
  mesh::deform(mesh, 0.08);
  const tensor::Discretisation problem(std::move(mesh), tensor::Problem::bp3_0, choice.order,
                                       space::Boundary::dirichlet, 1);
  return {tensor::make_low_order_matrix(problem), problem.space};
}

}  // namespace

System make_system(const MatrixChoice& choice) {
  if (choice.kind == MatrixKind::lor) return make_low_order_system(choice);
  if (choice.kind != MatrixKind::file)
    return without_mesh(linalg::make_poisson(choice.kind == MatrixKind::poisson2d ? 2 : 3, choice.side));
  System system = without_mesh(linalg::read_matrix_market(choice.file));
  linalg::require_spd_candidate(system.matrix, "--matrix " + printable(choice.file, 200));
  return system;
}

}  // namespace miniapp::apps
