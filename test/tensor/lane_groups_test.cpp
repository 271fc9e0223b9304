// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/lanes/lane_groups.hpp"

#include <set>
#include <thread>
#include <utility>

#include "support/catch.hpp"
#include "support/meshes.hpp"

using tensor::Access;
using tensor::LaneGroups;

namespace {

mesh::Mesh make_mesh(const std::string& which) {
  if (which == "one element") return make_turned_box(1, 1, 1);
  if (which == "chain") return make_shaken_box(33, 1, 1);
  if (which == "shaken box") return make_shaken_box(9, 5, 4);
  if (which == "turned box") return make_turned_box(7, 3, 2);
  return make_fan(5, 7);
}
std::string any_mesh() {
  return GENERATE(as<std::string>(), "one element", "chain", "shaken box", "turned box", "fan");
}
int any_width() { return GENERATE(2, 4, 8, 16); }

/// Vertices of all elements of a group, as often as elements have them.
std::vector<Index> vertices(const mesh::Mesh& mesh, const LaneGroups& groups, int group) {
  std::vector<Index> all;
  for (int l = 0; l < groups.width; ++l)
    if (const Index e = groups.elements[group * groups.width + l]; e >= 0)
      all.insert(all.end(), mesh.element_to_vertex[e], mesh.element_to_vertex[e] + 8);
  return all;
}

bool all_different(std::vector<Index> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

/// Node q of lane l of a group as its access gives it: ~node where masked, -1 where the lane is empty.
Index node_at(const LaneGroups& groups, int group, int n, int q, int l) {
  const int width = groups.width, row = q / n, i = q % n;
  if (groups.access[group] == Access::indexed) return groups.nodes[groups.offset[group] + std::size_t(q) * width + l];
  const Index node = groups.row_starts[groups.offset[group] + std::size_t(row) * width + l] + i;
  if (groups.access[group] == Access::rows) return node;
  const int part = i == 0 ? 0 : i < n - 1 ? 1 : 2;
  return groups.row_masks[groups.mask_offset[group] + row * 3 + part] >> l & 1 ? ~node : node;
}

/// Whether, by the groups' data, an earlier group visited node q of lane l.
bool met_before(const LaneGroups& groups, int group, int n, int q, int l) {
  const int width = groups.width;
  const std::size_t entry = groups.offset[group] / width + (groups.access[group] == Access::indexed ? q : q / n);
  if (groups.access[group] == Access::indexed) return groups.node_met[entry] >> l & 1;
  const bool bit = groups.met[entry * width + l] >> (q % n) & 1;
  const Onto onto = groups.onto[entry];
  return onto == Onto::mixed ? bit : onto == Onto::values;
}

}  // namespace

TEST_CASE("Every element is in exactly one lane", "[tensor][lane_groups]") {
  const int width = any_width();
  const int parts = GENERATE(1, 3);
  const mesh::Mesh mesh = make_mesh(any_mesh());

  const LaneGroups groups =
      tensor::make_lane_groups(mesh, space::make_space(mesh, 2, 1, Boundary::neumann), width, parts);

  std::multiset<Index> found;
  for (const Index e : groups.elements)
    if (e >= 0) found.insert(e);
  REQUIRE(groups.elements.size() == std::size_t(groups.size()) * width);
  CHECK(found.size() == mesh.num_elements());
  CHECK(std::set<Index>(found.begin(), found.end()).size() == mesh.num_elements());
  CHECK(*found.rbegin() == Index(mesh.num_elements()) - 1);
}

TEST_CASE("Lanes of a group share no vertex", "[tensor][lane_groups]") {
  const int width = any_width();
  const int parts = GENERATE(1, 3);
  const std::string which = any_mesh();
  const mesh::Mesh mesh = make_mesh(which);

  const LaneGroups groups =
      tensor::make_lane_groups(mesh, space::make_space(mesh, 1, 1, Boundary::neumann), width, parts);

  CAPTURE(which, width);
  for (int g = 0; g < groups.size(); ++g) CHECK(all_different(vertices(mesh, groups, g)));
}

TEST_CASE("Every second element of a row of a box joins a group", "[tensor][lane_groups]") {
  const mesh::Mesh mesh = make_shaken_box(16, 2, 2);

  const LaneGroups groups = tensor::make_lane_groups(mesh, space::make_space(mesh, 1, 1, Boundary::neumann), 4, 1);

  for (int g = 0; g < groups.size(); ++g)
    for (int l = 0; l < 4; ++l) CHECK(groups.elements[g * 4 + l] == g / 2 * 8 + g % 2 + 2 * l);
}

TEST_CASE("Parts are ranges of groups of equal size", "[tensor][lane_groups]") {
  const int parts = GENERATE(1, 2, 3, 7);
  const mesh::Mesh mesh = make_mesh(any_mesh());

  const LaneGroups groups = tensor::make_lane_groups(mesh, space::make_space(mesh, 1, 1, Boundary::neumann), 4, parts);

  REQUIRE(groups.parts() == parts);
  CHECK(groups.part_offsets.front() == 0);
  CHECK(groups.part_offsets.back() == groups.size());
  for (int part = 0; part < parts; ++part) {
    const int size = groups.part_offsets[part + 1] - groups.part_offsets[part];
    CHECK(std::abs(size - double(groups.size()) / parts) < 1);
  }
}

TEST_CASE("A part adds to nodes that no other part adds to, or to copies of its own", "[tensor][lane_groups]") {
  const int order = GENERATE(1, 2, 3), n = order + 1, width = any_width(), parts = GENERATE(2, 3, 5);
  const std::string which = any_mesh();
  const mesh::Mesh mesh = make_mesh(which);
  const space::Space space = space::make_space(mesh, order, 1, GENERATE(Boundary::neumann, Boundary::dirichlet));

  const LaneGroups groups = tensor::make_lane_groups(mesh, space, width, parts);

  const tensor::LaneCopies& copies = groups.copies;
  std::vector<int> writer(space.num_nodes, -1), copier(copies.size, -1);
  std::vector<Index> copied(copies.size, -1);  // the node of each copy
  bool apart = true, first_stores = true;
  const auto is_only = [](std::vector<int>& parts_of, Index place, int part) {
    const int before = std::exchange(parts_of[place], part);
    return before == -1 || before == part;
  };
  for (int part = 0; part < parts; ++part) {
    for (int g = groups.part_offsets[part]; g < groups.part_offsets[part + 1]; ++g) {
      const bool indexed = groups.access[g] == Access::indexed;
      for (int q = 0; q < n * n * n; ++q) {
        for (int l = 0; l < width; ++l) {
          const Index id = node_at(groups, g, n, q, l), node = id < 0 ? ~id : id;
          if (groups.elements[g * width + l] < 0 || (indexed && id < 0)) continue;
          const std::int64_t entry =
              copies.offset[g] < 0 ? -1 : copies.offset[g] + std::int64_t(indexed ? q : q / n) * width + l;
          if (entry < 0 || copies.places[entry] < 0) {
            apart = apart && is_only(writer, node, part);
            continue;
          }
          const Index copy = copies.places[entry] + (indexed ? 0 : q % n);
          apart = apart && is_only(copier, copy, part);
          first_stores = first_stores && (copies.met[entry] == 0) == (copied[copy] < 0);
          copied[copy] = node;
        }
      }
    }
  }
  CAPTURE(which, order, width, parts);
  CHECK(apart);
  CHECK(first_stores);
  std::size_t listed = 0;
  for (std::size_t i = 0; i < copies.nodes.size(); ++i)
    for (const std::int64_t copy : copies.of_node[i]) listed += copied[copy] == copies.nodes[i];
  CHECK(listed == static_cast<std::size_t>(copies.size));
}

TEST_CASE("One part has no copies", "[tensor][lane_groups]") {
  const mesh::Mesh mesh = make_mesh(any_mesh());

  const LaneGroups groups = tensor::make_lane_groups(mesh, space::make_space(mesh, 2, 1, Boundary::neumann), 8, 1);

  CHECK(groups.part_offsets == std::vector<Index>{0, groups.size()});
  CHECK(groups.copies.size == 0);
  CHECK(groups.copies.offset.empty());
}

TEST_CASE("Most groups of a large enough box are full", "[tensor][lane_groups]") {
  const int width = any_width();
  const mesh::Mesh mesh = make_shaken_box(16, 8, 8);

  const LaneGroups groups = tensor::make_lane_groups(mesh, space::make_space(mesh, 1, 1, Boundary::neumann), width, 1);

  CHECK(groups.size() <= int(mesh.num_elements()) / width + 8);  // eight colours, each with an incomplete group
}

TEST_CASE("Every kind of access leads to the nodes of the numbering", "[tensor][lane_groups]") {
  const int order = GENERATE(1, 2, 3, 5), n = order + 1, width = any_width();
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  const std::string which = any_mesh();
  const mesh::Mesh mesh = make_mesh(which);
  const space::Space space = space::make_space(mesh, order, 1, boundary);

  const LaneGroups groups = tensor::make_lane_groups(mesh, space, width, GENERATE(1, 3));

  bool right = true;
  for (int g = 0; g < groups.size(); ++g) {
    for (int l = 0; l < width; ++l) {
      const Index e = groups.elements[g * width + l];
      for (int q = 0; q < n * n * n; ++q)
        right = right && node_at(groups, g, n, q, l) == (e < 0 ? -1 : space.element_to_node.host()[e][q]);
    }
  }
  CAPTURE(which, order, width);
  CHECK(right);
}

TEST_CASE("Each node is met first by one group, and by no group of an earlier number", "[tensor][lane_groups]") {
  const int order = GENERATE(1, 2, 3, 5), n = order + 1, width = any_width();
  const std::string which = any_mesh();
  const mesh::Mesh mesh = make_mesh(which);
  const space::Space space = space::make_space(mesh, order, 1, GENERATE(Boundary::neumann, Boundary::dirichlet));

  const LaneGroups groups = tensor::make_lane_groups(mesh, space, width, GENERATE(1, 3));

  std::vector<bool> met(space.num_nodes, false);
  bool right = true;
  for (int g = 0; g < groups.size(); ++g) {
    for (int q = 0; q < n * n * n; ++q) {
      for (int l = 0; l < width; ++l) {
        const Index e = groups.elements[g * width + l];
        if (e < 0) continue;
        const Index id = space.element_to_node.host()[e][q], node = id < 0 ? ~id : id;
        right = right && met_before(groups, g, n, q, l) == met[node];
        met[node] = true;
      }
    }
  }
  CAPTURE(which, order, width);
  CHECK(right);
  CHECK(std::all_of(met.begin(), met.end(), [](bool m) { return m; }));
}

TEST_CASE("A group is accessed by rows if it is full and its rows are consecutive", "[tensor][lane_groups]") {
  const mesh::Mesh mesh = make_mesh("chain");
  const int width = 16;

  const LaneGroups free = tensor::make_lane_groups(mesh, space::make_space(mesh, 3, 1, Boundary::neumann), width, 1),
                   fixed = tensor::make_lane_groups(mesh, space::make_space(mesh, 3, 1, Boundary::dirichlet), width, 1);

  CHECK(free.access == std::vector<Access>{Access::rows, Access::rows, Access::indexed});  // 16 + 16 + 1 elements
  CHECK(fixed.access == std::vector<Access>{Access::masked_rows, Access::masked_rows, Access::indexed});
}

TEST_CASE("Operators of one discretisation share its groups, also when threads ask at once", "[tensor][lane_groups]") {
  const tensor::Discretisation d(make_mesh("shaken box"), tensor::Problem::bp3_0, 2, Boundary::dirichlet, 1);
  std::vector<std::shared_ptr<const LaneGroups>> of_threads(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < of_threads.size(); ++i)
    threads.emplace_back([&, i] { of_threads[i] = tensor::lane_groups(d, i % 2 == 0 ? 4 : 8); });
  for (std::thread& thread : threads) thread.join();

  for (std::size_t i = 2; i < of_threads.size(); ++i) CHECK(of_threads[i] == of_threads[i % 2]);
  CHECK(of_threads[0]->width == 4);
  CHECK(of_threads[1]->width == 8);
}
