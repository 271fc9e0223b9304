// SPDX-License-Identifier: BSD-3-Clause
#include "measure/energy.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <future>
#include <vector>

#include "core/node.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp::measure {
namespace {

namespace fs = std::filesystem;

/// The first value in a file; what T() is where there is none.
template <class T>
T read(const fs::path& path) {
  T value{};
  std::ifstream(path) >> value;
  return value;
}

class Packages : public EnergyCounter {
 public:
  explicit Packages(const fs::path& root) {
    std::error_code error;
    for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
      const fs::directory_entry& zone = *it;
      // "intel-rapl:0:1" is a part of a package
      const std::string name = zone.path().filename();
      if (name.rfind("intel-rapl:", 0) != 0 || name.find(':', sizeof("intel-rapl:")) != std::string::npos) continue;
      if (read<std::string>(zone.path() / "name").rfind("package", 0) != 0) continue;
      const auto range = read<std::uint64_t>(zone.path() / "max_energy_range_uj");
      std::uint64_t now = 0;
      if (range > 0 && std::ifstream(zone.path() / "energy_uj") >> now)
        zones_.push_back({zone.path() / "energy_uj", range, now});
    }
  }
  bool has_any() const { return !zones_.empty(); }

  double joules() override {
    for (Zone& zone : zones_) {
      std::uint64_t now = 0;
      if (!(std::ifstream(zone.counter) >> now)) continue;
      total_uj_ += now >= zone.last ? now - zone.last : now + zone.range - zone.last;
      zone.last = now;
    }
    return 1e-6 * double(total_uj_);
  }

 private:
  struct Zone {
    fs::path counter;
    std::uint64_t range, last;  ///< [uJ]
  };
  std::vector<Zone> zones_;
  std::uint64_t total_uj_ = 0;
};

}  // namespace

std::unique_ptr<EnergyCounter> count_packages(const fs::path& root) {
  auto counter = std::make_unique<Packages>(root);
  if (!counter->has_any()) return nullptr;
  return counter;
}

namespace {

std::string version(int major, int minor) {
  return major > 0 ? std::to_string(major) + '.' + std::to_string(minor) : std::string();
}

}  // namespace

std::string cuda_version(int number) { return version(number / 1000, number % 1000 / 10); }
std::string hip_version(int number) { return version(number / 10000000, number % 10000000 / 100000); }

DeviceState host_state(const fs::path& root) {
  DeviceState state;
  const fs::path clocks = root / "sys/devices/system/cpu/cpu0/cpufreq";
  state.power_state = read<std::string>(clocks / "scaling_governor");
  state.clock_mhz = 1e-3 * read<double>(clocks / "scaling_cur_freq");
  std::ifstream processors(root / "proc/cpuinfo");
  for (std::string line; state.clock_mhz == 0 && std::getline(processors, line);)
    if (line.rfind("cpu MHz", 0) == 0) state.clock_mhz = std::strtod(line.c_str() + line.find(':') + 1, nullptr);
  return state;
}

/// The functions of NVML that are used here, and the handle of the device. All return 0 for success.
struct Nvml::Library {
  using Device = void*;
  void* handle = nullptr;
  Device device = nullptr;

  ~Library() {
    if (!handle) return;
    if (const auto shutdown = find<int (*)()>("nvmlShutdown")) shutdown();
    dlclose(handle);
  }
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(handle, name));
  }
  bool open(const char* path, const std::string& bus) {
    handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return false;
    const auto init = find<int (*)()>("nvmlInit_v2");
    const auto by_bus = find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    return init && by_bus && init() == 0 && by_bus(bus.c_str(), &device) == 0;
  }
  /// A number of the device by one of NVML's functions of a device, other arguments before the result; `missing` where
  /// it has none.
  template <class Number, class... Arguments>
  Number get(const char* name, Number missing, Arguments... arguments) const {
    const auto function = find<int (*)(Device, Arguments..., Number*)>(name);
    Number number{};
    return function && function(device, arguments..., &number) == 0 ? number : missing;
  }
  double joules() const { return 1e-3 * double(get("nvmlDeviceGetTotalEnergyConsumption", 0ull)); }
};

Nvml::Nvml(const std::string& bus, const char* library) : library_(std::make_shared<Library>()) {
  if (!library_->open(library, bus)) library_ = nullptr;
}
Nvml::~Nvml() = default;

DeviceState Nvml::state() const {
  if (!library_) return {};
  DeviceState state;
  char version[96] = "";
  if (const auto driver = library_->find<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion"))
    if (driver(version, sizeof version) == 0) state.driver = version;
  constexpr int sm_clock = 1;
  state.clock_mhz = library_->get("nvmlDeviceGetClockInfo", 0u, sm_clock);
  const int performance = library_->get("nvmlDeviceGetPerformanceState", -1);
  if (performance >= 0 && performance <= 15)
    state.power_state = std::string("P").append(std::to_string(performance));  // 32: unknown
  return state;
}

std::unique_ptr<EnergyCounter> Nvml::count() const {
  struct Counter : EnergyCounter {
    explicit Counter(std::shared_ptr<Library> from) : library(std::move(from)), start(library->joules()) {}
    double joules() override { return library->joules() - start; }
    std::shared_ptr<Library> library;
    double start;
  };
  if (!library_ || library_->joules() == 0) return nullptr;
  return std::make_unique<Counter>(library_);
}

namespace {

#ifdef KOKKOS_ENABLE_CUDA
std::string bus_of_device() {
  int number = 0;
  char bus[32] = "";
  const bool known =
      cudaGetDevice(&number) == cudaSuccess && cudaDeviceGetPCIBusId(bus, sizeof bus, number) == cudaSuccess;
  return known ? bus : "";
}

/// The GPU that Kokkos chose. It is never destroyed, since NVML takes 6 ms to end.
const std::shared_future<const Nvml*>& device() {
  static const std::shared_future<const Nvml*> nvml = std::async(
      std::launch::async | std::launch::deferred, [bus = bus_of_device()]() -> const Nvml* { return new Nvml(bus); });
  return nvml;
}
#endif

std::unique_ptr<EnergyCounter> make_counter() {
#if defined(KOKKOS_ENABLE_CUDA)
  return device().get()->count();
#elif defined(MINIAPP_RUNS_ON_HOST)
  const char* const root = std::getenv("MINIAPP_POWERCAP");
  return count_packages(root ? root : "/sys/class/powercap");
#else
  return nullptr;
#endif
}

}  // namespace

DeviceState device_state() {
#if defined(KOKKOS_ENABLE_CUDA)
  DeviceState state = device().get()->state();
  int number = 0;
  if (cudaRuntimeGetVersion(&number) == cudaSuccess && number > 0) state.runtime = "CUDA " + cuda_version(number);
  return state;
#elif defined(KOKKOS_ENABLE_HIP)
  DeviceState state;
  int number = 0;
  if (hipRuntimeGetVersion(&number) == hipSuccess && number > 0) state.runtime = "HIP " + hip_version(number);
  return state;
#elif defined(MINIAPP_RUNS_ON_HOST)
  return host_state("/");
#else
  return {};
#endif
}

void begin_device_state() {
#ifdef KOKKOS_ENABLE_CUDA
  device();
#endif
}

EnergyCounter* device_energy(const Communicator& ranks) {
  struct Nothing : EnergyCounter {
    double joules() override { return 0; }
  };
  static Nothing nothing;
  static const std::unique_ptr<EnergyCounter> counter = make_counter();
  return rank_of_device(ranks) > 0 ? &nothing : counter.get();
}

}  // namespace miniapp::measure
