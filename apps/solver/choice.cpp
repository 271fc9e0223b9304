// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "apps/solver/matrix.hpp"

namespace miniapp::apps {

std::string MatrixChoice::name() const { return kind == MatrixKind::file ? file : miniapp::name(kind); }

double MatrixChoice::unknowns() const {
  if (kind == MatrixKind::file) return file_rows;
  if (kind == MatrixKind::lor) return std::pow(double(side) * order + 1, 3);
  return std::pow(double(side), kind == MatrixKind::poisson2d ? 2 : 3);
}

double MatrixChoice::entries() const {
  const double n = unknowns();
  switch (kind) {
    case MatrixKind::poisson2d:
      return 5 * n - 4 * n / side;
    case MatrixKind::poisson3d:
      return 7 * n - 6 * n / side;
    case MatrixKind::lor:
      return 18 * std::pow(double(side) * order - 1, 3) + n;
    default:
      return file_entries;
  }
}

}  // namespace miniapp::apps
