// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>

#include "miniapp/basis/prism.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"
#include "miniapp/geometry/prism.hpp"
#include "miniapp/space/held.hpp"
#include "space/cells.hpp"
#include "space/join.hpp"
#include "space/of_ranks.hpp"
#include "space/parallel.hpp"

namespace miniapp::space {
namespace {

/// Calls visit(local node, x) for all nodes of a prism.
template <class Visit>
void visit_prism(const mesh::Mesh& mesh, std::size_t e, const std::vector<basis::PrismPoint>& local,
                 const Visit& visit) {
  double vertices[geometry::prism_numbers];
  for (int v = 0; v < 6; ++v)
    for (int d = 0; d < 3; ++d) vertices[3 * v + d] = mesh.vertices[mesh.element_to_vertex[e][v]][d];
  for (std::size_t r = 0; r < local.size(); ++r) {
    double x[3];
    geometry::prism_point(vertices, local[r][0], local[r][1], local[r][2], x);
    visit(r, {x[0], x[1], x[2]});
  }
}

Space make_space_of_kind(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface) {
  switch (mesh.kind) {
    case mesh::CellKind::hexahedron:
      return make_space_of_hexahedra(mesh, order, boundary, surface);
    case mesh::CellKind::prism:
      return make_space_of_prisms(mesh, order, boundary, surface);
    case mesh::CellKind::triangle:
    case mesh::CellKind::tetrahedron:
      return make_space_of_simplices(mesh, order, boundary, surface);
    default:
      throw InputError("a mesh of kind " + name(mesh.kind) +
                       ": accepted are hexahedra, prisms, triangles and tetrahedra");
  }
}

Space make_space_on(const std::shared_ptr<PartSurface>& surface, const mesh::Mesh& mesh, int order, int components,
                    Boundary boundary, Layout layout) {
  Space space = make_space_of_kind(mesh, order, boundary, *surface);
  space.components = components;
  space.layout = layout;
  if (mesh.part.ranks.is_alone()) return space;
  space.part_surface = surface;
  join(space, mesh);
  return space;
}

}  // namespace

void require_few_nodes(std::int64_t nodes) {
  require(nodes <= std::numeric_limits<Index>::max(), std::to_string(nodes) + " nodes; accepted are up to 2147483647");
}

std::int64_t count_nodes(std::int64_t vertices, std::int64_t edges, std::int64_t faces, std::int64_t elements,
                         int order) {
  const std::int64_t inner = order - 1;
  return vertices + inner * (edges + inner * (faces + inner * elements));
}

Space make_space(const mesh::Mesh& mesh, int order, int components, Boundary boundary, Layout layout) {
  require(components >= 1, std::to_string(components) + " components; accepted are 1 and more");
  mesh::require_vertices(mesh);
  return make_space_on(std::make_shared<PartSurface>(), mesh, order, components, boundary, layout);
}

Space make_space_of_order(int order, const Space& other, const mesh::Mesh& mesh, Boundary boundary) {
  const std::shared_ptr<PartSurface> surface =
      other.part_surface ? other.part_surface : std::make_shared<PartSurface>();
  return make_space_on(surface, mesh, order, other.components, boundary, other.layout);
}

std::array<std::vector<int>, 6> local_side_nodes(int order) {
  const int n = order + 1, stride[3] = {1, n, n * n};
  std::array<std::vector<int>, 6> nodes;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    for (int b = 0; b < n; ++b)
      for (int a = 0; a < n; ++a)
        nodes[side].push_back(side % 2 * order * stride[axis] + a * stride[first] + b * stride[second]);
  }
  return nodes;
}

namespace {

/// The local nodes of each face of a prism of this order, in any order; the last of six has none.
std::array<std::vector<int>, 6> nodes_of_prism_faces(int order) {
  const std::vector<basis::PrismNode> all = basis::prism_nodes(order);
  std::array<std::vector<int>, 6> nodes;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (all[i].line == 0) nodes[0].push_back(i);
    if (all[i].line == order) nodes[1].push_back(i);
    for (int edge = 0; edge < 3; ++edge)  // faces above 1 2, 2 0, 0 1
      if (all[i].triangle[edge] == 0) nodes[2 + edge].push_back(i);
  }
  return nodes;
}

std::array<std::vector<int>, 6> nodes_of_sides(const Space& space) {
  if (space.kind == mesh::CellKind::hexahedron) return local_side_nodes(space.order);
  if (space.kind == mesh::CellKind::prism) return nodes_of_prism_faces(space.order);
  std::array<std::vector<int>, 6> nodes;  // of order 1
  for (int side = 0; side < mesh::cell(space.kind).num_sides(); ++side) {
    const mesh::Side& vertices = mesh::cell(space.kind).side(side);
    nodes[static_cast<std::size_t>(side)].assign(vertices.vertices, vertices.vertices + vertices.size);
  }
  return nodes;
}

}  // namespace

