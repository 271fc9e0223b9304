// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "core/control_group.hpp"
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

/// Cores of the processors that this thread may run on; 0 where the system does not report it.
int cores_of_affinity() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  std::set<std::string> cores;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &allowed)) cores.insert(core_of(processor));
  int count = static_cast<int>(cores.size());
#ifdef KOKKOS_ENABLE_OPENMP  // the OpenMP runtime binds this thread to one place
  const int threads = CPU_COUNT(&allowed);
  if (omp_get_num_procs() > threads) count = count * omp_get_num_procs() / std::max(threads, 1);
#endif
  return count;
}
#else
int cores_of_affinity() { return 0; }
#endif

}  // namespace

int available_cores() {
  int cores = cores_of_affinity();
  if (cores == 0) cores = static_cast<int>(std::thread::hardware_concurrency());
  const int allowed = group_limits().cores;
  if (allowed > 0) cores = std::min(cores, allowed);
  return std::max(cores, 1);
}

}  // namespace miniapp
