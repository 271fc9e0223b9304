// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/kernel_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "miniapp/graph/partition.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "miniapp/multigrid/p_multigrid.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/solver/pipelined_cg.hpp"
#include "miniapp/tensor/assembled_operator.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/load.hpp"
#include "runs/iterations.hpp"
#include "runs/tensor/memory.hpp"
#include "runs/tensor/preconditioner.hpp"

namespace miniapp::tensor {
namespace {

/// (position): element. Blocks are of as many elements of order 7 as fill a second-level cache with their vectors.
std::vector<Index> order_elements(const mesh::Mesh& mesh, graph::Reorder reorder) {
  constexpr int block_size = 64;
  return graph::make_ordering(mesh.element_to_vertex, mesh.vertices.size(), reorder, block_size, mesh.vertices)
      .from.entries;
}

/// make(), where the mesh's map is at fault if it inverts an element.
template <class Make>
auto refuse_inverted(const CaseSettings& o, const Make& make) {
  try {
    return make();
  } catch (const InvertedElement& inverted) {
    if (o.mesh)
      throw InputError(
          "mesh", "",
          fmt::format("element {} of {} is inverted{}; accepted are meshes with det J > 0", inverted.element + 1,
                      o.elements(), o.reorder == graph::Reorder::none ? "" : " as reordered"));
    const bool smooth = o.mesh_map == MeshMap::smooth;
    throw InputError(
        smooth ? "deform" : "eps", fmt::format("{}", smooth ? o.deform : o.eps),
        fmt::format("inverts element {} of {}{}; accepted are {}, that keep det J > 0", inverted.element + 1,
                    o.elements(), o.reorder == graph::Reorder::none ? "" : " as reordered",
                    smooth ? "smaller amplitudes" : "larger ones, or a multiple of 6 elements along x"));
  }
}

Discretisation make_discretisation(const CaseSettings& o, measure::Phases& phases) {
  std::shared_ptr<const mesh::Mesh> mesh = o.mesh ? o.mesh : phases.time("mesh", [&] {
    const std::array<int, 3> sides{o.nx, o.ny, o.nz};
    mesh::Mesh box = o.ranks.is_alone()
                         ? mesh::make_box(o.nx, o.ny, o.nz)
                         : mesh::make_box_part(
                               sides, graph::part_of_box(sides, o.partition, o.ranks.rank(), o.ranks.size()), o.ranks);
    if (o.mesh_map == MeshMap::kershaw)
      mesh::map_kershaw(box, o.eps);
    else
      mesh::deform(box, o.deform);
    if (!o.is_unit_cube())
      for (mesh::Point& at : box.vertices)
        for (std::size_t i = 0; i < 3; ++i) at[i] *= o.lengths[i];
    if (o.user.has_data()) name_box_sides(box, o.nx, o.ny, o.nz);
    return std::make_shared<const mesh::Mesh>(std::move(box));
  });
  if (o.reorder != graph::Reorder::none)
    mesh = phases.time("reorder", [&] {
      return std::make_shared<const mesh::Mesh>(mesh::reorder(*mesh, order_elements(*mesh, o.reorder)));
    });
  return refuse_inverted(o, [&]() -> Discretisation {
    return {std::move(mesh), o.problem,    o.order, o.is_given() ? space::Boundary::neumann : o.boundary,
            o.lambda,        o.components, &phases};
  });
}

/// The copy roof at the model's bytes, the same for all kernels, of all ranks at once; empty where no kernel is timed
/// alone.
measure::CopyRoof measure_roof(const CaseSettings& o, const std::vector<Variant>& variants) {
  if (std::none_of(variants.begin(), variants.end(), [&](const Variant& variant) { return o.times_alone(variant); }))
    return {};
  return measure::copy_roof(cost(o.problem, o.order, o.own_elements(), o.word(), o.components).bytes, o.ranks);
}

/// The bytes at which memory is measured for a kernel, on one rank.
double measured_bytes(const CaseSettings& o, const Variant& variant) {
  return std::min(operator_bytes(o, variant), measure::most_copied());
}

/// Where kernels are timed.
std::map<double, double> measure_memory(const CaseSettings& o, std::vector<Variant> variants) {
  if (o.tries_computed) variants.push_back({variants.front().kernel, Geometry::computed});
  std::map<double, double> rates;
  for (const Variant& variant : variants) {
    const double bytes = measured_bytes(o, variant);
    if (!o.verify_only && !rates.count(bytes))
      rates[bytes] = measure::memory_rate(o.ranks.of_all(Reduction::max, bytes), o.ranks);
  }
  return rates;
}

Vector<double> make_rhs(const CaseSettings& o, const Discretisation& d) {
  if (o.rhs == Rhs::manufactured)
    return make_load(d, {o.boundary}, Manufactured::source(has_stiffness(o.problem), o.lambda), o.in_fixed_order());
  if (o.rhs == Rhs::nodal) return make_nodal_load(d, o.in_fixed_order());
  return random_vector(d.space, 1);
}

/// The problem that is solved.
PreparedProblem make_problem(const CaseSettings& o, measure::Phases& phases) {
  const KeepMemory keep;
  Discretisation d = make_discretisation(o, phases);
  if (o.is_given()) return prepare(o.user, std::move(d), phases);
  const Vector<double> rhs = phases.time("right-hand side", [&] { return make_rhs(o, d); });
  return {std::move(d), rhs, {}, {}, {}};
}

/// One kernel on a case.
template <class Real>
class KernelRun {
 public:
  KernelRun(const CaseSettings& settings, const Case& problem, const Variant& variant)
      : o_(settings), case_(problem), result_{variant, problem.phases} {}

