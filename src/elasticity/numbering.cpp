// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/numbering.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {
namespace {

using mesh::Index;

/// Edges, triangles and quadrilaterals of a prism, in the order of basis::Entity; quadrilaterals are a + 2 b with a
/// along the triangle's edge and b along the line.
constexpr int edges = 9, faces = 5, slots = edges + faces;
constexpr int edge_vertices[edges][2] = {{1, 2}, {2, 0}, {0, 1}, {4, 5}, {5, 3}, {3, 4}, {0, 3}, {1, 4}, {2, 5}};
constexpr int triangle_vertices[2][3] = {{0, 1, 2}, {3, 4, 5}};
constexpr int quadrilateral_vertices[3][4] = {{1, 2, 4, 5}, {2, 0, 5, 3}, {0, 1, 3, 4}};

void require_prisms(const mesh::Mesh& mesh) {
  require(mesh.kind == mesh::CellKind::prism, "a mesh of kind " + name(mesh.kind) + ": accepted are prisms");
}

/// An entity as an element sees it.
struct Use {
  std::array<Index, 4> vertices;  ///< ascending; -1 in front where there are fewer
  std::size_t position;           ///< element * slots + slot
};

template <int corners>
Use make_use(const Index* element, const int (&vertices)[corners], std::size_t position) {
  Use use{{-1, -1, -1, -1}, position};
  for (int c = 0; c < corners; ++c) use.vertices[c] = element[vertices[c]];
  std::sort(use.vertices.begin(), use.vertices.end());
  return use;
}

/// All entities but vertices and insides, those of one set of vertices together.
std::vector<Use> sorted_uses(const mesh::Mesh& mesh) {
  std::vector<Use> uses;
  uses.reserve(mesh.num_elements() * slots);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Index* const v = mesh.element_to_vertex[e];
    for (const auto& edge : edge_vertices) uses.push_back(make_use(v, edge, uses.size()));
    for (const auto& triangle : triangle_vertices) uses.push_back(make_use(v, triangle, uses.size()));
    for (const auto& quadrilateral : quadrilateral_vertices) uses.push_back(make_use(v, quadrilateral, uses.size()));
  }
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.vertices < b.vertices; });
  return uses;
}

/// Nodes inside an entity of a slot.
std::int64_t inner_nodes(int slot, int p) {
  if (slot < edges) return p - 1;
  return slot < edges + 2 ? (p - 1) * (p - 2) / 2 : (p - 1) * (p - 1);
}

/// The place of a node among those inside its entity, which is the same from every element.
class Place {
 public:
  Place(int order, const Index* element) : p_(order), v_(element) {}

  int on_edge(int edge, const basis::PrismNode& node) const {
    const int low = edge_vertices[edge][0], high = edge_vertices[edge][1];
    const int along = edge < 6 ? node.triangle[high % 3] : node.line;  // from the first end
    return (v_[low] < v_[high] ? along : p_ - along) - 1;
  }
  int on_triangle(int triangle, const basis::PrismNode& node) const {
    std::array<int, 3> corner{0, 1, 2};
    std::sort(corner.begin(), corner.end(), [&](int a, int b) { return v_[a + 3 * triangle] < v_[b + 3 * triangle]; });
    basis::TriangleLattice inner;
    for (int c = 0; c < 3; ++c) inner[c] = node.triangle[corner[c]] - 1;
    return basis::triangle_node(p_ - 3, inner);
  }
  int on_quadrilateral(int side, const basis::PrismNode& node) const {
    const int(&corners)[4] = quadrilateral_vertices[side];
    const auto vertex = [&](int corner) { return v_[corners[corner]]; };
    int lowest = 0;
    for (int c = 1; c < 4; ++c)
      if (vertex(c) < vertex(lowest)) lowest = c;
    const int a = node.triangle[corners[1]], b = node.line;
    int along = lowest & 1 ? p_ - a : a, across = lowest & 2 ? p_ - b : b;
    if (vertex(lowest ^ 2) < vertex(lowest ^ 1)) std::swap(along, across);
    return (across - 1) * (p_ - 1) + along - 1;
  }

 private:
  int p_;
  const Index* v_;
};

