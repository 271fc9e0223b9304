// SPDX-License-Identifier: BSD-3-Clause
#include "apps/solver/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/history_file.hpp"
#include "core/printable.hpp"
#include "miniapp/linalg/matrix_market.hpp"
#include "miniapp/messages/messages.hpp"

namespace miniapp::apps {
namespace {

using solver::CgMethod, solver::PreconditionerKind;

/// In the order of CgMethod, whose names records have.
const std::vector<std::string> cg_words{"fused", "pipelined"};

/// That are no files.
const std::vector<std::string> matrix_words{"poisson2d", "poisson3d", "lor"}, rhs_words{"ones", "random"};

MatrixKind kind_of(const std::string& word) {
  std::error_code unknown;
  for (std::size_t i = 0; i < matrix_words.size(); ++i)
    if (word == matrix_words[i]) return static_cast<MatrixKind>(i);
  const bool is_file = std::filesystem::path(word).extension() == ".mtx" || std::filesystem::exists(word, unknown);
  require(is_file, "--matrix", "",
          fmt::format("unknown value '{}'{}; accepted are {}, and files of Matrix Market, FILE.mtx", word,
                      suggestion(word, matrix_words), fmt::join(matrix_words, ", ")));
  return MatrixKind::file;
}

/// Every rank has rows, and indices count the entries of each.
void require_room_for_ranks(const MatrixChoice& choice, const std::string& text, const Communicator& ranks) {
  require(choice.unknowns() >= ranks.size(), "--unknowns", text,
          fmt::format("{} ranks for {:.0f} unknowns; accepted are no more ranks than unknowns", ranks.size(),
                      choice.unknowns()));
  double entries = choice.entries();
  if (!ranks.is_alone()) {
    const Index n = choice.side;
    const linalg::GridPart part =
        linalg::part_of_grid({n, n, choice.kind == MatrixKind::poisson2d ? 1 : n}, ranks.rank(), ranks.size());
    entries *= ranks.of_all(Reduction::max, double(part.num_points())) / choice.unknowns();
  }
  constexpr double most = std::numeric_limits<Index>::max();
  require(
      entries <= most, "--unknowns", text,
      fmt::format("{:.2g} entries{}; accepted are up to {:.0f}", entries, ranks.is_alone() ? "" : " per rank", most));
}

/// The grid, or the cube of elements, whose number of unknowns is next to `text`.
MatrixChoice find_size(MatrixChoice choice, const std::string& text, const Communicator& ranks) {
  const double wanted = double(parse_count("--unknowns", text));
  const double root = std::pow(wanted, choice.kind == MatrixKind::poisson2d ? 1. / 2 : 1. / 3);
  const bool lor = choice.kind == MatrixKind::lor;
  const int about = static_cast<int>(lor ? (root - 1) / choice.order : root);
  double best = std::numeric_limits<double>::infinity();
  const int least = lor && choice.order == 1 ? 2 : 1;  // one element of order 1 has no free node
  for (int side = std::max(least, about); side <= std::max(least, about + 1); ++side) {
    MatrixChoice other = choice;
    other.side = side;
    if (std::fabs(other.unknowns() - wanted) >= best) continue;
    best = std::fabs(other.unknowns() - wanted);
    choice.side = side;
  }
  require(lor || best <= 0.1 * wanted, "--unknowns", text,
          fmt::format("no grid of {} has about so many; accepted are numbers near n^{}, such as {:.0f}", choice.name(),
                      choice.kind == MatrixKind::poisson2d ? 2 : 3, choice.unknowns()));
  require_room_for_ranks(choice, text, ranks);
  return choice;
}

void set_matrices(const SolverArguments& a, const Options& options, SolverOptions& o) {
  MatrixChoice choice;
  choice.kind = kind_of(a.matrix);
  require(o.ranks.is_alone() || choice.kind != MatrixKind::lor, "--matrix", "lor",
          fmt::format("runs on one rank; accepted on {} are poisson2d, poisson3d, FILE.mtx", o.ranks.size()));
  if (choice.kind != MatrixKind::lor)
    options.refuse({"--order"}, "of the matrix of elements; accepted with --matrix lor");
  if (choice.kind == MatrixKind::file) {
    options.refuse({"--unknowns"}, "contradicts the file of --matrix; accepted is one of them");
    choice.file = a.matrix;
    o.matrices = {choice};
    return;
  }
  for (const int order : parse_list("--order", a.order, 1, 15)) {
    choice.order = order;
    for (const std::string& word : a.unknowns.empty() ? std::vector<std::string>{"1M"} : a.unknowns)
      o.matrices.push_back(find_size(choice, word, o.ranks));
  }
}

void set_preconditioners(const SolverArguments& a, const Options& options, SolverOptions& o) {
  const bool is_pipelined = std::find(a.method.begin(), a.method.end(), "pipelined") != a.method.end();
  if (o.no_solve || o.verify_only || is_pipelined) o.preconditioners = {PreconditionerKind::none};
  if (!a.pc.empty()) o.preconditioners.clear();
  for (const std::string& word : a.pc)
    o.preconditioners.push_back(choose<PreconditionerKind>("--preconditioner", word));
  for (const PreconditionerKind kind : o.preconditioners)
    require_able("--preconditioner " + name(kind), why_not(kind, o.ranks.size()));
  const auto any = [&](auto holds) { return std::any_of(o.preconditioners.begin(), o.preconditioners.end(), holds); };
  require(!(o.no_solve || o.verify_only) || !any([](auto kind) { return kind == PreconditionerKind::automatic; }),
          "--preconditioner", "auto",
          "chooses for a solve; accepted without --no-solve and --verify-only, with which it is none");
  if (!any(solver::has_sweeps))
    options.refuse({"--sweeps", "--neumann"},
                   "of Chow and Patel's factors; accepted with --preconditioner ilu0-chow-patel or "
                   "ic0-chow-patel");
  if (!any(solver::is_own_amg))
    options.refuse(
        {"--amg-aggregation", "--amg-cycle", "--amg-strength", "--smoother", "--smoother-sweeps", "--amg-precision"},
        "of the program's own algebraic multigrid; accepted with --preconditioner amg");
  if (!any(solver::is_amg))
    options.refuse({"--near-null", "--block", "--coordinates"},
                   "of algebraic multigrid; accepted with --preconditioner amg");
  if (o.precision == Precision::fp32) {
    require(!options.given("--amg-precision") || o.settings.amg_precision == Precision::fp32, "--amg-precision",
            "double", "finer than --precision single; accepted is single");
    o.settings.amg_precision = Precision::fp32;
  }
}

/// Nodes of several rows, and the modes that multigrid is given.
void set_near_null(const Options& options, SolverOptions& o) {
  if (o.matrices.front().kind != MatrixKind::file)
    options.refuse(
        {"--near-null", "--block", "--coordinates"},
        "of matrices that a file has, generated ones have one row per node; accepted with --matrix FILE.mtx");
  read_near_null(o.near_null, options);
  const bool is_hypre = std::find(o.preconditioners.begin(), o.preconditioners.end(), PreconditionerKind::boomer_amg) !=
                        o.preconditioners.end();
  require(!is_hypre || o.near_null.is_rigid() || !o.near_null.numbers, "--near-null", printable(o.near_null.name, 200),
          "modes of a file; accepted with --preconditioner boomer-amg are constant, rigid");
  o.settings.amg.block = o.near_null.block;
  if (o.near_null.block > 1 && !options.given("--amg-strength")) o.settings.amg.strength = 0;
}

void set_methods(const SolverArguments& a, SolverOptions& o) {
  if (!a.method.empty()) o.methods.clear();
  for (const std::string& word : a.method) o.methods.push_back(static_cast<CgMethod>(choose("--cg", word, cg_words)));
  if (std::find(o.methods.begin(), o.methods.end(), CgMethod::pipelined_cg) == o.methods.end()) return;
  for (const PreconditionerKind kind : o.preconditioners)
    require(is_pointwise(kind), "--cg", "pipelined",
            fmt::format("needs a pointwise preconditioner, which its loops apply entry by entry; --preconditioner {} "
                        "is none; accepted are none, jacobi",
                        name(kind)));
}

void check_history(const SolverOptions& o, const Options& options) {
  if (o.no_solve) options.refuse({"--history", "--tolerance"}, "of solves; accepted without --no-solve");
  if (o.verify_only) options.refuse({"--history"}, "of solves; accepted without --verify-only");
  if (o.history.empty()) return;
  const std::size_t runs = o.matrices.size() * o.solves().size();
  require(
      runs == 1, "--history", o.history,
      fmt::format("{} solves for one file; accepted are one value of --unknowns, --order, --cg and --preconditioner",
                  runs));
}

/// Reads the file of --rhs, and refuses an --output of several solves or of none.
void check_vectors(SolverOptions& o, const Options& options) {
  if (o.no_solve || o.verify_only)
    options.refuse({"--output"}, "of solves; accepted without --no-solve and --verify-only");
  const std::size_t runs = o.matrices.size() * o.solves().size();
  require(
      o.output.empty() || runs == 1, "--output", printable(o.output, 200),
      fmt::format("{} solves for one file; accepted are one value of --unknowns, --order, --cg and --preconditioner",
                  runs));
  if (std::find(rhs_words.begin(), rhs_words.end(), o.rhs) != rhs_words.end()) return;
  require_word_or_file("--rhs", o.rhs, rhs_words, "files of Matrix Market, FILE.mtx");
  o.rhs_values =
      std::make_shared<const std::vector<double>>(of_option("--rhs", [&] { return linalg::read_vector(o.rhs); }));
  for (const MatrixChoice& choice : o.matrices) require_rows(o, choice);
}

/// A picture has solves, or lines over the unknowns.
void check_plot(const SolverOptions& o) {
  if (o.plot.empty() || !o.no_solve) return;
  const auto has_line = [&](const MatrixChoice& one) {
    return std::any_of(o.matrices.begin(), o.matrices.end(), [&](const MatrixChoice& other) {
      return other.name() == one.name() && other.unknowns() != one.unknowns();
    });
  };
  require(std::any_of(o.matrices.begin(), o.matrices.end(), has_line), "--plot", o.plot,
          "draws solves, or times of two sizes; accepted are several --unknowns, or no --no-solve");
}

}  // namespace

ReplacedFile solution_file(const std::string& path) {
  return {{"--output", path},
          {"a file of Matrix Market", [](const std::string& start) { return start.rfind("%%MatrixMarket", 0) == 0; }}};
}

void require_rows(const SolverOptions& o, const MatrixChoice& choice) {
  if (!o.rhs_values || choice.unknowns() == 0) return;  // of a file that is not read yet
  require(double(o.rhs_values->size()) == choice.unknowns(), "--rhs", printable(o.rhs, 200),
          fmt::format("{} numbers; accepted is one for each of {:.0f} rows", o.rhs_values->size(), choice.unknowns()));
}

void add_options(Options& options, SolverArguments& a) {
  SolverOptions& o = a.direct;
  const auto what = options.group("Matrix");
  what.add(
          "--matrix", a.matrix,
          "poisson2d, poisson3d: central differences; lor: trilinear elements between the nodes of BP3.0; FILE.mtx: of "
          "Matrix Market")
      .of(matrix_words)
      .input();
  what.optional("--unknowns", a.unknowns,
                "Numbers of them, 1..1G, one row each: 1e6 or 1k,1M; the nearest grid is taken [1M]");
  what.add("--order", a.order, "Polynomial orders of lor, 1..15: 7 or 1..3,7; one row each");
  what.add("--rhs", o.rhs, "Right-hand side: ones, random, or a column of numbers, FILE.mtx of Matrix Market")
      .of(rhs_words)
      .input();

  const auto how = options.group("Solver");
  how.optional(
         "--cg", a.method,
         "fused: three passes per iteration, where the preconditioner is none or jacobi, else classic; pipelined: two "
         "passes with one reduction, with none or jacobi; one row each [fused]")
      .of(cg_words);
  how.optional("--preconditioner", a.pc,
               fmt::format(
                   "Preconditioners, one row each: {}, which tries the diagonal, or none where all its numbers are "
                   "equal, and goes over to amg where that will take less time, set-up included; on several ranks "
                   "amg, and boomer-amg, which is hypre's, are of all rows, the others of each rank's own [auto; none "
                   "where nothing is solved and with pipelined]",
                   fmt::join(names(PreconditionerKind{}), ", ")))
      .of(names_and<PreconditionerKind>({}));
  how.add("--precision", o.precision, "double or single");
  how.add("--tolerance", o.settings.cg.tolerance, "CG stops at |r| <= tolerance |b|, above 0 and below 1",
          {[](double value) { return value > 0 && value < 1; }, "numbers between 0 and 1"});
  how.add("--max-iterations", o.settings.cg.max_iterations, "CG gives up after this many iterations", positive_whole);

  const auto amg = options.group("Algebraic multigrid");
  amg.optional("--amg-aggregation", a.aggregation,
               explain<solver::Aggregation>() + " [greedy where one thread runs, else mis2]");
  amg.add("--amg-cycle", o.settings.amg.cycle, "v; w: coarser levels twice");
  amg.add(
      "--amg-strength", o.settings.amg.strength,
      "Couplings below it, from 0 on and below 1, make no aggregates; halved from level to level; 0 where not given "
      "and --block is above 1",
      {[](double value) { return value >= 0 && value < 1; }, "numbers from 0 on, below 1"});
  amg.add("--smoother", o.settings.amg.smoother, explain<solver::Smoother>());
  amg.add("--smoother-sweeps", o.settings.amg.sweeps, "Sweeps before and after the coarser level, 1..100",
          {[](double value) { return value >= 1 && value <= 100; }, "whole numbers from 1 to 100"});
  amg.add("--amg-precision", o.settings.amg_precision, "Of the cycle: double or single");
  add_near_null_options(amg, o.near_null);

  const auto factors = options.group("Incomplete factors");
  factors.add("--sweeps", o.settings.sweeps, "Sweeps that compute the factors, 1..100",
              {[](double value) { return value >= 1 && value <= 100; }, "whole numbers from 1 to 100"});
  factors.add("--neumann", o.settings.neumann, "Terms of the Neumann series after the first, 0..100",
              {[](double value) { return value >= 0 && value <= 100; }, "whole numbers from 0 to 100"});

  const auto run = options.group("Run");
  run.add("--halo", o.halo, "How values travel between ranks: " + explain<Halo>());
  run.repeat(o.repeat);
  run.flag("--verify-only", o.verify_only, "Stop after the comparison of A x with the rows of A");
  run.flag("--no-solve", o.no_solve, "Time products and iterations only");
  run.optional("--history", o.history, "Write the residual after each iteration to this file (CSV)")
      .output(check_history_file);
  run.optional("--output", o.output, "Write the solution to this file of Matrix Market; replaced where it is one")
      .output([](const NamedFile& file, const Options&) { solution_file(file.path); });
  run.output(o, "one record per solve");
}

std::string name_of_cg(const solver::SolveSettings& solve) {
  const bool is_classic = solve.method == CgMethod::cg && !is_pointwise(solve.preconditioner);
  return is_classic ? "classic" : cg_words.at(static_cast<std::size_t>(solve.method));
}

std::string describe_size(const MatrixChoice& choice) {
  if (choice.kind == MatrixKind::file) return "--matrix " + choice.file;
  return fmt::format("--unknowns {:.0f}", choice.unknowns());
}

std::vector<solver::SolveSettings> SolverOptions::solves() const {
  std::vector<solver::SolveSettings> all;
  for (const PreconditionerKind kind : preconditioners)
    for (const CgMethod method : methods) {
      all.push_back(settings);
      all.back().method = method;
      all.back().preconditioner = kind;
    }
  return all;
}

std::vector<PreconditionerKind> SolverOptions::possible_preconditioners() const {
  std::vector<PreconditionerKind> all;
  for (const PreconditionerKind kind : preconditioners)
    if (kind == PreconditionerKind::automatic)
      all.insert(all.end(), {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::amg});
    else
      all.push_back(kind);
  return all;
}

SolverOptions check(const SolverArguments& a, const Options& options) {
  SolverOptions o = a.direct;
  o.ranks = Communicator::world().through(o.halo);
  require_able("--halo " + name(o.halo), messages::why_not(o.halo));
  if (a.aggregation) o.settings.amg.aggregation = *a.aggregation;
  set_matrices(a, options, o);
  set_preconditioners(a, options, o);
  set_near_null(options, o);
  set_methods(a, o);
  check_history(o, options);
  check_vectors(o, options);
  check_plot(o);
  for (const MatrixChoice& choice : o.matrices)
    require_memory(memory_need(o, choice), describe_size(choice), "fewer unknowns");
  return o;
}

}  // namespace miniapp::apps
