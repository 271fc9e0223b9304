// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/numbering.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

/// Node numbers by entity: vertices, then inner nodes of edges, of faces, of elements.
class EntityNodes {
 public:
  EntityNodes(const Mesh& mesh, int order, const Entities& edges, const Entities& faces)
      : mesh_(mesh), edges_(edges), faces_(faces), p_(order), n_(order + 1), inner_(order - 1) {
    edge_base_ = static_cast<Index>(mesh.vertices.size());
    face_base_ = edge_base_ + static_cast<Index>(edges.size()) * inner_;
    element_base_ = face_base_ + static_cast<Index>(faces.size()) * inner_ * inner_;
  }

  /// Fills nodes[i + n j + n^2 k] of one element.
  void number(std::size_t e, Index* nodes) const {
    const Index* vertex = mesh_.element_to_vertex[e];
    for (int v = 0; v < 8; ++v) nodes[corner(v)] = vertex[v];
    for (int s = 0; s < 12; ++s) number_edge(vertex, edges_.of_element[e][s], edge_vertices[s], nodes);
    for (int s = 0; s < 6; ++s) number_face(vertex, faces_.of_element[e][s], face_vertices[s], nodes);
    Index inner = element_base_ + static_cast<Index>(e) * inner_ * inner_ * inner_;
    for (int k = 1; k < p_; ++k)
      for (int j = 1; j < p_; ++j)
        for (int i = 1; i < p_; ++i) nodes[(k * n_ + j) * n_ + i] = inner++;
  }

  /// Calls visit(node) for the nodes inside and on the border of a face of an element.
  template <class Visit>
  void for_face_nodes(int slot, const Index* nodes, Visit visit) const {
    const int* f = face_vertices[slot];
    const int origin = corner(f[0]), da = (corner(f[1]) - origin) / p_, db = (corner(f[2]) - origin) / p_;
    for (int b = 0; b <= p_; ++b)
      for (int a = 0; a <= p_; ++a) visit(nodes[origin + a * da + b * db]);
  }

 private:
  /// Local number of the node at local vertex v.
  int corner(int v) const { return ((v >> 2) * n_ + (v >> 1 & 1)) * p_ * n_ + (v & 1) * p_; }

  /// Inner nodes of an edge run from its lower global vertex to its higher one.
  void number_edge(const Index* vertex, Index edge, const int (&ends)[2], Index* nodes) const {
    const bool along = vertex[ends[0]] < vertex[ends[1]];
    const int step = (corner(ends[1]) - corner(ends[0])) / p_;
    for (int a = 1; a < p_; ++a)
      nodes[corner(ends[0]) + a * step] = edge_base_ + edge * inner_ + (along ? a - 1 : p_ - 1 - a);
  }

  /// Inner nodes of a face run, as seen from its lowest global vertex, first towards the lower of that one's
  /// neighbours.
  void number_face(const Index* vertex, Index face, const int (&f)[4], Index* nodes) const {
    int lowest = 0;
    for (int c = 1; c < 4; ++c)
      if (vertex[f[c]] < vertex[f[lowest]]) lowest = c;
    int first = lowest ^ 1, second = lowest ^ 2;  // the corners that share a side with the lowest one
    if (vertex[f[second]] < vertex[f[first]]) std::swap(first, second);
    const int origin = corner(f[lowest]);
    const int da = (corner(f[first]) - origin) / p_, db = (corner(f[second]) - origin) / p_;
    Index number = face_base_ + face * inner_ * inner_;
    for (int b = 1; b < p_; ++b)
      for (int a = 1; a < p_; ++a) nodes[origin + a * da + b * db] = number++;
  }

  const Mesh& mesh_;
  const Entities& edges_;
  const Entities& faces_;
  int p_, n_;
  Index inner_;  ///< nodes inside an edge
  Index edge_base_, face_base_, element_base_;
};

