// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/options.hpp"
#include "miniapp/weakform/case.hpp"

/// What a user gives of an equation that is solved: kappa, f, and conditions on groups of the mesh's file.
namespace miniapp::apps {

/// The words of these options, as given.
struct FormWords {
  std::vector<std::string> coefficient, dirichlet, neumann, robin;
  std::string source, exact;
  bool any() const;
  /// Whether kappa has numbers per cell from a file.
  bool has_file() const;
};

void add_problem_options(Options& options, FormWords& words);

/// The problem that the words say on this mesh. Errors: InputError naming the option, its value and what is accepted.
weakform::UserProblem parse_problem(const FormWords& words, weakform::FormKind form, const mesh::Mesh& mesh);

}  // namespace miniapp::apps
