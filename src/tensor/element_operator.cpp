// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_operator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/agree.hpp"
#include "core/with_order.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "miniapp/tensor/reference.hpp"
#include "space/join.hpp"
#include "space/shared_first.hpp"
#include "tensor/componentwise_operator.hpp"
#include "tensor/ladder/ladder_rules.hpp"
#include "tensor/lanes/lane_groups.hpp"
#include "tensor/order_kernels.hpp"
#include "tensor/side_points.hpp"
#include "tensor/upright.hpp"
#include "tensor/with_problem.hpp"

namespace miniapp::tensor {
namespace {

template <class Work>
auto timed(measure::Phases* phases, const char* name, const Work& work) {
  return phases ? phases->time(name, work) : work();
}

/// The trilinear maps of a mesh.
Vector<const double> checked_trilinear(const mesh::Mesh& mesh) {
  mesh::require_vertices(mesh);
  return geometry::make_trilinear(mesh);
}

/// y += alpha x on the surface; a functor, since nvcc takes no lambda in a private function.
template <class Real>
struct AddSurface {
  SurfaceMass surface;
  Vector<const Real> x;
  Vector<Real> y;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    y(surface.entries(i)) += static_cast<Real>(surface.values(i)) * x(surface.entries(i));
  }
};

/// The first value that is not above a limit; -1 if there is none.
std::int64_t first_not_above(const Vector<const double>& values, double limit) {
  const auto size = static_cast<std::int64_t>(values.extent(0));
  std::int64_t first = size;
  Kokkos::parallel_reduce(
      "tensor/first not above", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, size),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& least) {
        if (!(values(i) > limit) && i < least) least = i;
      },
      Kokkos::Min<std::int64_t>(first));
  return first < size ? first : -1;
}

/// The reference as an ElementOperator, so that it can be run and timed like the others.
template <class Real>
class ReferenceOperator : public ElementOperator<Real> {
 public:
  explicit ReferenceOperator(const Discretisation& d)
      : ElementOperator<Real>(d),
        reference_(d),
        entries_(local_entries(d.space, d.space.element_to_node.device())),
        map_bytes_(d.space.element_to_node.device_bytes()),
        x_(make_zeros<double>("tensor/reference/x", d.space.num_entries())),
        y_(make_zeros<double>("tensor/reference/y", d.space.num_entries())) {}

  void apply_local(const Instance&, const Vector<const Real>&, const Vector<Real>&) const override {
    throw InputError("kernel", "reference", "has no element kernel apart from its gather and scatter");
  }
  Vector<const Index> local_nodes() const override { return entries_; }
  typename ElementOperator<Real>::Memory memory() const override { return {0, map_bytes_, 0}; }

 private:
  void update_factors(bool) override {}  // the reference has none of its own
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    instance.fence();  // the reference runs on the default instance
    copy_rounded(x_, x);
    reference_.apply(x_, y_);
    copy_rounded(y, y_);
  }

  Reference reference_;
  Vector<const Index> entries_;
  std::size_t map_bytes_;
  Vector<double> x_, y_;
};

}  // namespace

Discretisation::Discretisation(mesh::Mesh mesh_, Problem problem_, int order_, space::Boundary boundary_,
                               double lambda_, int components, measure::Phases* phases)
    : Discretisation(std::make_shared<const mesh::Mesh>(std::move(mesh_)), problem_, order_, boundary_, lambda_,
                     components, phases) {}

