// SPDX-License-Identifier: BSD-3-Clause
#include "core/control_group.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace miniapp {
namespace {

/// The number that a file holds; false where there is none, as in "max".
bool read(const std::string& file, double& number) { return bool(std::ifstream(file) >> number); }

/// Bytes of files that the group keeps in memory and can give back, by its memory.stat.
double kept_files(const std::string& folder, const std::string& prefix) {
  std::ifstream file(folder + "/memory.stat");
  double sum = 0, bytes = 0;
  for (std::string name; file >> name >> bytes;)
    if (name == prefix + "inactive_file" || name == prefix + "active_file") sum += bytes;
  return sum;
}

void limit_memory(GroupLimits& limits, const std::string& folder, const char* most, const char* used,
                  const std::string& prefix) {
  double limit = 0, now = 0;
  if (!read(folder + most, limit) || !read(folder + used, now) || limit >= 0x1p62) return;  // version 1: no limit
  const double free = std::max(0., limit - std::max(0., now - kept_files(folder, prefix)));
  limits.free_memory = std::min(limits.free_memory, static_cast<std::size_t>(free));
}

void limit_cores(GroupLimits& limits, double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return;
  const int cores = static_cast<int>(std::ceil(quota / period));
  limits.cores = limits.cores == 0 ? cores : std::min(limits.cores, cores);
}

/// The folders of a group and of those around it, from `top` down. Inside of a container the path may be one that only
/// the host has: then the top alone is there.
std::vector<std::string> folders(const std::string& top, const std::string& path) {
  std::vector<std::string> found{top};
  std::istringstream names(path);
  std::string below = top;
  for (std::string name; std::getline(names, name, '/');)
    if (!name.empty() && name != "..") found.push_back(below += "/" + name);
  return found;
}

}  // namespace

GroupLimits group_limits(const std::string& root, const std::string& membership) {
  std::vector<std::pair<std::string, std::string>> groups{{"", "/"}, {"memory", "/"}, {"cpu", "/"}};
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);) {  // "0::/path" or "4:cpu,cpuacct:/path"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::istringstream controllers(line.substr(first + 1, second - first - 1));
    const std::string path = line.substr(second + 1);
    if (controllers.str().empty()) groups.emplace_back("", path);
    for (std::string name; std::getline(controllers, name, ',');) groups.emplace_back(name, path);
  }
  GroupLimits limits;
  for (const auto& [controller, path] : groups)
    for (const std::string& folder : folders(controller.empty() ? root : root + "/" + controller, path)) {
      double quota = 0, period = 0;
      if (controller.empty()) {
        limit_memory(limits, folder, "/memory.max", "/memory.current", "");
        std::ifstream cpu(folder + "/cpu.max");  // "max 100000" or "200000 100000": time of a period [us]
        if (cpu >> quota >> period) limit_cores(limits, quota, period);
      } else if (controller == "memory") {
        limit_memory(limits, folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_");
      } else if (controller == "cpu" && read(folder + "/cpu.cfs_quota_us", quota) &&
                 read(folder + "/cpu.cfs_period_us", period)) {
        limit_cores(limits, quota, period);
      }
    }
  return limits;
}

}  // namespace miniapp
