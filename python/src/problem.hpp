// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/tensor/user_problem.hpp"
#include "python/src/linear.hpp"
#include "python/src/mesh.hpp"

namespace miniapp::python {

/// The operator of a discretisation, which must outlive it.
class ElementMap : public Operator {
 public:
  ElementMap(const tensor::Discretisation& d, const tensor::Variant& variant);
  const miniapp::space::Space& space() const override { return d_.space; }
  void apply(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const override {
    A_->apply(instance, x, y);
  }
  Vector<double> diagonal() const override;
  double bytes() const override { return A_->bytes(); }
  void require_solvable() const override;

 private:
  const tensor::Discretisation& d_;
  std::unique_ptr<tensor::ElementOperator<double>> A_;
};

/// -div(k grad u) + lambda u = f, or a bake-off problem without conditions, on a mesh.
class Problem {
 public:
  /// What Python gives: (group, function) of elements or sides, of Robin's conditions (group, (alpha, g)).
  struct Given {
    nb::list coefficient;
    nb::object source, exact;
    nb::list dirichlet, neumann, robin;
  };
  Problem(const Mesh& mesh, int order, const std::string& bp, double lambda, const Given& given);

  const tensor::Discretisation& discretisation() const { return prepared_.discretisation; }
  const tensor::PreparedProblem& prepared() const { return prepared_; }
  const ElementMap& A() const { return A_; }
  const Mesh& mesh() const { return mesh_; }
  std::string kernel() const { return tensor::name(variant_); }
  /// Coordinates of the nodes, which the first call computes.
  const std::vector<miniapp::mesh::Point>& nodes() const;
  std::unique_ptr<Preconditioner> make_preconditioner(std::string kind, const std::string& smoother, int degree) const;
  /// Relative errors of u, in L2 and of its gradient. Errors: InputError where the exact solution is not known.
  double l2_error(const Numbers& u) const;
  double h1_error(const Numbers& u) const;
  nb::bytes vtu(const nb::dict& fields, bool compress) const;
  /// The functions that it was given and still has.
  const std::vector<std::weak_ptr<const tensor::ElementFunction>>& functions() const { return functions_; }

 private:
  tensor::PreparedProblem prepare(int order, const std::string& bp, double lambda, const Given& given);

  std::shared_ptr<const void> session_ = python::session();  // first, so that it goes last
  int pieces_ = 1;                                           ///< hexahedra that each cell was cut into
  Mesh mesh_;
  std::vector<std::weak_ptr<const tensor::ElementFunction>> functions_;
  tensor::FunctionPointer exact_;
  tensor::PreparedProblem prepared_;
  tensor::Variant variant_;
  ElementMap A_;
  mutable std::vector<miniapp::mesh::Point> nodes_;
};

}  // namespace miniapp::python
