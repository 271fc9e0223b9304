// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/map.hpp"

#include "miniapp/core/error.hpp"

namespace miniapp {

void require_valid(const Map& map, std::size_t to_size, const std::string& name) {
  for_host(map.entries.size(), [&](std::size_t q) {
    const Index id = map.entries[q];
    if (id >= 0 && static_cast<std::size_t>(id) < to_size) return;
    throw InputError(name, "",
                     "element " + std::to_string(q / map.arity) + " names target " + std::to_string(id) +
                         "; accepted are 0 to " + std::to_string(static_cast<long long>(to_size) - 1));
  });
}

}  // namespace miniapp
