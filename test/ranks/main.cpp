// SPDX-License-Identifier: BSD-3-Clause
/// The main function of the tests that run on several ranks: Catch2's session inside the scope of MPI and Kokkos.
#define CATCH_CONFIG_RUNNER
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/session.hpp"
#include "support/catch.hpp"

int main(int argc, char** argv) {
  const miniapp::Session session(argc, argv);
  const int failed = Catch::Session().run(argc, argv);
  return miniapp::Communicator::world().of_all(miniapp::Reduction::max, double(failed)) > 0 ? 1 : 0;
}