Discretisation::Discretisation(std::shared_ptr<const mesh::Mesh> mesh_, Problem problem_, int order_,
                               space::Boundary boundary_, double lambda_, int components, measure::Phases* phases)
    : mesh(std::move(mesh_)),
      problem(problem_),
      order(order_),
      lambda(lambda_),
      basis(order_),
      trilinear(timed(phases, "check", [&] { return checked_trilinear(*mesh); })),
      curved(timed(phases, "check", [&] { return geometry::make_curved(*mesh); })),
      space(
          timed(phases, "numbering", [&] { return miniapp::space::make_space(*mesh, order_, components, boundary_); })),
      boundary(boundary_) {
  timed(phases, "check", [&] {
    require_positive_determinants();
    shape = mesh::common_shape(*mesh);
  });
  lane_groups = std::make_shared<LaneGroupCache>();
  if (!runs_on_host && !space.exchange.empty()) timed(phases, "numbering", [&] { put_shared_first(); });
}

Discretisation::Discretisation(const Discretisation& other, int order_, space::Boundary boundary_)
    : mesh(other.mesh),
      problem(other.problem),
      order(order_),
      lambda(other.lambda),
      basis(order_),
      trilinear(other.trilinear),
      curved(other.curved),
      shape(other.shape),
      space(miniapp::space::make_space_of_order(order_, other.space, *mesh, boundary_)),
      boundary(boundary_),
      shared_elements(other.shared_elements) {  // an element that shares a node of any order shares a vertex
  require_positive_determinants();
  lane_groups = std::make_shared<LaneGroupCache>();
}

void Discretisation::require_positive_determinants() const {
  const basis::Rule gauss = basis::gauss(order + 2);
  curved.empty() ? require_upright(*mesh, trilinear, gauss) : require_upright(*mesh, curved, gauss);
}

Discretisation Discretisation::of_order(int other) const {
  // nodes that space::hold() constrained one by one belong to no side: the whole surface stands for them
  const bool is_masked = space.exchange.ranks().of_all(Reduction::max, std::int64_t(!space.masked.empty())) > 0;
  const miniapp::space::Boundary on_surface = has_constrained_sides ? boundary
                                              : is_masked           ? miniapp::space::Boundary::dirichlet
                                                                    : miniapp::space::Boundary::neumann;
  Discretisation d(*this, other, on_surface);
  if (has_constrained_sides) d.constrain(constrained_sides);
  if (coefficient_function) d.set_coefficient(coefficient_function);
  d.set_surface_masses(surface_masses);
  d.changes = changes;
  return d;
}

void Discretisation::set_coefficient(std::shared_ptr<const ElementFunction> k) {
  const Vector<const double> values = values_at(*mesh, rule(), *k);
  agree(space.exchange.ranks(), [&] {
    const std::int64_t bad = first_not_above(values, 0);
    if (bad < 0) return;
    const int q = rule().size(), point = static_cast<int>(bad % (q * q * q));
    const std::vector<double>& line = rule().points;
    mesh::Point x;
    double J[3][3];
    geometry::map_at(*mesh, static_cast<std::size_t>(bad / (q * q * q)),
                     {line[point % q], line[point / q % q], line[point / (q * q)]}, x, J);
    double value = 0;
    Kokkos::deep_copy(Kokkos::View<double, Kokkos::HostSpace>(&value),
                      Kokkos::View<const double, MemorySpace>(values.data() + bad));
    throw InputError("coefficient", number_text(value), "at " + point_text(x) + "; accepted are numbers above 0");
  });
  coefficient = values;
  coefficient_function = std::move(k);
  ++changes;
}

void Discretisation::take_terms(const Discretisation& other) {
  lambda = other.lambda;
  if (changes == other.changes) return;
  if (other.coefficient_function) set_coefficient(other.coefficient_function);
  set_surface_masses(other.surface_masses);
  changes = other.changes;
}

Vector<const double> Discretisation::mean_coefficient() const {
  if (coefficient.extent(0) == 0) return {};
  const std::size_t elements = mesh->num_elements(), points = coefficient.extent(0) / elements;
  const Vector<double> means = make_vector<double>("tensor/mean coefficient", elements);
  const Vector<const double> values = coefficient;
  Kokkos::parallel_for(
      "tensor/mean coefficient", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, elements),
      KOKKOS_LAMBDA(const std::int64_t e) {
        double sum = 0;
        for (std::size_t i = 0; i < points; ++i) sum += values(e * points + i);
        means(e) = sum / double(points);
      });
  return means;
}

