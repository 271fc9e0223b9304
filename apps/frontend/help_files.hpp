// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/options.hpp"

/// What explains the options: --help, and the files that an install has beside the program, of one table.
namespace miniapp::apps {

/// A script for bash that completes commands, options, values and names of files. `commands`: the main job first.
std::string bash_completion(const std::vector<Options*>& commands);

/// What --help prints, as wide as report::page_width(): of the main job the commands, then the usual options, or `all`.
/// `commands`: the main job first.
std::string help_page(Options& options, const std::vector<Options*>& commands, bool all);

/// A page for man(1), in the macros of groff_man(7).
std::string man_page(const std::vector<Options*>& commands, const std::string& version);

}  // namespace miniapp::apps
