// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/printer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "apps/frontend/interrupt.hpp"
#include "apps/frontend/plot.hpp"
#include "apps/frontend/progress.hpp"
#include "core/printable.hpp"
#include "measure/energy.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "report/csv_file.hpp"
#include "report/machine.hpp"

namespace miniapp::apps {
namespace {

/// Leaves the least, the median and the largest of every sample.
void drop_samples(Json& json) {
  if (json.contains("median")) json.erase("all");
  if (json.is_structured())
    for (Json& part : json) drop_samples(part);
}

}  // namespace

struct Printer::State {
  /// A table and what stands above it.
  template <class Rows>
  struct Titled {
    std::string heading;
    Rows rows;
  };

  State(const std::string& module, const std::string& command_line, const OutputOptions& output)
      : file(launched_rank() == 0 ? output.json : ""),
        base(report::make_record(module, command_line)),
        csv(launched_rank() == 0 ? output.csv : "", base),
        plot(launched_rank() == 0 ? output.plot : ""),
        wide(output.wide),
        all_samples(output.all_samples),
        progress(apps::shows_progress(output.quiet)) {}

  static void print_left_out(const std::vector<std::string>& headings, std::ostream& out) {
    if (!headings.empty()) out << report::fit(fmt::format("more with --wide: {}\n", fmt::join(headings, ", ")));
  }

  /// Prints the row of the table whose rows are printed at once.
  void print_row(const Json& record) {
    progress.clear();
    std::cout << std::exchange(kept, "") << report::fit(std::exchange(live->heading, "")) << live->rows.add(record)
              << std::flush;
  }

  /// Prints the rest of the section, once there was a row.
  void print_section() {
    std::ostringstream out;
    if (live) print_left_out(live->rows.left_out(), out);
    if (section_rows >= least)
      for (const Titled<report::Rows>& table : tables) {
        out << report::fit(table.heading) << table.rows;
        print_left_out(table.rows.left_out(), out);
      }
    for (const std::string& text : notes) out << report::fit(text) << '\n';
    live.reset();
    tables.clear();
    notes.clear();
    kept += out.str();
    section_rows = 0;
    if (rows > 0) std::cout << std::exchange(kept, "") << std::flush;
  }

  const report::RecordFile file;
  const Json base;
  report::CsvFile csv;
  Plot plot;
  const bool wide, all_samples;
  Progress progress;
  std::optional<Titled<report::LiveRows>> live;
  std::vector<Titled<report::Rows>> tables;
  std::vector<std::string> notes;  ///< below the tables
  std::set<std::string> known;     ///< notes of this section, each printed once
  std::string kept;                ///< notes from before the first row
  std::string wrong;
  int rows = 0, section_rows = 0, least = 1;
  report::ProcessorTime used = report::processor_time();  ///< processor time used at the last record
  /// wall_seconds() and verification_seconds() at the last record of the program, which may be of another command.
  inline static double told = 0, verified = 0;
  std::optional<PrintedOnSignal> on_signal;
};

Printer::Printer(const std::string& module, const std::string& command_line, const OutputOptions& output)
    : state_(std::make_unique<State>(module, command_line, output)) {
  measure::begin_device_state();
  state_->on_signal.emplace([state = state_.get()] {
    state->progress.clear();
    if (state->section_rows > 0) state->print_section();
    state->csv.write();
    state->plot.discard();
    return state->rows > 0;
  });
}
Printer::~Printer() {
  try {  // where an error ended the run
    if (state_->section_rows > 0) end();
    state_->csv.write();
  } catch (const ResultError&) {
    return;  // that error is told
  }
}

const Json& Printer::base() const { return state_->base; }

void Printer::begin(std::vector<Block> blocks, int least) {
  const auto held = hold_rows();
  state_->known.clear();
  state_->least = least;
  for (Block& block : blocks) {
    if (least == 1 && !state_->live)
      state_->live = {std::move(block.heading), report::LiveRows(std::move(block.columns), state_->wide)};
    else
      state_->tables.push_back({std::move(block.heading), report::Rows(std::move(block.columns), state_->wide)});
  }
}

void Printer::add(Json record, const std::string& wrong) {
  const auto held = hold_rows();
  const report::ProcessorTime now = report::processor_time();
  record["date"] = report::utc_now();
  record["device_state"] = report::device_state();
  record["waited_fraction"] = report::waited_fraction(std::exchange(state_->used, now), now);
  const double wall = report::wall_seconds(), verified = measure::verification_seconds();
  record["timing"]["verification_s"] = verified - std::exchange(State::verified, verified);
  record["timing"]["wall_s"] = wall - std::exchange(State::told, wall);
  record["wrong"] = wrong.empty() ? Json(nullptr) : Json(printable(wrong));
  if (!state_->all_samples) drop_samples(record);
  state_->file.append(record);
  state_->csv.add(record);
  state_->plot.add(record);
  for (auto& table : state_->tables) table.rows.add(record);
  if (state_->live) state_->print_row(record);
  ++state_->rows;
  ++state_->section_rows;
  this->wrong(wrong);
}

void Printer::note(const std::string& text) {
  const auto held = hold_rows();
  if (state_->known.insert(text).second) state_->notes.push_back(text);
}

void Printer::wrong(const std::string& text) {
  if (state_->wrong.empty()) state_->wrong = text;
}

void Printer::end() {
  const auto held = hold_rows();
  state_->progress.clear();
  state_->print_section();
}

int Printer::rows() const { return state_->rows; }

void Printer::print(const std::string& text) {
  const auto held = hold_rows();
  state_->progress.clear();
  std::cout << text << std::flush;
}

void Printer::expect(std::size_t runs) {
  const auto held = hold_rows();
  state_->progress.expect(runs);
}

void Printer::next(const std::string& what) {
  const auto held = hold_rows();
  state_->progress.next(what);
}

void Printer::progress(const std::string& line, double part) {
  const auto held = hold_rows();
  state_->progress.show(line, part);
}
bool Printer::shows_progress() const { return state_->progress.shown(); }

void Printer::finish() {
  state_->on_signal.reset();
  state_->progress.stop();
  state_->csv.write();
  if (const std::string failure = state_->plot.draw(); !failure.empty())
    state_->wrong += (state_->wrong.empty() ? "" : "; ") + failure;
  if (!state_->wrong.empty()) throw ResultError(state_->wrong);
}

}  // namespace miniapp::apps
