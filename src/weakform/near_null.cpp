// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/near_null.hpp"

#include "miniapp/weakform/newton.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::weakform {

Vector<double> make_near_null(const mesh::Mesh& mesh, const space::Space& space, bool displaces,
                              const std::vector<char>& held) {
  if (space.components == 1) return {};
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  const Vector<double> modes = solver::make_near_null(space, points, space::mean_of(points, space),
                                                      displaces && space.components == mesh::dimension(mesh.kind));
  if (held.empty()) return modes;
  const auto host = to_host(modes);
  std::vector<double> values(host.data(), host.data() + host.extent(0));
  const std::size_t each = values.size() / held.size();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (held[i / each]) values[i] = 0;
  return to_device<double>("weakform/near null", values);
}

}  // namespace miniapp::weakform
