// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/config_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <type_traits>

#include "apps/frontend/text_file.hpp"
#include "apps/frontend/words.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::apps {
namespace {

/// One file, read for one command.
class Reader {
 public:
  Reader(const std::string& text, std::string file, Options& command, const std::vector<Options*>& commands)
      : file_(std::move(file)), command_(command), commands_(commands) {
    for (std::size_t at = 0; at <= text.size(); at = std::min(text.find('\n', at), text.size()) + 1)
      lines_.push_back(text.substr(at, text.find('\n', at) - at));
  }

  void apply(const toml::table& table) {
    bool found = false;
    std::vector<std::string> sections;
    for (const auto& [key, value] : table) {
      if (const toml::table* section = value.as_table()) {
        sections.push_back(fmt::format("[{}]", key.str()));
        Options& owner = find_section(std::string(key.str()), value);
        for (const auto& [name, entry] : *section) apply(std::string(name.str()), entry, owner);
        found |= &owner == &command_;
      } else {
        apply(std::string(key.str()), value, *commands_.front());
        found |= commands_.front() == &command_;
      }
    }
    require(found, "--config", file_, fmt::format("holds no options of {}; {}", command_.called(), others(sections)));
  }

 private:
  std::string place(const toml::node& node) const { return fmt::format("{}:{}", file_, node.source().begin.line); }

  /// The sections of a file that has no options for this command, for the refusal.
  std::string others(const std::vector<std::string>& sections) const {
    if (command_.command().empty())
      return sections.empty()
                 ? "it is empty"
                 : fmt::format("its sections are {}: accepted is miniapp --config {} {}", fmt::join(sections, ", "),
                               quote(file_), sections.front().substr(1, sections.front().size() - 2));
    return fmt::format("accepted is a section [{}]", command_.command());
  }

  Options& find_section(const std::string& name, const toml::node& node) const {
    std::vector<std::string> known;
    for (std::size_t c = 1; c < commands_.size(); ++c) {
      if (commands_[c]->command() == name) return *commands_[c];
      known.push_back(commands_[c]->command());
    }
    throw InputError(fmt::format("{}: [{}]: unknown section{}; accepted are [{}]", place(node), name,
                                 suggestion(name, known), fmt::join(known, "], [")));
  }

  /// The value as it is written, digit separators left out.
  std::string literal(const toml::node& node) const {
    const std::string& line = lines_.at(node.source().begin.line - 1);
    std::size_t start = 0;  // columns count characters, not bytes
    for (std::size_t column = 1; start < line.size(); ++start)
      if ((static_cast<unsigned char>(line[start]) & 0xc0) != 0x80 && column++ == node.source().begin.column) break;
    std::string text = line.substr(start);
    text.resize(std::min(text.find_first_of(" \t\r,]}#"), text.size()));
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    return text;
  }

  /// TOML has hexadecimal, octal and binary numbers too, which nothing else here takes.
  bool is_decimal(const toml::node& node) const { return literal(node).find_first_of("xob") == std::string::npos; }

  /// A string, or a number as it is written.
  std::string word(const std::string& key, const toml::node& node, const std::string& accepted) const {
    if (const auto text = node.value_exact<std::string>()) return *text;
    if (const auto number = node.value_exact<std::int64_t>(); number && is_decimal(node))
      return std::to_string(*number);
    if (node.is_floating_point()) return literal(node);
    refuse(key, node, accepted);
  }

  [[noreturn]] void refuse(const std::string& key, const toml::node& node, const std::string& accepted) const {
    std::ostringstream value;
    node.visit([&](const auto& concrete) { value << concrete; });
    throw InputError(fmt::format("{}: {} = {}: accepted is {}", place(node), key, value.str(), accepted));
  }

  void set(const std::string& key, const toml::node& node, int& variable) const {
    std::optional<int> number;
    if (const auto value = node.value_exact<std::int64_t>(); value && is_decimal(node))
      number = whole_number(std::to_string(*value));
    else if (const auto text = node.value_exact<std::string>())
      number = whole_number(*text);
    else if (node.is_floating_point())
      number = whole_number(literal(node));
    if (!number) refuse(key, node, "a whole number up to 2147483647, also as \"64k\", \"1.5M\", 1e6");
    variable = *number;
  }
  void set(const std::string& key, const toml::node& node, double& variable) const {
    if (const auto whole = node.value_exact<std::int64_t>();
        whole && is_decimal(node))  // value<double> has none of more than 53 bits
      variable = static_cast<double>(*whole);
    else if (const auto number = node.value_exact<double>())
      variable = *number;
    else
      refuse(key, node, "a number");
  }
  void set(const std::string& key, const toml::node& node, bool& variable) const {
    if (!node.is_boolean()) refuse(key, node, "true or false");
    variable = *node.value<bool>();
  }
  void set(const std::string& key, const toml::node& node, std::string& variable) const {
    variable = word(key, node, "a text");
  }
  /// "1,3..5", 7 or [1, "3..5"].
  void set(const std::string& key, const toml::node& node, std::vector<std::string>& variable,
           const Option& option) const {
    const std::string accepted = "a text, a number, or a list of them";
    if (const toml::array* list = node.as_array()) {
      variable.clear();
      for (const toml::node& entry : *list) variable.push_back(word(key, entry, accepted));
      return;
    }
    variable = option.entries(word(key, node, accepted));
  }

  /// Refuses keys that no command knows. Only the command that runs takes values.
  void apply(const std::string& key, const toml::node& node, Options& owner) const {
    std::vector<std::string> known;
    for (Option& option : owner.all()) {
      // A config file may not name another one, and words that are known by their places have no name.
      if (option.name == "--config" || option.name.rfind("--", 0) != 0) continue;
      const std::string name = option.name.substr(2);
      known.push_back(name);
      if (name != key) continue;
      if (&owner != &command_ || option.given) return;  // the command line has precedence
      const auto take = [&](auto* variable) {
        if constexpr (std::is_same_v<decltype(variable), std::vector<std::string>*>)
          set(key, node, *variable, option);
        else
          set(key, node, *variable);
      };
      std::visit(take, option.variable);
      option.given = true;
      option.origin = place(node);
      return;
    }
    const std::string asked = owner.command().empty() ? "miniapp --help" : "miniapp " + owner.command() + " --help";
    throw InputError(fmt::format("{}: {}: no option of {}{}; accepted is what {} lists, without dashes", place(node),
                                 key, owner.called(), suggestion(key, known), asked));
  }

  const std::string file_;
  Options& command_;
  const std::vector<Options*>& commands_;
  std::vector<std::string> lines_;
};

}  // namespace

void apply_config(const std::string& text, const std::string& file, Options& command,
                  const std::vector<Options*>& commands) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: {}; accepted is TOML: KEY = VALUE, [SECTION]", file, error.source().begin.line,
                                 error.description()));
  }
  Reader(text, file, command, commands).apply(table);
}

void apply_config(const std::string& file, Options& command, const std::vector<Options*>& commands) {
  apply_config(read_text("--config", file, "a readable TOML file"), file, command, commands);
}

}  // namespace miniapp::apps
