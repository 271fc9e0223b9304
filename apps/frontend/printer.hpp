// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apps/frontend/options.hpp"
#include "report/record.hpp"
#include "report/rows.hpp"

namespace miniapp::apps {

using report::Json;

/// What a command prints and writes: pages at once, rows and records as results come, further tables at their end, a
/// line of progress on a terminal. It alone knows the terminal and --quiet. Where a signal or an error ends the
/// program, it prints what it still keeps of rows that are done.
class Printer {
 public:
  /// Errors: InputError where its file cannot be appended to.
  Printer(const std::string& module, const std::string& command_line, const OutputOptions& output);
  ~Printer();

  /// The record that those of results start from: provenance, and empty sections.
  const Json& base() const;

  /// A heading and the columns of the table below it.
  struct Block {
    std::string heading;
    std::vector<report::Column> columns;
  };
  /// Results until end() get a row in each of these tables: of the first as they come, of the others at the end; of all
  /// at the end where they are printed only if there are `least` rows, more than one.
  void begin(std::vector<Block> blocks, int least = 1);
  /// Appends the record of a result, with its date and the processor time that the program waited for, to the file, and
  /// its row to the tables; prints its row. `wrong`: what was wrong with it, if it was.
  void add(Json record, const std::string& wrong = "");
  /// A line below the tables; each text once.
  void note(const std::string& text);
  /// What went wrong: the command fails with the first.
  void wrong(const std::string& text);
  /// Prints what is left of the tables, and the notes; before the first row of a command it keeps them.
  void end();
  /// Rows of all tables so far, a result counted once.
  int rows() const;
  /// Prints a text at once.
  void print(const std::string& text);

  /// How many runs there will be, for progress.
  void expect(std::size_t runs);
  /// Shows that the next run has begun: which of how many, since when, and how long the rest takes if it takes as long
  /// a run as those before.
  void next(const std::string& what);
  /// Shows what the run does at present; `part`: how much of it is done, 0 to 1, for the time that is left.
  void progress(const std::string& line, double part = 0);
  bool shows_progress() const;

  /// The end of a command. Errors: ResultError with what went wrong first.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace miniapp::apps
