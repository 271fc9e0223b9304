// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_operator.hpp"

#include <algorithm>

#include "miniapp/core/error.hpp"
#include "miniapp/core/orders.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/tensor/reference.hpp"
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
        x_("tensor/reference/x", d.numbering.num_nodes),
        y_("tensor/reference/y", d.numbering.num_nodes) {}

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
std::unique_ptr<ElementOperator<Real>> dispatch(Kernel kernel, Geometry geometry, const Discretisation& d,
                                                std::integer_sequence<int, order, rest...>) {
  if (d.order == order) return make_order_operator<order, Real>(kernel, geometry, d);
  if constexpr (sizeof...(rest) > 0) return dispatch<Real>(kernel, geometry, d, std::integer_sequence<int, rest...>());
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
    case Kernel::team:
      return "team";
    case Kernel::lines:
      return "lines";
    case Kernel::lanes:
      return "lanes";
  }
  return "";
}

std::string idea(Kernel kernel) {
  switch (kernel) {
    case Kernel::reference:
      return "obvious loops in double precision, intermediates in main memory: the judge of all others";
    case Kernel::team:
      return "a team an element, cubes in team scratch, stored factors; gather and scatter apart";
    case Kernel::lines:
      return "a thread a line of nodes, even-odd, factors computed; gather and scatter fused";
    case Kernel::lanes:
      return "elements in the lanes of vector registers, even-odd; gather and scatter fused";
  }
  return "";
}

std::vector<int> built_orders() { return {std::begin(orders), std::end(orders)}; }

std::string why_not(Kernel kernel, int order) {
  if (kernel == Kernel::reference) return "";
  if (std::find(std::begin(orders), std::end(orders), order) == std::end(orders))
    return "this build holds no kernels of order " + std::to_string(order) + " (MINIAPP_ORDERS)";
  if (kernel == Kernel::lines && runs_on_host) return "needs a GPU: a thread owns a line of nodes across team barriers";
  if (kernel == Kernel::lanes && !runs_on_host)
    return "needs a host back end: it works on the processor's vector registers";
  return "";
}

std::string why_not(Kernel kernel, Geometry geometry) {
  const Geometry only = kernel == Kernel::team ? Geometry::stored : Geometry::computed;
  if (kernel == Kernel::lanes || geometry == only) return "";
  return only == Geometry::stored ? "reads stored factors only" : "computes its factors only";
}

Kernel fastest(int order) {
  for (const Kernel kernel : {Kernel::lanes, Kernel::lines, Kernel::team})
    if (why_not(kernel, order).empty()) return kernel;
  return Kernel::reference;
}

Kernel fastest(Geometry geometry, int order) {
  for (const Kernel kernel : {Kernel::lanes, Kernel::lines, Kernel::team})
    if (why_not(kernel, order).empty() && why_not(kernel, geometry).empty()) return kernel;
  return Kernel::reference;
}

Geometry fastest_geometry(Kernel kernel, Problem problem, int order) {
  if (kernel != Kernel::lanes) return kernel == Kernel::team ? Geometry::stored : Geometry::computed;
  const int stored_up_to = problem == Problem::bp3_0 ? 2 : 3;  // of 16^3 elements: then the factors leave the caches
  return order <= stored_up_to ? Geometry::stored : Geometry::computed;
}

double estimated_memory(Kernel kernel, Geometry geometry, Problem problem, int order, double elements, double nodes,
                        int word) {
  const double n = order + 1, q = problem == Problem::bp3_5 ? n : n + 1, local = elements * n * n * n;
  const bool stiffness = has_stiffness(problem);
  // right-hand side and diagonal in double, with those of verification or of CG with Jacobi; mesh, its edges and faces
  // while they are sorted; Z
  const double vectors = nodes * std::max(7 * word + 16, 2 * word + 48) + 800 * elements, map = 4 * local;
  switch (kernel) {
    case Kernel::reference:
      return vectors + 2 * map + 16 * nodes;
    case Kernel::team:
      return vectors + map + 8 * (local + nodes) + 2 * word * local + word * elements * q * q * q * (stiffness ? 7 : 1);
    case Kernel::lines:
      return vectors + 2 * map + word * elements * 24;
    case Kernel::lanes:
      return vectors + map + 7 * elements * n * n +
             word * elements * q * q *
                 (geometry == Geometry::computed ? (stiffness ? 15 : 3) : q * (stiffness ? 7 : 1));
  }
  return 0;
}

template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(Kernel kernel, Geometry geometry, const Discretisation& d) {
  std::string reason = why_not(kernel, d.order);
  if (reason.empty()) reason = why_not(kernel, geometry);
  require(reason.empty(), "--kernel " + name(kernel) + ": " + reason);
  if (kernel == Kernel::reference) return std::make_unique<ReferenceOperator<Real>>(d);
  return dispatch<Real>(kernel, geometry, d, std::integer_sequence<int, MINIAPP_ORDERS>());
}

template std::unique_ptr<ElementOperator<double>> make_operator(Kernel, Geometry, const Discretisation&);
template std::unique_ptr<ElementOperator<float>> make_operator(Kernel, Geometry, const Discretisation&);

}  // namespace miniapp::tensor
