// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/entities.hpp"

namespace miniapp::space {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// Where the rows of elements stand in the sequence of all rows: row `row` of element e is the unit
/// first(e) + row * length(e). Elements whose r-faces lie on each other vertex for vertex form lines; a line's rows
/// follow each other, each through all of its elements. Lines follow in the order of their lowest elements.
struct LineSequence {
  Vector<std::int64_t> first;
  Vector<Index> length;  ///< elements of the line
};

/// `vertices` (element, 8), `faces` of the hexahedra, `rows` of an element. O(elements log(longest line)).
LineSequence find_line_sequence(const Vector<const Index>& vertices, const mesh::Entities& faces, int rows);

}  // namespace miniapp::space
