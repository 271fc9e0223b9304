// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tensor/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/expression.hpp"
#include "apps/frontend/groups.hpp"
#include "apps/frontend/progress.hpp"
#include "core/agree.hpp"
#include "core/printable.hpp"
#include "miniapp/mesh/read.hpp"
#include "miniapp/mesh/split.hpp"
#include "miniapp/space/space.hpp"
#include "runs/mesh_parts.hpp"

namespace miniapp::apps {

void add_problem_options(Options& options, TensorOptions& o) {
  const auto given = options.group("Your problem: -div(k grad u) + lambda u = f");
  given
      .optional(
          "--mesh", o.words.mesh,
          "A Gmsh file (2.2 or 4.1) of hexahedra, straight or of order 2..4, or of tetrahedra or prisms, each cut into "
          "4 or 6 of them, instead of the box")
      .input();
  given
      .optional("--coefficient", o.words.coefficient,
                "k > 0, everywhere or in a group of elements: EXPRESSION or GROUP=EXPRESSION in x, y, z, pi, as \"1 + "
                "x*y\"; @FILE: a number per element; may be repeated [1]")
      .repeated();
  given.optional("--source", o.words.source, "f: EXPRESSION or @FILE [0]");
  given
      .optional(
          "--dirichlet", o.words.dirichlet,
          "u on a group of sides: GROUP=EXPRESSION; of the box the groups are x0, x1, y0, y1, z0, z1; may be repeated")
      .repeated();
  given
      .optional("--neumann", o.words.neumann,
                "k du/dn on a group of sides: GROUP=EXPRESSION; may be repeated; sides without a condition have 0")
      .repeated();
  given
      .optional("--robin", o.words.robin,
                "k du/dn + alpha u = g on a group of sides: GROUP=ALPHA,G, two expressions; may be repeated")
      .repeated();
  given.optional("--exact", o.words.exact, "u, where it is known: EXPRESSION, for the errors of u and of its gradient");
  add_solution_options(given, o.output);
}

void read_mesh(TensorOptions& o) {
  const std::string& file = o.words.mesh;
  if (file.empty()) return;
  const Communicator ranks = Communicator::world().through(o.halo);
  const ReadingFile reading(file, o.quiet);
  int pieces = 1;
  mesh::Mesh mesh = runs::read_parts(ranks, o.partition, [&] {
    mesh::Mesh whole = of_option("--mesh", [&] { return mesh::read_gmsh(file); });
    if (whole.kind == mesh::CellKind::tetrahedron || whole.kind == mesh::CellKind::prism) {
      pieces = mesh::pieces_of(whole.kind);
      return mesh::split_into_hexahedra(whole);
    }
    of_option("--mesh " + printable(file, 200) + ":", [&] { space::require_matching_nodes(whole); });
    return whole;
  });
  require(mesh.kind == mesh::CellKind::hexahedron, "--mesh", printable(file, 200),
          fmt::format("of {}; accepted are hexahedra, and tetrahedra and prisms, which are cut into them",
                      mesh::cell(mesh.kind).names));
  o.mesh_pieces = static_cast<int>(ranks.of_all(Reduction::max, std::int64_t{pieces}));
  o.mesh_elements = ranks.sum(static_cast<std::int64_t>(mesh.num_elements()));
  o.mesh = std::make_shared<const mesh::Mesh>(std::move(mesh));
}

namespace {

/// Terms of an option that may be repeated, with groups of that dimension.
class Terms {
 public:
  Terms(const TensorOptions& o, const std::vector<mesh::Group>& groups) : o_(o), groups_(groups) {}