std::vector<mesh::CellSide> surface_sides(const mesh::Mesh& mesh) {
  const mesh::Entities faces = mesh::dimension(mesh.kind) == 2 ? mesh::find_edges(mesh) : mesh::find_faces(mesh);
  const auto neighbours = to_host(mesh::find_neighbours(faces));
  std::vector<mesh::CellSide> sides, shared;
  if (!mesh.part.ranks.is_alone())
    for (const SharedFace& face : find_shared_faces(mesh, faces)) shared.push_back({face.cell, face.side});
  std::sort(shared.begin(), shared.end());
  for (std::size_t place = 0; place < neighbours.extent(0); ++place) {
    const auto slots = static_cast<std::size_t>(faces.slots);
    const mesh::CellSide own{static_cast<Index>(place / slots), static_cast<int>(place % slots)};
    if (neighbours(place) < 0 && !std::binary_search(shared.begin(), shared.end(), own)) sides.push_back(own);
  }
  return sides;
}

std::vector<Index> nodes_on_sides(const Space& space, const std::vector<mesh::CellSide>& sides) {
  const std::array<std::vector<int>, 6> local = nodes_of_sides(space);
  const SharedMap& map = space.element_to_node;
  std::vector<std::int64_t> places;
  for (const mesh::CellSide& side : sides)
    for (const int i : local[static_cast<std::size_t>(side.side)])
      places.push_back(std::int64_t(side.cell) * map.arity() + i);
  const Vector<const std::int64_t> from = read_on_device("space/places", places);
  const Vector<const Index> entries = map.device();
  const Vector<Index> nodes = make_vector<Index>("space/nodes of sides", places.size());
  Kokkos::parallel_for(
      "space/nodes of sides", Range(0, places.size()),
      KOKKOS_LAMBDA(const std::int64_t i) { nodes(i) = entries(from(i)); });
  return to_vector(nodes);
}

