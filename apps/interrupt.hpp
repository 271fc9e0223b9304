// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <mutex>

/// SIGINT (Ctrl-C) and SIGTERM end the program at once, whatever it is at, but print first what a command keeps for its
/// end. A thread of its own waits for them: no other thread ever sees them, so that no handler interrupts anything, nor
/// does one of a library (METIS's, for one) take their place.
namespace miniapp::apps {

/// Starts to wait for them. To be called before any other thread starts. A signal that the caller has the program
/// ignore stays ignored. A second one ends the program without printing.
void watch_signals();

/// While it lives, a signal that ends the program first calls `print`, which prints the rows that are done; false:
/// there are none.
class PrintedOnSignal {
 public:
  explicit PrintedOnSignal(std::function<bool()> print);
  ~PrintedOnSignal() { release(); }
  PrintedOnSignal(const PrintedOnSignal&) = delete;
  PrintedOnSignal& operator=(const PrintedOnSignal&) = delete;

  /// From now on the signal prints nothing: the command does.
  void release();
};

/// To be held while rows change: no signal prints them meanwhile.
std::unique_lock<std::mutex> hold_rows();

}  // namespace miniapp::apps
