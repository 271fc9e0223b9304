// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/field.hpp"

/// Runs of the suite of `miniapp report` as their records have them (module "report", docs/record.md), the figure of
/// merit that is made of them, and the same figures of known machines and of other programs.
namespace miniapp::report {

/// Values of the record of a run.
namespace of_run {
inline constexpr Field name{"/case/name", "run"}, group{"/case/group"}, part{"/case/part"}, question{"/case/question"},
    command{"/case/command"}, size{"/case/size"}, figure{"/result/figure", "figure", "{:.4g}"},
    unit{"/result/unit", "unit"}, formula{"/result/formula"}, low{"/result/low"}, high{"/result/high"},
    outcome{"/result/outcome", "verdict"}, reason{"/result/reason"}, fom{"/result/fom"},
    bound_by{"/roofs/bound_by", "bound by"}, fraction_of_bound{"/roofs/fraction_of_bound", "% bound", "{:.0f}", 100},
    run_s{"/timing/run_s", "took"};
}  // namespace of_run

/// How a run ended.
constexpr const char *right = "right", *wrong = "WRONG", *left_out = "left out";

/// The text of a field; empty where it is none.
std::string text_at(const Json& record, const Field& field);
/// The number of a field; 0 where it is none.
double number_at(const Json& record, const Field& field);
/// "42.4 GB/s"; "-" without a figure.
std::string figure_text(const Json& run);

/// The records of runs among these, in their order; of several of one name the last.
std::vector<Json> runs_among(const std::vector<Json>& records);

/// What a run left among all records: those whose command line begins with its own.
std::vector<Json> records_of(const Json& run, const std::vector<Json>& all);

/// The parts of the figure of merit with their units, the headline first. A part is the figure of the run that has its
/// name as /case/part.
inline constexpr std::array<std::array<const char*, 2>, 7> parts{{{"solve", "MDOF/s"},
                                                                  {"operator", "GDOF/s"},
                                                                  {"streaming", "GB/s"},
                                                                  {"indirect", "GB/s"},
                                                                  {"element-matrices", "Mmatrices/s"},
                                                                  {"weak-form", "Gcells/s"},
                                                                  {"AMG", "Mnnz/s"}}};

/// {part: {figure, unit, run}}, figure and run null where no run that is right has it. Larger is better.
Json figure_of_merit(const std::vector<Json>& runs);
/// "FOM 4.21 MDOF/s solve; operator 0.117 GDOF/s; ..": one line.
std::string fom_line(const Json& fom);

/// What a file of results/ holds: {machine, device, threads, ranks, size, date, commit, command, figures {run {figure,
/// unit, low, high, fraction_of_bound, command}}}.
Json figures_of(const std::vector<Json>& runs);
/// The machines of results/ when the program was built.
const std::vector<Json>& known_machines();
/// Published figures of other programs: [{run, figure, unit, who, device, date, source}].
const Json& peers();

}  // namespace miniapp::report
