// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/chow_patel.hpp"

#include <fmt/format.h>

#include <utility>

#include "linalg/counted_rows.hpp"
#include "miniapp/core/error.hpp"
#include "solver/scaling.hpp"

namespace miniapp::solver {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// One sweep, a thread per entry. values (entry): l_ij, or u_ji; reduces to the lowest row that breaks down.
template <Incomplete kind>
struct Sweep {
  const Index *offsets, *rows, *columns;
  const double *a, *old;
  double *values;

  KOKKOS_FUNCTION void operator()(const Index e, Index &lowest) const {
    const Index row = rows[e], column = columns[e];
    double value = a[e] - product(e, column);
    if (row == column) {
      const bool positive = value > 0;  // where another entry overflows, the pivot of its row is not
      value = positive ? (kind == Incomplete::ic0 ? km::sqrt(value) : value) : old[e];
      if (!positive && row < lowest) lowest = row;
    } else if (kind == Incomplete::ic0) {
      value /= pivot(column);
    }
    values[e] = value;
  }
  KOKKOS_FORCEINLINE_FUNCTION Index pivot_place(Index row) const { return offsets[row + 1] - 1; }
  KOKKOS_FORCEINLINE_FUNCTION double pivot(Index row) const { return old[pivot_place(row)]; }
  /// The sum over k < column of the rows of entry e and of `column`.
  KOKKOS_FORCEINLINE_FUNCTION double product(Index e, Index column) const {
    double sum = 0;
    const Index end = pivot_place(column);
    Index p = offsets[rows[e]], q = offsets[column];
    while (p < e && q < end) {
      const Index k = columns[p], other = columns[q];
      if (k == other) sum += kind == Incomplete::ic0 ? old[p] * old[q] : old[p] * old[q] / pivot(k);
      p += k <= other;
      q += other <= k;
    }
    return sum;
  }
};

/// N and D from the values of the last sweep.
template <Incomplete kind>
IncompleteFactors split(const linalg::CsrMatrix<double> &from) {
  const auto n = static_cast<std::size_t>(from.num_rows), size = from.columns.extent(0) - n;
  const linalg::CsrMatrix<double> lower{from.num_rows, from.num_rows, make_vector<Index>("solver/lower/offsets", n + 1),
                                        make_vector<Index>("solver/lower/columns", size),
                                        make_vector<double>("solver/lower/values", size)};
  const Vector<double> diagonal = make_vector<double>("solver/pivots", n);
  Kokkos::parallel_for(
      "solver/chow patel/split", Range(0, from.num_rows), KOKKOS_LAMBDA(const Index row) {
        const Index last = from.offsets(row + 1) - 1;
        if (row == 0) lower.offsets(0) = 0;
        lower.offsets(row + 1) = last - row;
        for (Index e = from.offsets(row); e < last; ++e) {
          const Index column = from.columns(e);
          lower.columns(e - row) = column;
          lower.values(e - row) = from.values(e) / from.values(from.offsets(column + 1) - 1);
        }
        const double value = from.values(last);
        diagonal(row) = kind == Incomplete::ic0 ? value * value : value;
      });
  return {lower, diagonal};
}

template <Incomplete kind>
IncompleteFactors factorise(const linalg::CsrMatrix<double> &matrix, int sweeps) {
  const Index n = matrix.num_rows;
  const Vector<double> scaling = scaling_of(matrix);
  const Vector<Index> counts = make_vector<Index>("solver/chow patel/counts", static_cast<std::size_t>(n));
  Kokkos::parallel_for(
      "solver/chow patel/count", Range(0, n), KOKKOS_LAMBDA(const Index row) {
        Index count = 0;  // entries on and below the diagonal, the first ones of the row
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1) && matrix.columns(e) <= row; ++e) ++count;
        counts(row) = count;
      });
  linalg::CsrMatrix<double> lower = linalg::make_counted_rows<double>(counts, n);  // of S A S
  const Vector<Index> offsets = lower.offsets, columns = lower.columns;
  const Vector<double> a = lower.values;
  const std::size_t size = columns.extent(0);
  const auto entries = static_cast<Index>(size);
  const auto rows = make_vector<Index>("solver/chow patel/rows", size);
  Kokkos::parallel_for(
      "solver/chow patel/fill", Range(0, n), KOKKOS_LAMBDA(const Index row) {
        const Index shift = matrix.offsets(row) - offsets(row);
        for (Index e = offsets(row); e < offsets(row + 1); ++e) {
          const Index column = matrix.columns(e + shift);
          rows(e) = row;
          columns(e) = column;
          a(e) = column == row ? 1 : scaling(row) * matrix.values(e + shift) * scaling(column);
        }
      });
  auto old = make_vector<double>("solver/chow patel/old", size),
       next = make_vector<double>("solver/chow patel/new", size);
  copy_entries(next, a);
  Index lowest = n;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::swap(old, next);
    Kokkos::parallel_reduce("solver/chow patel/sweep", Range(0, entries),
                            Sweep<kind>{offsets.data(), rows.data(), columns.data(), a.data(), old.data(), next.data()},
                            Kokkos::Min<Index>(lowest));
  }
  if (lowest < n)
    throw ResultError(fmt::format("incomplete factorisation: row {} breaks down: its pivot in sweep {} is not positive",
                                  lowest + 1, sweeps));
  lower.values = next;
  const IncompleteFactors factors = split<kind>(lower);
  unscale(factors, scaling);
  return factors;
}

}  // namespace

IncompleteFactors chow_patel(const linalg::CsrMatrix<double> &matrix, Incomplete kind, int sweeps) {
  require(sweeps >= 0, "sweeps", sweeps, "accepted are whole numbers >= 0");
  return kind == Incomplete::ic0 ? factorise<Incomplete::ic0>(matrix, sweeps)
                                 : factorise<Incomplete::ilu0>(matrix, sweeps);
}

}  // namespace miniapp::solver
