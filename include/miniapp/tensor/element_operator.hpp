// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "miniapp/basis/tensor_basis.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/numbering.hpp"
#include "miniapp/streaming/gather_scatter.hpp"
#include "miniapp/tensor/problem.hpp"

namespace miniapp::tensor {

/// A bake-off problem on a mesh: all that its kernels share.
struct Discretisation {
  Discretisation(mesh::Mesh mesh, Problem problem, int order, mesh::Boundary boundary, double lambda);

  mesh::Mesh mesh;
  Problem problem;
  int order;
  double lambda;  ///< screening constant [1/m^2]; not used by BP1.0
  basis::TensorBasis basis;
  mesh::Numbering numbering;
  Vector<const double> trilinear;  ///< geometry::make_trilinear(mesh)

  /// The rule that the problem's integrals use: Gauss, or Gauss-Lobatto for BP3.5.
  const basis::Rule& rule() const { return problem == Problem::bp3_5 ? basis.nodes : basis.points; }
  /// Local nodes of all elements.
  std::size_t num_local() const { return numbering.element_to_node.entries.size(); }
};

/// The ways to compute an operator, a kernel each.
enum class Kernel {
  reference,  ///< obvious loops in double precision, the judge of all others
  team,       ///< a team an element, cubes in team scratch, stored factors; gather and scatter apart
  lines,  ///< a thread a line of nodes, registers across barriers; computed factors; gather and scatter fused (GPUs)
  lanes,  ///< elements in the lanes of vector registers; gather and scatter fused (CPUs)
};
inline constexpr Kernel all_kernels[] = {Kernel::reference, Kernel::team, Kernel::lines, Kernel::lanes};

std::string name(Kernel kernel);
/// One sentence on what the kernel does.
std::string idea(Kernel kernel);
/// Empty where this build can run the kernel at `order`; else why not.
std::string why_not(Kernel kernel, int order);
/// Empty where the kernel can take its geometry from there; else why not.
std::string why_not(Kernel kernel, Geometry geometry);
/// The fastest kernel that can run.
Kernel fastest(int order);
/// The fastest kernel that can run with such a geometry.
Kernel fastest(Geometry geometry, int order);
/// The geometry that makes a kernel fastest, by docs/results/tensor.md.
Geometry fastest_geometry(Kernel kernel, Problem problem, int order);
/// Orders that this build holds fast kernels for.
std::vector<int> built_orders();

/// A linear operator on global vectors of numbering.num_nodes entries. Its discretisation must outlive it.
template <class Real>
class ElementOperator {
 public:
  virtual ~ElementOperator() = default;

  /// y = Z^T A_L Z x. Masked entries of x are not read, those of y are zero.
  virtual void apply(const Vector<const Real>& x, const Vector<Real>& y) const = 0;

  /// The same where y is zero already.
  virtual void apply_to_zero(const Vector<const Real>& x, const Vector<Real>& y) const { apply(x, y); }

  /// v = A_L u on E-vectors in the kernel's own layout, gather and scatter left out.
  virtual void apply_local(const Vector<const Real>& u, const Vector<Real>& v) const = 0;

  /// The layout of E-vectors: the node of each entry, ~node where it is masked or only fills up a register.
  virtual Vector<const mesh::Index> local_nodes() const = 0;

  /// What the kernel stores beside the discretisation: factors, index arrays and E-vectors [bytes].
  struct Memory {
    std::size_t factors = 0, indices = 0, local_vectors = 0;
  };
  virtual Memory memory() const = 0;
};

/// Bytes that set-up and CG with this kernel need: mesh, vectors of `nodes` entries, factors, index arrays, E-vectors.
double estimated_memory(Kernel kernel, Geometry geometry, Problem problem, int order, double elements, double nodes,
                        int word);

/// Errors: InputError where why_not() says something.
template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(Kernel kernel, Geometry geometry, const Discretisation& problem);

/// The same with the geometry that makes the kernel fastest.
template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(Kernel kernel, const Discretisation& problem) {
  return make_operator<Real>(kernel, fastest_geometry(kernel, problem.problem, problem.order), problem);
}

}  // namespace miniapp::tensor
