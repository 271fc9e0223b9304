// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/options.hpp"

/// Config files, in TOML: the keys at the top are options of the main job, those of a section [streaming] options of
/// that command, named as on the command line without dashes. A file may hold a suite of sections; the command line
/// alone says which command runs, and that takes its own section.
namespace miniapp::apps {

/// Sets those options of `command` that the file gives and that are not given yet. `commands`: all of them, the main
/// job first. Errors: InputError naming file, line, key and what is accepted: a file that cannot be read, that is not
/// TOML, a section or key that no command knows, a value of another type, nothing for this command.
void apply_config(const std::string& file, Options& command, const std::vector<Options*>& commands);

/// Applies the text of a file.
void apply_config(const std::string& text, const std::string& file, Options& command,
                  const std::vector<Options*>& commands);

}  // namespace miniapp::apps
