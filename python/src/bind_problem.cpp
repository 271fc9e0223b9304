// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "python/src/functions.hpp"
#include "python/src/problem.hpp"

namespace miniapp::python {

using namespace nb::literals;

namespace {

/// The unknowns of a problem, which keeps them.
struct Unknowns {
  const Problem& problem;
  const miniapp::space::Space& space() const { return problem.discretisation().space; }
};

const Problem& of(nb::handle self) { return nb::cast<const Problem&>(self); }
const Unknowns& unknowns(nb::handle self) { return nb::cast<const Unknowns&>(self); }

/// For the garbage collector: functions of Python may hold the problem that holds them.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const auto& function : nb::inst_ptr<Problem>(self)->functions())
    if (const auto f = function.lock()) Py_VISIT(callable_of(*f).ptr());
  return 0;
}
int clear(PyObject* self) {
  for (const auto& function : nb::inst_ptr<Problem>(self)->functions())
    if (const auto f = function.lock()) forget(*f);
  return 0;
}
PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

Solution solve_problem(const Problem& p, nb::handle preconditioner, double tolerance, int max_iterations) {
  p.A().require_solvable();
  const Vector<double>& prescribed = p.prepared().prescribed;
  if (!nb::isinstance<nb::str>(preconditioner))
    return solve(p.A(), p.prepared().rhs, nb::cast<const Preconditioner*>(preconditioner), tolerance, max_iterations,
                 prescribed);
  const auto made = p.make_preconditioner(nb::cast<std::string>(preconditioner), "schwarz", 0);
  return solve(p.A(), p.prepared().rhs, made.get(), tolerance, max_iterations, prescribed);
}

const char* const preconditioner_doc = R"(A preconditioner of A, made anew by each call.

kind: 'p-multigrid', a V-cycle over orders in single precision; 'lor-amg', 'lor-ilu': algebraic multigrid or incomplete
factors of the low-order refined matrix; 'chebyshev', a polynomial of A; 'jacobi', the diagonal; 'none'; 'auto':
p-multigrid, of order 1 lor-amg, of the mass jacobi.
smoother, of p-multigrid: 'schwarz', which is fastest but not symmetric, or 'jacobi', which SciPy's CG needs.
degree, of Chebyshev's polynomials; 0: the usual one.)";

void bind_space(nb::module_& m) {
  nb::class_<Unknowns>(
      m, "Space", R"(The unknowns of a problem: nodes at Gauss-Lobatto points of the elements, shared by neighbours.

A vector has a number per node, constrained ones included; operators leave zeros there.)")
      .def_prop_ro(
          "nodes",
          [](nb::handle self) {
            const std::vector<mesh::Point>& nodes = unknowns(self).problem.nodes();
            return view_of_host(nodes.data()->data(), {nodes.size(), 3}, self);
          },
          "Coordinates (node, 3) [m], read-only.")
      .def_prop_ro(
          "cell_nodes",
          [](nb::handle self) {
            const Map& map = unknowns(self).space().element_to_node.host();
            return view_of_host(map.entries.data(), {map.size(), static_cast<std::size_t>(map.arity)}, self);
          },
          R"(Nodes (element, i + n j + n^2 k) int32, n = order + 1, read-only; ~node where it is constrained.)")
      .def_prop_ro(
          "masked",
          [](nb::handle self) {
            const std::vector<Index>& masked = unknowns(self).space().masked;
            return view_of_host(masked.data(), {masked.size()}, self);
          },
          "The constrained nodes, ascending, int32, read-only.")
      .def_prop_ro(
          "num_nodes", [](const Unknowns& u) { return u.space().num_nodes; }, "Nodes: the size of a vector.")
      .def_prop_ro(
          "num_unknowns", [](const Unknowns& u) { return u.space().num_dofs(); }, "Nodes that are free.")
      .def_prop_ro(
          "order", [](const Unknowns& u) { return u.space().order; }, "Polynomial order per direction.");
}

}  // namespace

void bind_problem(nb::module_& m) {
  bind_space(m);
  nb::class_<ElementMap, Operator>(m, "ElementOperator",
                                   "A of a Problem, applied element by element, without a matrix.");
  nb::class_<Problem>(m, "Problem", nb::type_slots(slots))
      .def(
          "__init__",
          [](Problem* self, const Mesh& mesh, int order, const std::string& bp, double lambda,
             const nb::list& coefficient, const nb::object& source, const nb::object& exact, const nb::list& dirichlet,
             const nb::list& neumann, const nb::list& robin) {
            new (self) Problem(mesh, order, bp, lambda, {coefficient, source, exact, dirichlet, neumann, robin});
          },
          "mesh"_a, "order"_a, "bp"_a, "lambda_"_a, "coefficient"_a, "source"_a.none(), "exact"_a.none(), "dirichlet"_a,
          "neumann"_a, "robin"_a)
      .def_prop_ro(
          "mesh", [](const Problem& p) { return p.mesh(); }, "The mesh of hexahedra that it is solved on.")
      .def_prop_ro(
          "space", [](const Problem& p) { return Unknowns{p}; }, nb::keep_alive<0, 1>(), "Its unknowns.")
      .def_prop_ro(
          "operator", [](const Problem& p) -> const ElementMap& { return p.A(); }, nb::rv_policy::reference_internal,
          "A, an Operator.")
      .def_prop_ro("kernel", &Problem::kernel, "The kernel of the operator, chosen by the program's table.")
      .def_prop_ro(
          "rhs",
          [](nb::handle self) {
            const Vector<const double> b = of(self).prepared().rhs;
            return view(b.data(), {b.extent(0)}, self);
          },
          "b, with what prescribed values make of it, zero at constrained nodes: an array, read-only.")
      .def_prop_ro(
          "prescribed",
          [](nb::handle self) {
            const Vector<const double> u = of(self).prepared().prescribed;
            return view(u.data(), {u.extent(0)}, self);
          },
          "u at constrained nodes, else zero: an array, read-only.")
      .def("preconditioner", &Problem::make_preconditioner, nb::keep_alive<0, 1>(), "kind"_a = "auto",
           "smoother"_a = "schwarz", "degree"_a = 0, preconditioner_doc)
      .def("solve", &solve_problem, "preconditioner"_a = "auto", "tolerance"_a = 1e-10, "max_iterations"_a = 10000,
           R"(Solves the problem by conjugate gradients until |b - A u| <= tolerance |b|; returns a Solution.

preconditioner: a name, as preconditioner() takes it, or a Preconditioner. Raises ResultError, whose `solution` has what
was computed, where CG does not converge.)")
      .def("l2_error", &Problem::l2_error, "u"_a, "||u - exact|| / ||exact|| in L2, by the Gauss rule.")
      .def("h1_error", &Problem::h1_error, "u"_a, "The same of gradients.")
      .def("_vtu", &Problem::vtu, "fields"_a, "compress"_a);
}

}  // namespace miniapp::python
