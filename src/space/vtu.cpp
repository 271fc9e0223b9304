// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/vtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/regions.hpp"
#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"
#include "miniapp/geometry/prism.hpp"
#include "space/vtk_file.hpp"

namespace miniapp::space {
namespace {

/// Values of elements at the equidistant points (i, j, k) from those at their nodes: (i, element), of `together`
/// elements, so that loops over these are vector instructions.
class Resampling {
 public:
  static constexpr int together = 8;

  explicit Resampling(int order) : n_(order + 1) {
    std::vector<double> equidistant;
    for (int i = 0; i < n_; ++i) equidistant.push_back(-1 + 2. * i / order);
    equidistant.back() = 1;
    points_ = equidistant;
    matrix_ = basis::lagrange_values(basis::gauss_lobatto(n_).points, equidistant).entries;
  }
  const std::vector<double>& points() const { return points_; }
  void apply(std::vector<double>& values, std::vector<double>& work) const {
    for (int axis = 0; axis < 3; ++axis) {  // (k, j, i) -> (i', k, j), so that the axes take turns
      const int lines = n_ * n_;
      for (int line = 0; line < lines; ++line)
        for (int i = 0; i < n_; ++i) {
          double sum[together] = {};
          for (int a = 0; a < n_; ++a)
            for (int e = 0; e < together; ++e) sum[e] += matrix_[i * n_ + a] * values[(line * n_ + a) * together + e];
          std::copy_n(sum, together, &work[(i * lines + line) * together]);
        }
      std::swap(values, work);
    }
  }

