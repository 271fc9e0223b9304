// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>

#include "core/agree.hpp"
#include "miniapp/weakform/forms.hpp"
#include "miniapp/weakform/newton.hpp"
#include "miniapp/weakform/reference.hpp"
#include "miniapp/weakform/residual.hpp"
#include "space/of_ranks.hpp"
#include "weakform/bind.hpp"

namespace miniapp::weakform {

/// A user's exact solution as that of an equation: derivatives are central differences, whose error is about 1e-10 of
/// the values.
template <Form E>
struct UserSolution : E {
  const std::vector<Function>* functions;
  void exact(const double (&x)[E::dim], double (&u)[E::components]) const {
    mesh::Point at{};
    std::copy_n(x, E::dim, at.begin());
    for (int c = 0; c < E::components; ++c) u[c] = (*functions)[static_cast<std::size_t>(c)](0, at);
  }
  void exact(const Dual<double> (&x)[E::dim], Dual<double> (&u)[E::components]) const {
    double size = 1e-3, at[E::dim], before[E::dim], after[E::dim], low[E::components], high[E::components],
           value[E::components];
    for (int d = 0; d < E::dim; ++d) size = std::max(size, std::fabs(x[d].value));
    const double h = 1e-5 * size;
    for (int d = 0; d < E::dim; ++d) {
      at[d] = x[d].value;
      before[d] = at[d] - h * x[d].derivative;
      after[d] = at[d] + h * x[d].derivative;
    }
    exact(at, value);
    exact(before, low);
    exact(after, high);
    for (int c = 0; c < E::components; ++c) u[c] = {value[c], (high[c] - low[c]) / (2 * h)};
  }
};

/// A Residual behind the common interface, with its sums over ranks. The caller keeps the mesh.
template <Form F, class Real>
class BoundFormOf : public BoundForm {
 public:
  BoundFormOf(const mesh::Mesh& mesh, const space::Space& space, const Options& options, const Coefficients& data)
      : mesh_(mesh), space_(space), data_(data), residual_(form_, mesh, space, data, options) {
    for (Vector<Real>* const vector : {&u_, &w_, &r_}) *vector = make_zeros<Real>("weakform/vector", num_entries());
  }
  void set_state(const std::vector<double>& u) override { copy(u, u_); }
  void set_direction(const std::vector<double>& w) override { copy(w, w_); }
  void run(const Instance& instance) override {
    residual_.apply(instance, u_, r_);
    space_.exchange.sum(instance, r_);
  }
  void run_jacobian(const Instance& instance) override {
    residual_.apply_jacobian(instance, u_, w_, r_);
    space_.exchange.sum(instance, r_);
  }
  void run_on_e_vectors(const Instance& instance) override { residual_.apply_to_e_vectors(instance); }
  std::vector<double> result() const override { return to_doubles(r_); }
  std::vector<double> reference() const override {
    return miniapp::space::sum_over_ranks(space_, reference_residual(form_, mesh_, space_, data_, to_doubles(u_)));
  }
  void require_finite() const override { residual_.require_finite(u_); }
  std::vector<double> state() const override { return to_doubles(u_); }
  NewtonResult solve(const Instance& instance, const NewtonOptions& options) override {
    if (!newton_) agree(space_.exchange.ranks(), [&] { newton_.emplace(residual_, mesh_, space_, held()); });
    const Vector<Real> prescribed = make_vector<Real>("weakform/prescribed", num_entries());
    copy(prescribed_values(), prescribed);
    return newton_->solve(instance, prescribed, u_, options);
  }
  SolutionErrors errors() const override { return solution_errors(form_, mesh_, space_, to_doubles(u_)); }
  const Options& options() const override { return residual_.options(); }
  double flops() const override { return residual_.flops(); }
  double bytes() const override { return residual_.bytes(); }
  double least_bytes() const override { return residual_.least_bytes(); }
  std::size_t num_entries() const override { return residual_.num_entries(); }
  indirect::PlanFigures figures() const override { return residual_.figures(); }
  TeamResources resources() const override { return residual_.resources(); }

