// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::apps {

/// "AMD EPYC 9655, 1 of 64 cores", or "NVIDIA H200": what of this machine computes.
inline std::string describe_device(const Platform& p) {
  if (!runs_on_host) return p.device;
  if (p.concurrency > p.cores) return fmt::format("{}, {} threads on {} cores", p.device, p.concurrency, p.cores);
  return fmt::format("{}, {} of {} core{}", p.device, p.concurrency, p.cores, p.cores == 1 ? "" : "s");
}

}  // namespace miniapp::apps