 private:
  int n_;
  std::vector<double> points_, matrix_;
};

/// Elements of several threads store at a node the same but for rounding.
void store(double& to, double value) { std::atomic_ref<double>(to).store(value, std::memory_order_relaxed); }

/// VTK's number of a cell.
unsigned char vtk_cell(mesh::CellKind kind) {
  switch (kind) {
    case mesh::CellKind::prism:
      return 73;  // VTK_LAGRANGE_WEDGE
    case mesh::CellKind::hexahedron:
      return 72;  // VTK_LAGRANGE_HEXAHEDRON
    default:
      return static_cast<unsigned char>(mesh::cell(kind).vtk_type);
  }
}

/// The arrays of a file, in place.
struct Arrays {
  std::vector<double*> fields;
  double *errors = nullptr, *points;
  std::int32_t* connectivity;
  std::int64_t* offsets;
};

std::size_t node_of(Index entry) { return static_cast<std::size_t>(entry < 0 ? ~entry : entry); }

/// Values of elements, (i, element) as Resampling has them, from those of `nodes` (element, i) that are `step` apart.
void gather(const double* from, int step, const std::size_t* nodes, int elements, int local, double* values) {
  for (int l = 0; l < elements; ++l)
    for (int i = 0; i < local; ++i) values[i * Resampling::together + l] = from[nodes[l * local + i] * step];
}
/// Stores them at the nodes.
void scatter(const double* values, const std::size_t* nodes, int elements, int local, double* to, int step) {
  for (int l = 0; l < elements; ++l)
    for (int i = 0; i < local; ++i) store(to[nodes[l * local + i] * step], values[i * Resampling::together + l]);
}

/// Hexahedra, whose fields are evaluated at equidistant points.
void fill_hexahedra(
    const mesh::Mesh& mesh, const Space& space, const std::vector<PointField>& fields, const Arrays& arrays,
    const std::function<void(std::int64_t, int, const double*, const double*, const double*, double*)>& function) {
  const int n = space.order + 1, local = n * n * n;
  const Resampling resampling(space.order);
  std::vector<int> place;  // (node): VTK's
  for (int node = 0; node < local; ++node)
    place.push_back(vtk_node(space.order, node % n, node / n % n, node / (n * n)));
  const geometry::TensorPoints equidistant(mesh, resampling.points());
  const Index* const map = space.element_to_node.host().entries.data();
  const HostRanges ranges(mesh.num_elements(), 256);
  ranges.for_each([&](int range) {
    constexpr int together = Resampling::together;
    const std::size_t begin = ranges.begin(range), end = ranges.end(range);
    std::vector<double> values(static_cast<std::size_t>(local * together)), work = values, first = values,
                                                                            exact = values;
    std::vector<double> x = values, y = values, z = values;
    std::vector<std::size_t> nodes(values.size());  // (element, node)
    for (std::size_t e = begin; e < end; e += together) {
      if (range == 0) tell_part(double(e - begin) / double(end - begin));
      const int count = static_cast<int>(std::min<std::size_t>(together, end - e));
      std::transform(map + e * local, map + (e + count) * local, nodes.begin(), node_of);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const int components = fields[f].components, stored = stored_components(components);
        for (int c = 0; c < components; ++c) {
          gather(fields[f].values.data() + c, components, nodes.data(), count, local, values.data());
          resampling.apply(values, work);
          scatter(values.data(), nodes.data(), count, local, arrays.fields[f] + c, stored);
        }
        if (f == 0) first = values;
      }
      for (int l = 0; l < count; ++l) {
        const std::size_t* const own = nodes.data() + l * local;
        equidistant.visit(e + l, [&](std::size_t i, const mesh::Point& to) {
          x[i] = to[0];
          y[i] = to[1];
          z[i] = to[2];
        });
        for (int i = 0; i < local; ++i) {
          store(arrays.points[3 * own[i]], x[i]);
          store(arrays.points[3 * own[i] + 1], y[i]);
          store(arrays.points[3 * own[i] + 2], z[i]);
          arrays.connectivity[(e + l) * local + place[i]] = static_cast<std::int32_t>(own[i]);
        }
        if (!function) continue;
        function(mesh.number(e + l), local, x.data(), y.data(), z.data(), exact.data());
        for (int i = 0; i < local; ++i) store(arrays.errors[own[i]], first[i * together + l] - exact[i]);
      }
    }
  });
}

/// Triangles and tetrahedra, whose nodes are their vertices.
void fill_simplices(const mesh::Mesh& mesh, const Space& space, const std::vector<PointField>& fields,
                    const Arrays& arrays) {
  const std::vector<mesh::Point> points = node_points(mesh, space);
  for_host(points.size(), [&](std::size_t node) {
    std::copy_n(points[node].begin(), 3, arrays.points + 3 * node);
    for (std::size_t f = 0; f < fields.size(); ++f)
      std::copy_n(fields[f].values.begin() + node * fields[f].components, fields[f].components,
                  arrays.fields[f] + node * stored_components(fields[f].components));
  });
  const auto& nodes = space.element_to_node.host();
  for_host(mesh.num_elements(), [&](std::size_t e) {
    for (std::size_t i = e * nodes.arity; i < (e + 1) * nodes.arity; ++i)
      arrays.connectivity[i] = static_cast<std::int32_t>(node_of(nodes.entries[i]));
  });
}

/// Equidistant points in a triangle, and on [-1, 1].
std::vector<basis::TrianglePoint> equidistant_in_triangle(int order) {
  std::vector<basis::TrianglePoint> points;
  for (const auto& [a, b, c] : basis::triangle_lattice(order)) points.push_back({double(b) / order, double(c) / order});
  return points;
}
std::vector<double> equidistant_on_line(int order) {
  std::vector<double> points;
  for (int k = 0; k <= order; ++k) points.push_back((2. * k - order) / order);
  return points;
}

/// (equidistant point of a prism, node): the values there of the functions of the nodes, in the order of the nodes.
std::vector<double> prism_resampling(int order) {
  const std::vector<basis::TrianglePoint> in_triangle = equidistant_in_triangle(order);
  const std::vector<double> on_line = equidistant_on_line(order);
  const basis::Matrix triangle = basis::triangle_tables(order, in_triangle).values,
                      line = basis::lagrange_values(basis::gauss_lobatto(order + 1).points, on_line);
  std::vector<double> matrix;
  for (int k = 0; k <= order; ++k)
    for (int i = 0; i < triangle.rows; ++i)
      for (int l = 0; l <= order; ++l)
        for (int j = 0; j < triangle.columns; ++j) matrix.push_back(line(k, l) * triangle(i, j));
  return matrix;
}

/// Prisms, whose fields are evaluated at equidistant points.
void fill_prisms(const mesh::Mesh& mesh, const Space& space, const std::vector<PointField>& fields,
                 const Arrays& arrays) {
  const std::vector<double> matrix = prism_resampling(space.order);
  const std::vector<basis::TrianglePoint> in_triangle = equidistant_in_triangle(space.order);
  const std::vector<double> on_line = equidistant_on_line(space.order);
  std::vector<int> place;  // (node): VTK's
  for (const basis::PrismNode& node : basis::prism_nodes(space.order))
    place.push_back(vtk_prism_node(space.order, node.triangle[1], node.triangle[2], node.line));
  const std::size_t local = place.size();
  const Map& nodes = space.element_to_node.host();
  for_host(mesh.num_elements(), [&](std::size_t e) {
    const Index* const own = nodes[e];
    double vertices[geometry::prism_numbers], x[3];
    for (int i = 0; i < geometry::prism_numbers; ++i)
      vertices[i] = mesh.vertices[mesh.element_to_vertex[e][i / 3]][i % 3];
    for (std::size_t i = 0; i < local; ++i) {
      const std::size_t node = node_of(own[i]);
      const auto [r, s] = in_triangle[i % in_triangle.size()];
      geometry::prism_point(vertices, r, s, on_line[i / in_triangle.size()], x);
      const double* const weights = &matrix[i * local];
      const auto sum = [&](const auto& value) {
        double total = 0;
        for (std::size_t j = 0; j < local; ++j) total += weights[j] * value(node_of(own[j]));
        return total;
      };
      arrays.connectivity[e * local + place[i]] = static_cast<std::int32_t>(node);
      for (int d = 0; d < 3; ++d) store(arrays.points[3 * node + d], x[d]);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const int components = fields[f].components, stored = stored_components(components);
        for (int c = 0; c < components; ++c)
          store(arrays.fields[f][node * stored + c],
                sum([&](std::size_t from) { return fields[f].values[from * components + c]; }));
      }
    }
  });
}

}  // namespace

