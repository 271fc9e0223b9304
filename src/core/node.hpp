// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/core/communicator.hpp"

namespace miniapp {

/// This rank's number among those that share its memory, from 0 on by their own order.
int rank_of_node(const Communicator& ranks);
/// This rank's number among those that share its device (sharing_ranks()), from 0 on. Collective.
int rank_of_device(const Communicator& ranks);
/// How many identities of devices are that of this rank, and how many of those before it.
std::array<int, 2> count_equal(const std::vector<std::array<std::int64_t, 2>>& of_ranks, int rank);
/// How many hosts the ranks are on, told apart by their names.
int num_hosts(const Communicator& ranks);
/// What messages call this rank: "rank 1", of several hosts "rank 1 on node07".
std::string name_of_rank(const Communicator& ranks);

}  // namespace miniapp
