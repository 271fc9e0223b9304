// SPDX-License-Identifier: BSD-3-Clause
// Solvers on a mesh in parts without common vertices, joined only by ghosts.
#include <set>

#include "miniapp/solver/fused_cg.hpp"
#include "support/meshes.hpp"
#include "support/solve.hpp"

using namespace miniapp;
using namespace miniapp::test;
using space::Boundary;
using tensor::Discretisation;
using tensor::Problem;

namespace {

/// The same mesh in `parts`, with elements distributed cyclically: each part has its own vertices.
mesh::Mesh take_apart(const mesh::Mesh& mesh, int parts) {
  mesh::Mesh apart = mesh;
  apart.vertices.clear();
  std::vector<std::vector<Index>> numbers(parts, std::vector<Index>(mesh.vertices.size(), -1));
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int v = 0; v < 8; ++v) {
      const Index vertex = mesh.element_to_vertex[e][v];
      Index& number = numbers[e % parts][vertex];
      if (number < 0) {
        number = static_cast<Index>(apart.vertices.size());
        apart.vertices.push_back(mesh.vertices[vertex]);
      }
      apart.element_to_vertex[e][v] = number;
    }
  return apart;
}

/// Of nodes with the same coordinates, the first owns the others.
void join(Discretisation& d) {
  const std::vector<mesh::Point> points = node_points(d.mesh, d.space);
  std::vector<Index> ghosts, owners;
  const auto near = [&](std::size_t a, std::size_t b) {
    double distance = 0;
    for (int i = 0; i < 3; ++i) distance = std::max(distance, std::fabs(points[a][i] - points[b][i]));
    return distance < 1e-10;
  };
  std::size_t owner = 0;
  bool first = true;
  for (const std::size_t node : sweep(points)) {
    if (!first && near(owner, node)) {
      ghosts.push_back(static_cast<Index>(node));
      owners.push_back(static_cast<Index>(owner));
    } else {
      owner = node;
    }
    first = false;
  }
  space::share(d.space, ghosts, owners);
}

struct Sorted {
  Values x;
  int iterations;
  double l2_error;
};

/// The solution at owners, by place.
Sorted solve_sorted(const Discretisation& d, bool fused) {
  const tensor::Reference reference(d);
  const tensor::Manufactured u{Boundary::neumann};
  const Vector<const double> b =
      reference.load(u, tensor::Manufactured::source(tensor::has_stiffness(d.problem), d.lambda));
  const Vector<double> x = make_vector<double>("x", b.extent(0));
  const auto op = tensor::make_operator<double>(tensor::fastest(d.problem, d.order), d);
  const solver::Jacobi<double> jacobi(reference.diagonal());
  const solver::CgOptions options{1e-12, 1000, {}};
  solver::CgWorkspace<double> work(b.extent(0), true);
  solver::DeviceCgWorkspace<double> fused_work(b.extent(0));
  const solver::CgResult cg = fused ? solver::fused_cg<double>(Instance(), *op, jacobi, b, x, fused_work, options)
                                    : solver::cg<double>(Instance(), *op, jacobi, b, x, work, options);
  CHECK(cg.verdict == solver::Verdict::converged);
  const std::set<Index> ghosts(d.space.ghosts.begin(), d.space.ghosts.end());
  const Values all = values(x);
  Sorted sorted{{}, cg.iterations, reference.relative_l2_error(x, u)};
  for (const std::size_t node : sweep(node_points(d.mesh, d.space)))
    if (!ghosts.contains(static_cast<Index>(node)))
      for (int c = 0; c < d.space.components; ++c)
        sorted.x.entries.push_back(all[d.space.entry(static_cast<Index>(node), c)]);
  return sorted;
}

}  // namespace

TEST_CASE("A mesh in parts joined by ghosts has the solution of the whole mesh, after as many iterations",
          "[solver][cg][exchange]") {
  const Problem problem = GENERATE(from_range(members<Problem>()));
  const int parts = GENERATE(2, 3), components = GENERATE(1, 2);
  const bool fused = GENERATE(false, true);
  const int order = tensor::built_orders().front();
  const mesh::Mesh whole = make_turned_box(3, 2, 4);
  const Discretisation one(whole, problem, order, Boundary::neumann, 1, components);
  Discretisation joined(take_apart(whole, parts), problem, order, Boundary::neumann, 1, components);
  join(joined);
  CAPTURE(tensor::name(problem), parts, components, fused);
  REQUIRE_FALSE(joined.space.ghosts.empty());
  CHECK(joined.space.num_dofs() == one.space.num_dofs());

  const Sorted expected = solve_sorted(one, fused), found = solve_sorted(joined, fused);

  CHECK_THAT(found.x, AllClose(expected.x, 1e-9 * largest(expected.x)));
  CHECK(std::abs(found.iterations - expected.iterations) <= 1);
  CHECK(found.l2_error == Approx(expected.l2_error).epsilon(1e-6));
}
