// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <utility>

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "python/src/linear.hpp"
#include "python/src/mesh.hpp"

namespace miniapp::python {

using namespace nb::literals;

namespace {

using Indices = nb::ndarray<const Index, nb::ndim<1>, nb::c_contig>;
using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig>;

/// A vector of an array's memory where kernels run there, else a copy. The library does not write to matrices.
template <class T, class Array>
Vector<T> hold(const char* label, const Array& array) {
  if (is_on_device(array)) return Vector<T>(const_cast<T*>(array.data()), array.size());  // NOLINT
  require_column(label, array, array.size());
  const Vector<T> copy = make_vector<T>(label, array.size());
  Kokkos::deep_copy(copy, HostVector<const T>(array.data(), array.size()));
  return copy;
}

/// A sparse matrix whose arrays are Python's.
class Matrix : public Operator {
 public:
  Matrix(Indices offsets, Indices columns, Values values, Index num_columns)
      : arrays_{std::move(offsets), std::move(columns), std::move(values)},
        matrix_{static_cast<Index>(arrays_.offsets.size()) - 1, num_columns, hold<Index>("indptr", arrays_.offsets),
                hold<Index>("indices", arrays_.columns), hold<double>("data", arrays_.values)},
        A_(checked(matrix_)) {}
  const miniapp::space::Space& space() const override { return A_.space(); }
  void apply(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const override {
    A_.apply(instance, x, y);
  }
  Vector<double> diagonal() const override { return linalg::diagonal(matrix_); }
  double bytes() const override { return A_.bytes(); }
  void require_solvable() const override {
    if (is_checked_) return;
    linalg::require_spd_candidate(matrix_);
    is_checked_ = true;
  }

  std::unique_ptr<Preconditioner> make_preconditioner(const std::string& kind, const std::string& smoother,
                                                      const std::string& cycle, double strength, int sweeps,
                                                      const std::string& precision) const {
    require_solvable();
    const auto made = [&](auto m) { return std::make_unique<Preconditioner>(space(), kind, std::move(m)); };
    if (kind == "none") return made(solver::make_any<double, solver::Identity>());
    if (kind == "jacobi") return made(solver::make_any<double, solver::Jacobi<double>>(diagonal()));
    require(kind == "amg", "preconditioner", kind, "accepted are amg, jacobi, none");
    require(strength >= 0 && strength < 1, "strength", fmt::format("{}", strength), "accepted are numbers from 0 to 1");
    require(sweeps > 0, "sweeps", sweeps, "accepted are numbers from 1 on");
    solver::AmgOptions options;
    options.smoother = member<solver::Smoother>("smoother", smoother);
    options.cycle = member<solver::Cycle>("cycle", cycle);
    options.strength = strength;
    options.sweeps = sweeps;
    if (member<Precision>("precision", precision) == Precision::fp64)
      return made(solver::make_any<double, solver::Amg<double>>(matrix_, options));
    return made(solver::make_any<double, solver::Amg<float>>(matrix_, options));
  }

  nb::tuple shape() const { return nb::make_tuple(matrix_.num_rows, matrix_.num_columns); }
  std::int64_t num_entries() const { return matrix_.num_entries(); }
  const Index* columns() const { return matrix_.columns.data(); }

 private:
  /// Errors: InputError where offsets and columns are no compressed rows with ascending columns.
  static const linalg::CsrMatrix<double>& checked(const linalg::CsrMatrix<double>& m) {
    require(m.num_rows > 0 && m.num_rows == m.num_columns, "matrix",
            std::to_string(m.num_rows) + " x " + std::to_string(m.num_columns), "accepted are square ones");
    require(m.columns.extent(0) == m.values.extent(0), "matrix", "", "has not as many columns as values");
    const auto offsets = to_host(m.offsets);
    const auto columns = to_host(m.columns);
    require(offsets(0) == 0 && std::size_t(offsets(m.num_rows)) == m.columns.extent(0), "indptr", "",
            "does not begin with 0 or end with the number of entries");
    for (Index row = 0; row < m.num_rows; ++row) {
      require(offsets(row) <= offsets(row + 1), "indptr", row, "is above the next; accepted are ascending numbers");
      for (Index i = offsets(row); i < offsets(row + 1); ++i)
        require(columns(i) >= 0 && columns(i) < m.num_columns && (i == offsets(row) || columns(i - 1) < columns(i)),
                "indices", i, "is out of range or order; accepted are ascending columns of a row, each once");
    }
    return m;
  }

  struct Arrays {
    Indices offsets, columns;
    Values values;
  } arrays_;  ///< keeps the memory of matrix_
  linalg::CsrMatrix<double> matrix_;
  linalg::MatrixOperator<double> A_;
  mutable bool is_checked_ = false;
};

const char* const preconditioner_doc = R"(A preconditioner of the matrix, made anew by each call.

kind: 'amg', a cycle of smoothed aggregation; 'jacobi', the diagonal; 'none'.
Of amg: smoother 'chebyshev', 'jacobi' or 'l1-jacobi' with `sweeps` before and after the coarser level; cycle 'w' or 'v';
strength, below which couplings do not make aggregates; precision 'single' or 'double', of the cycle.)";

}  // namespace

void bind_matrix(nb::module_& m) {
  const solver::AmgOptions usual;
  nb::class_<Matrix, Operator>(m, "Matrix")
      .def(nb::init<Indices, Indices, Values, Index>(), "indptr"_a, "indices"_a, "data"_a, "num_columns"_a)
      .def("preconditioner", &Matrix::make_preconditioner, nb::keep_alive<0, 1>(), "kind"_a = "amg",
           "smoother"_a = name(usual.smoother), "cycle"_a = name(usual.cycle), "strength"_a = usual.strength,
           "sweeps"_a = usual.sweeps, "precision"_a = "single", preconditioner_doc)
      .def_prop_ro("nnz", &Matrix::num_entries, "Stored entries.")
      .def_prop_ro("_columns_at", [](const Matrix& a) { return reinterpret_cast<std::uintptr_t>(a.columns()); });
}

}  // namespace miniapp::python
