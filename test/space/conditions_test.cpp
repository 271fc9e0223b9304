// SPDX-License-Identifier: BSD-3-Clause
#include "space/conditions.hpp"

#include <algorithm>

#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/space/held.hpp"
#include "support/catch.hpp"

using namespace miniapp::space;

TEST_CASE("Prescribed values of two groups may differ by rounding, relative to the largest of all",
          "[space][conditions]") {
  const Space space = make_unknowns(3);
  const auto share = [&](double left, double right, double elsewhere) {
    PrescribedValues values(space);
    values.set("left", 0, 0, left, {});
    values.set("right", 0, 0, right, {});
    values.set("right", 2, 0, elsewhere, {});
    values.share({"left", "right"});
    CHECK(values.held() == std::vector<char>{1, 0, 1});
  };
  share(0.3, 0.1 + 0.2, 0);
  share(1e-12, 2e-12, 1);
  CHECK_THROWS_WITH(share(1e-12, 2e-12, 0), contains("dirichlet right: 2e-12 at (0, 0, 0), where left has 1e-12"));
  CHECK_THROWS_WITH(share(1, 1 + 1e-8, 0), contains("accepted is one value per node"));
}

TEST_CASE("A group that a mesh has not is refused, with those that it has", "[space][conditions]") {
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, 2, 2);
  CHECK_THROWS_WITH(require_group(mesh, "held", "tip", 1), contains("held tip: no group of sides; the mesh has none"));
  mesh.groups = {{"root", 1, {}, {{0, 0}}}, {"steel", 2, {0}, {}}, {"tip", 1, {}, {}}};
  CHECK(require_group(mesh, "held", "root", 1).sides.size() == 1);
  CHECK_THROWS_WITH(require_group(mesh, "held", "steel", 1),
                    contains("held steel: no group of sides; accepted are root, tip"));
  CHECK_THROWS_WITH(require_group(mesh, "material", "tip", 2),
                    contains("material tip: no group of elements; accepted are steel"));
}

TEST_CASE("Components of the nodes on sides are held, and nodes of which all are", "[space][conditions]") {
  const mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, 2, 2);
  for (const Layout layout : {Layout::aos, Layout::soa}) {
    const Space space = make_space(mesh, 1, 2, Boundary::neumann, layout);
    const std::vector<mesh::CellSide> sides{surface_sides(mesh).front()};
    const std::vector<Index> nodes = side_nodes(space, sides);
    std::vector<char> second = held_components(space, sides, {1});
    CHECK(std::count(second.begin(), second.end(), 1) == 2);
    for (const Index node : nodes) CHECK(second[space.entry(node, 1)] == 1);
    CHECK(held_nodes(space, second) == std::vector<char>(space.num_nodes, 0));
    second[space.entry(nodes[1], 0)] = 1;
    const std::vector<char> whole = held_nodes(space, second);
    CHECK(std::count(whole.begin(), whole.end(), 1) == 1);
    CHECK(whole[nodes[1]] == 1);
    CHECK_THROWS_WITH(held_components(space, sides, {2}), contains("components 2: accepted are 0 to 1"));
    CHECK_THROWS_WITH(held_nodes(space, {1}), contains("held 1: flags; accepted is one for each of the 18 entries"));
  }
}
