// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <vector>

#include "miniapp/basis/prism.hpp"
#include "miniapp/mesh/entities.hpp"
#include "space/cells.hpp"

namespace miniapp::space {
namespace {

constexpr mesh::Cell prism = mesh::cell(mesh::CellKind::prism);
constexpr int prism_edges = prism.num_edges, prism_faces = prism.num_faces;

/// Number of nodes inside the face of a slot.
std::int64_t inside_a_face(int slot, int p) {
  return prism.faces[slot].size == 3 ? (p - 1) * (p - 2) / 2 : (p - 1) * (p - 1);
}

/// The index of a node among the inner nodes of its entity, which is the same for every element.
class Place {
 public:
  Place(int order, const Index* element) : p_(order), v_(element) {}

  int on_edge(int edge, const basis::PrismNode& node) const {
    const int low = prism.edges[edge].vertices[0], high = prism.edges[edge].vertices[1];
    const int along = edge < 6 ? node.triangle[high % 3] : node.line;  // counted from the first end
    return (v_[low] < v_[high] ? along : p_ - along) - 1;
  }
  int on_triangle(int triangle, const basis::PrismNode& node) const {
    std::array<int, 3> corner{0, 1, 2};
    std::sort(corner.begin(), corner.end(), [&](int a, int b) { return v_[a + 3 * triangle] < v_[b + 3 * triangle]; });
    basis::TriangleLattice inner;
    for (int c = 0; c < 3; ++c) inner[c] = node.triangle[corner[c]] - 1;
    return basis::triangle_node(p_ - 3, inner);
  }
  int on_quadrilateral(int slot, const basis::PrismNode& node) const {
    const int(&corners)[4] = prism.faces[slot].vertices;  // two along the triangle's edge, then back above them
    const int lattice[4] = {corners[0], corners[1], corners[3], corners[2]};  // a + 2 b, a along the edge, b upwards
    const auto vertex = [&](int corner) { return v_[lattice[corner]]; };
    int lowest = 0;
    for (int c = 1; c < 4; ++c)
      if (vertex(c) < vertex(lowest)) lowest = c;
    const int a = node.triangle[lattice[1]], b = node.line;
    int along = lowest & 1 ? p_ - a : a, across = lowest & 2 ? p_ - b : b;
    if (vertex(lowest ^ 2) < vertex(lowest ^ 1)) std::swap(along, across);
    return (across - 1) * (p_ - 1) + along - 1;
  }

 private:
  int p_;
  const Index* v_;
};

/// Node numbers by entity: vertices, then inner nodes of edges, faces and elements.
class EntityNodes {
 public:
  EntityNodes(const mesh::Mesh& mesh, int order)
      : mesh_(mesh), p_(order), local_(basis::prism_nodes(order)), edge_base_(count(mesh.vertices.size())) {
    size_ = edge_base_;
    if (p_ > 1) {  // at order 1 edges and faces have no inner nodes
      const mesh::Entities all_edges = mesh::find_edges(mesh);
      edge_ = to_host(all_edges.of_cell);
      face_ = to_host(mesh::find_faces(mesh).of_cell);
      size_ += count(all_edges.size()) * (p_ - 1);
    }
    for (std::size_t use = 0; use < face_.extent(0); ++use)  // numbers follow the order of uses
      if (face_(use) == static_cast<Index>(face_base_.size())) {
        face_base_.push_back(size_);
        size_ += inside_a_face(static_cast<int>(use % prism_faces), p_);
      }
    inside_ = size_;
    size_ += count(mesh.num_elements()) * inside_an_element();
  }

  std::int64_t size() const { return size_; }

  /// Writes the node numbers (r) of an element.
  void number(std::size_t e, Index* nodes) const {
    const Index* const vertices = mesh_.element_to_vertex[e];
    const Place place(p_, vertices);
    std::int64_t inside = inside_ + static_cast<std::int64_t>(e) * inside_an_element();
    const auto find = [&](const basis::PrismNode& node) -> std::int64_t {
      const int i = node.index;
      if (node.entity == basis::Entity::vertex) return vertices[i];
      if (node.entity == basis::Entity::edge)
        return edge_base_ + std::int64_t(edge_(e * prism_edges + i)) * (p_ - 1) + place.on_edge(i, node);
      if (node.entity == basis::Entity::inside) return inside++;
      return face_base_[face_(e * prism_faces + i)] +
             (prism.faces[i].size == 3 ? place.on_triangle(i, node) : place.on_quadrilateral(i, node));
    };
    for (const basis::PrismNode& node : local_) *nodes++ = static_cast<Index>(find(node));
  }

 private:
  static std::int64_t count(std::size_t size) { return static_cast<std::int64_t>(size); }
  std::int64_t inside_an_element() const { return (p_ - 1) * inside_a_face(0, p_); }

  const mesh::Mesh& mesh_;
  int p_;
  std::vector<basis::PrismNode> local_;
  HostVector<Index> edge_, face_;  ///< (element, slot): number
  std::int64_t edge_base_;
  std::vector<std::int64_t> face_base_;  ///< (face): its first node
  std::int64_t inside_ = 0, size_ = 0;
};

/// Whether a node lies on a face of its cell, including the face's boundary.
bool lies_on(const basis::PrismNode& node, int face) {
  const mesh::Side& side = prism.faces[face];
  const auto has = [&](int vertex) {
    return std::find(side.vertices, side.vertices + side.size, vertex) < side.vertices + side.size;
  };
  if (node.entity == basis::Entity::vertex) return has(node.index);
  if (node.entity == basis::Entity::edge)
    return has(prism.edges[node.index].vertices[0]) && has(prism.edges[node.index].vertices[1]);
  return node.entity == basis::Entity::face && node.index == face;
}

/// Whether a node lies on a face that belongs to only one element, (node).
std::vector<char> find_surface(const mesh::Mesh& mesh, const Space& space) {
  const mesh::Entities entities = mesh::find_faces(mesh);
  const auto face = to_host(entities.of_cell), multiplicity = to_host(entities.multiplicity);
  const std::vector<basis::PrismNode> local = basis::prism_nodes(space.order);
  std::vector<char> on_surface(space.num_nodes, 0);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int f = 0; f < prism_faces; ++f) {
      if (multiplicity(face(e * prism_faces + f)) > 1) continue;
      for (std::size_t r = 0; r < local.size(); ++r)
        if (lies_on(local[r], f)) on_surface[space.element_to_node.host()[e][r]] = 1;
    }
  return on_surface;
}

}  // namespace

Space make_space_of_prisms(const mesh::Mesh& mesh, int order, Boundary boundary) {
  basis::require_prism_order(order);
  const EntityNodes by_entity(mesh, order);
  require_few_nodes(by_entity.size());
  Map nodes(mesh.num_elements(), basis::number_of_shape_functions(order));
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) by_entity.number(e, nodes[e]);
  Space space = make_unknowns(0);
  space.kind = mesh.kind;
  space.order = order;
  std::vector<Index> number(by_entity.size(), -1);  // unused vertices get none
  for (Index& node : nodes.entries) {
    if (number[node] < 0) number[node] = space.num_nodes++;
    node = number[node];
  }
  space.element_to_node = SharedMap(std::move(nodes));
  if (boundary == Boundary::dirichlet) hold(space, find_surface(mesh, space));
  return space;
}

}  // namespace miniapp::space
