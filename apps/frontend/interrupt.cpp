// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, not of C
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "miniapp/core/communicator.hpp"

namespace miniapp::apps {
namespace {

/// Never destroyed: a signal may come while the program ends.
struct State {
  std::mutex rows;
  std::vector<std::pair<const PrintedOnSignal*, std::function<bool()>>>
      prints;  ///< those of commands within commands last
};
State& state() {
  static State& state = *new State;
  return state;
}

/// The signals that end the program by itself: those that are not ignored.
sigset_t watched() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, number);
  }
  return set;
}

/// The ends of a pipe, through which the handler passes on the numbers of signals.
int ends[2] = {-1, -1};

/// Runs in threads that libraries started before main(): all others block the signals.
extern "C" void pass_on(int number) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(number);
  if (write(ends[1], &byte, 1) != 1) _exit(128 + number);
  errno = error;
}

/// Waits for a signal that the system or the handler passes on; 0 where that cannot be done. One that the system
/// announces may be taken by a thread of a library before it is read here: then the handler passes it on.
int next_signal(int from_system) {
  for (;;) {
    pollfd sources[] = {{from_system, POLLIN, 0}, {ends[0], POLLIN, 0}};
    if (poll(sources, 2, -1) < 0 && errno != EINTR) return 0;
    signalfd_siginfo info;
    unsigned char number = 0;
    if ((sources[0].revents & POLLIN) && read(from_system, &info, sizeof info) == sizeof info)
      return static_cast<int>(info.ssi_signo);
    if ((sources[1].revents & POLLIN) && read(ends[0], &number, 1) == 1) return number;
    if ((sources[0].revents | sources[1].revents) & (POLLERR | POLLNVAL)) return 0;
  }
}

/// Ends the program by the signal's default action, so that a shell's loop ends too.
[[noreturn]] void end_by(int number) {
  raise(number);
  std::_Exit(128 + number);  // signals do not end the first process of a container
}

void wait_for(sigset_t set, int from_system) {
  const int number = next_signal(from_system);
  if (number == 0) return;
  for (const int each : {SIGINT, SIGTERM})
    if (sigismember(&set, each)) signal(each, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // a second one ends the program while this prints
  const std::unique_lock<std::mutex> lock = hold_rows();
  bool rows = false;
  for (auto print = state().prints.rbegin(); print != state().prints.rend(); ++print) try {
      rows = print->second() || rows;
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
  const int from_system = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (from_system < 0 || pipe2(ends, O_CLOEXEC) != 0) return;
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  try {
    std::thread([set, from_system] { wait_for(set, from_system); }).detach();
  } catch (const std::system_error&) {  // no memory for a thread: a signal ends the program without its rows
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    return;
  }
  for (const int number : {SIGINT, SIGTERM})
    if (sigismember(&set, number)) sigaction(number, &action, nullptr);
}

PrintedOnSignal::PrintedOnSignal(std::function<bool()> print) {
  const std::unique_lock<std::mutex> lock = hold_rows();
  state().prints.emplace_back(this, std::move(print));
}

void PrintedOnSignal::release() {
  const std::unique_lock<std::mutex> lock = hold_rows();
  std::erase_if(state().prints, [this](const auto& print) { return print.first == this; });
}

std::unique_lock<std::mutex> hold_rows() { return std::unique_lock(state().rows); }

}  // namespace miniapp::apps
