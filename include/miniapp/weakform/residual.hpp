// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "miniapp/indirect/loop.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/weakform/coefficients.hpp"
#include "miniapp/weakform/detail/cell_checks.hpp"
#include "miniapp/weakform/detail/fan_lanes.hpp"
#include "miniapp/weakform/detail/integrals.hpp"
#include "miniapp/weakform/detail/transposed.hpp"
#include "miniapp/weakform/strategy.hpp"

namespace miniapp::weakform {

namespace detail {

/// Numbers of coefficients of a form: at vertices, of cells, at points of sides.
struct CoefficientCounts {
  int nodal, cells, sides;
  bool has_b0;
};
template <Form F>
constexpr CoefficientCounts counts = {nodal_coefficients<F>(), cell_coefficients<F>(), side_coefficients<F>(),
                                      has_b0<F>()};

/// Errors: InputError where a mesh, a space or a list of coefficients is not what a form of `dim` dimensions with
/// `components` unknowns takes, or the block size is below 1.
void require_fit(int dim, int components, const mesh::Mesh& mesh, const space::Space& space,
                 const CoefficientCounts& counts, const Coefficients& data, int block_size);
/// Errors: InputError where a form has not this strategy.
void require_strategy(Strategy strategy, bool has_all, bool has_fans);
/// Errors: InputError where a vector has another number of entries.
void require_entries(std::size_t entries, std::size_t accepted);
/// Errors: InputError where `cell`, at which a form is not finite, is one of so many.
void require_no_cell(std::int64_t cell, std::size_t cells);
/// (node, row): coordinates [m], then coefficients.
template <class Real>
std::vector<Real> make_vertices(int dim, const mesh::Mesh& mesh, const space::Space& space,
                                const std::vector<double>& nodal);

/// A loop over cells, which reads their own coefficients where a form has such.
template <Form F, class Plan, class Function, class Own, class... Access>
auto make_cell_loop(const std::string& label, const Plan& plan, const Function& function, const Own& own,
                    const Access&... access) {
  if constexpr (cell_coefficients<F>() > 0)
    return indirect::Loop(label, plan, function, indirect::direct(own), access...);
  else
    return indirect::Loop(label, plan, function, access...);
}

}  // namespace detail

/// The residual of a form and the action of its Jacobian, on vectors (node, component) of a space:
///   r_i,c = integral of phi_i f0_c(u) + grad phi_i . f1_c(u), and over sides of phi_i b0_c(u)
///   y = d/d eps r(u + eps w)
/// Vectors, geometry and arithmetic are in `Real`. Entries of r and y at constrained nodes, where u is prescribed, are
/// zero; those of u are read, so that u may be prescribed as not zero, and those of w should be zero. Keeps arrays of
/// its own and serves one instance at a time. Adds this rank's cells; space.exchange adds those of others.
///
///   const Space space = make_space(mesh, 1, form.components, Boundary::dirichlet, Layout::aos);
///   const Residual<Reaction, double> residual(Reaction{}, mesh, space, kappa, {Strategy::owner});
///   residual.apply(instance, u, r);
template <Form F, class Real>
class Residual {
 public:
  static constexpr int dim = F::dim, components = F::components;

  /// Errors: a mesh of other simplices than the form's, a space of another mesh, number of components or layout,
  /// coefficients of another number than the form's, a cell that is inverted or has no volume, strategy fans for a form
  /// with coefficients of cells, a block that does not fit in scratch, with the largest that does (InputError).
  Residual(const F& form, const mesh::Mesh& mesh, const space::Space& space, const Coefficients& data,
           const Options& options)
      : form_(form), options_(options), side_list_(data.sides) {
    detail::require_fit(dim, components, mesh, space, detail::counts<F>, data, options.block_size.value_or(1));
    detail::require_strategy(options.strategy, has_all_strategies<F>(), has_fans<F>());
    geometry::require_positive_simplices(mesh);
    cells_ =
        indirect::ElementMap<dim + 1>("cell to node", space::without_masks(space.element_to_node), space.num_nodes);
    vertices_ = VertexField("weakform/vertices", detail::make_vertices<Real>(dim, mesh, space, data.nodal));
    own_ = OwnField::with_values("weakform/coefficients of cells", data.cells);
    sides_ = to_device("weakform/sides", detail::make_side_ids<dim>(space_without_masks(space), data.sides));
    at_sides_ = Field<Real, 1>::with_values("weakform/coefficients of sides", data.at_sides).values();
    masked_ = to_device("weakform/masked", space.masked);
    if (is_loop(options.strategy)) plan();
    if constexpr (has_fans<F>())
      if (options.strategy == Strategy::fans)
        fans_ = detail::make_fans(entries(), dim, vertices_.values(), detail::Sizes<F>::row, detail::fan_ring<F>);
    if constexpr (has_all_strategies<F>())
      if (options.strategy == Strategy::transposed)
        transposed_ = detail::Transposed<F, Real>(this->data({}, {}, {}), options.blocks, options.batches);
  }

