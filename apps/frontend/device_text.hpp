// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/node.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::apps {

/// "AMD EPYC 9655, 1 of 64 cores, 512-bit registers", or "NVIDIA H200": what of this machine computes, and how wide.
inline std::string describe_device(const Platform& p) {
  if (!runs_on_host) return p.device;
  const std::string cores = p.concurrency > p.cores
                                ? fmt::format("{} threads on {} cores", p.concurrency, p.cores)
                                : fmt::format("{} of {} core{}", p.concurrency, p.cores, p.cores == 1 ? "" : "s");
  return fmt::format("{}, {}, {}-bit registers", p.device, cores, 8 * MINIAPP_REGISTER_BYTES);
}

/// "3 ranks", of several hosts "4 ranks on 2 hosts", and what follows; empty of one rank.
inline std::string describe_world(const Communicator& ranks, const std::string& rest = ", each on ") {
  if (ranks.is_alone()) return "";
  const std::string hosts = num_hosts(ranks) == 1 ? "" : fmt::format(" on {} hosts", num_hosts(ranks));
  return fmt::format("{} ranks{}{}", ranks.size(), hosts, rest);
}

}  // namespace miniapp::apps
