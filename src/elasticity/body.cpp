// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/body.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/agree.hpp"
#include "elasticity/free_motion.hpp"
#include "mesh/box.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/elasticity/side_integral.hpp"
#include "miniapp/geometry/prism.hpp"
#include "space/conditions.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::elasticity {
namespace {

void check_material(const Material& material) {
  const std::string density = fmt::format("{:g}", material.density), from_zero = "accepted are numbers from 0 on";
  const bool is_mass = material.density >= 0 && std::isfinite(material.density);
  require(is_mass || material.group.empty(), "material", material.group, "density " + density + ": " + from_zero);
  require(is_mass, "density", density, from_zero);
  try {
    make_lame(material.young, material.poisson);
  } catch (const InputError& error) {
    throw InputError("material", material.group, error.what());
  }
}

void check_data(const Body& body, const mesh::Mesh& mesh) {
  require(mesh.kind == mesh::CellKind::prism, "mesh", "",
          std::string(mesh::cell(mesh.kind).names) + "; accepted are prisms");
  check_material(body.material);
  bool has_density = body.material.density > 0;
  for (const Material& material : body.of_groups) {
    space::require_group(mesh, "material", material.group, 3);
    check_material(material);
    has_density = has_density || material.density > 0;
  }
  for (const Holding& holding : body.held) space::require_group(mesh, "held", holding.group, 2);
  for (const Traction& traction : body.tractions) space::require_group(mesh, "traction", traction.group, 2);
  const mesh::Point& g = body.gravity;
  const std::string text = fmt::format("{:g},{:g},{:g}", g[0], g[1], g[2]);
  for (const double component : g) require(std::isfinite(component), "gravity", text, "accepted are finite numbers");
  require(has_density || g == mesh::Point{}, "gravity", text, "without a density; accepted is one above 0");
}

/// Refuses tractions between elements, which would count for both. `surface` is ascending.
void check_tractions(const Body& body, const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& surface) {
  for (const Traction& traction : body.tractions)
    for (const mesh::CellSide& side : mesh.find_group(traction.group)->sides)
      space::require_on_surface(mesh, surface, "traction", traction.group, side);
}

/// (vertex): the number of the part of the mesh that it belongs to; parts share no vertex.
std::vector<Index> parts_of(const mesh::Mesh& mesh) {
  std::vector<Index> root(mesh.vertices.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](Index v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int v = 1; v < mesh.element_to_vertex.arity; ++v)
      root[find(mesh.element_to_vertex[e][v])] = find(mesh.element_to_vertex[e][0]);
  std::vector<Index> part(root.size(), -1);
  Index parts = 0;
  for (const Index v : mesh.element_to_vertex.entries)
    if (const Index own = find(v); part[own] < 0) part[own] = parts++;
  for (const Index v : mesh.element_to_vertex.entries) part[v] = part[find(v)];
  return part;
}

/// Refuses a body, or a part of it, that can move as a rigid one.
void check_motions(const Body& body, const mesh::Mesh& mesh) {
  const mesh::Box box(mesh);
  const double size = std::max({box.side(0), box.side(1), box.side(2)});
  const bool is_whole = mesh.part.ranks.is_alone();
  const std::vector<Index> part = is_whole ? parts_of(mesh) : std::vector<Index>(mesh.vertices.size(), 0);
  const Index parts = is_whole ? *std::max_element(part.begin(), part.end()) + 1 : 1;
  std::vector<HeldMotions> motions(static_cast<std::size_t>(parts));
  std::vector<std::string> names;
  for (const Holding& holding : body.held) {
    names.push_back(holding.group);
    for (const mesh::CellSide& side : mesh.find_group(holding.group)->sides)
      for (const Index v : mesh::side_vertices(mesh, side)) {
        if (v < 0) continue;
        mesh::Point x;
        for (int d = 0; d < 3; ++d) x[d] = (box.relative(mesh.vertices[v], d) - 0.5) * box.side(d) / size;
        for (int c = 0; c < 3; ++c)
          if (holding.components[c]) motions[part[v]].hold(x, c);
      }
  }
  for (std::size_t p = 0; p < motions.size(); ++p) {
    mesh.part.ranks.reduce(Reduction::sum, motions[p].data(), HeldMotions::motions * HeldMotions::motions);
    const std::string left = motions[p].left();
    std::string part_text = "the body";
    if (parts > 1) {
      const auto at = std::find(part.begin(), part.end(), static_cast<Index>(p)) - part.begin();
      const mesh::Point& x = mesh.vertices[static_cast<std::size_t>(at)];
      part_text = fmt::format("one of {} parts of the mesh, that with ({:g}, {:g}, {:g}),", parts, x[0], x[1], x[2]);
    }
    require(left.empty(), "held", fmt::format("{}", fmt::join(names, ", ")),
            fmt::format("leaves {} free {}; accepted is what stops every rigid motion", part_text, left));
  }
}

/// (node, component): 1 where it is held, on this rank or another.
std::vector<char> find_held(const Body& body, const mesh::Mesh& mesh, const space::Space& space) {
  std::vector<char> held(space.num_entries(), 0);
  for (const Holding& holding : body.held)
    for (const Index node : space::side_nodes(space, mesh.find_group(holding.group)->sides))
      for (int c = 0; c < 3; ++c)
        if (holding.components[c]) held[space.entry(node, c)] = 1;
  return space::of_any_rank(space, std::move(held));
}

Prisms prisms_of(const Body& body, const mesh::Mesh& mesh) {
  Prisms prisms = make_prisms(mesh, body.material.young, body.material.poisson);
  for (const Material& material : body.of_groups) {
    const Lame lame = make_lame(material.young, material.poisson);
    for (const Index cell : mesh.find_group(material.group)->cells) {
      prisms.materials[2 * std::size_t(cell)] = lame.lambda;
      prisms.materials[2 * std::size_t(cell) + 1] = lame.mu;
    }
  }
  return prisms;
}

/// Adds rho g of this rank's elements.
void add_gravity(const Body& body, const mesh::Mesh& mesh, const PreparedBody& made, std::vector<double>& force) {
  std::vector<double> density(mesh.num_elements(), body.material.density);
  for (const Material& material : body.of_groups)
    for (const Index cell : mesh.find_group(material.group)->cells) density[cell] = material.density;
  const basis::PrismTables tables = basis::make_prism_tables(made.space.order);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Index* const nodes = made.space.element_to_node.host()[e];
    for (int q = 0; q < tables.num_points; ++q) {
      const auto [x, y, z] = tables.points[q];
      double J[3][3], inverse[3][3];
      geometry::prism_jacobian(&made.prisms.vertices[e * geometry::prism_numbers], x, y, z, J);
      const double mass = density[e] * tables.weights[q] * invert(J, inverse);
      for (int r = 0; r < tables.num_functions; ++r)
        for (int c = 0; c < 3; ++c)
          force[made.space.entry(nodes[r] < 0 ? ~nodes[r] : nodes[r], c)] +=
              mass * body.gravity[c] * tables.value(q, r);
    }
  }
}

