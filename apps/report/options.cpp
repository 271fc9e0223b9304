// SPDX-License-Identifier: BSD-3-Clause
#include "apps/report/options.hpp"

#include <fmt/format.h>

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
  what.flag("--list", a.list, "Print the runs with their command lines, and run nothing");
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

ReportOptions check(const ReportArguments& a, const Options& options) {
  ReportOptions o{a, {}};
  const Communicator world = Communicator::world();
  const double threads = runs_on_host ? platform().concurrency : 1;
  const std::vector<Entry> all = suite(a.size, {runs_on_host, threads * world.size(), measure::last_level_cache()});
  std::vector<std::string> names;
  for (const Entry& entry : all) names.push_back(entry.name);
  for (const std::string& name : a.only) choose("--only", name, names);
  std::copy_if(all.begin(), all.end(), std::back_inserter(o.entries), [&](const Entry& entry) {
    return a.only.empty() || std::count(a.only.begin(), a.only.end(), entry.name);
  });
  require(a.output.size() > 5 && a.output.ends_with(".html"), "--output", a.output,
          "accepted is the name of a page, FILE.html");
  if (a.list) {
    options.refuse({"--restart", "--figures"}, "--list runs nothing; accepted is one of them");
    return o;
  }
  a.page_file();
  a.records_file();
  if (!a.figures.empty()) a.figures_file();
  return o;
}

}  // namespace miniapp::apps