  std::size_t num_entries() const { return cells_.to_size() * components; }
  std::size_t num_cells() const { return cells_.from_size(); }
  /// The options, with the block size that was chosen where a strategy has blocks.
  const Options& options() const { return options_; }

  /// Overwrites all coefficients at nodes (node, coefficients), one of them (node), those of cells (cell,
  /// cell_coefficients), or those of sides (side, point, side_coefficients), for later calls. O(entries), on the
  /// device. Errors: InputError, another number of values, or a coefficient that the form has not.
  void set_coefficients(const Instance& instance, const Vector<const Real>& values) {
    constexpr int nodal = nodal_coefficients<F>();
    detail::require_entries(values.extent(0), cells_.to_size() * nodal);
    for (int which = 0; which < nodal; ++which)
      detail::set_column<nodal>(instance, values, which, vertices_.pointer(), dim + which);
    coefficients_have_changed(instance);
  }
  void set_coefficient(const Instance& instance, int which, const Vector<const Real>& values) {
    constexpr int nodal = nodal_coefficients<F>();
    require(which >= 0 && which < nodal, "which", which, "accepted are 0 to " + std::to_string(nodal - 1));
    detail::require_entries(values.extent(0), cells_.to_size());
    detail::set_column<1>(instance, values, 0, vertices_.pointer(), dim + which);
    coefficients_have_changed(instance);
  }
  void set_cell_coefficients(const Instance& instance, const Vector<const Real>& values) {
    detail::require_entries(values.extent(0), own_.values().extent(0));
    Kokkos::deep_copy(instance.space(), own_.values(), values);
    coefficients_have_changed(instance);
  }
  void set_side_coefficients(const Instance& instance, const Vector<const Real>& values) {
    detail::require_entries(values.extent(0), at_sides_.extent(0));
    Kokkos::deep_copy(instance.space(), at_sides_, values);
  }
  /// The sides over which b0 is integrated.
  const std::vector<mesh::CellSide>& sides() const { return side_list_; }

  /// r = the residual of u; `reference` waits for the result.
  void apply(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& r) const {
    run<detail::Action::residual>(instance, u, u, r);
  }
  /// y = the Jacobian at u times w.
  void apply_jacobian(const Instance& instance, const Vector<const Real>& u, const Vector<const Real>& w,
                      const Vector<Real>& y) const {
    run<detail::Action::jacobian>(instance, u, w, y);
  }
  /// The part of apply() that the paper times, on the E-vectors that the last apply() left. Errors: another strategy
  /// than transposed (InputError).
  void apply_to_e_vectors(const Instance& instance) const {
    require(options_.strategy == Strategy::transposed,
            "strategy " + name(options_.strategy) + " has no E-vectors: accepted is transposed");
    if constexpr (has_all_strategies<F>())
      transposed_.template run_kernel<detail::Action::residual>(instance, data({}, {}, {}));
  }

  /// Checks that the integrals of all cells are finite for u. Errors: the first cell where one is not (InputError).
  void require_finite(const Vector<const Real>& u) const {
    const std::int64_t cell = detail::first_not_finite(data(u, u, {}));
    detail::require_no_cell(cell, num_cells());
  }

  /// The form and its arrays at u, for other loops over cells; valid while this and u live.
  detail::CellIntegral<F, Real> cell_integral(const Vector<const Real>& u) const { return {data(u, u, {})}; }
  detail::SideIntegral<F, Real> side_integral(const Vector<const Real>& u) const {
    return side_integral(data(u, u, {}));
  }

  /// Flops of one apply() by the plain algorithm: every cell once.
  double flops() const { return detail::cell_flops<F>() * double(num_cells()); }
  /// Bytes of one apply(), least possible: the map, vertices and u read once, r written once.
  double least_bytes() const {
    return cells_.bytes() + vertices_.bytes() + own_.bytes() + 2. * sizeof(Real) * double(num_entries());
  }
  /// Bytes of the strategy's own data model: of transposed, E-vectors and stored geometry; of the others r counts
  /// twice, since it is read and written, and fans replace the map.
  double bytes() const {
    if constexpr (has_all_strategies<F>())
      if (options_.strategy == Strategy::transposed) return transposed_.template bytes<detail::Action::residual>();
    const double map =
        options_.strategy == Strategy::fans ? sizeof(Index) * double(fans_.extent(0)) - cells_.bytes() : 0;
    return least_bytes() + sizeof(Real) * double(num_entries()) + map;
  }
  /// Figures of the plan of tiles and owner; of fans the reuse of the nodes of a fan; zeros for the others.
  indirect::PlanFigures figures() const {
    indirect::PlanFigures figures = plan_ ? plan_->figures() : indirect::PlanFigures{};
    if (num_fans() > 0)
      figures.reuse_factor = double(num_cells()) * (dim + 1) / (double(num_fans()) * (2 + detail::fan_ring<F>));
    return figures;
  }
  /// What the device reports about the kernel of fans and of strategies with a plan.
  TeamResources resources() const {
    if constexpr (has_fans<F>())
      if (options_.strategy == Strategy::fans) return team_resources<Fans<detail::Action::residual>>();
    const Vector<Real> none = make_zeros<Real>("weakform/none", num_entries());
    return plan_ ? residual_loop(none, none).resources() : TeamResources{};
  }

