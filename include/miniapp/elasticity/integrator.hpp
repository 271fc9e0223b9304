// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/teams.hpp"
#include "miniapp/elasticity/planner.hpp"
#include "miniapp/elasticity/reference.hpp"
#include "miniapp/mesh/mesh.hpp"

/// Element matrices of linear elasticity on prisms, computed on the device by fast kernels; reference.hpp defines them.
namespace miniapp::elasticity {

/// How element matrices are computed.
enum class Method {
  reg_jac,    ///< the paper's: entries in registers, Jacobians computed in the kernel
  reg_nojac,  ///< the paper's: entries in registers, Jacobians read
  shm_jac,    ///< the paper's: entries in scratch, Jacobians computed in the kernel
  shm_nojac,  ///< the paper's: entries in scratch, Jacobians read
  products,   ///< six symmetric products of gradients; lambda and mu are applied once at the end
  split,      ///< one symmetric product, with quadrature over the triangle first, then over the line
};
constexpr auto names(Method) { return std::array{"reg-jac", "reg-nojac", "shm-jac", "shm-nojac", "products", "split"}; }
/// Whether a method reads Jacobians from memory.
bool reads_jacobians(Method method);
/// The variant of the paper whose plan a method uses; methods beyond the paper share only its elements per kernel.
Variant variant_of(Method method);
/// Empty where kernels of this build can run the method at this order, else why not.
std::string why_not(Method method, int order);

/// Prisms on the host.
struct Prisms {
  std::vector<double> vertices;   ///< (element, vertex, d) [m]
  std::vector<double> materials;  ///< (element; lambda, mu) [Pa]
  std::size_t size() const { return materials.size() / 2; }
};

/// Prisms of general shape at different positions: each has the reference prism's size, is sheared, and every vertex is
/// moved by up to `deform` (up to 0.12 none can be inverted). The same seed gives the same prisms. The material has
/// Young's modulus `young` [Pa] and Poisson's ratio `poisson`, or, if `varied`, values around them that differ per
/// element. Errors: an
/// inverted prism (InputError).
Prisms make_prisms(std::size_t size, double deform, double young, double poisson, bool varied, unsigned seed);

/// The elements of a mesh, all of one material. Errors: a mesh of other cells, an element with det J <= 0 at some
/// point, a material that make_lame() rejects (InputError).
Prisms make_prisms(const mesh::Mesh& mesh, double young, double poisson);

/// Inverse Jacobians d xi_a / d x_d and w det J at the points of an order: (element, point; 9 (a, d), 1), what
/// Jacobian::read takes. Elements [begin, end).
template <class Real>
std::vector<Real> jacobians(const basis::PrismTables& tables, const Prisms& prisms, std::size_t begin, std::size_t end);

/// The input of kernels, on the device.
template <class Real>
struct Input {
  std::size_t size = 0;    ///< elements
  Vector<Real> vertices;   ///< (element, vertex, d) [m]
  Vector<Real> jacobians;  ///< what jacobians() returns, instead of vertices, where a method reads them
  Vector<Real> materials;  ///< (element; lambda, mu) [Pa]
};

/// Computes element matrices of one order by one method.
template <class Real>
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Overwrites matrices (element, i, k, r, s) [N/m] (matrix_place), for input.size elements, without waiting.
  virtual void run(const Instance& instance, const Input<Real>& input, const Vector<Real>& matrices) const = 0;
  /// Floating-point operations per element as executed, without negligible ones; a multiply-add counts as two.
  virtual double flops() const = 0;
  /// What the device reports about the kernel that does most of the work.
  virtual TeamResources resources() const = 0;
};

/// `plan` is the result of make_plan() for the paper's methods; other methods choose their own decomposition. Errors:
/// InputError with the reason of why_not().
template <class Real>
std::unique_ptr<Integrator<Real>> make_integrator(Method method, int order, const Plan& plan);

}  // namespace miniapp::elasticity
