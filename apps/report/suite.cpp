// SPDX-License-Identifier: BSD-3-Clause
#include "apps/report/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>

#include "apps/frontend/data_files.hpp"
#include "apps/frontend/fields.hpp"
#include "apps/frontend/words.hpp"
#include "miniapp/core/names.hpp"
#include "report/expected.hpp"

namespace miniapp::apps {
namespace {

using report::number_at, report::value_at;

double median(const Json& record, const report::Field& sample) { return value_at(record, sample).at("median"); }

const Figure solve{"case.dofs / timing.solve_s.median", "MDOF/s",
                   [](const Json& r) { return 1e-6 * number_at(r, field::dofs) / median(r, field::solve_s); },
                   [](const Json& r) { return value_at(r, field::solve_s); }, false};
const Figure operators{"rates.operator_gdofs", "GDOF/s",
                       [](const Json& r) { return number_at(r, field::operator_gdofs); },
                       [](const Json& r) { return value_at(r, field::operator_s); }};
const Figure streaming{"rates.largest_gbytes", "GB/s", [](const Json& r) { return number_at(r, field::largest); },
                       [](const Json& r) { return r["result"]["times"].back(); }};
const Figure loop{"rates.kernel_gbytes", "GB/s", [](const Json& r) { return number_at(r, field::kernel_gbytes); },
                  [](const Json& r) { return value_at(r, field::kernel_s); }};
const Figure matrices{"case.elements / timing.kernel_s.median", "Mmatrices/s",
                      [](const Json& r) { return 1e-6 * number_at(r, field::elements) / median(r, field::kernel_s); },
                      [](const Json& r) { return value_at(r, field::kernel_s); }};
const Figure residual{"rates.residual_gcells", "Gcells/s",
                      [](const Json& r) { return number_at(r, field::residual_gcells); },
                      [](const Json& r) { return value_at(r, field::residual_s); }};
const Figure cg{"case.unknowns / timing.iteration_s.median", "GDOF*it/s",
                [](const Json& r) { return 1e-9 * number_at(r, field::unknowns) / median(r, field::iteration_s); },
                [](const Json& r) { return value_at(r, field::iteration_s); }};
const Figure amg{"entries of A on all levels / (set-up of multigrid + 3 solves)", "Mnnz/s",
                 [](const Json& r) {
                   const Json levels = value_at(r, field::levels), phases = value_at(r, field::setup_s);
                   double entries = 0, set_up = 0;
                   for (const Json& level : levels) entries += level["entries"].get<double>();
                   for (const auto& [phase, seconds] : phases.items())
                     if (phase != "matrix" && phase != "slices") set_up += seconds.get<double>();
                   return 1e-6 * entries / (set_up + 3 * median(r, field::solve_s));
                 },
                 nullptr};
const Figure multiply_adds{"roofs.fma_gflops", "GFLOP/s", [](const Json& r) { return number_at(r, field::fma_gflops); },
                           nullptr};

/// How many units a run has of smoke, small, medium and large, on each core of a host or GPU.
using Counts = std::array<double, 4>;

/// A size in place of {n} and, as the side of a cube, of {k}.
class Lines {
 public:
  Lines(Size size, const SuiteDevice& device) : size_(size), device_(device) {}

  /// `bytes`: what a unit has at least of what is worked on, where bandwidth is measured; else 0.
  std::vector<std::string> operator()(std::string line, const Counts& host, const Counts& gpu, double bytes = 0) const {
    double n = (device_.is_host ? host : gpu)[static_cast<std::size_t>(std::min(size_, Size::large))];
    if (bytes > 0 && size_ != Size::smoke) n = std::max(n, 4 * device_.cache / bytes);
    n *= device_.cores;
    const double digits = std::pow(10., std::floor(std::log10(n)) - 1);
    replace(line, "{n}", fmt::format("{:.0f}", std::ceil(n / digits - 1e-9) * digits));
    replace(line, "{k}", fmt::format("{:.0f}", std::ceil(std::cbrt(n) - 1e-9)));
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
  }
  bool from(Size least) const { return size_ >= least; }

