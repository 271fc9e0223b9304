// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace miniapp {

/// What add_rows() of lanes.hpp adds to: apart from it, since set-up code of every back end says so.
enum class Onto : char {
  values,   ///< to the numbers that are there
  nothing,  ///< it stores: what was there does not count
  mixed,    ///< to some numbers, those whose bits are set
};

}  // namespace miniapp