  std::vector<tensor::Term> of_elements(const std::string& option, const std::vector<std::string>& words) const {
    std::vector<tensor::Term> terms;
    for (const std::string& word : words) {
      const auto [group, text] = parse_optional_group(groups_, option, word, 3, "EXPRESSION or GROUP=EXPRESSION");
      terms.push_back({group, function(option, text)});
    }
    return terms;
  }
  std::vector<tensor::Term> of_sides(const std::string& option, const std::vector<std::string>& words) const {
    std::vector<tensor::Term> terms;
    for (const std::string& word : words) {
      const auto [group, text] = parse_group(groups_, option, word, 2, "GROUP=EXPRESSION");
      terms.push_back({group, function(option, text)});
    }
    return terms;
  }
  std::vector<tensor::Term> of_robin(const std::vector<std::string>& words) const {
    std::vector<tensor::Term> terms;
    for (const std::string& word : words) {
      const auto [group, text] = parse_group(groups_, "--robin", word, 2, "GROUP=ALPHA,G");
      const std::vector<std::string> pair = split_outside(text);
      require(pair.size() == 2 && !pair[1].empty(), "--robin", printable(word, 200),
              fmt::format("{}; accepted is GROUP=ALPHA,G",
                          pair.size() > 2 ? "with more than one comma" : "without a comma"));
      terms.push_back({group, function("--robin", pair[1]), function("--robin", pair[0])});
    }
    return terms;
  }

  tensor::FunctionPointer function(const std::string& option, const std::string& text) const {
    return parse_function(option, text, o_.elements() / o_.mesh_pieces, o_.mesh_pieces);
  }

 private:
  const TensorOptions& o_;
  const std::vector<mesh::Group>& groups_;
};

std::vector<mesh::Group> groups_of(const TensorOptions& o) {
  if (o.mesh) return o.mesh->groups;
  mesh::Mesh box;
  tensor::name_box_sides(box, 1, 1, 1);
  return box.groups;
}

bool has_file_per_element(const ProblemWords& words) {
  return names_file(words.source) || std::any_of(words.coefficient.begin(), words.coefficient.end(), names_file);
}

}  // namespace

void set_user(const Options& options, TensorOptions& o) {
  const ProblemWords& words = o.words;
  const std::vector<mesh::Group> groups = groups_of(o);
  const Terms terms(o, groups);
  o.user.coefficient = terms.of_elements("--coefficient", words.coefficient);
  o.user.dirichlet = terms.of_sides("--dirichlet", words.dirichlet);
  o.user.neumann = terms.of_sides("--neumann", words.neumann);
  o.user.robin = terms.of_robin(words.robin);
  if (!words.source.empty()) o.user.source = terms.function("--source", words.source);
  if (!words.exact.empty()) o.user.exact = terms.function("--exact", words.exact);
  if (!o.is_given()) return;
  const std::string what = o.mesh ? "--mesh FILE" : "a problem of your own";
  require(tensor::has_stiffness(o.problem), "--bp", name(o.problem).substr(2),
          fmt::format("the mass alone; accepted with {} are 3.0, 3.5, bp3, bp5", what));
  require(o.components == 1, "--components", o.components, fmt::format("accepted with {} is 1", what));
  options.refuse({"--rhs"}, fmt::format("of the bake-off problem; accepted without {}", what));
  options.refuse({"--boundary"},
                 fmt::format("of the bake-off problem; accepted with {} are --dirichlet, --neumann, --robin", what));
  if (o.user.has_data() && !options.given("--lambda")) o.lambda = 0;
  require(
      !o.user.has_data() || o.lambda > 0 || !o.user.dirichlet.empty() || !o.user.robin.empty(),
      InputError("--lambda 0 without --dirichlet and --robin leaves u open by a constant; accepted is one of these, or "
                 "--lambda > 0",
                 "--lambda"));
  if (has_file_per_element(words))
    options.refuse({"--reorder"}, "of elements that have values from a file; accepted without @FILE");
  o.boundary = !o.user.has_data() || !o.user.dirichlet.empty() ? space::Boundary::dirichlet : space::Boundary::neumann;
}

void set_fields(TensorOptions& o) {
  if (o.output.file.empty()) return;
  const std::string file = printable(o.output.file, 200);
  require(o.solves(), "--output", file,
          "there is no solution with --verify-only or --no-solve; accepted is without them");
  require(!o.sweep && o.variants.size() == 1, "--output", file,
          "of several solutions; accepted is one order, one kernel, no sweep");
  require(o.components == 1, "--output", file, fmt::format("of {} components; accepted is 1", o.components));
  o.keeps_solution = true;
}

}  // namespace miniapp::apps
