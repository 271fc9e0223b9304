// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <streambuf>

#include "apps/all_commands.hpp"
#include "apps/frontend/fields.hpp"
#include "apps/frontend/interrupt.hpp"
#include "apps/frontend/memory.hpp"
#include "apps/frontend/nothing.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/report/options.hpp"
#include "core/printable.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "report/expected.hpp"
#include "report/machine.hpp"
#include "report/read_records.hpp"
#include "report/sections.hpp"
#include "report/what_if_page.hpp"

namespace miniapp::apps {
namespace {

namespace run = report::of_run;

/// While it lives, what is printed goes nowhere.
class Silence {
 public:
  Silence() : before_(std::cout.rdbuf(&nothing_)) {}
  ~Silence() { std::cout.rdbuf(before_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  Nothing nothing_;
  std::streambuf* before_;
};

OutputOptions output_of(const ReportOptions& o) {
  OutputOptions output;
  output.quiet = o.quiet;
  output.json = o.records();
  return output;
}

std::vector<report::Column> columns(const std::vector<Entry>& entries) {
  using report::expected, report::sized;
  const auto verdict = [](const Json& r) {
    const std::string outcome = at(r, run::outcome), why = report::text_at(r, run::reason);
    return outcome + (why.empty() ? "" : ": " + why);
  };
  return {sized(run::name, report::longest(entries, [](const Entry& e) { return e.name; })),
          sized(expected(run::figure), 8),
          sized(expected(run::unit),
                report::longest(entries, [](const Entry& e) { return e.figure ? e.figure->unit : ""; })),
          sized(expected(run::fraction_of_bound), 3),
          sized(expected(run::bound_by), 15),
          sized(run::run_s, report::time_width),
          {"verdict", verdict}};
}

/// What deviates from the expected values, of the results of a command line.
std::vector<std::string> what_deviates(const std::vector<Json>& results, const std::string& command_line) {
  Json entries = Json::array();
  for (const Json& entry : report::expected_table()["entries"])
    if ("miniapp " + entry["command"].get<std::string>() == command_line) entries.push_back(entry);
  const report::Check check = report::check(results, {{"entries", entries}});
  std::vector<std::string> deviations;
  for (const report::Deviation& deviation : check.deviations) deviations.push_back(report::text(deviation));
  for (const std::string& name : check.not_run) deviations.push_back(name + ": has no record");
  return deviations;
}

/// Runs the suite on all ranks; the first one keeps the records and writes.
class Report {
 public:
  Report(const ReportOptions& o, const std::string& command_line)
      : o_(o),
        page_(o.page_file()),
        on_signal_([this] { return tell_interrupted(); }),
        printer_("report", command_line, output_of(o)) {}

  void run_all() {
    take_earlier();
    const std::size_t all = o_.entries.size();
    std::string heading = fmt::format("Suite {}: {} run{}", name(o_.size), all, all == 1 ? "" : "s");
    if (earlier_ > 0) {
      heading += fmt::format(", of which {} were right in {} and are not run again", earlier_, o_.records());
      printer_.print(heading + '\n');
      heading.clear();
    }
    printer_.begin({{heading.empty() ? "" : heading + '\n', columns(o_.entries)}});
    printer_.expect(all - static_cast<std::size_t>(earlier_));
    for (std::size_t i = 0; i < o_.entries.size(); ++i) {
      if (!runs_[i].is_null()) continue;
      printer_.next(o_.entries[i].name);
      Json record = run_one(o_.entries[i]);
      const std::string wrong = report::text_at(record, {"/wrong"});
      record["date"] = report::utc_now();
      printer_.add(record, wrong);
      keep(i, record);
    }
    finish();
  }

 private:
  /// What earlier runs of the same command lines by the same program on the same machine left, if they were right.
  void take_earlier() {
    runs_.assign(o_.entries.size(), Json());
    std::string taken;
    if (o_.restart && is_first() && size_of_records() > 0) o_.records_file().write("");
    if (is_first() && size_of_records() > 0) {
      for (Json& record : report::read_records(o_.records()))
        if (is_ours(record)) all_.push_back(std::move(record));
      for (std::size_t i = 0; i < o_.entries.size(); ++i)
        for (const Json& record : all_)
          if (value_at(record, run::command) == o_.entries[i].command_line() &&
              value_at(record, run::outcome) == report::right)
            runs_[i] = record;
      for (const Json& record : runs_) taken += record.is_null() ? '0' : '1';
    }
    taken = world_.from_first(taken);
    for (std::size_t i = 0; i < taken.size(); ++i)
      if (taken[i] == '1') ++earlier_, runs_[i] = is_first() ? runs_[i] : Json(true);
  }

  bool is_ours(const Json& record) const {
    const Json& base = printer_.base();
    return std::ranges::all_of(std::array{"commit", "flags", "device", "threads", "ranks"},
                               [&](const char* key) { return record.value(key, Json()) == base.at(key); });
  }

  Json run_one(const Entry& entry) {
    Json record = printer_.base();
    record["case"] = {{run::name.key(), entry.name},    {run::part.key(), entry.part},
                      {run::group.key(), entry.group},  {run::question.key(), entry.question},
                      {run::size.key(), name(o_.size)}, {run::command.key(), entry.command_line()}};
    if (const std::string why = why_not(entry); !why.empty()) return without(record, report::left_out, why);
    const std::streamoff before = size_of_records();
    const double start = report::wall_seconds();
    const Failure failure = run_words(entry);
    at(record, run::run_s) = report::wall_seconds() - start;
    if (!failure.why.empty()) return without(record, failure.no_room ? report::left_out : report::wrong, failure.why);
    at(record, run::outcome) = report::right;
    if (is_first()) {
      const std::vector<Json> results = new_records(before);
      put_figure(record, entry, results);
      if (o_.check) put_deviations(record, entry, results);
    }
    return Json::parse(world_.from_first(record.dump()));
  }

  std::string why_not(const Entry& entry) const {
    const std::vector<int> orders = tensor::built_orders();
    if (entry.order > 0 && !std::count(orders.begin(), orders.end(), entry.order))
      return fmt::format("this build has no kernels of order {}", entry.order);
    return !entry.takes_ranks && !world_.is_alone() ? "it runs on one rank" : "";
  }

  static Json without(Json& record, const char* outcome, const std::string& why) {
    at(record, run::outcome) = outcome;
    if (outcome == report::left_out)
      at(record, run::reason) = why;
    else
      record["wrong"] = fmt::format("{}: {}", std::string(at(record, run::name)), why);
    return record;
  }

  /// Why a run failed on any rank; empty where it did not.
  struct Failure {
    std::string why;
    bool no_room = false;
  };

  Failure run_words(const Entry& entry) const {
    Failure failure;
    try {
      const Silence silence;
      std::vector<std::string> words = entry.words;
      words.insert(words.end(), {"--json", o_.records(), "--quiet"});
      within_memory({}, entry.name, [&] { run_within(words); });
    } catch (const NoRoom& error) {
      failure = {error.what(), true};
    } catch (const std::exception& error) {
      failure = {printable(std::string(error.what()).substr(0, std::string(error.what()).find('\n'))), false};
    }
    constexpr double patience = 1, for_ever = 1e9;  // [s]; ranks that fail for the same reason do so within it
    if (!world_.all_arrive_within(failure.why.empty() ? for_ever : patience))
      throw ResultError(fmt::format("{}: {}", entry.name, failure.why));
    if (world_.sum<std::int64_t>(!failure.why.empty()) == 0) return failure;
    failure.why = world_.from_first(failure.why.empty() ? "failed on another rank" : failure.why);
    failure.no_room = world_.sum<std::int64_t>(failure.no_room) > 0;
    return failure;
  }

  /// Bytes of the file of records; 0 without one.
  std::streamoff size_of_records() const {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(o_.records(), none);
    return none ? 0 : static_cast<std::streamoff>(size);
  }

  /// The records behind so many bytes of the file, which a run left.
  std::vector<Json> new_records(std::streamoff before) {
    std::vector<Json> found;
    std::ifstream in(o_.records());
    in.seekg(before);
    for (std::string line; std::getline(in, line);)
      if (!line.empty()) found.push_back(Json::parse(line));
    all_.insert(all_.end(), found.begin(), found.end());
    return found;
  }

  static void put_figure(Json& record, const Entry& entry, const std::vector<Json>& results) {
    if (!entry.figure || results.empty()) return;
    const Json& result = results.back();
    const double figure = entry.figure->of(result);
    at(record, run::figure) = figure;
    at(record, run::unit) = entry.figure->unit;
    at(record, run::formula) = entry.figure->formula;
    if (entry.figure->sample) {
      const Json sample = entry.figure->sample(result);
      at(record, run::low) = figure * sample["median"].get<double>() / sample["max"].get<double>();
      at(record, run::high) = figure * sample["median"].get<double>() / sample["min"].get<double>();
    }
    if (!entry.figure->has_bound || !value_at(result, field::fraction_of_bound).is_number()) return;
    for (const report::Field& field : {run::fraction_of_bound, run::bound_by})
      at(record, field) = value_at(result, field);
  }

  /// Makes the run wrong where its results are not as expected.
  static void put_deviations(Json& record, const Entry& entry, const std::vector<Json>& results) {
    const std::vector<std::string> deviations = what_deviates(results, entry.command_line());
    if (deviations.empty()) return;
    at(record, run::outcome) = report::wrong;
    record["wrong"] = fmt::format("{}", fmt::join(deviations, "; "));
  }

  void keep(std::size_t entry, const Json& record) {
    runs_[entry] = record;
    ++done_;
    if (is_first()) write_page();
  }

  report::Records records() const {
    report::Records records{{}, all_};
    std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(records.runs),
                 [](const Json& r) { return !r.is_null(); });
    return records;
  }

  void write_page() const {
    const report::Records all = records();
    std::vector<report::html::Section> sections = report::sections(all);
    if (o_.check) std::erase_if(sections, [](const report::html::Section& section) { return section.id == "merit"; });
    if (o_.other && !sections.empty()) sections.insert(sections.end() - 1, report::what_if_section(all, *o_.other));
    page_.write(report::page(all, sections));
  }

  void finish() {
    printer_.end();
    if (!is_first()) return printer_.finish();
    write_page();
    const report::Records all = records();
    const std::vector<Json>& runs = all.runs;
    if (!o_.figures.empty()) o_.figures_file().write(report::figures_of(runs).dump(1) + '\n');
    const std::string files = fmt::format("page {}, records {}\n", o_.output, o_.records());
    if (o_.other) printer_.print(report::what_if_text(all, *o_.other));
    if (o_.check) {
      printer_.print(files);
      return printer_.finish();
    }
    Json record = printer_.base();
    record["case"] = {{run::name.key(), "figure of merit"}, {run::size.key(), name(o_.size)}};
    at(record, run::fom) = report::figure_of_merit(runs);
    printer_.add(record);
    printer_.print(files + report::fom_line(at(record, run::fom)));
    printer_.finish();
  }

  /// While a signal ends the program: says what is there. False: nothing.
  bool tell_interrupted() const {
    if (!is_first() || done_ + earlier_ == 0) return false;
    std::cerr << fmt::format("miniapp: {} has {} of {} runs; the same command goes on with the others\n", o_.output,
                             done_ + earlier_, o_.entries.size());
    return true;
  }

  bool is_first() const { return world_.rank() == 0; }

  const ReportOptions& o_;
  const Communicator world_ = Communicator::world();
  const ReplacedFile page_;
  int earlier_ = 0, done_ = 0;  ///< runs of an earlier report, and of this one
  std::vector<Json> runs_;      ///< the record of each entry; null: not yet run
  std::vector<Json> all_;       ///< records of runs and of what they ran
  PrintedOnSignal on_signal_;
  Printer printer_;
};

void print_list(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries)
    std::cout << fmt::format("{}\n    {}\n    {}\n", entry.name, entry.question, entry.command_line());
}

/// What records that are there say of another device, and of what is expected.
void look_at_given(const ReportOptions& o) {
  const std::vector<Json> all = report::read_records(o.records_given);
  if (o.other) std::cout << report::what_if_text({report::runs_among(all), all}, *o.other);
  if (!o.check) return;
  const report::Check check = report::check(all);
  for (const report::Deviation& deviation : check.deviations) std::cout << report::text(deviation) << '\n';
  std::cout << fmt::format("{} values of {} records compared, {} not as expected\n", check.values, check.records,
                           check.deviations.size());
  if (!check.deviations.empty())
    throw ResultError(fmt::format("{}: {}", o.records_given, report::text(check.deviations.front())));
}

void run_report(const ReportOptions& o, const std::string& command_line, const Options&) {
  if (o.list) return print_list(o.entries);
  if (!o.records_given.empty()) return look_at_given(o);
  Report(o, command_line).run_all();
}

}  // namespace

Command add_report_command(Options& options) { return make_command<ReportArguments>(options, run_report); }

}  // namespace miniapp::apps
