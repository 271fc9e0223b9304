// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "miniapp/core/orders.hpp"

namespace miniapp {

/// body.template operator()<p>() for p = order, a default Result where this build has no such order: the one step from
/// an order at run time to one at compile time.
template <class Result, class Body>
Result with_order(int order, const Body& body) {
  Result result{};
  [&]<int... built>(std::integer_sequence<int, built...>) {
    static_cast<void>(((order == built && (result = body.template operator()<built>(), true)) || ...));
  }
  (std::integer_sequence<int, MINIAPP_ORDERS>());
  return result;
}

}  // namespace miniapp
