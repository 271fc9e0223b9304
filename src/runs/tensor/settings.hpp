// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "miniapp/graph/partition.hpp"
#include "miniapp/graph/reorder.hpp"
#include "miniapp/indirect/plan.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "miniapp/tensor/user_problem.hpp"

namespace miniapp::tensor {

/// The right-hand side of the system.
enum class Rhs {
  manufactured,  ///< the right-hand side of a known solution
  random,
  nodal,  ///< make_nodal_load()
};
constexpr auto names(Rhs) { return std::array{"manufactured", "random", "nodal"}; }
constexpr auto descriptions(Rhs) {
  return std::array{
      "of a known solution", "not smooth",
      "3 pi^2 sines of coordinates from the cube's centre at elements' nodes, not integrated, as BPS5 has it"};
}

/// How the box becomes a mesh.
enum class MeshMap {
  smooth,   ///< mesh::deform()
  kershaw,  ///< mesh::map_kershaw()
};
constexpr auto names(MeshMap) { return std::array{"smooth", "kershaw"}; }
constexpr auto descriptions(MeshMap) {
  return std::array{"by --deform", "Kershaw's, with sheared, thin elements, by --eps"};
}

enum class Cg { classic, fused, pipelined };
constexpr auto names(Cg) { return std::array{"classic", "fused", "pipelined"}; }
constexpr auto descriptions(Cg) {
  return std::array{
      "textbook",
      "three passes per iteration, with lanes one, as vectors are updated between elements; scalars stay on the device",
      "two passes with one reduction; on ill-conditioned systems up to half as many iterations more"};
}
/// Whether it takes pointwise preconditioners only.
constexpr bool is_pointwise(Cg cg) { return cg != Cg::classic; }

enum class Preconditioner { none, jacobi, chebyshev, lor_amg, lor_ilu, p_multigrid, automatic };
constexpr auto names(Preconditioner) {
  return std::array{"none", "jacobi", "chebyshev", "lor-amg", "lor-ilu", "p-multigrid", "auto"};
}
constexpr auto descriptions(Preconditioner) {
  return std::array{"z = r",
                    "the diagonal",
                    "a polynomial of the operator and the diagonal, in single precision, with classic CG",
                    "a cycle of algebraic multigrid on the low-order refined matrix, with classic CG",
                    "incomplete factors of the same matrix by sweeps, applied by Neumann series, with classic CG",
                    "a V-cycle over orders, in single precision, with classic CG",
                    "what will probably take least time, by the elements' shapes, lambda and the tolerance; where --cg "
                    "is pointwise, jacobi"};
}
/// Whether it is made of the low-order refined matrix.
constexpr bool is_low_order(Preconditioner preconditioner) {
  return preconditioner == Preconditioner::lor_amg || preconditioner == Preconditioner::lor_ilu;
}
constexpr bool is_pointwise(Preconditioner preconditioner) {
  return preconditioner == Preconditioner::none || preconditioner == Preconditioner::jacobi;
}

/// Vectors that a solve holds beside the right-hand side: x, dx, r, p, q; with a preconditioner z, where CG is classic,
/// but multigrid over orders has its own; with Jacobi the inverse diagonal.
constexpr int num_vectors(Cg cg, Preconditioner preconditioner) {
  const bool stores_z = preconditioner != Preconditioner::none && preconditioner != Preconditioner::p_multigrid;
  return 5 + (stores_z && cg == Cg::classic) + (preconditioner == Preconditioner::jacobi);
}

/// A bake-off problem on a box of hexahedra, or a user's problem on a user's mesh, and what is done with it.
struct CaseSettings {
  Problem problem = Problem::bp3_0;
  UserProblem user;  ///< where it has data, `rhs` is not used
  /// The mesh of a file, on several ranks the part of this one, in place of the box; null: the problem is on the box.
  std::shared_ptr<const mesh::Mesh> mesh;
  std::int64_t mesh_elements = 0;  ///< how many the whole mesh of a file has
  int mesh_pieces = 1;             ///< hexahedra that each cell of the file was cut into: 4 of tetrahedra, 6 of prisms
  int components = 1, order = 7, nx = 0, ny = 0, nz = 0;
  std::array<int, 3> lengths{1, 1, 1};  ///< of the box along x, y, z [m]: the unit cube, unless --weak makes it longer
  MeshMap mesh_map = MeshMap::smooth;
  double deform = 0.08, eps = 0.3;  ///< amplitude of mesh::deform() [m], eps of mesh::map_kershaw()
  double lambda = 1;                ///< screening constant [1/m^2]
  miniapp::space::Boundary boundary = miniapp::space::Boundary::dirichlet;
  graph::Reorder reorder = graph::Reorder::none;
  std::optional<indirect::Strategy> assembly;  ///< none: as the kernel does it
  bool reproducible = false;                   ///< whether all sums are to have a fixed order
  Precision precision = Precision::fp64;
  Rhs rhs = Rhs::manufactured;
  Cg cg = Cg::fused;
  Preconditioner preconditioner = Preconditioner::none;
  multigrid::MultigridOptions multigrid;  ///< options of p-multigrid; chebyshev takes the degree, which it needs
  double tolerance = 0;
  int max_iterations = 10000;
  measure::Repeat repeat{};
  bool verify_only = false, no_solve = false;
  bool keeps_solution = false;  ///< whether the result has the solution and b - A x; a user's problem has the first
  bool compare_jacobi = false;  ///< whether CG with Jacobi solves the problem too
  /// Whether the one kernel that is run, with stored factors, is timed with computed ones too, and the faster is kept.
  bool tries_computed = false;
  Communicator ranks;  ///< ranks over which the elements are distributed
  graph::Partition partition = graph::Partition::rcb;

