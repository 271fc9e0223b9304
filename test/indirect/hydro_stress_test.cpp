// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/hydro_stress.hpp"

#include "indirect/bind.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/meshes.hpp"
#include "support/sedov.hpp"
#include "support/vectors.hpp"

using indirect::Case;
using indirect::Strategy;

namespace {

using Eight = double[8][3];

/// A case with the given stresses and coordinates.
Case make_case(const mesh::Mesh& mesh, const std::vector<double>& sigma) {
  Case::Values x{Case::targets, 3, {}};
  for (const mesh::Point& p : mesh.vertices) x.values.insert(x.values.end(), p.begin(), p.end());
  return {mesh.element_to_vertex, mesh.vertices.size(), {}, {{Case::elements, 3, sigma}, x}};
}

std::vector<double> forces(const Case& data, Strategy strategy, Layout layout = Layout::aos) {
  indirect::PlanArrays plan = indirect::make_plan(data.map, data.to_size, {strategy});
  const auto loop = indirect::bind(indirect::LoopKind::hydro_stress, data, Precision::fp64, layout, std::move(plan));
  loop->run(Instance());
  return loop->result();
}

/// Forces by quadrature: -sigma times the integral of grad N_v of the trilinear element, which is cubic.
void integrate(const mesh::Mesh& mesh, std::size_t element, const double* sigma, Eight& f) {
  const mesh::Trilinear coefficients = mesh::trilinear(mesh, element);
  const basis::Rule rule = basis::gauss(2);
  for (auto& force : f) force[0] = force[1] = force[2] = 0;
  for (int q = 0; q < 8; ++q) {
    const double at[3] = {rule.points[q & 1], rule.points[q >> 1 & 1], rule.points[q >> 2]};
    double J[3][3], dual[3][3];  // det J grad r_a: the weights are 1
    geometry::tangents<double>(coefficients[0].data(), at[0], at[1], at[2], J);
    for (int a = 0; a < 3; ++a) geometry::cross(J[(a + 1) % 3], J[(a + 2) % 3], dual[a]);
    for (int v = 0; v < 8; ++v) {
      for (int a = 0; a < 3; ++a) {
        double slope = 1. / 8;
        for (int b = 0; b < 3; ++b) {
          const double sign = v >> b & 1 ? 1 : -1;
          slope *= a == b ? sign : 1 + sign * at[b];
        }
        for (int d = 0; d < 3; ++d) f[v][d] -= sigma[d] * slope * dual[a][d];
      }
    }
  }
}

void forces_of(const mesh::Mesh& mesh, std::size_t element, const double (&sigma)[3], Eight& f) {
  Eight x;
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d) x[v][d] = mesh.vertices[mesh.element_to_vertex[element][v]][d];
  indirect::loops::HydroStress{}(sigma, x, f);
}

/// x -> A x: boxes become parallelepipeds.
void skew(mesh::Mesh& mesh) {
  for (mesh::Point& x : mesh.vertices)
    x = {1.1 * x[0] + 0.3 * x[1] - 0.2 * x[2], 0.9 * x[1] + 0.4 * x[2], 0.1 * x[0] + 0.2 * x[1] + 1.3 * x[2]};
}

}  // namespace

TEST_CASE("Every strategy and layout sums the forces of the blast like the serial loop", "[indirect][hydro-stress]") {
  const bool along_lines = GENERATE(true, false);  // where they are, a GPU's threads add what neighbours share
  mesh::Mesh mesh = mesh::make_box(11, 7, 9);
  if (!along_lines) {
    mesh = mesh::shuffle(mesh, 1);
    mesh::rotate_elements(mesh, 2);
  }
  const Case data = indirect::make_case(indirect::LoopKind::hydro_stress, mesh);
  const Values serial = values(forces(data, Strategy::serial));

  const Strategy strategy = GENERATE(Strategy::owner, Strategy::hierarchical, Strategy::atomic);
  const Layout layout = GENERATE(Layout::aos, Layout::soa);

  CHECK(largest(serial) > 1e-3);
  CHECK_THAT(values(forces(data, strategy, layout)), all_close<double>(serial, 8));
}

TEST_CASE(
    "The blast's mesh is moved but not turned inside out, as the similarity solution has it, and so is its pressure",
    "[indirect][hydro-stress]") {
  mesh::Mesh mesh = mesh::make_box(9, 9, 9);
  const Case data = indirect::make_case(indirect::LoopKind::hydro_stress, mesh);
  const auto radius = [](const mesh::Point& x) { return std::hypot(x[0], x[1], x[2]) / 0.6; };
  std::vector<double> before;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    before.push_back(radius(mesh.vertices[v]));
    for (int d = 0; d < 3; ++d) mesh.vertices[v][d] = data.values[1].values[3 * v + d];
  }
  CHECK(geometry::find_inverted(geometry::make_trilinear(mesh), basis::gauss(3)) == -1);

  const Sedov exact(1.4);
  const auto mass_within = [&](double xi) {  // of the sphere that the shock has swept
    double mass = 1;
    for (std::size_t i = 1; exact.profile[i].xi > xi; ++i)
      mass -= 6 * exact.profile[i].density * (std::pow(exact.profile[i - 1].xi, 3) - std::pow(exact.profile[i].xi, 3));
    return mass;
  };
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double r = radius(mesh.vertices[v]);
    if (before[v] >= 1) CHECK(r == close<double>(before[v], 1));
    if (before[v] == 0 || before[v] >= 1) continue;
    CHECK(std::cbrt(mass_within(r - 0.05)) < before[v]);
    CHECK((r + 0.05 > 1 || std::cbrt(mass_within(r + 0.05)) > before[v]));
  }
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    mesh::Point centre{};
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d) centre[d] += mesh.vertices[mesh.element_to_vertex[e][v]][d] / 8;
    const double r = radius(centre);
    std::size_t i = 0;
    while (exact.profile[i].xi > r) ++i;
    CHECK(std::fabs(-data.values[0].values[3 * e] - (r < 1 ? exact.profile[i].pressure : 0.001)) < 0.02);
  }
}

