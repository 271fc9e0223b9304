// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "miniapp/weakform/newton.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::weakform {

Vector<double> make_near_null(const mesh::Mesh& mesh, const space::Space& space, bool displaces) {
  const int components = space.components, dim = mesh::dimension(mesh.kind);
  if (components == 1) return {};
  const int rotations = displaces && components == dim ? dim * (dim - 1) / 2 : 0, modes = components + rotations;
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  const mesh::Point mean = space::mean_of(points, space);
  std::vector<double> values(space.num_entries() * modes, 0);
  for (Index node = 0; node < space.num_nodes; ++node) {
    if (std::binary_search(space.masked.begin(), space.masked.end(), node)) continue;
    const auto at = [&](int c, int mode) -> double& { return values[space.entry(node, c) * modes + mode]; };
    for (int c = 0; c < components; ++c) at(c, c) = 1;
    for (int m = 0; m < rotations; ++m) {  // in the plane of axes m and next: of two dimensions only the first
      const int next = (m + 1) % dim;
      at(m, components + m) = mean[next] - points[node][next];
      at(next, components + m) = points[node][m] - mean[m];
    }
  }
  return to_device<double>("weakform/near null", values);
}

template <class Real>
std::vector<Real> detail::places(const mesh::Mesh& mesh, const space::Space& space) {
  std::vector<Real> values;
  for (const mesh::Point& x : space::node_points(mesh, space))
    for (int c = 0; c < space.components; ++c) values.push_back(static_cast<Real>(x[c]));
  return values;
}
template std::vector<float> detail::places(const mesh::Mesh&, const space::Space&);
template std::vector<double> detail::places(const mesh::Mesh&, const space::Space&);

}  // namespace miniapp::weakform
