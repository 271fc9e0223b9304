// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/map.hpp"

namespace miniapp {

Rows transpose(const Map& map, std::size_t to_size) {
  Rows rows;
  rows.offsets.assign(to_size + 1, 0);
  for (const Index id : map.entries)
    if (id >= 0) ++rows.offsets[id + 1];
  for (std::size_t t = 0; t < to_size; ++t) rows.offsets[t + 1] += rows.offsets[t];
  rows.positions.resize(rows.offsets.back());
  std::vector<std::int64_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t position = 0; position < map.entries.size(); ++position)
    if (const Index id = map.entries[position]; id >= 0)
      rows.positions[next[id]++] = static_cast<std::int64_t>(position);
  return rows;
}

}  // namespace miniapp
