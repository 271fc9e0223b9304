// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/measure/bound.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "runs/elasticity/settings.hpp"

namespace miniapp::elasticity {

/// Results of one method at one order.
struct MatrixResult {
  Method method;
  Plan plan;
  std::int64_t elements = 0, batches = 0;
  measure::Phases phases;  ///< phases of all elements: preparation, allocation, transfer in, kernel, transfer out
  measure::Sample kernel;  ///< the kernel's time for all elements [s]
  double overlapped = 0;   ///< time for all elements [s] where preparation and transfer in go on while kernels run
  TeamResources resources;
  double flops = 0;  ///< flops that the kernel does per element
  double bytes = 0;  ///< bytes per element: its matrix, and what the kernel reads of it
  double error = 0;  ///< error / tolerance
  bool passed() const { return error <= 1; }
  /// The work for all elements. Kernels multiply once per two flops.
  measure::Work work() const { return {double(elements) * bytes, double(elements) * flops / 2, 0}; }
  /// Per element by the paper's count for its variants, those beyond the matrix included; of others as they are done.
  double performed_flops() const;
  double useful_flops() const;
  /// The kernel's share of the time of a run that leaves the matrices on the device.
  double kernel_share() const { return kernel.median > 0 ? kernel.median / (phases.of("allocation") + overlapped) : 0; }
};

/// Computes the matrices of prisms of one order by one method: verified on three elements of each batch size, then by
/// phases, as the paper reports them, one after the other, and once more with the input of the next piece of a batch in
/// transfer while the kernel of the last one runs. Errors: InputError with the reason of why_not().
MatrixResult run_matrices(const MatrixSettings& settings, int order, Method method);

}  // namespace miniapp::elasticity
