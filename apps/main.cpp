// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <iostream>

#include "commands.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace {

constexpr int wrong_result = 1, bad_input = 2;

/// What the parser refused, in the words of the program: the option, the value, what is accepted.
std::string explain(const CLI::ParseError& error) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::FileError*>(&error)) return "--config: " + text + "; accepted is a readable TOML file";
  if (dynamic_cast<const CLI::ConfigError*>(&error))
    return "--config: " + text + "; accepted keys are the long options that --help lists, without dashes";
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return text + "; accepted is what --help lists";
  return text;
}

int run(int argc, char** argv) {
  std::string command_line = "miniapp";
  for (int i = 1; i < argc; ++i) command_line.append(" ").append(argv[i]);

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
  try {
    app.parse(argc, argv);
    return info_app->parsed() ? info(command_line) : tensor(command_line);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw miniapp::InputError(explain(error));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const miniapp::InputError& error) {
    std::cerr << "miniapp: " << error.what() << '\n';
    return bad_input;
  } catch (const std::exception& error) {
    std::cerr << "miniapp: " << error.what() << '\n';
    return wrong_result;
  }
}
