// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/core/teams.hpp"

/// Loops over elements whose order is known at run time only: one team per group of elements, those in the lanes of a
/// vector register on a host, one on a GPU.
namespace miniapp::tensor {

/// A number of each element of a group.
#ifdef MINIAPP_RUNS_ON_HOST
template <class Real>
using GroupNumber = Lanes<Real>;
template <class Real>
inline constexpr int group_size = lane_width<Real>;
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real& lane(GroupNumber<Real>& x, int l) {
  return reinterpret_cast<Real*>(&x)[l];
}
#else
template <class Real>
using GroupNumber = Real;
template <class Real>
inline constexpr int group_size = 1;
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real& lane(Real& x, int) {
  return x;
}
#endif

/// Elements [first, first + count).
struct ElementRange {
  std::int64_t first;
  int count;
};

/// The group of a team, of so many elements in all.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION ElementRange group_of(const Team& team, std::int64_t elements) {
  const std::int64_t first = std::int64_t(team.league_rank()) * group_size<Real>, left = elements - first;
  return {first, left < group_size<Real> ? static_cast<int>(left) : group_size<Real>};
}

/// Calls body(i) for i < count by the threads of a team, which have all finished on return.
template <class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each(const Team& team, int count, const Body& body) {
  for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
  team.team_barrier();
}

/// The maps of a group, 24 coefficients of `trilinear` (element, coefficient); lanes without an element repeat the last
/// one.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void load_maps(const Team& team, const ElementRange& group, const double* trilinear,
                                           GroupNumber<Real>* coefficients) {
  for_each(team, 24, [&](int c) {
    for (int l = 0; l < group_size<Real>; ++l)
      lane<Real>(coefficients[c], l) = trilinear[24 * (group.first + (l < group.count ? l : group.count - 1)) + c];
  });
}

/// Adds values (node) of a group's elements to target[map(element, node)], where that is not negative; `nodes` of each.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void add_to_nodes(const Team& team, const ElementRange& group, int nodes, const Index* map,
                                              GroupNumber<Real>* values, Real* target) {
  for_each(team, group.count * nodes, [&](int i) {
    const int node = i / group.count, l = i % group.count;
    const Index at = map[(group.first + l) * nodes + node];
    if (at >= 0) Kokkos::atomic_add(target + at, lane<Real>(values[node], l));
  });
}

/// Runs body(team) for each group of elements, without waiting; it uses so many numbers of scratch. `width`: threads of
/// a team that a GPU has work for.
template <class Real, class Body>
void for_groups_of_elements(const Instance& instance, const char* label, std::int64_t elements, int width,
                            std::size_t numbers, const Body& body) {
  for_teams(
      instance, label, static_cast<int>((elements + group_size<Real> - 1) / group_size<Real>),
      TeamShape{width < Body::threads ? (width + 31) / 32 * 32 : Body::threads, numbers * sizeof(GroupNumber<Real>)},
      body);
}

}  // namespace miniapp::tensor
