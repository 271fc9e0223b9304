// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::python {

/// What Python has of a mesh, which does not change.
struct Mesh {
  std::shared_ptr<const miniapp::mesh::Mesh> mesh;
};

/// The member of an enum with this name. Errors: InputError naming the argument and what is accepted.
template <Named E>
E member(const std::string& argument, const std::string& text) {
  std::string accepted;
  for (const E e : members<E>()) {
    if (name(e) == text) return e;
    accepted += (accepted.empty() ? "" : ", ") + name(e);
  }
  throw InputError(argument, text, "accepted are " + accepted);
}

}  // namespace miniapp::python
