// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/frontend/command_line.hpp"
#include "apps/frontend/commands.hpp"

namespace miniapp::apps {

/// All commands that this program has, the main job first. One object reads one command line, since reading it sets
/// variables of the commands.
class AllCommands {
 public:
  /// A command with its options.
  struct Entry {
    Options options;
    Command (*add)(Options&);
    bool takes_ranks = false;
    bool computes = true;  ///< whether it computes on a device
    Command command = {};
  };

  AllCommands();
  AllCommands(const AllCommands&) = delete;
  AllCommands& operator=(const AllCommands&) = delete;

  /// Reads a command line. `words`: what follows the program's name. Errors: as parse_command_line().
  CommandLine parse(const std::vector<std::string>& words) const;
  /// The command of these options, which parse() returned.
  const Entry& of(const Options& options) const;

 private:
  std::vector<Entry> entries_;
  std::vector<Options*> options_;  ///< options of the commands that this program has
};

/// Runs a command line in this process, where Kokkos runs already; what it prints goes to std::cout. `words`: what
/// follows the program's name. Errors: InputError (NoRoom, where memory is too small) and ResultError, their messages
/// naming the option at fault.
void run_within(const std::vector<std::string>& words);

}  // namespace miniapp::apps
