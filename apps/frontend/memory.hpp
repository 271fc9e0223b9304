// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "miniapp/core/error.hpp"
#include "runs/memory_need.hpp"

namespace miniapp::apps {

using measure::MemoryNeed;

/// A run that does not fit into the memory that is free.
class NoRoom : public InputError {
 public:
  using InputError::InputError;
};

/// Compares a need with what is free before any work. `what`: the options that ask for it, "--order 7, 4096 elements";
/// `accepted`: what to ask for instead. Errors: NoRoom with what is needed and what is free.
void require_memory(const MemoryNeed& need, const std::string& what, const std::string& accepted);

/// Refuses an amount that one memory has to hold: "BS7 needs about ..". Errors: NoRoom.
void require_available(double needed, std::size_t free, const std::string& option, const std::string& what);

/// The array that an exception could not allocate, in quotes, or an empty text where it does not say which; nothing
/// where the exception is not about memory.
std::optional<std::string> failed_allocation(const std::exception& error);

/// Runs the work. Where memory runs out all the same, the error says which array did not fit, and how much was expected
/// (nothing where that is not known). Errors: ResultError.
void within_memory(const MemoryNeed& need, const std::string& what, const std::function<void()>& work);

}  // namespace miniapp::apps
