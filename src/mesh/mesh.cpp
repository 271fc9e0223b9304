// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/mesh.hpp"

#include <algorithm>
#include <bit>

namespace miniapp::mesh {
namespace {

/// Numbers the distinct vertex sets of corners[slot] over all elements, in order of first use.
template <int slots, int corners>
Entities find_entities(const Mesh& mesh, const int (&vertices)[slots][corners]) {
  using Key = std::array<Index, corners>;
  struct Use {
    Key key;
    std::size_t position;
  };
  std::vector<Use> uses(mesh.num_elements() * slots);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    for (int s = 0; s < slots; ++s) {
      Use& use = uses[e * slots + s];
      use.position = e * slots + s;
      for (int c = 0; c < corners; ++c) use.key[c] = mesh.element_to_vertex[e][vertices[s][c]];
      std::sort(use.key.begin(), use.key.end());
    }
  }
  std::sort(uses.begin(), uses.end(),
            [](const Use& x, const Use& y) { return x.key != y.key ? x.key < y.key : x.position < y.position; });

  // the first use of each key stands for the entity; numbers follow the order of first uses
  std::vector<std::size_t> first(uses.size());
  for (std::size_t i = 0; i < uses.size(); ++i)
    first[uses[i].position] = i > 0 && uses[i].key == uses[i - 1].key ? first[uses[i - 1].position] : uses[i].position;
  Entities entities{Map(mesh.num_elements(), slots), {}};
  for (std::size_t position = 0; position < first.size(); ++position) {
    Index& number = entities.of_element.entries[position];
    if (first[position] == position) {
      number = static_cast<Index>(entities.multiplicity.size());
      entities.multiplicity.push_back(0);
    } else {
      number = entities.of_element.entries[first[position]];
    }
    ++entities.multiplicity[number];
  }
  return entities;
}

}  // namespace

std::string name(CellKind kind) {
  if (kind == CellKind::triangle) return "triangle";
  if (kind == CellKind::prism) return "prism";
  return kind == CellKind::quadrilateral ? "quadrilateral" : "hexahedron";
}

Entities find_edges(const Mesh& mesh) { return find_entities(mesh, edge_vertices); }
Entities find_faces(const Mesh& mesh) { return find_entities(mesh, face_vertices); }

Trilinear trilinear(const Mesh& mesh, std::size_t element) {
  Trilinear coefficients{};
  for (unsigned q = 0; q < 8; ++q) {
    for (unsigned v = 0; v < 8; ++v) {
      const double sign = std::popcount(q & ~v) % 2 ? -1 : 1;  // (-1)^(directions of q in which v is at -1)
      for (int d = 0; d < 3; ++d) coefficients[q][d] += sign * mesh.vertices[mesh.element_to_vertex[element][v]][d] / 8;
    }
  }
  return coefficients;
}

}  // namespace miniapp::mesh
