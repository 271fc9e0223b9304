// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace miniapp::fuzz {

/// A folder of this process for the files that inputs refer to; the working directory from the first call on.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Removes what an input left behind. Reports a file that was there before and is changed, and, where
  /// `refused`, any new one.
  void clean(bool refused) const;

 private:
  std::string path_;
};
const Scratch& scratch();

/// Parses a command line and lets the command check its options, as the program does, but runs nothing. Reports
/// refusals that do not show as one printable line, other exceptions, and options that passed the check and break their
/// own limits. Slashes in words are replaced, so that they name files of the scratch folder only.
void check_command_line(std::vector<std::string> words);

/// Checks the text of a config file like a command line of `command`, of the main job where that is empty.
void check_config(const std::string& text, const std::string& command);

}  // namespace miniapp::fuzz
