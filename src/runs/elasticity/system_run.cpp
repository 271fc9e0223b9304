// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/system_run.hpp"

#include <memory>

#include "miniapp/core/error.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "runs/iterations.hpp"

namespace miniapp::elasticity {
namespace {

/// Times y = A x and an iteration of CG, whose solution took `solved` [s], of all ranks at once.
template <class Real>
void time_solver(const Instance& instance, const SolveSettings& o, const linalg::BlockMatrix<Real>& matrix,
                 const solver::AnyPreconditioner<Real>& preconditioner, const Vector<const Real>& b,
                 const Vector<Real>& u, double solved, SystemResult& s) {
  const Vector<Real> y = make_vector<Real>("y", b.extent(0));
  s.apply = measure::time_and_energy([&] { linalg::apply<Real>(instance, matrix, u, y); }, o.repeat, o.ranks);
  const auto iterate = [&](int iterations) {
    solve<Real>(instance, matrix, preconditioner, b, u, {0, iterations, {}});
  };
  s.iteration = measure::time_iterations(iterate, s.cg->iterations, solved, 20, o.repeat, o.ranks);
}

}  // namespace

template <class Real>
linalg::BlockMatrix<Real> assemble_system(const Instance& instance, const SolveSettings& o, const Prisms& prisms,
                                          const space::Space& space, SystemResult& s) {
  s.matrix_tolerance = tolerance<Real>(basis::number_of_points(space.order), 1);
  s.elements = o.ranks.sum(static_cast<std::int64_t>(prisms.size()));
  const auto pattern = s.phases.time("pattern", [&] {
    return std::make_unique<Csr<>>(linalg::make_block_pattern(space.element_to_node.host(), space.num_nodes));
  });
  s.blocks = o.ranks.sum(std::int64_t(pattern->offsets.back()));
  linalg::BlockMatrix<Real> matrix =
      s.phases.time("pattern", [&] { return linalg::BlockMatrix<Real>(space, *pattern); });
  s.model_bytes = o.ranks.sum(matrix.bytes());
  if (!o.verify_only) s.roof = measure::memory_roof(matrix.bytes(), o.ranks);
  auto batches = s.phases.time("allocation", [&] { return ElementBatches<Real>(prisms, space.order, {s.method}); });
  s.matrix_error = o.ranks.of_all(Reduction::max, assemble(instance, batches, matrix, s.phases));
  return matrix;
}

template <class Real>
void solve_system(const Instance& instance, const SolveSettings& o, const mesh::Mesh& mesh,
                  const linalg::BlockMatrix<Real>& matrix, const std::vector<double>& load,
                  const std::function<void(const std::vector<double>& u)>& use, SystemResult& s) {
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
    if (!is_multigrid || o.precision == Precision::fp32) return;
    s.single_breakdown = s.breakdown;
    if (!solve_with(Precision::fp64)) return;
  }
  const auto host = to_host(convert<double>(u));
  use({host.data(), host.data() + host.extent(0)});
  time_solver<Real>(instance, o, matrix, *preconditioner, b, u, solved, s);
}

#define MINIAPP_INSTANTIATE(Real)                                                                          \
  template linalg::BlockMatrix<Real> assemble_system(const Instance&, const SolveSettings&, const Prisms&, \
                                                     const space::Space&, SystemResult&);                  \
  template void solve_system(const Instance&, const SolveSettings&, const mesh::Mesh&,                     \
                             const linalg::BlockMatrix<Real>&, const std::vector<double>&,                 \
                             const std::function<void(const std::vector<double>&)>&, SystemResult&);
MINIAPP_INSTANTIATE(double)
MINIAPP_INSTANTIATE(float)
#undef MINIAPP_INSTANTIATE

}  // namespace miniapp::elasticity
