// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/linalg/vectors.hpp"

#if defined(MINIAPP_RUNS_ON_HOST)
#include "miniapp/core/lanes.hpp"
#endif

namespace miniapp::linalg {

/// Rows of a slice: as many as a vector register holds on hosts, as a warp has threads on GPUs.
#if defined(MINIAPP_RUNS_ON_HOST)
template <class Real>
inline constexpr int slice_rows = lane_width<Real>;
#else
template <class Real>
inline constexpr int slice_rows = 32;
#endif

/// The rows of a sparse matrix for kernels, by slices of L = slice_rows consecutive rows. A slice holds groups of L
/// entries, one per row. The columns of a group are either consecutive, as those of a diagonal, and then only the first
/// is stored; or any, and then all are. Entries that a group lacks are zeros.
///   offsets (slice + 1)     first group of a slice
///   starts  (group)         the column of the first row, at least 0: that of row l is starts + l; or ~b: block b of
///                           `columns` has them
///   values  (group, lane)   entries
///   columns (block, lane)   columns of groups that are not consecutive
/// Bytes per entry: a number, and 4 / L or 4 bytes for its column.
template <class Real>
struct SlicedRows {
  static constexpr int L = slice_rows<Real>;
  const Index *offsets, *starts, *columns;
  const Real* values;

  /// (A x)(row), for a thread of a GPU, of an array or what has entries x[i].
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Real product(std::size_t row, const X& x) const {
    return partial_product(static_cast<Index>(row / L), static_cast<int>(row % L), 0, 1, x);
  }