  KernelResult run(const solver::CgOptions& options) {
    const Region region(name(result_.variant));
    set_up();
    result_.of_ranks = space::compare_ranks(case_.discretisation.space, case_.discretisation.mesh->num_elements(),
                                            sizeof(Real), result_.phases);
    result_.verification = verify(*op_, case_.reference, case_.discretisation);
    if (!result_.verification.passed() || o_.verify_only) return result_;
    if (o_.solves()) choose_and_solve(options);
    if (o_.solves() && o_.compare_jacobi) compare_with_jacobi(options);
    // what CEED's rules measure, by a few iterations
    if (result_.chosen && result_.cg) result_.plain_iteration = solve_beside(solver::Identity{}, {0, 5, {}}).iteration;
    const Vector<Real> x = convert<Real>(random_vector(case_.discretisation.space, 3));
    time_operator(x);
    if (o_.times_alone(result_.variant)) time_kernel(x);
    count_memory();
    find_bound();
    return std::move(result_);
  }

 private:
  void set_up() {
    measure::Phases& phases = result_.phases;
    op_ = phases.time("kernel", [&] { return make_operator<Real>(result_.variant, case_.discretisation); });
    if (o_.tries_computed) phases.time("geometry", [&] { choose_geometry(); });
    if (o_.assembly)
      op_ = phases.time("assembly", [&] {
        indirect::PlanOptions plan{*o_.assembly, 256};
        return std::make_unique<AssembledOperator<Real>>(std::move(op_), plan);
      });
    const double before = phases.total();
    const bool is_set = o_.preconditioner != Preconditioner::automatic;
    if ((o_.solves() && is_set) || is_pointwise(o_.preconditioner)) set_preconditioner();
    result_.preconditioner_s = phases.total() - before;
  }

  /// Whether factors are read or computed sooner depends on caches, memory and how many share it, so that the operator
  /// itself is timed. Less than a tenth is left to chance.
  void choose_geometry() {
    const Variant other{result_.variant.kernel, Geometry::computed};
    std::unique_ptr<ElementOperator<Real>> computed = make_operator<Real>(other, case_.discretisation);
    const Vector<Real> x = convert<Real>(random_vector(case_.discretisation.space, 3)),
                       y = make_vector<Real>("y", x.extent(0));
    const auto time = [&](const ElementOperator<Real>& op, int samples) {
      return measure::time([&] { linalg::apply<Real>(instance_, op, x, y); }, samples, o_.ranks).min;
    };
    GeometryTimes times{time(*op_, 1), time(*computed, 1)};
    if (const double ratio = times.computed / times.stored; ratio > 0.8 && ratio < 1)
      times = {std::min(times.stored, time(*op_, 2)), std::min(times.computed, time(*computed, 2))};
    result_.geometry_times = times;
    if (times.computed > 0.9 * times.stored) return;
    op_ = std::move(computed);
    result_.variant = other;
  }

