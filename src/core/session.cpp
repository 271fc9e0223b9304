// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/session.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/control_group.hpp"
#include "core/mpi_library.hpp"
#include "core/node.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "miniapp/core/build_info.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp {

struct Session::State {
  MpiLibrary mpi;  // first, since launchers of ranks also tell Kokkos which device each takes
  Kokkos::ScopeGuard kokkos;
  State(int& argc, char** argv) : kokkos(argc, argv) {}
};

namespace {

constexpr char prefix[] = "--kokkos-";

std::vector<std::string> take_kokkos_options(int& argc, char** argv) {
  std::vector<std::string> own;
  int left = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], prefix, sizeof prefix - 1) == 0)
      own.emplace_back(argv[i]);
    else
      argv[left++] = argv[i];
  }
  argc = left;
  argv[argc] = nullptr;
  return own;
}

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
/// Kokkos aborts the program if the requested device is missing, so this is checked before it is initialised.
void require_device(const std::vector<std::string>& kokkos_options) {
  int count = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  const cudaError_t status = cudaGetDeviceCount(&count);
  const std::string kind = "NVIDIA GPU (CUDA)", reason = cudaGetErrorString(status);
  const bool answered = status == cudaSuccess;
#else
  const hipError_t status = hipGetDeviceCount(&count);
  const std::string kind = "AMD GPU (HIP)", reason = hipGetErrorString(status);
  const bool answered = status == hipSuccess;
#endif
  if (!answered || count == 0)
    throw DeviceError("found no " + kind + ", which this build needs: " + (answered ? "there are 0 devices" : reason) +
                      "; a build with -D MINIAPP_BACKEND=SERIAL or OPENMP runs on processors");
  const auto check = [&](const std::string& origin, const std::string& id) {
    int number = -1;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    require(error == std::errc() && end == id.data() + id.size() && number >= 0 && number < count,
            origin + ": " + id + ": no such device; accepted is 0 to " + std::to_string(count - 1));
  };
  for (const std::string& option : kokkos_options)
    if (const std::string name = "--kokkos-device-id="; option.rfind(name, 0) == 0)
      check(name.substr(0, name.size() - 1), option.substr(name.size()));
  if (const char* id = std::getenv("KOKKOS_DEVICE_ID")) check("KOKKOS_DEVICE_ID", id);
}
#else
void require_device(const std::vector<std::string>&) {}
#endif

/// Kokkos throws or aborts where its variables hold no numbers.
void require_numbers_in_variables() {
  for (const char* const name : {"KOKKOS_NUM_THREADS", "KOKKOS_DEVICE_ID"}) {
    const char* const word = std::getenv(name);
    int number = 0;
    require(word == nullptr || parse_number(word, number), name, printable(word ? word : "", 100),
            "accepted are whole numbers");
  }
}

}  // namespace

Session::Session(int& argc, char** argv) : Session(take_kokkos_options(argc, argv)) {}

/// Passes only Kokkos's own arguments on: older versions also respond to --help.
Session::Session(const std::vector<std::string>& kokkos_options) {
  require_numbers_in_variables();
  require_device(kokkos_options);
  std::vector<std::string> words = {"miniapp"};
  words.insert(words.end(), kokkos_options.begin(), kokkos_options.end());
  std::vector<char*> own;
  for (std::string& word : words) own.push_back(word.data());
  int number = static_cast<int>(own.size());
  own.push_back(nullptr);
  try {
    state_ = std::make_unique<State>(number, own.data());
  } catch (const std::logic_error&) {  // std::stoi, not caught by older versions
    throw InputError("--kokkos-*: unknown value; accepted is what --kokkos-help lists");
  } catch (const std::runtime_error& error) {  // Kokkos's, by the name of the runtime's error
    const std::string text = error.what();
    for (const char* const name : {"cudaErrorMemoryAllocation", "hipErrorOutOfMemory", "hipErrorMemoryAllocation"})
      if (text.find(name) != text.npos)
        throw DeviceError("the GPU has not enough free memory to begin with; other programs may use it");
    throw;
  }
  for (int i = 1; i < number; ++i)  // Kokkos removes the options that it knows
    require(std::strncmp(own[i], "--kokkos-tools-", 15) == 0 || std::strcmp(own[i], "--kokkos-help") == 0,
            std::string(own[i]) + ": unknown to Kokkos; accepted is what --kokkos-help lists");
}
Session::~Session() = default;

