// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "mesh/cut.hpp"
#include "mesh/groups.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"

namespace miniapp::mesh {
namespace {

/// A random permutation of 0 .. size-1 by Fisher and Yates; std::shuffle differs between standard libraries.
std::vector<Index> random_places(std::size_t size, std::mt19937& random) {
  std::vector<Index> place = make_large<Index>(size);
  std::iota(place.begin(), place.end(), 0);
  // drawn in batches, so that what the swaps need is on its way from memory when they come
  std::array<std::size_t, 64> others;
  for (std::size_t left = size; left > 1;) {
    const std::size_t batch = std::min(left - 1, others.size());
    for (std::size_t k = 0; k < batch; ++k) {
      others[k] = std::uint64_t(random()) * (left - k) >> 32;  // 32 random bits times left / 2^32
      __builtin_prefetch(&place[others[k]], 1);
    }
    for (std::size_t k = 0; k < batch; ++k, --left) std::swap(place[left - 1], place[others[k]]);
  }
  return place;
}

/// Piecewise linear maps of [0, 1] with slope eps at one end: `compress_right` at 1, `compress_left` at 0.
double compress_right(double eps, double y) { return y <= 0.5 ? (2 - eps) * y : 1 + eps * (y - 1); }
double compress_left(double eps, double y) { return 1 - compress_right(eps, 1 - y); }

/// Checks the sizes of a box whose hexahedra are each cut into `parts` cells.
void require_parts(int nx, int ny, int nz, int parts, const std::string& cells) {
  const double vertices = (nx + 1.) * (ny + 1.) * (nz + 1.), most = std::numeric_limits<Index>::max();
  require(nx >= 1 && ny >= 1 && nz >= 1 && vertices <= most && double(parts) * nx * ny * nz <= most,
          "a box of " + std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) +
              " cells cut into " + cells + ": accepted are 1 x 1 x 1 and more, at most 2^31 - 1 " + cells +
              " and vertices");
}

}  // namespace

std::array<int, 3> cubical(int elements) {
  std::array<int, 3> best{elements, 1, 1};
  long least = 3L * elements;
  for (int z = 1; z * z <= elements / z; ++z) {
    if (elements % z) continue;
    const int layer = elements / z;
    for (int y = z; y <= layer / y; ++y) {
      if (layer % y) continue;
      const long x = layer / y, surface = x * y + x * z + long(y) * z;
      if (surface < least) {
        least = surface;
        best = {static_cast<int>(x), y, z};
      }
    }
  }
  return best;
}

Mesh make_box(int nx, int ny, int nz) {
  const std::size_t row = nx + std::size_t(1), layer = row * (ny + 1);
  Mesh mesh{make_large<Point>(layer * (nz + 1)), Map(std::size_t(nx) * ny * nz, 8)};
  const auto add_row = [&](std::size_t jk) {
    const std::size_t j = jk % (ny + 1), k = jk / (ny + 1), first = jk * row;
    for (int i = 0; i <= nx; ++i) mesh.vertices[first + i] = {double(i) / nx, double(j) / ny, double(k) / nz};
    if (j == std::size_t(ny) || k == std::size_t(nz)) return;
    for (int i = 0; i < nx; ++i) {
      Index* const to = mesh.element_to_vertex[(k * ny + j) * nx + i];
      for (int v = 0; v < 8; ++v)
        to[v] = static_cast<Index>(first + i + (v & 1) + (v >> 1 & 1) * row + (v >> 2) * layer);
    }
  };
  for_host(std::size_t(ny + 1) * (nz + 1), add_row, (1 << 14) / row + 1);
  return mesh;
}

