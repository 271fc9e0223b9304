// SPDX-License-Identifier: BSD-3-Clause
#include "measure/energy.hpp"

#include <cmath>
#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

/// A folder of zones, as powercap has them.
struct Folder : test::TemporaryFolder {
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((path() / file).parent_path());
    std::ofstream(path() / file) << text << '\n';
  }
  void add_zone(const std::string& zone, const std::string& name, long long range, long long energy) const {
    write(zone + "/name", name);
    write(zone + "/max_energy_range_uj", std::to_string(range));
    write(zone + "/energy_uj", std::to_string(energy));
  }
};

}  // namespace

TEST_CASE("The energy of packages is summed, that of their parts is not", "[measure][energy]") {
  const Folder folder;
  folder.add_zone("intel-rapl:0", "package-0", 1000000000, 5000000);
  folder.add_zone("intel-rapl:0:0", "core", 1000000000, 1000000);
  folder.add_zone("intel-rapl:1", "package-1", 1000000000, 7000000);
  folder.add_zone("intel-rapl:2", "psys", 1000000000, 0);
  const auto counter = measure::count_packages(folder.path());
  REQUIRE(counter);
  CHECK(counter->joules() == 0);

  folder.write("intel-rapl:0/energy_uj", "6500000");
  folder.write("intel-rapl:0:0/energy_uj", "900000000");
  folder.write("intel-rapl:1/energy_uj", "7250000");
  folder.write("intel-rapl:2/energy_uj", "900000000");

  CHECK(std::fabs(counter->joules() - 1.75) < 1e-9);
}

TEST_CASE("A counter of energy that wraps around goes on", "[measure][energy]") {
  const Folder folder;
  folder.add_zone("intel-rapl:0", "package-0", 10000000, 9000000);
  const auto counter = measure::count_packages(folder.path());
  REQUIRE(counter);

  folder.write("intel-rapl:0/energy_uj", "2000000");
  CHECK(std::fabs(counter->joules() - 3) < 1e-9);
  folder.write("intel-rapl:0/energy_uj", "4000000");
  CHECK(std::fabs(counter->joules() - 5) < 1e-9);
}

TEST_CASE("Without zones of packages there is no counter", "[measure][energy]") {
  const Folder folder;
  CHECK(measure::count_packages(folder.path()) == nullptr);
  CHECK(measure::count_packages(folder.path() / "missing") == nullptr);
  folder.add_zone("intel-rapl:0", "dram", 10000000, 0);
  CHECK(measure::count_packages(folder.path()) == nullptr);
}

TEST_CASE("A host's clock is what the governor sets, else what the processor says", "[measure][energy]") {
  const Folder folder;
  CHECK(measure::host_state(folder.path()).clock_mhz == 0);
  folder.write("proc/cpuinfo", "processor : 0\ncpu MHz\t\t: 2596.146\n\nprocessor : 1\ncpu MHz\t\t: 800.0");
  CHECK(measure::host_state(folder.path()).clock_mhz == 2596.146);
  CHECK(measure::host_state(folder.path()).power_state.empty());
  folder.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
  folder.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3100000");
  const measure::DeviceState state = measure::host_state(folder.path());
  CHECK(state.clock_mhz == 3100);
  CHECK(state.power_state == "performance");
  CHECK(state.driver.empty());
}

TEST_CASE("Versions of runtimes are read from their numbers", "[measure][energy]") {
  CHECK(measure::cuda_version(12040) == "12.4");
  CHECK(measure::cuda_version(13000) == "13.0");
  CHECK(measure::cuda_version(0).empty());
  CHECK(measure::hip_version(60342134) == "6.3");
  CHECK(measure::hip_version(51200000) == "5.12");
  CHECK(measure::hip_version(0).empty());
  CHECK(measure::host_state("/").runtime.empty());
}

TEST_CASE("Without NVIDIA's library nothing is known of a GPU", "[measure][energy]") {
  const measure::Nvml nvml("0000:00:00.0", "libthere-is-none.so");
  CHECK(nvml.count() == nullptr);
  CHECK(nvml.state().driver.empty());
  CHECK(nvml.state().power_state.empty());
}

TEST_CASE("NVIDIA's library tells the energy, the clock and the state of the GPU on the bus", "[measure][energy]") {
  const measure::Nvml nvml("0000:3b:00.0", MINIAPP_FAKE_NVML);
  const measure::DeviceState state = nvml.state();
  CHECK(state.driver == "580.1");
  CHECK(state.clock_mhz == 1980);
  CHECK(state.power_state == "P2");
  const auto counter = nvml.count();
  REQUIRE(counter);
  const double before = counter->joules();
  CHECK(std::fabs(counter->joules() - before - 0.25) < 1e-9);  // with each call

  CHECK(measure::Nvml("0000:00:00.0", MINIAPP_FAKE_NVML).count() == nullptr);
}
