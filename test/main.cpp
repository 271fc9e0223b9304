// SPDX-License-Identifier: BSD-3-Clause
/// The main function of every test program: Catch2's session inside the scope of Kokkos.
#define CATCH_CONFIG_RUNNER
#include <Kokkos_Core.hpp>
#include <cstring>
#include <optional>

#include "support/catch.hpp"

namespace {

/// The build lists the tests on machines that may lack the device: Kokkos must not be started for that.
bool only_lists(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], "--list-", 7) == 0) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<Kokkos::ScopeGuard> kokkos;
  if (!only_lists(argc, argv)) kokkos.emplace(argc, argv);
  return Catch::Session().run(argc, argv);
}
