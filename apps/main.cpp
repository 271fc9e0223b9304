// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstring>
#include <iostream>

#include "commands.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace {

constexpr int wrong_result = 1, bad_input = 2;

/// An argument as a shell would take it.
std::string quote(const std::string& argument) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_=./,:+@", c); };
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// What the parser refused, in the words of the program: the option, the value, what is accepted.
std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::FileError*>(&error)) return "--config: " + text + "; accepted is a readable TOML file";
  if (dynamic_cast<const CLI::ConfigError*>(&error))
    return "--config: " + text +
           "; accepted are lines KEY = VALUE, whose keys are the long options that --help lists, without dashes";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return text + "; accepted is one value an option";
  if (dynamic_cast<const CLI::ConversionError*>(&error)) return text + "; accepted are true or false";
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> unknown = app.remaining(true);
    const auto option =
        std::find_if(unknown.begin(), unknown.end(), [](const std::string& word) { return word.front() == '-'; });
    return (option == unknown.end() ? unknown.front() : *option) + ": unknown; accepted is what --help lists";
  }
  return text;
}

/// Options of the main job mean nothing to another command.
void refuse_options_of_main_job(const CLI::App& app, const CLI::App& command) {
  for (const CLI::Option* option : app.get_options())
    miniapp::require(option->count() == 0 || option == app.get_config_ptr(),
                     option->get_name() + ": not an option of " + command.get_name() + "; accepted is what " +
                         command.get_name() + " --help lists");
}

int run(int argc, char** argv) {
  std::string command_line = "miniapp";
  for (int i = 1; i < argc; ++i) command_line += " " + quote(argv[i]);

  miniapp::Session session(argc, argv);
  CLI::App app(
      "Finite element kernels on every Kokkos backend, verified and measured against the hardware's limits.\n"
      "Without a subcommand: a bake-off problem solved by conjugate gradients.");
  app.name("miniapp");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", miniapp::platform().version);
  const miniapp::apps::Run tensor = miniapp::apps::add_tensor_command(app);
  CLI::App* info_app = app.add_subcommand("info", "Backends, devices, versions, measured copy and FMA roofs");
  const miniapp::apps::Run info = miniapp::apps::add_info_command(*info_app);
  CLI::App* tune_app = app.add_subcommand("tune", "Measures which kernel is fastest on this machine, for --tuning");
  const miniapp::apps::Run tune = miniapp::apps::add_tune_command(*tune_app);
  CLI::App* streaming_app =
      app.add_subcommand("streaming", "Streaming operations BS1..BS7: launch cost and bandwidth over sizes");
  const miniapp::apps::Run streaming = miniapp::apps::add_streaming_command(*streaming_app);
  CLI::App* indirect_app = app.add_subcommand(
      "indirect", "Indirect-increment loops: strategies, orders and layouts, with the figures that explain them");
  const miniapp::apps::Run indirect = miniapp::apps::add_indirect_command(*indirect_app);
  CLI::App* elasticity_app = app.add_subcommand(
      "elasticity", "Element matrices of linear elasticity on prisms: the paper's variants and faster ones, by phases");
  const miniapp::apps::Run elasticity = miniapp::apps::add_elasticity_command(*elasticity_app);
  try {
    app.parse(argc, argv);
    for (const auto& [command, run_command] :
         {std::pair(info_app, &info), std::pair(tune_app, &tune), std::pair(streaming_app, &streaming),
          std::pair(indirect_app, &indirect), std::pair(elasticity_app, &elasticity)}) {
      if (!command->parsed()) continue;
      refuse_options_of_main_job(app, *command);
      return (*run_command)(command_line);
    }
    return tensor(command_line);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw miniapp::InputError(explain(error, app));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    if (!std::cout.flush()) throw miniapp::ResultError("standard output: writing failed");
    return code;
  } catch (const miniapp::InputError& error) {
    std::cerr << "miniapp: " << error.what() << '\n';
    return bad_input;
  } catch (const std::exception& error) {  // one line of it: Kokkos adds a trace
    const std::string text = error.what();
    std::cerr << "miniapp: " << text.substr(0, text.find('\n')) << '\n';
    return wrong_result;
  }
}
