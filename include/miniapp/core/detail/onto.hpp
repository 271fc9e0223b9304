// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace miniapp {

/// What add_rows() of lanes.hpp adds to. It has its own file because set-up code of every back end uses it.
enum class Onto : char {
  values,   ///< it adds to the existing values
  nothing,  ///< it stores, so that the existing values are ignored
  mixed,    ///< it adds to the existing values whose bits are set, and stores the others
};

}  // namespace miniapp
