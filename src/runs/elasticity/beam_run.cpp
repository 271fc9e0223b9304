// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/beam_run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "miniapp/core/error.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "runs/iterations.hpp"

namespace miniapp::elasticity {
namespace {

/// The tolerance is beam_tolerance(), for double-precision solutions that CG converged to 1e-10 or less.
Comparison compare(const BeamSettings& o, const BeamResult& s) {
  Comparison comparison;
  comparison.expected = beam_deflection(s.beam);
  comparison.error = std::fabs(s.deflection / comparison.expected - 1);
  if (o.precision == Precision::fp64 && o.cg.tolerance <= 1e-10 && s.cg->verdict == solver::Verdict::converged)
    comparison.tolerance = beam_tolerance(s.beam);
  return comparison;
}

/// Times y = A x and an iteration of CG, whose solution took `solved` [s], of all ranks at once.
template <class Real>
void time_solver(const Instance& instance, const BeamSettings& o, const linalg::BlockMatrix<Real>& matrix,
                 const solver::AnyPreconditioner<Real>& preconditioner, const Vector<const Real>& b,
                 const Vector<Real>& u, double solved, BeamResult& s) {
  const Vector<Real> y = make_vector<Real>("y", b.extent(0));
  s.apply = measure::time_and_energy([&] { linalg::apply<Real>(instance, matrix, u, y); }, o.repeat, o.ranks);
  const auto iterate = [&](int iterations) {
    solve<Real>(instance, matrix, preconditioner, b, u, {0, iterations, {}});
  };
  s.iteration = measure::time_iterations(iterate, s.cg->iterations, solved, 20, o.repeat, o.ranks);
}

template <class Real>
void solve_system(const Instance& instance, const BeamSettings& o, const mesh::Mesh& mesh, const space::Space& space,
                  const linalg::BlockMatrix<Real>& matrix, BeamResult& s) {
  const std::vector<double> load = s.phases.time("load", [&] { return make_load(s.beam, mesh, space); });
  const Vector<Real> b = to_device<Real>("load", load), u = make_vector<Real>("u", load.size());
  solver::ChosenPreconditioner<Real> preconditioner;
  const bool is_multigrid = o.preconditioner == ElasticPreconditioner::amg;
  double solved = 0;
  const auto solve_with = [&](Precision cycles) {
    s.breakdown.clear();
    preconditioner.reset();
    try {
      preconditioner = s.phases.time(is_multigrid ? "amg" : "CG",
                                     [&] { return make_preconditioner(o.preconditioner, mesh, matrix, cycles); });
      s.hierarchy = preconditioner->hierarchy();
      solved = s.phases.time("CG", [&] {
        return measure::time_once([&] { s.cg = solve<Real>(instance, matrix, *preconditioner, b, u, o.cg); }, o.ranks);
      });
    } catch (const ResultError& error) {
      s.breakdown = error.what();
    }
    return s.breakdown.empty();
  };
  if (!solve_with(Precision::fp32)) {
    if (!is_multigrid || o.precision == Precision::fp32 || !o.ranks.is_alone()) return;
    s.single_breakdown = s.breakdown;
    if (!solve_with(Precision::fp64)) return;
  }
  const auto host = to_host(convert<double>(u));
  s.deflection = tip_deflection(s.beam, mesh, space, {host.data(), host.data() + host.extent(0)});
  s.theory = compare(o, s);
  time_solver<Real>(instance, o, matrix, *preconditioner, b, u, solved, s);
}

template <class Real>
BeamResult run(const BeamSettings& o, int order, Method method) {
  const Instance instance;
  BeamResult s;
  s.method = method;
  s.beam = o.beam;
  s.beam.order = order;
  const mesh::Mesh mesh = s.phases.time("mesh", [&] { return make_mesh(s.beam, o.ranks, o.partition); });
  const auto space = s.phases.time("numbering", [&] { return make_space(s.beam, mesh); });
  s.matrix_tolerance = tolerance<Real>(basis::number_of_points(order), 1);
  s.elements = o.ranks.sum(static_cast<std::int64_t>(mesh.num_elements()));
  s.dofs = space.num_dofs();
  const auto pattern = s.phases.time("pattern", [&] {
    return std::make_unique<Csr<>>(linalg::make_block_pattern(space.element_to_node.host(), space.num_nodes));
  });
  s.blocks = o.ranks.sum(std::int64_t(pattern->offsets.back()));
  linalg::BlockMatrix<Real> matrix =
      s.phases.time("pattern", [&] { return linalg::BlockMatrix<Real>(space, *pattern); });
  s.model_bytes = o.ranks.sum(matrix.bytes());
  if (!o.verify_only) s.roof = measure::memory_roof(matrix.bytes(), o.ranks);
  {
    auto batches = s.phases.time(
        "allocation", [&] { return ElementBatches<Real>(make_prisms(mesh, o.young, o.poisson), order, {method}); });
    s.matrix_error = o.ranks.of_all(Reduction::max, assemble(instance, batches, matrix, s.phases));
  }
  if (!s.matrices_right()) return s;  // on all ranks, while the phases of one that found it differ from the others'
  s.of_ranks = space::compare_ranks(space, mesh.num_elements(), static_cast<int>(sizeof(Real)), s.phases);
  if (!o.verify_only) solve_system(instance, o, mesh, space, matrix, s);
  return s;
}

}  // namespace

BeamResult run_beam(const BeamSettings& o, int order, Method method) {
  const Region region(name(method));
  return o.precision == Precision::fp64 ? run<double>(o, order, method) : run<float>(o, order, method);
}

}  // namespace miniapp::elasticity
