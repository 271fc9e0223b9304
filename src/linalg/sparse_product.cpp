// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "linalg/block_products.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/hashed_galerkin.hpp"
#include "linalg/hashed_rows.hpp"
#include "linalg/rows_with_room.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

#if defined(MINIAPP_RUNS_ON_HOST)

/// Numbers that grow. Where one thread makes all, they are in the array that C will have; several may not make such
/// arrays.
template <class T>
using Growing = std::conditional_t<has_one_thread, Vector<T>, std::vector<T>>;

template <class Numbers>
using NumberOf = std::remove_cvref_t<decltype(std::declval<Numbers>()[0])>;

/// Rows of C that one thread computes, one after the other.
template <class Real>
struct Part {
  Index first, last;
  std::size_t size = 0, room = 0;  ///< entries, and how many there are places for
  Growing<Index> columns;
  Growing<Real> values;

  /// Makes room for a row: as much as all rows will need if the others are like those before it. The first rows may be
  /// the longest, so that this is at most 4 million entries, or three times what is needed now, beyond what is needed.
  void make_room(Index row, std::size_t entries) {
    const std::size_t needed = size + entries;
    if (needed <= room) return;
    const double done = std::max(1, row - first), expected = 1.1 * double(size) / done * double(last - first);
    const double beyond = std::clamp(expected - double(needed), 1000., std::max(4e6, 3 * double(needed)));
    room = needed + static_cast<std::size_t>(beyond);
    grow(columns);
    grow(values);
  }

 private:
  template <class Numbers>
  void grow(Numbers& numbers) const {
    if constexpr (has_one_thread) {
      const Numbers larger = make_vector<NumberOf<Numbers>>("linalg/rows", room);
      std::copy(numbers.data(), numbers.data() + size, larger.data());
      numbers = larger;
    } else {
      numbers.resize(room);
    }
  }
};

/// A row in the making: a sum per column, which is zero until the row has it, and which columns it has.
template <class Real>
class Row {
 public:
  explicit Row(Index num_columns) : sums_(static_cast<std::size_t>(num_columns)) {}

  void begin(Index row) {
    row_ = row;
    size_ = 0;
  }
  /// Adds factor(i) times row of(i) of a matrix, i = 0 .. count - 1. The rows are short and lie anywhere, so that a
  /// processor would wait for each: they are asked for first. Nor does it branch where a column is new, which it would
  /// guess wrong too often.
  template <class Of, class Factor>
  void add(const CsrMatrix<Real>& B, std::size_t count, const Of& of, const Factor& factor_of) {
    const Index *const offsets = B.offsets.data(), *const columns = B.columns.data();
    const Real* const values = B.values.data();
    std::size_t needed = size_;
    for (std::size_t i = 0; i < count; ++i) {
      const Index first = offsets[of(i)], end = offsets[of(i) + 1];
      __builtin_prefetch(columns + first);
      __builtin_prefetch(values + first);
      __builtin_prefetch(values + end);
      needed += static_cast<std::size_t>(end - first);
    }
    needed = std::min(needed, sums_.size() + 1);
    if (needed > columns_.size()) columns_.resize(needed);
    Sum* const sums = sums_.data();
    Index* const found = columns_.data();
    const Index row = row_;
    std::size_t size = size_;
    for (std::size_t i = 0; i < count; ++i) {
      const Real factor = factor_of(i);
      for (Index e = offsets[of(i)], end = offsets[of(i) + 1]; e < end; ++e) {
        Sum& sum = sums[columns[e]];
        found[size] = columns[e];
        size += sum.row != row;
        sum.row = row;
        sum.value += factor * values[e];
      }
    }
    size_ = size;
  }
  /// Adds row r of A B.
  void add_product(const CsrMatrix<Real>& A, Index r, const CsrMatrix<Real>& B) {
    const Index first = A.offsets(r);
    add(
        B, static_cast<std::size_t>(A.offsets(r + 1) - first), [&](std::size_t i) { return A.columns(first + i); },
        [&](std::size_t i) { return A.values(first + i); });
  }
  std::span<Index> columns() { return {columns_.data(), size_}; }
  /// The sum of a column, which is zero again.
  Real take(Index column) { return std::exchange(sums_[static_cast<std::size_t>(column)].value, Real(0)); }

 private:
  struct Sum {
    Real value = 0;
    Index row = -1;  ///< the last row that had the column
  };
  std::vector<Sum> sums_;
  std::vector<Index> columns_;
  std::size_t size_ = 0;
  Index row_ = -1;
};

/// The rows of a part of C = A B.
template <class Real>
struct MultiplyPart {
  const CsrMatrix<Real>&A, &B;
  Row<Real> row{B.num_columns};

  void make(Index r) {
    row.begin(r);
    row.add_product(A, r, B);
  }
};

/// The rows of a part of C = R A P.
template <class Real>
struct GalerkinPart {
  const CsrMatrix<Real>&R, &A, &P;
  Row<Real> half{A.num_columns}, row{P.num_columns};

  void make(Index r) {
    half.begin(r);
    half.add_product(R, r, A);
    row.begin(r);
    const std::span<const Index> columns = half.columns();
    row.add(
        P, columns.size(), [&](std::size_t i) { return columns[i]; },
        [&](std::size_t i) { return half.take(columns[i]); });
  }
};

template <class Real, class Maker>
void make_part(Maker maker, Index* counts, Part<Real>& part) {
  for (Index r = part.first; r < part.last; ++r) {
    maker.make(r);
    const std::span<Index> own = maker.row.columns();
    std::sort(own.begin(), own.end());
    counts[r] = static_cast<Index>(own.size());
    part.make_room(r, own.size());
    for (const Index column : own) {
      part.columns[part.size] = column;
      part.values[part.size++] = maker.row.take(column);
    }
  }
}

