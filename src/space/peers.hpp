// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "miniapp/space/exchange.hpp"

namespace miniapp::space {

/// Memory into which neighbours store their items: offsets[k] .. offsets[k + 1] are those of rank others[k], in the
/// same order on both sides. Null where some rank is on another host, or its device cannot open another's memory.
/// Collective.
std::shared_ptr<detail::Peers> make_peers(const Communicator& ranks, const std::vector<int>& others,
                                          const std::vector<std::size_t>& offsets);

}  // namespace miniapp::space
