// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/options.hpp"

namespace miniapp::apps {

/// What the command line asks for.
struct CommandLine {
  Options* command;  ///< the one to run; none: `text` is printed instead
  std::string text;  ///< what --help or --version prints
};

/// Reads the command line, and the config file that it names, into the options of the command that it calls.
/// `words`: what follows the program's name. `commands`: all of them, the main job first. Errors: InputError naming the
/// option, its value and what is accepted.
CommandLine parse_command_line(const std::vector<std::string>& words, const std::vector<Options*>& commands,
                               const std::string& version);

}  // namespace miniapp::apps
