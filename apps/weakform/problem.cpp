// SPDX-License-Identifier: BSD-3-Clause
#include "apps/weakform/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/expression.hpp"
#include "apps/frontend/groups.hpp"
#include "core/printable.hpp"

namespace miniapp::apps {

bool FormWords::has_file() const { return std::any_of(coefficient.begin(), coefficient.end(), names_file); }

bool FormWords::any() const {
  return !coefficient.empty() || !dirichlet.empty() || !neumann.empty() || !robin.empty() || !source.empty() ||
         !exact.empty();
}

void add_problem_options(Options& options, FormWords& words) {
  const auto given = options.group("Your problem, with --solve --mesh FILE: its form with f0 - f, and f1 . n on sides");
  given
      .optional("--coefficient", words.coefficient,
                "kappa > 0, everywhere, or a factor of it in a group of cells: EXPRESSION or GROUP=EXPRESSION in x, y, "
                "z, pi; @FILE: a number per cell; may be repeated [1]")
      .repeated();
  given.optional("--source", words.source, "f, a value per component: EXPRESSION, or FX,FY,FZ [0]");
  given
      .optional("--dirichlet", words.dirichlet,
                "u on a group of sides: GROUP=EXPRESSION, or a value per component, GROUP=UX,UY,UZ, of which those "
                "left out, as in GROUP=UX,, are free; may be repeated")
      .repeated();
  given
      .optional("--neumann", words.neumann,
                "f1 . n on a group of sides, of neo-hookean the traction: GROUP=G or GROUP=GX,GY,GZ; may be repeated; "
                "sides without a condition have 0")
      .repeated();
  given
      .optional("--robin", words.robin,
                "f1 . n + alpha u on a group of sides: GROUP=ALPHA,G or GROUP=ALPHA,GX,GY,GZ; may be repeated")
      .repeated();
  given.optional("--exact", words.exact, "u, where it is known, a value per component, for the errors");
}

namespace {

/// Words as functions on a mesh.
class Parser {
 public:
  Parser(weakform::FormKind form, const mesh::Mesh& mesh)
      : dim_(mesh::dimension(mesh.kind)),
        components_(static_cast<std::size_t>(facts(form, dim_).components)),
        groups_(mesh.groups),
        cells_(mesh.part.ranks.sum(static_cast<std::int64_t>(mesh.num_elements()))) {}

  weakform::Function function(const std::string& option, const std::string& text) const {
    require(option == "--coefficient" || !names_file(text), option, printable(text, 200),
            "a file of numbers per cell; accepted with --coefficient");
    return
        [f = parse_function(option, text, cells_)](std::int64_t cell, const mesh::Point& x) { return f->at(cell, x); };
  }
  /// One per component, from part `first` of `text` on; `word` is what the option was given.
  std::vector<weakform::Function> components(const std::string& option, const std::string& word,
                                             const std::string& text, std::size_t first = 0) const {
    const std::vector<std::string> parts = split_outside(text);
    require(parts.size() == first + components_, option, printable(word, 200),
            fmt::format("of {} value{}; accepted {} {}{}", parts.size(), parts.size() == 1 ? "" : "s",
                        first + components_ == 1 ? "is" : "are", first > 0 ? "alpha and " : "", components_));
    std::vector<weakform::Function> functions;
    const bool may_be_free = option == "--dirichlet" && components_ > 1;
    for (std::size_t c = first; c < parts.size(); ++c)
      functions.push_back(may_be_free && parts[c].empty() ? weakform::Function() : function(option, parts[c]));
    require(std::any_of(functions.begin(), functions.end(), [](const auto& f) { return bool(f); }), option,
            printable(word, 200), "holds no component; accepted is a value of one at least");
    return functions;
  }
  weakform::Condition on_cells(const std::string& word) const {
    const auto [group, text] =
        parse_optional_group(groups_, "--coefficient", word, dim_, "EXPRESSION or GROUP=EXPRESSION", dim_);
    return {group, {function("--coefficient", text)}, {}, names_file(text)};
  }
  weakform::Condition on_sides(const std::string& option, const std::string& word) const {
    const bool has_alpha = option == "--robin";
    const auto [group, text] =
        parse_group(groups_, option, word, dim_ - 1, has_alpha ? "GROUP=ALPHA,G" : "GROUP=EXPRESSION", dim_);
    weakform::Condition condition{group, components(option, word, text, has_alpha ? 1 : 0)};
    if (has_alpha) condition.alpha = function(option, split_outside(text).front());
    return condition;
  }
  std::vector<weakform::Condition> all_on_sides(const std::string& option,
                                                const std::vector<std::string>& words) const {
    std::vector<weakform::Condition> conditions;
    for (const std::string& word : words) conditions.push_back(on_sides(option, word));
    return conditions;
  }

 private:
  int dim_;
  std::size_t components_;
  const std::vector<mesh::Group>& groups_;
  std::int64_t cells_;
};

}  // namespace

weakform::UserProblem parse_problem(const FormWords& words, weakform::FormKind form, const mesh::Mesh& mesh) {
  const Parser parser(form, mesh);
  weakform::UserProblem problem;
  for (const std::string& word : words.coefficient) problem.coefficient.push_back(parser.on_cells(word));
  problem.dirichlet = parser.all_on_sides("--dirichlet", words.dirichlet);
  problem.neumann = parser.all_on_sides("--neumann", words.neumann);
  problem.robin = parser.all_on_sides("--robin", words.robin);
  if (!words.source.empty()) problem.source = parser.components("--source", words.source, words.source);
  if (!words.exact.empty()) problem.exact = parser.components("--exact", words.exact, words.exact);
  return problem;
}

}  // namespace miniapp::apps
