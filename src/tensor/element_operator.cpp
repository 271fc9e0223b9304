// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_operator.hpp"

#include <algorithm>

#include "miniapp/core/error.hpp"
#include "miniapp/core/orders.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/tensor/reference.hpp"
#include "tensor/ladder_rules.hpp"
#include "tensor/order_kernels.hpp"

namespace miniapp::tensor {
namespace {

/// Checks the mesh before anything is built on it.
mesh::Mesh checked(mesh::Mesh mesh, int order) {
  const std::int64_t inverted = geometry::find_inverted(mesh, basis::gauss(order + 2));
  require(inverted < 0, "mesh: element " + std::to_string(inverted) + " is inverted, det J <= 0");
  return mesh;
}

/// The judge as an operator of its own, so that it can be run and timed like the others.
template <class Real>
class ReferenceOperator : public ElementOperator<Real> {
 public:
  explicit ReferenceOperator(const Discretisation& d)
      : reference_(d),
        map_(streaming::make_node_map(d.numbering.element_to_node)),
        map_bytes_(streaming::node_map_bytes(d.numbering.element_to_node)),
        x_(make_zeros<double>("tensor/reference/x", d.numbering.num_nodes)),
        y_(make_zeros<double>("tensor/reference/y", d.numbering.num_nodes)) {}

  void apply(const Vector<const Real>& x, const Vector<Real>& y) const override {
    Kokkos::deep_copy(x_, x);
    reference_.apply(x_, y_);
    Kokkos::deep_copy(y, y_);
  }
  void apply_local(const Vector<const Real>&, const Vector<Real>&) const override {
    throw InputError("--kernel reference: has no element kernel apart from its gather and scatter");
  }
  Vector<const mesh::Index> local_nodes() const override { return map_; }
  typename ElementOperator<Real>::Memory memory() const override { return {0, 2 * map_bytes_, 0}; }

 private:
  Reference reference_;
  Vector<const mesh::Index> map_;
  std::size_t map_bytes_;
  Vector<double> x_, y_;
};

constexpr int orders[] = {MINIAPP_ORDERS};

template <class Real, int order, int... rest>
std::unique_ptr<ElementOperator<Real>> dispatch(const Variant& variant, const Discretisation& d,
                                                std::integer_sequence<int, order, rest...>) {
  if (d.order == order) return make_order_operator<order, Real>(variant, d);
  if constexpr (sizeof...(rest) > 0) return dispatch<Real>(variant, d, std::integer_sequence<int, rest...>());
  return nullptr;
}

}  // namespace

Discretisation::Discretisation(mesh::Mesh mesh_, Problem problem_, int order_, mesh::Boundary boundary, double lambda_)
    : mesh(checked(std::move(mesh_), order_)),
      problem(problem_),
      order(order_),
      lambda(lambda_),
      basis(order_),
      numbering(mesh::make_numbering(mesh, order_, boundary)),
      trilinear(geometry::make_trilinear(mesh)) {}

std::string name(Kernel kernel) {
  switch (kernel) {
    case Kernel::reference:
      return "reference";
    case Kernel::lines:
      return "lines";
    case Kernel::tiles:
      return "tiles";
    case Kernel::lanes:
      return "lanes";
    default:
      return "rung" + std::to_string(rung_index(kernel) + 1);
  }
}

std::string idea(Kernel kernel, Problem problem) {
  switch (kernel) {
    case Kernel::reference:
      return "obvious loops in double precision, intermediates in main memory: the judge of all others";
    case Kernel::lines:
      return "a thread a line of nodes, even-odd; gather and scatter fused";
    case Kernel::tiles:
      return "a warp an element, derivatives as products of 8 x 8 tiles on FP64 tensor cores";
    case Kernel::lanes:
      return "elements in the lanes of vector registers, even-odd; gather and scatter fused";
    default:
      return rung_idea(problem, rung_index(kernel));
  }
}

std::vector<int> built_orders() { return {std::begin(orders), std::end(orders)}; }

namespace {

bool takes(Kernel kernel, Geometry geometry) {
  if (kernel == Kernel::lines || kernel == Kernel::lanes) return true;
  return (geometry == Geometry::stored) == is_rung(kernel);
}

std::string why_not(Kernel kernel, Problem problem, int order, int word) {
  if (kernel == Kernel::reference) return "";
  if (std::find(std::begin(orders), std::end(orders), order) == std::end(orders))
    return "this build holds no kernels of order " + std::to_string(order) + " (MINIAPP_ORDERS)";
  if (kernel == Kernel::lines && runs_on_host) return "needs a GPU: a thread owns a line of nodes across team barriers";
  if (kernel == Kernel::tiles) {
    if (!has_warps) return "needs CUDA: it works on the matrix tiles of a warp";
    if (problem != Problem::bp3_5 || order != 7) return "exists for BP3.5 of order 7, whose lines fill tiles of 8 x 8";
    if (word != sizeof(double)) return "exists in double precision only";
  }
  if (kernel == Kernel::lanes && !runs_on_host)
    return "needs a host back end: it works on the processor's vector registers";
  if (is_rung(kernel)) return rung_why_not(problem, rung_index(kernel), order, word);
  return "";
}

}  // namespace

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Kernel kernel : all_kernels)
    for (const Geometry geometry : all_geometries)
      if (takes(kernel, geometry)) variants.push_back({kernel, geometry});
  return variants;
}

