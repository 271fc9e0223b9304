// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/msh_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/input_file.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

const std::string msh_file = "file of Gmsh, 2.2 or 4.1";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::string read_text(const std::string& path) { return miniapp::read_text(path, msh_file); }

bool MshText::try_enter(const std::string& section, std::size_t from) {
  section_ = "$" + section;
  const auto is_line = [&](std::size_t at) {
    if (at > 0 && text_[at - 1] != '\n') return false;
    const std::size_t end = text_.find_first_not_of(" \t\r", at + section_.size());
    return end == std::string::npos || text_[end] == '\n';
  };
  at_ = text_.find(section_, from);
  while (at_ != std::string::npos && !is_line(at_)) at_ = text_.find(section_, at_ + 1);
  if (at_ == std::string::npos) return false;
  word_ = at_;
  at_ += section_.size();
  if (binary_) end_line();
  return true;
}

void MshText::end_line() {
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
}

void MshText::enter(const std::string& section) {
  if (!try_enter(section))
    throw InputError(path_ + ": not a mesh of Gmsh, or cut short: there is no " + section_ + "; accepted is a " +
                     msh_file + " with $MeshFormat, $Nodes and $Elements");
}

void MshText::leave() {
  const std::string end = "$End" + section_.substr(1);
  const std::string_view found = word();
  if (found != end) fail(quote(found) + " where " + end + " is due", "as many entries as the section announces");
}

void MshText::require_single_mesh() {
  for (const char* const section : {"MeshFormat", "Elements"}) {
    const std::size_t end = at_;
    if (try_enter(section, end)) fail("$" + std::string(section) + " a second time", "one mesh");
    at_ = end;
  }
}

std::string_view MshText::word() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  word_ = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  if (at_ == word_) fail("the file ends in " + section_, "a whole file, to the end of each section");
  return std::string_view(text_).substr(word_, at_ - word_);
}

std::string MshText::quoted() {
  const std::string start(word());
  const std::size_t end = start[0] == '"' ? text_.find_first_of("\"\n", word_ + 1) : std::string::npos;
  if (end == std::string::npos || text_[end] != '"') fail(quote(start), "a name in quotation marks, on one line");
  at_ = end + 1;
  return text_.substr(word_ + 1, end - word_ - 1);
}

template <class Number>
Number MshText::number(const char* accepted) {
  const std::string_view text = word();
  Number value{};
  if (!parse_number(text, value)) fail(quote(text), accepted);
  return value;
}

template <class Number>
Number MshText::raw() {
  word_ = at_;
  if (text_.size() - at_ < sizeof(Number))
    fail("the file ends in " + section_, "a whole file, to the end of each section");
  Number value;
  char bytes[sizeof value];
  std::memcpy(bytes, text_.data() + at_, sizeof value);
  if (swapped_) std::reverse(bytes, bytes + sizeof value);
  std::memcpy(&value, bytes, sizeof value);
  at_ += sizeof value;
  return value;
}

std::int64_t MshText::size() {
  if (!reads_bytes()) return integer();
  return size_bytes_ == 4 ? raw<std::int32_t>() : raw<std::int64_t>();
}

std::int64_t MshText::integer() {
  if (reads_bytes()) return raw<std::int32_t>();
  // most words of a file are short and have digits only: read without looking for their end first
  std::size_t at = at_;
  while (at < text_.size() && is_space(text_[at])) ++at;
  const std::size_t start = at, last = std::min(text_.size(), start + 18);
  std::int64_t value = 0;
  for (; at < last && text_[at] >= '0' && text_[at] <= '9'; ++at) value = 10 * value + (text_[at] - '0');
  if (at > start && at < text_.size() && is_space(text_[at])) {
    word_ = start;
    at_ = at;
    return value;
  }
  return number<std::int64_t>("an integer of 64 bits");
}

double MshText::real() {
  const double value = reads_bytes() ? raw<double>() : number<double>("a number of double precision");
  if (!std::isfinite(value))
    fail(reads_bytes() ? "a number that is not finite" : quote(word_at(word_)) + " is not finite", "a finite number");
  return value;
}

std::size_t MshText::count() {
  const std::int64_t value = size(), most = static_cast<std::int64_t>(text_.size() - at_) / 2;
  if (value < 0 || value > most)
    fail(std::to_string(value) + " entries", "0 to " + std::to_string(most) + ", which the rest of the file can hold");
  return static_cast<std::size_t>(value);
}

std::string_view MshText::word_at(std::size_t at) const {
  std::size_t end = at;
  while (end < text_.size() && !is_space(text_[end])) ++end;
  return std::string_view(text_).substr(at, end - at);
}

void MshText::fail(const std::string& reason, const std::string& accepted) const { fail_at(word_, reason, accepted); }

void MshText::fail_at(std::size_t at, const std::string& reason, const std::string& accepted) const {
  if (reads_bytes())
    throw InputError(path_ + ": byte " + std::to_string(at + 1) + ": " + reason + "; accepted is " + accepted);
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError(path_ + ": line " + std::to_string(line) + ": " + reason + "; accepted is " + accepted);
}

}  // namespace miniapp::mesh
