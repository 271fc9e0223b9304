// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "config_file.hpp"
#include "examples.hpp"
#include "miniapp/core/error.hpp"
#include "report/table.hpp"
#include "words.hpp"

namespace miniapp::apps {
namespace {

/// Refuses a word that is not a decimal number of the type, with the program's message; "010" becomes "10".
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

constexpr std::size_t description_width = 90;  ///< beside names of 30: --help fits 120 columns

std::string in_lines(const std::string& description) {
  return fmt::format("{}", fmt::join(report::wrap(description, description_width), "\n"));
}

void add_option(CLI::App& app, const Option& option) {
  const std::string description = in_lines(option.description);
  const auto add = [&](auto* variable) -> CLI::Option* {
    using T = std::remove_pointer_t<decltype(variable)>;
    if constexpr (std::is_same_v<T, bool>) {
      return app.add_flag(option.name, *variable, description);
    } else {
      CLI::Option* added = app.add_option(option.name, *variable, description);
      if constexpr (std::is_arithmetic_v<T>) added->transform(number<T>());
      if (option.shows_default) added->capture_default_str();
      return added;
    }
  };
  std::visit(add, option.variable)->group(option.heading);
}

/// Options that mean the same for every command. They may stand before the command's name too.
const std::vector<std::string> common_options = {"--config", "--csv",    "--json",        "--plot", "--precision",
                                                 "--quiet",  "--repeat", "--verify-only", "--wide"};

std::vector<std::string> names(Options& options) {
  std::vector<std::string> all = {"--help"};
  for (const Option& option : options.all()) all.push_back(option.name);
  return all;
}

/// Whether a command takes more than words that are known by their places.
bool has_options(Options& options) { return options.all().back().name.rfind("--", 0) == 0; }

/// What --help says below the options.
std::string footer(Options& options) {
  std::string text = "Examples:\n";
  for (const std::string& example : examples(options.command())) text += "  " + example + '\n';
  if (!has_options(options)) return text;
  const std::vector<std::string> own = names(options);
  std::vector<std::string> common;
  for (const std::string& name : common_options)
    if (std::count(own.begin(), own.end(), name) > 0) common.push_back(name);
  return text + fmt::format("\n{} may stand before a subcommand's name too.\n", fmt::join(common, " ")) +
         "Options --kokkos-... are Kokkos's: --kokkos-help lists them.";
}

/// All commands with their options, as CLI11 takes them.
class Parser {
 public:
  Parser(const std::vector<Options*>& commands, const std::string& version)
      : commands_(commands), app_(commands.front()->description(), "miniapp") {
    app_.require_subcommand(0, 1);
    for (std::size_t c = 0; c < commands.size(); ++c) {
      Options& options = *commands[c];
      if (has_options(options))
        options.group(options.all().back().heading)
            .file("--config", options.config_file, "Read options from a TOML file");
      apps_.push_back(c == 0 ? &app_ : app_.add_subcommand(options.command(), in_lines(options.description())));
      apps_[c]->set_version_flag("--version", version);
      apps_[c]->footer(footer(options));
      for (const Option& option : options.all()) add_option(*apps_[c], option);
    }
  }

  CommandLine parse(std::vector<std::string> words) {
    take_help(words);
    refuse_values_of_flags(words);
    try {
      std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
      app_.parse(std::move(words));
      const std::size_t chosen = command();
      Options& options = *commands_[chosen];
      if (chosen > 0) take_common_options(chosen);
      for (Option& option : options.all()) take_words(*apps_[chosen]->get_option(option.name), option);
      options.check_values();
      if (!options.config_file.empty()) apply_config(options.config_file, options, commands_);
      options.check_values();
      options.check_files();
      return {&options, ""};
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) throw InputError(explain(error));
      std::ostringstream text;  // --help, --version
      app_.exit(error, text, text);
      return {nullptr, text.str()};
    }
  }

