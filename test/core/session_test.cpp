// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/session.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include "core/node.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/execution.hpp"
#include "support/catch.hpp"

TEST_CASE("The platform names what records need", "[core][session]") {
  const Platform p = platform();

  CHECK_FALSE(p.compiler.empty());
  CHECK_FALSE(p.flags.empty());
  CHECK_FALSE(p.commit.empty());
  CHECK_FALSE(p.device.empty());
  CHECK_FALSE(p.version.empty());
  CHECK(p.concurrency >= 1);
  CHECK(p.cores == available_cores());
}

TEST_CASE("A process may use at least one core, and no more cores than processors", "[core][session]") {
  CHECK(available_cores() >= 1);
  CHECK(available_cores() <= static_cast<int>(std::thread::hardware_concurrency()));
}

TEST_CASE("What the program was built from is known", "[core][session]") {
  CHECK(build().version == platform().version);
  CHECK(build().commit == platform().commit);
  CHECK(device_class() == platform().device_class);
  CHECK_FALSE(device_class().empty());
}

TEST_CASE("The Kokkos version has three numbers", "[core][session]") {
  const std::string version = platform().kokkos_version;

  CHECK(std::count(version.begin(), version.end(), '.') == 2);
  CHECK(std::all_of(version.begin(), version.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); }));
}

TEST_CASE("Devices are the same where all of their identity is", "[core][session]") {
  const std::vector<std::array<std::int64_t, 2>> of_ranks{{1, 2}, {1, 3}, {1, 2}, {2, 2}, {1, 2}};
  CHECK(count_equal(of_ranks, 0) == std::array{3, 0});
  CHECK(count_equal(of_ranks, 1) == std::array{1, 0});
  CHECK(count_equal(of_ranks, 2) == std::array{3, 1});
  CHECK(count_equal(of_ranks, 4) == std::array{3, 2});
}

TEST_CASE("The default back end comes first and none comes twice", "[core][session]") {
  std::vector<std::string> backends = platform().backends;

  CHECK(backends.front() == ExecutionSpace::name());
  std::sort(backends.begin(), backends.end());
  CHECK(std::adjacent_find(backends.begin(), backends.end()) == backends.end());
}

#ifdef __linux__
TEST_CASE("Linux tells the free memory", "[core][session]") { CHECK(available_memory() > 1000000); }

TEST_CASE("Of a limit of the address space, what the process has taken is not free", "[core][session]") {
  constexpr std::size_t left = 1 << 28;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  rlimit limited = before;
  limited.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + left;
  if (limited.rlim_cur > before.rlim_max) return;

  REQUIRE(setrlimit(RLIMIT_AS, &limited) == 0);
  const std::size_t free = free_host_memory();
  setrlimit(RLIMIT_AS, &before);

  CHECK(free > 0);
  CHECK(free <= left);
}

TEST_CASE("The peak of resident memory grows with what is touched", "[core][session]") {
  constexpr std::size_t bytes = 1 << 27;
  const std::size_t before = peak_resident_memory();

  std::vector<char> touched(bytes);
  char* volatile memory = touched.data();  // volatile, or the compiler may remove memory that is never read
  for (std::size_t i = 0; i < bytes; i += 1024) memory[i] = 1;

  CHECK(before > 0);
  CHECK(peak_resident_memory() >= bytes);
}
#endif