int vtk_prism_node(int order, int i, int j, int k) {
  const int inner = order - 1, in_triangle = inner * (inner - 1) / 2;
  const bool on_i = i == 0, on_j = j == 0, on_ij = i + j == order, on_k = k == 0 || k == order;
  const int corner = on_i && on_j ? 0 : on_j ? 1 : 2;                      // on two of the triangle's edges
  const int inside = i - 1 + (j - 1) * order - j * (j - 1) / 2 - (j - 1);  // of the triangle without its edges
  const int edges = on_i + on_j + on_ij;
  if (edges == 2 && on_k) return corner + (k ? 3 : 0);
  int first = 6;
  if (edges == 1 && on_k) {
    first += k ? 3 * inner : 0;
    return first + (on_j ? i - 1 : on_ij ? inner + j - 1 : 3 * inner - j);
  }
  first += 6 * inner;
  if (edges == 2) return first + corner * inner + k - 1;
  first += 3 * inner;
  if (on_k) return first + (k ? in_triangle : 0) + inside;
  first += 2 * in_triangle;
  const int square = inner * inner, row = inner * (k - 1);
  if (on_j) return first + row + i - 1;
  if (on_ij) return first + square + row + j - 1;
  if (on_i) return first + 2 * square + row + inner - j;
  return first + 3 * square + in_triangle * (k - 1) + inside;
}

int vtk_node(int order, int i, int j, int k) {
  const int inner = order - 1;
  const bool on_i = i == 0 || i == order, on_j = j == 0 || j == order, on_k = k == 0 || k == order;
  const int corner = i ? (j ? 2 : 1) : (j ? 3 : 0);  // counter-clockwise
  if (on_i && on_j && on_k) return corner + (k ? 4 : 0);
  int first = 8;
  if (on_j && on_k) return first + i - 1 + (j ? 2 * inner : 0) + (k ? 4 * inner : 0);
  if (on_i && on_k) return first + j - 1 + (i ? inner : 3 * inner) + (k ? 4 * inner : 0);
  first += 8 * inner;
  if (on_i && on_j) return first + k - 1 + corner * inner;
  first += 4 * inner;
  if (on_i) return first + j - 1 + inner * (k - 1) + (i ? inner * inner : 0);
  first += 2 * inner * inner;
  if (on_j) return first + i - 1 + inner * (k - 1) + (j ? inner * inner : 0);
  first += 2 * inner * inner;
  if (on_k) return first + i - 1 + inner * (j - 1) + (k ? inner * inner : 0);
  first += 2 * inner * inner;
  return first + i - 1 + inner * (j - 1 + inner * (k - 1));
}

