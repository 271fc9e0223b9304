// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/measure/roofs.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/tensor/reference.hpp"
#include "report/record.hpp"
#include "report/table.hpp"
#include "tensor_options.hpp"

namespace miniapp::apps {

/// What all kernels of a run share: mesh, space, the reference, the right-hand side.
struct TensorCase {
  measure::CopyRoof roof;  ///< measured before all else, so that its memory is free again
  measure::Phases phases;
  tensor::Discretisation discretisation;
  tensor::Reference reference;
  Vector<double> rhs;

  /// Errors: InputError where the deformation inverts an element.
  explicit TensorCase(const TensorOptions& options);
};

/// The problem, for people.
report::Page describe(const TensorOptions& options, const tensor::Discretisation& discretisation);
/// The same for records: their "case".
report::Json case_record(const TensorOptions& options, const tensor::Discretisation& discretisation);

}  // namespace miniapp::apps
