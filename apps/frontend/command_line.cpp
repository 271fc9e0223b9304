// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "apps/frontend/config_file.hpp"
#include "apps/frontend/help_files.hpp"
#include "apps/frontend/words.hpp"
#include "core/number.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::apps {
namespace {

/// What a refusal says of the numbers that an option takes.
template <class Number>
std::string describe(const Accepted& accepted) {
  const std::string text = accepted.text;
  if (!std::is_integral_v<Number>) return text.empty() ? "numbers" : text;
  if (!text.empty() && text.rfind("whole numbers", 0) != 0) return text;
  const bool is_bounded = text.find(" to ") != std::string::npos;
  return (text.empty() ? "whole numbers" : text) + (is_bounded ? "" : " up to 2147483647") + ", also as 64k, 1.5M, 1e6";
}

/// Refuses a word that is not a decimal number of the type, with the program's message; "010" becomes "10", and
/// "64k" and "6.4e4" "64000".
template <class Number>
CLI::Validator number(const Accepted& accepted) {
  const auto parse = [accepted](std::string& text) -> std::string {
    if constexpr (std::is_integral_v<Number>) {
      if (const std::optional<int> value = whole_number(text)) {
        text = fmt::format("{}", *value);
        return "";
      }
    } else {
      double value = 0;
      if (parse_number(text, value)) return "";
    }
    return fmt::format("unknown value '{}'; accepted are {}", text, describe<Number>(accepted));
  };
  return {parse, ""};
}

void add_option(CLI::App& app, const Option& option) {
  const auto add = [&](auto* variable) -> CLI::Option* {
    using T = std::remove_pointer_t<decltype(variable)>;
    if constexpr (std::is_same_v<T, bool>) {
      return app.add_flag(option.name, *variable);
    } else {
      CLI::Option* added = app.add_option(option.name, *variable);
      if (option.repeats) added->allow_extra_args(false);
      if constexpr (std::is_arithmetic_v<T>) added->transform(number<T>(option.accepted));
      return added;
    }
  };
  std::visit(add, option.variable);
}

/// The names that a command takes for options.
std::vector<std::string> names(Options& options) {
  std::vector<std::string> all = {"--help", "--version", "--kokkos-help"};
  for (const Option& option : options.all()) all.push_back(option.name);
  return all;
}

bool is_option(const std::string& word) { return word.rfind('-', 0) == 0; }

/// "a, b and c".
std::string list_of(const std::vector<std::string>& words) {
  const std::string but_last = fmt::format("{}", fmt::join(words.begin(), words.end() - 1, ", "));
  return but_last.empty() ? words.back() : but_last + " and " + words.back();
}

/// "--name" of "--name=value".
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

/// Whether a command takes more than words that are known by their places.
bool has_options(Options& options) { return options.all().back().name.rfind("--", 0) == 0; }

/// All commands with their options, as CLI11 takes them.
class Parser {
 public:
  Parser(const std::vector<Options*>& commands, const std::string& version)
      : commands_(commands), version_(version), app_("", "miniapp") {
    app_.require_subcommand(0, 1);
    for (std::size_t c = 0; c < commands.size(); ++c) {
      Options& options = *commands[c];
      if (has_options(options))
        options.group(options.all().back().heading)
            .optional("--config", options.config_file, "Read options from a TOML file")
            .input();
      apps_.push_back(c == 0 ? &app_ : app_.add_subcommand(options.command()));
      apps_[c]->set_version_flag("--version", version);
      for (const Option& option : options.all()) add_option(*apps_[c], option);
    }
  }

  CommandLine parse(std::vector<std::string> words) {
    if (words == std::vector<std::string>{"help", "--completion"}) return {nullptr, bash_completion(commands_)};
    if (words == std::vector<std::string>{"help", "--man"}) return {nullptr, man_page(commands_, version_)};
    const bool shows_all = take_all(words);
    take_help(words);
    Options& called = put_command_first(words);
    refuse_values_of_flags(words);
    const std::string help = help_page(called, commands_, shows_all);  // with the defaults, which parsing replaces
    try {
      std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
      app_.parse(std::move(words));
      const std::size_t chosen = command();
      Options& options = *commands_[chosen];
      for (Option& option : options.all()) take_words(*apps_[chosen]->get_option(option.name), option);
      options.check_values();
      if (!options.config_file.empty()) apply_config(options.config_file, options, commands_);
      options.check_values();
      options.check_files();
      return {&options, ""};
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) throw InputError(explain(error));
      return {nullptr, dynamic_cast<const CLI::CallForHelp*>(&error) ? help : version_ + '\n'};
    }
  }

 private:
  /// Whether help is asked for all options: `--help all`, `help all`, `help COMMAND all`. Takes away that word.
  static bool take_all(std::vector<std::string>& words) {
    const auto all = std::find(words.begin(), words.end(), "all");
    if (all == words.begin() || all == words.end()) return false;
    if (words.front() != "help" && *(all - 1) != "--help" && *(all - 1) != "-h") return false;
    words.erase(all);
    return true;
  }