Mesh make_box_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& elements,
                   const Communicator& ranks) {
  const std::int64_t row = sides[0] + 1, layer = row * (sides[1] + 1);
  const std::size_t count = elements.size();
  require(std::is_sorted(elements.begin(), elements.end()), "elements of a part of a box; accepted are ascending ones");

  // Rows of elements, and the vertices of four rows each, as ranges of numbers in the whole box.
  struct Range {
    std::int64_t first, end;  ///< vertices
    Index number = 0;         ///< in the part, of the first one
    bool operator<(const Range& other) const { return first < other.first; }
  };
  const std::array<std::int64_t, 4> corners{0, row, layer, layer + row};  // of a row of elements
  std::vector<Range> ranges;
  const auto for_rows = [&](const auto& visit) {  // visit (begin, end, its first vertex)
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      const std::int64_t e = elements[begin], i = e % sides[0], j = e / sides[0] % sides[1],
                         k = e / sides[0] / sides[1];
      for (++end; end < count && elements[end] == elements[end - 1] + 1 && elements[end] % sides[0] != 0;) ++end;
      visit(begin, end, k * layer + j * row + i);
    }
  };
  for_rows([&](std::size_t begin, std::size_t end, std::int64_t first) {
    for (const std::int64_t corner : corners)
      ranges.push_back({first + corner, first + corner + static_cast<std::int64_t>(end - begin) + 1});
  });
  std::sort(ranges.begin(), ranges.end());
  std::size_t last = 0;
  for (const Range& range : ranges) {  // those that meet become one
    if (range.first <= ranges[last].end)
      ranges[last].end = std::max(ranges[last].end, range.end);
    else
      ranges[++last] = range;
  }
  ranges.resize(std::min(ranges.size(), last + 1));

  Mesh mesh;
  mesh.part = {ranks, {}, elements};
  std::vector<std::int64_t>& vertices = mesh.part.vertices;
  std::int64_t num_vertices = 0;
  for (const Range& range : ranges) num_vertices += range.end - range.first;
  require(num_vertices <= std::numeric_limits<Index>::max(),
          std::to_string(num_vertices) + " vertices of a part; accepted are up to 2147483647");
  vertices.reserve(static_cast<std::size_t>(num_vertices));
  mesh.vertices.reserve(static_cast<std::size_t>(num_vertices));
  for (Range& range : ranges) {
    range.number = static_cast<Index>(vertices.size());
    for (std::int64_t v = range.first; v < range.end; ++v) {
      vertices.push_back(v);
      mesh.vertices.push_back(
          {double(v % row) / sides[0], double(v / row % (sides[1] + 1)) / sides[1], double(v / layer) / sides[2]});
    }
  }
  mesh.element_to_vertex = Map(count, 8);
  for_rows([&](std::size_t begin, std::size_t end, std::int64_t first) {
    std::array<Index, 4> number;  // of the row's first vertices
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const std::int64_t vertex = first + corners[c];
      const Range& range = *(std::upper_bound(ranges.begin(), ranges.end(), Range{vertex, 0}) - 1);
      number[c] = range.number + static_cast<Index>(vertex - range.first);
    }
    for (std::size_t n = begin; n < end; ++n)
      for (int v = 0; v < 8; ++v)
        mesh.element_to_vertex[n][v] = number[static_cast<std::size_t>(v) / 2] + static_cast<Index>(n - begin) + v % 2;
  });
  return mesh;
}

namespace {

/// The prisms of a box of nx * ny hexahedra in the x-y plane, or of a part of it.
Mesh cut_into_prisms(const Mesh& box, std::int64_t nx, std::int64_t ny) {
  Mesh mesh{box.vertices, Map(2 * box.num_elements(), 6), CellKind::prism};
  auto to = mesh.element_to_vertex.entries.begin();
  for (std::size_t e = 0; e < box.num_elements(); ++e) {
    const Index* v = box.element_to_vertex[e];
    const auto add = [&](std::initializer_list<int> triangle) {
      for (const int top : {0, 4})
        for (const int corner : triangle) *to++ = v[corner + top];
    };
    const std::int64_t number = box.number(e), i = number % nx, j = number / nx % ny;
    if ((i + j) % 2 == 0) {
      add({0, 1, 3});
      add({0, 3, 2});
    } else {
      add({0, 1, 2});
      add({1, 3, 2});
    }
  }
  return mesh;
}

}  // namespace

