// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/multigrid.hpp"

#include <algorithm>

#include "space/of_ranks.hpp"

namespace miniapp::elasticity {

Vector<double> make_rigid_modes(const mesh::Mesh& mesh, const space::Space& space) {
  constexpr int modes = 6;
  const std::vector<mesh::Point> points = node_points(mesh, space);
  const mesh::Point mean = space::mean_of(points, space);
  std::vector<double> values(modes * space.num_entries(), 0);
  for (Index node = 0; node < space.num_nodes; ++node) {
    if (std::binary_search(space.masked.begin(), space.masked.end(), node)) continue;
    for (int c = 0; c < 3; ++c) {
      double* const own = values.data() + modes * space.entry(node, c);
      own[c] = 1;
      const int next = (c + 1) % 3, last = (c + 2) % 3;
      own[3 + next] = points[node][last] - mean[last];  // (e_y x r)_x = r_z
      own[3 + last] = mean[next] - points[node][next];  // (e_z x r)_x = -r_y
    }
  }
  return to_device<double>("elasticity/rigid modes", values);
}

solver::AmgOptions elastic_amg_options() {
  solver::AmgOptions options;
  options.block = 3;
  options.strength = 0;
  return options;
}

}  // namespace miniapp::elasticity
