// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/agree.hpp"
#include "core/input_file.hpp"
#include "indirect/bind.hpp"
#include "mesh/box.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::indirect {
namespace {

const LoopParts& parts(LoopKind kind) { return *all_loops[static_cast<std::size_t>(kind)]; }

std::vector<LoopField> fields_of(const std::vector<NamedValues>& all) {
  std::vector<LoopField> fields;
  for (const NamedValues& named : all) fields.push_back(named.field);
  return fields;
}

/// The components of a field among `stride` values of each of `entities`.
FieldValues take(const NamedValues& named, const double* from, int stride, std::size_t entities) {
  const int components = named.field.components;
  FieldValues result{named.field, std::vector<double>(entities * components)};
  for (std::size_t i = 0; i < entities; ++i)
    std::copy_n(from + i * stride + named.first, components, &result.values[i * components]);
  return result;
}

std::vector<FieldValues> increments_of(LoopKind kind, const std::vector<double>& result, const Case& data,
                                       std::size_t entities) {
  std::vector<FieldValues> fields;
  const std::vector<NamedValues>& all = parts(kind).increments;
  const double* begin = result.data();
  for (auto first = all.begin(); first != all.end();) {
    auto last = first;
    int stride = 0;
    for (; last != all.end() && last->values == first->values; ++last) stride += last->field.components;
    for (; first != last; ++first) fields.push_back(take(*first, begin, stride, entities));
    begin += data.to_size * stride;
  }
  return fields;
}

std::int64_t number_of(const std::vector<std::int64_t>& numbers, std::size_t i) {
  return numbers.empty() ? static_cast<std::int64_t>(i) : numbers[i];
}

/// Entities of the whole mesh. Collective.
std::int64_t count_of(const std::vector<std::int64_t>& numbers, std::size_t own, const Communicator& ranks) {
  if (ranks.is_alone()) return static_cast<std::int64_t>(own);
  return ranks.of_all(Reduction::max, numbers.empty() ? 0 : 1 + *std::max_element(numbers.begin(), numbers.end()));
}

void require_same_counts(const mesh::Mesh& file, const mesh::Mesh& mesh) {
  const auto compare = [](std::size_t in_file, std::int64_t in_mesh, const std::string& what) {
    require(std::int64_t(in_file) == in_mesh,
            fmt::format("{} {} where the mesh has {}; accepted are the {} of the mesh", in_file, what, in_mesh, what));
  };
  const Communicator& ranks = mesh.part.ranks;
  const std::int64_t cells = count_of(mesh.part.elements, mesh.num_elements(), ranks);
  const std::int64_t vertices = count_of(mesh.part.vertices, mesh.vertices.size(), ranks);
  require(file.kind == mesh.kind,
          "cells of the kind " + name(file.kind) + "; accepted are those of the mesh, of the kind " + name(mesh.kind));
  compare(file.num_elements(), cells, "cells");
  compare(file.vertices.size(), vertices, "points");
}

void require_same_vertices(const mesh::Mesh& file, const mesh::Mesh& mesh) {
  const mesh::Box box(file);
  const double allowed = 1e-6 * std::max({box.side(0), box.side(1), box.side(2)});
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const std::int64_t number = number_of(mesh.part.vertices, v);
    const mesh::Point& its = file.vertices[static_cast<std::size_t>(number)];
    const mesh::Point& due = mesh.vertices[v];
    for (int d = 0; d < 3; ++d)
      if (!(std::abs(its[d] - due[d]) <= allowed))
        throw InputError(
            fmt::format("point {} is at ({:g}, {:g}, {:g}), in the mesh at ({:g}, {:g}, {:g}); accepted "
                        "is the numbering of the mesh",
                        number + 1, its[0], its[1], its[2], due[0], due[1], due[2]));
  }
}

/// Which corner of the file's cell is the mesh's corner `i`. Errors: InputError where it is none.
int corner_of(const mesh::Vtu& file, const mesh::Mesh& mesh, std::size_t cell, int i) {
  const std::int64_t number = mesh.number(cell);
  const Index* const corners = file.listed[static_cast<std::size_t>(number)];
  const std::int64_t vertex = number_of(mesh.part.vertices, mesh.element_to_vertex[cell][i]);
  const Index* const found = std::find(corners, corners + file.listed.arity, vertex);
  if (found == corners + file.listed.arity)
    throw InputError(fmt::format(
        "cell {} is between other points than in the mesh; accepted is the numbering of the mesh", number + 1));
  return static_cast<int>(found - corners);
}

