// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/printable.hpp"

namespace miniapp::mesh {

/// What a message shows of a word, which may be anything in a damaged file.
std::string quote(std::string_view word);

/// All of a file. Errors: InputError `PATH: cannot be read: REASON; accepted is ...`.
std::string read_text(const std::string& path);

/// The text of a mesh file, read word by word. Errors name the file and the line.
class MshText {
 public:
  /// `path` is what errors name.
  MshText(std::string text, const std::string& path) : path_(printable(path, 200)), text_(std::move(text)) {}

  /// Goes to what follows the line `$section`.
  void enter(const std::string& section);
  /// Makes sure that the section ends here.
  void leave();

  /// The next word, never empty.
  std::string_view word();
  std::int64_t integer();
  double real();  ///< finite
  /// A number of things of which each takes two bytes or more of the file, so that a wrong one asks for no memory.
  std::size_t count();

  /// Where the last word begins, for fail_at().
  std::size_t place() const { return word_; }
  const std::string& path() const { return path_; }

  /// Throws InputError `PATH: line N: REASON; accepted is ACCEPTED`; N is the line of the last word, or of a place.
  [[noreturn]] void fail(const std::string& reason, const std::string& accepted) const;
  [[noreturn]] void fail_at(std::size_t place, const std::string& reason, const std::string& accepted) const;

 private:
  template <class Number>
  Number number(const char* accepted);
  std::string_view word_at(std::size_t at) const;

  std::string path_, text_, section_;
  std::size_t at_ = 0, word_ = 0;  // behind the last word, at its begin
};

}  // namespace miniapp::mesh
