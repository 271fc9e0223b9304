// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace miniapp::apps {

/// What a run takes at most at one time [bytes]. Where kernels run on the host, both parts are of one memory.
struct MemoryNeed {
  double host = 0, device = 0;
  double total() const { return host + device; }
};

/// The program itself, with its libraries and small tables.
inline constexpr double program_bytes = 8e6;

/// What is needed where all of these are, one after the other.
MemoryNeed most_of(const std::vector<MemoryNeed>& moments);

/// Compares a need with what is free before any work. `what`: the options that ask for it, "--order 7, 4096 elements";
/// `accepted`: what to ask for instead. Errors: InputError with what is needed and what is free.
void require_memory(const MemoryNeed& need, const std::string& what, const std::string& accepted);

/// Runs the work; where memory runs out all the same, says what ran out, and how much was expected (nothing where that
/// is not known). Errors: ResultError.
int within_memory(const MemoryNeed& need, const std::string& what, const std::function<int()>& work);

}  // namespace miniapp::apps