 private:
  using Values = Field<Real, components>;
  using VertexField = Field<Real, detail::Sizes<F>::row>;
  using OwnField = Field<Real, detail::Sizes<F>::own>;
  using Plan = indirect::Plan<dim + 1>;
  using ResidualLoop = decltype(detail::make_cell_loop<F>(
      std::string(), std::declval<Plan>(), detail::CellResidual<F, Real>{}, OwnField(), indirect::read(VertexField()),
      indirect::read(Values()), indirect::increment(Values())));
  using JacobianLoop = decltype(detail::make_cell_loop<F>(
      std::string(), std::declval<Plan>(), detail::CellJacobian<F, Real>{}, OwnField(), indirect::read(VertexField()),
      indirect::read(Values()), indirect::read(Values()), indirect::increment(Values())));
  using Pointers = std::array<const Real*, 3>;
  /// A loop on the vectors of the last call: making one costs more than a small launch.
  template <class LoopType>
  struct Cached {
    Pointers vectors;
    LoopType loop;
  };
  /// A vector as loops take it; those that they read they do not write. It owns nothing, so that caches keep no memory.
  static Values values(const Vector<const Real>& vector) {
    return Values(Vector<Real>(const_cast<Real*>(vector.data()), vector.extent(0)));
  }

  /// Plans with the block size that is asked for, or else with the largest that fits.
  void plan() {
    if (options_.block_size) return plan(*options_.block_size, options_.first_cell);
    const int usual = usual_block_size(options_.strategy);
    const auto fits = [&](int size) {
      try {
        plan(size, size == usual ? options_.first_cell : std::vector<Index>{});
        return true;
      } catch (const InputError&) {
        return false;
      }
    };
    options_.block_size = largest_block(usual, fits);
    if (options_.block_size == 1) plan(1, {});
  }
  /// Errors: InputError, blocks that do not fit.
  void plan(int block_size, const std::vector<Index>& first_cell) {
    plan_.emplace(cells_, plan_options(block_size), first_cell);
    const Vector<Real> none = make_zeros<Real>("weakform/none", num_entries());
    residual_loop(none, none);
    jacobian_loop(none, none, none);
    residual_.reset();
    jacobian_.reset();
  }

  template <detail::Action action>
  using Fans = detail::FansKernel<F, Real, action>;
  std::size_t num_fans() const { return fans_.extent(0) / (2 + detail::fan_ring<F>); }
  /// The map as numbers (cell * (dim + 1) + v).
  Vector<const Index> entries() const {
    return Vector<const Index>(reinterpret_cast<const Index*>(cells_.ids().data()), num_cells() * (dim + 1));
  }

  indirect::PlanOptions plan_options(int block_size) const {
    const indirect::Strategy strategy = options_.strategy == Strategy::reference ? indirect::Strategy::serial
                                        : options_.strategy == Strategy::cells   ? indirect::Strategy::atomic
                                        : options_.strategy == Strategy::tiles   ? indirect::Strategy::hierarchical
                                                                                 : indirect::Strategy::owner;
    return {strategy, block_size, options_.in_block, options_.write_back, options_.staging};
  }

  detail::FormData<F, Real> data(const Vector<const Real>& u, const Vector<const Real>& w,
                                 const Vector<Real>& r) const {
    const std::size_t nodes = cells_.to_size();
    return {form_,
            cells_.ids().data(),
            vertices_.const_pointer(),
            own_.const_pointer(),
            {u.data(), nodes},
            {w.data(), nodes},
            {r.data(), nodes},
            static_cast<Index>(cells_.from_size())};
  }

  detail::SideIntegral<F, Real> side_integral(const detail::FormData<F, Real>& data) const {
    return {data, sides_.data(), at_sides_.data(), static_cast<Index>(sides_.extent(0))};
  }
  static space::Space space_without_masks(space::Space space) {
    space.element_to_node = space::without_masks(space.element_to_node);
    return space;
  }
  void coefficients_have_changed([[maybe_unused]] const Instance& instance) {
    if constexpr (has_all_strategies<F>())
      if (options_.strategy == Strategy::transposed) {
        instance.fence();
        transposed_.store_geometry(data({}, {}, {}));
      }
  }

