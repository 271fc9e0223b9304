// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/settings.hpp"

#include <algorithm>
#include <cmath>

namespace miniapp::elasticity {

double MatrixSettings::matrix_bytes(int order) const {
  const double n = basis::number_of_shape_functions(order);
  return 9 * n * n * double(word());
}

std::int64_t MatrixSettings::automatic_elements(int order) const {
  const double bytes = runs_on_host ? 128e6 : 4e9;
  return std::max<std::int64_t>(8, static_cast<std::int64_t>(bytes / matrix_bytes(order)));
}

std::int64_t MatrixSettings::elements_of(int order) const {
  if (elements > 0) return verify_only ? std::min(elements, automatic_elements(order)) : elements;
  return automatic_elements(order);
}

double elongation(const mesh::Mesh& mesh) {
  const mesh::Cell cell = mesh::cell(mesh.kind);
  double most = 1;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    double shortest = INFINITY, longest = 0;
    for (int edge = 0; edge < cell.num_edges; ++edge) {
      const auto end = [&](int i) { return mesh.vertices[mesh.element_to_vertex[e][cell.edges[edge].vertices[i]]]; };
      const mesh::Point a = end(0), b = end(1);
      const double length = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    most = std::max(most, longest / shortest);
  }
  return mesh.part.ranks.of_all(Reduction::max, most);
}

double elongation(const Cantilever& beam) {
  const double x = beam.length / beam.nx, y = beam.width / beam.ny, z = beam.height / beam.nz;
  return std::max(std::hypot(x, y), z) / std::min({x, y, z});
}

bool is_hard(ElasticPreconditioner preconditioner, double elongation, double poisson) {
  return elongation / (1 - 2 * poisson) > (preconditioner == ElasticPreconditioner::amg ? 3000 : 300);
}

bool of_paper(Method method) { return method != Method::products && method != Method::split; }

std::vector<int> built_orders() {
  std::vector<int> built;
  for (int order = 1; order <= basis::largest_prism_order; ++order)
    if (why_not(Method::reg_jac, order).empty()) built.push_back(order);
  return built;
}

Method fast_method(int order) {
  for (const Method method : {order < 3 ? Method::products : Method::split, Method::products})
    if (why_not(method, order).empty()) return method;
  return Method::reg_jac;
}

}  // namespace miniapp::elasticity
