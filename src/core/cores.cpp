// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/control_group.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"
#ifdef __linux__
#include <sched.h>
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace miniapp {
namespace {

#ifdef __linux__
/// Hardware threads of the core that a processor belongs to, as the system lists them.
std::string core_of(int processor) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list");
  std::string siblings;
  return std::getline(file, siblings) ? siblings : "processor " + std::to_string(processor);
}

/// Numbers of the processors that this process may run on; none where the system does not report it.
std::vector<int> allowed_processors() {
  std::vector<int> processors;
#ifdef KOKKOS_ENABLE_OPENMP  // the OpenMP runtime binds this thread to one of its places
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> of_place(omp_get_place_num_procs(place));
    omp_get_place_proc_ids(place, of_place.data());
    processors.insert(processors.end(), of_place.begin(), of_place.end());
  }
  if (!processors.empty()) return processors;
#endif
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &allowed)) processors.push_back(processor);
  return processors;
}

/// The cores that this process may run on; none where it is unknown.
std::set<std::string> allowed_cores() {
  std::set<std::string> cores;
  for (const int processor : allowed_processors()) cores.insert(core_of(processor));
  return cores;
}
#else
std::set<std::string> allowed_cores() { return {}; }
#endif

}  // namespace

int available_cores() {
  int cores = static_cast<int>(allowed_cores().size());
  if (cores == 0) cores = static_cast<int>(std::thread::hardware_concurrency());
  const int allowed = group_limits().cores;
  if (allowed > 0) cores = std::min(cores, allowed);
  return std::max(cores, 1);
}

int available_cores(const Communicator& ranks) {
  if (ranks.is_alone()) return available_cores();
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::vector<std::int64_t> own{static_cast<std::int64_t>(std::hash<std::string>()(host))};
  for (const std::string& core : allowed_cores())
    own.push_back(static_cast<std::int64_t>(std::hash<std::string>()(core)));
  std::set<std::int64_t> of_host;
  for (const std::vector<std::int64_t>& other : ranks.exchange(std::vector(std::size_t(ranks.size()), own)))
    if (other.front() == own.front()) of_host.insert(other.begin() + 1, other.end());
  const int cores = std::max(static_cast<int>(of_host.size()), available_cores()), allowed = group_limits().cores;
  return allowed > 0 ? std::min(cores, allowed) : cores;
}

}  // namespace miniapp
