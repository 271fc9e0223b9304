// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// Words as people type and read them.
namespace miniapp::apps {

/// An argument as a shell would take it.
std::string quote(const std::string& argument);

/// "a,b,,c": the words between commas, empty ones too.
std::vector<std::string> split(const std::string& list);

/// What of `known` is a slip of the keyboard away from `word`: up to two letters put in, left out, replaced or swapped
/// with their neighbour, of a word of six; fewer of shorter ones. Empty: nothing is.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// " (did you mean --order?)", or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace miniapp::apps
