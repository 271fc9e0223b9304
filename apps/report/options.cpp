// SPDX-License-Identifier: BSD-3-Clause
#include "apps/report/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/frontend/checks.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/roofs.hpp"
#include "report/html.hpp"
#include "report/record.hpp"

namespace miniapp::apps {

std::string ReportArguments::records() const {
  return json.empty() ? output.substr(0, output.rfind('.')) + ".jsonl" : json;
}

ReplacedFile ReportArguments::page_file() const {
  const auto holds = [](const std::string& start) {
    return start.empty() || start.starts_with(report::html::beginning);
  };
  return {{"--output", output}, {"a page of miniapp report", holds}};
}

ReplacedFile ReportArguments::records_file() const {
  return {{json.empty() ? "--output" : "--json", records()},
          {"a file of records, one JSON object per line", report::begins_with_a_record}};
}

ReplacedFile ReportArguments::figures_file() const {
  const auto holds = [](const std::string& start) {
    return start.empty() || (start[0] == '{' && start.find("\"figures\"") != start.npos);
  };
  return {{"--figures", figures}, {"a file of figures", holds}};
}

void add_options(Options& options, ReportArguments& a) {
  const auto what = options.group("Suite");
  what.add("--size", a.size, explain<Size>());
  what.optional("--only", a.only, "Names of runs, as --list has them: solve,bs5 [all]");
  what.flag(
      "--check", a.check,
      "In place of the suite run named inputs, small or medium, and compare iterations, errors and norms with the "
      "values that are expected of every machine");
  what.flag("--list", a.list, "Print the runs with their command lines, and run nothing");
  what.optional("--what-if", a.what_if,
                "Say what another device would do by its data sheet: " +
                    fmt::format("{}", fmt::join(report::device_names(), ", ")) +
                    "; or by rates, bandwidth=GB/s,fma=GFLOP/s");
  what.optional("--records", a.records_given,
                "Records that are there, of a report or of other commands, for --what-if and --check: nothing is run")
      .input();
  const auto run = options.group("Run");
  run.add("--output", a.output, "The page, FILE.html, written anew after each run").output();
  run.optional(
         "--json", a.json,
         "Append the records of all runs to this file, and go on with what it has of an earlier report: runs that "
         "were right are not run again [FILE.jsonl beside the page]")
      .output();
  run.flag("--restart", a.restart, "Run all again, and remove the records of an earlier report");
  run.optional("--figures", a.figures, "Write the figures to this file, as results/ has them of known machines")
      .output();
  run.flag("--quiet", a.quiet, "Print no progress");
}

namespace {

/// Records that are there are looked at, nothing is run or written.
void check_given(const ReportArguments& a, const Options& options) {
  require(!a.what_if.empty() || a.check, "--records", a.records_given, "accepted with --what-if or --check");
  options.refuse({"--size", "--only", "--list", "--output", "--json", "--restart", "--figures"},
                 "--records runs and writes nothing; accepted is one of them");
}

}  // namespace

ReportOptions check(const ReportArguments& a, const Options& options) {
  ReportOptions o{a, {}, {}};
  if (!a.what_if.empty()) o.other = report::find_device(a.what_if);
  if (!a.records_given.empty()) {
    check_given(a, options);
    return o;
  }
  if (a.check && !options.given("--output")) o.output = "miniapp-check.html";
  require(!a.check || a.size == Size::small || a.size == Size::medium, "--size", name(a.size),
          "accepted with --check are small, medium");
  const Communicator world = Communicator::world();
  const double threads = runs_on_host ? platform().concurrency : 1;
  const std::vector<Entry> all =
      a.check ? expected_runs(a.size)
              : suite(a.size, {runs_on_host, threads * world.size(), measure::last_level_cache()});
  std::vector<std::string> names;
  for (const Entry& entry : all) names.push_back(entry.name);
  for (const std::string& name : a.only) choose("--only", name, names);
  std::copy_if(all.begin(), all.end(), std::back_inserter(o.entries), [&](const Entry& entry) {
    return a.only.empty() || std::count(a.only.begin(), a.only.end(), entry.name);
  });
  require(o.output.size() > 5 && o.output.ends_with(".html"), "--output", o.output,
          "accepted is the name of a page, FILE.html");
  if (a.list) {
    options.refuse({"--restart", "--figures", "--what-if"}, "--list runs nothing; accepted is one of them");
    return o;
  }
  o.page_file();
  o.records_file();
  if (!a.figures.empty()) a.figures_file();
  return o;
}

}  // namespace miniapp::apps
