// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace miniapp {

/// What add_rows() of lanes.hpp adds to: in a file of its own, since set-up code of every back end uses it.
enum class Onto : char {
  values,   ///< to the numbers that are there
  nothing,  ///< it stores: what was there does not count
  mixed,    ///< to some numbers, those whose bits are set
};

}  // namespace miniapp
