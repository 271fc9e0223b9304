// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/state.hpp"

#include <algorithm>
#include <limits>

#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/space/vtu.hpp"
#include "support/catch.hpp"

using namespace miniapp::indirect;

namespace {

mesh::Mesh mesh_of(LoopKind kind) { return mesh::shuffle(make_mesh(kind, mesh_sides(kind, 300)), 3); }

/// The loop's own state, made another one that is possible too.
State another_state(LoopKind kind, const mesh::Mesh& mesh) {
  State state = state_of(kind, make_case(kind, mesh), mesh);
  for (FieldValues& field : state)
    for (std::size_t i = 0; i < field.values.size(); ++i) field.values[i] *= 1.25 + 1e-3 * double(i % 7);
  return state;
}

mesh::Vtu file_of(const mesh::Mesh& mesh, const State& state) {
  std::vector<space::PointField> points;
  std::vector<space::CellField> cells;
  for (const FieldValues& field : state) {
    if (field.site == Site::vertices) points.push_back({field.name, field.values, field.components});
    if (field.site != Site::vertices) cells.push_back({field.name, field.values, field.components});
  }
  return mesh::parse_vtu(space::vtu(mesh, points, cells), "a.vtu");
}

/// A file with airfoil's state on two squares, one above the other.
struct Airfoil {
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::quadrilateral, 1, 2);
  mesh::Vtu file = file_of(mesh, {{{"density", Site::cells, 1}, {1, 2}},
                                  {{"momentum", Site::cells, 2}, {1, 0, 0, 1}},
                                  {{"energy", Site::cells, 1}, {3, 4}}});

  mesh::VtuArray& operator[](const std::string& name) {
    return *std::find_if(file.cell_data.begin(), file.cell_data.end(),
                         [&](const mesh::VtuArray& array) { return array.name == name; });
  }
  std::string complaint() const {
    try {
      find_state(LoopKind::airfoil, mesh, file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  }
};

}  // namespace

TEST_CASE("A state that was written is found again to the last bit, and all that follows from it",
          "[indirect][state]") {
  const LoopKind kind = GENERATE(from_range(members<LoopKind>()));
  CAPTURE(name(kind));
  const mesh::Mesh mesh = mesh_of(kind);
  const State state = another_state(kind, mesh);
  const Case expected = make_case(kind, mesh, &state), own = make_case(kind, mesh);

  const State found = find_state(kind, mesh, file_of(mesh, state));

  REQUIRE(found.size() == state.size());
  for (std::size_t f = 0; f < state.size(); ++f) CHECK(found[f].values == state[f].values);
  const Case data = make_case(kind, mesh, &found);
  bool differs = false;
  for (std::size_t i = 0; i < data.values.size(); ++i) {
    CHECK(data.values[i].values == expected.values[i].values);
    differs = differs || data.values[i].values != own.values[i].values;
  }
  CHECK(differs);
  if (kind == LoopKind::airfoil) CHECK(data.values[2].values != own.values[2].values);  // sums of speeds
  const State again = state_of(kind, data, mesh);
  for (std::size_t f = 0; f < state.size(); ++f) CHECK(again[f].values == state[f].values);
}

TEST_CASE("The loop's own state, found in a file, makes its own case", "[indirect][state]") {
  const LoopKind kind = GENERATE(from_range(members<LoopKind>()));
  CAPTURE(name(kind));
  const mesh::Mesh mesh = mesh_of(kind);
  const Case own = make_case(kind, mesh);
  const State found = find_state(kind, mesh, file_of(mesh, state_of(kind, own, mesh)));
  const Case data = make_case(kind, mesh, &found);
  for (std::size_t i = 0; i < data.values.size(); ++i) CHECK(data.values[i].values == own.values[i].values);
}

TEST_CASE("Increments are the components of a loop's result by their names", "[indirect][state]") {
  const LoopKind kind = GENERATE(from_range(members<LoopKind>()));
  CAPTURE(name(kind));
  const mesh::Mesh mesh = mesh_of(kind);
  const Case data = make_case(kind, mesh);
  const auto loop =
      bind(kind, data, Precision::fp64, Layout::aos, make_plan(data.map, data.to_size, {Strategy::serial}));
  loop->clear();
  loop->run({});
  const std::vector<double> result = loop->result();
  const std::vector<FieldValues> fields = increments_of(kind, result, data, mesh);

  int components = 0;
  for (const FieldValues& field : fields) components += field.components;
  CHECK(std::size_t(components) * data.to_size == result.size());
  CHECK(fields.size() == increment_fields(kind).size());
  const std::size_t last = data.to_size - 1;
  if (kind == LoopKind::corner_acceleration) {
    CHECK(fields[0].name == "mass");
    CHECK(fields[0].values[last] == result[last]);
    CHECK(fields[1].name == "force");
    CHECK(fields[1].values[2 * last + 1] == result[data.to_size + 2 * last + 1]);
  } else {
    CHECK(fields[0].values[last * std::size_t(fields[0].components)] == result[last * std::size_t(components)]);
    CHECK(fields.back().values.back() == result.back());
  }
}

TEST_CASE("Corners of a file's cells are those of the mesh's, wherever either begins to count", "[indirect][state]") {
  const mesh::Mesh mesh = mesh_of(LoopKind::corner_acceleration);
  const State state = another_state(LoopKind::corner_acceleration, mesh);
  mesh::Vtu file = file_of(mesh, state);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const auto turn = static_cast<std::ptrdiff_t>(e % 4);
    std::rotate(file.listed[e], file.listed[e] + turn, file.listed[e] + 4);
    for (mesh::VtuArray& array : file.cell_data) {
      double* const values = &array.values[4 * e];
      std::rotate(values, values + turn, values + 4);
    }
  }
  const State found = find_state(LoopKind::corner_acceleration, mesh, file);
  for (std::size_t f = 0; f < state.size(); ++f) CHECK(found[f].values == state[f].values);
}