std::vector<Index> side_nodes(const Space& space, const std::vector<mesh::CellSide>& sides) {
  std::vector<Index> nodes = nodes_on_sides(space, sides);
  for (Index& node : nodes)
    if (node < 0) node = ~node;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

namespace {

/// Constrains these nodes, ascending, in addition to those that are.
void hold_nodes(Space& space, const std::vector<Index>& nodes) {
  std::vector<Index> all;
  std::set_union(space.masked.begin(), space.masked.end(), nodes.begin(), nodes.end(), std::back_inserter(all));
  if (all.size() == space.masked.size()) return;
  const Vector<char> is_masked = make_zeros<char>("space/masked", static_cast<std::size_t>(space.num_nodes));
  const Vector<const Index> masked = read_on_device("space/masked nodes", all);
  Kokkos::parallel_for(
      "space/mark", Range(0, masked.extent(0)), KOKKOS_LAMBDA(const std::int64_t i) { is_masked(masked(i)) = 1; });
  const SharedMap& map = space.element_to_node;
  space.element_to_node = SharedMap(map.size(), map.arity(), [&](const Vector<Index>& entries) {
    const Vector<const Index> from = map.device();
    Kokkos::parallel_for(
        "space/hold", Range(0, from.extent(0)), KOKKOS_LAMBDA(const std::int64_t i) {
          const Index node = from(i);
          entries(i) = node >= 0 && is_masked(node) ? ~node : node;
        });
    Kokkos::fence();
  });
  space.masked = std::move(all);
}

}  // namespace

void hold(Space& space, const std::vector<char>& held) {
  require(held.size() == std::size_t(space.num_nodes), "held", std::to_string(held.size()),
          "flags; accepted is one for each of the " + std::to_string(space.num_nodes) + " nodes");
  std::vector<Index> nodes;
  for (Index node = 0; node < space.num_nodes; ++node)
    if (held[node]) nodes.push_back(node);
  hold_nodes(space, nodes);
}

std::vector<char> held_components(const Space& space, const std::vector<mesh::CellSide>& sides,
                                  const std::vector<int>& components) {
  for (const int c : components)
    require(c >= 0 && c < space.components, "components", c,
            "accepted are 0 to " + std::to_string(space.components - 1));
  std::vector<char> held(space.num_entries(), 0);
  for (const Index node : side_nodes(space, sides))
    for (const int c : components) held[space.entry(node, c)] = 1;
  return of_any_rank(space, std::move(held));
}

std::vector<char> held_nodes(const Space& space, const std::vector<char>& held) {
  require(held.size() == space.num_entries(), "held", std::to_string(held.size()),
          "flags; accepted is one for each of the " + std::to_string(space.num_entries()) + " entries");
  std::vector<char> nodes;
  for (Index node = 0; node < space.num_nodes; ++node) {
    char all = 1;
    for (int c = 0; c < space.components; ++c) all = all && held[space.entry(node, c)];
    nodes.push_back(all);
  }
  return nodes;
}

void hold_sides(Space& space, const std::vector<mesh::CellSide>& sides) {
  if (space.exchange.empty()) return hold_nodes(space, side_nodes(space, sides));
  if (space.exchange.ranks().of_all(Reduction::max, std::int64_t(!sides.empty())) == 0) return;
  std::vector<int> all(static_cast<std::size_t>(space.components));
  std::iota(all.begin(), all.end(), 0);
  hold(space, held_nodes(space, held_components(space, sides, all)));
}

namespace {

/// Nodes that this rank owns, of all and of the constrained ones, summed over ranks.
std::array<std::int64_t, 2> count_owned(const Space& space) {
  std::array<std::int64_t, 2> count{space.num_nodes, static_cast<std::int64_t>(space.masked.size())};
  if (space.exchange.empty()) return count;
  count[0] = space.num_owned();
  std::vector<Index> entries, of_others;  // of constrained nodes, ascending like those that others own
  for (const Index node : space.masked) entries.push_back(static_cast<Index>(space.entry(node, 0)));
  const std::vector<Index>& others = space.exchange.not_owned_on_host();
  std::set_intersection(entries.begin(), entries.end(), others.begin(), others.end(), std::back_inserter(of_others));
  count[1] -= static_cast<std::int64_t>(of_others.size());
  space.exchange.ranks().reduce(Reduction::sum, count.data(), 2);
  return count;
}

}  // namespace

std::int64_t Space::num_owned() const {
  return num_nodes - static_cast<std::int64_t>(exchange.not_owned().extent(0)) / components;
}

std::int64_t Space::num_dofs() const {
  const auto [nodes, of_masked] = count_owned(*this);
  return components * (nodes - of_masked);
}

std::int64_t Space::num_masked() const { return count_owned(*this)[1]; }

Space make_unknowns(Index num_nodes, int components, Layout layout) {
  Space space;
  space.num_nodes = num_nodes;
  space.components = components;
  space.layout = layout;
  return space;
}

namespace {

/// The points of simplices, whose nodes are their vertices.
std::vector<mesh::Point> vertex_points(const mesh::Mesh& mesh, const Space& space) {
  const Vector<const Index> nodes = space.element_to_node.device(),
                            vertices = read_on_device("space/vertices", mesh.element_to_vertex.entries);
  const Vector<Index> vertex = make_vector<Index>("space/vertex of node", space.num_nodes);
  fill(vertex, -1);
  Kokkos::parallel_for(
      "space/vertex of node", Range(0, nodes.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i) { vertex(nodes(i) < 0 ? ~nodes(i) : nodes(i)) = vertices(i); });
  const auto host = to_host(vertex);
  std::vector<mesh::Point> points(space.num_nodes);
  for_host(points.size(), [&](std::size_t node) {
    if (host(node) >= 0) points[node] = mesh.vertices[host(node)];
  });
  return points;
}

}  // namespace

SharedMap without_masks(const SharedMap& map) {
  return SharedMap(map.size(), map.arity(), [&](const Vector<Index>& entries) {
    const Vector<const Index> from = map.device();
    Kokkos::parallel_for(
        "space/without masks", Range(0, from.extent(0)),
        KOKKOS_LAMBDA(const std::int64_t i) { entries(i) = from(i) < 0 ? ~from(i) : from(i); });
  });
}

std::vector<mesh::Point> node_points(const mesh::Mesh& mesh, const Space& space) {
  if (space.kind == mesh::CellKind::triangle || space.kind == mesh::CellKind::tetrahedron)
    return vertex_points(mesh, space);
  std::vector<mesh::Point> points(space.num_nodes);
  const bool prisms = space.kind == mesh::CellKind::prism;
  const std::vector<basis::PrismPoint> local =
      prisms ? basis::prism_node_points(space.order) : std::vector<basis::PrismPoint>{};
  const geometry::TensorPoints nodes_of_lines(mesh, basis::gauss_lobatto(space.order + 1).points);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Index* const nodes = space.element_to_node.host()[e];
    const auto set = [&](std::size_t r, const mesh::Point& x) { points[nodes[r] < 0 ? ~nodes[r] : nodes[r]] = x; };
    if (prisms)
      visit_prism(mesh, e, local, set);
    else
      nodes_of_lines.visit(e, set);
  }
  return points;
}

void require_matching_nodes(const mesh::Mesh& mesh) {
  if (mesh.curved.empty()) return;
  const Space space = make_space(mesh, mesh.curved.order, 1, Boundary::neumann);
  const std::size_t local = mesh.curved.per_element();
  std::vector<const mesh::Point*> met(static_cast<std::size_t>(space.num_nodes), nullptr);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Point* const nodes = &mesh.curved.nodes[e * local];
    double size = 0;
    for (int d = 0; d < 3; ++d) size += std::abs(nodes[local - 1][d] - nodes[0][d]);
    for (std::size_t i = 0; i < local; ++i) {
      const mesh::Point*& other = met[static_cast<std::size_t>(space.element_to_node.host()[e][i])];
      if (!other) other = nodes + i;
      for (int d = 0; d < 3; ++d)
        if (!(std::abs(nodes[i][d] - (*other)[d]) <= 1e-6 * size))
          throw InputError(
              "element " + std::to_string(mesh.number(e) + 1) +
              " has a node elsewhere than its neighbour; accepted are curved elements that share the nodes "
              "of their sides");
    }
  }
}

}  // namespace miniapp::space
