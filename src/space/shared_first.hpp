// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/space/space.hpp"

namespace miniapp::space {

/// The elements with nodes that other ranks have too, ascending, then the others; `count`: how many have.
std::vector<Index> shared_first(const Space& space, int& count);

/// rows (i, ..) = map (elements[i], ..).
void copy_rows(const SharedMap& map, const std::vector<Index>& elements, const Vector<Index>& rows);

/// The map with row elements[i] as row i.
SharedMap reorder(const SharedMap& map, const std::vector<Index>& elements);

}  // namespace miniapp::space
