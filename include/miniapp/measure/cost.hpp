// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace miniapp::measure {

/// What an operation does once, by its model. Kept beside each kernel, so that a rate can be compared with its roof.
struct Cost {
  double bytes = 0;  ///< read and written in main memory
  double flops = 0;  ///< floating-point operations of the plain algorithm
};

}  // namespace miniapp::measure
