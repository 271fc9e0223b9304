// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::apps {

/// One line on a terminal, written over and over: what runs, how many of how many, and since when. Nothing where stderr
/// is no terminal, or quiet.
class Progress {
 public:
  Progress(std::size_t total, bool quiet)
      : total_(total), shown_(!quiet && isatty(STDERR_FILENO)), start_(measure::now()) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows that `what` is being worked on.
  void next(const std::string& what) {
    ++done_;
    if (!shown_) return;
    clear();
    const std::string line =
        fmt::format("  {} of {}: {}; {:.0f} s so far", done_, total_, what, measure::now() - start_);
    width_ = line.size();
    std::cerr << line << std::flush;
  }
  /// To be called before anything else is printed.
  void clear() {
    if (width_ > 0) std::cerr << '\r' << std::string(width_, ' ') << '\r' << std::flush;
    width_ = 0;
  }

 private:
  std::size_t total_, done_ = 0, width_ = 0;
  bool shown_;
  double start_;
};

}  // namespace miniapp::apps
