// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity/free_motion.hpp"

#include <fmt/format.h>

#include <cmath>

namespace miniapp::elasticity {
namespace {

constexpr int num_motions = HeldMotions::motions;

/// "(0, 0, 1)": a direction of length 1, whose largest component is positive.
std::string direction_text(const double* v) {
  const double length = std::hypot(v[0], v[1], v[2]);
  int most = 0;
  for (int d = 1; d < 3; ++d)
    if (std::fabs(v[d]) > std::fabs(v[most]) * (1 + 1e-9)) most = d;
  std::string text;
  for (int d = 0; d < 3; ++d) {
    const double value = v[d] / std::copysign(length, v[most]);
    text += fmt::format("{}{:.3g}", d ? ", " : "", std::fabs(value) < 1e-6 ? 0. : value);
  }
  return "(" + text + ")";
}

}  // namespace

void HeldMotions::hold(const mesh::Point& x, int c) {
  double g[num_motions] = {};
  const int next = (c + 1) % 3, last = (c + 2) % 3;
  g[c] = 1;
  g[3 + next] = x[last];  // (w x x)_c
  g[3 + last] = -x[next];
  for (int i = 0; i < num_motions; ++i)
    for (int k = 0; k < num_motions; ++k) sums_[i * num_motions + k] += g[i] * g[k];
}

std::string HeldMotions::left() const {
  auto a = sums_;  // solved by Gauss and Jordan, the largest of the diagonal first
  double scale = 0;
  for (int i = 0; i < num_motions; ++i) scale = std::fmax(scale, a[i * num_motions + i]);
  bool done[num_motions] = {};
  for (int step = 0; step < num_motions; ++step) {
    int pivot = -1;
    for (int i = 0; i < num_motions; ++i)
      if (!done[i] && (pivot < 0 || a[i * num_motions + i] > a[pivot * num_motions + pivot])) pivot = i;
    if (!(a[pivot * num_motions + pivot] > 1e-12 * scale)) {
      double motion[num_motions] = {};
      motion[pivot] = 1;
      for (int i = 0; i < num_motions; ++i)
        if (done[i]) motion[i] = -a[i * num_motions + pivot];
      const bool turns =
          std::hypot(motion[3], motion[4], motion[5]) > 1e-6 * std::hypot(motion[0], motion[1], motion[2]);
      return turns ? "to turn about an axis along " + direction_text(motion + 3)
                   : "to move along " + direction_text(motion);
    }
    const double inverse = 1 / a[pivot * num_motions + pivot];
    for (int k = 0; k < num_motions; ++k) a[pivot * num_motions + k] *= inverse;
    for (int i = 0; i < num_motions; ++i) {
      const double factor = a[i * num_motions + pivot];
      for (int k = 0; k < num_motions && i != pivot; ++k) a[i * num_motions + k] -= factor * a[pivot * num_motions + k];
    }
    done[pivot] = true;
  }
  return "";
}

}  // namespace miniapp::elasticity
