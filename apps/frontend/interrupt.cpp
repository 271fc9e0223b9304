// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/interrupt.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, not of C
#include <unistd.h>

#include <iostream>
#include <system_error>
#include <thread>

#include "miniapp/core/communicator.hpp"

namespace miniapp::apps {
namespace {

/// Never destroyed: a signal may come while the program ends.
struct State {
  std::mutex rows;
  std::function<bool()> print;
};
State& state() {
  static State& state = *new State;
  return state;
}

sigset_t watched() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, number);
  }
  return set;
}

/// Ends the program by the signal's default action, so that a shell's loop ends too.
[[noreturn]] void end_by(int number) {
  raise(number);
  std::_Exit(128 + number);  // signals do not end the first process of a container
}

void wait_for(sigset_t set) {
  int number = 0;
  if (sigwait(&set, &number) != 0) return;
  for (const int each : {SIGINT, SIGTERM})
    if (sigismember(&set, each)) signal(each, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // a second one ends the program while this prints
  const std::unique_lock<std::mutex> lock = hold_rows();
  bool rows = false;
  try {
    rows = state().print && state().print();
  } catch (const std::exception&) {  // a wrong row, which has been reported
    rows = true;
  }
  std::cout.flush();
  // Of ranks the launcher tells why they end: by a signal to it, or since one of them failed.
  if (!miniapp::is_launched())
    std::cerr << "miniapp: ended by " << (number == SIGINT ? "SIGINT" : "SIGTERM")
              << (rows ? ", after what was done until then" : "") << std::endl;
  end_by(number);
}

}  // namespace

void watch_signals() {
  state();
  const sigset_t set = watched();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  try {
    std::thread([set] { wait_for(set); }).detach();
  } catch (const std::system_error&) {  // no memory for a thread: a signal ends the program without its rows
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
}

PrintedOnSignal::PrintedOnSignal(std::function<bool()> print) {
  const std::unique_lock<std::mutex> lock = hold_rows();
  state().print = std::move(print);
}

void PrintedOnSignal::release() {
  const std::unique_lock<std::mutex> lock = hold_rows();
  state().print = nullptr;
}

std::unique_lock<std::mutex> hold_rows() { return std::unique_lock(state().rows); }

}  // namespace miniapp::apps