  const ResidualLoop& residual_loop(const Vector<const Real>& u, const Vector<const Real>& r) const {
    using indirect::increment, indirect::read;
    const Pointers vectors{u.data(), r.data()};
    if (!residual_ || residual_->vectors != vectors)
      residual_.emplace(Cached<ResidualLoop>{
          vectors, detail::make_cell_loop<F>("weakform/residual", *plan_, detail::CellResidual<F, Real>{form_}, own_,
                                             read(vertices_), read(values(u)), increment(values(r)))});
    return residual_->loop;
  }
  const JacobianLoop& jacobian_loop(const Vector<const Real>& u, const Vector<const Real>& w,
                                    const Vector<const Real>& y) const {
    using indirect::increment, indirect::read;
    const Pointers vectors{u.data(), w.data(), y.data()};
    if (!jacobian_ || jacobian_->vectors != vectors)
      jacobian_.emplace(Cached<JacobianLoop>{
          vectors, detail::make_cell_loop<F>("weakform/jacobian", *plan_, detail::CellJacobian<F, Real>{form_}, own_,
                                             read(vertices_), read(values(u)), read(values(w)), increment(values(y)))});
    return jacobian_->loop;
  }

  template <detail::Action action>
  void run(const Instance& instance, const Vector<const Real>& u, const Vector<const Real>& w,
           const Vector<Real>& r) const {
    for (const Vector<const Real>& vector : {u, w, Vector<const Real>(r)})
      detail::require_entries(vector.extent(0), num_entries());
    Kokkos::deep_copy(instance.space(), r, Real(0));
    if (!is_loop(options_.strategy)) {
      if constexpr (has_all_strategies<F>()) run_other<action>(instance, data(u, w, r));
    } else if constexpr (action == detail::Action::residual) {
      residual_loop(u, r)(instance);
    } else {
      jacobian_loop(u, w, r)(instance);
    }
    if constexpr (has_b0<F>())
      if (!side_list_.empty()) detail::add_integrals<F, Real, action>(instance, side_integral(data(u, w, r)));
    detail::clear_nodes<components>(instance, masked_, r);
  }
  /// Strategies that are no loops of `indirect`.
  template <detail::Action action>
  void run_other(const Instance& instance, const detail::FormData<F, Real>& data) const {
    if (options_.strategy == Strategy::transposed)
      transposed_.template run<action>(instance, data);
    else if (options_.strategy == Strategy::points)
      run_items<action, detail::Item::point>(instance, data);
    else if (options_.strategy == Strategy::functions)
      run_items<action, detail::Item::function>(instance, data);
    else if constexpr (has_fans<F>())
      run_fans<action>(instance, data);
  }
  template <detail::Action action>
  void run_fans(const Instance& instance, const detail::FormData<F, Real>& data) const {
    const Fans<action> kernel{data, reinterpret_cast<const indirect::Ids<Fans<action>::arity>*>(fans_.data()),
                              static_cast<Index>(num_fans())};
    for_teams(instance, "weakform/fans", (kernel.size + kernel.threads - 1) / kernel.threads, kernel);
  }
  template <detail::Action action, detail::Item item>
  void run_items(const Instance& instance, const detail::FormData<F, Real>& data) const {
    using Kernel = detail::ItemKernel<F, Real, action, item>;
    const std::int64_t items = std::int64_t(data.size) * Kernel::items;
    for_teams(instance, item == detail::Item::point ? "weakform/points" : "weakform/functions",
              static_cast<int>((items + Kernel::threads - 1) / Kernel::threads), Kernel{data});
  }

  F form_;
  Options options_;
  indirect::ElementMap<dim + 1> cells_;
  VertexField vertices_;
  OwnField own_;
  std::vector<mesh::CellSide> side_list_;
  Vector<detail::SideIds<dim>> sides_;
  Vector<Real> at_sides_;
  Vector<Index> masked_;
  std::optional<indirect::Plan<dim + 1>> plan_;
  Vector<Index> fans_;
  std::conditional_t<has_all_strategies<F>(), detail::Transposed<F, Real>, int> transposed_{};
  mutable std::optional<Cached<ResidualLoop>> residual_;
  mutable std::optional<Cached<JacobianLoop>> jacobian_;
};

/// The residual of a form in the precision `Real`.
template <class Real, Form F>
Residual<F, Real> make_residual(const F& form, const mesh::Mesh& mesh, const space::Space& space,
                                const Coefficients& data, const Options& options = {}) {
  return {form, mesh, space, data, options};
}

}  // namespace miniapp::weakform
