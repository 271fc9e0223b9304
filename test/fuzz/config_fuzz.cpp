// SPDX-License-Identifier: BSD-3-Clause
/// Config files: bytes -> apply_config() and the check of a command. A first line "# streaming" names the command.
#include "fuzz/commands.hpp"
#include "fuzz/finding.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace miniapp;
  const std::string text(fuzz::text(bytes, size));
  std::string command;
  for (const std::string name : {"info", "streaming", "indirect", "elasticity", "solver", "weakform"})
    if (text.rfind("# " + name + "\n", 0) == 0) command = name;
  fuzz::check_config(text, command);
  return 0;
}
