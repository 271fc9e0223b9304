// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

constexpr int most_depth = 16;

/// The characters that stand for others in values.
std::string plain(std::string_view value) {
  static constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string result;
  while (!value.empty()) {
    const auto* const entity = std::find_if(std::begin(entities), std::end(entities), [&](const auto& one) {
      return value.substr(0, one.first.size()) == one.first;
    });
    const bool known = entity != std::end(entities);
    result += known ? entity->second : value.front();
    value.remove_prefix(known ? entity->first.size() : 1);
  }
  return result;
}

}  // namespace

const std::string* XmlElement::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return &value;
  return nullptr;
}

std::vector<const XmlElement*> XmlElement::all(std::string_view child) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& one : children)
    if (one.name == child) found.push_back(&one);
  return found;
}

XmlText::XmlText(std::string_view text, const std::string& source) : text_(text), source_(printable(source, 200)) {}

XmlElement XmlText::parse() {
  do skip_space();
  while (skip_comment());
  if (!take("<")) fail("not a file of XML", "a file of VTK's unstructured grids, .vtu");
  return element(0);
}

void XmlText::fail(std::size_t place, const std::string& reason, const std::string& accepted) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  fail(fmt::format("line {}: {}", line, reason), accepted);
}
void XmlText::fail(const std::string& reason, const std::string& accepted) const {
  throw InputError(fmt::format("{}: {}; accepted is {}", source_, reason, accepted));
}

XmlElement XmlText::element(int depth) {
  XmlElement result;
  result.place = at_ - 1;
  if (depth == most_depth) fail(result.place, fmt::format("elements in {} others", depth), "the XML of VTK's files");
  result.name = name();
  for (skip_space(); !take("/>"); skip_space()) {
    if (take(">")) {
      content(result, depth);
      return result;
    }
    result.attributes.push_back(attribute());
  }
  return result;
}

std::pair<std::string_view, std::string> XmlText::attribute() {
  const std::string_view key = name();
  skip_space();
  expect("=");
  skip_space();
  const bool single = take("'");
  if (!single) expect("\"");
  return {key, plain(until(single ? "'" : "\""))};
}

void XmlText::content(XmlElement& parent, int depth) {
  if (parent.name == "AppendedData") {
    parent.text = text_.substr(at_);
    ended_ = true;
    return;
  }
  while (!ended_) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find('<', begin), text_.size());
    const std::string_view words = text_.substr(begin, at_ - begin);
    if (words.find_first_not_of(xml_blanks) != words.npos) {
      if (!parent.text.empty()) fail(begin, "text between elements", "one text of each element");
      parent.text = words;
    }
    if (skip_comment()) continue;
    if (take("</")) {
      const std::size_t place = at_ - 2;
      if (const std::string_view end = name(); end != parent.name)
        fail(place, quote(end) + " ends where " + quote(parent.name) + " is due", "a whole file");
      skip_space();
      return expect(">");
    }
    expect("<");
    parent.children.push_back(element(depth + 1));
  }
}

std::string_view XmlText::name() {
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n=<>/\"'", at_), text_.size());
  if (end == at_) fail(at_, "no name where one is due", "the XML of VTK's files");
  const std::string_view word = text_.substr(at_, end - at_);
  at_ = end;
  return word;
}

bool XmlText::take(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

void XmlText::expect(std::string_view word) {
  if (take(word)) return;
  if (at_ == text_.size()) fail("ends early", "a whole file");
  fail(at_, quote(text_.substr(at_, 1)) + " where " + quote(word) + " is due", "the XML of VTK's files");
}

void XmlText::skip_space() { at_ = std::min(text_.find_first_not_of(xml_blanks, at_), text_.size()); }

bool XmlText::skip_comment() {
  if (take("<!--")) return until("-->"), true;
  if (take("<?")) return until("?>"), true;
  return false;
}

std::string_view XmlText::until(std::string_view end) {
  const std::size_t begin = at_, found = text_.find(end, begin);
  if (found == text_.npos) fail(begin, quote(end) + " is missing", "a whole file");
  at_ = found + end.size();
  return text_.substr(begin, found - begin);
}

}  // namespace miniapp::mesh
