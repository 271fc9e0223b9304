// SPDX-License-Identifier: BSD-3-Clause
#include "measure/energy.hpp"

#include <cstdlib>
#include <fstream>

#include "miniapp/core/execution.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
TEST_CASE("Ranks of one host count its energy once", "[ranks][measure]") {
  const Communicator world = Communicator::world();
  const TemporaryFolder folder;  // of each rank: what they read has not to be the same
  const std::filesystem::path zone = folder.path() / "intel-rapl:0";
  std::filesystem::create_directory(zone);
  const auto write = [&](const char* file, const auto& value) { std::ofstream(zone / file) << value << '\n'; };
  write("name", "package-0");
  write("max_energy_range_uj", 1000000000);
  write("energy_uj", 5000000);
  setenv("MINIAPP_POWERCAP", folder.path().c_str(), 1);
  measure::EnergyCounter* const counter = measure::device_energy(world);
  unsetenv("MINIAPP_POWERCAP");
  REQUIRE(counter);
  const double before = counter->joules();

  write("energy_uj", 7000000);

  const double joules = counter->joules() - before;
  CHECK(joules == (world.rank() == 0 ? 2 : 0));
  CHECK(world.sum(joules) == 2);
}
#endif
