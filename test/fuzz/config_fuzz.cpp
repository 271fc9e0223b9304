// SPDX-License-Identifier: BSD-3-Clause
/// Config files: bytes -> the file of --config. A first line "# streaming" names the command that reads it.
#include "fuzz/commands.hpp"
#include "fuzz/finding.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace miniapp;
  const std::string text(fuzz::text(bytes, size));
  fuzz::scratch().write(fuzz::config_name, text);
  std::vector<std::string> words = {"--config", fuzz::config_name};
  for (const char* command : {"info", "streaming", "indirect", "elasticity"})
    if (text.rfind(std::string("# ") + command + "\n", 0) == 0) words.insert(words.begin(), command);
  fuzz::check_command_line(words);
  return 0;
}
