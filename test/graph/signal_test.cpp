// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "miniapp/core/features.hpp"
#include "miniapp/graph/blocks.hpp"
#include "miniapp/mesh/generate.hpp"
#include "support/catch.hpp"

#ifdef MINIAPP_HAVE_METIS
namespace {
volatile sig_atomic_t caught = 0;
void count_signal(int) { caught = caught + 1; }
}  // namespace

TEST_CASE("A SIGTERM while METIS works reaches the program's own handler, and METIS ends its work", "[graph][signal]") {
  struct sigaction own = {}, before = {};
  own.sa_handler = count_signal;
  REQUIRE(sigaction(SIGTERM, &own, &before) == 0);
  const mesh::Mesh mesh = mesh::make_box(24, 24, 24);
  const pthread_t worker = pthread_self();
  for (int delay : {2, 10, 20}) {  // ms
    caught = 0;
    std::thread sender([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay));
      pthread_kill(worker, SIGTERM);
    });
    graph::Blocks blocks;
    CHECK_NOTHROW(blocks = graph::metis_blocks(mesh.element_to_vertex, mesh.vertices.size(), 64));
    sender.join();
    CHECK(blocks.entries.size() == mesh.num_elements());
    CHECK(caught == 1);
  }
  sigaction(SIGTERM, &before, nullptr);
}
#endif