  /// Sets the sides of the box: as cubical as the number of elements allows.
  void set_elements(int elements);

  int word() const { return word_bytes(precision); }
  /// These settings with one of the preconditioners that `automatic` may stand for, and the CG that it takes.
  CaseSettings with(Preconditioner chosen) const;
  bool jacobi() const { return preconditioner == Preconditioner::jacobi; }
  bool chebyshev() const { return preconditioner == Preconditioner::chebyshev; }
  bool lor_amg() const { return preconditioner == Preconditioner::lor_amg; }
  bool lor_ilu() const { return preconditioner == Preconditioner::lor_ilu; }
  bool p_multigrid() const { return preconditioner == Preconditioner::p_multigrid; }
  /// Whether sums need more for a fixed order than one thread does.
  bool in_fixed_order() const { return reproducible && !has_one_thread; }
  bool solves() const { return !verify_only && !no_solve; }
  bool is_unit_cube() const { return lengths == std::array{1, 1, 1}; }
  /// Whether it is not the bake-off problem on the unit cube.
  bool is_given() const { return mesh || user.has_data(); }
  std::int64_t elements() const { return mesh ? mesh_elements : std::int64_t(nx) * ny * nz; }
  /// Elements of a rank, as many as it has at most.
  double own_elements() const { return std::ceil(double(elements()) / ranks.size()); }
  /// Nodes along the sides of the box, or of a cube of as many elements as a user's mesh has.
  std::array<double, 3> nodes_along() const {
    if (mesh) {
      const double side = std::cbrt(double(elements())) * order + 1;
      return {side, side, side};
    }
    return {double(nx) * order + 1, double(ny) * order + 1, double(nz) * order + 1};
  }
  /// Nodes, which may be more than indices can number.
  double nodes() const {
    const auto [r, s, t] = nodes_along();
    return r * s * t;
  }
  /// Nodes of a rank's part, as if that were a cube.
  double own_nodes() const { return ranks.is_alone() ? nodes() : std::pow(std::cbrt(own_elements()) * order + 1, 3); }
  /// Whether a kernel is timed without gather and scatter.
  bool times_alone(const Variant& variant) const { return !verify_only && variant.kernel != Kernel::reference; }
};

/// Where a problem's unknowns are prescribed unless it is said: BP1.0 is regular without.
miniapp::space::Boundary usual_boundary(Problem problem);

/// A note where a number of elements with a large prime factor makes a needle of a box, with the nearest number that
/// does not; else empty.
std::string describe_needle(const CaseSettings& settings);

}  // namespace miniapp::tensor
