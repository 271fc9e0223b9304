// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/linear.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "miniapp/solver/jacobi.hpp"
#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::python {

using namespace nb::literals;

void Preconditioner::map(const Vector<const double>& r, const Vector<double>& z) const {
  made_->apply(instance(), space_, r, z, 0);
  const Vector<const double> result = made_->result(r, z);  // of none it is r
  if (result.data() != z.data()) Kokkos::deep_copy(instance().space(), z, result);
}

namespace {

/// Throws ResultError of Python, with the solution as its attribute.
[[noreturn]] void raise_unconverged(const Solution& solution) {
  const solver::CgResult& result = solution.result;
  const std::string message = fmt::format("CG {} after {} iterations: |b - A x| = {:.2g} |b|", name(result.verdict),
                                          result.iterations, result.true_relative_residual);
  const nb::object type = nb::module_::import_("miniapp._core").attr("ResultError");
  const nb::object error = type(message);
  error.attr("solution") = nb::cast(solution);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace

Solution solve(const Operator& A, const Vector<const double>& b, const Preconditioner* M, double tolerance,
               int max_iterations, const Vector<const double>& prescribed) {
  require(tolerance > 0 && tolerance < 1, "tolerance", fmt::format("{}", tolerance),
          "accepted are numbers between 0 and 1");
  require(max_iterations > 0, "max_iterations", max_iterations, "accepted are numbers from 1 on");
  require(!M || M->size() == A.size(), "preconditioner", std::to_string(M ? M->size() : 0),
          "unknowns; accepted are those of the operator, " + std::to_string(A.size()));
  A.require_solvable();
  solver::ChosenPreconditioner<double> diagonal;
  if (!M) diagonal = solver::make_any<double, solver::Jacobi<double>>(A.diagonal());
  solver::CgOptions options{tolerance, max_iterations, [](int, double) {
                              if (PyErr_CheckSignals() != 0) throw nb::python_error();
                            }};
  const Vector<double> x = make_vector<double>("python/x", A.size());
  Solution solution{{}, solver::cg<double>(A.instance(), A, M ? M->made() : *diagonal, b, x, options)};
  if (prescribed.extent(0) > 0) streaming::axpby<double>(A.instance(), 1, prescribed, 1, x);
  A.instance().fence();
  solution.values = own(x);
  if (!solution.result.converged()) raise_unconverged(solution);
  return solution;
}

namespace {

/// y = A x on arrays.
void apply(const LinearMap& map, const Numbers& x, const Written& y) {
  require(x.data() != y.data(), "y", "", "is x; accepted is another array");
  wait_for_others();
  const Target target("y", y, map.size());
  map.map(read("x", x, map.size()), target.vector);
  map.instance().fence();
  target.keep();
}

/// y = A x so many times in a row, as the program times operators: what a call from Python adds is compared with it.
void repeat(const LinearMap& map, const Numbers& x, const Written& y, int times) {
  const Target target("y", y, map.size());
  const Vector<const double> from = read("x", x, map.size());
  for (int i = 0; i < times; ++i) {
    map.map(from, target.vector);
    map.instance().fence();
  }
}

nb::object product(const LinearMap& map, const Numbers& x) {
  wait_for_others();
  const Vector<double> y = make_vector<double>("python/y", map.size());
  map.map(read("x", x, map.size()), y);
  map.instance().fence();
  return own(y);
}

nb::object as_linear_operator(nb::handle self) {
  const nb::object type = nb::module_::import_("scipy.sparse.linalg").attr("LinearOperator");
  return type("shape"_a = self.attr("shape"), "matvec"_a = self.attr("matvec"), "rmatvec"_a = self.attr("matvec"),
              "dtype"_a = "float64");
}

const char* const apply_doc = R"(y = A x, without copies and without memory of its own.

x, y: arrays of the size of the map, float64, contiguous, not the same. Where kernels run on the host these are arrays of
NumPy, in a build for GPUs arrays of the GPU (CuPy, PyTorch: whatever has __dlpack__); arrays of the host are copied to the
GPU and back. An x of another type or with gaps is copied, y has to be as said.)";

}  // namespace

void bind_linear(nb::module_& m) {
  nb::class_<LinearMap>(m, "LinearMap", R"(A linear map y = A x from vectors of `size` numbers to such vectors.

SciPy's solvers take it as it is: it has `shape`, `dtype` and `matvec`.)")
      .def("apply", &apply, "x"_a, "y"_a.noconvert(), apply_doc)
      .def("_repeat", &repeat, "x"_a, "y"_a.noconvert(), "times"_a)
      .def("matvec", &product, "x"_a, "y = A x in a new array.")
      .def("__matmul__", &product, "x"_a, "y = A x in a new array.")
      .def(
          "as_linear_operator", [](nb::handle self) { return as_linear_operator(self); },
          "The map as scipy.sparse.linalg.LinearOperator. A^T is taken to be A.")
      .def_prop_ro("size", &LinearMap::size, "Numbers of a vector.")
      .def_prop_ro("shape", [](const LinearMap& a) { return nb::make_tuple(a.size(), a.size()); })
      .def_prop_ro("dtype", [](const LinearMap&) { return nb::module_::import_("numpy").attr("dtype")("float64"); });

  nb::class_<Operator, LinearMap>(m, "Operator", "A symmetric operator A: of a Problem, or a Matrix.")
      .def(
          "diagonal", [](const Operator& a) { return own(a.diagonal()); },
          "The diagonal of A, 1 at constrained nodes: an array.")
      .def_prop_ro("bytes", &Operator::bytes, "Least memory traffic of y = A x [bytes].")
      .def(
          "solve",
          [](const Operator& a, const Numbers& b, const Preconditioner* M, double tolerance, int max_iterations) {
            wait_for_others();
            return solve(a, read("b", b, a.size()), M, tolerance, max_iterations);
          },
          "b"_a, "preconditioner"_a = nb::none(), "tolerance"_a = 1e-10, "max_iterations"_a = 10000,
          R"(Solves A x = b by conjugate gradients from x = 0, until |b - A x| <= tolerance |b|.

b: an array, zero at constrained nodes. preconditioner: a Preconditioner, or None for the diagonal.
Returns a Solution. Raises ResultError, whose `solution` has what was computed, where CG does not converge.)");

  nb::class_<Preconditioner, LinearMap>(m, "Preconditioner", "z = M^-1 r, M^-1 an approximation of the inverse of A.")
      .def_ro("kind", &Preconditioner::kind, "Its name, as --preconditioner has it.")
      .def_prop_ro(
          "is_symmetric", [](const Preconditioner& M) { return M.made().is_symmetric(); },
          "Whether M is symmetric. With one that is not CG has to be flexible, as solve() then is; SciPy's is not.")
      .def_prop_ro(
          "bytes", [](const Preconditioner& M) { return M.made().bytes(); }, "Its memory [bytes].")
      .def_prop_ro(
          "levels",
          [](const Preconditioner& M) {
            nb::list levels;
            if (const auto hierarchy = M.made().hierarchy())
              for (const solver::AmgLevel& level : hierarchy->levels)
                levels.append(nb::make_tuple(level.unknowns, level.entries));
            return levels;
          },
          "Of algebraic multigrid (unknowns, entries of the matrix) of each level, the finest first; else empty.");

  nb::class_<Solution>(m, "Solution", "What CG computed.")
      .def_ro("values", &Solution::values, "x, an array; of Problem.solve() with the values that are prescribed.")
      .def_prop_ro("iterations", [](const Solution& s) { return s.result.iterations; })
      .def_prop_ro(
          "converged", [](const Solution& s) { return s.result.converged(); },
          "Whether |b - A x| met the tolerance, or the floor that rounding sets (docs/verdicts.md).")
      .def_prop_ro(
          "verdict", [](const Solution& s) { return name(s.result.verdict); },
          "'converged', 'stagnated' (at the floor of the precision), 'unconverged' or 'diverged'.")
      .def_prop_ro(
          "residual", [](const Solution& s) { return s.result.true_relative_residual; }, "|b - A x| / |b|.")
      .def_prop_ro(
          "floor", [](const Solution& s) { return s.result.floor; },
          "The least |b - A x| / |b| that this precision attains, estimated.")
      .def_prop_ro(
          "residuals", [](const Solution& s) { return s.result.residuals; },
          "|r| / |b| of the recurrence, before the first and after each iteration: a list.")
      .def("__repr__", [](const Solution& s) {
        return "<miniapp.Solution: " + name(s.result.verdict) + " after " + std::to_string(s.result.iterations) +
               " iterations>";
      });
}

}  // namespace miniapp::python
