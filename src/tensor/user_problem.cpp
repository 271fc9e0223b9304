// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/user_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/agree.hpp"
#include "mesh/box.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/space/values.hpp"
#include "miniapp/tensor/load.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "space/conditions.hpp"
#include "tensor/side_points.hpp"

namespace miniapp::tensor {
namespace {

constexpr double pi = std::numbers::pi;

/// A function that is, in each element, that of the last term that holds there, and 1 where none does.
class FunctionOfGroups : public ElementFunction {
 public:
  FunctionOfGroups(const mesh::Mesh& mesh, const std::vector<Term>& terms) {
    const auto elements = static_cast<std::int64_t>(mesh.num_elements());
    first_ = mesh.part.elements.empty() ? 0 : *std::min_element(mesh.part.elements.begin(), mesh.part.elements.end());
    const std::int64_t last = mesh.part.elements.empty()
                                  ? elements
                                  : *std::max_element(mesh.part.elements.begin(), mesh.part.elements.end()) + 1;
    which_.assign(static_cast<std::size_t>(last - first_), none);
    for (const Term& term : terms) {
      const auto number = static_cast<unsigned char>(functions_.size());
      require(functions_.size() < none, "coefficient", terms.size(), "terms; accepted are up to 255");
      functions_.push_back(term.value);
      if (term.group.empty())
        std::fill(which_.begin(), which_.end(), number);
      else
        for (const Index cell : mesh.find_group(term.group)->cells)
          which_[static_cast<std::size_t>(mesh.number(static_cast<std::size_t>(cell)) - first_)] = number;
    }
  }
  void evaluate(std::int64_t element, int count, const double* x, const double* y, const double* z,
                double* values) const override {
    const unsigned char which = which_[static_cast<std::size_t>(element - first_)];
    if (which == none)
      std::fill_n(values, count, 1.);
    else
      functions_[which]->evaluate(element, count, x, y, z, values);
  }

 private:
  static constexpr unsigned char none = 255;
  std::int64_t first_;                ///< the lowest number in the whole mesh of this rank's elements
  std::vector<unsigned char> which_;  ///< (number in the whole mesh - first)
  std::vector<FunctionPointer> functions_;
};

/// factor times the product of sines of pi times the coordinates relative to a box.
class ProductOfSines : public ElementFunction {
 public:
  ProductOfSines(const mesh::Box& box, double factor) : box_(box), factor_(factor) {}
  void evaluate(std::int64_t, int count, const double* x, const double* y, const double* z,
                double* values) const override {
    for (int i = 0; i < count; ++i) {
      const mesh::Point at{x[i], y[i], z[i]};
      values[i] = factor_;
      for (int d = 0; d < 3; ++d) values[i] *= std::sin(pi * box_.relative(at, d));
    }
  }

 private:
  mesh::Box box_;
  double factor_;
};

/// The problem that ProductOfSines solves.
UserProblem known_problem(const Discretisation& d) {
  const mesh::Box box(*d.mesh);
  double factor = d.lambda;
  for (int axis = 0; axis < 3; ++axis) factor += std::pow(pi / box.side(axis), 2);
  UserProblem problem;
  problem.exact = std::make_shared<ProductOfSines>(box, 1);
  problem.source = std::make_shared<ProductOfSines>(box, factor);
  return problem;
}

/// Takes the values of conditions at the nodes of their sides.
class SideValues {
 public:
  explicit SideValues(const Discretisation& d) : d_(d), values_(d.space) {}
  void add(const Term& term, const std::vector<mesh::CellSide>& sides) {
    groups_.push_back(term.group);
    const std::vector<Index> nodes = space::nodes_on_sides(d_.space, sides);
    std::size_t next = 0;
    visit_side_points(*d_.mesh, {sides, term.value}, d_.basis.nodes,
                      [&](const mesh::CellSide&, int, double, double value, const mesh::Point& x) {
                        const Index node = nodes[next++];
                        values_.set(term.group, node < 0 ? ~node : node, 0, value, x);
                      });
  }
  /// Collective.
  void share() { values_.share(groups_); }
  bool any() const { return values_.any(); }
  Vector<double> on_device() const { return values_.on_device(); }

 private:
  const Discretisation& d_;
  space::PrescribedValues values_;
  std::vector<std::string> groups_;
};

/// Refuses a function that is not finite on sides.
void require_finite_on(const std::string& option, const Discretisation& d, const SideFunction& f) {
  visit_side_points(*d.mesh, f, d.basis.points,
                    [&](const mesh::CellSide&, int, double, double value, const mesh::Point& x) {
                      space::require_finite(option, value, x);
                    });
}

/// Values of a function at the Gauss points.
Vector<const double> values_of(const std::string& option, const Discretisation& d, const FunctionPointer& f) {
  const Vector<const double> values = values_at(*d.mesh, d.basis.points, *f);
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "tensor/finite", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, values.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& count) {
        if (!(values(i) - values(i) == 0)) ++count;
      },
      wrong);
  require(wrong == 0, option, "",
          fmt::format("not finite at {} of {} points; accepted are finite numbers", wrong, values.extent(0)));
  return values;
}