Mesh make_prism_box(int nx, int ny, int nz) {
  require_parts(nx, ny, nz, 2, "prisms");
  return cut_into_prisms(make_box(nx, ny, nz), nx, ny);
}

Mesh make_prism_box_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& hexahedra,
                         const Communicator& ranks) {
  const Mesh box = make_box_part(sides, hexahedra, ranks);
  Part part = cut(box.part, 2);
  Mesh mesh = cut_into_prisms(box, sides[0], sides[1]);
  mesh.part = std::move(part);
  return mesh;
}

namespace {

constexpr int tetrahedra = 6;  // of a hexahedron

Mesh cut_into_tetrahedra(const Mesh& box) {
  constexpr int cuts[tetrahedra][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                       {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}};
  Mesh mesh{box.vertices, Map(tetrahedra * box.num_elements(), 4), CellKind::tetrahedron};
  auto to = mesh.element_to_vertex.entries.begin();
  for (std::size_t e = 0; e < box.num_elements(); ++e)
    for (const auto& cut : cuts)
      for (const int corner : cut) *to++ = box.element_to_vertex[e][corner];
  return mesh;
}

}  // namespace

Mesh make_tetrahedron_box(int nx, int ny, int nz) {
  require_parts(nx, ny, nz, tetrahedra, "tetrahedra");
  return cut_into_tetrahedra(make_box(nx, ny, nz));
}

Mesh make_tetrahedron_box_part(const std::array<int, 3>& sides, const std::vector<std::int64_t>& hexahedra,
                               const Communicator& ranks) {
  const Mesh box = make_box_part(sides, hexahedra, ranks);
  Part part = cut(box.part, tetrahedra);
  Mesh mesh = cut_into_tetrahedra(box);
  mesh.part = std::move(part);
  return mesh;
}

void deform(Mesh& mesh, double amplitude) {
  require_straight(mesh, "deform");
  using std::numbers::pi;
  for_host(mesh.vertices.size(), [&](std::size_t v) {
    Point& x = mesh.vertices[v];
    const double s = amplitude * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
    x = {x[0] + s, x[1] - s, x[2] + s / 2};
  });
}

void map_kershaw(Mesh& mesh, double eps) {
  require_straight(mesh, "map_kershaw");
  require(eps > 0 && eps <= 1, "eps", std::to_string(eps), "accepted are numbers above 0 up to 1");
  for_host(mesh.vertices.size(), [&](std::size_t vertex) {
    Point& x = mesh.vertices[vertex];
    const double layer = 6 * x[0];
    // how much of y and z is compressed to the right: none, all at 2 / 6, none at 4 / 6, all from 5 / 6 on
    const double right = layer <= 1   ? 0
                         : layer <= 2 ? layer - 1
                         : layer <= 4 ? (4 - layer) / 2
                         : layer <= 5 ? layer - 4
                                      : 1;
    for (const int d : {1, 2}) {
      const double a = compress_left(eps, x[d]), b = compress_right(eps, x[d]);
      x[d] = a + (b - a) * right;
    }
  });
}

void curve(Mesh& mesh, int order, const std::function<Point(const Point&)>& place) {
  require_straight(mesh, "curve");
  require(mesh.kind == CellKind::hexahedron, "a mesh of kind " + name(mesh.kind) + ": accepted are hexahedra");
  require(order > 1 && order <= most_curved_order, "order", std::to_string(order),
          "accepted are 2 to " + std::to_string(most_curved_order));
  Curved curved{order, {}};
  const double step = 1. / order;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int k = 0; k <= order; ++k)
      for (int j = 0; j <= order; ++j)
        for (int i = 0; i <= order; ++i) {
          Point x{};
          for (int v = 0; v < 8; ++v) {
            const double weight = (v & 1 ? i * step : 1 - i * step) * (v & 2 ? j * step : 1 - j * step) *
                                  (v & 4 ? k * step : 1 - k * step);
            for (int d = 0; d < 3; ++d) x[d] += weight * mesh.vertices[mesh.element_to_vertex[e][v]][d];
          }
          curved.nodes.push_back(place(x));
        }
  for (Point& x : mesh.vertices) x = place(x);
  mesh.curved = std::move(curved);
}

