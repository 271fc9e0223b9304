// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "miniapp/core/communicator.hpp"

/// What the system tells of the energy and the clocks of a device.
namespace miniapp::measure {

/// Counts the energy that a device takes.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  /// Since construction [J].
  virtual double joules() = 0;
};

/// State of a device at a time.
struct DeviceState {
  std::string driver;       ///< its version; empty where there is none, or it does not tell
  std::string runtime;      ///< "CUDA 12.4", "HIP 6.3": the library that the program runs with; empty on hosts
  double clock_mhz = 0;     ///< clock of its processors [MHz]; 0 where the system does not tell
  std::string power_state;  ///< "P0" of an NVIDIA GPU, the governor of a host's clocks; empty as above
};

/// The processors' packages, by Linux' powercap (RAPL): zones intel-rapl:N called package-N below `root`. Their
/// counters wrap around; joules() has to be called once a minute. nullptr where there are none that may be read.
std::unique_ptr<EnergyCounter> count_packages(const std::filesystem::path& root);

/// What a number of cudaRuntimeGetVersion or hipRuntimeGetVersion means, "12.4" of 12040 and "6.3" of 60300000; empty
/// for none.
std::string cuda_version(int number);
std::string hip_version(int number);

/// State of the host, by files below `root`, which is / but in tests.
DeviceState host_state(const std::filesystem::path& root);

/// An NVIDIA GPU, by the management library of its driver, which is loaded at run time.
class Nvml {
 public:
  /// `bus`: the GPU's PCI bus id, "0000:3b:00.0".
  explicit Nvml(const std::string& bus, const char* library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  DeviceState state() const;
  /// nullptr where the GPU has no counter (before Volta) or there is no library.
  std::unique_ptr<EnergyCounter> count() const;

 private:
  struct Library;
  std::shared_ptr<Library> library_;  ///< nothing where it is missing
};

/// The device that loops run on: its state now, and the counter of its energy, nullptr where there is none. On hosts
/// powercap is at /sys/class/powercap, or where MINIAPP_POWERCAP says.
DeviceState device_state();
/// Begins to load what tells it of a GPU, on another thread: NVML takes 15 ms, which device_state() then need not wait.
void begin_device_state();
/// Among ranks of one device, that is of one host or GPU, the first has the counter, and others one of nothing.
/// Collective.
EnergyCounter* device_energy(const Communicator& ranks = {});

/// The energy that the devices of all ranks take for a call of `body`, which lasts about `seconds`, the same on all
/// ranks [J]: by calls for half a second, or a longer one. 0, without a call, where a device has no counter.
/// Collective.
double joules(const std::function<void()>& body, double seconds, const Communicator& ranks = {});

}  // namespace miniapp::measure
