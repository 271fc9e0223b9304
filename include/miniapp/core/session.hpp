// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace miniapp {

/// Kokkos, started when made and stopped at the end of its scope. It removes the --kokkos-* options from (argc, argv).
class Session {
 public:
  Session(int& argc, char** argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What the program runs on, for records and `miniapp info`.
struct Platform {
  std::string kokkos_version;         ///< "3.4.1"
  std::vector<std::string> backends;  ///< enabled execution spaces, the default one first
  std::string compiler;               ///< "GNU 12.2.0"
  std::string flags;                  ///< build type, flags and architecture that the library was compiled with
  std::string commit;                 ///< of the source tree, "+changes" where it was not clean
  std::string device;                 ///< name of the GPU or the processor
  std::string device_class;           ///< what decides which kernel is fast: "sm_90", "host512" (bits of a register)
  std::string version;                ///< of miniapp
  int concurrency;                    ///< threads of the default execution space
};
Platform platform();

/// Free memory of the default execution space's device [bytes]; 0 where it cannot be told.
std::size_t available_memory();

/// Free memory of the host [bytes]; 0 where it cannot be told.
std::size_t free_host_memory();

/// Largest resident size of this process so far [bytes]; 0 where the system does not tell.
std::size_t peak_resident_memory();

}  // namespace miniapp
