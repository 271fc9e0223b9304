// SPDX-License-Identifier: BSD-3-Clause
/// Command lines: words between blanks -> parse_command_line() and the check of the command; '' is an empty word.
#include "fuzz/commands.hpp"
#include "fuzz/finding.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace miniapp;
  const std::string_view text = fuzz::text(bytes, size);
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t zero = word.find('\0');  // arguments end there
    if (!word.empty()) words.emplace_back(word == "''" ? "" : word.substr(0, zero));
    begin = end + 1;
  }
  fuzz::check_command_line(words);
  return 0;
}
