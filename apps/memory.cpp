// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

void require_free(double needed, std::size_t free, const std::string& whose, const std::string& what,
                  const std::string& accepted) {
  require(free == 0 || needed <= static_cast<double>(free),
          fmt::format("{}: needs about {} of {}, {} are free; accepted are {}", what, report::bytes(needed), whose,
                      report::bytes(static_cast<double>(free)), accepted));
}

/// Whether Kokkos's message is about an array that it could not allocate.
bool is_failed_allocation(const std::string& text) { return text.find("failed to allocate") != text.npos; }

[[noreturn]] void report_shortage(const MemoryNeed& need, const std::string& what, const std::string& where) {
  const std::string expected =
      need.total() > 0 ? fmt::format("about {} were expected, ", report::bytes(need.total())) : "";
  throw ResultError(fmt::format("{}: memory ran out{}: {}{} are free; accepted is less", what, where, expected,
                                report::bytes(static_cast<double>(free_host_memory()))));
}

}  // namespace

void require_memory(const MemoryNeed& need, const std::string& what, const std::string& accepted) {
  if (runs_on_host) return require_free(need.total(), free_host_memory(), "memory", what, accepted);
  require_free(need.device, available_memory(), "the device's memory", what, accepted);
  require_free(need.host, free_host_memory(), "the host's memory", what, accepted);
}

void within_memory(const MemoryNeed& need, const std::string& what, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    report_shortage(need, what, "");
  } catch (const std::length_error&) {  // more than a std::vector can hold
    report_shortage(need, what, "");
  } catch (const InputError&) {
    throw;
  } catch (const ResultError&) {
    throw;
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    if (!is_failed_allocation(text)) throw;
    const std::size_t label = text.find('"'), end = text.find('"', label + 1);
    report_shortage(need, what, end == text.npos ? "" : " for the array " + text.substr(label, end + 1 - label));
  }
}

}  // namespace miniapp::apps
