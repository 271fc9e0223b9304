// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/instance.hpp"
#include "miniapp/solver/any_preconditioner.hpp"
#include "miniapp/solver/cg.hpp"
#include "python/src/arrays.hpp"

namespace miniapp::python {

/// A linear map from vectors of a space to such vectors. Its instance and its share of Kokkos are destroyed after what
/// derived classes have.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  LinearMap() = default;
  LinearMap(const LinearMap&) = delete;
  LinearMap& operator=(const LinearMap&) = delete;

  virtual const miniapp::space::Space& space() const = 0;
  /// y = A x or y = M^-1 x, submitted to instance().
  virtual void map(const Vector<const double>& x, const Vector<double>& y) const = 0;
  std::size_t size() const { return space().num_entries(); }
  const Instance& instance() const { return instance_; }

 private:
  std::shared_ptr<const void> session_ = python::session();
  Instance instance_;
};

/// y = A x, which CG takes as it takes the operators of the library.
class Operator : public LinearMap {
 public:
  virtual void apply(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const = 0;
  void map(const Vector<const double>& x, const Vector<double>& y) const final { apply(instance(), x, y); }
  virtual Vector<double> diagonal() const = 0;
  virtual double bytes() const = 0;
  /// Errors: InputError where A cannot be of a system that CG solves.
  virtual void require_solvable() const {}
};

/// z = M^-1 r. `space`, and what `make` refers to, must outlive it.
class Preconditioner : public LinearMap {
 public:
  Preconditioner(const miniapp::space::Space& space, std::string kind_, solver::ChosenPreconditioner<double> made)
      : kind(std::move(kind_)), space_(space), made_(std::move(made)) {}
  const miniapp::space::Space& space() const override { return space_; }
  void map(const Vector<const double>& r, const Vector<double>& z) const override;
  const solver::AnyPreconditioner<double>& made() const { return *made_; }

  const std::string kind;  ///< its name, as the program has it

 private:
  const miniapp::space::Space& space_;
  solver::ChosenPreconditioner<double> made_;
};

/// What CG computed.
struct Solution {
  nb::object values;  ///< x, an array
  solver::CgResult result;
};

/// A x = b by CG; without M by the diagonal. `values` get `prescribed` added, where it is not empty. Ctrl-C ends it.
/// Errors: InputError for b or M of another size, values of the options; ResultError of Python, with the solution as
/// its attribute, where it did not converge.
Solution solve(const Operator& A, const Vector<const double>& b, const Preconditioner* M, double tolerance,
               int max_iterations, const Vector<const double>& prescribed = {});

void bind_linear(nb::module_& module);
void bind_mesh(nb::module_& module);
void bind_problem(nb::module_& module);
void bind_matrix(nb::module_& module);

}  // namespace miniapp::python
