// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/record.hpp"

/// What records say of the machine and of how busy it was.
namespace miniapp::report {

/// The name of this host; "unknown" where it has none.
std::string hostname();

/// The hardware threads that this process may use, "0-3,8"; null where the system does not say.
Json affinity();

/// {kokkos_kernels, metis, mpi, hypre}: versions of the libraries that this program was built with, null of those
/// without.
Json library_versions();

/// {driver, runtime, clock_mhz, power_state} of the device at present; null where its system does not tell.
Json device_state();

/// Processor time of all threads of this process so far: while they ran, and while they were ready to run and others
/// ran instead [s].
struct ProcessorTime {
  double ran = 0, waited = 0;
};
ProcessorTime processor_time();

/// Seconds since the program began.
double wall_seconds();

/// The part of the time since `start` that threads waited of that which they wanted; null where the system does not
/// say, or less than 10 ms have passed.
Json waited_fraction(const ProcessorTime& start, const ProcessorTime& end);

}  // namespace miniapp::report