 private:
  static void replace(std::string& line, const std::string& what, const std::string& by) {
    if (const std::size_t at = line.find(what); at != line.npos) line.replace(at, what.size(), by);
  }
  Size size_;
  SuiteDevice device_;
};

/// Products with the matrices of bake-off problems. All orders have about the same number of unknowns.
void add_operators(std::vector<Entry>& all, const Lines& lines) {
  const auto add = [&](const std::string& bp, int order, const std::string& geometry, const std::string& question) {
    const double cube = double(order) * order * order, nodes = std::pow(order + 1, 3),
                 points = bp == "3.5" ? nodes : std::pow(order + 2, 3);
    const auto elements = [&](double side) { return side * side * side / cube; };  // of `side` nodes along each edge
    const double large = order < 4 ? 0.5 : 1;  // low orders take more memory per unknown
    const Counts host{elements(14), elements(112), elements(224 * large), elements(336 * large)},
        gpu{elements(28), elements(224), elements(448), elements(448)};
    const std::string option = geometry == "boxes" ? " --deform 0" : geometry.empty() ? "" : " --geometry " + geometry;
    const double bytes = 16 * cube + 4 * nodes + (geometry == "boxes" ? 0 : 8 * points * (bp == "1.0" ? 1 : 7));
    all.push_back({fmt::format("bp{}-p{}{}", bp, order, geometry.empty() ? "" : "-" + geometry),
                   bp == "3.0" && order == 7 && geometry.empty() ? "operator" : "", "Operators",
                   lines(fmt::format("--bp {} --order {} --cells {{k}} --no-solve{}", bp, order, option), host, gpu,
                         order < 4 || geometry == "stored" ? bytes : 0),
                   question, &operators, order});
  };
  for (const std::string bp : {"1.0", "3.5", "3.0"}) {
    const std::string what = bp == "1.0"   ? "The mass matrix"
                             : bp == "3.5" ? "Stiffness and mass, collocated,"
                                           : "Stiffness and mass at Gauss points";
    for (int order = 1; order <= 8; ++order)
      if (order == 2 || order == 7 || lines.from(Size::medium))
        add(bp, order, "", fmt::format("{} of order {} times a vector, with gather and scatter.", what, order));
    for (const std::string geometry : {"stored", "boxes"})
      for (const int order : {2, 7})
        if (lines.from(Size::medium) || (order == 7 && bp != "1.0"))
          add(bp, order, geometry,
              geometry == "stored" ? "The same with factors of the geometry in memory."
                                   : "The same on elements with right angles.");
  }
}

void add_streaming(std::vector<Entry>& all, const Lines& lines) {
  const std::array what{"copy", "axpby", "norm", "dot", "update of CG"};
  const int samples = lines.from(Size::medium) ? 60 : lines.from(Size::small) ? 16 : 4;
  for (int bs = 1; bs <= 5; ++bs)  // of two arrays each has to be four times the cache
    all.push_back({fmt::format("bs{}", bs), bs == 5 ? "streaming" : "", "Streaming",
                   lines(fmt::format("streaming --bs {} --samples {} --max-bytes {{n}}", bs, samples),
                         {1e6, 256e6, 1e9, 4e9}, {1e7, 1e9, 4e9, 16e9}, 0.5),
                   fmt::format("The vector operation BS{}, {}: from the launch to the bandwidth of memory.", bs,
                               what[std::size_t(bs) - 1]),
                   &streaming});
  for (const int bs : {6, 7})
    all.push_back({fmt::format("bs{}-p7", bs), "", "Streaming",
                   lines(fmt::format("streaming --bs {} --order 7 --cells {{k}}", bs), {27, 4096, 32768, 110592},
                         {64, 32768, 110592, 262144}, 8 * 512. + 8 * 343 + 4 * 512),
                   bs == 6 ? "Gather: values of elements' nodes are added to those of the mesh."
                           : "Scatter: values of the mesh are copied to elements' nodes.",
                   &streaming});
}

void add_others(std::vector<Entry>& all, const Lines& lines) {
  const auto add = [&](Entry entry) { all.push_back(std::move(entry)); };
  add({"airfoil", "indirect", "Indirect",
       lines("indirect --loop airfoil --elements {n}", {2e3, 1.5e6, 4e6, 16e6}, {1e4, 4e6, 16e6, 16e6}, 76),
       "A loop over edges that adds Euler's fluxes to cells.", &loop});
  add({"hydro-stress", "", "Indirect",
       lines("indirect --loop hydro-stress --elements {n}", {1e3, 5e5, 2e6, 8e6}, {1e4, 2e6, 8e6, 8e6}, 130),
       "A loop over hexahedra that adds stress forces to their vertices.", &loop});
  if (lines.from(Size::medium)) {
    add({"euler-flux", "", "Indirect",
         lines("indirect --loop euler-flux --elements {n}", {0, 0, 3e6, 8e6}, {0, 0, 8e6, 8e6}, 72),
         "A loop over faces in space that adds Euler's fluxes to cells.", &loop});
    add({"airfoil-shuffled", "", "Indirect",
         lines("indirect --loop airfoil --shuffle --reorder bisection --elements {n}", {0, 0, 2e6, 8e6},
               {0, 0, 16e6, 16e6}, 72),
         "The same of a mesh in random order, which is put in order first.", &loop});
  }
  for (const int order : {2, 3})
    add({fmt::format("elasticity-p{}", order), order == 2 ? "element-matrices" : "", "Element matrices",
         lines(fmt::format("elasticity --order {} --kernel auto --elements {{n}}", order),
               order == 2 ? Counts{8, 3e3, 24e3, 1e5} : Counts{8, 400, 5e3, 2e4},
               order == 2 ? Counts{64, 1e5, 1.6e5, 1.6e5} : Counts{64, 2e4, 3e4, 3e4}),
         fmt::format("Element matrices of elasticity on prisms of order {}.", order), &matrices, order, false});
  add({"poisson-tetrahedra", "weak-form", "Weak forms",
       lines("weakform --form variable-poisson --elements {n}", {1e3, 1e6, 4e6, 12e6}, {1e4, 2e6, 12e6, 12e6}),
       "The residual of Poisson's equation with a variable coefficient.", &residual});
  add({"neo-hookean", "", "Weak forms",
       lines("weakform --form neo-hookean --elements {n}", {1e3, 5e5, 2e6, 6e6}, {1e4, 5e5, 6e6, 6e6}),
       "The residual of finite elasticity, which has more arithmetic.", &residual});
  add({"cg", "", "Sparse solvers",
       lines("solver --matrix poisson3d --unknowns {n} --cg fused --preconditioner none --no-solve",
             {1e3, 1e6, 4e6, 16e6}, {1e4, 8e6, 16e6, 32e6}, 124),
       "An iteration of CG with a stored matrix of seven entries per row.", &cg});
  if (lines.from(Size::medium))
    add({"cg-pipelined", "", "Sparse solvers",
         lines("solver --matrix poisson3d --unknowns {n} --cg pipelined --preconditioner none --no-solve",
               {0, 0, 4e6, 16e6}, {0, 0, 16e6, 32e6}, 124),
         "The same with one sum over all entries instead of two.", &cg});
  add({"amg", "AMG", "Sparse solvers",
       lines("solver --matrix poisson3d --unknowns {n} --preconditioner amg --tolerance 1e-8", {1e3, 1e6, 4e6, 8e6},
             {1e4, 1e6, 8e6, 8e6}),
       "CG with algebraic multigrid, set-up included.", &amg});
}

/// The papers' tables and figures.
void add_papers(std::vector<Entry>& all) {
  std::istringstream files(
      "streaming/figures1-5 streaming/figures6-7 streaming/table3 indirect/airfoil indirect/corner-acceleration "
      "indirect/euler-flux indirect/hydro-stress indirect/shallow-water elasticity/tables5-7 weakform/blocks-batches "
      "weakform/strategies solver/pipelined solver/preconditioners2d solver/preconditioners3d solver/smoothers "
      "tensor/figure3-bp1.0-512 tensor/figure3-bp1.0-4096 tensor/figure3-bp3.0-512 tensor/figure3-bp3.0-4096 "
      "tensor/figure3-bp3.5-512 tensor/figure3-bp3.5-4096 tensor/bps5-eps0.3 tensor/convergence");
  for (std::string file; files >> file;) {
    const std::string command = file.substr(0, file.find('/'));
    std::vector<std::string> words{"--config", data_file("inputs/" + file + ".toml")};
    if (command != "tensor") words.push_back(command);
    std::string name = file;
    name[command.size()] = '-';
    all.push_back({name, "", "Tables of papers", words, "A table or a figure of a paper, docs/inputs.md.", nullptr, 0,
                   command != "elasticity"});
  }
}

}  // namespace

std::string Entry::command_line() const { return command_line_of(words); }

std::vector<Entry> expected_runs(Size size) {
  std::vector<Entry> all;
  std::map<std::string, int> of_modules;
  std::string last;
  for (const Json& expected : report::expected_table()["entries"]) {
    const std::string command = expected["command"], module = expected["module"];
    if (expected["size"] != name(size) || command == last) continue;
    last = command;
    std::istringstream in(command);
    Entry entry{fmt::format("{}-{}", module, ++of_modules[module]),
                "",
                "Expected values",
                {std::istream_iterator<std::string>(in), {}},
                expected["name"]};
    const auto order = std::find(entry.words.begin(), entry.words.end(), "--order");
    if (order != entry.words.end()) entry.order = std::stoi(order[1]);
    entry.takes_ranks = std::find(entry.words.begin(), entry.words.end(), "lor") == entry.words.end();
    all.push_back(std::move(entry));
  }
  return all;
}

std::vector<Entry> suite(Size size, const SuiteDevice& device) {
  const Lines lines(size, device);
  std::vector<Entry> all;
  if (lines.from(Size::small))
    all.push_back({"roofs",
                   "",
                   "Machine's roofs",
                   {"info"},
                   "Rates of copying and of multiply-adds in registers, which bound the rest.",
                   &multiply_adds});
  all.push_back(
      {"solve", "solve", "Solving",
       lines("--bp 3.0 --order 7 --cells {k} --tolerance 1e-8", {8, 4096, 32768, 110592}, {64, 32768, 262144, 262144}),
       "The main job: a Poisson problem of order 7 solved to 1e-8 with the default preconditioner.", &solve, 7});
  add_operators(all, lines);
  add_streaming(all, lines);
  add_others(all, lines);
  if (size == Size::full) add_papers(all);
  return all;
}

}  // namespace miniapp::apps