  /// `help` and `help COMMAND` are their --help. Errors: InputError for a command that is not there.
  void take_help(std::vector<std::string>& words) const {
    if (words.empty() || words.front() != "help") return;
    words.erase(words.begin());
    std::vector<std::string> known = names_of_commands();
    known.insert(known.end(), {"--completion", "--man"});
    if (!words.empty()) {
      const std::string asked = quote(words.front());
      require(std::count(known.begin(), known.end(), words.front()) > 0,
              fmt::format("help {}: unknown{}; accepted are {}", asked, suggestion(words.front(), known),
                          fmt::join(known, ", ")));
      require(words.size() == 1, fmt::format("help {} {}: one word follows help; accepted is miniapp help {}", asked,
                                             quote(words[1]), asked));
    }
    words.emplace_back("--help");
  }

  /// Whether an option's value is the next word.
  bool takes_next(const std::string& word) const {
    if (!is_option(word) || word.find('=') != std::string::npos) return false;
    for (Options* options : commands_)
      if (const Option* option = options->find(word)) return !option->is_flag();
    return false;
  }

  /// Moves options that stand before the command's name behind it. Returns the command's options.
  Options& put_command_first(std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < words.size(); i += takes_next(words[i]) ? 2 : 1) {
      if (is_option(words[i])) continue;
      for (std::size_t c = 1; c < commands_.size(); ++c) {
        if (words[i] != commands_[c]->command()) continue;
        std::rotate(words.begin(), words.begin() + std::ptrdiff_t(i), words.begin() + std::ptrdiff_t(i) + 1);
        return *commands_[c];
      }
      break;
    }
    return *commands_.front();
  }

  /// A flag has no value.
  void refuse_values_of_flags(const std::vector<std::string>& words) const {
    for (const std::string& word : words)
      for (Options* options : commands_)
        for (const Option& option : options->all())
          require(!option.is_flag() || word.rfind(option.name + "=", 0) != 0, word, "",
                  "takes no value; accepted is " + option.name);
  }

  /// Splits a list. CLI11 would drop an empty word between two commas.
  static void take_words(const CLI::Option& parsed, Option& option) {
    option.given = parsed.count() > 0;
    std::vector<std::string>* const* list = std::get_if<std::vector<std::string>*>(&option.variable);
    if (!option.given || !list) return;
    (*list)->clear();
    for (const std::string& words : parsed.results())
      for (const std::string& word : option.entries(words)) (*list)->push_back(word);
  }

  /// The number of the command that was called.
  std::size_t command() const {
    for (std::size_t c = 1; c < apps_.size(); ++c)
      if (apps_[c]->parsed()) return c;
    return 0;
  }

  /// The parser's refusal as a message of the program: the option, the value, what is accepted.
  std::string explain(const CLI::ParseError& error) const {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return explain_mismatch(text.substr(0, text.find(':')));
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
      const std::vector<std::string> unknown = app_.remaining(true);
      const auto option = std::find_if(unknown.begin(), unknown.end(), is_option);
      return explain_unknown(option == unknown.end() ? unknown.front() : *option);
    }
    return text;
  }

  /// The refusal of an option without its value, or with several.
  std::string explain_mismatch(const std::string& name) const {
    const std::size_t chosen = command();
    const Option* option = commands_[chosen]->find(name);
    if (!option || apps_[chosen]->get_option(option->name)->count() > 1)
      return name + ": given more than once; accepted is one value per option";
    if (option->words.empty() || option->file != FileUse::none)
      return fmt::format("{}: the value is missing; accepted is one: {}", name, option->description);
    return fmt::format("{}: the value is missing; accepted are {}", name, fmt::join(option->words, ", "));
  }

  std::vector<std::string> names_of_commands() const {
    std::vector<std::string> known;
    for (std::size_t c = 1; c < commands_.size(); ++c) known.push_back(commands_[c]->command());
    return known;
  }

  /// The commands that have an option of this name.
  std::vector<std::string> commands_with(const std::string& name) const {
    std::vector<std::string> with;
    for (Options* options : commands_)
      if (name != "--help" && options->find(name)) with.push_back(options->called());
    return with;
  }

  std::string explain_unknown(const std::string& word) const {
    Options& options = *commands_[command()];
    const std::string before = options.command().empty() ? "" : options.command() + " ";
    if (is_option(word)) {
      const std::string name = name_of(word);
      const std::vector<std::string> others = commands_with(name);
      if (!others.empty())
        return fmt::format("{}: no option of {}, but of {}; accepted is what miniapp {}--help lists", name,
                           options.called(), list_of(others), before);
      return fmt::format("{}: unknown{}; accepted is what miniapp {}--help lists", name,
                         suggestion(name, names(options)), before);
    }
    if (!before.empty())
      return fmt::format("{}: one word too many for {}; accepted is what miniapp {}--help lists", quote(word),
                         options.called(), before);
    const std::vector<std::string> known = names_of_commands();
    return fmt::format("{}: unknown{}; accepted are {}, and options, as miniapp --help lists them", quote(word),
                       suggestion(word, known), fmt::join(known, ", "));
  }

  const std::vector<Options*>& commands_;
  const std::string version_;
  CLI::App app_;
  std::vector<CLI::App*> apps_;  ///< the parser of each command
};

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words, const std::vector<Options*>& commands,
                               const std::string& version) {
  return Parser(commands, version).parse(words);
}

}  // namespace miniapp::apps
