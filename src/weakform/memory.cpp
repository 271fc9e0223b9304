// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/memory.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/measure/roofs.hpp"

namespace miniapp::weakform {

using measure::MemoryNeed, measure::most_of, measure::program_bytes;

MemoryNeed memory_need(FormKind kind, const FormSettings& o, const Way& way) {
  const FormFacts form = facts(kind, o.dim);
  const double cells = double(o.elements), side = std::pow(cells / (o.dim == 2 ? 2 : 6), 1. / o.dim),
               nodes = std::pow(side + 1, o.dim), entries = nodes * form.components;
  const double corners = cells * (o.dim + 1), word = word_bytes(o.precision);
  const Strategy strategy = way.options.strategy;
  return {program_bytes + corners * 4 + nodes * 24 + entries * 32 + word * 0 * double(strategy == Strategy::cells), 0};
}

}  // namespace miniapp::weakform
