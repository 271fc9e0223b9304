// SPDX-License-Identifier: BSD-3-Clause
/// The main function of the tests that run on several ranks: Catch2's session inside the scope of MPI and Kokkos.
#define CATCH_CONFIG_RUNNER
#include <cstdint>
#include <cstdio>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/session.hpp"
#include "support/catch.hpp"

namespace {

/// Whether ranks share a GPU, on any host: they would wait for each other in kernels that take turns. ctest reads the
/// line that says so, and skips the test.
bool ranks_share_a_device() {
  if (miniapp::runs_on_host) return false;
  const miniapp::Communicator world = miniapp::Communicator::world();
  if (world.of_all(miniapp::Reduction::max, std::int64_t(miniapp::sharing_ranks(world))) == 1) return false;
  if (world.rank() == 0) std::printf("skipped: %d ranks need as many GPUs\n", world.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const miniapp::Session session(argc, argv);
  if (ranks_share_a_device()) return 0;
  const int failed = Catch::Session().run(argc, argv);
  return miniapp::Communicator::world().of_all(miniapp::Reduction::max, double(failed)) > 0 ? 1 : 0;
}
