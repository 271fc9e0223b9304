// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The XML of VTK's files: elements with attributes and plain text; comments are passed over. What VTK does not write
/// is refused: entities in text, CDATA, types of documents.
namespace miniapp::mesh {

/// What separates words.
inline constexpr std::string_view xml_blanks = " \t\r\n";

/// An element. Views are of the text that was parsed.
struct XmlElement {
  std::string_view name;
  std::size_t place = 0;  ///< where it begins
  std::vector<std::pair<std::string_view, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string_view text;  ///< its own, not blank; empty: none

  /// The value of an attribute; null where it has none of this name.
  const std::string* find(std::string_view attribute) const;
  /// Its children of this name.
  std::vector<const XmlElement*> all(std::string_view child) const;
};

/// A text of such elements, and its errors.
class XmlText {
 public:
  /// `source` names the text in errors; the text stays as long as this does.
  XmlText(std::string_view text, const std::string& source);

  /// The outermost element. It may hold an element AppendedData, behind which no XML is expected: the text of that one
  /// is all that follows. Errors: InputError.
  XmlElement parse();

  /// Throws InputError `SOURCE: line N: REASON; accepted is ACCEPTED`, N the line of this place.
  [[noreturn]] void fail(std::size_t place, const std::string& reason, const std::string& accepted) const;
  /// Throws InputError `SOURCE: REASON; accepted is ACCEPTED`.
  [[noreturn]] void fail(const std::string& reason, const std::string& accepted) const;

 private:
  /// An element whose `<` was just read.
  XmlElement element(int depth);
  std::pair<std::string_view, std::string> attribute();
  void content(XmlElement& parent, int depth);
  std::string_view name();
  bool take(std::string_view word);
  void expect(std::string_view word);
  void skip_space();
  /// Passes over comments and instructions; false where none begins here.
  bool skip_comment();
  std::string_view until(std::string_view end);

  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0;
  bool ended_ = false;  ///< at AppendedData
};

}  // namespace miniapp::mesh
