// SPDX-License-Identifier: BSD-3-Clause
/// Two files of records, with a line "--" between them: bytes -> `miniapp compare`, and report::compare(). A file
/// compared with itself shows no change; compared the other way round, faster is slower.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "apps/frontend/command_line.hpp"
#include "apps/frontend/commands.hpp"
#include "fuzz/finding.hpp"
#include "report/compare.hpp"
#include "report/read_records.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;
using report::Change, report::Comparison, report::Json;

void check_text(const std::string& text) {
  expect(printable(text, text.size()) == text, "a text that is not printable");
}

/// A file in memory.
class MemoryFile {
 public:
  MemoryFile() : number_(memfd_create("records", 0)) { expect(number_ >= 0, "no file in memory"); }
  ~MemoryFile() { close(number_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }
  void fill(std::string_view text) const {
    const bool filled =
        ftruncate(number_, 0) == 0 && pwrite(number_, text.data(), text.size(), 0) == ssize_t(text.size());
    expect(filled, "a file in memory that takes no text");
  }

 private:
  int number_;
};

/// `miniapp compare` of two files.
class CompareCommand {
 public:
  CompareCommand(const std::string& old_file, const std::string& new_file) {
    main_.group("Other").flag("--none", none_, "");  // a parser expects options
    const apps::Command command = apps::add_compare_command(compare_);
    apps::parse_command_line({"compare", old_file, new_file}, {&main_, &compare_}, "0");
    work_ = command("");
  }
  /// A regression and files without common cases are results. What it prints has to be printable.
  void run() const {
    std::ostringstream page;
    std::streambuf* const before = std::cout.rdbuf(page.rdbuf());
    fuzz::accepts([&] {
      try {
        work_();
      } catch (const ResultError& error) {
        fuzz::check_refusal(error.what());
      }
    });
    std::cout.rdbuf(before);
    std::istringstream lines(page.str());
    for (std::string line; std::getline(lines, line);) check_text(line);
  }

 private:
  apps::Options main_{"", ""}, compare_{"compare", ""};
  bool none_ = false;
  apps::Work work_;
};

/// All that a comparison says; its texts have to be printable.
std::string text_of(const Comparison& comparison) {
  check_text(comparison.common);
  check_text(comparison.difference);
  for (const auto* names : {&comparison.only_old, &comparison.only_new})
    std::for_each(names->begin(), names->end(), check_text);
  Json text = {comparison.common, comparison.only_old, comparison.only_new, comparison.difference};
  for (const report::ComparedCase& c : comparison.cases) {
    check_text(c.name);
    check_text(c.wrong);
    text.push_back({c.name, c.wrong});
    for (const report::ComparedTime& t : c.times) {
      check_text(t.name);
      for (const report::Interval& time : {t.old_time, t.new_time})
        text.push_back({t.name, time.low, time.median, time.high, t.ratio, name(t.change)});
    }
  }
  return text.dump();
}

void check_same(const std::vector<Json>& records) {
  const Comparison comparison = report::compare(records, records);
  expect(!comparison.cases.empty() && comparison.only_old.empty() && comparison.only_new.empty(),
         "a file that has other cases than itself");
  for (const report::ComparedCase& c : comparison.cases) {
    expect(c.wrong.empty(), "a file that is right and wrong");
    for (const report::ComparedTime& t : c.times) expect(t.change == Change::same, "a time that differs from itself");
  }
}

/// How many times are so, without those over sizes, whose medians of ratios are no ratios of medians.
std::ptrdiff_t count(const Comparison& comparison, Change change) {
  std::ptrdiff_t result = 0;
  for (const report::ComparedCase& c : comparison.cases)
    result += std::count_if(c.times.begin(), c.times.end(), [&](const report::ComparedTime& t) {
      return t.change == change && !t.name.ends_with(" sizes");
    });
  return result;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const MemoryFile old_file, new_file;
  static const CompareCommand command(old_file.path(), new_file.path());
  const std::string_view text = fuzz::text(bytes, size);
  const std::size_t line = std::min(text.find("\n--\n"), size), rest = std::min(line + 4, size);
  old_file.fill(text.substr(0, line));
  new_file.fill(text.substr(rest));
  std::vector<Json> before, after;
  const bool accepted = fuzz::accepts([&] {
    before = report::read_records(old_file.path());
    after = report::read_records(new_file.path());
  });
  if (!accepted) return 0;
  command.run();
  check_same(before);
  const Comparison forth = report::compare(before, after), back = report::compare(after, before);
  expect(text_of(report::compare(before, after)) == text_of(forth), "records that compare in two ways");
  expect(forth.cases.size() == back.cases.size() && forth.only_old.size() == back.only_new.size() &&
             forth.only_new.size() == back.only_old.size(),
         "cases that the other way round are not the same");
  expect(count(forth, Change::slower) == count(back, Change::faster) &&
             count(forth, Change::faster) == count(back, Change::slower),
         "times that are slower both ways");
  return 0;
}
