// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

namespace miniapp {

/// Around calls of METIS, which puts handlers of its own in the place of those of SIGTERM and SIGABRT, takes a SIGTERM
/// for an internal error and goes on, and restores the old handlers such that they work only once. While one lives,
/// this thread does not see a SIGTERM; at its end both signals have their actions again, and one that came is seen.
class OwnSignals {
 public:
  OwnSignals() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &held, &mask_);
    sigaction(SIGTERM, nullptr, &terminate_);
    sigaction(SIGABRT, nullptr, &abort_);
  }
  ~OwnSignals() {
    sigaction(SIGABRT, &abort_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  OwnSignals(const OwnSignals&) = delete;
  OwnSignals& operator=(const OwnSignals&) = delete;

 private:
  sigset_t mask_;
  struct sigaction terminate_, abort_;
};

}  // namespace miniapp
