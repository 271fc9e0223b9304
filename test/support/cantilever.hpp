// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/elasticity/assembly.hpp"
#include "miniapp/elasticity/cantilever.hpp"
#include "support/vectors.hpp"

namespace miniapp::test {

/// CG's result for a cantilever.
struct BentBeam {
  std::int64_t nodes = 0, dofs = 0;
  solver::CgResult cg;
  std::vector<double> u;      ///< (node, component) [m]
  double tip_deflection = 0;  ///< [m]
};

/// Solves for the deflection, starting from the mesh, in double precision.
inline BentBeam solve_cantilever(const elasticity::Cantilever& beam, const elasticity::AssemblyOptions& assembly,
                                 elasticity::ElasticPreconditioner preconditioner, const solver::CgOptions& options) {
  const mesh::Mesh mesh = make_mesh(beam);
  const space::Space space = make_space(beam, mesh);
  const linalg::BlockMatrix<double> matrix = elasticity::assemble<double>(
      Instance(), elasticity::make_prisms(mesh, beam.young, beam.poisson), space, assembly);
  const Vector<double> load = to_device<double>(make_load(beam, mesh, space)),
                       u = make_vector<double>("u", load.extent(0));
  BentBeam result{space.num_nodes, space.num_dofs(), {}, {}, 0};
  result.cg = elasticity::solve<double>(
      Instance(), matrix, *elasticity::make_preconditioner(preconditioner, mesh, matrix), load, u, options);
  result.u = to_std(u);
  result.tip_deflection = tip_deflection(beam, mesh, space, result.u);
  return result;
}

}  // namespace miniapp::test
