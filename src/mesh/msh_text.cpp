// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/msh_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>

#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::string quote(std::string_view word) {
  std::string shown(word.substr(0, 20));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < '!' || c > '~'; }, '?');
  return "'" + shown + "'";
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? std::streamoff(file.tellg()) : -1;  // of a folder: none, or larger than any file
  require(size >= 0 && size < std::numeric_limits<std::streamoff>::max(), path + ": cannot be read");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0).read(text.data(), size);
  require(file.good(), path + ": cannot be read");
  return text;
}

void MshText::enter(const std::string& section) {
  section_ = "$" + section;
  const auto starts_line = [&](std::size_t at) {
    const std::size_t end = at + section_.size();
    return (at == 0 || text_[at - 1] == '\n') && (end == text_.size() || is_space(text_[end]));
  };
  at_ = text_.find(section_);
  while (at_ != std::string::npos && !starts_line(at_)) at_ = text_.find(section_, at_ + 1);
  require(at_ != std::string::npos, path_ + ": not a mesh of Gmsh, or cut short: there is no " + section_);
  word_ = at_;
  at_ += section_.size();
}

void MshText::leave() {
  const std::string end = "$End" + section_.substr(1);
  const std::string_view found = word();
  if (found != end) fail(quote(found) + " where " + end + " is due");
}

std::string_view MshText::word() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  word_ = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  if (at_ == word_) fail("the file ends in " + section_);
  return std::string_view(text_).substr(word_, at_ - word_);
}

template <class Number>
Number MshText::number(const char* accepted) {
  const std::string_view text = word();
  Number value{};
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';  // unknown to from_chars
  const auto [end, error] = std::from_chars(text.data() + plus, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail(quote(text) + " is not " + accepted);
  return value;
}

std::int64_t MshText::integer() { return number<std::int64_t>("an integer"); }

double MshText::real() {
  const double value = number<double>("a number");
  if (!std::isfinite(value)) fail("a number is not finite");
  return value;
}

std::size_t MshText::count() {
  const std::int64_t value = integer();
  if (value < 0 || value > static_cast<std::int64_t>(text_.size() - at_) / 2)
    fail(std::to_string(value) + " entries: more than the file has, or less than none");
  return static_cast<std::size_t>(value);
}

void MshText::fail(const std::string& reason) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(word_), '\n');
  throw InputError(path_ + ": line " + std::to_string(line) + ": " + reason);
}

}  // namespace miniapp::mesh
