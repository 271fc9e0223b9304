// SPDX-License-Identifier: BSD-3-Clause
#include "core/printable.hpp"

#include "support/catch.hpp"

using miniapp::printable;

TEST_CASE("What a terminal prints stays as it is", "[core][printable]") {
  CHECK(printable("").empty());
  CHECK(printable("a path/with blanks.msh") == "a path/with blanks.msh");
  CHECK(printable("M\u00fcnchen \u6771\u4eac \U0001F600") == "M\u00fcnchen \u6771\u4eac \U0001F600");
}

TEST_CASE("Control characters and bytes that are no UTF-8 become question marks", "[core][printable]") {
  CHECK(printable("a\nb\tc\x1b[2J\x7f") == "a\\x0ab\\x09c\\x1b[2J\\x7f");
  CHECK(printable("\xff\xfe") == "\\xff\\xfe");
  CHECK(printable("\xc3") == "\\xc3");    // cut short
  CHECK(printable("\xc3(") == "\\xc3(");  // no continuation
  CHECK(printable("\xe2\x82(") == "\\xe2\\x82(");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // an overlong encoding
  CHECK(printable("\xe0\x80\x8a") == "\\xe0\\x80\\x8a");           // a newline in three bytes
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a pair of UTF-16
  CHECK(printable("\xf5\x80\x80\x80") == "\\xf5\\x80\\x80\\x80");  // beyond Unicode
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");                    // a control character above 127
  CHECK(printable("\u202e") == "\\xe2\\x80\\xae");                 // reverses the direction of the following text
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("A long text loses its middle, and no half of a character stays", "[core][printable]") {
  CHECK(printable(std::string(1000, 'x')) == std::string(1000, 'x'));
  CHECK(printable("0123456789ab", 10) == "0123456[...]9ab");
  CHECK(printable("\u6771\u6771\u6771\u6771\u6771", 10) == "\u6771\u6771[...]\u6771");
  CHECK(printable(std::string(4000, 'x')).size() == 1005);
}
