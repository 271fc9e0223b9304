// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/host_ranges.hpp"

namespace miniapp::test {

/// Sets the number of the host's threads while it exists.
class HostThreads {
 public:
  explicit HostThreads(int threads) { set_host_threads(threads); }
  ~HostThreads() { set_host_threads(0); }
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;
};

}  // namespace miniapp::test
