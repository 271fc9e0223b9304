// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "apps/frontend/options.hpp"

/// One function per command: it adds its options and returns the command, which checks the options once they were read,
/// and returns the work. Bad input is thrown as InputError, by the check, before any work; a wrong or unconverged
/// result as ResultError, by the work.
namespace miniapp::apps {

using Work = std::function<void()>;
using Command = std::function<Work(const std::string& command_line)>;

/// The command of options that add_options(options, arguments) adds and check(arguments, options) checks; its work is
/// run(checked, command_line, options).
template <class Arguments, class Run>
Command make_command(Options& options, Run run) {
  const auto arguments = std::make_shared<Arguments>();
  add_options(options, *arguments);
  return [arguments, &options, run](const std::string& command_line) -> Work {
    options.take_values();
    return [checked = check(*arguments, options), command_line, run, &options] { run(checked, command_line, options); };
  };
}

Command add_tensor_command(Options& options);
Command add_info_command(Options& options);
Command add_tune_command(Options& options);
Command add_streaming_command(Options& options);
Command add_indirect_command(Options& options);
Command add_elasticity_command(Options& options);
Command add_solver_command(Options& options);
Command add_weakform_command(Options& options);
Command add_compare_command(Options& options);
Command add_report_command(Options& options);

}  // namespace miniapp::apps
