// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/options.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "apps/frontend/plot.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::apps {

const Option* Options::find(const std::string& name) const {
  const auto option = std::find_if(all_.begin(), all_.end(), [&](const Option& o) { return o.name == name; });
  return option == all_.end() ? nullptr : &*option;
}

const Option& Options::known(const std::string& name) const {
  const Option* option = find(name);
  if (!option) throw std::logic_error(name + ": no option of " + command_);
  return *option;
}
bool Options::given(const std::string& name) const { return known(name).given; }
bool Options::given_in_file(const std::string& name) const { return !known(name).origin.empty(); }
bool Options::is_set(const std::string& flag) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Option& o) { return o.name == flag && o.is_flag() && *std::get<bool*>(o.variable); });
}

void Options::refuse(std::initializer_list<const char*> names, const std::string& reason) const {
  for (const char* name : names) require(!given(name), name, "", reason);
}

namespace {

void check_file_name(const Option& option, const std::string& name) {
  const auto require_name = [&](bool right, const std::string& reason) {
    require(right, option.name, name, reason + "; accepted is the name of a file");
  };
  std::error_code error;
  const std::filesystem::file_type type = std::filesystem::status(name, error).type();
  require_name(name.find('\0') == std::string::npos, "holds a zero byte");
  require_name(type != std::filesystem::file_type::directory, "is a folder");
  const bool found_out = !error || type == std::filesystem::file_type::not_found;
  require_name(found_out, error.message());
}

}  // namespace

void Options::Group::repeat(measure::Repeat& variables) const {
  times(variables.times);
  energy(variables.energy);
}

void Options::Group::times(int& variable) const {
  optional("--repeat", variable, "Timed repetitions [3 to 20, until they took 0.2 s or differ by 2 % at most]",
           positive_whole);
}

void Options::Group::energy(bool& variable) const {
  flag("--energy", variable, "Measure the energy too, half a second per operation, where the device counts it");
}

void Options::Group::output(OutputOptions& variables, const std::string& records) const {
  flag("--quiet", variables.quiet, "Print no progress");
  flag("--wide", variables.wide, "Print all columns of tables, however wide, and those of nothing but -");
  optional("--json", variables.json, "Append " + records + " to this file").output();
  optional("--csv", variables.csv, "Append the same to this table, dotted names of the record as columns").output();
  flag("--all-samples", variables.all_samples, "Records list every time that was taken, in order");
  optional("--plot", variables.plot,
           "Draw this run into this picture: .svg, .png or .pdf; several have their names added; needs Python's "
           "matplotlib")
      .output(check_picture);
}

void Options::check_values() const {
  for (const Option& option : all_) {
    if (!option.given) continue;
    std::vector<std::string> words;
    if (std::string* const* text = std::get_if<std::string*>(&option.variable)) words = {**text};
    if (std::vector<std::string>* const* list = std::get_if<std::vector<std::string>*>(&option.variable)) {
      words = **list;
      if (words.empty()) words = {""};
    }
    for (const std::string& word : words)
      require(!word.empty(), option.name, "", "the value is empty; accepted is one that is not, or to leave it out");
    if (option.is_file()) check_file_name(option, words.front());
  }
}

void Options::take_values() const {
  for (const Option& option : all_) {
    if (!option.given) continue;
    if (option.take) option.take();
    const auto check = [&](auto* variable) {
      if constexpr (std::is_arithmetic_v<std::remove_pointer_t<decltype(variable)>>)
        if (option.accepted.holds)
          require_number(option.name, *variable, option.accepted.holds(*variable), option.accepted.text);
    };
    std::visit(check, option.variable);
  }
}

const Option* Options::at_fault(const Error& error) const {
  std::string name = error.argument;
  if (name.rfind("--", 0) != 0) name.insert(0, "--");
  std::replace(name.begin(), name.end(), '_', '-');
  return find(name);
}

std::string Options::with_option(const Error& error) const {
  const Option* option = at_fault(error);
  const std::string message = error.what();
  if (!option || message.rfind(error.argument, 0) != 0) return message;
  return option->name + message.substr(error.argument.size());
}

std::string Options::with_origin(const Error& error) const {
  const Option* option = at_fault(error);
  return (option && !option->origin.empty() ? option->origin + ": " : "") + with_option(error);
}

void Options::check_files() const try {
  std::vector<NamedFile> inputs, outputs;
  for (const Option& option : all_) {
    if (!option.given || option.file == FileUse::none) continue;
    (option.file == FileUse::input ? inputs : outputs)
        .push_back({option.name, *std::get<std::string*>(option.variable)});
  }
  require_separate(outputs, inputs);
  for (const Option& option : all_)
    if (option.given && option.check_output)
      option.check_output({option.name, *std::get<std::string*>(option.variable)}, *this);
} catch (const InputError& error) {
  throw InputError(with_origin(error));
}

}  // namespace miniapp::apps