std::shared_ptr<const ElementFunction> coefficient_of(const UserProblem& problem, const mesh::Mesh& mesh) {
  for (const Term& term : problem.coefficient)
    if (!term.group.empty()) space::require_group(mesh, "coefficient", term.group, 3);
  return std::make_shared<FunctionOfGroups>(mesh, problem.coefficient);
}

std::vector<std::string> groups_of(const UserProblem& problem) {
  std::vector<std::string> groups;
  for (const std::vector<Term>* const terms : {&problem.dirichlet, &problem.neumann, &problem.robin})
    for (const Term& term : *terms) groups.push_back(term.group);
  return groups;
}

/// Errors: InputError, where the groups are not those of prepare().
void require_groups_of(const PreparedProblem& prepared, const UserProblem& problem) {
  const ConditionSides& sides = prepared.sides;
  require(problem.dirichlet.size() == sides.dirichlet.size() && problem.neumann.size() == sides.neumann.size() &&
              groups_of(problem) == sides.groups,
          "groups", fmt::format("{}", fmt::join(groups_of(problem), ", ")),
          fmt::format("accepted are those of prepare(): {}", fmt::join(sides.groups, ", ")));
}

/// The sides of all conditions. Errors: InputError.
ConditionSides take_sides(const UserProblem& problem, space::Conditions& conditions) {
  ConditionSides sides;
  for (const Term& term : problem.dirichlet) sides.dirichlet.push_back(conditions.take("dirichlet", term.group));
  for (const Term& term : problem.neumann) sides.neumann.push_back(conditions.take("neumann", term.group));
  for (const Term& term : problem.robin) sides.robin.push_back(conditions.take("robin", term.group));
  sides.groups = groups_of(problem);
  return sides;
}

/// Loads of a problem, and its prescribed values.
struct Loads {
  Vector<double> b, prescribed;
  bool prescribes = false;  ///< whether any value is not zero, on any rank
};
/// Before prescribed values are subtracted. Collective. Errors: InputError, values that are not finite or contradict.
Loads make_loads(const UserProblem& problem, const ConditionSides& sides, const Discretisation& d) {
  SideValues values(d);
  Vector<const double> source;
  agree(d.space.exchange.ranks(), [&] {
    for (std::size_t i = 0; i < sides.dirichlet.size(); ++i) values.add(problem.dirichlet[i], sides.dirichlet[i]);
    for (std::size_t i = 0; i < sides.neumann.size(); ++i)
      require_finite_on("neumann", d, {sides.neumann[i], problem.neumann[i].value});
    for (std::size_t i = 0; i < sides.robin.size(); ++i)
      require_finite_on("robin", d, {sides.robin[i], problem.robin[i].value});
    if (problem.source) source = values_of("source", d, problem.source);
  });
  values.share();
  Loads loads;
  loads.b = problem.source ? make_load(d, source) : make_zeros<double>("tensor/load", d.space.num_entries());
  for (std::size_t i = 0; i < sides.neumann.size(); ++i)
    add_side_load(d, {sides.neumann[i], problem.neumann[i].value}, loads.b);
  for (std::size_t i = 0; i < sides.robin.size(); ++i)
    add_side_load(d, {sides.robin[i], problem.robin[i].value}, loads.b);
  loads.prescribed = values.on_device();
  loads.prescribes = values.any();
  return loads;
}

/// Adds the alpha of Robin conditions to the operator. Collective. Errors: InputError where one is below 0, or not
/// finite, or where all are 0 and nothing else holds u.
void add_robin(const UserProblem& problem, const ConditionSides& sides, Discretisation& d) {
  for (std::size_t i = 0; i < problem.robin.size(); ++i) {
    try {
      d.add_surface_mass({sides.robin[i], problem.robin[i].alpha});
    } catch (const InputError& error) {
      throw InputError("robin", problem.robin[i].group, error.what());
    }
  }
  if (problem.robin.empty() || !problem.dirichlet.empty() || d.lambda > 0 || !has_stiffness(d.problem)) return;
  const auto entries = d.space.exchange.ranks().sum(static_cast<std::int64_t>(d.surface.entries.extent(0)));
  require(entries > 0, "robin", problem.robin.front().group, space::no_alpha);
}

}  // namespace

/// A of all nodes, for what prescribed values make of b.
class FreeOperator {
 public:
  explicit FreeOperator(Discretisation d) : d_(std::move(d)), A_(make_operator<double>(fastest(d_), d_)) {}
  /// Takes lambda, coefficient and surface masses of `d`.
  void update(const Discretisation& d) {
    d_.lambda = d.lambda;
    d_.coefficient = d.coefficient;
    d_.surface = d.surface;
    d_.changes = d.changes;
    A_->update();
  }
  /// b -= A u. Collective.
  void subtract(const Vector<double>& u, const Vector<double>& b) const {
    const Instance instance;
    const Vector<double> product = make_vector<double>("tensor/lifting", b.extent(0));
    linalg::apply<double>(instance, *A_, u, product);
    streaming::axpby<double>(instance, -1, product, 1, b);
    instance.fence();
  }

