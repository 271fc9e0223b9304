// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "miniapp/indirect/loop.hpp"

namespace miniapp::indirect {

/// Bytes that a run of a loop moves at least by its plan: those of Loop::bytes(), fields once, incremented ones twice,
/// and maps once; where teams of a GPU read numbers of two bytes within their block, the plan's map by these; staged
/// increments, written and read.
template <class Function, int arity, class... Accesses>
double least_bytes(const Loop<Function, arity, Accesses...>& loop) {
  const auto& map = loop.plan().map();
  const Strategy strategy = loop.plan().options().strategy;
  const bool blocks = strategy == Strategy::hierarchical || strategy == Strategy::owner;
  const auto staged = []<class Access>(std::type_identity<Access>) -> double {
    using Argument = typename detail::ArgumentOf<Access, arity>::Type;
    if constexpr (Argument::role == Role::increments)
      return Argument::slots * Argument::components * sizeof(typename Argument::Value);
    return 0;
  };
  double sum = loop.bytes();
  if (blocks && !runs_on_host) sum -= map.bytes() / 2;
  if (strategy == Strategy::staged) sum += 2 * double(map.from_size()) * (staged(std::type_identity<Accesses>()) + ...);
  return sum;
}

}  // namespace miniapp::indirect