  void set_preconditioner() {
    preconditioner_ =
        refuse_inverted(o_, [&] { return make_preconditioner<Real>(o_, case_.discretisation, result_.phases); });
    result_.hierarchy = preconditioner_->hierarchy();
    if (!result_.hierarchy) result_.factors = preconditioner_->bytes();
    if (o_.chebyshev()) result_.smoother_degree = o_.multigrid.degree;
    if (const auto* const multigrid = preconditioner_->template as<multigrid::PMultigrid>()) {
      result_.levels = multigrid->orders();
      result_.smoother_degree = multigrid->options().degree;
      if (!o_.ranks.is_alone()) result_.lowest = multigrid->options().lowest;
    }
  }

  /// A solve by fused CG beside the one that is asked for.
  struct Beside {
    std::optional<solver::CgResult> cg;  // nothing where it broke down
    std::string breakdown;
    measure::Sample iteration;
  };
  template <class M>
  Beside solve_beside(const M& m, const solver::CgOptions& options) {
    const Vector<Real> b = convert<Real>(case_.rhs), x = make_vector<Real>("x", case_.rhs.extent(0));
    solver::DeviceCgWorkspace<Real> work(x.extent(0));
    const auto cg = [&](const solver::CgOptions& o) {
      return solver::fused_cg<Real>(instance_, *op_, m, b, x, work, o);
    };
    Beside beside;
    double seconds = 0;
    try {
      seconds = measure::time_once([&] { beside.cg = cg(options); }, o_.ranks);
    } catch (const ResultError& error) {
      beside.breakdown = error.what();
      return beside;
    }
    beside.iteration = time_iterations(*beside.cg, seconds, cg);
    return beside;
  }
  void compare_with_jacobi(const solver::CgOptions& options) {
    const Beside beside =
        solve_beside(solver::Jacobi<Real>(make_diagonal(case_.discretisation, o_.in_fixed_order())), options);
    result_.jacobi = beside.cg;
    result_.jacobi_breakdown = beside.breakdown;
    result_.jacobi_iteration = beside.iteration;
  }
  /// The preconditioners that `automatic` may stand for are tried in turn.
  void choose_and_solve(const solver::CgOptions& options) {
    if (o_.preconditioner != Preconditioner::automatic) return solve_or_fall_back(options);
    measure::Phases& phases = result_.phases;
    const double before = phases.total();
    const std::vector<Attempt> attempts = phases.time("choice", [&] {
      const ElementShapes shapes = measure_shapes(case_.discretisation);
      result_.predicted = predict_costs(o_, case_.discretisation.basis, shapes);
      result_.without_room = remove_without_room(o_, result_.predicted);
      return order_attempts(result_.predicted, shapes, o_.rhs != Rhs::random);
    });
    const CaseSettings asked = o_;
    for (std::size_t k = 0; k < attempts.size(); ++k) {
      o_ = asked.with(attempts[k].preconditioner);
      result_.chosen = o_.preconditioner;
      if (try_to_solve(options, attempts[k], k + 1 < attempts.size() ? &attempts[k + 1] : nullptr)) break;
    }
    result_.preconditioner_s = phases.total() - before;
  }
  /// Whether this attempt was the last one needed: it is given up for `next` only, if that is not null.
  bool try_to_solve(solver::CgOptions options, const Attempt& attempt, const Attempt* next) {
    measure::Phases& phases = result_.phases;
    const double before = phases.total(), start = measure::now();
    if (next)
      options.gives_up = [&, tolerance = options.tolerance](const std::vector<double>& residuals) {
        return is_hopeless(attempt, residuals, tolerance, next->total());
      };
    try {
      set_preconditioner();
      next ? solve(options) : solve_or_fall_back(options);
    } catch (const ResultError& error) {
      result_.breakdown = error.what();
    }
    if (!next || !(result_.cg ? is_given_up(options) : !result_.breakdown.empty())) return true;
    const double seconds = measure::now() - start;
    phases.add("given up", seconds - (phases.total() - before));
    result_.given_up.push_back({attempt.preconditioner, result_.cg ? result_.cg->iterations : 0,
                                result_.cg ? result_.cg->relative_residual : 1, result_.breakdown, seconds});
    preconditioner_.reset();
    result_.cg.reset();
    forget_preconditioner();
    return false;
  }
  /// Whether a solve ended before its time, by options.gives_up or since it diverged.
  bool is_given_up(const solver::CgOptions& options) const {
    return options.gives_up && !result_.cg->converged() && result_.cg->iterations < options.max_iterations;
  }
  /// What belongs to a preconditioner that another replaces.
  void forget_preconditioner() {
    result_.breakdown.clear();
    result_.levels.clear();
    result_.level_s.clear();
    result_.smoother_degree = 0;
    result_.factors = 0;
    result_.lowest.reset();
    result_.hierarchy.reset();
  }
  /// Single precision can make a definite operator of condition 10^8 indefinite.
  void solve_or_fall_back(const solver::CgOptions& options) {
    solve(options);
    if constexpr (std::is_same_v<Real, double>) {
      if (result_.breakdown.empty() || !(o_.p_multigrid() || o_.lor_amg())) return;
      const std::string breakdown = result_.breakdown;
      preconditioner_.reset();
      measure::Phases& phases = result_.phases;
      const double before = phases.total();
      try {
        preconditioner_ = make_fallback(o_, case_.discretisation, phases);
      } catch (const ResultError&) {
        return;  // the first breakdown says more
      }
      result_.preconditioner_s += phases.total() - before;
      forget_preconditioner();
      result_.hierarchy = preconditioner_->hierarchy();
      solve(options);
      if (!result_.breakdown.empty()) return;
      result_.single_breakdown = breakdown;
      result_.fallback = result_.hierarchy ? "lor-amg in double precision" : "jacobi";
    }
  }
  void solve(const solver::CgOptions& options) {
    if (o_.cg != Cg::classic) {
      if (const auto* const m = preconditioner_->template as<solver::Identity>()) return solve_on_device(*m, options);
      if (const auto* const m = preconditioner_->template as<solver::Jacobi<Real>>())
        return solve_on_device(*m, options);
    }
    const bool stores_z = o_.preconditioner != Preconditioner::none && !preconditioner_->in_single_precision();
    solve_by(options, solver::CgWorkspace<Real>(case_.rhs.extent(0), stores_z),
             [&](auto&... all) { return solver::cg<Real>(instance_, *op_, *preconditioner_, all...); });
  }
  template <class M>
  void solve_on_device(const M& m, const solver::CgOptions& options) {
    solve_by(options, solver::DeviceCgWorkspace<Real>(case_.rhs.extent(0)), [&](auto&... all) {
      return o_.cg == Cg::pipelined ? solver::pipelined_cg<Real>(instance_, *op_, m, all...)
                                    : solver::fused_cg<Real>(instance_, *op_, m, all...);
    });
  }
  template <class Workspace, class Solve>
  void solve_by(const solver::CgOptions& options, Workspace work, const Solve& solve) {
    const Vector<Real> b = convert<Real>(case_.rhs), x = make_vector<Real>("x", case_.rhs.extent(0));
    const auto run = [&](const solver::CgOptions& o) { return solve(b, x, work, o); };
    double seconds = 0;
    try {
      const Region region("solve");
      seconds = measure::time_once([&] { result_.cg = run(options); }, o_.ranks);
    } catch (const ResultError& error) {
      result_.breakdown = error.what();
      return;
    }
    if (is_given_up(options)) return;
    if (o_.is_given() || o_.keeps_solution) keep_solution(convert<double>(x));
    if (o_.keeps_solution) keep_residual(b, x);
    if (!o_.is_given() && o_.rhs == Rhs::manufactured)
      result_.l2_error = relative_l2_error(case_.discretisation, convert<double>(x), {o_.boundary});
    result_.iteration = time_iterations(*result_.cg, seconds, run);
    if (const auto* const multigrid = preconditioner_->template as<multigrid::PMultigrid>())
      result_.level_s = multigrid->level_seconds(instance_, o_.repeat.times > 0 ? o_.repeat.times : 3);  // for shares
  }
  /// The solution with its prescribed values, and its error where the exact one is known.
  void keep_solution(const Vector<double>& x) {
    result_.solution = make_vector<double>("solution", x.extent(0));
    copy_entries(result_.solution, x);
    if (case_.prescribed.extent(0) > 0) streaming::axpby<double>(instance_, 1, case_.prescribed, 1, result_.solution);
    instance_.fence();
    if (case_.exact) result_.l2_error = relative_l2_error(case_.discretisation, result_.solution, *case_.exact);
    if (o_.user.exact) result_.h1_error = relative_h1_error(case_.discretisation, result_.solution, *o_.user.exact);
  }
  void keep_residual(const Vector<Real>& b, const Vector<Real>& x) {
    const Vector<Real> r = make_vector<Real>("r", x.extent(0));
    linalg::apply<Real>(instance_, *op_, x, r);
    streaming::axpby<Real>(instance_, 1, b, -1, r);
    instance_.fence();
    result_.residual = convert<double>(r);
  }
  template <class Run>
  measure::Sample time_iterations(const solver::CgResult& solved, double seconds, const Run& cg) {
    return measure::time_iterations(
        [&](int iterations) {
          cg({0, iterations, {}});
        },
        solved.iterations, seconds, runs_on_host ? 20 : 100, o_.repeat, o_.ranks);
  }

