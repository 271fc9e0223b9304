// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/cantilever.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/agree.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/elasticity/end_face.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/solver/block_jacobi.hpp"
#include "miniapp/solver/distributed_amg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::elasticity {
namespace {

/// Rounding tolerance for points in a plane [m].
double near(const Cantilever& beam) { return 1e-10 * beam.length; }

std::vector<double> integrate_tip(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space,
                                  const EndFunction& f) {
  return integrate_end(mesh, space, beam.length, near(beam), f);
}

/// The two terms of Timoshenko's theory [m].
double bending(const Cantilever& beam) {
  const double inertia = beam.width * std::pow(beam.height, 3) / 12;
  return beam.force * std::pow(beam.length, 3) / (3 * beam.young * inertia);
}
double shear(const Cantilever& beam) {
  const double nu = beam.poisson, kappa = 10 * (1 + nu) / (12 + 11 * nu), modulus = beam.young / (2 * (1 + nu));
  return beam.force * beam.length / (kappa * modulus * beam.width * beam.height);
}

}  // namespace

void check(const Cantilever& beam) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  require(positive(beam.length) && positive(beam.width) && positive(beam.height),
          "a beam of " + std::to_string(beam.length) + " x " + std::to_string(beam.width) + " x " +
              std::to_string(beam.height) + " m: accepted are positive sizes");
  require(std::isfinite(beam.force) && beam.force != 0,
          "a force of " + std::to_string(beam.force) + " N: accepted are numbers but zero");
  make_lame(beam.young, beam.poisson);
  basis::require_prism_order(beam.order);
}

mesh::Mesh make_mesh(const Cantilever& beam, const Communicator& ranks, graph::Partition partition) {
  check(beam);
  const std::array<int, 3> cells{beam.nx, beam.ny, beam.nz};
  mesh::Mesh mesh;
  agree(ranks, [&] {
    mesh = ranks.is_alone() ? mesh::make_prism_box(beam.nx, beam.ny, beam.nz)
                            : mesh::make_prism_box_part(
                                  cells, graph::part_of_box(cells, partition, ranks.rank(), ranks.size()), ranks);
  });
  mesh::deform(mesh, beam.deform);
  for (mesh::Point& x : mesh.vertices) x = {x[0] * beam.length, (x[1] - 0.5) * beam.width, (x[2] - 0.5) * beam.height};
  return mesh;
}

space::Space make_space(const Cantilever& beam, const mesh::Mesh& mesh) {
  space::Space space = space::make_space(mesh, beam.order, 3, space::Boundary::neumann, Layout::aos);
  std::vector<char> held;
  for (const mesh::Point& x : node_points(mesh, space)) held.push_back(std::fabs(x[0]) <= near(beam));
  space::hold(space, held);
  return space;
}

std::vector<double> make_load(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space) {
  const auto traction = [&](double, double z) {
    return 1.5 * beam.force / (beam.width * beam.height) * (1 - std::pow(2 * z / beam.height, 2));
  };
  const std::vector<double> forces = integrate_tip(beam, mesh, space, traction);
  std::vector<double> load(space.num_entries(), 0);
  for (Index node = 0; node < space.num_nodes; ++node) load[space.entry(node, 2)] = forces[node];
  // Integrals that should be zero at constrained nodes are zero only up to rounding: a residual of 1e-17 N at a
  // constrained node, which no step of CG changes, would let CG diverge.
  for (const Index node : space.masked) load[space.entry(node, 2)] = 0;
  return space::sum_over_ranks(space, load);
}

double tip_deflection(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space,
                      const std::vector<double>& u) {
  const double area = beam.width * beam.height;
  const std::vector<double> weights = integrate_tip(beam, mesh, space, [&](double, double) { return 1 / area; });
  double mean = 0;
  for (Index node = 0; node < space.num_nodes; ++node) mean += weights[node] * u[space.entry(node, 2)];
  return mesh.part.ranks.sum(mean);
}

double beam_deflection(const Cantilever& beam) { return bending(beam) + shear(beam); }

std::optional<double> beam_tolerance(const Cantilever& beam) {
  if (beam.order < 2 || beam.poisson != 0 || beam.deform != 0 || beam.length > 50 * beam.height) return {};
  const double cell = beam.length / beam.nx, sure = shear(beam) / 6,
               measured = shear(beam) / 30 * std::max(beam.height, cell) / beam.length;
  const double less = beam.order == 2 ? sure + bending(beam) / (4. * beam.nx * beam.nx) : std::min(sure, measured);
  return less / beam_deflection(beam);
}

template <class Real>
solver::ChosenPreconditioner<Real> make_preconditioner(ElasticPreconditioner kind, const mesh::Mesh& mesh,
                                                       const linalg::BlockMatrix<Real>& matrix, Precision cycles) {
  using solver::make_any;
  if (kind == ElasticPreconditioner::jacobi) return make_any<Real, solver::Jacobi<Real>>(matrix.diagonal());
  if (kind == ElasticPreconditioner::block_jacobi)
    return make_any<Real, solver::BlockJacobi<Real>>(matrix.diagonal_blocks());
  return make_any<Real, solver::DistributedAmg>(matrix.to_csr(), matrix.space(), elastic_amg_options(),
                                                make_rigid_modes(mesh, matrix.space()), cycles);
}
template solver::ChosenPreconditioner<double> make_preconditioner(ElasticPreconditioner, const mesh::Mesh&,
                                                                  const linalg::BlockMatrix<double>&, Precision);
template solver::ChosenPreconditioner<float> make_preconditioner(ElasticPreconditioner, const mesh::Mesh&,
                                                                 const linalg::BlockMatrix<float>&, Precision);

template <class Real>
solver::CgResult solve(const Instance& instance, const linalg::BlockMatrix<Real>& matrix,
                       const solver::AnyPreconditioner<Real>& preconditioner, const Vector<const Real>& load,
                       const Vector<Real>& u, const solver::CgOptions& options) {
  solver::CgWorkspace<Real> work(load.extent(0), true);
  return solver::cg<Real>(instance, matrix, preconditioner, load, u, work, options);
}
template solver::CgResult solve(const Instance&, const linalg::BlockMatrix<double>&,
                                const solver::AnyPreconditioner<double>&, const Vector<const double>&,
                                const Vector<double>&, const solver::CgOptions&);
template solver::CgResult solve(const Instance&, const linalg::BlockMatrix<float>&,
                                const solver::AnyPreconditioner<float>&, const Vector<const float>&,
                                const Vector<float>&, const solver::CgOptions&);

}  // namespace miniapp::elasticity