std::string name(const Variant& variant) { return name(variant.kernel) + ", " + name(variant.geometry); }

std::string why_not(const Variant& variant, Problem problem, int order, int word) {
  const std::string reason = why_not(variant.kernel, problem, order, word);
  if (!reason.empty() || takes(variant.kernel, variant.geometry)) return reason;
  return variant.geometry == Geometry::computed ? "reads stored factors only" : "computes its factors only";
}

double estimated_memory(const Variant& variant, Problem problem, int order, double elements, double nodes, int word) {
  const double n = order + 1, q = problem == Problem::bp3_5 ? n : n + 1, local = elements * n * n * n;
  const bool stiffness = has_stiffness(problem);
  // right-hand side and diagonal in double, with those of verification or of CG with Jacobi; mesh, its edges and faces
  // while they are sorted; Z
  const double vectors = nodes * std::max(7 * word + 16, 2 * word + 48) + 800 * elements, map = 4 * local;
  const double factors =
      word * elements * q * q * q * (stiffness ? 7 : 1) * (variant.geometry == Geometry::stored ? 1 : 0);
  switch (variant.kernel) {
    case Kernel::reference:
      return vectors + 2 * map + 16 * nodes;
    case Kernel::lines:
    case Kernel::tiles:
      return vectors + 2 * map + factors + word * elements * 27;
    case Kernel::lanes:
      return vectors + map + 7 * elements * n * n + factors +
             (variant.geometry == Geometry::computed ? word * elements * q * q * (stiffness ? 15 : 3) : 0);
    default:
      return vectors + map + 8 * (local + nodes) + 2 * word * local + factors +
             word * elements * q * q * q * intermediate_cubes(problem, rung_index(variant.kernel));
  }
}

template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(const Variant& variant, const Discretisation& d) {
  const std::string reason = why_not(variant, d.problem, d.order, sizeof(Real));
  require(reason.empty(), "--kernel " + name(variant.kernel) + ": " + reason);
  if (variant.kernel == Kernel::reference) return std::make_unique<ReferenceOperator<Real>>(d);
  return dispatch<Real>(variant, d, std::integer_sequence<int, MINIAPP_ORDERS>());
}

template std::unique_ptr<ElementOperator<double>> make_operator(const Variant&, const Discretisation&);
template std::unique_ptr<ElementOperator<float>> make_operator(const Variant&, const Discretisation&);

}  // namespace miniapp::tensor