  /// The part of (A x)(slice L + lane) that groups first, first + step, .. of the slice add. Entries pass by the cache,
  /// since each is used once.
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Real partial_product(Index slice, int lane, int first, int step, const X& x) const {
    const Index end = offsets[slice + 1];
    Real sum = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (Index group = offsets[slice] + first; group < end; group += step)
      sum += value(group, lane) * x[column(group, lane)];
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION Index column(Index group, int lane) const {
    const Index start = starts[group];
    return start >= 0 ? start + lane : columns[std::int64_t(~start) * L + lane];
  }
  KOKKOS_FORCEINLINE_FUNCTION Real value(Index group, int lane) const {
    return read_once(values + std::int64_t(group) * L + lane);
  }

#if defined(MINIAPP_RUNS_ON_HOST)
  /// (A x) of the rows of a slice.
  [[gnu::always_inline]] void products(Index slice, const Real* x, Real (&result)[L]) const {
    Lanes<Real> sum{};
    for (Index group = offsets[slice]; group < offsets[slice + 1]; ++group) {
      const Index start = starts[group];
      Lanes<Real> factor;
      if (start >= 0) {
        factor = load(x + start);
      } else {
        const Index* const own = columns + std::int64_t(~start) * L;
        for (int l = 0; l < L; ++l) factor[l] = x[own[l]];
      }
      sum += load(values + std::int64_t(group) * L) * factor;
    }
    std::memcpy(result, &sum, sizeof sum);
  }
#endif

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Real read_once(const Real* from) {
#if defined(__CUDA_ARCH__)
    return __ldcs(from);
#else
    return *from;
#endif
  }
#if defined(MINIAPP_RUNS_ON_HOST)
  [[gnu::always_inline]] static Lanes<Real> load(const Real* from) {
    Lanes<Real> value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
#endif
};

/// A sparse matrix in slices. It is made from a CsrMatrix where loops run, in O(entries); a slice takes diagonals where
/// that needs fewer bytes. Numbers are rounded to Real.
template <class Real>
class SlicedMatrix {
 public:
  SlicedMatrix() = default;
  template <class From>
  explicit SlicedMatrix(const CsrMatrix<From>& matrix);

  Index num_rows() const { return num_rows_; }
  Index num_columns() const { return num_columns_; }
  SlicedRows<Real> rows() const { return {offsets_.data(), starts_.data(), columns_.data(), values_.data()}; }
  /// Memory, which a product reads once [bytes].
  double bytes() const {
    return double(values_.extent(0)) * sizeof(Real) +
           double(offsets_.extent(0) + starts_.extent(0) + columns_.extent(0)) * sizeof(Index);
  }
  Index num_slices() const { return static_cast<Index>(offsets_.extent(0)) - 1; }
  /// Whether one thread per row would leave a GPU idle.
  bool has_few_long_rows() const {
    return num_rows_ < 400000 && starts_.extent(0) > 12 * static_cast<std::size_t>(num_slices());
  }
  /// Whether eight threads per row would leave it idle too: a few thousand rows of hundreds of entries, as coarse
  /// levels of elasticity have.
  bool has_very_long_rows() const {
    return num_rows_ < 8000 && starts_.extent(0) > 128 * static_cast<std::size_t>(num_slices());
  }
  /// Part of the groups whose columns are consecutive.
  double diagonal_part() const {
    const auto groups = static_cast<double>(starts_.extent(0));
    return groups > 0 ? 1 - double(columns_.extent(0)) / slice_rows<Real> / groups : 1;
  }

 private:
  Index num_rows_ = 0, num_columns_ = 0;
  Vector<Index> offsets_, starts_, columns_;
  Vector<Real> values_;
};

namespace detail {

/// A loop over rows as one over entries (streaming/entries.hpp), on a GPU.
template <class Real, class Body>
struct RowEntries {
  static constexpr bool one_entry_per_thread = true;
  static constexpr int waves = 8;
  SlicedRows<Real> rows;
  const Real* x;
  Body body;
  KOKKOS_FUNCTION RowEntries prepared() const { return {rows, x, streaming::detail::prepare(body)}; }
  KOKKOS_FUNCTION Real load(std::size_t row) const { return rows.product(row, x); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add& add) const {
    body.finish(row, product, add);
  }
};

#if !defined(MINIAPP_RUNS_ON_HOST)
/// Teams of a GPU for matrices with long rows but few, where one thread per row would wait for one entry after the
/// other: a team has `rows_` rows of a slice, and `parts` threads share the groups of each.
template <class Real, class Body, int rows_, int parts>
struct SharedSlice {
  static constexpr int L = slice_rows<Real>, threads = parts * rows_, teams_at_once = 2048 / threads;
  static constexpr int teams_per_slice = L / rows_;
  static constexpr int at_once = 4;  ///< groups of a thread that it has before x is there
  static constexpr bool awaits = true;
  static constexpr std::size_t scratch_bytes = threads * sizeof(Real);
  SlicedRows<Real> rows;
  const Real* x;
  Body unprepared;
  Index num_rows;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const sums = static_cast<Real*>(team.scratch());
    const Index slice = team.league_rank() / teams_per_slice;
    const int rank = team.team_rank(), part = rank / rows_,
              lane = team.league_rank() % teams_per_slice * rows_ + rank % rows_;
    const Index begin = rows.offsets[slice] + part, end = rows.offsets[slice + 1];
    Index column[at_once];
    Real value[at_once];
    MINIAPP_UNROLL
    for (int k = 0; k < at_once; ++k) {
      const Index group = begin + k * parts;
      column[k] = group < end ? rows.column(group, lane) : 0;
      value[k] = group < end ? rows.value(group, lane) : 0;
    }
    team.await();
    const Body body = streaming::detail::prepare(unprepared);
    Real part_sum = 0;
    MINIAPP_UNROLL
    for (int k = 0; k < at_once; ++k)
      if (begin + k * parts < end) part_sum += value[k] * x[column[k]];
    for (Index group = begin + at_once * parts; group < end; group += parts)
      part_sum += rows.value(group, lane) * x[rows.column(group, lane)];
    sums[rank] = part_sum;
    team.team_barrier();
    int left = parts;
    while (left > 8) {
      left /= 2;
      if (part < left) sums[rank] += sums[rank + left * rows_];
      team.team_barrier();
    }
    const std::size_t row = std::size_t(slice) * L + lane;
    if (part > 0 || row >= static_cast<std::size_t>(num_rows)) return;
    Real sum = 0;
    for (int p = 0; p < left; ++p) sum += sums[p * rows_ + rank];
    body.finish(row, sum, [](int, double) {});
  }
};
#endif

#if defined(MINIAPP_RUNS_ON_HOST)
/// Rows of consecutive slices on a host, as streaming::detail::sum_blocks() hands them out.
template <int count, class Real, class Body>
struct RowBlock {
  static constexpr int L = slice_rows<Real>, slices = streaming::detail::block / L;
  SlicedRows<Real> rows;
  const Real* x;
  Body unprepared;
  Index num_rows;

  [[gnu::always_inline]] void run(std::size_t begin, double* total) const {
    const Index first = static_cast<Index>(begin / L), full = num_rows / L,
                end = first + slices < full ? first + slices : full;
    const Body body = streaming::detail::prepare(unprepared);
    double part[count][L] = {};
    Real product[L];
    for (Index slice = first; slice < end; ++slice) {
      rows.products(slice, x, product);
      const std::size_t row = std::size_t(slice) * L;
      MINIAPP_INDEPENDENT
      for (int l = 0; l < L; ++l) body.finish(row + l, product[l], [&](int s, double value) { part[s][l] += value; });
    }
    if (end == full && full * L < num_rows && full < first + slices) {
      rows.products(full, x, product);
      for (int l = 0; full * L + l < num_rows; ++l)
        body.finish(std::size_t(full) * L + l, product[l], [&](int s, double value) { part[s][l] += value; });
    }
    for (int s = 0; s < count; ++s)
      for (int l = 0; l < L; ++l) total[s] += part[s][l];
  }
};
#endif

}  // namespace detail

/// Calls body.finish(i, (A x)(i), add) for all rows of A; the sums are stored to result[0 .. count) on the device,
/// without waiting (streaming/entries.hpp). finish() may write any vector but x.
template <int count, class Real, class Body>
void sum_rows(const Instance& instance, const char* label, const SlicedMatrix<Real>& A, const Vector<const Real>& x,
              const Body& body, double* result) {
#if defined(MINIAPP_RUNS_ON_HOST)
  using Block = detail::RowBlock<count, Real, Body>;
  const Block block{A.rows(), x.data(), body, A.num_rows()};
  streaming::detail::sum_blocks<count>(
      instance, label, static_cast<std::size_t>(A.num_rows()), &block,
      [](const void* any, std::size_t begin, std::size_t, double* total) {
        const Block rows = *static_cast<const Block*>(any);
        rows.run(begin, total);
      },
      result);
#else
  streaming::sum_entries<count>(instance, label, static_cast<std::size_t>(A.num_rows()),
                                detail::RowEntries<Real, Body>{A.rows(), x.data(), body}, result);
#endif
}

/// Hands rows to a body without sums.
template <class Real, class Body>
void for_rows(const Instance& instance, const char* label, const SlicedMatrix<Real>& A, const Vector<const Real>& x,
              const Body& body) {
#if defined(MINIAPP_RUNS_ON_HOST)
  using Block = detail::RowBlock<1, Real, Body>;
  const Block block{A.rows(), x.data(), body, A.num_rows()};
  streaming::detail::for_blocks(instance, label, static_cast<std::size_t>(A.num_rows()), &block,
                                [](const void* any, std::size_t begin, std::size_t) {
                                  double none[1] = {};
                                  const Block rows = *static_cast<const Block*>(any);
                                  rows.run(begin, none);
                                });
#else
  const auto share = [&]<class Teams>(const Teams& teams) {
    for_teams(instance, label, static_cast<int>(A.num_slices()) * Teams::teams_per_slice, teams);
  };
  if (A.has_very_long_rows())
    share(detail::SharedSlice<Real, Body, 8, 64>{A.rows(), x.data(), body, A.num_rows()});
  else if (A.has_few_long_rows())
    share(detail::SharedSlice<Real, Body, slice_rows<Real>, 8>{A.rows(), x.data(), body, A.num_rows()});
  else
    streaming::for_entries(instance, label, static_cast<std::size_t>(A.num_rows()),
                           detail::RowEntries<Real, Body>{A.rows(), x.data(), body});
#endif
}

/// sum_rows() that waits for one sum.
template <class Real, class Body>
double sum_rows(const Instance& instance, const char* label, const SlicedMatrix<Real>& A, const Vector<const Real>& x,
                const Body& body) {
#if defined(MINIAPP_RUNS_ON_HOST)
  Mailbox& mailbox = instance.mailbox();
  sum_rows<1>(instance, label, A, x, body, mailbox.expect());
  return mailbox.take(instance.space());
#else
  return streaming::sum_entries(instance, label, static_cast<std::size_t>(A.num_rows()),
                                detail::RowEntries<Real, Body>{A.rows(), x.data(), body});
#endif
}

/// A body: y = A x.
template <class Real>
struct StoreProduct {
  Real* y;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add&) const {
    y[row] = product;
  }
};

/// A body: r = f - A x.
template <class Real>
struct StoreResidual {
  const Real* f;
  Real* r;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add&) const {
    r[row] = f[row] - product;
  }
};

}  // namespace miniapp::linalg
