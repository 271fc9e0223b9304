// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/names.hpp"

/// Tables as text: an entry per line, words between blanks; # starts a comment.
namespace miniapp {

/// Calls visit(words, "source, line 3") for each line of a text that has words.
template <class Visit>
void for_entries(const std::string& text, const std::string& source, const Visit& visit) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream rest(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (!words.empty()) visit(words, source + ", line " + std::to_string(number));
  }
}

/// Values with their names.
template <class Values>
auto with_names(const Values& values) {
  std::vector<std::pair<std::string, typename Values::value_type>> named;
  for (const auto value : values) named.emplace_back(name(value), value);
  return named;
}

/// The value with this name. Errors: InputError listing the names.
template <class T>
T choose(const std::string& where, const std::string& what, const std::string& word,
         const std::vector<std::pair<std::string, T>>& names) {
  std::string accepted;
  for (const auto& [name, value] : names) {
    if (name == word) return value;
    accepted += (accepted.empty() ? "" : ", ") + name;
  }
  throw InputError(where + ": unknown " + what + " '" + printable(word, 40) + "'; accepted are " + accepted);
}

}  // namespace miniapp
