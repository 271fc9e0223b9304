// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace miniapp::measure {

/// Cost of one application of an operation by its model, to compare rates with roofs.
struct Cost {
  double bytes = 0;  ///< read and written in main memory
  double flops = 0;  ///< floating-point operations of the plain algorithm
};

}  // namespace miniapp::measure
