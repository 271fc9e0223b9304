// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstddef>
#include <string>
#include <thread>

namespace miniapp::apps {

/// Whether this process writes it: the first rank, on a terminal, unless --quiet is given.
bool shows_progress(bool quiet);

/// The last line of a terminal, stderr: what runs, how many of how many, since when, and how long the rest may take.
/// Written anew every second, with the region of Kokkos Tools that the program is in, and how much of it is done where
/// it tells (core/regions.hpp). Who holds the rows (hold_rows()) calls its functions; who does not, its constructor and
/// stop().
class Progress {
 public:
  /// `shown`: otherwise it does nothing.
  explicit Progress(bool shown);
  ~Progress() { stop(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shown() const { return shown_; }
  /// How many runs there will be.
  void expect(std::size_t runs) { runs_ = runs; }
  /// What is done before the first run.
  void prepare(const std::string& what);
  /// The next run has begun.
  void next(const std::string& what);
  /// What the run does until the next region begins or ends; `part`: how much of it is done, 0 to 1.
  void show(const std::string& line, double part);
  /// Clears the line until the next second.
  void clear();
  /// Clears it for good.
  void stop();

 private:
  void draw();
  std::string times() const;
  void tick();

  const bool shown_;
  const double start_;
  double begin_ = 0, region_begin_ = 0;  ///< when this run, and the region, began
  std::size_t runs_ = 0, begun_ = 0;
  std::string what_, line_, region_;
  double part_ = 0;
  std::size_t width_ = 0;  ///< width of what is written
  bool ended_ = false;
  std::condition_variable end_;
  std::thread ticker_;
};

/// Tells the region how far a solver has come (core/regions.hpp): the logarithm of a relative residual falls steadily.
void tell_residual(double residual, double tolerance);

/// Says that a file is being read, as long as it lives.
class ReadingFile {
 public:
  ReadingFile(const std::string& file, bool quiet);

 private:
  Progress progress_;
};

}  // namespace miniapp::apps
