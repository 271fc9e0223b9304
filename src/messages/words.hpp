// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp::messages {

/// Words that other ranks sent: offsets[k] .. offsets[k + 1] those of the k-th.
struct ReceivedWords {
  std::vector<std::size_t> offsets;
  Vector<const std::uint64_t> words;
};

/// Sends words[offsets[k]] .. words[offsets[k + 1]] to the rank others[k]; ranks name each other. Sizes may be zero,
/// and differ from call to call. GPUs copy into each other's memory where they can; else words pass through the host,
/// which takes ten times as long. Waits for the device. Collective over all ranks.
ReceivedWords exchange_words(const Communicator& ranks, const std::vector<int>& others,
                             const std::vector<std::size_t>& offsets, const Vector<const std::uint64_t>& words);

}  // namespace miniapp::messages
