// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <mutex>

/// SIGINT (Ctrl-C) and SIGTERM end the program at once, but first print the rows that a command keeps for its end. One
/// thread waits for both signals and no other thread receives them, so that no handler interrupts the work, and the
/// handlers of a library (such as METIS) are never called.
namespace miniapp::apps {

/// Starts to wait for them. To be called before any other thread starts. A signal that the caller has the program
/// ignore stays ignored. A second one ends the program without printing.
void watch_signals();

/// While it lives, a signal that ends the program first calls `print`, which prints the rows that are done; false:
/// there are none. Where several live, that of the command that a command runs is called before the other's.
class PrintedOnSignal {
 public:
  explicit PrintedOnSignal(std::function<bool()> print);
  ~PrintedOnSignal() { release(); }
  PrintedOnSignal(const PrintedOnSignal&) = delete;
  PrintedOnSignal& operator=(const PrintedOnSignal&) = delete;

  /// From now on the command prints the rows, and the signal does not.
  void release();
};

/// A lock to hold while rows change, so that no signal prints them meanwhile.
std::unique_lock<std::mutex> hold_rows();

}  // namespace miniapp::apps
