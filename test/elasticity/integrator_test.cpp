// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/integrator.hpp"

#include "miniapp/geometry/prism.hpp"
#include "support/methods.hpp"
#include "support/vectors.hpp"

using namespace miniapp::elasticity;

namespace {

/// The matrices of a few deformed prisms of different materials.
template <class Real>
std::vector<Real> compute(Method method, int order, const Prisms& prisms) {
  const basis::PrismTables tables = basis::make_prism_tables(order);
  Input<Real> input{prisms.size(), to_device<Real>(prisms.vertices), {}, to_device<Real>(prisms.materials)};
  if (reads_jacobians(method)) input.jacobians = to_device<Real>(jacobians<double>(tables, prisms, 0, prisms.size()));
  const Plan plan = make_plan(order, this_device(), variant_of(method),
                              sizeof(Real) == 8 ? Precision::fp64 : Precision::fp32, prisms.size());
  const std::size_t entries = 9 * std::size_t(tables.num_functions) * tables.num_functions;
  const Vector<Real> matrices = make_vector<Real>("matrices", prisms.size() * entries);
  Kokkos::deep_copy(matrices, static_cast<Real>(NAN));
  make_integrator<Real>(method, order, plan)->run(Instance(), input, matrices);
  return to_std(matrices);
}

template <class Real>
void check_against_reference(Method method, int order) {
  const std::size_t elements = order < 5 ? 5 : 2;
  const Prisms prisms = make_prisms(elements, 0.2, 3, 0.3, true, 7);
  const basis::PrismTables tables = basis::make_prism_tables(order);
  const std::vector<Real> found = compute<Real>(method, order, prisms);
  double worst = 0;
  for (std::size_t e = 0; e < elements; ++e) {
    const std::vector<double> expected =
        reference_matrix(tables, &prisms.vertices[18 * e], {prisms.materials[2 * e], prisms.materials[2 * e + 1]});
    double scale = 0;
    for (const double value : expected) scale = std::max(scale, std::fabs(value));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double error =
          std::fabs(found[e * expected.size() + i] - expected[i]) / tolerance<Real>(tables.num_points, scale);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
  }
  INFO(name(method) << " of order " << order);
  CHECK(worst <= 1);
}

/// Displacements (node, component) of the six rigid motions: translations, then rotations about the axes.
std::vector<std::vector<double>> rigid_motions(int order, const double* vertices) {
  std::vector<std::vector<double>> motions(6);
  for (const basis::PrismPoint& node : basis::prism_node_points(order)) {
    double x[3];
    geometry::prism_point(vertices, node[0], node[1], node[2], x);
    for (int m = 0; m < 3; ++m) {
      const int a = (m + 1) % 3, b = (m + 2) % 3;
      double shift[3] = {}, turn[3] = {};
      shift[m] = 1;
      turn[a] = -x[b];
      turn[b] = x[a];
      motions[m].insert(motions[m].end(), shift, shift + 3);
      motions[3 + m].insert(motions[3 + m].end(), turn, turn + 3);
    }
  }
  return motions;
}

}  // namespace

TEST_CASE("Every method gives the reference's matrices of deformed prisms", "[elasticity][integrator]") {
  const int order = GENERATE(range(1, 8));
  for (const Method method : methods(order)) {
    check_against_reference<double>(method, order);
    check_against_reference<float>(method, order);
  }
}

TEST_CASE("Matrices are symmetric and rigid motions have no energy", "[elasticity][integrator]") {
  const int order = GENERATE(range(1, 8));
  const Prisms prisms = make_prisms(1, 0.2, 3, 0.3, true, 8);
  const int n = basis::number_of_shape_functions(order);
  for (const Method method : methods(order)) {
    INFO(name(method) << " of order " << order);
    const std::vector<double> A = compute<double>(method, order, prisms);
    const auto motions = rigid_motions(order, prisms.vertices.data());
    double scale = 0, asymmetry = 0, rigid = 0;
    for (const double value : A) scale = std::max(scale, std::fabs(value));
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        for (int r = 0; r < n; ++r) {
          for (int s = 0; s < n; ++s)
            asymmetry = std::max(asymmetry, std::fabs(A[matrix_place(n, i, k, r, s)] - A[matrix_place(n, k, i, s, r)]));
        }
    for (const std::vector<double>& u : motions)
      for (int i = 0; i < 3; ++i)
        for (int r = 0; r < n; ++r) {
          double force = 0;
          for (int k = 0; k < 3; ++k)
            for (int s = 0; s < n; ++s) force += A[matrix_place(n, i, k, r, s)] * u[3 * s + k];
          rigid = std::max(rigid, std::fabs(force));
        }
    CHECK(asymmetry <= tolerance<double>(basis::number_of_points(order), scale));
    CHECK(rigid <= tolerance<double>(3 * n * basis::number_of_points(order), 4 * scale));  // coordinates are below 4
  }
}
