// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/multigrid.hpp"

#include "miniapp/solver/near_null.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::elasticity {

Vector<double> make_rigid_modes(const mesh::Mesh& mesh, const space::Space& space) {
  const std::vector<mesh::Point> points = node_points(mesh, space);
  return solver::make_near_null(space, points, space::mean_of(points, space), true);
}

solver::AmgOptions elastic_amg_options() {
  solver::AmgOptions options;
  options.block = 3;
  options.strength = 0;
  return options;
}

}  // namespace miniapp::elasticity
