// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "apps/frontend/fields.hpp"
#include "apps/frontend/memory.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/measure/bound.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/hierarchy.hpp"
#include "report/record.hpp"
#include "report/rows.hpp"
#include "report/table.hpp"
#include "runs/attempt.hpp"
#include "space/of_ranks.hpp"

/// Parts of records and last lines that several commands share.
namespace miniapp::apps {

/// The section `verification` of what is right up to an error / tolerance of 1.
inline report::Json verification(const std::string& against, double error_over_tolerance) {
  return {{"against", against},
          {field::error_over_tolerance.key(), error_over_tolerance},
          {field::passed.key(), error_over_tolerance <= 1}};
}

/// The column of verification().
inline report::Column error_column() {
  report::Column column = report::sized(field::error_over_tolerance, report::error_width);
  column.text = [number = std::move(column.text)](const report::Json& record) {
    return at(record, field::passed) ? number(record) : std::string("WRONG");
  };
  return column;
}

/// The verdict as the program's last line has it; empty where it is right.
inline std::string why_wrong(const std::string& what, const std::string& against, double error_over_tolerance) {
  if (error_over_tolerance <= 1) return "";
  return fmt::format("{}: differs from the {} by {:.3g} times the tolerance", what, against, error_over_tolerance);
}

/// What limits a time, in `roofs`: least amounts, rates that are known, and the bound. Where the operation itself is
/// faster than a measured rate, its own rate counts: roofs scatter, most of all on ranks.
inline void put_bound(report::Json& record, const measure::Work& work, measure::Limits limits, double seconds) {
  const auto reach = [seconds](double& rate, double amount) {
    if (rate > 0) rate = std::max(rate, amount / seconds);
  };
  reach(limits.memory, work.bytes);
  reach(limits.multiplications, work.multiplications);
  reach(limits.scratch, work.scratch_bytes);
  const measure::Bound bound = measure::bound(work, limits);
  at(record, field::memory_gbytes) = limits.memory * 1e-9;
  at(record, field::least_bytes) = work.bytes;
  if (limits.multiplications > 0) {
    at(record, field::fma_gflops) = 2 * limits.multiplications * 1e-9;
    at(record, field::multiplications) = work.multiplications;
  }
  at(record, field::bound_s) = bound.seconds;
  at(record, field::bound_by) = name(bound.by);
  at(record, field::fraction_of_bound) = bound.seconds / seconds;
}

/// What --preconditioner auto went by, and what it gave up.
template <class Preconditioner>
void put_choice(report::Json& result, const std::vector<measure::Attempt<Preconditioner>>& predicted,
                const std::vector<measure::GivenUp<Preconditioner>>& given_up,
                const std::vector<Preconditioner>& without_room) {
  for (const auto& attempt : predicted)
    result["predicted"].push_back(
        {{"preconditioner", name(attempt.preconditioner)}, {"jacobi_iterations", attempt.total()}});
  for (const auto& one : given_up)
    result["given_up"].push_back({{"preconditioner", name(one.preconditioner)},
                                  {"iterations", one.iterations},
                                  {"relative_residual", one.residual},
                                  {"error", one.error.empty() ? report::Json() : report::Json(one.error)},
                                  {"seconds", one.seconds}});
  for (const Preconditioner one : without_room) result["without_room"].push_back(name(one));
}

/// What --preconditioner auto chose and went by: "amg; expected, in iterations with Jacobi: amg 220, none 1800".
template <class Preconditioner>
std::string describe_predicted(Preconditioner chosen, const std::vector<measure::Attempt<Preconditioner>>& predicted,
                               const std::vector<Preconditioner>& without_room) {
  std::string costs;
  for (const auto& attempt : predicted)
    costs += fmt::format("{}{} {:.0f}", costs.empty() ? "" : ", ", name(attempt.preconditioner), attempt.total());
  std::string left_out;
  for (const Preconditioner one : without_room)
    left_out += fmt::format("{}{}", left_out.empty() ? "; the free memory does not hold " : ", ", name(one));
  return fmt::format("{}; expected, in iterations with Jacobi: {}{}", name(chosen), costs, left_out);
}
/// A preconditioner that auto gave up, how long it took, and how far it came or what broke down.
template <class Preconditioner>
std::string describe_given_up(const measure::GivenUp<Preconditioner>& one) {
  return fmt::format("{}, {}: {}", name(one.preconditioner), report::seconds(one.seconds),
                     one.error.empty()
                         ? fmt::format("after {} iterations |r| = {:.1e} |b|", one.iterations, one.residual)
                         : one.error);
}

/// The resources of teams, for a record.
inline report::Json team_record(const TeamResources& team) {
  return {{"threads", team.threads},
          {field::scratch_bytes.key(), team.scratch_bytes},
          {"registers", team.registers},
          {"local_bytes", team.local_bytes},
          {field::occupancy.key(), team.occupancy}};
}

/// Figures of ranks, by name: the least, the mean and the largest.
inline void put_figures(report::Json& record, const std::vector<std::pair<std::string, Spread>>& of_ranks) {
  for (const auto& [what, spread] : of_ranks)
    record["of_ranks"][report::key_of(what)] = {{"min", spread.min}, {"mean", spread.mean}, {"max", spread.max}};
}

/// What a page says of algebraic multigrid on several GPUs, where its set-up takes longer than on one; elsewhere empty.
inline std::string remark_on_multigrid(int ranks) {
  if (runs_on_host || ranks == 1) return "";
  return "amg: its set-up takes longer on several GPUs than on one, since each level's rows travel between them\n";
}

/// On several ranks: how they share the work.
inline void put_ranks(report::Json& record, const space::OfRanks& of_ranks, graph::Partition partition) {
  if (of_ranks.figures.empty()) return;
  at(record, field::partition) = name(partition);
  at(record, field::halo) = name(of_ranks.halo);
  put_figures(record, of_ranks.figures);
}

/// Figures of ranks in words: "36 to 36 elements, .., 1 kB to 2 kB exchanged per run"; `counts`: what is counted,
/// `operation`: what exchanges.
inline std::string describe_figures(const report::Json& record, const std::vector<std::string>& counts,
                                    const std::string& operation) {
  const report::Json& of_ranks = record["of_ranks"];
  const auto range = [&](const std::string& what, const auto& in_words) {
    return fmt::format("{} to {}", in_words(double(of_ranks[what]["min"])), in_words(double(of_ranks[what]["max"])));
  };
  std::string text;
  for (const std::string& what : counts)
    text += fmt::format("{} {}, ", range(what, [](double value) { return report::count(std::int64_t(value)); }), what);
  return text + fmt::format("{} exchanged per {}", range("exchanged_bytes", report::bytes), operation);
}

/// " through shared memory": how values travel between ranks; nothing for messages of the host.
inline std::string describe_halo(const report::Json& record) {
  const std::string halo = at(record, field::halo);
  if (halo == miniapp::name(Halo::peer)) return runs_on_host ? " through shared memory" : " from GPU to GPU";
  if (halo == miniapp::name(Halo::device)) return " from GPU to GPU by MPI";
  return halo == miniapp::name(Halo::nccl) ? " by NCCL" : "";
}

/// What a page says of ranks that share elements: "3 by rcb, each: 36 to 36 elements, ..".
inline std::string describe_ranks(const report::Json& record, const std::string& operation) {
  return fmt::format("{} by {}, each: {}{}", int(record["ranks"]), std::string(at(record, field::partition)),
                     describe_figures(record, {"elements", "neighbours"}, operation), describe_halo(record));
}

/// What a run was expected to need, and the peak of the process.
inline void put(report::Json& record, const MemoryNeed& expected) {
  at(record, field::expected_bytes) = static_cast<std::int64_t>(expected.total());
  at(record, field::peak_bytes) = static_cast<std::int64_t>(peak_resident_memory());
}

/// What a solve leaves in a record; null where it broke down, a null pointer.
inline void put(report::Json& record, const solver::CgResult* cg) {
  using report::Json;
  at(record, field::iterations) = cg ? Json(cg->iterations) : Json();
  at(record, field::relative_residual) = cg ? Json(cg->relative_residual) : Json();
  at(record, field::true_relative_residual) = cg ? Json(cg->true_relative_residual) : Json();
  record["result"]["floor"] = cg ? Json(cg->floor) : Json();
  record["result"]["replacements"] = cg ? Json(cg->replacements) : Json();
  at(record, field::verdict) = cg ? solver::name(cg->verdict) : "broke down";
  record["result"]["converged"] = cg && cg->converged();
}

/// What a preconditioner by multigrid was made of.
inline void put(report::Json& record, const solver::Hierarchy& hierarchy) {
  record["result"]["preconditioner"] = {{"levels", hierarchy.levels.size()},
                                        {"entries", hierarchy.levels.front().entries},
                                        {"grid_complexity", hierarchy.grid_complexity},
                                        {"operator_complexity", hierarchy.operator_complexity},
                                        {"memory_bytes", static_cast<std::int64_t>(hierarchy.bytes)},
                                        {"remark", hierarchy.remark}};
}

/// A hierarchy as a line of a page.
inline std::string describe(const solver::Hierarchy& h) {
  return fmt::format("{} levels on {} entries, grid complexity {:.2f}, operator complexity {:.2f}, {}{}",
                     h.levels.size(), report::count(h.levels.front().entries), h.grid_complexity, h.operator_complexity,
                     report::bytes(h.bytes), h.remark.empty() ? "" : "; " + h.remark);
}

/// Why multigrid's cycles are in double precision, after a comma; empty where they are not for such a reason.
inline std::string describe_fallback(const std::string& single_breakdown) {
  return single_breakdown.empty()
             ? ""
             : ", cycles in double precision, since with those in single precision " + single_breakdown;
}

/// The iterations of a record, with its verdict where that is not `converged`; "-" where there are none.
inline std::string iterations_and_verdict(const report::Json& record) {
  const report::Json count = value_at(record, field::iterations), verdict = value_at(record, field::verdict);
  if (count.is_null()) return "-";
  return fmt::format("{}{}", int(count),
                     verdict == "unconverged" ? " NOT CONVERGED"
                     : verdict == "diverged"  ? " DIVERGED"
                     : verdict == "stagnated" ? " stagnated"
                                              : "");
}

/// Why a solve did not converge, as the program's last line has it; empty where it did.
inline std::string why_unconverged(const solver::CgResult& cg, double tolerance, int max_iterations,
                                   const std::string& solve = "CG") {
  if (cg.converged()) return "";
  if (cg.verdict == solver::Verdict::diverged)
    return fmt::format(
        "{} diverged: |b - A x| = {:.1e} |b| after {} iterations; in this precision the matrix or the preconditioner "
        "is singular or not positive definite, or rows differ too much in scale for |b| to measure the error",
        solve, cg.true_relative_residual, cg.iterations);
  if (cg.iterations < max_iterations && cg.true_relative_residual <= solver::floor_slack * cg.floor)
    return fmt::format(
        "{} ended at |b - A x| = {:.1e} |b|, since x is so large that rounding leaves about {:.1e}, and {:g} is the "
        "most that counts as solved; the matrix is too ill-conditioned for this precision, or singular and b not in "
        "its range",
        solve, cg.true_relative_residual, cg.floor, solver::largest_stagnation);
  if (cg.iterations < max_iterations)
    return fmt::format("--tolerance {:.1e}: {} stagnated at |b - A x| = {:.1e} |b|, where rounding leaves about {:.1e}",
                       tolerance, solve, cg.true_relative_residual, cg.floor);
  return fmt::format("--max-iterations {}: {} stopped at |b - A x| = {:.1e} |b|, above the tolerance {:.1e}",
                     max_iterations, solve, cg.true_relative_residual, tolerance);
}

}  // namespace miniapp::apps
