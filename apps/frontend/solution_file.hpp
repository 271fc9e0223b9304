// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "apps/frontend/options.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/space/vtu.hpp"

/// The file of --output: the fields of a solution for VTK and ParaView.
namespace miniapp::apps {

struct SolutionOptions {
  std::string file;  ///< empty: none
  space::Compress compress = space::Compress::none;
  std::string what = "solution";  ///< in messages
};

void add_solution_options(const Options::Group& group, SolutionOptions& variables);

/// Refuses a file that holds no fields by its name, or holds something else, and a compression that this build does not
/// have. Collective. Errors: InputError.
void check_solution(const SolutionOptions& o, const Options& options);

/// Writes what make() returns, of several ranks a file of each, FILE_RANK.vtu for FILE.pvtu, and their list. Returns
/// what it did. Collective. Errors: ResultError on all ranks; an existing file then stays as it was.
std::string write_solution(const SolutionOptions& o, const Communicator& ranks,
                           const std::function<std::string()>& make);

}  // namespace miniapp::apps
