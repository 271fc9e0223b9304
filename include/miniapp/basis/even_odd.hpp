// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/core/kokkos.hpp"

namespace miniapp::basis {

/// How a matrix behaves when its rows and its columns are both reversed: A(R-1-r, C-1-c) = +A(r, c) for values of
/// symmetric bases at symmetric points, -A(r, c) for their derivatives.
enum class Parity { values, derivatives };

/// A 1-D basis matrix split by symmetry: y = A x costs half the multiplications (Solomonoff 1992).
/// The even and odd parts of x, x[c] +- x[C-1-c], are multiplied by quarter matrices of (R+1)/2 rows:
///   even(r, c) = (A(r, c) + A(r, C-1-c)) / 2, the middle column as it is;  odd(r, c) = (A(r, c) - A(r, C-1-c)) / 2.
/// The transpose uses the same tables: its quarters are these, transposed (and exchanged for derivatives).
/// It consists of plain arrays, so that a kernel that captures it by value reads it from the constant bank of a GPU.
template <class Real, int rows, int columns, Parity parity_>
struct EvenOdd {
  static constexpr Parity parity = parity_;
  static constexpr int half_rows = (rows + 1) / 2;
  static constexpr int half_columns = (columns + 1) / 2;
  Real even[half_rows * half_columns];
  Real odd[half_rows * half_columns];
};

namespace detail {

/// The quarters of `matrix`, as EvenOdd has them.
template <class Real>
void split_by_symmetry(const Matrix& matrix, Real* even, Real* odd);

}  // namespace detail

/// Splits `matrix` (rows, columns).
template <class Real, int rows, int columns, Parity parity>
EvenOdd<Real, rows, columns, parity> make_even_odd(const Matrix& matrix) {
  EvenOdd<Real, rows, columns, parity> split;
  detail::split_by_symmetry(matrix, split.even, split.odd);
  return split;
}

namespace detail {

/// Quarter entries of A, or of its transpose, at (row, column).
template <bool transposed, class Table>
KOKKOS_FORCEINLINE_FUNCTION auto even_entry(const Table& A, int r, int c) {
  if constexpr (!transposed)
    return A.even[r * Table::half_columns + c];
  else
    return (Table::parity == Parity::values ? A.even : A.odd)[c * Table::half_columns + r];
}
template <bool transposed, class Table>
KOKKOS_FORCEINLINE_FUNCTION auto odd_entry(const Table& A, int r, int c) {
  if constexpr (!transposed)
    return A.odd[r * Table::half_columns + c];
  else
    return (Table::parity == Parity::values ? A.odd : A.even)[c * Table::half_columns + r];
}

template <bool transposed, int rows, class T, class Table, int columns, class Take>
KOKKOS_FORCEINLINE_FUNCTION void contract(const Table& A, const T (&x)[columns], const Take& take) {
  constexpr int half = columns / 2, whole = (columns + 1) / 2;
  T even[whole], odd[half];
  MINIAPP_UNROLL
  for (int c = 0; c < half; ++c) {
    even[c] = x[c] + x[columns - 1 - c];
    odd[c] = x[c] - x[columns - 1 - c];
  }
  if constexpr (columns % 2) even[half] = x[half];
  MINIAPP_UNROLL
  for (int r = 0; r < rows / 2; ++r) {
    T e = even_entry<transposed>(A, r, 0) * even[0], o = odd_entry<transposed>(A, r, 0) * odd[0];
    MINIAPP_UNROLL
    for (int c = 1; c < whole; ++c) e += even_entry<transposed>(A, r, c) * even[c];
    MINIAPP_UNROLL
    for (int c = 1; c < half; ++c) o += odd_entry<transposed>(A, r, c) * odd[c];
    take(r, e + o);
    take(rows - 1 - r, Table::parity == Parity::values ? e - o : o - e);
  }
  if constexpr (rows % 2) {  // its middle row uses the even part only (values) or the odd part only (derivatives)
    constexpr int r = rows / 2;
    constexpr bool values = Table::parity == Parity::values;
    T sum = values ? even_entry<transposed>(A, r, 0) * even[0] : odd_entry<transposed>(A, r, 0) * odd[0];
    MINIAPP_UNROLL
    for (int c = 1; c < (values ? whole : half); ++c)
      sum += values ? even_entry<transposed>(A, r, c) * even[c] : odd_entry<transposed>(A, r, c) * odd[c];
    take(r, sum);
  }
}

/// Assembles the entries of the result from its even and odd parts.
template <class T>
struct Assign {
  T* y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int r, const T& value) const { y[r] = value; }
};

}  // namespace detail

/// y = A x for any type T with T + T, T - T and Real * T: a number, or lanes of them. x and y must not overlap.
template <class T, class Real, int rows, int columns, Parity parity>
KOKKOS_FORCEINLINE_FUNCTION void apply(const EvenOdd<Real, rows, columns, parity>& A, const T (&x)[columns],
                                       T (&y)[rows]) {
  detail::contract<false, rows>(A, x, detail::Assign<T>{y});
}

/// y = A^T x.
template <class T, class Real, int rows, int columns, Parity parity>
KOKKOS_FORCEINLINE_FUNCTION void apply_transposed(const EvenOdd<Real, rows, columns, parity>& A, const T (&x)[rows],
                                                  T (&y)[columns]) {
  detail::contract<true, columns>(A, x, detail::Assign<T>{y});
}

/// Computes A x or A^T x and passes each result to take(r, (A x)_r) as soon as it is known, so that results need not
/// stay in registers until the last one is done.
template <class T, class Real, int rows, int columns, Parity parity, class Take>
KOKKOS_FORCEINLINE_FUNCTION void apply_each(const EvenOdd<Real, rows, columns, parity>& A, const T (&x)[columns],
                                            const Take& take) {
  detail::contract<false, rows>(A, x, take);
}
template <class T, class Real, int rows, int columns, Parity parity, class Take>
KOKKOS_FORCEINLINE_FUNCTION void apply_transposed_each(const EvenOdd<Real, rows, columns, parity>& A,
                                                       const T (&x)[rows], const Take& take) {
  detail::contract<true, columns>(A, x, take);
}

}  // namespace miniapp::basis
