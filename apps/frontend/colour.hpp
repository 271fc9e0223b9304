// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <streambuf>
#include <string>

namespace miniapp::apps {

/// Whether standard output is a terminal that shows colours, and nobody asks for none (NO_COLOR, no-color.org).
bool shows_colours();

/// The line with verdicts and bars in colours of ANSI terminals (ECMA-48).
std::string colour(const std::string& line);

/// Passes lines on, in colours.
class ColouredLines : public std::streambuf {
 public:
  explicit ColouredLines(std::streambuf& to) : to_(to) {}

 protected:
  int overflow(int c) override;
  int sync() override;

 private:
  bool pass_on();

  std::streambuf& to_;
  std::string line_;
};

}  // namespace miniapp::apps
