// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/frontend/words.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::apps {

std::pair<std::string, std::string> split_group(const std::string& text) {
  const auto is_part = [](char c) { return c == '<' || c == '>' || c == '=' || c == '!'; };
  for (std::size_t at = 1; at < text.size(); ++at)
    if (text[at] == '=' && !is_part(text[at - 1]) && (at + 1 == text.size() || text[at + 1] != '='))
      return {text.substr(0, at), text.substr(at + 1)};
  return {"", text};
}

bool names_file(const std::string& word) { return word.rfind('@', 0) == 0 || word.find("=@") != word.npos; }

std::vector<std::string> split_outside(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

void require_group(const std::vector<mesh::Group>& groups, const std::string& option, const std::string& name,
                   int dimension, int of_elements) {
  const auto same = [&](const mesh::Group& group) { return group.name == name; };
  const auto found = std::find_if(groups.begin(), groups.end(), same);
  std::vector<std::string> known;
  for (const mesh::Group& group : groups)
    if (group.dimension == dimension) known.push_back(printable(group.name, 60));
  const std::string kind = dimension == of_elements ? "elements" : "sides";
  const std::string accepted = known.empty() ? fmt::format("the mesh has no group of {}", kind)
                                             : fmt::format("accepted are {}", fmt::join(known, ", "));
  const std::string value = printable(name, 60);
  require(found != groups.end(), option, value,
          fmt::format("no group of {}{}; {}", kind, suggestion(value, known), accepted));
  require(found->dimension == dimension, option, value,
          fmt::format("a group of {}; {}", dimension == of_elements ? "sides" : "elements", accepted));
}

std::pair<std::string, std::string> parse_group(const std::vector<mesh::Group>& groups, const std::string& option,
                                                const std::string& word, int dimension, const std::string& accepted,
                                                int of_elements) {
  const auto [group, text] = parse_optional_group(groups, option, word, dimension, accepted, of_elements);
  require(!group.empty(), option, printable(word, 200), "without a group; accepted is " + accepted);
  return {group, text};
}

std::pair<std::string, std::string> parse_optional_group(const std::vector<mesh::Group>& groups,
                                                         const std::string& option, const std::string& word,
                                                         int dimension, const std::string& accepted, int of_elements) {
  const auto [group, text] = split_group(word);
  if (!group.empty()) require_group(groups, option, group, dimension, of_elements);
  require(!text.empty(), option, printable(word, 200), "nothing after the =; accepted is " + accepted);
  return {group, text};
}

}  // namespace miniapp::apps