/// next[e]: the element beyond e's face r=+1 whose face r=-1 lies on it vertex for vertex; -1 where there is none.
std::vector<Index> find_successors(const Mesh& mesh, const Entities& faces) {
  const std::size_t size = mesh.num_elements();
  std::vector<Index> left_of(faces.size(), -1);  // the element whose face r=-1 this is
  for (std::size_t e = 0; e < size; ++e) left_of[faces.of_element[e][0]] = static_cast<Index>(e);
  std::vector<Index> next(size, -1);
  for (std::size_t e = 0; e < size; ++e) {
    const Index candidate = left_of[faces.of_element[e][1]];
    if (candidate < 0 || candidate == static_cast<Index>(e)) continue;
    bool aligned = true;
    for (int c = 0; c < 4; ++c)
      aligned = aligned && mesh.element_to_vertex[e][face_vertices[1][c]] ==
                               mesh.element_to_vertex[candidate][face_vertices[0][c]];
    if (aligned) next[e] = candidate;
  }
  return next;
}

/// new_number[node]: nodes in the order of lines of aligned elements.
std::vector<Index> number_lines(const Mesh& mesh, const Entities& faces, const Map& element_to_node, Index num_nodes,
                                int n) {
  const std::size_t size = mesh.num_elements();
  const std::vector<Index> next = find_successors(mesh, faces);
  std::vector<Index> previous(size, -1);
  for (std::size_t e = 0; e < size; ++e)
    if (next[e] >= 0) previous[next[e]] = static_cast<Index>(e);

  std::vector<Index> number(num_nodes, -1);
  std::vector<char> done(size, 0);
  std::vector<Index> chain;
  Index count = 0;
  for (std::size_t seed = 0; seed < size; ++seed) {
    if (done[seed]) continue;
    Index start = static_cast<Index>(seed);
    while (previous[start] >= 0 && previous[start] != static_cast<Index>(seed)) start = previous[start];
    chain.clear();
    for (Index e = start; e >= 0 && !done[e]; e = next[e]) {
      done[e] = 1;
      chain.push_back(e);
    }
    for (int row = 0; row < n * n; ++row)
      for (const Index e : chain)
        for (int i = 0; i < n; ++i)
          if (Index& node = number[element_to_node[e][row * n + i]]; node < 0) node = count++;
  }
  // vertices of no element come last
  for (Index& node : number)
    if (node < 0) node = count++;
  return number;
}

}  // namespace

std::int64_t count_nodes(std::int64_t vertices, std::int64_t edges, std::int64_t faces, std::int64_t elements,
                         int order) {
  const std::int64_t inner = order - 1;
  return vertices + inner * (edges + inner * (faces + inner * elements));
}

Numbering make_numbering(const Mesh& mesh, int order, Boundary boundary) {
  const Entities edges = find_edges(mesh), faces = find_faces(mesh);
  const std::int64_t total =
      count_nodes(static_cast<std::int64_t>(mesh.vertices.size()), static_cast<std::int64_t>(edges.size()),
                  static_cast<std::int64_t>(faces.size()), static_cast<std::int64_t>(mesh.num_elements()), order);
  require(total <= std::numeric_limits<Index>::max(),
          "--elements, --order: " + std::to_string(total) + " nodes; accepted are up to 2147483647");

  const int n = order + 1;
  Numbering numbering;
  numbering.order = order;
  numbering.num_nodes = static_cast<Index>(total);
  numbering.element_to_node = Map(mesh.num_elements(), n * n * n);
  const EntityNodes by_entity(mesh, order, edges, faces);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) by_entity.number(e, numbering.element_to_node[e]);

  const std::vector<Index> number = number_lines(mesh, faces, numbering.element_to_node, numbering.num_nodes, n);
  for (Index& node : numbering.element_to_node.entries) node = number[node];
  if (boundary == Boundary::neumann) return numbering;

  std::vector<char> on_surface(numbering.num_nodes, 0);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int slot = 0; slot < 6; ++slot)
      if (faces.multiplicity[faces.of_element[e][slot]] == 1)
        by_entity.for_face_nodes(slot, numbering.element_to_node[e], [&](Index node) { on_surface[node] = 1; });
  for (Index node = 0; node < numbering.num_nodes; ++node)
    if (on_surface[node]) numbering.masked.push_back(node);
  for (Index& node : numbering.element_to_node.entries)
    if (on_surface[node]) node = ~node;
  return numbering;
}

}  // namespace miniapp::mesh
