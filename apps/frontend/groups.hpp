// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

/// Words of options that name groups of a mesh.
namespace miniapp::apps {

/// "GROUP" and "TEXT" of "GROUP=TEXT", which may be empty; no group where no sign of equality stands alone.
std::pair<std::string, std::string> split_group(const std::string& text);

/// Whether an option's word, TEXT or GROUP=TEXT, names a file of numbers: @FILE.
bool names_file(const std::string& word);

/// The parts of "A,B(C,D)" between commas outside parentheses: "A" and "B(C,D)".
std::vector<std::string> split_outside(const std::string& text);

/// Refuses a group that is none of the mesh's, or of another dimension: with the nearest name and those that are
/// accepted; `of_elements` is the dimension of groups of elements. Errors: InputError.
void require_group(const std::vector<mesh::Group>& groups, const std::string& option, const std::string& name,
                   int dimension, int of_elements = 3);

/// "GROUP" and "TEXT" of GROUP=TEXT; `accepted` says in messages what such a word looks like. Errors: InputError where
/// there is no group, or one that require_group() refuses, or no text.
std::pair<std::string, std::string> parse_group(const std::vector<mesh::Group>& groups, const std::string& option,
                                                const std::string& word, int dimension, const std::string& accepted,
                                                int of_elements = 3);
/// The same; the group is empty where a word is TEXT alone.
std::pair<std::string, std::string> parse_optional_group(const std::vector<mesh::Group>& groups,
                                                         const std::string& option, const std::string& word,
                                                         int dimension, const std::string& accepted,
                                                         int of_elements = 3);

}  // namespace miniapp::apps