/// Node numbers by entity: vertices, then what is inside of edges and faces, then of elements.
class EntityNodes {
 public:
  EntityNodes(const mesh::Mesh& mesh, int order)
      : mesh_(mesh), p_(order), local_(basis::prism_nodes(order)), first_(mesh.num_elements() * slots) {
    const std::vector<Use> uses = sorted_uses(mesh);
    size_ = static_cast<std::int64_t>(mesh.vertices.size());
    for (std::size_t u = 0; u < uses.size(); ++u) {
      const bool known = u > 0 && uses[u].vertices == uses[u - 1].vertices;
      first_[uses[u].position] = known ? first_[uses[u - 1].position] : size_;
      if (!known) size_ += inner_nodes(static_cast<int>(uses[u].position % slots), p_);
    }
    inside_ = size_;
    size_ += static_cast<std::int64_t>(mesh.num_elements()) * inside_an_element();
  }

  std::int64_t size() const { return size_; }

  /// Fills nodes (r) of an element.
  void number(std::size_t e, Index* nodes) const {
    const Index* const vertices = mesh_.element_to_vertex[e];
    const std::int64_t* const first = first_.data() + e * slots;
    const Place place(p_, vertices);
    std::int64_t inside = inside_ + static_cast<std::int64_t>(e) * inside_an_element();
    const auto find = [&](const basis::PrismNode& node) -> std::int64_t {
      const int i = node.index;
      if (node.entity == basis::Entity::vertex) return vertices[i];
      if (node.entity == basis::Entity::edge) return first[i] + place.on_edge(i, node);
      if (node.entity == basis::Entity::inside) return inside++;
      return first[edges + i] + (i < 2 ? place.on_triangle(i, node) : place.on_quadrilateral(i - 2, node));
    };
    for (const basis::PrismNode& node : local_) *nodes++ = static_cast<Index>(find(node));
  }

 private:
  std::int64_t inside_an_element() const { return (p_ - 1) * inner_nodes(edges, p_); }

  const mesh::Mesh& mesh_;
  int p_;
  std::vector<basis::PrismNode> local_;
  std::vector<std::int64_t> first_;  ///< (element, slot): the entity's first node
  std::int64_t inside_ = 0, size_ = 0;
};

}  // namespace

Numbering make_numbering(const mesh::Mesh& mesh, int order) {
  require_prisms(mesh);
  const EntityNodes by_entity(mesh, order);
  require(by_entity.size() <= std::numeric_limits<Index>::max(), "prisms of order " + std::to_string(order) + ": " +
                                                                     std::to_string(by_entity.size()) +
                                                                     " nodes; at most 2147483647 can be numbered");
  Numbering numbering{order, {mesh.num_elements(), basis::number_of_shape_functions(order)}, 0, 0};
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) by_entity.number(e, numbering.element_to_node[e]);
  std::vector<Index> number(by_entity.size(), -1);  // vertices of no element get none
  for (Index& node : numbering.element_to_node.entries) {
    if (number[node] < 0) number[node] = numbering.num_nodes++;
    node = number[node];
  }
  return numbering;
}

std::vector<mesh::Point> node_points(const mesh::Mesh& mesh, const Numbering& numbering) {
  const std::vector<basis::PrismPoint> local = basis::prism_node_points(numbering.order);
  std::vector<mesh::Point> points(numbering.num_nodes);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    double vertices[geometry::prism_numbers];
    for (int v = 0; v < 6; ++v)
      for (int d = 0; d < 3; ++d) vertices[3 * v + d] = mesh.vertices[mesh.element_to_vertex[e][v]][d];
    for (std::size_t r = 0; r < local.size(); ++r) {
      const Index node = numbering.element_to_node[e][r];
      double x[3];
      geometry::prism_point(vertices, local[r][0], local[r][1], local[r][2], x);
      points[node < 0 ? ~node : node] = {x[0], x[1], x[2]};
    }
  }
  return points;
}

void mask(Numbering& numbering, const std::vector<char>& held) {
  std::vector<char> masked(numbering.num_nodes, 0);
  for (Index& node : numbering.element_to_node.entries) {
    if (node >= 0 && held[node]) node = ~node;
    if (node < 0) masked[~node] = 1;
  }
  numbering.num_masked = static_cast<Index>(std::count(masked.begin(), masked.end(), 1));
}

Prisms make_prisms(const mesh::Mesh& mesh, double young, double poisson) {
  require_prisms(mesh);
  const Lame material = make_lame(young, poisson);
  Prisms prisms;
  prisms.vertices.reserve(mesh.num_elements() * geometry::prism_numbers);
  for (const Index v : mesh.element_to_vertex.entries)
    prisms.vertices.insert(prisms.vertices.end(), mesh.vertices[v].begin(), mesh.vertices[v].end());
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    prisms.materials.insert(prisms.materials.end(), {material.lambda, material.mu});
  geometry::require_positive(prisms.vertices);
  return prisms;
}

}  // namespace miniapp::elasticity
