// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/vtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"

namespace miniapp::space {
namespace {

/// The arrays of a file, filled in place behind its XML, each after its length in bytes. Their numbers are aligned.
class Appended {
 public:
  /// Announces an array; returns the element of XML that stands for it.
  template <class T>
  std::string announce(const std::string& name, int components, std::size_t entries) {
    const std::size_t values = entries * static_cast<std::size_t>(components);
    constexpr const char* type = std::is_floating_point_v<T> ? "Float64"
                                 : sizeof(T) == 1            ? "UInt8"
                                 : sizeof(T) == 4            ? "Int32"
                                                             : "Int64";
    std::string element =
        fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)", type,
                    name, components, size_);
    element += '\n';
    places_.emplace_back(size_, values * sizeof(T));
    size_ += sizeof(std::uint64_t) + (values * sizeof(T) + 7) / 8 * 8;
    return element;
  }
  /// The file with its XML, and room for the arrays.
  void begin(std::string xml) {
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    xml.append((8 - (xml.size() + mark.size()) % 8) % 8, ' ');
    start_ = xml.size() + mark.size();
    file_.reserve(start_ + size_ + end.size());
    file_ += xml;
    file_ += mark;
    file_.resize(start_ + size_, '\0');
    for (const auto& [at, bytes] : places_) {
      const std::uint64_t size = bytes;
      std::memcpy(file_.data() + start_ + at, &size, sizeof size);
    }
  }
  /// The values of the i-th array.
  template <class T>
  T* values(std::size_t i) {
    return reinterpret_cast<T*>(file_.data() + start_ + places_[i].first + sizeof(std::uint64_t));
  }
  std::string finish() {
    file_ += end;
    return std::move(file_);
  }

 private:
  static constexpr std::string_view end = "\n</AppendedData>\n</VTKFile>\n";
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< (array): where its length stands, its bytes
  std::size_t size_ = 0, start_ = 0;
  std::string file_;
};

/// Values of an element at the equidistant points (i, j, k) from those at its nodes.
class Resampling {
 public:
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
          double sum = 0;
          for (int a = 0; a < n_; ++a) sum += matrix_[i * n_ + a] * values[line * n_ + a];
          work[i * lines + line] = sum;
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

template <class T>
std::string section(const char* name, const T& content) {
  return fmt::format("<{0}>\n{1}</{0}>\n", name, content);
}

}  // namespace

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
    const std::function<void(std::int64_t, int, const double*, const double*, const double*, double*)>& function) {
  require(space.kind == mesh::CellKind::hexahedron,
          "vtu: " + std::string(mesh::cell(space.kind).names) + "; accepted are hexahedra");
  const auto nodes = static_cast<std::size_t>(space.num_nodes), elements = mesh.num_elements();
  for (const PointField& field : fields)
    require(field.values.size() == nodes, "vtu", field.name,
            fmt::format("{} values; accepted is one for each of {} nodes", field.values.size(), nodes));
  for (const CellField& field : cells)
    require(field.values.size() == elements, "vtu", field.name,
            fmt::format("{} values; accepted is one for each of {} elements", field.values.size(), elements));
  const int n = space.order + 1, local = n * n * n;
  const Resampling resampling(space.order);
  std::vector<int> place;  // (node): VTK's
  for (int node = 0; node < local; ++node)
    place.push_back(vtk_node(space.order, node % n, node / n % n, node / (n * n)));

  Appended appended;  // the fields, the error, what cells have, then the mesh
  std::string point_data, cell_data;
  for (const PointField& field : fields) point_data += appended.announce<double>(field.name, 1, nodes);
  if (function) point_data += appended.announce<double>("error", 1, nodes);
  for (const CellField& field : cells) cell_data += appended.announce<double>(field.name, 1, elements);
  const std::string coordinates = appended.announce<double>("points", 3, nodes);
  std::string topology = appended.announce<std::int32_t>("connectivity", 1, elements * static_cast<std::size_t>(local));
  topology += appended.announce<std::int64_t>("offsets", 1, elements);
  topology += appended.announce<unsigned char>("types", 1, elements);
  appended.begin(fmt::format(
                     R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="2.2" byte_order="{}" header_type="UInt64">
<UnstructuredGrid>
<Piece NumberOfPoints="{}" NumberOfCells="{}">
)",
                     std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", nodes, elements) +
                 section("PointData", point_data) + section("CellData", cell_data) + section("Points", coordinates) +
                 section("Cells", topology) + "</Piece>\n</UnstructuredGrid>\n");
  std::vector<double*> resampled;
  for (std::size_t f = 0; f < fields.size(); ++f) resampled.push_back(appended.values<double>(f));
  std::size_t next = fields.size();
  double* const errors = function ? appended.values<double>(next++) : nullptr;
  for (const CellField& field : cells)
    std::copy(field.values.begin(), field.values.end(), appended.values<double>(next++));
  auto* const points = appended.values<double>(next++);
  auto* const connectivity = appended.values<std::int32_t>(next);
  auto* const offsets = appended.values<std::int64_t>(next + 1);
  std::fill_n(appended.values<unsigned char>(next + 2), elements, 72);  // VTK_LAGRANGE_HEXAHEDRON
  const geometry::TensorPoints equidistant(mesh, resampling.points());
  const HostRanges ranges(elements, 256);
  ranges.for_each([&](int range) {
    std::vector<double> values(static_cast<std::size_t>(local)), work = values, x = values, y = values, z = values,
                                                                 first = values;
    for (std::size_t e = ranges.begin(range); e < ranges.end(range); ++e) {
      const auto own = space.element_to_node.host()[e];
      const auto node_of = [&](std::size_t i) { return static_cast<std::size_t>(own[i] < 0 ? ~own[i] : own[i]); };
      equidistant.visit(e, [&](std::size_t i, const mesh::Point& to) {
        x[i] = to[0];
        y[i] = to[1];
        z[i] = to[2];
        for (int d = 0; d < 3; ++d) store(points[3 * node_of(i) + d], to[d]);
      });
      for (int i = 0; i < local; ++i) connectivity[e * local + place[i]] = static_cast<std::int32_t>(node_of(i));
      offsets[e] = static_cast<std::int64_t>((e + 1) * local);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        for (int i = 0; i < local; ++i) values[i] = fields[f].values[node_of(i)];
        resampling.apply(values, work);
        for (int i = 0; i < local; ++i) store(resampled[f][node_of(i)], values[i]);
        if (f == 0) first = values;
      }
      if (function) {
        function(mesh.number(e), local, x.data(), y.data(), z.data(), values.data());
        for (int i = 0; i < local; ++i) store(errors[node_of(i)], first[i] - values[i]);
      }
    }
  });

  return appended.finish();
}

std::string pvtu(const std::vector<std::string>& point_fields, const std::vector<std::string>& cell_fields,
                 const std::vector<std::string>& files) {
  const auto arrays = [](const std::vector<std::string>& names, int components) {
    std::string text;
    for (const std::string& name : names)
      text += fmt::format("<PDataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", name, components);
    return text;
  };
  std::string pieces;
  for (const std::string& file : files) {
    std::string name;  // without what XML reads otherwise
    for (const char c : file) name += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
    pieces += fmt::format("<Piece Source=\"{}\"/>\n", name);
  }
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"2.2\">\n<PUnstructuredGrid>\n" +
         section("PPointData", arrays(point_fields, 1)) + section("PCellData", arrays(cell_fields, 1)) +
         section("PPoints", arrays({"points"}, 3)) + pieces + "</PUnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace miniapp::space
