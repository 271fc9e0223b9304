// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "options.hpp"

/// One function per command: it adds its options and returns the command, which checks the options once they were read,
/// and returns the work, whose result is the exit code: 0 right and finished, 1 a wrong or unconverged result. Bad
/// input is thrown as InputError, by the check, before any work.
namespace miniapp::apps {

using Work = std::function<int()>;
using Command = std::function<Work(const std::string& command_line)>;

Command add_tensor_command(Options& options);
Command add_info_command(Options& options);
Command add_tune_command(Options& options);
Command add_streaming_command(Options& options);
Command add_indirect_command(Options& options);
Command add_elasticity_command(Options& options);

}  // namespace miniapp::apps