  void time_operator(const Vector<Real>& x) {
    const Vector<Real> y = make_vector<Real>("y", x.extent(0));
    result_.full = measure::time_and_energy([&] { linalg::apply<Real>(instance_, *op_, x, y); }, o_.repeat, o_.ranks);
    result_.bytes = o_.ranks.sum(op_->bytes());
  }

  /// The kernel without gather and scatter.
  void time_kernel(const Vector<Real>& x) {
    const Vector<const Index> nodes = op_->local_nodes();
    const Vector<Real> u = make_vector<Real>("u", nodes.extent(0)), v = make_vector<Real>("v", nodes.extent(0));
    streaming::scatter<Real>(instance_, nodes, x, u);
    const double elements = static_cast<double>(o_.elements());
    result_.kernel = measure::time_and_energy([&] { op_->apply_local(instance_, u, v); }, o_.repeat, o_.ranks);
    result_.cost = cost(o_.problem, o_.order, elements, sizeof(Real), o_.components);
    result_.scratch_bytes = static_cast<double>(op_->scratch_traffic()) * elements;
    result_.resources = op_->resources();
  }

  void count_memory() {
    // b once more where the right-hand side, which is in double precision, had to be converted
    const double words =
        num_vectors(o_.cg, o_.preconditioner) + !result_.fallback.empty() + (o_.precision == Precision::fp32 ? 1 : 0);
    const space::Space& space = case_.discretisation.space;
    result_.vectors = double(space.num_entries()) * (words * sizeof(Real) + sizeof(double));
    const auto stored = op_->memory();
    result_.arrays = {stored.factors, stored.indices + space.element_to_node.num_entries() * sizeof(Index),
                      stored.local_vectors};
    result_.vectors = o_.ranks.sum(result_.vectors);
    for (std::size_t* bytes : {&result_.arrays.factors, &result_.arrays.indices, &result_.arrays.local_vectors})
      *bytes = static_cast<std::size_t>(o_.ranks.sum(static_cast<std::int64_t>(*bytes)));
  }