 protected:
  F form_;
  const mesh::Mesh& mesh_;
  space::Space space_;

 private:
  void copy(const std::vector<double>& from, const Vector<Real>& to) const {
    detail::require_entries(from.size(), num_entries());
    const std::vector<Real> rounded(from.begin(), from.end());
    copy_entries(to, HostVector<const Real>(rounded.data(), rounded.size()));
  }
  /// What is prescribed at constrained nodes, (node, component): the solution.
  virtual std::vector<double> prescribed_values() const {
    std::vector<double> result;
    for (const mesh::Point& point : space::node_points(mesh_, space_)) {
      double x[F::dim], u[F::components];
      std::copy_n(point.begin(), F::dim, x);
      form_.exact(x, u);
      result.insert(result.end(), u, u + F::components);
    }
    return result;
  }
  /// (node, component): where single components are held too; empty: nowhere.
  virtual std::vector<char> held() const { return {}; }
  static std::vector<double> to_doubles(const Vector<Real>& from) {
    const auto host = to_host(from);
    return {host.data(), host.data() + host.extent(0)};
  }

  Coefficients data_;
  Residual<F, Real> residual_;
  Vector<Real> u_, w_, r_;
  std::optional<Newton<F, Real>> newton_;  ///< made by the first solve()
};

/// A form with a user's data.
template <Form E>
class FormWithData : public BoundFormOf<WithData<E>, double> {
 public:
  FormWithData(const mesh::Mesh& mesh, const PreparedForm& problem, const Options& options)
      : BoundFormOf<WithData<E>, double>(mesh, problem.space, options, problem.data), problem_(problem) {}
  SolutionErrors errors() const override {
    require(!problem_.exact.empty(), "exact", "none", "accepted is a solution that is known");
    return solution_errors(UserSolution<E>{{}, &problem_.exact}, this->mesh_, this->space_, this->state());
  }

 private:
  std::vector<double> prescribed_values() const override { return problem_.prescribed; }
  std::vector<char> held() const override { return problem_.held; }

  PreparedForm problem_;
};

/// The first coordinates of a point.
template <int dim>
struct Coordinates {
  double x[dim];
  explicit Coordinates(const mesh::Point& point) { std::copy_n(point.begin(), dim, x); }
};

template <Form F>
std::unique_ptr<BoundForm> bind_form(Precision precision, const mesh::Mesh& mesh, const space::Space& space,
                                     const Options& options, const std::vector<double>& kappa) {
  if (precision == Precision::fp64) return std::make_unique<BoundFormOf<F, double>>(mesh, space, options, kappa);
  return std::make_unique<BoundFormOf<F, float>>(mesh, space, options, kappa);
}

template <Form E>
FormParts make_parts() {
  using F = Manufactured<E>;
  return {
      {F::components, F::points, F::symmetric, displaces<F>(), F::takes_kappa, detail::cell_flops<F>(),
       model_intensity(F::dim, detail::Sizes<F>::coefficients, F::components, F::points)},
      [](const mesh::Point& point) {
        double u[F::components];
        F().exact(Coordinates<F::dim>(point).x, u);
        return std::vector<double>(u, u + F::components);
      },
      [](const mesh::Point& point) { return F().coefficient(Coordinates<F::dim>(point).x); },
      bind_form<F>,
      [](const mesh::Mesh& mesh, const space::Space& space, const std::vector<double>& kappa,
         const std::vector<double>& u, const std::vector<double>& w,
         bool rounds_input) { return reference_bounds(F(), mesh, space, kappa, u, w, rounds_input); },
      [](const mesh::Mesh& mesh, const PreparedForm& problem, const Options& options) -> std::unique_ptr<BoundForm> {
        return std::make_unique<FormWithData<E>>(mesh, problem, options);
      },
      [](const mesh::Mesh& mesh, const PreparedForm& problem, const std::vector<double>& u,
         const std::vector<double>& w) {
        return reference_bounds(WithData<E>(), mesh, problem.space, problem.data, u, w, false);
      }};
}

}  // namespace miniapp::weakform
