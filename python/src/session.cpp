// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/session.hpp"

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::python {
namespace {

std::shared_ptr<const void> kept;
bool has_ended = false;

}  // namespace

void start(const std::vector<std::string>& kokkos_options) {
  if (has_ended) throw ResultError("the interpreter ends, and Kokkos with it");
  require(!kept, "kokkos_options", "",
          "Kokkos runs already; accepted is initialize() before anything else of this package");
  if (Kokkos::is_initialized())  // by another library of this process, which also ends it
    kept = std::make_shared<int>();
  else
    kept = std::make_shared<Session>(kokkos_options);
  const int ranks = Communicator::world().size();
  if (ranks == 1) return;
  kept.reset();
  throw InputError("ranks", std::to_string(ranks), "accepted from Python is one; the program miniapp runs on several");
}

std::shared_ptr<const void> session() {
  if (!kept) start({});
  return kept;
}

void end_session() {
  kept.reset();
  has_ended = true;
}

}  // namespace miniapp::python
