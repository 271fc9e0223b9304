// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "linalg/counted_rows.hpp"
#include "linalg/hashed_galerkin.hpp"
#include "linalg/hashed_rows.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

#if defined(MINIAPP_RUNS_ON_HOST)

/// Rows of C that one thread computes, one after the other.
template <class Real>
struct Part {
  Index first, last;
  std::vector<Index> columns;
  std::vector<Real> values;
};

/// A row in the making: one number per column, and which columns it has.
template <class Real>
class Row {
 public:
  explicit Row(Index num_columns)
      : row_of_(static_cast<std::size_t>(num_columns), -1), sums_(static_cast<std::size_t>(num_columns)) {}

  void begin(Index row) {
    row_ = row;
    columns_.clear();
  }
  /// Adds factor times row k of a matrix.
  void add(const CsrMatrix<Real>& B, Index k, Real factor) {
    const Index *const offsets = B.offsets.data(), *const columns = B.columns.data();
    const Real* const values = B.values.data();
    for (Index e = offsets[k]; e < offsets[k + 1]; ++e) {
      const Index column = columns[e];
      const Real product = factor * values[e];
      if (row_of_[column] != row_) {
        row_of_[column] = row_;
        sums_[column] = product;
        columns_.push_back(column);
      } else {
        sums_[column] += product;
      }
    }
  }
  std::vector<Index>& columns() { return columns_; }
  Real sum(Index column) const { return sums_[column]; }

 private:
  Index row_ = -1;
  std::vector<Index> row_of_, columns_;  ///< (column): the row that its sum is of
  std::vector<Real> sums_;
};

/// The rows of a part of C = A B.
template <class Real>
struct MultiplyPart {
  const CsrMatrix<Real>&A, &B;
  Row<Real> row{B.num_columns};

  void make(Index r) {
    row.begin(r);
    for (Index a = A.offsets(r); a < A.offsets(r + 1); ++a) row.add(B, A.columns(a), A.values(a));
  }
};

/// The rows of a part of C = R A P.
template <class Real>
struct GalerkinPart {
  const CsrMatrix<Real>&R, &A, &P;
  Row<Real> half{A.num_columns}, row{P.num_columns};

  void make(Index r) {
    half.begin(r);
    for (Index e = R.offsets(r); e < R.offsets(r + 1); ++e) half.add(A, R.columns(e), R.values(e));
    row.begin(r);
    for (const Index k : half.columns()) row.add(P, k, half.sum(k));
  }
};

template <class Real, class Maker>
void make_part(Maker maker, Index* counts, Part<Real>& part) {
  for (Index r = part.first; r < part.last; ++r) {
    maker.make(r);
    std::vector<Index>& own = maker.row.columns();
    std::sort(own.begin(), own.end());
    counts[r] = static_cast<Index>(own.size());
    part.columns.insert(part.columns.end(), own.begin(), own.end());
    for (const Index column : own) part.values.push_back(maker.row.sum(column));
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
  std::int64_t entries = 0;
  for (const Part<Real>& part : parts) entries += static_cast<std::int64_t>(part.columns.size());
  require_countable(entries);
  const CsrMatrix<Real> C{num_rows, num_columns, offsets_of(counts),
                          make_vector<Index>("linalg/columns", static_cast<std::size_t>(entries)),
                          make_vector<Real>("linalg/values", static_cast<std::size_t>(entries))};
  Kokkos::parallel_for("linalg/copy rows", one_each, [&](const int p) {
    const Index place = C.offsets(parts[p].first);
    std::copy(parts[p].columns.begin(), parts[p].columns.end(), C.columns.data() + place);
    std::copy(parts[p].values.begin(), parts[p].values.end(), C.values.data() + place);
  });
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

}  // namespace

template <class Real>
CsrMatrix<Real> multiply(const CsrMatrix<Real>& A, const CsrMatrix<Real>& B) {
  require_fit(A, B);
  return multiply_rows(A, B);
}

template <class Real>
CsrMatrix<Real> galerkin_product(const CsrMatrix<Real>& R, const CsrMatrix<Real>& A, const CsrMatrix<Real>& P) {
  require_fit(R, A);
  require_fit(A, P);
  return multiply_rows(R, A, P);
}

template CsrMatrix<double> multiply(const CsrMatrix<double>&, const CsrMatrix<double>&);
template CsrMatrix<float> multiply(const CsrMatrix<float>&, const CsrMatrix<float>&);
template CsrMatrix<double> galerkin_product(const CsrMatrix<double>&, const CsrMatrix<double>&,
                                            const CsrMatrix<double>&);
template CsrMatrix<float> galerkin_product(const CsrMatrix<float>&, const CsrMatrix<float>&, const CsrMatrix<float>&);

}  // namespace miniapp::linalg
