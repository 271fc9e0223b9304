// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/plot.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "report/compare.hpp"
#include "report/read_records.hpp"
#include "report/rows.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

using report::Change, report::ComparedCase, report::ComparedTime;

constexpr std::size_t name_width = 40;

struct CompareArguments {
  std::string old_file, new_file, plot;
};

const char* text_of(Change change) {
  return change == Change::slower ? "SLOWER" : change == Change::faster ? "faster" : "same";
}

/// "1.24 ms -3 +8 %": a median, and how far its interval reaches below and above.
std::string text_of(const report::Interval& time) {
  return fmt::format("{} -{:.0f} +{:.0f} %", report::seconds(time.median), 100 * (1 - time.low / time.median),
                     100 * (time.high / time.median - 1));
}

/// A row per time; the name of a case stands beside its times, on as many lines as it needs.
void add(report::Table& table, const ComparedCase& c) {
  const std::vector<std::string> name = report::wrap(c.name, name_width);
  for (std::size_t row = 0; row < std::max(name.size(), c.times.size()); ++row) {
    const std::string first = row < name.size() ? name[row] : "";
    if (row >= c.times.size()) {
      table.add({first, "", "", "", "", ""});
      continue;
    }
    const ComparedTime& t = c.times[row];
    table.add(
        {first, t.name, text_of(t.old_time), text_of(t.new_time), fmt::format("{:.3f}", t.ratio), text_of(t.change)});
  }
}

/// The first line of a record file: how many records, of which commits.
std::string describe(const std::string& file, const std::vector<report::Json>& records) {
  std::vector<std::string> commits;
  for (const report::Json& record : records) {
    const report::Json said = report::value_at(record, "/commit");
    const std::string commit = said.is_string() ? printable(said.get<std::string>(), 60) : "unknown";
    if (std::find(commits.begin(), commits.end(), commit) == commits.end()) commits.push_back(commit);
  }
  return fmt::format("{}: {} record{} of commit{} {}", file, records.size(), records.size() == 1 ? "" : "s",
                     commits.size() == 1 ? "" : "s", fmt::join(commits, ", "));
}

void print(const std::string& text, const std::string& indent = "") {
  for (const std::string& line : report::wrap(text, report::page_width() - indent.size()))
    std::cout << indent << line << '\n';
}

/// Warns of a machine that was busy, where records tell.
void warn_of_waiting(const std::string& file, const std::vector<report::Json>& records) {
  constexpr double most = 0.05;
  double worst = 0;
  int count = 0;
  for (const report::Json& record : records) {
    const report::Json waited = report::value_at(record, "/waited_fraction");
    if (!waited.is_number() || waited <= most) continue;
    ++count;
    worst = std::max(worst, waited.get<double>());
  }
  if (count == 0) return;
  print(fmt::format(
      "warning: {} record{} of {} busy machine: threads waited up to {:.0f} % of their time for a processor; "
      "such times say little",
      count, count == 1 ? "" : "s", file + (count == 1 ? " is of a" : " are of a"), 100 * worst));
}

/// Warns of clocks that differ, where records tell.
void warn_of_clocks(const std::vector<report::Json>& before, const std::vector<report::Json>& after) {
  constexpr double most = 0.05;
  const auto middle = [](const std::vector<report::Json>& records) {
    std::vector<double> clocks;
    for (const report::Json& record : records) {
      const report::Json clock = report::value_at(record, "/device_state/clock_mhz");
      if (clock.is_number()) clocks.push_back(clock);
    }
    return clocks.empty() ? 0 : measure::summarise(std::move(clocks)).median;
  };
  const double old_clock = middle(before), new_clock = middle(after);
  if (old_clock == 0 || new_clock == 0 || std::fabs(new_clock - old_clock) <= most * old_clock) return;
  print(fmt::format("warning: the device's clock was {:.0f} MHz before and {:.0f} MHz after", old_clock, new_clock));
}

void print_unpaired(const std::string& file, const std::vector<std::string>& names) {
  if (names.empty()) return;
  print(fmt::format("only in {}:", file));
  for (const std::string& name : names) print(name, "  ");
}

