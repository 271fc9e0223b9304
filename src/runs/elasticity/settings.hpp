// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/names.hpp"
#include "miniapp/elasticity/cantilever.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::elasticity {

/// What becomes of matrices.
enum class Output {
  none,    ///< matrices of a batch are overwritten by the next
  device,  ///< all stay on the device
  host,    ///< all are copied to the host
};
constexpr auto names(Output) { return std::array{"none", "device", "host"}; }

/// What the element matrices of one order after the other are computed of, and how often.
struct MatrixSettings {
  std::int64_t elements = 0;  ///< 0: by the memory of their matrices
  DeviceLimits limits{};
  Precision precision = Precision::fp64;
  Output output = Output::none;
  double young = 210e9, poisson = 0.3, deform = 0.1;  ///< [Pa], 1, parts of a prism's side
  bool vary = false, verify_only = false;             ///< another material in each element; no timing
  measure::Repeat repeat{};

  std::size_t word() const { return static_cast<std::size_t>(word_bytes(precision)); }
  /// Bytes of the matrix of an element of an order.
  double matrix_bytes(int order) const;
  /// Elements of an order that are worked on; with --verify-only no more than --elements auto takes, since three are
  /// compared.
  std::int64_t elements_of(int order) const;
  /// The number of elements whose matrices take 4 GB, on hosts 256 MB.
  std::int64_t automatic_elements(int order) const;
};

/// How a body is assembled, solved and measured; its element matrices have the settings of those of single prisms, but
/// for elements and output.
struct SolveSettings : MatrixSettings {
  ElasticPreconditioner preconditioner = ElasticPreconditioner::jacobi;
  solver::CgOptions cg{1e-10, 20000, {}};
  Communicator ranks = {};  ///< ranks over which the cells are distributed
  graph::Partition partition = graph::Partition::rcb;
};

/// A cantilever, and how it is solved.
struct BeamSettings : SolveSettings {
  Cantilever beam;  ///< but for its order
};

/// The longest edge of a prism over its shortest one, the largest of all prisms; collective on ranks. Of a cantilever
/// before vertices are moved.
double elongation(const mesh::Mesh& mesh);
double elongation(const Cantilever& beam);

/// Whether CG may take more iterations than there are unknowns, or not converge: elongation / (1 - 2 nu) above 300,
/// with amg above 3000, measured in docs/verdicts.md.
bool is_hard(ElasticPreconditioner preconditioner, double elongation, double poisson);

/// Whether a method is one of the paper's, whose plan says how it cuts matrices.
bool of_paper(Method method);

/// Orders for which this build has kernels.
std::vector<int> built_orders();

/// A method that is fast on hosts and GPUs alike, of those that this build can run at an order.
Method fast_method(int order);

}  // namespace miniapp::elasticity
