// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::elasticity {

/// Which rigid motions of a body some held components of points leave: sum_i g_i g_i^T, where g_i . (t, w) is the held
/// component of t + w x x at a point x.
class HeldMotions {
 public:
  static constexpr int motions = 6;
  /// Component c is held at x, relative to the body's middle and size.
  void hold(const mesh::Point& x, int c);
  /// A motion that is left, in words: "to turn about an axis along (0, 0, 1)"; empty where none is.
  std::string left() const;
  double* data() { return sums_.data(); }

 private:
  std::array<double, motions * motions> sums_{};
};

}  // namespace miniapp::elasticity
