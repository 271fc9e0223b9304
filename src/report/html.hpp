// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// Parts of a page that stands alone: HTML without scripts, and pictures in it, without any other file.
namespace miniapp::report::html {

/// A text as HTML shows it, in elements and in attributes.
std::string escape(const std::string& text);

/// <name>escaped text</name>.
std::string element(const std::string& name, const std::string& text);

/// A table whose cells are HTML; the first column names its row, the others stand to the right. It may be wider than
/// the page: then it alone is scrolled.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

struct Section {
  std::string id, title, body;  ///< id: of a letter and letters, digits, '-'; title: text; body: HTML
};

/// A whole page with a list of its sections, for light and dark screens of 320 pixels and wider.
std::string page(const std::string& title, const std::string& lead, const std::vector<Section>& sections);

/// The first bytes of every page() of this program, by which its files are known.
extern const std::string beginning;

}  // namespace miniapp::report::html
