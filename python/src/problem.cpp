// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "miniapp/mesh/split.hpp"
#include "miniapp/space/vtu.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/load.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "python/src/functions.hpp"
#include "runs/tensor/preconditioner.hpp"

namespace miniapp::python {
namespace {

const std::string surface_group = "surface";

/// The mesh in hexahedra, with a group of its whole surface where it has no group of that name.
Mesh prepare_mesh(const Mesh& given, int& pieces) {
  mesh::Mesh made = *given.mesh;
  if (made.kind == mesh::CellKind::tetrahedron || made.kind == mesh::CellKind::prism) {
    pieces = mesh::pieces_of(made.kind);
    made = mesh::split_into_hexahedra(made);
  }
  require(made.kind == mesh::CellKind::hexahedron, "mesh", mesh::name(made.kind),
          "accepted are meshes of hexahedra, tetrahedra, prisms");
  space::require_matching_nodes(made);
  if (!made.find_group(surface_group)) made.groups.push_back({surface_group, 2, {}, space::surface_sides(made)});
  return {std::make_shared<const mesh::Mesh>(std::move(made))};
}

/// Makes the terms of a problem.
struct Terms {
  std::int64_t elements;
  int pieces;
  std::vector<std::weak_ptr<const tensor::ElementFunction>>& made;
  tensor::FunctionPointer function(const std::string& argument, nb::handle given) const {
    if (given.is_none()) return nullptr;
    const tensor::FunctionPointer f = to_function(argument, given, elements, pieces);
    made.push_back(f);
    return f;
  }
  std::vector<tensor::Term> of(const std::string& argument, const nb::list& given) const {
    std::vector<tensor::Term> terms;
    for (const nb::handle term : given)
      terms.push_back({nb::cast<std::string>(term[0]), function(argument, nb::object(term[1]))});
    return terms;
  }
  std::vector<tensor::Term> of_robin(const nb::list& given) const {
    std::vector<tensor::Term> terms;
    for (const nb::handle term : given) {
      const nb::object pair = term[1];
      terms.push_back({nb::cast<std::string>(term[0]), function("robin", nb::object(pair[1])),
                       function("robin", nb::object(pair[0]))});
    }
    return terms;
  }
};

}  // namespace

ElementMap::ElementMap(const tensor::Discretisation& d, const tensor::Variant& variant)
    : d_(d), A_(tensor::make_operator<double>(variant, d)) {}

void ElementMap::require_solvable() const {
  const bool holds_u =
      !tensor::has_stiffness(d_.problem) || d_.lambda > 0 || !d_.space.masked.empty() || !d_.surface.empty();
  require(holds_u, "lambda_", "0",
          "leaves u open by a constant; accepted is a condition of Dirichlet or Robin, or lambda_ above 0");
}

Vector<double> ElementMap::diagonal() const { return tensor::make_diagonal(d_); }

Problem::Problem(const Mesh& mesh, int order, const std::string& bp, double lambda, const Given& given)
    : mesh_(prepare_mesh(mesh, pieces_)),
      prepared_(prepare(order, bp, lambda, given)),
      variant_(tensor::fastest(prepared_.discretisation)),
      A_(prepared_.discretisation, variant_) {}

tensor::PreparedProblem Problem::prepare(int order, const std::string& bp, double lambda, const Given& given) {
  const tensor::ProblemChoice choice = tensor::parse_problem(bp);
  require(choice.components == 1, "bp", bp, "has three components; accepted from Python are those with one");
  require(std::isfinite(lambda) && lambda >= 0, "lambda_", fmt::format("{}", lambda), "accepted are numbers from 0 on");
  const auto cells = static_cast<std::int64_t>(mesh_.mesh->num_elements()) / pieces_;
  const Terms terms{cells, pieces_, functions_};
  tensor::UserProblem user;
  user.coefficient = terms.of("coefficient", given.coefficient);
  user.source = terms.function("source", given.source);
  user.exact = exact_ = terms.function("exact", given.exact);
  user.dirichlet = terms.of("dirichlet", given.dirichlet);
  user.neumann = terms.of("neumann", given.neumann);
  user.robin = terms.of_robin(given.robin);
  require(tensor::has_stiffness(choice.problem) || !user.has_data(), "bp", bp,
          "the mass alone; accepted with data of a problem are 3.0, 3.5");
  return evaluating([&] {
    tensor::Discretisation d(mesh_.mesh, choice.problem, order, space::Boundary::neumann, lambda);
    if (user.has_data()) return tensor::prepare(user, std::move(d));
    const std::size_t size = d.space.num_entries();
    return tensor::PreparedProblem{
        std::move(d), make_zeros<double>("python/b", size), make_zeros<double>("python/prescribed", size), {}, {}};
  });
}

const std::vector<mesh::Point>& Problem::nodes() const {
  const tensor::Discretisation& d = discretisation();
  if (nodes_.empty()) nodes_ = space::node_points(*d.mesh, d.space);
  return nodes_;
}

std::unique_ptr<Preconditioner> Problem::make_preconditioner(std::string kind, const std::string& smoother,
                                                             int degree) const {
  const tensor::Discretisation& d = discretisation();
  if (kind == "auto") kind = !tensor::has_stiffness(d.problem) ? "jacobi" : d.order > 1 ? "p-multigrid" : "lor-amg";
  require(degree >= 0 && degree <= 20, "degree", degree, "accepted are 0, which stands for the usual one, to 20");
  tensor::CaseSettings settings;
  settings.preconditioner = member<tensor::Preconditioner>("preconditioner", kind);
  settings.multigrid.smoother = member<multigrid::Smoother>("smoother", smoother);
  settings.multigrid.degree = degree;
  if (settings.chebyshev() && degree == 0) settings.multigrid.degree = multigrid::usual_polynomial_degree;
  measure::Phases phases;
  auto made = evaluating([&] { return tensor::make_preconditioner<double>(settings, d, phases); });
  return std::make_unique<Preconditioner>(d.space, kind, std::move(made));
}

double Problem::l2_error(const Numbers& u) const {
  require(prepared_.exact.has_value(), "exact", "", "is not known; accepted is a problem that was given it");
  wait_for_others();
  const tensor::Discretisation& d = discretisation();
  return tensor::relative_l2_error(d, read("u", u, d.space.num_entries()), *prepared_.exact);
}

double Problem::h1_error(const Numbers& u) const {
  require(exact_ != nullptr, "exact", "", "is not known; accepted is a problem that was given it");
  wait_for_others();
  const tensor::Discretisation& d = discretisation();
  const Vector<const double> values = read("u", u, d.space.num_entries());
  return evaluating([&] { return tensor::relative_h1_error(d, values, *exact_); });
}

nb::bytes Problem::vtu(const nb::dict& fields, bool compress) const {
  const tensor::Discretisation& d = discretisation();
  std::vector<space::PointField> points;
  for (const auto& [name, values] : fields)
    points.push_back(
        {nb::cast<std::string>(name), to_vector(read("fields", nb::cast<Numbers>(values), d.space.num_entries()))});
  const auto scaled = to_host(d.scaled_jacobians());
  const std::vector<double> jacobians(scaled.data(), scaled.data() + scaled.extent(0));
  const auto how = compress ? space::Compress::zlib : space::Compress::none;
  require(space::why_not(how).empty(), "compress", "True", space::why_not(how));
  const std::string text = space::vtu(*d.mesh, d.space, points, {{"scaled_jacobian", jacobians}}, {}, how);
  return nb::bytes(text.data(), text.size());
}

}  // namespace miniapp::python
