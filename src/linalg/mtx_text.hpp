// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "core/input_file.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::linalg {

/// The contents of a Matrix Market file, read word by word; a word ends with its line. Errors name the file and the
/// line.
class MtxText {
 public:
  MtxText(std::string_view text, const std::string& file) : text_(text), file_(printable(file, 200)) {}

  /// The next word of the line, empty at its end.
  std::string_view word() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    word_ = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n') ++at_;
    return text_.substr(word_, at_ - word_);
  }

  /// Moves to the next line that has a word and is no comment; false at the end of the file.
  bool next_line() {
    for (; at_ < text_.size(); ++at_) {
      const bool comment = !word().empty() && text_[word_] == '%';
      if (at_ > word_ && !comment) {
        at_ = word_;
        return true;
      }
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
    word_ = text_.size();
    return false;
  }

  template <class Number>
  Number number(const char* accepted) {
    const std::string_view found = word();
    Number value{};
    if (!parse_number(found, value)) fail(found.empty() ? "the line ends" : quote(found), accepted);
    return value;
  }

  void end_line(const char* accepted) {
    if (const std::string_view found = word(); !found.empty()) fail(quote(found) + " after the last number", accepted);
  }

  /// A line of an entry.
  struct Plain {
    std::int64_t row = 0, column = 0;
    double value = 1;
    std::size_t end = 0;  ///< where it ends in the text
  };
  /// Reads the next line without moving to it, where it is two whole numbers and, where it `has_value`, a number,
  /// between blanks, and nothing else. False for all else, such as comments, which number() and end_line() judge.
  bool peek_plain(bool has_value, Plain& line) const {
    const char *at = text_.data() + at_, *const end = text_.data() + text_.size();
    if (at == end || *at++ != '\n' || !read_whole(at, end, line.row) || !skip_blanks(at, end) ||
        !read_whole(at, end, line.column))
      return false;
    if (has_value) {
      if (!skip_blanks(at, end)) return false;
      const auto [after, error] = std::from_chars(at, end, line.value);
      if (error != std::errc()) return false;
      at = after;
    }
    skip_blanks(at, end);
    line.end = static_cast<std::size_t>(at - text_.data());
    return at == end || *at == '\n';
  }
  /// Moves behind a line that peek_plain() has read.
  void take(const Plain& line) { at_ = line.end; }

  std::int64_t bytes_left() const { return static_cast<std::int64_t>(text_.size() - at_); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(text_.size()); }

  /// Throws InputError `FILE: line N: REASON; accepted is ACCEPTED`; N is the line of the last word.
  [[noreturn]] void fail(const std::string& reason, const std::string& accepted) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(word_), '\n');
    throw InputError(fmt::format("{}: line {}: {}; accepted is {}", file_, line, reason, accepted));
  }
  const std::string& file() const { return file_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  /// Reads up to 18 digits and moves behind them; false where there are none, or more.
  static bool read_whole(const char*& at, const char* end, std::int64_t& value) {
    const char* const begin = at;
    value = 0;
    for (; at < end && *at >= '0' && *at <= '9' && at - begin < 18; ++at) value = 10 * value + (*at - '0');
    return at > begin && (at == end || *at < '0' || *at > '9');
  }
  /// Whether there were any.
  static bool skip_blanks(const char*& at, const char* end) {
    const char* const begin = at;
    while (at < end && is_blank(*at)) ++at;
    return at > begin;
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, word_ = 0;  // end and start of the last word
};

}  // namespace miniapp::linalg
