// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/messages/peers.hpp"

namespace miniapp::messages {

inline constexpr std::size_t lent_bytes = std::size_t(runs_on_host ? 1 : 32) << 20;

/// Memory of each rank, as PeerMemory::make(), of lent_bytes, neither zeroed nor the caller's own: every call for these
/// ranks gives away the same, which stays until the process ends. The first one takes milliseconds. Null where
/// PeerMemory::make() is. Collective.
std::shared_ptr<const PeerMemory> lend_memory(const Communicator& ranks);

}  // namespace miniapp::messages
