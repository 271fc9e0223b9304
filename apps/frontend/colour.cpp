// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/colour.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <regex>
#include <vector>

namespace miniapp::apps {

bool shows_colours() {
  const char *const none = std::getenv("NO_COLOR"), *const terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(none && *none) && terminal && *terminal && std::strcmp(terminal, "dumb") != 0;
}

std::string colour(const std::string& line) {
  struct Rule {
    std::regex what;
    const char* as;
  };
  // never destroyed, as output may be flushed after main() has ended
  static const auto& rules = *new std::vector<Rule>{
      {std::regex("(WRONG|NOT CONVERGED|DIVERGED|BROKE DOWN)"), "\x1b[1;31m$1\x1b[0m"},  // bold red
      {std::regex("(: |all \\d+ |^)(right|converged)\\b"), "$1\x1b[32m$2\x1b[0m"},       // green
      {std::regex("\\[(#+)"), "[\x1b[36m$1\x1b[0m"},                                     // cyan
  };
  std::string text = line;
  for (const auto& rule : rules) text = std::regex_replace(text, rule.what, rule.as);
  return text;
}

bool ColouredLines::pass_on() {
  const std::string text = colour(line_);
  line_.clear();
  return to_.sputn(text.data(), static_cast<std::streamsize>(text.size())) == static_cast<std::streamsize>(text.size());
}

int ColouredLines::overflow(int c) {
  if (c == traits_type::eof()) return traits_type::not_eof(c);
  line_ += static_cast<char>(c);
  return c == '\n' && !pass_on() ? traits_type::eof() : c;
}

int ColouredLines::sync() {
  const bool passed = line_.empty() || pass_on();
  return passed && to_.pubsync() == 0 ? 0 : -1;
}

}  // namespace miniapp::apps