std::string vtu(
    const mesh::Mesh& mesh, const Space& space, const std::vector<PointField>& fields,
    const std::vector<CellField>& cells,
    const std::function<void(std::int64_t, int, const double*, const double*, const double*, double*)>& function,
    Compress compress) {
  const bool is_curved = space.kind == mesh::CellKind::hexahedron;
  const bool is_prism = space.kind == mesh::CellKind::prism && !function;
  const bool is_simplex = space.kind == mesh::CellKind::triangle || space.kind == mesh::CellKind::tetrahedron;
  require(is_curved || is_prism || (is_simplex && space.order == 1 && !function),
          fmt::format("vtu: {} of order {}{}; accepted are hexahedra, and without a function prisms, and triangles and "
                      "tetrahedra of order 1",
                      mesh::cell(space.kind).names, space.order, function ? " with a function" : ""));
  const auto nodes = static_cast<std::size_t>(space.num_nodes), elements = mesh.num_elements();
  for (const PointField& field : fields)
    require(field.values.size() == nodes * static_cast<std::size_t>(field.components), "vtu", field.name,
            fmt::format("{} values; accepted {} for each of {} nodes", field.values.size(),
                        field.components == 1 ? "is one" : fmt::format("are {}", field.components), nodes));
  for (const CellField& field : cells)
    require(field.values.size() == elements && field.components == 1, "vtu", field.name,
            fmt::format("{} values; accepted is one for each of {} elements", field.values.size(), elements));

  VtkFile file(nodes, elements, "2.2");
  for (const PointField& field : fields)
    file.announce<double>("PointData", field.name, stored_components(field.components), nodes);
  if (function) file.announce<double>("PointData", "error", 1, nodes);
  for (const CellField& field : cells) file.announce<double>("CellData", field.name, 1, elements);
  file.announce<double>("Points", "points", 3, nodes);
  const auto local = static_cast<std::size_t>(space.element_to_node.host().arity);
  file.announce<std::int32_t>("Cells", "connectivity", 1, elements * local);
  file.announce<std::int64_t>("Cells", "offsets", 1, elements);
  file.announce<unsigned char>("Cells", "types", 1, elements);
  file.begin();
  Arrays arrays;
  std::size_t next = 0;
  for (std::size_t f = 0; f < fields.size(); ++f) arrays.fields.push_back(file.values<double>(next++));
  if (function) arrays.errors = file.values<double>(next++);
  for (const CellField& field : cells) std::copy(field.values.begin(), field.values.end(), file.values<double>(next++));
  arrays.points = file.values<double>(next++);
  arrays.connectivity = file.values<std::int32_t>(next++);
  arrays.offsets = file.values<std::int64_t>(next++);
  for_host(elements, [&](std::size_t e) { arrays.offsets[e] = static_cast<std::int64_t>((e + 1) * local); });
  std::fill_n(file.values<unsigned char>(next), elements, vtk_cell(space.kind));
  if (is_simplex)
    fill_simplices(mesh, space, fields, arrays);
  else if (is_prism)
    fill_prisms(mesh, space, fields, arrays);
  else
    fill_hexahedra(mesh, space, fields, arrays, function);
  return file.finish(compress);
}

std::string pvtu(const std::string& piece, const std::vector<std::string>& files) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"2.2\">\n<PUnstructuredGrid>\n";
  std::size_t begin = piece.find("<PointData>");
  const std::size_t end = piece.find("<Cells>");
  while (begin < end) {  // its lines, as those of all pieces
    const std::size_t newline = piece.find('\n', begin);
    std::string line = piece.substr(begin, newline - begin);
    begin = newline + 1;
    line.insert(line.find_first_not_of("</"), 1, 'P');
    if (const std::size_t place = line.find(" format="); place != line.npos) line.replace(place, line.npos, "/>");
    xml += line + "\n";
  }
  for (const std::string& file : files) {
    std::string name;  // without what XML reads otherwise
    for (const char c : file) name += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
    xml += fmt::format("<Piece Source=\"{}\"/>\n", name);
  }
  return xml + "</PUnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace miniapp::space
