// SPDX-License-Identifier: BSD-3-Clause
#include "space/line_sequence.hpp"

#include <utility>

#include "space/parallel.hpp"

namespace miniapp::space {
namespace {

/// Lines of elements, as links to the previous element.
struct Lines {
  Vector<Index> previous;  ///< (element): -1 where a line starts
  Vector<char> has_next;   ///< (element)
  std::int64_t size() const { return static_cast<std::int64_t>(previous.extent(0)); }
};

/// An element follows another where its face r=-1 lies on the other's face r=+1 vertex for vertex.
Lines find_links(const Vector<const Index>& vertices, const mesh::Entities& faces) {
  const auto size = static_cast<std::int64_t>(vertices.extent(0) / 8);
  const Vector<Index> left_of = make_vector<Index>("space/left of face", faces.size());
  const Lines lines{make_vector<Index>("space/previous", size), make_zeros<char>("space/has next", size)};
  fill(left_of, -1);
  fill(lines.previous, -1);
  const Vector<Index> of_cell = faces.of_cell;
  Kokkos::parallel_for(
      "space/left of face", Range(0, size),
      KOKKOS_LAMBDA(const std::int64_t e) { raise(&left_of(of_cell(6 * e)), static_cast<Index>(e)); });
  Kokkos::parallel_for(
      "space/links", Range(0, size), KOKKOS_LAMBDA(const std::int64_t e) {
        const std::int64_t next = left_of(of_cell(6 * e + 1));
        bool aligned = next >= 0 && next != e;
        for (int v = 0; aligned && v < 8; v += 2) aligned = vertices(8 * e + v + 1) == vertices(8 * next + v);
        if (aligned) raise(&lines.previous(next), static_cast<Index>(e));
      });
  Kokkos::parallel_for(
      "space/has next", Range(0, size), KOKKOS_LAMBDA(const std::int64_t e) {
        if (lines.previous(e) >= 0) lines.has_next(lines.previous(e)) = 1;
      });
  return lines;
}

/// For each element, the part of its line before it.
struct Walk {
  Vector<Index> head;    ///< the first element of the line; for a ring, one of its elements
  Vector<Index> steps;   ///< number of steps from there
  Vector<Index> lowest;  ///< lowest element in between, both ends included
};

/// Follows the lines by pointer jumping: each round doubles the distance that an element has covered (J. JaJa, An
/// introduction to parallel algorithms, 1992, section 2.2). On a ring it ends when the steps exceed the number of
/// elements. O(n log(longest)).
Walk walk(const Lines& lines) {
  const std::int64_t size = lines.size();
  const auto make = [&] {
    return Walk{make_vector<Index>("space/head", size), make_vector<Index>("space/steps", size),
                make_vector<Index>("space/lowest", size)};
  };
  Walk seen = make(), further = make();
  const Walk start = seen;
  Kokkos::parallel_for(
      "space/first step", Range(0, size), KOKKOS_LAMBDA(const std::int64_t e) {
        const Index self = static_cast<Index>(e), before = lines.previous(e);
        start.head(e) = before >= 0 ? before : self;
        start.steps(e) = before >= 0;
        start.lowest(e) = self;
      });
  Index moved = 1;
  for (std::int64_t reach = 1; moved > 0 && reach < 2 * size; reach *= 2) {
    const Walk from = seen, to = further;
    moved = 0;
    Kokkos::parallel_reduce(
        "space/jump", Range(0, size),
        KOKKOS_LAMBDA(const std::int64_t e, Index& count) {
          const Index head = from.head(e), lowest = from.lowest(e), before = from.lowest(head);
          to.head(e) = from.head(head);
          to.steps(e) = from.steps(e) + from.steps(head);
          to.lowest(e) = before < lowest ? before : lowest;
          count += to.head(e) != head || to.lowest(e) != lowest;
        },
        moved);
    std::swap(seen, further);
  }
  return seen;
}

/// Cuts rings after their lowest elements, which become the last of their lines. Returns whether there was one.
bool cut_rings(const Lines& lines, const Walk& seen) {
  Index rings = 0;
  Kokkos::parallel_reduce(
      "space/cut rings", Range(0, lines.size()),
      KOKKOS_LAMBDA(const std::int64_t e, Index& count) {
        const Index before = lines.previous(e);
        if (before < 0 || lines.previous(seen.head(e)) < 0 || before != seen.lowest(e)) return;
        lines.has_next(before) = 0;
        ++count;
      },
      rings);
  if (rings == 0) return false;
  Kokkos::parallel_for(
      "space/cut links", Range(0, lines.size()), KOKKOS_LAMBDA(const std::int64_t e) {
        if (lines.previous(e) >= 0 && !lines.has_next(lines.previous(e))) lines.previous(e) = -1;
      });
  return true;
}

}  // namespace

LineSequence find_line_sequence(const Vector<const Index>& vertices, const mesh::Entities& faces, int rows) {
  const Lines lines = find_links(vertices, faces);
  Walk seen = walk(lines);
  if (cut_rings(lines, seen)) seen = walk(lines);

  // the last element of a line knows its length and lowest element
  const std::int64_t size = lines.size();
  const LineSequence sequence{make_vector<std::int64_t>("space/first units", size),
                              make_vector<Index>("space/line lengths", size)};
  const Vector<Index> lowest = make_vector<Index>("space/lowest of line", size),
                      length = make_zeros<Index>("space/length at lowest", size);
  const Walk known = seen;
  Kokkos::parallel_for(
      "space/lines", Range(0, size), KOKKOS_LAMBDA(const std::int64_t e) {
        if (lines.has_next(e)) return;
        lowest(known.head(e)) = known.lowest(e);
        length(known.lowest(e)) = known.steps(e) + 1;
      });
  const Vector<Index> before = offsets_of(length);  // at a lowest element: number of elements of the previous lines
  Kokkos::parallel_for(
      "space/first units", Range(0, size), KOKKOS_LAMBDA(const std::int64_t e) {
        const Index line = lowest(known.head(e));
        sequence.first(e) = std::int64_t(before(line)) * rows + known.steps(e);
        sequence.length(e) = length(line);
      });
  return sequence;
}

}  // namespace miniapp::space
