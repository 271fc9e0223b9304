// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/communicator.hpp"

namespace miniapp {

/// This rank's number among those that share its memory, from 0 on by their own order. Collective.
int rank_of_node(const Communicator& ranks);

}  // namespace miniapp
