// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/near_null.hpp"

#include "miniapp/weakform/newton.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::weakform {

Vector<double> make_near_null(const mesh::Mesh& mesh, const space::Space& space, bool displaces) {
  if (space.components == 1) return {};
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  return solver::make_near_null(space, points, space::mean_of(points, space),
                                displaces && space.components == mesh::dimension(mesh.kind));
}

}  // namespace miniapp::weakform
