// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/frontend/checks.hpp"
#include "core/output_file.hpp"
#include "miniapp/measure/stopwatch.hpp"

/// The options of a command, before and after the command line and the config file are read. Only command_line.cpp
/// knows the parser.
namespace miniapp::apps {

/// Numbers that an option accepts, and how a refusal describes them.
struct Accepted {
  bool (*holds)(double) = nullptr;  ///< null: all
  const char* text = "";
};
constexpr bool is_any(double) { return true; }
constexpr bool is_positive(double value) { return value > 0; }
inline constexpr Accepted any_finite{is_any, "finite numbers"}, positive_whole{is_positive, "whole numbers > 0"};

class Options;

/// What a command does with a file.
enum class FileUse { none, input, output };

/// Refuses a file to write by its name or by what it holds. Errors: InputError.
using FileCheck = std::function<void(const NamedFile& file, const Options& options)>;

/// One option: its name and text, the variable that it sets, and where its value came from.
struct Option {
  using Variable = std::variant<int*, double*, bool*, std::string*, std::vector<std::string>*>;

  std::string name;         ///< "--order"; without dashes: a word that is known by its place
  std::string heading;      ///< the heading of --help that it stands under
  std::string description;  ///< what --help says of it
  Variable variable;        ///< bool: true where the option is given; a list: words between commas
  bool shows_default;       ///< --help shows what `variable` holds before
  Accepted accepted = {};   ///< the numbers that it accepts
  /// Sets what a word stands for. Errors: InputError.
  std::function<void()> take = {};
  bool given = false;                   ///< on the command line or in the config file
  std::string origin = {};              ///< where a config file gives the value: "suite.toml:3"
  std::vector<std::string> words = {};  ///< that it accepts, for the shell's completion; empty: others too
  bool repeats = false;          ///< may be given several times; a word is one entry of the list, commas included
  FileUse file = FileUse::none;  ///< what the command does with the file that the value names, if it is none of `words`
  FileCheck check_output = {};   ///< refuses a file to write

  /// Sets the words that it accepts.
  Option& of(std::vector<std::string> accepted_words) {
    words = std::move(accepted_words);
    return *this;
  }
  /// A list of texts, each of which has the option's name before it.
  Option& repeated() {
    repeats = true;
    return *this;
  }
  /// The value is the name of a file to read, or one of `words`.
  Option& input() {
    file = FileUse::input;
    return *this;
  }
  /// The value is the name of a file to write, which `check` checks before any work.
  Option& output(FileCheck check = {}) {
    file = FileUse::output;
    check_output = std::move(check);
    return *this;
  }
  /// The entries of a list that a text gives.
  std::vector<std::string> entries(const std::string& text) const { return repeats ? std::vector{text} : split(text); }
  /// Whether its value can only be the name of a file.
  bool is_file() const { return file != FileUse::none && words.empty(); }
  bool is_flag() const { return std::holds_alternative<bool*>(variable); }
};

/// What an option sets as it is.
template <class T>
concept OptionValue = std::is_constructible_v<Option::Variable, T*>;

/// Options for the output of every command that measures.
struct OutputOptions {
  bool quiet = false;        ///< no progress
  std::string json;          ///< the file to which records are appended; empty: none
  bool wide = false;         ///< all columns of tables
  std::string csv;           ///< the table to which records are appended as rows
  bool all_samples = false;  ///< every time in records
  std::string plot;          ///< the picture of the records; empty: none
};

/// The options of one command.
class Options {
 public:
  /// `command`: the word that calls it, empty for the main job. `description`: of --help.
  Options(std::string command, std::string description)
      : command_(std::move(command)), description_(std::move(description)) {}