namespace {

/// The value of the first line "key : value" of a file under /proc; empty where there is none.
std::string proc_entry(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const auto value = line.find_first_not_of(" \t", line.find(':') + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "";
}

/// A /proc entry in kB as bytes.
std::size_t proc_bytes(const char* file, const std::string& key) {
  std::istringstream value(proc_entry(file, key));
  std::size_t kilobytes = 0;
  value >> kilobytes;
  return 1024 * kilobytes;
}

/// GPUs that this process may use.
int num_devices() {
  [[maybe_unused]] int devices = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if (cudaGetDeviceCount(&devices) == cudaSuccess) return devices;
#elif defined(KOKKOS_ENABLE_HIP)
  if (hipGetDeviceCount(&devices) == hipSuccess) return devices;
#endif
  return 0;
}

/// The name of a GPU; empty where there is none of this number.
std::string name_of_device([[maybe_unused]] int device) {
#if defined(KOKKOS_ENABLE_CUDA)
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) return properties.name;
#elif defined(KOKKOS_ENABLE_HIP)
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, device) == hipSuccess) return properties.name;
#endif
  return "";
}

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
/// What tells this process's GPU from all others, of other hosts too; zeros where there is none.
std::array<std::int64_t, 2> identity_of_device() {
  std::array<std::int64_t, 2> words{};
  int device = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  cudaDeviceProp properties;
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return words;
  const cudaUUID_t& id = properties.uuid;
#else
  hipUUID id;
  if (hipGetDevice(&device) != hipSuccess || hipDeviceGetUuid(&id, device) != hipSuccess) return words;
#endif
  static_assert(sizeof id == sizeof words);
  std::memcpy(words.data(), &id, sizeof words);
  return words;
}

std::array<int, 2> count_sharing(const Communicator& ranks) {
  if (ranks.is_alone()) return {1, 0};
  static const std::array<std::int64_t, 2> own = identity_of_device();
  return count_equal(ranks.gather(std::vector{own}), ranks.rank());
}
#else
std::array<int, 2> count_sharing(const Communicator& ranks) { return {ranks.size_of_node(), rank_of_node(ranks)}; }
#endif

std::string device_name() {
  [[maybe_unused]] int device = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if (cudaGetDevice(&device) == cudaSuccess)
    if (const std::string name = name_of_device(device); !name.empty()) return name;
#elif defined(KOKKOS_ENABLE_HIP)
  if (hipGetDevice(&device) == hipSuccess)
    if (const std::string name = name_of_device(device); !name.empty()) return name;
#endif
  const std::string processor = proc_entry("/proc/cpuinfo", "model name");
  return processor.empty() ? "unknown processor" : processor;
}

}  // namespace

Build build() {
  return {build_info::version, build_info::commit, build_info::compiler, build_info::flags,
          std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
              std::to_string(KOKKOS_VERSION % 100)};
}

Platform platform() {
  Platform p{build(), {ExecutionSpace::name()}, device_name(), device_class(), 0, available_cores(), num_devices()};
  const std::string host = Kokkos::DefaultHostExecutionSpace::name();
  if (host != p.backends.front()) p.backends.push_back(host);
#ifdef KOKKOS_ENABLE_SERIAL
  if (host != "Serial" && p.backends.front() != "Serial") p.backends.emplace_back("Serial");
#endif
  if (Kokkos::is_initialized()) p.concurrency = ExecutionSpace().concurrency();
  return p;
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (int device = 0; device < num_devices(); ++device) names.push_back(name_of_device(device));
  return names;
}

std::array<int, 2> count_equal(const std::vector<std::array<std::int64_t, 2>>& all, int rank) {
  const auto count = [&](auto end) { return static_cast<int>(std::count(all.begin(), end, all[rank])); };
  return {count(all.end()), count(all.begin() + rank)};
}

int sharing_ranks(const Communicator& ranks) { return count_sharing(ranks)[0]; }
int rank_of_device(const Communicator& ranks) { return count_sharing(ranks)[1]; }

std::size_t available_memory() {
#if defined(KOKKOS_ENABLE_CUDA)
  std::size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
#elif defined(KOKKOS_ENABLE_HIP)
  std::size_t free = 0, total = 0;
  return hipMemGetInfo(&free, &total) == hipSuccess ? free : 0;
#else
  return free_host_memory();
#endif
}

std::size_t free_host_memory() {
  std::size_t free = proc_bytes("/proc/meminfo", "MemAvailable");
  free = std::min(free, group_limits().free_memory);
  rlimit own{};  // of the process, as ulimit -v sets it
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY) {
    const std::size_t limit = own.rlim_cur, used = proc_bytes("/proc/self/status", "VmSize");
    free = std::min(free, limit - std::min(limit, used));
  }
  return free;
}

std::size_t peak_resident_memory() { return proc_bytes("/proc/self/status", "VmHWM"); }

}  // namespace miniapp
