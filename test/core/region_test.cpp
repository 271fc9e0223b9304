// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/region.hpp"

#include <string>
#include <vector>

#include "core/input_file.hpp"
#include "core/output_file.hpp"
#include "core/regions.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

TEST_CASE("Who follows regions is told the innermost", "[core][region]") {
  std::vector<std::string> told;
  on_region([&](const std::string& name) { told.push_back(name); });
  {
    const Region outer("outer");
    const Region inner("inner");
  }
  on_region(nullptr);
  const Region later("later");
  CHECK(told == std::vector<std::string>{"outer", "inner", "outer", ""});
}

TEST_CASE("What is done of a region is its own", "[core][region]") {
  const Region outer("outer");
  CHECK(told_part() == 0);
  tell_part(0.5);
  CHECK(told_part() == 0.5);
  {
    const Region inner("inner");
    CHECK(told_part() == 0);
    tell_part(0.25);
  }
  CHECK(told_part() == 0);
}

TEST_CASE("Files tell how much of them is written and read", "[core][region]") {
  const TemporaryFolder folder;
  const Region region("files");
  const std::string text(std::size_t(5) << 23, 'a');  // two pieces and a half
  ReplacedFile({"--output", folder.file("a")}, {"any file", [](const std::string&) { return true; }}).write(text);
  CHECK(told_part() == 1);
  CHECK((read_text(folder.file("a"), "file") == text));
  CHECK(told_part() == 0.8);  // before the last piece
}
