// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_operator.hpp"

#include <algorithm>

#include "core/with_order.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "miniapp/tensor/reference.hpp"
#include "space/shared_first.hpp"
#include "tensor/componentwise_operator.hpp"
#include "tensor/ladder/ladder_rules.hpp"
#include "tensor/lanes/lane_groups.hpp"
#include "tensor/order_kernels.hpp"
#include "tensor/upright.hpp"

namespace miniapp::tensor {
namespace {

template <class Work>
auto timed(measure::Phases* phases, const char* name, const Work& work) {
  return phases ? phases->time(name, work) : work();
}

/// The trilinear maps of a mesh, after a check for inverted elements.
Vector<const double> checked_trilinear(const mesh::Mesh& mesh, int order) {
  mesh::require_vertices(mesh);
  const Vector<const double> trilinear = geometry::make_trilinear(mesh);
  require_upright(mesh, trilinear, basis::gauss(order + 2));
  return trilinear;
}

/// The reference as an ElementOperator, so that it can be run and timed like the others.
template <class Real>
class ReferenceOperator : public ElementOperator<Real> {
 public:
  explicit ReferenceOperator(const Discretisation& d)
      : ElementOperator<Real>(d.space),
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
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override {
    instance.fence();  // the reference runs on the default instance
    Kokkos::deep_copy(x_, x);
    reference_.apply(x_, y_);
    Kokkos::deep_copy(y, y_);
  }

  Reference reference_;
  Vector<const Index> entries_;
  std::size_t map_bytes_;
  Vector<double> x_, y_;
};

}  // namespace

Discretisation::Discretisation(mesh::Mesh mesh_, Problem problem_, int order_, space::Boundary boundary, double lambda_,
                               int components, measure::Phases* phases)
    : Discretisation(std::make_shared<const mesh::Mesh>(std::move(mesh_)), problem_, order_, boundary, lambda_,
                     components, phases) {}

Discretisation::Discretisation(std::shared_ptr<const mesh::Mesh> mesh_, Problem problem_, int order_,
                               space::Boundary boundary, double lambda_, int components, measure::Phases* phases)
    : mesh(std::move(mesh_)),
      problem(problem_),
      order(order_),
      lambda(lambda_),
      basis(order_),
      trilinear(timed(phases, "check", [&] { return checked_trilinear(*mesh, order_); })),
      space(
          timed(phases, "numbering", [&] { return miniapp::space::make_space(*mesh, order_, components, boundary); })) {
  lane_groups = std::make_shared<LaneGroupCache>();
  if (!runs_on_host && !space.exchange.empty()) timed(phases, "numbering", [&] { put_shared_first(); });
}

void Discretisation::put_shared_first() {
  const std::vector<Index> elements = miniapp::space::shared_first(space, shared_elements);
  if (std::is_sorted(elements.begin(), elements.end())) return;
  lane_groups = std::make_shared<LaneGroupCache>();
  mesh = std::make_shared<const mesh::Mesh>(mesh::reorder(*mesh, elements));
  trilinear = geometry::make_trilinear(*mesh);
  space.element_to_node = miniapp::space::reorder(space.element_to_node, elements);
}

template <class Real>
void ElementOperator<Real>::refuse(std::size_t x, std::size_t y) const {
  for (const auto& [name, size] : {std::pair("x", x), std::pair("y", y)})
    require(size == entries_, name, std::to_string(size),
            "entries are no vector of the operator's space; accepted are " + std::to_string(entries_));
  throw InputError("space", std::to_string(space_->masked.size()),
                   "nodes are constrained, but " + std::to_string(num_masked_) +
                       " were when the operator was made; accepted is an operator made after hold()");
}
template class ElementOperator<double>;
template class ElementOperator<float>;

template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(const Variant& variant, const Discretisation& d) {
  const std::string reason = why_not(variant, d.problem, d.order, sizeof(Real));
  require(reason.empty(), "kernel", name(variant.kernel), reason);
  if (variant.kernel == Kernel::reference) return std::make_unique<ReferenceOperator<Real>>(d);
  using Made = std::unique_ptr<ElementOperator<Real>>;
  Made op = with_order<Made>(d.order, [&]<int order>() -> Made {
    if constexpr (std::is_same_v<Real, double>)
      if (is_rung(variant.kernel)) return make_order_rung<order>(rung_index(variant.kernel), d);
    return make_order_operator<order, Real>(variant, d);
  });
  if (!is_rung(variant.kernel) || d.space.components == 1) return op;
  return std::make_unique<ComponentwiseOperator<Real>>(std::move(op), d.space);
}

template std::unique_ptr<ElementOperator<double>> make_operator(const Variant&, const Discretisation&);
template std::unique_ptr<ElementOperator<float>> make_operator(const Variant&, const Discretisation&);

}  // namespace miniapp::tensor
