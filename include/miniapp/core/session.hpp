// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"

namespace miniapp {

/// The device that the program was built for is not present, or has no memory left.
class DeviceError : public ResultError {
 public:
  using ResultError::ResultError;
};

/// Initialises Kokkos on construction and finalises it at the end of its scope; so MPI, where a launcher such as mpirun
/// started the process and the program has not initialised it. Errors: DeviceError naming the device
/// that it looked for; InputError for a --kokkos-* option that Kokkos rejects.
class Session {
 public:
  /// Removes the --kokkos-* options from (argc, argv).
  Session(int& argc, char** argv);
  /// Takes a list of --kokkos-* options.
  explicit Session(const std::vector<std::string>& kokkos_options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What the program was built from. Available without a session or a device.
struct Build {
  std::string version;         ///< version of miniapp
  std::string commit;          ///< commit of the source tree, "+changes" where it was not clean
  std::string compiler;        ///< "GNU 12.2.0"
  std::string flags;           ///< build type, flags and architecture that the library was compiled with
  std::string kokkos_version;  ///< "3.4.1"
};
Build build();

/// What the program runs on, for records and `miniapp info`.
struct Platform : Build {
  std::vector<std::string> backends;  ///< enabled execution spaces, the default one first
  std::string device;                 ///< name of the GPU or the processor
  std::string device_class;           ///< what device_class() says (device.hpp)
  int concurrency;                    ///< threads of the default execution space
  int cores;                          ///< cores of the host that this process may use
  int devices;                        ///< GPUs of the host that this process may use; 0 where it runs on the host
};
Platform platform();

/// Names of the GPUs of the host that this process may use, at the numbers that --kokkos-device-id takes; none where
/// the program runs on the host.
std::vector<std::string> device_names();

/// Cores of the host that this process may use: those in its affinity mask, hardware threads of a core counted once,
/// limited by the processor time of its control group.
int available_cores();

class Communicator;
/// Cores of this host that its ranks may use together: each of a bound rank's own may be one. Collective.
int available_cores(const Communicator& ranks);

/// How many ranks share this one's device: its GPU, or on hosts the processors and the memory of the node. Collective.
int sharing_ranks(const Communicator& ranks);

/// Free memory of the default execution space's device [bytes]; 0 where it is unknown.
std::size_t available_memory();

/// Free memory of the host [bytes]; 0 where it is unknown.
std::size_t free_host_memory();

/// Largest resident size of this process so far [bytes]; 0 where the system does not report it.
std::size_t peak_resident_memory();

}  // namespace miniapp