 private:
  Discretisation d_;
  std::unique_ptr<ElementOperator<double>> A_;
};

void name_box_sides(mesh::Mesh& box, int nx, int ny, int nz) {
  std::vector<mesh::Group> groups;
  for (const std::string& name : names_of_box_sides()) groups.push_back({name, 2, {}, {}});
  for (std::size_t e = 0; e < box.num_elements(); ++e) {
    const std::int64_t number = box.number(e), layer = std::int64_t(nx) * ny;
    const std::int64_t places[3] = {number % nx, number % layer / nx, number / layer}, sizes[3] = {nx, ny, nz};
    for (int side = 0; side < 6; ++side)
      if (places[side / 2] == (side % 2 ? sizes[side / 2] - 1 : 0))
        groups[static_cast<std::size_t>(side)].sides.push_back({static_cast<Index>(e), side});
  }
  box.groups.insert(box.groups.end(), groups.begin(), groups.end());
}

PreparedProblem prepare(const UserProblem& given, Discretisation d, measure::Phases& phases) {
  const UserProblem problem = given.has_data() ? given : known_problem(d);
  PreparedProblem prepared{std::move(d), {}, {}, {}, {}};
  Discretisation& made = prepared.discretisation;
  const Communicator ranks = made.space.exchange.ranks();
  const auto scaled = to_host(made.scaled_jacobians());
  prepared.scaled_jacobian =
      ranks.of_all(Reduction::min, *std::min_element(scaled.data(), scaled.data() + scaled.extent(0)));
  if (!problem.coefficient.empty())
    phases.time("coefficient", [&] { made.set_coefficient(coefficient_of(problem, *made.mesh)); });
  phases.time("right-hand side", [&] {
    space::Conditions conditions(*made.mesh);
    UserProblem on_surface = problem;
    agree(ranks, [&] {
      prepared.sides = take_sides(problem, conditions);
      if (!given.has_data()) {
        on_surface.dirichlet = {{"", problem.exact}};
        prepared.sides.dirichlet = {conditions.surface()};
      }
      if (problem.exact) prepared.exact = values_of("exact", made, problem.exact);
    });
    const Loads loads = make_loads(on_surface, prepared.sides, made);
    add_robin(problem, prepared.sides, made);
    if (given.has_data()) prepared.natural = conditions.describe_rest();
    prepared.rhs = loads.b;
    prepared.prescribed = loads.prescribed;
    if (loads.prescribes) FreeOperator(made).subtract(prepared.prescribed, prepared.rhs);
    std::vector<mesh::CellSide> constrained;
    for (const std::vector<mesh::CellSide>& sides : prepared.sides.dirichlet)
      constrained.insert(constrained.end(), sides.begin(), sides.end());
    made.constrain(constrained);
    space::set_to_zero(made.space, prepared.rhs);
  });
  return prepared;
}

void update(PreparedProblem& prepared, const UserProblem& problem) {
  require_groups_of(prepared, problem);
  const Loads loads = make_loads(problem, prepared.sides, prepared.discretisation);
  prepared.rhs = loads.b;
  prepared.prescribed = loads.prescribed;
  if (loads.prescribes) {
    if (!prepared.free_operator)
      prepared.free_operator = std::make_shared<FreeOperator>(prepared.discretisation.without_constraints());
    else
      prepared.free_operator->update(prepared.discretisation);
    prepared.free_operator->subtract(prepared.prescribed, prepared.rhs);
  }
  space::set_to_zero(prepared.discretisation.space, prepared.rhs);
}

void update_lambda(PreparedProblem& prepared, double lambda) {
  require(lambda >= 0 && std::isfinite(lambda), "lambda", fmt::format("{}", lambda), "accepted are numbers from 0 on");
  prepared.discretisation.lambda = lambda;
}

void update_coefficients(PreparedProblem& prepared, const UserProblem& problem) {
  Discretisation& d = prepared.discretisation;
  require_groups_of(prepared, problem);
  require(problem.coefficient.empty() == (d.coefficient.extent(0) == 0), "coefficient", "",
          problem.coefficient.empty()
              ? "is none; accepted is one, as prepare() was given"
              : "is given; accepted is none, as prepare() was given: 1 everywhere stands for it");
  if (!problem.coefficient.empty()) d.set_coefficient(coefficient_of(problem, *d.mesh));
  std::vector<SideFunction> alphas;
  for (std::size_t i = 0; i < problem.robin.size(); ++i)
    alphas.push_back({prepared.sides.robin[i], problem.robin[i].alpha});
  d.set_surface_masses(std::move(alphas));
}

PreparedProblem prepare(const UserProblem& problem, Discretisation d) {
  measure::Phases phases;
  return prepare(problem, std::move(d), phases);
}

PreparedProblem prepare(const UserProblem& problem, mesh::Mesh mesh, int order, double lambda) {
  return prepare(problem, Discretisation(std::move(mesh), Problem::bp3_0, order, space::Boundary::neumann, lambda));
}

}  // namespace miniapp::tensor
