// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/linalg/sliced_matrix.hpp"

namespace miniapp::linalg {

namespace detail {

/// y = A x; sum x . y.
template <class Real>
struct StoreProductAndEnergy {
  const Real* x;
  Real* y;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add& add) const {
    y[row] = product;
    add(0, double(x[row]) * double(product));
  }
};

}  // namespace detail

/// A square sparse matrix as a linear operator. Bytes: those of the matrix, two words per row. With an exchange it is
/// what a rank adds to the matrix of all ranks, whose unknowns have copies, as those of elements do: linalg::apply()
/// then completes products. apply_with_sums() takes whole matrices only.
template <class Real>
class MatrixOperator {
 public:
  template <class From>
  explicit MatrixOperator(const CsrMatrix<From>& matrix, const space::Exchange& exchange = {})
      : space_(space::make_unknowns(matrix.num_rows)), matrix_(matrix) {
    require(matrix.num_rows == matrix.num_columns, "matrix", std::to_string(matrix.num_columns),
            "columns; accepted are as many as rows, " + std::to_string(matrix.num_rows));
    space_.exchange = exchange;
  }

  const space::Space& space() const { return space_; }
  const SlicedMatrix<Real>& matrix() const { return matrix_; }
  double bytes() const { return matrix_.bytes() + 2 * double(matrix_.num_rows()) * sizeof(Real); }

  /// y = A x.
  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    for_rows(instance, "linalg/multiply", matrix_, x, StoreProduct<Real>{y.data()});
  }
  /// y = A x, whatever y holds; *energy = x . y on the device, without waiting.
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                     double* energy) const {
    sum_rows<1>(instance, "linalg/multiply", matrix_, x, detail::StoreProductAndEnergy<Real>{x.data(), y.data()},
                energy);
  }
  /// y = A x; sums[0] = x . y, sums[1] = y . M y on the device, without waiting; M is pointwise
  /// (solver/preconditioner.hpp).
  template <class M>
  void apply_with_sums(const Instance& instance, const M& m, const Vector<const Real>& x, const Vector<Real>& y,
                       double* sums) const {
    sum_rows<2>(instance, "linalg/multiply", matrix_, x, WithSums<M>{m, {x.data(), y.data()}}, sums);
  }
  bool can_replay() const { return true; }

  template <class M>
  struct WithSums {
    M m;
    detail::StoreProductAndEnergy<Real> first;
    template <class Add>
    KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add& add) const {
      first.finish(row, product, add);
      add(1, double(product) * double(m.at(row, product)));
    }
  };

 private:
  space::Space space_;
  SlicedMatrix<Real> matrix_;
};

}  // namespace miniapp::linalg
