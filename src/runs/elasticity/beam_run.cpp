// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/beam_run.hpp"

#include <cmath>

#include "miniapp/core/region.hpp"

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

template <class Real>
BeamResult run(const BeamSettings& o, int order, Method method) {
  const Instance instance;
  BeamResult s;
  s.method = method;
  s.beam = o.beam;
  s.beam.order = order;
  const mesh::Mesh mesh = s.phases.time("mesh", [&] { return make_mesh(s.beam, o.ranks, o.partition); });
  const auto space = s.phases.time("numbering", [&] { return make_space(s.beam, mesh); });
  s.dofs = space.num_dofs();
  const linalg::BlockMatrix<Real> matrix =
      assemble_system<Real>(instance, o, make_prisms(mesh, o.young, o.poisson), space, s);
  if (!s.matrices_right()) return s;  // on all ranks, while the phases of one that found it differ from the others'
  s.of_ranks = space::compare_ranks(space, mesh.num_elements(), static_cast<int>(sizeof(Real)), s.phases);
  if (o.verify_only) return s;
  const std::vector<double> load = s.phases.time("load", [&] { return make_load(s.beam, mesh, space); });
  const auto use = [&](const std::vector<double>& u) {
    s.deflection = tip_deflection(s.beam, mesh, space, u);
    s.theory = compare(o, s);
  };
  solve_system<Real>(instance, o, mesh, matrix, load, use, s);
  return s;
}

}  // namespace

BeamResult run_beam(const BeamSettings& o, int order, Method method) {
  const Region region(name(method));
  return o.precision == Precision::fp64 ? run<double>(o, order, method) : run<float>(o, order, method);
}

}  // namespace miniapp::elasticity
