// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tensor/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "apps/frontend/device_text.hpp"
#include "apps/frontend/record_parts.hpp"
#include "core/printable.hpp"

namespace miniapp::apps {
namespace {

using report::Json;

std::string spread(const measure::Sample& s) {
  if (s.repetitions == 1) return report::seconds(s.median);
  return fmt::format("{} (min {}, max {}, {} times)", report::seconds(s.median), report::seconds(s.min),
                     report::seconds(s.max), s.repetitions);
}

/// "[##############......] 71 % of 0.412 GDOF/s: at least 83.2 MB at the memory's 39.1 GB/s".
std::string describe_bound(const Json& record) {
  const std::string by = at(record, field::bound_by);
  const std::string why = by == "memory"            ? fmt::format("at least {} at the memory's {:.3g} GB/s",
                                                                  report::bytes(at(record, field::least_bytes)),
                                                                  double(at(record, field::memory_gbytes)))
                          : by == "multiplications" ? fmt::format("{:.3g} multiplications, half of {:.3g} GFLOP/s",
                                                                  double(at(record, field::multiplications)),
                                                                  double(at(record, field::fma_gflops)))
                                                    : std::string("traffic in scratch");
  const double fraction = at(record, field::fraction_of_bound);
  return fmt::format("{} {:.0f} % of {:.3g} GDOF/s: {}", report::bar(fraction), 100 * fraction,
                     double(at(record, field::bound_gdofs)), why);
}

void describe_energy(report::Page& page, const tensor::KernelResult& r, const Json& record) {
  if (!(r.full.joules > 0)) return;
  std::string text = fmt::format("{:.3g} J per application, {:.3g} DOF/J", r.full.joules,
                                 double(at(record, field::operator_dofs_per_joule)));
  if (r.iteration.joules > 0)
    text += fmt::format("; {:.3g} J for the solution by {} iterations", r.cg->iterations * r.iteration.joules,
                        r.cg->iterations);
  page.add("energy", text);
}

std::string describe_preconditioner(const TensorOptions& o) {
  switch (o.preconditioner) {
    case tensor::Preconditioner::none:
      return "no preconditioner";
    case tensor::Preconditioner::jacobi:
      return "Jacobi";
    case tensor::Preconditioner::chebyshev:
      return fmt::format("Chebyshev of degree {} on Jacobi", o.multigrid.degree);
    case tensor::Preconditioner::lor_amg:
      return "multigrid on the low-order matrix";
    case tensor::Preconditioner::lor_ilu:
      return "incomplete factors of the low-order matrix";
    case tensor::Preconditioner::p_multigrid:
      return "multigrid over orders";
    case tensor::Preconditioner::automatic:
      return "a preconditioner";
  }
  return "";
}

std::string describe_cg(const TensorOptions& o, const solver::CgResult& result) {
  const std::string floor =
      fmt::format("rounding to {} precision leaves about {:.0e}", name(o.precision), result.floor);
  const std::string verdict = result.verdict == solver::Verdict::converged ? "converged; " + floor
                              : result.verdict == solver::Verdict::stagnated
                                  ? fmt::format("stagnated above the tolerance, since {}", floor)
                              : result.verdict == solver::Verdict::diverged ? "DIVERGED; " + floor
                                                                            : "NOT CONVERGED; " + floor;
  return fmt::format("{} iterations, |b - A x| = {:.1e} |b|: {}", result.iterations, result.true_relative_residual,
                     verdict);
}

/// What the solution took, and what would take less or more.
void describe_solution(report::Page& page, const TensorOptions& o, const tensor::KernelResult& r, const Json& record) {
  const double seconds = at(record, field::solve_s)["median"], dofs = at(record, field::dofs);
  if (!r.level_s.empty()) {
    const double all = std::accumulate(r.level_s.begin(), r.level_s.end(), 0.);
    std::string parts;
    for (std::size_t l = 0; l < r.levels.size(); ++l)
      parts += fmt::format("{}order {} {:.0f} %", l > 0 ? ", " : "", r.levels[l], 100 * r.level_s[l] / all);
    page.add("cycle", fmt::format("{}: {}", report::seconds(all), parts));
  }
  page.add("solution",
           fmt::format("{} = {} applications of the operator; {:.3g} million unknowns/s{}", report::seconds(seconds),
                       int(at(record, field::applications)), dofs / seconds * 1e-6,
                       r.preconditioner_s > 0 ? fmt::format("; with the preconditioner's set-up {}",
                                                            report::seconds(seconds + r.preconditioner_s))
                                              : ""));
  if (r.jacobi) {
    const double jacobi = at(record, field::jacobi_solve_s);
    const bool solved = r.jacobi->converged();
    page.add("Jacobi", fmt::format("{} iterations{} in {}, {}{:.3g} times as long", r.jacobi->iterations,
                                   solved ? "" : ", " + name(r.jacobi->verdict) + ",", report::seconds(jacobi),
                                   solved ? "" : "already ", jacobi / seconds));
  }
  // a mass is left to Jacobi
  const bool other = tensor::has_stiffness(o.problem) ? is_pointwise(o.preconditioner)
                                                      : o.preconditioner == tensor::Preconditioner::none;
  if (!o.chosen && other) page.add("faster", "--preconditioner auto takes the one that will probably be the fastest");
}

std::string name_of(const TensorOptions& o) {
  return tensor::name(o.problem) + (o.components > 1 ? fmt::format(", {} components", o.components) : "");
}

std::string describe_deformation(const TensorOptions& o) {
  return o.mesh_map == tensor::MeshMap::kershaw ? fmt::format("Kershaw's map with eps {}", o.eps)
                                                : fmt::format("deformed by {}", o.deform);
}

std::string describe_solve(const TensorOptions& o) {
  const std::string cg = o.preconditioner == tensor::Preconditioner::automatic ? "" : name(o.cg) + " ";
  const std::string solve = fmt::format("{}CG, {}, tolerance {:.0e}", cg,
                                        describe_preconditioner(o) + (o.chosen ? " (by auto)" : ""), o.tolerance);
  if (o.user.has_data()) return solve;
  if (o.mesh) return solve + ", right-hand side of a product of sines, which is given on the surface";
  return fmt::format("{}, {} right-hand side, {}", solve, name(o.rhs),
                     o.boundary == space::Boundary::dirichlet ? "u = 0 on the surface" : "natural boundary");
}

std::string describe_box(const TensorOptions& o) {
  return o.is_unit_cube() ? "the unit cube" : fmt::format("a box of {} m", fmt::join(o.lengths, " x "));
}

/// "16 x 16 x 16 = 4 096 hexahedra of the unit cube, deformed by 0.08", or those of a file.
std::string describe_mesh(const TensorOptions& o) {
  if (o.mesh_pieces > 1)
    return fmt::format("{} hexahedra, cut from {} {} of {}", report::count(o.elements()),
                       report::count(o.elements() / o.mesh_pieces), o.mesh_pieces == 4 ? "tetrahedra" : "prisms",
                       printable(o.words.mesh, 200));
  if (o.mesh)
    return fmt::format(
        "{} {} of {}", report::count(o.elements()),
        o.mesh->curved.empty() ? "hexahedra" : fmt::format("curved hexahedra, order {},", o.mesh->curved.order),
        printable(o.words.mesh, 200));
  return fmt::format("{} x {} x {} = {} hexahedra of {}, {}", o.nx, o.ny, o.nz, report::count(o.elements()),
                     describe_box(o), describe_deformation(o));
}

/// What a user gave of the problem.
void describe_problem(report::Page& page, const TensorOptions& o, const std::string& natural) {
  if (!o.user.has_data()) return;
  const auto add = [&](const std::string& what, const std::vector<std::string>& words) {
    std::vector<std::string> safe;
    for (const std::string& word : words) safe.push_back(printable(word, 200));
    if (!safe.empty()) page.add(what, fmt::format("{}", fmt::join(safe, "; ")));
  };
  page.add("problem", o.lambda > 0 ? "-div(k grad u) + lambda u = f" : "-div(k grad u) = f");
  add("k", o.words.coefficient);
  add("f", {o.words.source.empty() ? "0" : o.words.source});
  add("Dirichlet", o.words.dirichlet);
  add("Neumann", o.words.neumann);
  add("Robin", o.words.robin);
  if (!natural.empty()) page.add("natural", natural + ": k du/dn = 0");
  if (o.words.exact.empty())
    page.add("exact", "u is not known (--exact): what is verified is the operator, and b - A x");
  else
    add("exact", {o.words.exact});
}

std::string describe_platform(const TensorOptions& o) {
  const Platform p = platform();
  return fmt::format("{}{}, {}, Kokkos {}, {} precision", describe_world(o.ranks), describe_device(p),
                     p.backends.front(), p.kokkos_version, name(o.precision));
}

void describe_kernel(report::Page& page, const tensor::KernelResult& r, const Json& record) {
  const auto number = [&](const report::Field& field) { return double(at(record, field)); };
  page.add("kernel alone",
           fmt::format("{}; {:.4g} GFLOP/s, {:.3g} GDOF/s local, {:.3g} GB/s", spread(r.kernel),
                       number(field::kernel_gflops), number(field::kernel_gdofs_local), number(field::kernel_gbytes)));
  page.add("copy roof",
           fmt::format("{:.0f} % of {:.3g} GB/s, the rate of copying {}; the model (stored factors) moves {}",
                       100 * number(field::fraction_of_copy_roof), number(field::copy_gbytes),
                       report::bytes(number(field::copied_bytes)), report::bytes(number(field::model_bytes))));
  std::string text;
  if (!value_at(record, field::peak_gbytes).is_null())
    text = fmt::format("{:.0f} % of the memory's {:.4g} GB/s by its data sheet",
                       100 * number(field::fraction_of_peak_roof), number(field::peak_gbytes));
  if (!value_at(record, field::scratch_gbytes).is_null())
    text += fmt::format("; {:.0f} % of scratch's {:.4g} GB/s", 100 * number(field::fraction_of_scratch_roof),
                        number(field::scratch_gbytes));
  if (!text.empty()) page.add("device roofs", text);
  const TeamResources& team = r.resources;
  if (team.threads == 0) return;
  text = fmt::format("{} threads and {} scratch per team", team.threads, report::bytes(double(team.scratch_bytes)));
  if (team.registers > 0)
    text +=
        fmt::format("; {} registers per thread{}; {} teams per multiprocessor, {:.0f} % of its threads", team.registers,
                    team.local_bytes ? fmt::format(", {} bytes of local memory", team.local_bytes) : "",
                    team.teams_at_once, 100 * team.occupancy);
  page.add("resources", text);
}

}  // namespace

report::Page describe(const TensorOptions& o, const tensor::Case& problem) {
  const tensor::Discretisation& d = problem.discretisation;
  const Platform p = platform();
  const int n = o.order + 1, q = d.rule().size();
  report::Page page(fmt::format("{}, order {}", name_of(o), o.order));
  page.add("mesh", describe_mesh(o));
  if (o.mesh)
    page.add("elements", fmt::format("smallest scaled Jacobian {:.2g} (of boxes 1)", problem.scaled_jacobian));
  if (!o.shape_note.empty()) page.add("shape", o.shape_note);
  page.add("dofs", fmt::format("{} free, {} masked; {} nodes per direction", report::count(d.space.num_dofs()),
                               report::count(static_cast<long long>(d.space.num_masked())), n));
  page.add("quadrature", fmt::format("{} {} points per direction", q, q == n ? "Gauss-Lobatto" : "Gauss"));
  describe_problem(page, o, problem.natural);
  if (tensor::has_stiffness(o.problem)) page.add("lambda", fmt::format("{}", o.lambda));
  page.add("solve", describe_solve(o));
  page.add("device", describe_platform(o));
  const std::int64_t sharing = runs_on_host ? 1 : o.ranks.of_all(Reduction::max, std::int64_t(sharing_ranks(o.ranks)));
  if (sharing > 1) page.add("warning", fmt::format("{} ranks share a GPU: that is no faster than one rank", sharing));
  const int threads = o.ranks.size_of_node() * p.concurrency, cores = available_cores(o.ranks);
  if (runs_on_host && threads > cores)
    page.add("warning",
             fmt::format("{} threads of this host's ranks share {} core{}", threads, cores, cores == 1 ? "" : "s"));
  if (o.ranks.is_alone() && runs_on_host && p.concurrency < p.cores)
    page.add("more", ranks_are_possible ? fmt::format("mpirun -n {} miniapp .. uses all cores", p.cores)
                                        : "a build with MPI uses all cores");
  return page;
}

report::Page describe(const TensorOptions& o, const tensor::KernelResult& r, const Json& record) {
  report::Page page("Kernel " + tensor::name(r.variant));
  page.add("idea", tensor::idea(r.variant.kernel, o.problem));
  std::string reason = o.tuning_note;
  if (const auto& times = r.geometry_times)
    reason = fmt::format("as measured: stored {}, computed {}", report::seconds(times->stored),
                         report::seconds(times->computed));
  page.add("geometry",
           fmt::format("{}{}", tensor::descriptions(tensor::Geometry())[static_cast<int>(r.variant.geometry)],
                       reason.empty() ? "" : ", " + reason));
  if (o.reproducible)
    page.add("sums",
             has_one_thread ? "in a fixed order, as always with one thread" : "in a fixed order, --reproducible");
  if (o.assembly)
    page.add("assembly", fmt::format("from E-vectors, {}, as miniapp indirect", indirect::name(*o.assembly)));
  if (!r.of_ranks.figures.empty()) page.add("ranks", describe_ranks(record, "application"));
  std::string phases;
  for (const auto& [phase, seconds] : r.phases.seconds())
    phases += fmt::format("{}{} {}", phases.empty() ? "" : ", ", phase, report::seconds(seconds));
  page.add("set-up", fmt::format("{} ({})", report::seconds(r.phases.total()), phases));
  page.add("verified", fmt::format("error {:.1e} against the reference, at most {:.1e}: {}", r.verification.error,
                                   r.verification.limit, r.verification.passed() ? "right" : "WRONG"));
  if (!r.fallback.empty())
    page.add("fallback",
             fmt::format("{}, since with multigrid in single precision {}", r.fallback, r.single_breakdown));
  if (!r.predicted.empty()) page.add("auto", describe_predicted(*r.chosen, r.predicted, r.without_room));
  for (const tensor::GivenUp& one : r.given_up) page.add("given up", describe_given_up(one));
  if (r.hierarchy) page.add("multigrid", describe(*r.hierarchy));
  if (!r.levels.empty())
    page.add("multigrid",
             fmt::format("orders {}{}, Chebyshev of degree {} on {} before and after, {}; {} applications "
                         "of the operator per iteration",
                         fmt::join(r.levels, ", "), r.lowest ? fmt::format(" ({})", name(*r.lowest)) : "",
                         r.smoother_degree, o.multigrid.smoother == multigrid::Smoother::schwarz ? "Schwarz" : "Jacobi",
                         report::bytes(r.factors), r.applications_per_iteration()));
  if (o.chebyshev() && r.factors > 0)
    page.add("polynomial", fmt::format("Chebyshev of degree {} on Jacobi, {}; {} applications of the operator per "
                                       "iteration",
                                       r.smoother_degree, report::bytes(r.factors), r.applications_per_iteration()));
  if (r.cg) page.add("CG", describe_cg(o, *r.cg));
  if (!r.breakdown.empty()) page.add("CG", "BROKE DOWN");
  if (r.h1_error) page.add("H1 error", fmt::format("{:.2e} of the gradient, relative", *r.h1_error));
  if (r.l2_error) page.add("L2 error", fmt::format("{:.2e} relative to the exact solution", *r.l2_error));
  if (r.known_l2_error)
    page.add("known", fmt::format("a product of sines, k = 1, solved on this mesh: L2 error {:.2e}, relative",
                                  *r.known_l2_error));
  if (r.iteration.repetitions > 0)
    page.add("CG iteration",
             fmt::format("{}; {:.3g} GDOF*iteration/s", spread(r.iteration), double(at(record, field::cg_gdofs))));
  if (r.iteration.repetitions > 0) describe_solution(page, o, r, record);
  if (r.plain_iteration.repetitions > 0)
    page.add("plain CG", fmt::format("{} per iteration without a preconditioner; {:.3g} GDOF*iteration/s",
                                     spread(r.plain_iteration), double(at(record, field::plain_cg_gdofs))));
  if (!r.jacobi_breakdown.empty()) page.add("Jacobi", r.jacobi_breakdown);
  if (r.full.repetitions == 0) return page;
  page.add("operator",
           fmt::format("{}; {:.3g} GDOF/s with gather and scatter, {:.3g} GB/s at least", spread(r.full),
                       double(at(record, field::operator_gdofs)), double(at(record, field::operator_gbytes))));
  page.add("bound", describe_bound(record));
  describe_energy(page, r, record);
  if (r.kernel.repetitions > 0) describe_kernel(page, r, record);
  const auto bytes = [](auto value) { return report::bytes(double(value)); };
  page.add("memory",
           fmt::format("{} (vectors {}, factors {}, E-vectors {}, indices {}); {} expected of the whole run, peak of "
                       "the process {}",
                       bytes(r.memory()), bytes(r.vectors), bytes(r.arrays.factors), bytes(r.arrays.local_vectors),
                       bytes(r.arrays.indices), bytes(at(record, field::expected_bytes)),
                       bytes(at(record, field::peak_bytes))));
  return page;
}

std::string sweep_heading(const std::vector<TensorOptions>& cases) {
  const TensorOptions& first = cases.front();
  std::vector<int> orders;
  std::vector<std::int64_t> sizes;
  for (const TensorOptions& o : cases) {
    orders.push_back(o.order);
    sizes.push_back(o.elements());
  }
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return fmt::format(
      "{}, order{} {}; {}\n{}{}\n", name_of(first), orders.size() > 1 ? "s" : "", fmt::join(orders, ", "),
      first.mesh ? describe_mesh(first)
                 : fmt::format("{}{} hexahedra of {}, {}", *least < *most ? report::count(*least) + " to " : "",
                               report::count(*most), describe_box(first), describe_deformation(first)),
      first.solves() ? describe_solve(first) + '\n' : "", describe_platform(first));
}

std::string what_was_wrong(const TensorOptions& o, const tensor::KernelResult& r) {
  if (!r.verification.passed())
    return fmt::format("--kernel {}: error {:.1e} against the reference, at most {:.1e} is right",
                       tensor::name(r.variant.kernel), r.verification.error, r.verification.limit);
  const std::string solve =
      o.sweep || o.variants.size() > 1
          ? fmt::format("CG of order {} on {} elements with {}", o.order, o.elements(), tensor::name(r.variant))
          : "CG";
  return r.cg ? why_unconverged(*r.cg, o.tolerance, o.max_iterations, solve) : r.breakdown;
}

std::vector<report::Column> tensor_columns(const std::vector<TensorOptions>& cases) {
  using report::detail, report::expected, report::longest, report::sized;
  const TensorOptions& first = cases.front();
  const auto longest_of_variants = [&](const auto& of) {
    return longest(cases, [&](const TensorOptions& o) { return std::string(longest(o.variants, of), 'x'); });
  };
  const bool times = !first.verify_only;
  std::vector<report::Column> all = {
      sized(field::kernel, longest_of_variants([](const tensor::Variant& v) { return tensor::name(v.kernel); })),
      sized(field::geometry, longest_of_variants([](const tensor::Variant& v) { return tensor::name(v.geometry); })),
      field::order,
      sized(field::elements, longest(cases, [](const TensorOptions& o) { return std::to_string(o.elements()); })),
      sized(detail(field::dofs),
            longest(cases, [](const TensorOptions& o) { return std::to_string(std::int64_t(o.nodes())); })),
      field::error,
      expected(field::kernel_s.as("kernel us", "{:.4g}", 1e6), times),
      expected(field::kernel_gflops, times),
      detail(field::kernel_gbytes),
      detail(field::fraction_of_peak_roof),
      detail(field::fraction_of_copy_roof),
      detail(field::fraction_of_scratch_roof),
      detail(field::registers),
      detail(field::team_scratch),
      detail(field::threads_at_once),
      detail(field::kernel_gdofs_local),
      expected(field::operator_gdofs, times),
      expected(field::fraction_of_bound, times),
      expected(field::cg_gdofs, first.solves()),
      expected({"iterations", iterations_and_verdict}, first.solves())};
  if (!first.sweep) all.push_back(detail(field::idea));
  return all;
}

}  // namespace miniapp::apps
