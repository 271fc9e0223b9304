// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/memory.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "apps/frontend/checks.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

void require_free(double needed, std::size_t free, const std::string& whose, const std::string& what,
                  const std::string& accepted) {
  if (free == 0 || needed <= static_cast<double>(free)) return;
  throw about<NoRoom>(what, fmt::format("needs about {} of {}, {} are free; accepted are {}", report::bytes(needed),
                                        whose, report::bytes(static_cast<double>(free)), accepted));
}

/// Whether an allocation by Kokkos failed in a GPU's memory. It names the space: "Cuda memory space failed to
/// allocate", older versions `MemorySpace named "Cuda" failed`.
bool is_of_device(const std::exception& error) {
  const std::string text = error.what(), name = ExecutionSpace::memory_space::name();
  return (' ' + text).find(' ' + name + " memory space") != text.npos || text.find('"' + name + '"') != text.npos;
}

}  // namespace

void require_memory(const MemoryNeed& of_rank, const std::string& what, const std::string& accepted) {
  const Communicator world = Communicator::world();
  const MemoryNeed need{of_rank.host * world.size_of_node(), of_rank.device * sharing_ranks(world)};
  if (runs_on_host) return require_free(need.total(), free_host_memory(), "memory", what, accepted);
  require_free(need.device, available_memory(), "the device's memory", what, accepted);
  require_free(need.host, free_host_memory(), "the host's memory", what, accepted);
}

void require_available(double needed, std::size_t free, const std::string& option, const std::string& what) {
  if (free == 0 || needed <= static_cast<double>(free)) return;
  throw about<NoRoom>(option, fmt::format("{} needs about {}, {} are free; accepted is less", what,
                                          report::bytes(needed), report::bytes(static_cast<double>(free))));
}

std::optional<std::string> failed_allocation(const std::exception& error) {
  const bool of_array = dynamic_cast<const std::length_error*>(&error);  // more than a std::vector can hold
  if (of_array || dynamic_cast<const std::bad_alloc*>(&error)) return "";
  const std::string text = error.what();  // Kokkos's has several lines
  if (dynamic_cast<const InputError*>(&error) || text.find("failed to allocate") == text.npos) return {};
  const std::size_t label = text.find('"'), end = text.find('"', label + 1);
  return end == text.npos ? "" : text.substr(label, end + 1 - label);
}

void within_memory(const MemoryNeed& need, const std::string& what, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    const std::optional<std::string> array = failed_allocation(error);
    if (!array) throw;
    const std::string where = array->empty() ? "" : " for the array " + *array;
    const bool of_device = !runs_on_host && is_of_device(error);
    const double needed = of_device ? need.device : runs_on_host ? need.total() : need.host;
    const std::string expected = needed > 0 ? fmt::format("about {} were expected, ", report::bytes(needed)) : "";
    throw about<ResultError>(
        what, fmt::format("{}memory ran out{}: {}{} are free; accepted is less", of_device ? "the device's " : "",
                          where, expected, report::bytes(double(of_device ? available_memory() : free_host_memory()))));
  }
}

}  // namespace miniapp::apps
