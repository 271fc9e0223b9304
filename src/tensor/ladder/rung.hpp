// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/team_threads.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "tensor/ladder/ladder_rules.hpp"

/// A rung is a struct of the order; operator()(team) computes v of element team.league_rank(). It has
///   idea                what it adds to the rung before it, a sentence
///   threads             threads of a team
///   registers           most registers of a thread, for the teams that run at once: 65536 / (registers threads); with
///                       fewer than its arrays take, a GPU's compiler spills
///   scratch_bytes       scratch of a team [bytes]
///   scratch_traffic     what its threads read and write in scratch for an element [bytes]
///   intermediate_words  words of an element that it keeps in main memory
///   Input, g            how it reads arrays, and they: RungArrays
namespace miniapp::tensor {

/// Arrays of a rung, whose memory the operator holds: references are not counted, which halves what is compiled.
template <class T, unsigned traits = 0>
using RungArray = Kokkos::View<T*, Kokkos::LayoutRight, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged | traits>>;
/// An input that, as far as the compiler knows, may change while the kernel runs: const entries do not exclude that.
using PlainInput = RungArray<const double>;
/// An input that is never written while the kernel runs: a GPU reads it through its read-only data path.
using ConstInput = RungArray<const double, Kokkos::RandomAccess>;

/// The data of a rung; n nodes and m = n + 1 Gauss points per direction, q quadrature points.
template <class Input>
struct RungArrays {
  Input I;                         ///< (a, i) interpolation from nodes to Gauss points, m x n
  Input D;                         ///< (a, b) derivative of the Lagrange basis on the quadrature points, q x q
  Input factors;                   ///< (e, component, c, b, a), see geometry::make_factors; W alone for BP1.0 [m, m^3]
  Input u;                         ///< (e, k, j, i) nodal values
  RungArray<double> v;             ///< (e, k, j, i) result
  RungArray<double> intermediate;  ///< (e, word), for rungs that keep intermediates in main memory
  double lambda;                   ///< [1/m^2]
};

/// State of threads that keep nothing between phases.
struct Nothing {};

/// A thread's share of copying a matrix from main memory to scratch, where a row takes `row` entries.
template <int rows, int columns, int row, int threads, class Input>
KOKKOS_FORCEINLINE_FUNCTION void load_matrix(int thread, const Input& from, double* to) {
  for (int x = thread; x < rows * columns; x += threads) to[x / columns * row + x % columns] = from(x);
}

/// Length of a row in scratch that threads may read along either axis: odd, so that rows start in different banks.
constexpr int padded(int length) { return length % 2 ? length : length + 1; }

}  // namespace miniapp::tensor
