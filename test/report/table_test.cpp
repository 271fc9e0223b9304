// SPDX-License-Identifier: BSD-3-Clause
#include "report/table.hpp"

#include "support/catch.hpp"

using report::text;

TEST_CASE("A page pads its names to one width under its title", "[report][table]") {
  report::Page page("BP3.0, order 7");

  page.add("mesh", "16 x 16 x 16");
  page.add("quadrature", "9 points");

  CHECK(text(page) ==
        "BP3.0, order 7\n"
        "  mesh        16 x 16 x 16\n"
        "  quadrature  9 points\n");
  CHECK(text(report::Page("empty")) == "empty\n");
}

TEST_CASE("A table aligns its first column left and the others right", "[report][table]") {
  report::Table table({"kernel", "GB/s"});

  table.add({"team", "9.5"});
  table.add({"reference", "12345.6"});

  CHECK(text(table) ==
        "  kernel        GB/s\n"
        "  team           9.5\n"
        "  reference  12345.6\n");
}

TEST_CASE("A table takes rows that are shorter or longer than its header", "[report][table]") {
  report::Table table({"a", "b"});

  table.add({"1"});
  table.add({"1", "2", "333"});

  CHECK(text(table) == "  a  b\n  1\n  1  2  333\n");
}

TEST_CASE("A cell that is too wide takes the blanks of those behind it", "[report][table]") {
  const std::vector<std::size_t> widths{3, 4, 4, 4};
  CHECK(report::row_text({"a", "1", "2", "3"}, widths) == "  a       1     2     3\n");
  CHECK(report::row_text({"a", "123456", "2", "3"}, widths) == "  a    123456   2     3\n");
  CHECK(report::row_text({"abcdef", "123", "12345", "3"}, widths) == "  abcdef  123  12345  3\n");
}

TEST_CASE("Seconds come in a unit that leaves one to three digits before the point", "[report][table]") {
  CHECK(report::seconds(12.34) == "12.3 s");
  CHECK(report::seconds(1) == "1 s");
  CHECK(report::seconds(0.0123) == "12.3 ms");
  CHECK(report::seconds(456e-6) == "456 us");
  CHECK(report::seconds(7.89e-9) == "7.89 ns");
  CHECK(report::seconds(0) == "0 ns");
}

TEST_CASE("Bytes count in powers of 1000", "[report][table]") {
  CHECK(report::bytes(512) == "512 B");
  CHECK(report::bytes(12.34e6) == "12.3 MB");
  CHECK(report::bytes(1e9) == "1 GB");
  CHECK(report::bytes(0) == "0 B");
}

TEST_CASE("Rounding up reaches the next unit", "[report][table]") {
  CHECK(report::seconds(0.9999) == "1 s");
  CHECK(report::seconds(0.9994) == "999 ms");
  CHECK(report::bytes(999.9e3) == "1 MB");
}

TEST_CASE("Numbers beyond the last unit are written out", "[report][table]") {
  CHECK(report::seconds(12345) == "12345 s");
  CHECK(report::bytes(5e12) == "5 TB");
  CHECK(report::bytes(5.4321e15) == "5432 TB");
}

TEST_CASE("Counts are grouped by three digits", "[report][table]") {
  CHECK(report::count(0) == "0");
  CHECK(report::count(999) == "999");
  CHECK(report::count(1000) == "1 000");
  CHECK(report::count(1442897) == "1 442 897");
  CHECK(report::count(123456789012LL) == "123 456 789 012");
}

TEST_CASE("Lines are broken at blanks", "[report][table]") {
  CHECK(report::wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(report::wrap("one two three", 6) == std::vector<std::string>{"one", "two", "three"});
  CHECK(report::wrap("everything", 3) == std::vector<std::string>{"everything"});
  CHECK(report::wrap("", 3) == std::vector<std::string>{""});
}

TEST_CASE("Numbers stay with their units, and groups of digits together", "[report][table]") {
  using Lines = std::vector<std::string>;
  CHECK(report::wrap("mesh 9.64 ms, check", 10) == Lines{"mesh", "9.64 ms,", "check"});
  CHECK(report::wrap("of 1 442 897 unknowns", 12) == Lines{"of 1 442 897", "unknowns"});
  CHECK(report::wrap("of 1 442 897 unknowns", 11) == Lines{"of", "1 442 897", "unknowns"});
  CHECK(report::wrap("at 63 % of", 6) == Lines{"at", "63 %", "of"});
  CHECK(report::wrap("order 7 share", 7) == Lines{"order 7", "share"});
  CHECK(report::wrap("order 7 share", 6) == Lines{"order", "7", "share"});
  CHECK(report::wrap("in x ms", 4) == Lines{"in x", "ms"});
}

TEST_CASE("A text fits the page, its lines keep their indentation", "[report][table]") {
  const std::string word(50, 'x'), line = "  " + word + ' ' + word + ' ' + word;
  CHECK(report::fit("short\n" + line + "\n") == "short\n  " + word + ' ' + word + "\n  " + word + "\n");
  CHECK(report::fit("a  b\n\n") == "a  b\n\n");
}

TEST_CASE("Long texts of a page go on below themselves", "[report][table]") {
  const std::string word(50, 'x');
  report::Page page("title");
  page.add("name", word + ' ' + word + ' ' + word);
  CHECK(report::text(page) == "title\n  name  " + word + ' ' + word + "\n        " + word + "\n");
}

TEST_CASE("A bar has 20 places for a fraction", "[report][table]") {
  CHECK(report::bar(0) == "[....................]");
  CHECK(report::bar(0.026) == "[#...................]");
  CHECK(report::bar(0.5) == "[##########..........]");
  CHECK(report::bar(1) == "[####################]");
  CHECK(report::bar(7) == report::bar(1));
  CHECK(report::bar(-1) == report::bar(0));
}