  /// Adds options under one heading of --help.
  class Group {
   public:
    Group(Options& options, std::string heading) : options_(options), heading_(std::move(heading)) {}
    /// An option whose default is what `variable` holds; an empty text or list means no default.
    template <OptionValue T>
    Option& add(const std::string& name, T& variable, const std::string& description, Accepted accepted = {}) const {
      options_.all_.push_back({name, heading_, description, &variable, true, accepted});
      return options_.all_.back();
    }
    /// An option of an enum, whose members are accepted by their names.
    template <Named E>
    Option& add(const std::string& name, E& variable, const std::string& description) const {
      const auto word = std::make_shared<std::string>(miniapp::name(variable));
      Option& option = add(name, *word, description);
      option.take = [name, word, &variable] { variable = choose<E>(name, *word); };
      return option.of(names_and<E>({}));
    }
    /// An option without a default of its own: what it means where it is not given stands in its description.
    template <OptionValue T>
    Option& optional(const std::string& name, T& variable, const std::string& description,
                     Accepted accepted = {}) const {
      Option& option = add(name, variable, description, accepted);
      option.shows_default = false;
      return option;
    }
    template <Named E>
    Option& optional(const std::string& name, std::optional<E>& variable, const std::string& description) const {
      const auto word = std::make_shared<std::string>();
      Option& option = optional(name, *word, description);
      option.take = [name, word, &variable] { variable = choose<E>(name, *word); };
      return option.of(names_and<E>({}));
    }
    /// An option without a value.
    void flag(const std::string& name, bool& variable, const std::string& description) const {
      optional(name, variable, description);
    }

    /// --repeat and --energy.
    void repeat(measure::Repeat& variables) const;
    /// --repeat alone.
    void times(int& variable) const;
    /// --energy alone.
    void energy(bool& variable) const;

    /// --quiet, --wide, --json, --csv, --all-samples and --plot; `records`: "one record per kernel".
    void output(OutputOptions& variables, const std::string& records) const;

   private:
    Options& options_;
    std::string heading_;
  };
  Group group(const std::string& heading) { return {*this, heading}; }

  const std::string& command() const { return command_; }
  /// Its name in sentences.
  std::string called() const { return command_.empty() ? "the main job" : command_; }
  const std::string& description() const { return description_; }
  std::vector<Option>& all() { return all_; }
  const std::vector<Option>& all() const { return all_; }
  /// The option that has this name; null where none does.
  const Option* find(const std::string& name) const;
  std::string config_file;  ///< that the command line names

  /// Whether the command line or the config file gives this option. Errors: std::logic_error for a name that was never
  /// added.
  bool given(const std::string& name) const;

  /// Whether the command has this flag, and it is true.
  bool is_set(const std::string& flag) const;

  /// Whether its value is that of the config file. Errors: as given().
  bool given_in_file(const std::string& name) const;

  /// Refuses options that are given although what else is given leaves no room for them: "NAME: reason". Errors:
  /// InputError.
  void refuse(std::initializer_list<const char*> names, const std::string& reason) const;

  /// Refuses values that are empty, and names of files that no file can have. Errors: InputError naming option and
  /// value.
  void check_values() const;

  /// Sets what words stand for, and refuses numbers that an option does not accept. Errors: InputError naming option,
  /// value and what is accepted.
  void take_values() const;

  /// Refuses files to write that their options' checks refuse, and those that are files to read, whatever links lead to
  /// them. Errors: InputError, its message as by with_origin().
  void check_files() const;

  /// An error's message as the command says it: where an option gives the argument at fault, its name stands there
  /// instead ("--block-size 0: ..." for "block_size 0: ...").
  std::string with_option(const Error& error) const;

  /// The message of with_option(); before it the line of the config file, where that gave the option at fault.
  std::string with_origin(const Error& error) const;

 private:
  /// The option that gives the argument at fault; null where none does.
  const Option* at_fault(const Error& error) const;
  /// Errors: std::logic_error.
  const Option& known(const std::string& name) const;

  std::string command_, description_;
  std::vector<Option> all_;
};

}  // namespace miniapp::apps
