// SPDX-License-Identifier: BSD-3-Clause
#include "apps/elasticity/body.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "apps/frontend/expression.hpp"
#include "apps/frontend/groups.hpp"
#include "apps/frontend/progress.hpp"
#include "core/agree.hpp"
#include "core/printable.hpp"
#include "miniapp/mesh/read.hpp"
#include "runs/mesh_parts.hpp"

namespace miniapp::apps {

void add_body_options(Options& options, ElasticityOptions& o) {
  const auto body = options.group("A body of yours, instead of the cantilever: --solve --mesh FILE");
  body.optional("--mesh", o.words.mesh, "A Gmsh file (2.2 or 4.1) of prisms").input();
  body.optional("--held", o.words.held,
                "Sides that do not move: GROUP, or GROUP=x, GROUP=yz for single components; may be repeated")
      .repeated();
  body.optional("--traction", o.words.traction,
                "Force per area on a group of sides [Pa]: GROUP=TX,TY,TZ, expressions in x, y, z, pi; may be repeated")
      .repeated();
  body.optional("--pressure", o.words.pressure,
                "Pressure on a group of sides [Pa], against their normal: GROUP=EXPRESSION; may be repeated")
      .repeated();
  body.optional("--gravity", o.words.gravity, "Acceleration GX,GY,GZ [m/s^2], with --density");
  body.add("--density", o.body.material.density, "Density [kg/m^3], from 0 on",
           {[](double value) { return value >= 0; }, "numbers from 0 on"});
  body.optional("--material", o.words.material,
                "Another material of a group of elements: GROUP=E,NU or GROUP=E,NU,DENSITY; may be repeated")
      .repeated();
  add_solution_options(body, o.solution);
}

namespace {

using Groups = std::vector<mesh::Group>;

std::vector<double> parse_numbers(const std::string& option, const std::string& word, const std::string& text,
                                  const std::vector<std::size_t>& counts, const std::string& accepted) {
  std::vector<double> numbers;
  const InputError refusal(option, printable(word, 200), "accepted is " + accepted + ", numbers");
  for (const std::string& part : split(text)) {
    double value = 0;
    const char *const begin = part.data(), *const end = begin + part.size();
    const auto [stop, error] = std::from_chars(begin + (part[0] == '+'), end, value);
    require(error == std::errc() && stop == end && std::isfinite(value), refusal);
    numbers.push_back(value);
  }
  require(std::find(counts.begin(), counts.end(), numbers.size()) != counts.end(), refusal);
  return numbers;
}

std::function<double(const mesh::Point&)> parse_side_function(const std::string& option, const std::string& text) {
  require(!names_file(text), option, printable(text, 200),
          "a file of numbers per element; accepted are " + accepted_expressions);
  return [f = parse_function(option, text, 0), option, text](const mesh::Point& x) {
    const double value = f->at(0, x);
    require(std::isfinite(value), option, printable(text, 200),
            fmt::format("{} at ({:.6g}, {:.6g}, {:.6g}); accepted are finite numbers", value, x[0], x[1], x[2]));
    return value;
  };
}

elasticity::Holding parse_held(const Groups& groups, const std::string& word) {
  const std::string accepted = "accepted are GROUP and GROUP=COMPONENTS, letters of xyz";
  auto [group, text] = split_group(word);
  if (group.empty()) group = std::exchange(text, "xyz");
  require_group(groups, "--held", group, 2);
  require(!text.empty(), "--held", printable(word, 200), "nothing after the =; " + accepted);
  elasticity::Holding holding{group, {false, false, false}};
  for (const char c : text) {
    require(c >= 'x' && c <= 'z', "--held", printable(word, 200), "unknown components; " + accepted);
    require(!holding.components[c - 'x'], "--held", printable(word, 200),
            fmt::format("component {} twice; {}", c, accepted));
    holding.components[c - 'x'] = true;
  }
  return holding;
}

elasticity::Traction parse_traction(const Groups& groups, const std::string& word) {
  const std::string accepted = "GROUP=TX,TY,TZ";
  const auto [group, text] = parse_group(groups, "--traction", word, 2, accepted);
  const std::vector<std::string> parts = split_outside(text);
  require(parts.size() == 3, "--traction", printable(word, 200),
          fmt::format("of {} component{}; accepted is {}", parts.size(), parts.size() == 1 ? "" : "s", accepted));
  std::array<std::function<double(const mesh::Point&)>, 3> t;
  for (int c = 0; c < 3; ++c) t[c] = parse_side_function("--traction", parts[c]);
  return {group, [t](const mesh::Point& x, const mesh::Point&) { return mesh::Point{t[0](x), t[1](x), t[2](x)}; }};
}

elasticity::Traction parse_pressure(const Groups& groups, const std::string& word) {
  const auto [group, text] = parse_group(groups, "--pressure", word, 2, "GROUP=EXPRESSION");
  return {group, [p = parse_side_function("--pressure", text)](const mesh::Point& x, const mesh::Point& n) {
            const double value = p(x);
            return mesh::Point{-value * n[0], -value * n[1], -value * n[2]};
          }};
}

elasticity::Material parse_material(const Groups& groups, const std::string& word, double density) {
  const std::string accepted = "GROUP=E,NU or GROUP=E,NU,DENSITY";
  const auto [group, text] = parse_group(groups, "--material", word, 3, accepted);
  const std::vector<double> numbers = parse_numbers("--material", word, text, {2, 3}, accepted);
  return {group, numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : density};
}

mesh::Mesh read_mesh(const ElasticityOptions& o) {
  const std::string file = printable(o.words.mesh, 200);
  mesh::Mesh mesh = of_option("--mesh", [&] { return mesh::read_gmsh(o.words.mesh); });  // names the file
  require(mesh.kind == mesh::CellKind::prism, "--mesh", file,
          fmt::format("of {}; accepted are prisms", mesh::cell(mesh.kind).names));
  return mesh;
}

/// The body that the words say, of groups of its mesh.
elasticity::Body parse_body(const Options& options, const ElasticityOptions& o, const Groups& groups) {
  const BodyWords& words = o.words;
  elasticity::Body body;
  body.material = {"", o.young, o.poisson, o.body.material.density};
  for (const std::string& word : words.held) body.held.push_back(parse_held(groups, word));
  for (const std::string& word : words.traction) body.tractions.push_back(parse_traction(groups, word));
  for (const std::string& word : words.pressure) body.tractions.push_back(parse_pressure(groups, word));
  for (const std::string& word : words.material)
    body.of_groups.push_back(parse_material(groups, word, body.material.density));
  if (!words.gravity.empty()) {
    const std::string text = fmt::format("{}", fmt::join(words.gravity, ","));
    const std::vector<double> g = parse_numbers("--gravity", text, text, {3}, "GX,GY,GZ");
    body.gravity = {g[0], g[1], g[2]};
  } else {
    options.refuse({"--density"}, "of a weight; accepted with --gravity");
  }
  require(
      !body.held.empty(),
      InputError("--mesh without --held leaves the body free to move; accepted is --held GROUP of sides", "--held"));
  require(!body.tractions.empty() || body.gravity != mesh::Point{},
          InputError("--mesh without a load: accepted are --traction, --pressure, --gravity with --density", "--mesh"));
  return body;
}

}  // namespace

void set_body(const Options& options, ElasticityOptions& o) {
  const ReadingFile reading(o.words.mesh, o.quiet);
  mesh::Mesh part = runs::read_parts(o.ranks, o.partition, [&] {
    mesh::Mesh whole = read_mesh(o);
    elasticity::check(parse_body(options, o, whole.groups), whole);
    of_option("--mesh " + printable(o.words.mesh, 200) + ":",
              [&] { elasticity::make_prisms(whole, o.young, o.poisson); });
    return whole;
  });
  o.mesh = std::make_shared<const mesh::Mesh>(std::move(part));
  o.body = parse_body(options, o, o.mesh->groups);
}

std::string describe_body(const ElasticityOptions& o) {
  std::vector<std::string> loads;
  const auto list = [&](const std::string& what, const std::vector<std::string>& words) {
    for (const std::string& word : words) loads.push_back(what + printable(word, 60));
  };
  list("traction ", o.words.traction);
  list("pressure ", o.words.pressure);
  if (!o.words.gravity.empty()) loads.push_back(fmt::format("gravity {}", fmt::join(o.words.gravity, ",")));
  std::vector<std::string> held;
  for (const std::string& word : o.words.held) held.push_back(printable(word, 60));
  return fmt::format("held: {}; loads: {}", fmt::join(held, ", "), fmt::join(loads, ", "));
}

}  // namespace miniapp::apps