/// The rows of A are cut into as many parts as there are threads, with about as many products with rows of B each.
template <class Real>
std::vector<Part<Real>> cut_rows(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B) {
  const int threads = has_one_thread ? 1 : ExecutionSpace().concurrency();
  const auto add_products = [=](const Index row, std::int64_t& sum) {
    for (Index e = A.offsets(row); e < A.offsets(row + 1); ++e)
      sum += B.offsets(A.columns(e) + 1) - B.offsets(A.columns(e));
  };
  std::int64_t products = 0;
  if (threads > 1) Kokkos::parallel_reduce("linalg/count products", Range(0, A.num_rows), add_products, products);
  std::vector<Part<Real>> parts(static_cast<std::size_t>(threads));
  Index row = 0;
  std::int64_t done = 0;
  for (int p = 0; p < threads; ++p) {
    parts[p].first = row;
    if (p + 1 == threads)
      row = A.num_rows;
    else
      while (row < A.num_rows && done < products / threads * (p + 1)) add_products(row++, done);
    parts[p].last = row;
  }
  return parts;
}

/// C from its parts, whose rows `make` (counts, part) makes.
template <class Real, class Make>
CsrMatrix<Real> make_rows(Index num_columns, std::vector<Part<Real>> parts, const Make& make) {
  const Index num_rows = parts.back().last;
  const Vector<Index> counts = make_vector<Index>("linalg/counts", static_cast<std::size_t>(num_rows));
  const Kokkos::RangePolicy<ExecutionSpace> one_each(0, static_cast<int>(parts.size()));
  Kokkos::parallel_for("linalg/multiply rows", one_each, [&](const int p) { make(counts.data(), parts[p]); });
  std::int64_t num_entries = 0;
  for (const Part<Real>& part : parts) num_entries += static_cast<std::int64_t>(part.size);
  require_countable(num_entries);
  CsrMatrix<Real> C{num_rows, num_columns, offsets_of(counts), {}, {}};
  const auto join = [&]<class Numbers>(Numbers Part<Real>::*entries) {
    if constexpr (has_one_thread) {
      return first_of(parts[0].*entries, parts[0].size);
    } else {
      const auto all = make_vector<NumberOf<Numbers>>("linalg/rows", static_cast<std::size_t>(num_entries));
      Kokkos::parallel_for("linalg/copy rows", one_each, [&](const int p) {
        const Numbers own = std::exchange(parts[p].*entries, {});
        std::copy_n(own.data(), parts[p].size, all.data() + C.offsets(parts[p].first));
      });
      return all;
    }
  };
  C.columns = join(&Part<Real>::columns);
  C.values = join(&Part<Real>::values);
  return C;
}

template <class Real>
CsrMatrix<Real> multiply_rows(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B) {
  return make_rows<Real>(B.num_columns, cut_rows(A, B), [&](Index* counts, Part<Real>& part) {
    make_part(MultiplyPart<Real>{A, B}, counts, part);
  });
}

template <class Real>
CsrMatrix<Real> multiply_rows(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A, const CsrMatrix<Real>& P) {
  return make_rows<Real>(P.num_columns, cut_rows(R, A), [&](Index* counts, Part<Real>& part) {
    make_part(GalerkinPart<Real>{R, A, P}, counts, part);
  });
}

#else

template <class Real>
CsrMatrix<Real> multiply_rows(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B) {
  return multiply_hashed(A, B);
}
template <class Real>
CsrMatrix<Real> multiply_rows(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A, const CsrMatrix<Real>& P) {
  if (std::optional<CsrMatrix<Real>> product = galerkin_hashed(R, A, P)) return *product;
  return multiply_hashed(R, multiply_hashed(A, P));
}

#endif

template <class Real>
void require_fit(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B) {
  require(A.num_columns == B.num_rows,
          fmt::format("product: {} x {} times {} x {}", A.num_rows, A.num_columns, B.num_rows, B.num_columns));
}

template <class Real>
std::optional<CsrMatrix<Real>> multiply_whole_blocks(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B,
                                                     const BlockSizes& of) {
  if (of.rows * of.inner * of.columns == 1 || !has_whole_blocks(A, of.rows, of.inner) ||
      !has_whole_blocks(B, of.inner, of.columns))
    return {};
  return multiply_blocks(A, B, of, [](const auto& a, const auto& b) { return multiply_rows(a, b); });
}

}  // namespace

template <class Real>
CsrMatrix<Real> multiply(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B, const BlockSizes& blocks) {
  require_fit(A, B);
  if (auto product = multiply_whole_blocks(A, B, blocks)) return *product;
  return multiply_rows(A, B);
}

template <class Real>
CsrMatrix<Real> galerkin_product(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A, const CsrMatrix<Real>& P,
                                 int coarse, int fine) {
  require_fit(R, A);
  require_fit(A, P);
  if (auto half = multiply_whole_blocks(A, P, {fine, fine, coarse})) return multiply(R, *half, {coarse, fine, coarse});
  return multiply_rows(R, A, P);
}

template CsrMatrix<double> multiply(const CsrMatrix<double>&, const CsrMatrix<double>&, const BlockSizes&);
template CsrMatrix<float> multiply(const CsrMatrix<float>&, const CsrMatrix<float>&, const BlockSizes&);
template CsrMatrix<double> galerkin_product(const CsrMatrix<double>&, const CsrMatrix<double>&,
                                            const CsrMatrix<double>&, int, int);
template CsrMatrix<float> galerkin_product(const CsrMatrix<float>&, const CsrMatrix<float>&, const CsrMatrix<float>&,
                                           int, int);

}  // namespace miniapp::linalg
