// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/vectors.hpp"

#include <string>

#include "miniapp/core/error.hpp"

namespace miniapp::linalg {

void require_vectors(const space::Space& space, std::initializer_list<NamedSize> sizes) {
  for (const auto& [name, size] : sizes)
    if (size != space.num_entries())  // no text is made where all is right: operators call this
      throw InputError(
          name, std::to_string(size),
          "entries are no vector of the operator's space; accepted are " + std::to_string(space.num_entries()));
}

}  // namespace miniapp::linalg