  /// What limits the operator.
  void find_bound() {
    const auto [kernel, geometry] = result_.variant;
    const double elements = double(o_.elements());
    const Contraction contraction =
        kernel == Kernel::lines || kernel == Kernel::lanes ? Contraction::even_odd : Contraction::plain;
    result_.work.bytes = result_.bytes;
    // tensor cores multiply at a rate of their own
    if (kernel != Kernel::tiles)
      result_.work.multiplications =
          o_.components * multiplications(o_.problem, o_.order, geometry, contraction, elements);
    // rungs share accesses: a warp reads an entry of a matrix at once
    if (kernel == Kernel::lines)
      result_.work.scratch_bytes = o_.components * elements * static_cast<double>(op_->scratch_traffic());
    result_.limits = {case_.memory_rates.at(measured_bytes(o_, result_.variant)), case_.fma_rate / 2,
                      o_.ranks.sum(measure::scratch_bandwidth())};
  }

  Instance instance_;
  CaseSettings o_;  // with the preconditioner that is tried, where `automatic` is asked for
  const Case& case_;
  KernelResult result_;
  std::unique_ptr<ElementOperator<Real>> op_;
  solver::ChosenPreconditioner<Real> preconditioner_;
};

template <class Real>
KernelResult run_as(const CaseSettings& o, const Case& problem, const Variant& variant,
                    const std::function<void(int, double)>& progress) {
  return KernelRun<Real>(o, problem, variant).run({o.tolerance, o.max_iterations, progress});
}

/// The known problem on the mesh of a user's problem, solved.
std::optional<double> known_l2_error(CaseSettings o, const Variant& variant) {
  o.user = {};
  o.boundary = space::Boundary::dirichlet;
  o.rhs = Rhs::manufactured;
  o.verify_only = false;
  o.tries_computed = false;
  o.repeat.times = 1;
  return run_kernel(o, Case(o, {variant}), variant, {}).l2_error;
}

/// Errors: ResultError where the operator is wrong.
template <class Real>
Rival time_rival(const CaseSettings& o, const Variant& variant, const Discretisation& d, const Reference& reference) {
  const Region region(name(variant));
  measure::Phases phases;
  const auto op = phases.time("kernel", [&] { return make_operator<Real>(variant, d); });
  const Verification verification = verify(*op, reference, d);
  if (!verification.passed())
    throw ResultError(fmt::format("kernel {}, {}, order {}: error {:.1e} against the reference", name(variant),
                                  name(d.problem), d.order, verification.error));
  const Vector<Real> x = convert<Real>(random_vector(d.space, 3)), y = make_vector<Real>("y", x.extent(0));
  const Instance instance;
  return {variant, verification, measure::time([&] { op->apply(instance, x, y); }, o.repeat.times)};
}

}  // namespace

Case::Case(const CaseSettings& o, const std::vector<Variant>& variants)
    : CaseRoofs{measure_roof(o, variants),
                o.verify_only ? 0 : measure::fma_rate(o.precision, o.ranks),
                measure_memory(o, variants),
                {}},
      PreparedProblem(make_problem(o, phases)),
      reference(discretisation) {
  require(discretisation.space.num_dofs() > 0, "boundary", "",
          "no free node; accepted are finer meshes or higher orders");
}

KernelResult run_kernel(const CaseSettings& o, const Case& problem, const Variant& variant,
                        const std::function<void(int, double)>& progress) {
  KernelResult result = o.precision == Precision::fp32 ? run_as<float>(o, problem, variant, progress)
                                                       : run_as<double>(o, problem, variant, progress);
  if (o.verify_only && o.is_given() && result.verification.passed()) result.known_l2_error = known_l2_error(o, variant);
  return result;
}

Race race(const CaseSettings& o, const std::vector<Variant>& variants,
          const std::function<void(const Variant&)>& next) {
  measure::Phases phases;
  const Discretisation d = make_discretisation(o, phases);
  const Reference reference(d);
  Race result{d.space.num_dofs(), {}};
  for (const Variant& variant : variants) {
    if (next) next(variant);
    result.rivals.push_back(o.precision == Precision::fp32 ? time_rival<float>(o, variant, d, reference)
                                                           : time_rival<double>(o, variant, d, reference));
  }
  std::stable_sort(result.rivals.begin(), result.rivals.end(),
                   [](const Rival& a, const Rival& b) { return a.time.median < b.time.median; });
  return result;
}

}  // namespace miniapp::tensor