std::string list(const std::vector<mesh::VtuArray>& arrays) {
  std::string text;
  for (const mesh::VtuArray& array : arrays)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", quote(array.name), array.components);
  return text.empty() ? "nothing" : text;
}
std::string list(const std::vector<LoopField>& fields) {
  std::string text;
  for (const LoopField& field : fields)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ",
                        field.site == Site::vertices ? "point data" : "cell data", field.name, field.components);
  return text;
}

/// The array of a file that has a field.
const mesh::VtuArray& find_array(const LoopField& field, LoopKind kind, const mesh::Vtu& file) {
  const std::vector<mesh::VtuArray>& arrays = field.site == Site::vertices ? file.point_data : file.cell_data;
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const mesh::VtuArray& array) { return array.name == field.name; });
  const bool fits = found != arrays.end() &&
                    (found->components == field.components || (field.components == 2 && found->components == 3));
  require(fits, fmt::format("{} {}; it has cell data {} and point data {}; accepted are {}",
                            found == arrays.end() ? "no" : "another number of components of", field.name,
                            list(file.cell_data), list(file.point_data), list(state_fields(kind))));
  return *found;
}

std::string entity(const LoopField& field, std::size_t number) {
  return fmt::format("{} of {} {}", field.name, field.site == Site::vertices ? "point" : "cell", number + 1);
}

bool has_sign(double value, Sign sign) {
  return std::isfinite(value) && (sign == Sign::any || value > 0 || (sign == Sign::not_negative && value == 0));
}

/// The numbers of a field; those of a third component, which is zero, are left out.
FieldValues find_values(const LoopField& field, LoopKind kind, const mesh::Vtu& file) {
  const mesh::VtuArray& array = find_array(field, kind, file);
  const auto stored = static_cast<std::size_t>(array.components), components = std::size_t(field.components);
  FieldValues result{field, {}};
  result.values.reserve(array.values.size() / stored * components);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const double value = array.values[i];
    const bool left_out = i % stored >= components;
    if (left_out ? value != 0 : !has_sign(value, field.sign))
      throw InputError(fmt::format("{}: {:g}; accepted is {}", entity(field, i / stored), value,
                                   left_out ? "0 in the plane" : name(field.sign)));
    if (!left_out) result.values.push_back(value);
  }
  return result;
}

/// Puts the corners of the cells of `mesh` into its order.
void order_corners(FieldValues& field, const mesh::Vtu& file, const mesh::Mesh& mesh) {
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    double* const values = &field.values[static_cast<std::size_t>(mesh.number(e)) * field.components];
    const std::vector<double> listed(values, values + field.components);
    for (int i = 0; i < field.components; ++i)
      values[i] = listed[static_cast<std::size_t>(corner_of(file, mesh, e, i))];
  }
}

}  // namespace

std::vector<LoopField> state_fields(LoopKind kind) { return fields_of(parts(kind).state); }

std::vector<LoopField> increment_fields(LoopKind kind) { return fields_of(parts(kind).increments); }

State find_state(LoopKind kind, const mesh::Mesh& mesh, const mesh::Vtu& file) {
  require_same_counts(file.mesh, mesh);
  State state;
  agree(mesh.part.ranks, [&] {
    require_same_vertices(file.mesh, mesh);
    for (std::size_t e = 0; e < mesh.num_elements(); ++e)
      for (int i = 0; i < mesh.element_to_vertex.arity; ++i) corner_of(file, mesh, e, i);
    for (const LoopField& field : state_fields(kind)) {
      state.push_back(find_values(field, kind, file));
      if (field.site == Site::corners) order_corners(state.back(), file, mesh);
    }
    const auto why_not = parts(kind).why_not;
    for (std::size_t e = 0; why_not && e < file.mesh.num_elements(); ++e)
      if (const std::string reason = why_not(state, e); !reason.empty())
        throw InputError(fmt::format("cell {}: {}", e + 1, reason));
  });
  return state;
}

State state_of(LoopKind kind, const Case& data, const mesh::Mesh& mesh) {
  State state;
  for (const NamedValues& named : parts(kind).state) {
    const Case::Values& from = data.values[named.values];
    state.push_back(take(named, from.values.data(), from.components,
                         named.field.site == Site::vertices ? mesh.vertices.size() : mesh.num_elements()));
  }
  return state;
}

std::vector<FieldValues> increments_of(LoopKind kind, const std::vector<double>& result, const Case& data,
                                       const mesh::Mesh& mesh) {
  return increments_of(kind, result, data, parts(kind).at_vertices ? mesh.vertices.size() : mesh.num_elements());
}

std::vector<FieldValues> increments_of(LoopKind kind, const std::vector<double>& result, const Case& data) {
  return increments_of(kind, result, data, data.to_size);
}

}  // namespace miniapp::indirect
