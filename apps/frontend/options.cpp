// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "apps/frontend/plot.hpp"
#include "core/output_file.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/tensor/tuning.hpp"

namespace miniapp::apps {

bool Option::is_called(const std::string& other) const {
  return other == name || std::find(old_names.begin(), old_names.end(), other) != old_names.end();
}

Option* Options::find(const std::string& name) {
  const auto option = std::find_if(all_.begin(), all_.end(), [&](const Option& o) { return o.is_called(name); });
  return option == all_.end() ? nullptr : &*option;
}

const Option& Options::known(const std::string& name) const {
  const auto option = std::find_if(all_.begin(), all_.end(), [&](const Option& o) { return o.name == name; });
  if (option == all_.end()) throw std::logic_error(name + ": no option of " + command_);
  return *option;
}
bool Options::given(const std::string& name) const { return known(name).given; }
bool Options::given_in_file(const std::string& name) const { return !known(name).origin.empty(); }

void Options::refuse(std::initializer_list<const char*> names, const std::string& reason) const {
  for (const char* name : names) require(!given(name), std::string(name) + ": " + reason);
}

namespace {

void check_file_name(const Option& option, const std::string& name) {
  const auto require_name = [&](bool right, const std::string& reason) {
    require(right, fmt::format("{} {}: {}; accepted is the name of a file", option.name, name, reason));
  };
  std::error_code error;
  const std::filesystem::file_type type = std::filesystem::status(name, error).type();
  require_name(name.find('\0') == std::string::npos, "holds a zero byte");
  require_name(type != std::filesystem::file_type::directory, "is a folder");
  const bool found_out = !error || type == std::filesystem::file_type::not_found;
  require_name(found_out, error.message());
}

}  // namespace

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
      require(!word.empty(), option.name + ": the value is empty; accepted is one that is not, or to leave it out");
    if (option.is_file) check_file_name(option, words.front());
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

/// "name: ..." or "name value: ...", with underscores where options have dashes.
std::string Options::with_option(const std::string& message) const {
  const std::size_t end = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), colon = message.find(':');
  if (end == 0 || colon == std::string::npos || (message[end] != ' ' && end != colon)) return message;
  if (message.substr(0, colon).find(',') != std::string::npos) return message;  // a sentence
  std::string name = "--" + message.substr(0, end);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto known = std::find_if(all_.begin(), all_.end(), [&](const Option& o) { return o.is_called(name); });
  return known == all_.end() ? message : known->name + message.substr(end);
}

std::string Options::with_origin(std::string message) const {
  message = with_option(message);
  std::size_t first = std::string::npos;
  std::string origin;
  for (const Option& option : all_) {
    const std::size_t at = message.find(option.name);
    if (at >= first) continue;
    const std::size_t end = at + option.name.size();  // --elements is part of --elements-a-team too
    if (end < message.size() && (std::isalnum(static_cast<unsigned char>(message[end])) || message[end] == '-'))
      continue;
    first = at;
    origin = option.origin;
  }
  return origin.empty() ? message : origin + ": " + message;
}

void Options::check_files() const {
  const auto files = [&](std::initializer_list<const char*> names) {
    std::vector<NamedFile> named;
    for (const Option& option : all_)
      if (option.given && std::find(names.begin(), names.end(), option.name) != names.end())
        named.push_back({option.name, *std::get<std::string*>(option.variable)});
    return named;
  };
  const auto is_set = [&](const std::string& flag) {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const Option& o) { return o.name == flag && o.is_flag() && *std::get<bool*>(o.variable); });
  };
  const FileKind tables{"a tuning table", [](const std::string& start) {
                          try {
                            tensor::TuningTable(start.substr(0, start.rfind('\n') + 1), "");
                          } catch (const InputError&) {
                            return false;
                          }
                          return start.find('\n') != std::string::npos;
                        }};
  if (command_ == "tune")  // of weakform: a table of forms, which it checks itself
    for (const NamedFile& table : files({"--tune"})) AppendedFile(table, tables);
  for (const NamedFile& picture : files({"--plot"})) {
    require_picture_path(picture);
    require(!is_set("--verify-only"),
            fmt::format("{} {}: draws times, and --verify-only takes none; accepted is one of them", picture.name,
                        picture.path));
  }
  require_separate(files({"--json", "--csv", "--save-plan", "--tune", "--history", "--plot"}),
                   files({"--config", "--mesh", "--load-plan", "--tuning", "--matrix"}));
}

}  // namespace miniapp::apps
