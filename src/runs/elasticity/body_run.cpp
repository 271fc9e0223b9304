// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/body_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "miniapp/core/error.hpp"
#include "miniapp/core/region.hpp"

namespace miniapp::elasticity {
namespace {

/// Sets the largest displacement of all ranks and where it is: of several places up to rounding the one with the
/// largest x, then y, then z.
void find_largest(const std::vector<mesh::Point>& points, const std::vector<double>& u, const Communicator& ranks,
                  BodyResult& s) {
  std::vector<double> sizes;
  double extent = 0;  // of coordinates, which differ by rounding between elements
  for (const mesh::Point& x : points) extent = std::max({extent, std::fabs(x[0]), std::fabs(x[1]), std::fabs(x[2])});
  for (std::size_t node = 0; node < points.size(); ++node)
    sizes.push_back(std::hypot(u[3 * node], u[3 * node + 1], u[3 * node + 2]));
  s.displacement = ranks.of_all(Reduction::max, *std::max_element(sizes.begin(), sizes.end()));
  std::vector<mesh::Point> places;
  for (std::size_t node = 0; node < points.size(); ++node)
    if (sizes[node] >= (1 - 1e-9) * s.displacement) places.push_back(points[node]);
  for (int d = 0; d < 3; ++d) {
    double most = -std::numeric_limits<double>::infinity();
    for (const mesh::Point& x : places) most = std::max(most, x[d]);
    s.place[d] = ranks.of_all(Reduction::max, most);
    std::erase_if(places, [&](const mesh::Point& x) { return x[d] < s.place[d] - 1e-9 * extent; });
  }
}

/// What follows of u.
void evaluate(const PreparedBody& body, const mesh::Mesh& mesh, const std::vector<double>& u, BodyResult& s) {
  const Communicator& ranks = mesh.part.ranks;
  BodyFields& fields = s.fields;
  fields = {body.space, u, internal_forces(body, u), std::vector<double>(u.size(), 0), von_mises(body, u)};
  double all = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double missing = body.force[i] - fields.residual[i];
    fields.residual[i] = body.held[i] ? 0 : missing;
    fields.support[i] = body.held[i] ? -missing : 0;
  }
  const auto owns = [&](std::size_t i) { return body.space.owns(static_cast<Index>(i / 3)); };
  for (std::size_t i = 0; i < u.size(); ++i)
    if (owns(i)) all += std::fabs(body.force[i]);
  s.residual = space::norm(fields.residual, owns, ranks) / space::norm(body.load, owns, ranks);
  s.support = sum_of(body, fields.support, true);
  s.imbalance =
      std::hypot(s.loads[0] + s.support[0], s.loads[1] + s.support[1], s.loads[2] + s.support[2]) / ranks.sum(all);
  s.stress = ranks.of_all(Reduction::max, *std::max_element(fields.stress.begin(), fields.stress.end()));
  find_largest(node_points(mesh, body.space), u, ranks, s);
}

template <class Real>
BodyResult run(const SolveSettings& o, const Body& given, const mesh::Mesh& mesh, int order, Method method) {
  const Instance instance;
  BodyResult s;
  s.method = method;
  s.order = order;
  const PreparedBody body = s.phases.time("load", [&] { return prepare(given, mesh, order); });
  const auto owns = [&](std::size_t i) { return body.space.owns(static_cast<Index>(i / 3)); };
  require(o.verify_only || space::norm(body.load, owns, mesh.part.ranks) > 0,
          InputError("no load acts on what is free to move; accepted is a traction, pressure or gravity that does",
                     "traction"));
  s.loads = body.total;
  s.dofs = body.dofs;
  linalg::BlockMatrix<Real> matrix = assemble_system<Real>(instance, o, body.prisms, body.space, s);
  if (!s.matrices_right()) return s;
  matrix.hold(instance, body.held);
  s.errors = s.phases.time("verification", [&] { return verify(body, mesh, matrix); });
  s.of_ranks = space::compare_ranks(body.space, mesh.num_elements(), static_cast<int>(sizeof(Real)), s.phases);
  if (o.verify_only || !s.verified()) return s;
  const auto use = [&](const std::vector<double>& u) { evaluate(body, mesh, u, s); };
  solve_system<Real>(instance, o, mesh, matrix, body.load, use, s);
  return s;
}

}  // namespace

BodyResult run_body(const SolveSettings& o, const Body& body, const mesh::Mesh& mesh, int order, Method method) {
  const Region region(name(method));
  return o.precision == Precision::fp64 ? run<double>(o, body, mesh, order, method)
                                        : run<float>(o, body, mesh, order, method);
}

}  // namespace miniapp::elasticity
