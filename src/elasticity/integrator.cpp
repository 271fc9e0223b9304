// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/integrator.hpp"

#include <random>

#include "core/with_order.hpp"
#include "elasticity/order_integrators.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {

Prisms make_prisms(std::size_t size, double deform, double young, double poisson, bool varied, unsigned seed) {
  constexpr double shape[6][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Lame same = make_lame(young, poisson);
  Prisms prisms;
  prisms.vertices.reserve(size * geometry::prism_numbers);
  for (std::size_t e = 0; e < size; ++e) {
    double origin[3], shear[3];
    for (double& x : origin) x = uniform(random);
    for (double& x : shear) x = deform * uniform(random);
    for (const auto& vertex : shape)
      for (int d = 0; d < 3; ++d)
        prisms.vertices.push_back(origin[d] + vertex[d] + shear[d] * vertex[(d + 1) % 3] + deform * uniform(random));
    const Lame material =
        varied ? make_lame(young * (1 + 0.5 * uniform(random)), poisson * (1 + 0.1 * uniform(random))) : same;
    prisms.materials.insert(prisms.materials.end(), {material.lambda, material.mu});
  }
  geometry::require_positive(prisms.vertices);
  return prisms;
}

Prisms make_prisms(const mesh::Mesh& mesh, double young, double poisson) {
  require(mesh.kind == mesh::CellKind::prism, "a mesh of kind " + name(mesh.kind) + ": accepted are prisms");
  const Lame material = make_lame(young, poisson);
  Prisms prisms;
  prisms.vertices.reserve(mesh.num_elements() * geometry::prism_numbers);
  for (const Index v : mesh.element_to_vertex.entries)
    prisms.vertices.insert(prisms.vertices.end(), mesh.vertices[v].begin(), mesh.vertices[v].end());
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    prisms.materials.insert(prisms.materials.end(), {material.lambda, material.mu});
  geometry::require_positive(prisms.vertices);
  return prisms;
}

template <class Real>
std::vector<Real> jacobians(const basis::PrismTables& tables, const Prisms& prisms, std::size_t begin,
                            std::size_t end) {
  std::vector<Real> all;
  all.reserve((end - begin) * tables.num_points * 10);
  for (std::size_t e = begin; e < end; ++e)
    for (int q = 0; q < tables.num_points; ++q) {
      const auto [x, y, z] = tables.points[q];
      double J[3][3], inverse[3][3];
      geometry::prism_jacobian(&prisms.vertices[e * geometry::prism_numbers], x, y, z, J);
      const double volume = tables.weights[q] * invert(J, inverse);
      for (const auto& row : inverse)
        for (const double value : row) all.push_back(static_cast<Real>(value));
      all.push_back(static_cast<Real>(volume));
    }
  return all;
}
template std::vector<double> jacobians(const basis::PrismTables&, const Prisms&, std::size_t, std::size_t);
template std::vector<float> jacobians(const basis::PrismTables&, const Prisms&, std::size_t, std::size_t);

template <class Real>
std::unique_ptr<Integrator<Real>> make_integrator(Method method, int order, const Plan& plan) {
  const std::string reason = why_not(method, order);
  require(reason.empty(), "order", order, reason);
  using Made = std::unique_ptr<Integrator<Real>>;
  return with_order<Made>(order, [&]<int p>() -> Made {
    if constexpr (p > basis::largest_prism_order)
      return nullptr;
    else
      return make_order_integrator<p, Real>(method, plan);
  });
}
template std::unique_ptr<Integrator<double>> make_integrator(Method, int, const Plan&);
template std::unique_ptr<Integrator<float>> make_integrator(Method, int, const Plan&);

}  // namespace miniapp::elasticity
