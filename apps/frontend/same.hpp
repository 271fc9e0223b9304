// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "apps/frontend/options.hpp"
#include "miniapp/core/communicator.hpp"

namespace miniapp::apps {

/// Refuses ranks that were told different things: other builds, command lines, values of options (a config file may
/// differ from host to host), or files that an option reads. Collective; nothing is compared on one rank.
/// Errors: InputError on all ranks that names the last rank that differs from rank 0, the option and the value there.
void require_same(const Communicator& world, const std::string& command_line, const Options& options);

/// Refuses a run of several processes that each are alone, since the launcher belongs to another MPI, or this build has
/// none: each would do all of the work. Errors: InputError.
void require_together(const Communicator& world);

}  // namespace miniapp::apps