 private:
  /// `help` and `help COMMAND` are their --help. Errors: InputError for a command that is not there.
  void take_help(std::vector<std::string>& words) const {
    if (words.empty() || words.front() != "help") return;
    words.erase(words.begin());
    std::vector<std::string> known;
    for (std::size_t c = 1; c < commands_.size(); ++c) known.push_back(commands_[c]->command());
    if (!words.empty())
      require(std::count(known.begin(), known.end(), words.front()) > 0,
              fmt::format("help {}: unknown{}; accepted are {}", quote(words.front()), suggestion(words.front(), known),
                          fmt::join(known, ", ")));
    words.emplace_back("--help");
  }

  /// A flag has no value.
  void refuse_values_of_flags(const std::vector<std::string>& words) const {
    for (const std::string& word : words)
      for (Options* options : commands_)
        for (const Option& option : options->all())
          require(!std::holds_alternative<bool*>(option.variable) || word.rfind(option.name + "=", 0) != 0,
                  fmt::format("{}: takes no value; accepted is {}", word, option.name));
  }

  /// Splits a list. CLI11 would drop an empty word between two commas.
  static void take_words(const CLI::Option& parsed, Option& option) {
    option.given = parsed.count() > 0;
    std::vector<std::string>* const* list = std::get_if<std::vector<std::string>*>(&option.variable);
    if (!option.given || !list) return;
    (*list)->clear();
    for (const std::string& words : parsed.results())
      for (const std::string& word : split(words)) (*list)->push_back(word);
  }

  /// The number of the command that was called.
  std::size_t command() const {
    for (std::size_t c = 1; c < apps_.size(); ++c)
      if (apps_[c]->parsed()) return c;
    return 0;
  }

  /// Moves options that stand before the name of a command behind it.
  void take_common_options(std::size_t c) {
    const std::string& name = commands_[c]->command();
    for (const Option& option : commands_.front()->all()) {
      const CLI::Option* before = app_.get_option(option.name);
      if (before->count() == 0) continue;
      CLI::Option* after = apps_[c]->get_option_no_throw(option.name);
      require(after, fmt::format("{}: not an option of {}; accepted is what miniapp {} --help lists", option.name, name,
                                 name));
      require(std::count(common_options.begin(), common_options.end(), option.name),
              fmt::format("{}: before {} it is of the main job; accepted is miniapp {} {} ...", option.name, name, name,
                          option.name));
      require(after->count() == 0 || std::holds_alternative<bool*>(option.variable),
              fmt::format("{}: stands before and after {}; accepted is one value an option", option.name, name));
      for (const std::string& word : before->results()) after->add_result(word);
      after->run_callback();
    }
  }

  /// The parser's refusal as a message of the program: the option, the value, what is accepted.
  std::string explain(const CLI::ParseError& error) const {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return text + "; accepted is one value an option";
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
      const std::vector<std::string> unknown = app_.remaining(true);
      const auto option =
          std::find_if(unknown.begin(), unknown.end(), [](const std::string& word) { return word.rfind('-', 0) == 0; });
      return explain_unknown(option == unknown.end() ? unknown.front() : *option);
    }
    return text;
  }

  std::string explain_unknown(const std::string& word) const {
    Options& options = *commands_[command()];
    const std::string before = options.command().empty() ? "" : options.command() + " ";
    if (word.rfind('-', 0) == 0) {
      const std::string name = word.substr(0, word.find('='));
      for (Options* other : commands_)
        if (name != "--help" && std::count_if(other->all().begin(), other->all().end(),
                                              [&](const Option& option) { return option.name == name; }))
          return fmt::format("{}: no option of {}, but of {}; accepted is what miniapp {}--help lists", name,
                             options.called(), other->called(), before);
      return fmt::format("{}: unknown{}; accepted is what miniapp {}--help lists", name,
                         suggestion(name, names(options)), before);
    }
    std::vector<std::string> known;
    for (std::size_t c = 1; c < commands_.size(); ++c) known.push_back(commands_[c]->command());
    return fmt::format("{}: unknown{}; accepted are {}, and options, as miniapp {}--help lists them", quote(word),
                       before.empty() ? suggestion(word, known) : "", fmt::join(known, ", "), before);
  }

  const std::vector<Options*>& commands_;
  CLI::App app_;
  std::vector<CLI::App*> apps_;  ///< of each command
};

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words, const std::vector<Options*>& commands,
                               const std::string& version) {
  return Parser(commands, version).parse(words);
}

}  // namespace miniapp::apps
