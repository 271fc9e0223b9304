// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/corner_acceleration.hpp"

#include "indirect/bind.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/corners.hpp"
#include "support/meshes.hpp"
#include "support/plane.hpp"
#include "support/riemann.hpp"
#include "support/vectors.hpp"

using indirect::Case;
using indirect::Strategy;
using mesh::CellKind;

namespace {

/// Quadrilaterals of different shapes, in random order.
mesh::Mesh make_quadrilaterals(int nx, int ny) {
  mesh::Mesh mesh = mesh::make_rectangle(CellKind::quadrilateral, nx, ny);
  mesh::perturb(mesh, 0.2, 1);
  return mesh::shuffle(mesh, 2);
}

/// Node masses, then node forces (node, 2).
std::vector<double> sums(const Case& data, Strategy strategy, Layout layout = Layout::aos) {
  const auto loop = indirect::bind(indirect::LoopKind::corner_acceleration, data, Precision::fp64, layout,
                                   indirect::make_plan(data.map, data.to_size, {strategy}));
  loop->run(Instance());
  return loop->result();
}

}  // namespace

TEST_CASE("Every strategy and layout sums corners like the straightforward loop", "[indirect][corner-acceleration]") {
  const Case data = indirect::make_case(indirect::LoopKind::corner_acceleration, make_quadrilaterals(23, 17));
  const std::size_t nodes = data.to_size;
  std::vector<double> expected(3 * nodes);
  for (std::size_t corner = 0; corner < data.map.entries.size(); ++corner) {
    const std::size_t node = data.map.entries[corner];
    expected[node] += data.values[0].values[corner];
    expected[nodes + 2 * node] += data.values[1].values[corner];
    expected[nodes + 2 * node + 1] += data.values[2].values[corner];
  }
  const Strategy strategy = GENERATE(Strategy::owner, Strategy::hierarchical, Strategy::atomic);
  const Layout layout = GENERATE(Layout::aos, Layout::soa);

  CHECK_THAT(values(sums(data, strategy, layout)), all_close<double>(values(expected), 4));
}

TEST_CASE("The case is the exact solution of Sod's tube on a deformed mesh", "[indirect][corner-acceleration]") {
  const int n = 60;
  mesh::Mesh mesh = mesh::make_rectangle(CellKind::quadrilateral, n, n);
  const Case data = indirect::make_case(indirect::LoopKind::corner_acceleration, mesh);
  using std::numbers::pi;
  for (mesh::Point& x : mesh.vertices) {
    const double wave = 0.05 * std::sin(pi * x[0]) * std::sin(pi * x[1]);
    x = {x[0] + wave, x[1] + wave, 0};
  }

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Four x, b;
    double centre = 0, mass = 0;
    for (int k = 0; k < 4; ++k) {
      const mesh::Point& corner = mesh.vertices[mesh.element_to_vertex[e][k]];
      x[k][0] = corner[0];
      x[k][1] = corner[1];
      centre += corner[0] / 4;
      mass += data.values[0].values[4 * e + k];
    }
    corner_normals(x, b);
    const Gas exact = exact_gas({1, 0, 1}, {0.125, 0, 0.1}, (centre - 0.5) / 0.2);
    CHECK(mass == Approx(exact.rho * area(mesh, e)).epsilon(1e-4));
    for (int k = 0; k < 4; ++k) {
      CHECK(data.values[0].values[4 * e + k] == Approx(exact.rho * median_area(x, k)).epsilon(1e-4));
      CHECK(data.values[1].values[4 * e + k] == Approx(exact.p * b[k][0]).epsilon(1e-4));
      CHECK(data.values[2].values[4 * e + k] == Approx(exact.p * b[k][1]).epsilon(1e-4));
    }
  }
}

TEST_CASE("Constant pressure has no forces on inner nodes, and total mass and momentum are conserved",
          "[indirect][corner-acceleration]") {
  const mesh::Mesh mesh = make_quadrilaterals(13, 19);
  Case data = indirect::make_case(indirect::LoopKind::corner_acceleration, mesh);
  for (int k = 0; k < 3; ++k) data.values[k].values.clear();
  const double p = 1.7, rho = 0.6;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Four x, b;
    for (int k = 0; k < 4; ++k)
      for (int d = 0; d < 2; ++d) x[k][d] = mesh.vertices[mesh.element_to_vertex[e][k]][d];
    corner_normals(x, b);
    for (int k = 0; k < 4; ++k) {
      data.values[0].values.push_back(rho * median_area(x, k));
      data.values[1].values.push_back(p * b[k][0]);
      data.values[2].values.push_back(p * b[k][1]);
    }
  }

  const std::vector<double> result = sums(data, GENERATE(Strategy::owner, Strategy::hierarchical));

  double mass = 0, sum[2] = {};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    mass += result[v];
    const mesh::Point& x = mesh.vertices[v];
    for (int d = 0; d < 2; ++d) {
      const double force = result[mesh.vertices.size() + 2 * v + d];
      sum[d] += force;
      if (x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1) CHECK(force == close<double>(0, 4, p / 13));
    }
  }
  CHECK(mass == close<double>(rho * area(mesh), mesh.num_elements()));
  for (const double s : sum) CHECK(s == close<double>(0, mesh.num_elements(), p));
}

TEST_CASE("Sums over elements other than quadrilaterals are bad input", "[indirect][corner-acceleration]") {
  CHECK_THROWS_WITH(
      indirect::make_case(indirect::LoopKind::corner_acceleration, mesh::make_rectangle(CellKind::triangle, 2, 2)),
      contains("loop corner-acceleration"));
}
