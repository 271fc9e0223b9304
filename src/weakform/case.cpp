// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/case.hpp"

#include "miniapp/weakform/forms.hpp"
#include "weakform/bind.hpp"

namespace miniapp::weakform {
namespace {

/// (equation)
template <class... E>
auto parts_of(const std::tuple<E...>&) {
  static_assert(sizeof...(E) == members<FormKind>().size());
  return std::array{make_parts<E>()...};
}

const FormParts& parts(FormKind kind, int dim) {
  static const std::array all{parts_of(AllEquations<2>()), parts_of(AllEquations<3>())};
  require(dim == 2 || dim == 3, std::to_string(dim) + " dimensions: accepted are 2 and 3");
  return all[dim - 2][static_cast<std::size_t>(kind)];
}

}  // namespace

FormFacts facts(FormKind kind, int dim) { return parts(kind, dim).facts; }

std::vector<double> exact_solution(FormKind kind, int dim, const mesh::Point& x) { return parts(kind, dim).exact(x); }

double exact_coefficient(FormKind kind, int dim, const mesh::Point& x) { return parts(kind, dim).coefficient(x); }

namespace {

/// The exact coefficient at the nodes.
std::vector<double> coefficients(const FormParts& form, const mesh::Mesh& mesh, const space::Space& space) {
  std::vector<double> kappa;
  for (const mesh::Point& x : space::node_points(mesh, space)) kappa.push_back(form.coefficient(x));
  return kappa;
}

}  // namespace

ReferenceBounds reference_bounds(FormKind kind, const mesh::Mesh& mesh, const space::Space& space,
                                 const std::vector<double>& u, const std::vector<double>& w, bool rounds_input) {
  const FormParts& form = parts(kind, mesh::dimension(mesh.kind));
  return form.bounds(mesh, space, coefficients(form, mesh, space), u, w, rounds_input);
}

ReferenceBounds reference_bounds(FormKind kind, const mesh::Mesh& mesh, const PreparedForm& problem,
                                 const std::vector<double>& u, const std::vector<double>& w) {
  return parts(kind, mesh::dimension(mesh.kind)).bounds_of_data(mesh, problem, u, w);
}

namespace {

void require_simplices(const mesh::Mesh& mesh) {
  require(mesh.kind == mesh::CellKind::triangle || mesh.kind == mesh::CellKind::tetrahedron,
          "a mesh of kind " + name(mesh.kind) + ": accepted are triangles and tetrahedra");
}

}  // namespace

std::unique_ptr<BoundForm> bind(FormKind kind, const mesh::Mesh& mesh, const PreparedForm& problem,
                                const Options& options) {
  require_simplices(mesh);
  return parts(kind, mesh::dimension(mesh.kind)).bind_data(mesh, problem, options);
}

std::unique_ptr<BoundForm> bind(FormKind kind, Precision precision, const mesh::Mesh& mesh, const space::Space& space,
                                const Options& options, const std::vector<double>& kappa) {
  require_simplices(mesh);
  const FormParts& form = parts(kind, mesh::dimension(mesh.kind));
  return form.bind(precision, mesh, space, options, kappa.empty() ? coefficients(form, mesh, space) : kappa);
}

}  // namespace miniapp::weakform
