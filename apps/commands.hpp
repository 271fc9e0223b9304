// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

/// One function a subcommand: it adds its options to `app` and returns what runs it, an exit code in the end:
/// 0 right and finished, 1 a wrong or unconverged result; bad input is thrown as InputError.
namespace miniapp::apps {

using Run = std::function<int(const std::string& command_line)>;

Run add_tensor_command(CLI::App& app);
Run add_info_command(CLI::App& app);
Run add_tune_command(CLI::App& app);
Run add_streaming_command(CLI::App& app);
Run add_indirect_command(CLI::App& app);
Run add_elasticity_command(CLI::App& app);

}  // namespace miniapp::apps