void Discretisation::constrain(const std::vector<mesh::CellSide>& sides) {
  miniapp::space::hold_sides(space, sides);
  has_constrained_sides =
      has_constrained_sides || space.exchange.ranks().of_all(Reduction::max, std::int64_t(!sides.empty())) > 0;
  constrained_sides.insert(constrained_sides.end(), sides.begin(), sides.end());
  lane_groups = std::make_shared<LaneGroupCache>();
  update_surface();
}

Discretisation Discretisation::without_constraints() const {
  Discretisation free = *this;
  free.space.element_to_node = miniapp::space::without_masks(space.element_to_node);
  free.space.masked.clear();
  free.constrained_sides.clear();
  free.has_constrained_sides = false;
  free.boundary = miniapp::space::Boundary::neumann;
  free.lane_groups = std::make_shared<LaneGroupCache>();
  return free;
}

void Discretisation::add_surface_mass(const SideFunction& alpha) {
  surface_masses.push_back(alpha);
  ++changes;
  update_surface();
}

void Discretisation::set_surface_masses(std::vector<SideFunction> alphas) {
  surface_masses = std::move(alphas);
  ++changes;
  surface = {};
  update_surface();
}

void Discretisation::update_surface() {
  if (surface_masses.empty()) return;
  NodeParts parts;  // of free nodes
  agree(space.exchange.ranks(), [&] {
    for (const SideFunction& alpha : surface_masses) {
      const std::vector<Index> nodes = miniapp::space::nodes_on_sides(space, alpha.sides);
      std::size_t next = 0;
      visit_side_points(
          *mesh, alpha, basis.nodes, [&](const mesh::CellSide&, int, double area, double value, const mesh::Point& x) {
            if (!(value >= 0 && std::isfinite(value)))
              throw InputError("alpha", number_text(value), "at " + point_text(x) + "; accepted are numbers from 0 on");
            if (const Index node = nodes[next++]; node >= 0) parts.emplace_back(node, area * value);
          });
    }
  });
  const NodeParts sums = sum_by_node(std::move(parts));
  std::vector<Index> entries;
  std::vector<double> terms;
  for (int c = 0; c < space.components; ++c)
    for (const auto& [node, sum] : sums)
      if (sum > 0) {
        entries.push_back(static_cast<Index>(space.entry(node, c)));
        terms.push_back(sum);
      }
  surface = {to_device<Index>("tensor/surface entries", entries), to_device<double>("tensor/surface", terms)};
}

void Discretisation::put_shared_first() {
  const std::vector<Index> elements = miniapp::space::shared_first(space, shared_elements);
  if (space.part_surface)  // on all ranks: none goes on with what others look for anew
    space.part_surface = std::make_shared<miniapp::space::PartSurface>(
        space.part_surface->reordered(elements, mesh::cell(mesh->kind).num_sides()));
  if (std::is_sorted(elements.begin(), elements.end())) return;
  lane_groups = std::make_shared<LaneGroupCache>();
  mesh = std::make_shared<const mesh::Mesh>(mesh::reorder(*mesh, elements));
  trilinear = geometry::make_trilinear(*mesh);
  curved = geometry::make_curved(*mesh);
  space.element_to_node = miniapp::space::reorder(space.element_to_node, elements);
}

template <class Real>
void ElementOperator<Real>::add_nonempty_surface(const Instance& instance, const Vector<const Real>& x,
                                                 const Vector<Real>& y) const {
  Kokkos::parallel_for("tensor/surface",
                       Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, surface_.entries.extent(0)),
                       AddSurface<Real>{surface_, x, y});
}

