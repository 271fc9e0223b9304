// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "miniapp/core/error.hpp"

namespace miniapp::apps {
namespace {

/// Refuses what is no decimal number of the type, in the program's words; "010" becomes "10".
template <class Number>
CLI::Validator number() {
  const auto parse = [](std::string& text) -> std::string {
    Number value{};
    std::size_t read = 0;
    try {
      if constexpr (std::is_integral_v<Number>)
        value = std::stoi(text, &read);
      else
        value = std::stod(text, &read);
    } catch (const std::logic_error&) {
      read = 0;
    }
    if (read == text.size() && read > 0) {
      if (std::is_integral_v<Number>) text = fmt::format("{}", value);
      return "";
    }
    return fmt::format("unknown value '{}'; accepted are {}", text,
                       std::is_integral_v<Number> ? "whole numbers up to 2147483647" : "numbers");
  };
  return {parse, ""};
}

void add_option(CLI::App& app, const Option& option) {
  const auto add = [&](auto* variable) -> CLI::Option* {
    using T = std::remove_pointer_t<decltype(variable)>;
    if constexpr (std::is_same_v<T, bool>) {
      return app.add_flag(option.name, *variable, option.description);
    } else {
      CLI::Option* added = app.add_option(option.name, *variable, option.description);
      if constexpr (std::is_arithmetic_v<T>) added->transform(number<T>());
      if constexpr (std::is_same_v<T, std::vector<std::string>>) added->delimiter(',');
      if (option.shows_default) added->capture_default_str();
      return added;
    }
  };
  std::visit(add, option.variable)->group(option.heading);
}

void add_options(CLI::App& app, Options& options) {
  for (const Option& option : options.all()) add_option(app, option);
  app.configurable();  // by a section of the file that miniapp --config reads
  app.allow_config_extras(false);
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
void refuse_options_of_main_job(const CLI::App& app, const std::string& command) {
  for (const CLI::Option* option : app.get_options())
    require(option->count() == 0 || option == app.get_config_ptr(),
            option->get_name() + ": not an option of " + command + "; accepted is what " + command + " --help lists");
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv, const std::vector<Options*>& commands,
                               const std::string& version) {
  CLI::App app(commands.front()->description(), "miniapp");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", version);
  add_options(app, *commands.front());
  app.set_config("--config", "", "Read options from a TOML file")->group("Run");
  std::vector<CLI::App*> apps = {&app};
  for (std::size_t c = 1; c < commands.size(); ++c) {
    apps.push_back(app.add_subcommand(commands[c]->command(), commands[c]->description()));
    add_options(*apps.back(), *commands[c]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw InputError(explain(error, app));
    std::ostringstream text;  // --help, --version
    app.exit(error, text, text);
    return {nullptr, text.str()};
  }
  std::size_t chosen = 0;
  for (std::size_t c = 1; c < commands.size(); ++c)
    if (apps[c]->parsed()) chosen = c;
  if (chosen > 0) refuse_options_of_main_job(app, commands[chosen]->command());
  for (Option& option : commands[chosen]->all()) option.given = apps[chosen]->count(option.name) > 0;
  return {commands[chosen], ""};
}

}  // namespace miniapp::apps
