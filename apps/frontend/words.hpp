// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

/// Words as people type and read them.
namespace miniapp::apps {

/// An argument as a shell would take it.
std::string quote(const std::string& argument);

/// "miniapp streaming --bs 1": what calls the program with these words, as a shell would take it.
std::string command_line_of(const std::vector<std::string>& words);

/// "a,b,,c": the words between commas, empty ones too.
std::vector<std::string> split(const std::string& list);

/// A number with a unit of powers of 1000, or none: "64k" or "64K", "1.5G", "250e6". None: it is something else.
std::optional<double> amount(const std::string& text);

/// A whole number that an int holds: "4096", "64k", "1.5M", "1e6".
std::optional<int> whole_number(const std::string& text);

/// What of `known` is a slip of the keyboard away from `word`: up to two letters put in, left out, replaced or swapped
/// with their neighbour, of a word of six; fewer of shorter ones. Empty: nothing is.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// " (did you mean --order?)", or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace miniapp::apps
