// SPDX-License-Identifier: BSD-3-Clause
#include "report/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "measure/energy.hpp"
#include "miniapp/core/features.hpp"
#ifdef MINIAPP_HAVE_MPI
#include "miniapp/core/mpi.hpp"
#endif

namespace miniapp::report {
namespace {

/// null for the empty text.
Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// The first line of what the library says of itself, "Open MPI v4.1.4, ..": up to a comma.
Json mpi_version() {
#ifdef MINIAPP_HAVE_MPI
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text);
  return text_or_null(version.substr(0, version.find_first_of(",\n")));
#else
  return {};
#endif
}

}  // namespace

std::string hostname() {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "unknown";
  return name;
}

Json affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::string text;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
    first = last;
  }
  return text;
}

Json library_versions() {
  return {{"kokkos_kernels", text_or_null(MINIAPP_KOKKOS_KERNELS_VERSION)},
          {"metis", text_or_null(MINIAPP_METIS_VERSION)},
          {"zlib", text_or_null(MINIAPP_ZLIB_VERSION)},
          {"mpi", mpi_version()},
          {"hypre", text_or_null(MINIAPP_HYPRE_VERSION)}};
}

Json device_state() {
  const measure::DeviceState state = measure::device_state();
  return {{"driver", text_or_null(state.driver)},
          {"runtime", text_or_null(state.runtime)},
          {"clock_mhz", state.clock_mhz > 0 ? Json(state.clock_mhz) : Json()},
          {"power_state", text_or_null(state.power_state)}};
}

namespace {
const auto program_start = std::chrono::steady_clock::now();
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - program_start).count();
}

ProcessorTime processor_time() {
  ProcessorTime time;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream in(thread.path() / "schedstat");
    double ran = 0, waited = 0;  // [ns]
    if (!(in >> ran >> waited)) continue;
    time.ran += 1e-9 * ran;
    time.waited += 1e-9 * waited;
  }
  return time;
}

Json waited_fraction(const ProcessorTime& start, const ProcessorTime& end) {
  constexpr double least = 0.01;  // [s]
  const double ran = end.ran - start.ran, waited = std::max(end.waited - start.waited, 0.);
  return ran + waited < least ? Json() : Json(waited / (ran + waited));
}

}  // namespace miniapp::report
