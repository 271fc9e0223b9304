// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/entities.hpp"

namespace miniapp::space {

/// The sequence of all rows of elements: row `row` of element e is the unit
/// first(e) + row * length(e). Elements whose r-faces coincide vertex by vertex form lines; the rows of a line come one
/// after the other, each through all of its elements. Lines are in the order of their lowest elements.
struct LineSequence {
  Vector<std::int64_t> first;
  Vector<Index> length;  ///< elements of the line
};

/// `vertices` (element, 8), `faces` of the hexahedra, `rows` per element. O(elements log(longest line)).
LineSequence find_line_sequence(const Vector<const Index>& vertices, const mesh::Entities& faces, int rows);

}  // namespace miniapp::space
