// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "core/regions.hpp"

namespace miniapp::mesh {

/// Reads a whole file. Errors: InputError `PATH: cannot be read: REASON; accepted is ...`.
std::string read_text(const std::string& path);

/// The contents of a mesh file, read word by word, or, where it is binary, number by number. Errors name the file and
/// the line, or in binary sections the byte.
class MshText {
 public:
  /// Errors name `path`.
  MshText(std::string text, const std::string& path) : path_(printable(path, 200)), text_(std::move(text)) {}

  /// Moves to the text after the line `$section`.
  void enter(const std::string& section);
  /// Reads the first such line at or after `from` where there is one; false where there is none.
  bool try_enter(const std::string& section, std::size_t from = 0);
  /// Makes sure that the section ends here.
  void leave();

  /// Errors: InputError where another mesh begins after the last section that was read.
  void require_single_mesh();

  /// What follows in sections that are entered from now on is binary, but for names of groups; `size_bytes`: of counts
  /// and numbers of vertices and elements, 4 or 8.
  void set_binary(bool swapped, int size_bytes) {
    binary_ = true;
    swapped_ = swapped;
    size_bytes_ = size_bytes;
  }
  bool is_binary() const { return binary_; }
  /// Whether what follows is words all the same, as names of groups are.
  void set_words(bool words) { words_ = words; }
  /// After words on a line of a binary section: the byte behind it.
  void end_line();

  /// The next word, never empty.
  std::string_view word();
  std::int64_t integer();  ///< binary: of 4 bytes
  std::int64_t size();     ///< binary: a count, or the number of a vertex or an element
  double real();           ///< finite
  /// What stands between two quotation marks on a line.
  std::string quoted();
  /// A count of items. Each takes at least two bytes of the file, so a wrong count is rejected before memory is
  /// allocated.
  std::size_t count();

  /// Tells how much of the text is read, once in many calls (core/regions.hpp).
  void tell_place() {
    if ((++calls_ & 0xffff) == 0) tell_part(double(at_) / double(text_.size()));
  }

  /// The start of the last word, for fail_at().
  std::size_t place() const { return word_; }
  const std::string& path() const { return path_; }

  /// Throws InputError `PATH: line N: REASON; accepted is ACCEPTED`; N is the line of the last word, or of the given
  /// place.
  [[noreturn]] void fail(const std::string& reason, const std::string& accepted) const;
  [[noreturn]] void fail_at(std::size_t place, const std::string& reason, const std::string& accepted) const;

 private:
  template <class Number>
  Number number(const char* accepted);
  /// The next bytes as a number.
  template <class Number>
  Number raw();
  bool reads_bytes() const { return binary_ && !words_; }
  std::string_view word_at(std::size_t at) const;

  std::string path_, text_, section_;
  std::size_t at_ = 0, word_ = 0;  // end and start of the last word
  bool binary_ = false, swapped_ = false, words_ = false;
  int size_bytes_ = 8;
  std::size_t calls_ = 0;  ///< of tell_place()
};

}  // namespace miniapp::mesh
