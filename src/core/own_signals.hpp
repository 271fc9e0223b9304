// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, not of C

namespace miniapp {

/// A scope for calls of METIS, which replaces the handlers of SIGTERM and SIGABRT, treats a SIGTERM as an internal
/// error and continues, and restores the old handlers such that they work only once. During the scope this thread
/// blocks SIGTERM; at its end both signals have their old actions again, and a pending SIGTERM is delivered.
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