/// What makes the command fail: the first regression, and how many there are; empty where there is none.
std::string regression(const std::vector<ComparedCase>& cases) {
  std::string first;
  int count = 0;
  const auto count_one = [&](const std::string& text) {
    if (count++ == 0) first = text;
  };
  for (const ComparedCase& c : cases) {
    if (!c.wrong.empty()) count_one(fmt::format("{} {}, and was right before", c.name, c.wrong));
    for (const ComparedTime& t : c.times)
      if (t.change == Change::slower)
        count_one(fmt::format("{} of {} takes {:.3g} times as long", t.name, c.name, t.ratio));
  }
  return count < 2 ? first : fmt::format("{}; {} more became worse", first, count - 1);
}

report::Json to_json(const report::Interval& time, const std::string& file) {
  return {{"file", file}, {"low", time.low}, {"median", time.median}, {"high", time.high}};
}

/// Times of all cases, as scripts/plot takes them.
void add(Plot& plot, const CompareArguments& a, const report::Comparison& comparison) {
  for (const ComparedCase& c : comparison.cases)
    for (const ComparedTime& t : c.times)
      plot.add({{"schema", 2},
                {"module", "compare"},
                {"common", comparison.common},
                {"case", c.name},
                {"time", t.name},
                {"old", to_json(t.old_time, a.old_file)},
                {"new", to_json(t.new_time, a.new_file)},
                {"ratio", t.ratio},
                {"change", name(t.change)}});
}

void run_compare(const CompareArguments& a) {
  Plot plot(a.plot);
  const std::vector<report::Json> before = report::read_records(a.old_file), after = report::read_records(a.new_file);
  const report::Comparison comparison = report::compare(before, after);
  require(!comparison.cases.empty(),
          fmt::format("{}: has no case of {}: they differ in {}; accepted are records of the same cases", a.new_file,
                      a.old_file, comparison.difference));
  const auto says_something = [](const ComparedCase& c) { return !c.times.empty() || !c.wrong.empty(); };
  require(std::any_of(comparison.cases.begin(), comparison.cases.end(), says_something),
          fmt::format("{}: no case has times here and in {}; accepted are records of runs that measure", a.new_file,
                      a.old_file));
  print("old: " + describe(a.old_file, before));
  print("new: " + describe(a.new_file, after));
  print("all: " + comparison.common);
  report::Table table({"case", "time", "old", "new", "new/old", "verdict"});
  int faster = 0, slower = 0, same = 0;
  for (const ComparedCase& c : comparison.cases) {
    if (!c.times.empty()) add(table, c);
    for (const ComparedTime& t : c.times)
      ++(t.change == Change::slower ? slower : t.change == Change::faster ? faster : same);
  }
  if (faster + slower + same > 0) std::cout << table;
  for (const ComparedCase& c : comparison.cases) {
    if (!c.wrong.empty()) print(fmt::format("WRONG: {} {}, and was right in {}", c.name, c.wrong, a.old_file));
    if (c.times.empty()) print("without times in both files: " + c.name);
  }
  print_unpaired(a.old_file, comparison.only_old);
  print_unpaired(a.new_file, comparison.only_new);
  std::cout << fmt::format("{} faster, {} slower, {} the same\n", faster, slower, same);
  warn_of_waiting(a.old_file, before);
  warn_of_waiting(a.new_file, after);
  warn_of_clocks(before, after);
  add(plot, a, comparison);
  const std::string failure = plot.draw();
  if (const std::string reason = regression(comparison.cases); !reason.empty())
    throw ResultError(a.new_file + ": " + reason + (failure.empty() ? "" : "; " + failure));
  if (!failure.empty()) throw ResultError(failure);
}

}  // namespace

Command add_compare_command(Options& options) {
  const auto arguments = std::make_shared<CompareArguments>();
  const auto group = options.group("Files");
  group.optional("OLD.json", arguments->old_file, "Records of the old state, as --json writes them").input();
  group.optional("NEW.json", arguments->new_file, "Records of the new state").input();
  options.group("Output")
      .optional("--plot", arguments->plot,
                "Draw the ratios of all times into this picture: .svg, .png or .pdf; needs Python's matplotlib")
      .output(check_picture);
  return [arguments, &options](const std::string&) -> Work {
    for (const char* name : {"OLD.json", "NEW.json"})
      require(options.given(name), name, "", "is missing; accepted is miniapp compare OLD.json NEW.json");
    return [arguments = *arguments] { run_compare(arguments); };
  };
}

}  // namespace miniapp::apps