template <class Real>
void ElementOperator<Real>::update() {
  const bool has_coefficient = discretisation_->coefficient.extent(0) > 0;
  require(has_coefficient == has_coefficient_, "coefficient", "",
          has_coefficient_ ? "removed; accepted is one, since the operator was made with one"
                           : "given; accepted is none, since the operator was made without one");
  const Terms terms = discretisation_->terms();
  if (terms == terms_) return;
  update_factors(terms.changes != terms_.changes);
  terms_ = terms;
  ++updates_;
  if (adds_surface_) set_surface(discretisation_->surface);
}

template <class Real>
void ElementOperator<Real>::refuse(std::size_t x, std::size_t y) const {
  for (const auto& [name, size] : {std::pair("x", x), std::pair("y", y)})
    require(size == entries_, name, std::to_string(size),
            "entries are no vector of the operator's space; accepted are " + std::to_string(entries_));
  throw InputError("space", std::to_string(space().masked.size()),
                   "nodes are constrained, but " + std::to_string(num_masked_) +
                       " were when the operator was made; accepted is an operator made after hold()");
}
template class ElementOperator<double>;
template class ElementOperator<float>;

namespace {

/// Why the elements have no such geometry.
std::string why_no_geometry(const Variant& variant, const Discretisation& d) {
  if (variant.kernel == Kernel::reference) return "";
  if (variant.geometry != Geometry::stored && !d.can_compute_geometry())
    return "is of straight elements; accepted with curved ones is stored";
  const bool has_coefficient = d.coefficient.extent(0) > 0;
  const std::string reason = why_not(variant.geometry, d.shape.shape, has_coefficient);
  return reason.empty() ? "" : reason + "; accepted are " + accepted_geometries(d.shape.shape, has_coefficient);
}
std::string why_no_coefficient(const Variant& variant, const Discretisation& d) {
  return takes_coefficient(variant.kernel) || d.coefficient.extent(0) == 0 ? ""
                                                                           : "has no coefficient; accepted is lines";
}

}  // namespace

std::optional<Geometry> Discretisation::suitable_geometry() const {
  return can_compute_geometry() ? special_geometry(shape.shape, coefficient.extent(0) > 0) : Geometry::stored;
}

std::string why_not(const Variant& variant, const Discretisation& d, int word) {
  std::string reason = why_not(variant, d.problem, d.order, word);
  if (reason.empty()) reason = why_no_geometry(variant, d);
  return reason.empty() ? why_no_coefficient(variant, d) : reason;
}

template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(const Variant& variant, const Discretisation& d) {
  const std::string reason = why_not(variant, d.problem, d.order, sizeof(Real));
  require(reason.empty(), "kernel", name(variant.kernel), reason);
  const std::string no_geometry = why_no_geometry(variant, d), no_coefficient = why_no_coefficient(variant, d);
  require(no_geometry.empty(), "geometry", name(variant.geometry), no_geometry);
  require(no_coefficient.empty(), "kernel", name(variant.kernel), no_coefficient);
  if (variant.kernel == Kernel::reference) return std::make_unique<ReferenceOperator<Real>>(d);
  using Made = std::unique_ptr<ElementOperator<Real>>;
  Made op = with_order<Made>(d.order, [&]<int order>() -> Made {
    if constexpr (std::is_same_v<Real, double>)
      if (is_rung(variant.kernel)) return make_order_rung<order>(rung_index(variant.kernel), d);
    return with_problem(d.problem,
                        [&]<Problem problem>() { return make_problem_operator<problem, order, Real>(variant, d); });
  });
  if (is_rung(variant.kernel) && d.space.components > 1)
    op = std::make_unique<ComponentwiseOperator<Real>>(std::move(op));
  op->set_surface(d.surface);
  return op;
}

template std::unique_ptr<ElementOperator<double>> make_operator(const Variant&, const Discretisation&);
template std::unique_ptr<ElementOperator<float>> make_operator(const Variant&, const Discretisation&);

}  // namespace miniapp::tensor
