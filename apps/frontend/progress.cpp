// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <system_error>

#include "apps/frontend/interrupt.hpp"
#include "core/printable.hpp"
#include "core/regions.hpp"
#include "miniapp/core/communicator.hpp"

namespace miniapp::apps {
namespace {

/// Seconds since some fixed time; unlike measure::now() it does not wait for the device.
double clock() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// What a line may have without going on in the next one; 0 where the terminal does not tell.
std::size_t most_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
  return size.ws_col - 1u;
}

}  // namespace

bool shows_progress(bool quiet) { return !quiet && launched_rank() == 0 && isatty(STDERR_FILENO); }

Progress::Progress(bool shown) : shown_(shown), start_(clock()) {
  if (!shown_) return;
  on_region([this](const std::string& region) {
    const auto held = hold_rows();
    region_ = region;
    region_begin_ = clock();
    line_.clear();
    part_ = 0;
  });
  try {
    ticker_ = std::thread([this] { tick(); });
  } catch (const std::system_error&) {  // no memory for a thread: the line changes with what runs
  }
}

void Progress::stop() {
  if (!shown_) return;
  on_region(nullptr);
  {
    const auto held = hold_rows();
    ended_ = true;
    clear();
  }
  end_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

void Progress::tick() {
  auto held = hold_rows();
  while (!end_.wait_for(held, std::chrono::seconds(1), [&] { return ended_; }))
    if (!what_.empty() || !line_.empty()) draw();
}

void Progress::prepare(const std::string& what) {
  what_ = what;
  draw();
}

void Progress::next(const std::string& what) {
  ++begun_;
  begin_ = clock();
  what_ = what;
  line_.clear();
  part_ = 0;
  draw();
}

void Progress::show(const std::string& line, double part) {
  line_ = line;
  part_ = part;
  draw();
}

void Progress::clear() {
  if (width_ > 0) std::cerr << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

/// "; 12 s so far, about 34 s left": by the part of all that is done, once it is a tenth; or by what the region tells,
/// which is of its own time; or as if runs took as long as those before, or as this one so far where that is longer.
std::string Progress::times() const {
  const double now = clock(), so_far = now - start_, in_run = now - begin_;
  const std::size_t runs = std::max({runs_, begun_, std::size_t(1)}), before = begun_ > 0 ? begun_ - 1 : 0;
  std::string text = fmt::format("; {:.0f} s so far", so_far);
  const double done = (double(before) + part_) / double(runs);
  if (part_ > 0 && done >= 0.1) return text + fmt::format(", about {:.0f} s left", so_far * (1 - done) / done);
  if (const double told = told_part(); told >= 0.05 && told <= 1)
    return text +
           fmt::format(", {:.0f} % done, about {:.0f} s more", 100 * told, (now - region_begin_) * (1 - told) / told);
  if (part_ > 0 || before == 0) return text;
  const double usual = (so_far - in_run) / double(before), later = double(runs - begun_);
  const double left = in_run <= usual ? usual - in_run + later * usual : later * so_far / double(begun_);
  return in_run <= usual || later > 0 ? text + fmt::format(", about {:.0f} s left", left) : text;
}

/// "  2 of 9: order 7, lanes: timing; 12 s so far, about 34 s left", shorter where the terminal is.
void Progress::draw() {
  if (!shown_) return;
  const std::string count = begun_ > 0 ? fmt::format("  {} of {}: ", begun_, runs_) : std::string("  "), end = times();
  std::string text = !line_.empty() ? line_ : region_.empty() ? what_ : what_ + ": " + region_;
  if (const std::size_t most = most_columns(); most > 0 && count.size() + text.size() + end.size() > most)
    text.resize(most > count.size() + end.size() ? most - count.size() - end.size() : 0);
  clear();
  const std::string all = count + text + end;
  width_ = all.size();
  std::cerr << all << std::flush;
}

void tell_residual(double residual, double tolerance) { tell_part(std::log(residual) / std::log(tolerance)); }

ReadingFile::ReadingFile(const std::string& file, bool quiet) : progress_(shows_progress(quiet)) {
  const auto held = hold_rows();
  progress_.prepare("reading " + printable(file, 60));
}

}  // namespace miniapp::apps