TEST_CASE("On parallelepipeds the forces are the integrals of the stress's virtual work, and of the volume's change",
          "[indirect][hydro-stress]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  mesh::rotate_elements(mesh, GENERATE(1u, 2u, 3u));
  skew(mesh);
  const double sigma[3] = {-1.7, 0.4, 2.3};

  Eight f, exact;
  forces_of(mesh, 0, sigma, f);
  integrate(mesh, 0, sigma, exact);

  CHECK_THAT((Values{{f[0], f[0] + 24}}), all_close<double>(Values{{exact[0], exact[0] + 24}}, 64));
}

TEST_CASE("On a warped element a face differs from the exact integral by a third of its warp's moments",
          "[indirect][hydro-stress]") {
  const mesh::Mesh mesh = make_turned_box(1, 1, 1, GENERATE(1u, 2u));
  const double sigma[3] = {-1.7, 0.4, 2.3};
  const mesh::Trilinear c = mesh::trilinear(mesh, 0);

  Eight f, exact;
  forces_of(mesh, 0, sigma, f);
  integrate(mesh, 0, sigma, exact);
  // The face x = c_0 + c_u u + c_v v + c_w u v has the area vector (c_u + c_w v) x (c_v + c_w u), whose moments with
  // N = (1 +- u) (1 +- v) / 4 are c_u x c_v (a quarter of the area, kept) +- c_u x c_w / 3 +- c_w x c_v / 3 (left out).
  for (int a = 0; a < 3; ++a) {
    const int u = 1 << (a + 1) % 3, v = 1 << (a + 2) % 3, n = 1 << a;
    for (int corner = 0; corner < 8; ++corner) {
      const double side = corner & n ? 1 : -1, su = corner & u ? 1 : -1, sv = corner & v ? 1 : -1;
      double cu[3], cv[3], cw[3], m1[3], m2[3];
      for (int d = 0; d < 3; ++d) {
        cu[d] = c[u][d] + side * c[u + n][d];
        cv[d] = c[v][d] + side * c[v + n][d];
        cw[d] = c[u + v][d] + side * c[7][d];
      }
      geometry::cross(cu, cw, m1);
      geometry::cross(cw, cv, m2);
      for (int d = 0; d < 3; ++d) f[corner][d] -= sigma[d] * side * (su * m1[d] + sv * m2[d]) / 3;
    }
  }

  CHECK_THAT((Values{{f[0], f[0] + 24}}), all_close<double>(Values{{exact[0], exact[0] + 24}}, 64));
}

TEST_CASE("A constant stress has no forces on inner nodes of any mesh, and any stress conserves momentum",
          "[indirect][hydro-stress]") {
  const mesh::Mesh mesh = mesh::shuffle(make_turned_box(5, 4, 6), 3);
  std::vector<double> constant;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) constant.insert(constant.end(), {-1.7, 0.4, 2.3});
  std::vector<int> elements(mesh.vertices.size());
  for (const Index v : mesh.element_to_vertex.entries) ++elements[v];
  const Strategy strategy = GENERATE(Strategy::owner, Strategy::hierarchical);

  const std::vector<double> calm = forces(make_case(mesh, constant), strategy);
  const std::vector<double> any = forces(make_case(mesh, random_numbers(constant.size(), 5)), strategy);

  double sum[3] = {}, magnitude = 0;
  for (std::size_t i = 0; i < calm.size(); ++i) {
    if (elements[i / 3] == 8) CHECK(calm[i] == close<double>(0, 24, 2.3));
    sum[i % 3] += any[i];
    magnitude += std::fabs(any[i]);
  }
  for (const double s : sum) CHECK(s == close<double>(0, 1, magnitude / 8));
}

TEST_CASE("Under pressure the forces do the work p dV: of linear velocities in a box, of dilation in any element",
          "[indirect][hydro-stress]") {
  mesh::Mesh mesh = mesh::make_box(5, 4, 6);
  mesh::perturb(mesh, 0.2, 1);
  skew(mesh);
  const double p = 1.3, gradient[3][3] = {{0.7, -0.4, 0.2}, {0.5, 0.3, 1.1}, {-0.6, 0.8, -1.5}};

  const std::vector<double> f =
      forces(make_case(mesh, std::vector<double>(3 * mesh.num_elements(), -p)), Strategy::owner);

  double work = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) work += f[3 * v + i] * gradient[i][j] * mesh.vertices[v][j];
  const double divergence = gradient[0][0] + gradient[1][1] + gradient[2][2];
  CHECK(work == close<double>(p * divergence * volume(mesh), 8 * mesh.num_elements()));

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Eight one;
    forces_of(mesh, e, {-p, -p, -p}, one);
    double dilation = 0;
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d) dilation += one[v][d] * mesh.vertices[mesh.element_to_vertex[e][v]][d];
    CHECK(dilation == close<double>(3 * p * volume(mesh, e), 24, 1));
  }
}

TEST_CASE("Stress on elements other than hexahedra is bad input", "[indirect][hydro-stress]") {
  CHECK_THROWS_WITH(
      indirect::make_case(indirect::LoopKind::hydro_stress, mesh::make_rectangle(mesh::CellKind::quadrilateral, 2, 2)),
      contains("loop hydro-stress"));
}
