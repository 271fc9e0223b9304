// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <unistd.h>

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

/// Where the launcher leaves each rank one core for its work beside a GPU: " (with one core each, of 32: mpirun
/// --bind-to none gives all)". Else empty.
inline std::string describe_binding() {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (runs_on_host || available_cores() > 1 || processors < 4) return "";
  return fmt::format(" (with one core each, of {}: mpirun --bind-to none gives all)", processors);
}

/// "3 ranks", of several hosts "4 ranks on 2 hosts", and what follows; empty of one rank.
inline std::string describe_world(const Communicator& ranks, const std::string& rest = ", each on ") {
  if (ranks.is_alone()) return "";
  const std::string hosts = num_hosts(ranks) == 1 ? "" : fmt::format(" on {} hosts", num_hosts(ranks));
  return fmt::format("{} ranks{}{}{}", ranks.size(), hosts, describe_binding(), rest);
}

}  // namespace miniapp::apps
