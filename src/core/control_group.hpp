// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace miniapp {

/// What the control groups of this process leave it: those of a container, of a job of Slurm, of a service. Groups are
/// nested, and each of them limits.
struct GroupLimits {
  static constexpr std::size_t none = ~std::size_t(0);
  std::size_t free_memory = none;  ///< [bytes]; what the groups keep of files in memory counts as free
  int cores = 0;                   ///< processors whose time the groups allow, rounded up; 0: all
};

/// Reads control groups of versions 1 and 2. `root`: where the system shows their files; `membership`: the file that
/// names the groups of this process. What cannot be read does not limit.
GroupLimits group_limits(const std::string& root = "/sys/fs/cgroup",
                         const std::string& membership = "/proc/self/cgroup");

}  // namespace miniapp