TEST_CASE("A state on another mesh is refused with its first difference", "[indirect][state]") {
  Airfoil other;
  CHECK(other.complaint() == "nothing");
  other.file.mesh.vertices[3][1] += 1e-3;
  CHECK_THAT(other.complaint(), contains("point 4 is at (1, 0.501, 0), in the mesh at (1, 0.5, 0); accepted is"));
  other.file.mesh.vertices[3] = other.mesh.vertices[3];
  other.file.mesh.vertices[3][1] += 1e-7;  // single precision
  CHECK(other.complaint() == "nothing");
  std::swap_ranges(other.file.listed[0], other.file.listed[0] + 4, other.file.listed[1]);
  CHECK_THAT(other.complaint(), contains("cell 1 is between other points than in the mesh"));

  Airfoil larger;
  larger.mesh = mesh::make_rectangle(mesh::CellKind::quadrilateral, 1, 3);
  CHECK_THAT(larger.complaint(), contains("2 cells where the mesh has 3"));
  larger.mesh = mesh::make_rectangle(mesh::CellKind::triangle, 1, 1);
  CHECK_THAT(larger.complaint(), contains("cells of the kind quadrilateral; accepted are those of the mesh"));
  Airfoil slit;  // as many cells
  slit.mesh.vertices.push_back({0, 0, 0});
  CHECK_THAT(slit.complaint(), contains("6 points where the mesh has 7; accepted are the points of the mesh"));
}

TEST_CASE("A state that is none is refused with field and cell", "[indirect][state]") {
  const auto with = [](const char* field, std::size_t place, double value) {
    Airfoil one;
    one[field].values[place] = value;
    return one.complaint();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(with("energy", 1, nan), contains("energy of cell 2: nan; accepted is a finite number"));
  CHECK_THAT(with("density", 1, 0), contains("density of cell 2: 0; accepted is a number > 0"));
  CHECK_THAT(with("density", 0, -1), contains("density of cell 1: -1"));
  CHECK_THAT(with("momentum", 5, 0.5), contains("momentum of cell 2: 0.5; accepted is 0 in the plane"));
  CHECK_THAT(with("energy", 0, 0.5), contains("cell 1: its pressure would be 0 Pa; accepted are numbers > 0"));
  CHECK(with("energy", 0, 0.51) == "nothing");

  Airfoil missing;
  missing["energy"].name = "e";
  CHECK_THAT(missing.complaint(),
             contains("no energy; it has cell data 'density' (1), 'momentum' (3), 'e' (1) and point data nothing; "
                      "accepted are cell data density (1), cell data momentum (2), cell data energy (1)"));
  Airfoil other;
  std::swap(other["energy"].components, other["momentum"].components);
  CHECK_THAT(other.complaint(), contains("another number of components of momentum"));

  const mesh::Mesh plane = mesh_of(LoopKind::shallow_water);
  State dry = another_state(LoopKind::shallow_water, plane);
  dry[0].values[2] = 0;
  CHECK_NOTHROW(find_state(LoopKind::shallow_water, plane, file_of(plane, dry)));
  dry[0].values[2] = -1e-9;
  CHECK_THROWS_WITH(find_state(LoopKind::shallow_water, plane, file_of(plane, dry)),
                    contains("depth of cell 3: -1e-09; accepted is a number >= 0"));
}

TEST_CASE("A case refuses fields that are not its loop's", "[indirect][state]") {
  const mesh::Mesh mesh = mesh_of(LoopKind::euler_flux);
  State state = another_state(LoopKind::euler_flux, mesh);
  state[1].values.pop_back();
  CHECK_THROWS_AS(make_case(LoopKind::euler_flux, mesh, &state), InputError);
  state.pop_back();
  CHECK_THROWS_AS(make_case(LoopKind::euler_flux, mesh, &state), InputError);
}