/// Adds a traction of this rank's sides.
void add_traction(const Traction& traction, const mesh::Mesh& mesh, const space::Space& space,
                  std::vector<double>& force) {
  const std::vector<double> forces =
      integrate_sides(mesh, space, mesh.find_group(traction.group)->sides,
                      [&](std::size_t, const mesh::Point& x, const mesh::Point& n) {
                        const mesh::Point t = traction.value(x, n);
                        require(std::isfinite(t[0] + t[1] + t[2]), "traction", traction.group,
                                fmt::format("({:g}, {:g}, {:g}) at ({:g}, {:g}, {:g}); accepted are finite numbers",
                                            t[0], t[1], t[2], x[0], x[1], x[2]));
                        return t;
                      });
  for (std::size_t i = 0; i < force.size(); ++i) force[i] += forces[i];
}

}  // namespace

void check(const Body& body, const mesh::Mesh& mesh) {
  const Communicator& ranks = mesh.part.ranks;
  agree(ranks, [&] { check_data(body, mesh); });
  if (!body.tractions.empty()) {
    const std::vector<mesh::CellSide> surface = space::surface_sides(mesh);
    agree(ranks, [&] { check_tractions(body, mesh, surface); });
  }
  check_motions(body, mesh);
}

PreparedBody prepare(const Body& body, const mesh::Mesh& mesh, int order) {
  const Communicator& ranks = mesh.part.ranks;
  check(body, mesh);
  PreparedBody made;
  agree(ranks, [&] { made.prisms = prisms_of(body, mesh); });
  made.space = space::make_space(mesh, order, 3, space::Boundary::neumann, Layout::aos);
  made.held = find_held(body, mesh, made.space);
  std::vector<char> nodes;
  std::int64_t held = 0;
  for (Index node = 0; node < made.space.num_nodes; ++node) {
    const char* const flags = &made.held[made.space.entry(node, 0)];
    nodes.push_back(flags[0] && flags[1] && flags[2]);
    if (made.space.owns(node)) held += flags[0] + flags[1] + flags[2];
  }
  made.dofs = ranks.sum(3 * made.space.num_owned() - held);
  require(made.dofs > 0, InputError("every node is held; accepted is a body with some that are free", "held"));
  space::hold(made.space, nodes);

  std::vector<double> force(made.space.num_entries(), 0);
  agree(ranks, [&] {
    for (const Traction& traction : body.tractions) add_traction(traction, mesh, made.space, force);
    if (body.gravity != mesh::Point{}) add_gravity(body, mesh, made, force);
  });
  made.force = space::sum_over_ranks(made.space, force);
  made.load = made.force;
  for (std::size_t i = 0; i < made.load.size(); ++i)
    if (made.held[i]) made.load[i] = 0;
  for (std::size_t i = 0; i < force.size(); ++i) made.total[i % 3] += force[i];
  ranks.reduce(Reduction::sum, made.total.data(), 3);
  return made;
}

}  // namespace miniapp::elasticity