void rotate_elements(Mesh& mesh, unsigned seed) {
  require_straight(mesh, "rotate_elements");
  const Cell& kind = cell(mesh.kind);
  std::mt19937 random(seed);
  const std::vector<SideVertices> sides = remember_sides(mesh);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Index* vertices = mesh.element_to_vertex[e];
    for (int turn = 0; turn < 8; ++turn) {  // every rotation is a product of eight of these turns
      const auto choice = random() % 3;
      if (choice == 0) continue;
      std::array<Index, 8> turned;
      for (int v = 0; v < kind.num_vertices; ++v) turned[v] = vertices[kind.turns[choice - 1][v]];
      std::copy_n(turned.begin(), kind.num_vertices, vertices);
    }
  }
  find_sides_again(mesh, sides);
}

void perturb(Mesh& mesh, double amplitude, unsigned seed) {
  require_straight(mesh, "perturb");
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-amplitude, amplitude);
  const int dim = dimension(mesh.kind);
  const bool halved = mesh.kind == CellKind::triangle || mesh.kind == CellKind::prism;
  const auto cells = static_cast<double>(mesh.part.ranks.sum(static_cast<std::int64_t>(mesh.num_elements())));
  const double boxes = cells / (mesh.kind == CellKind::tetrahedron ? 6. : halved ? 2. : 1.);
  const double h = 1 / (dim == 3 ? std::cbrt(boxes) : std::sqrt(boxes));
  std::int64_t drawn = 0;  // also for vertices of other ranks, so that copies of a vertex move alike
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    Point& x = mesh.vertices[v];
    const auto number = mesh.part.vertices.empty() ? static_cast<std::int64_t>(v) : mesh.part.vertices[v];
    Point move{};
    for (; drawn <= number; ++drawn) move = {shift(random), shift(random), shift(random)};
    bool inside = true;
    for (int d = 0; d < dim; ++d) inside = inside && x[d] > 1e-12 && x[d] < 1 - 1e-12;
    if (inside)
      for (int d = 0; d < dim; ++d) x[d] += h * move[d];
  }
}

Mesh shuffle(const Mesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Index> vertex_place = random_places(mesh.vertices.size(), random);
  if (!mesh.part.vertices.empty()) std::iota(vertex_place.begin(), vertex_place.end(), 0);
  const std::vector<Index> element_place = random_places(mesh.num_elements(), random);
  const int arity = mesh.element_to_vertex.arity;
  Mesh result{make_large<Point>(mesh.vertices.size()), Map(mesh.num_elements(), arity), mesh.kind};
  for_host(mesh.vertices.size(), [&](std::size_t v) { result.vertices[vertex_place[v]] = mesh.vertices[v]; });
  for_host(mesh.num_elements(), [&](std::size_t e) {
    Index* const to = result.element_to_vertex[element_place[e]];
    for (int i = 0; i < arity; ++i) to[i] = vertex_place[mesh.element_to_vertex[e][i]];
  });
  result.groups = renumber_cells(mesh.groups, element_place);
  result.curved = renumber_cells(mesh.curved, element_place);
  result.part = mesh.part;
  for (std::size_t e = 0; e < mesh.part.elements.size(); ++e)
    result.part.elements[element_place[e]] = mesh.part.elements[e];
  return result;
}

}  // namespace miniapp::mesh
