// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "miniapp/solver/hierarchy.hpp"
#include "miniapp/solver/preconditioner.hpp"

namespace miniapp::solver {

/// A preconditioner that is chosen at run time, of any type; cg() and gmres() take it as they take the type itself. A
/// call costs a virtual call. Loops of fused_cg() and pipelined_cg() need the type: as<M>().
template <class Real>
class AnyPreconditioner {
 public:
  virtual ~AnyPreconditioner() = default;

  /// z = M^-1 r; returns r . z, given r . r. Collective where M is of all ranks.
  virtual double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                       const Vector<Real>& z, double r_r) const = 0;
  /// The vector that holds the result: z, of the identity r.
  virtual Vector<const Real> result(const Vector<const Real>& r, const Vector<Real>& z) const = 0;
  virtual bool is_symmetric() const = 0;
  /// How CG calls it in single precision, without z; else null.
  virtual const SinglePrecisionPreconditioner* in_single_precision() const = 0;
  /// Memory [bytes], and what an application moves at least [bytes]; 0 where it does not tell. The diagonal of a
  /// pointwise one counts as a vector of CG.
  virtual double bytes() const = 0;
  virtual double traffic() const = 0;
  /// The levels of algebraic multigrid.
  virtual std::optional<Hierarchy> hierarchy() const = 0;

  /// The preconditioner where its type is M, else null.
  template <class M>
  const M* as() const;
};

namespace detail {

template <class Real, Preconditioner<Real> M>
struct HeldPreconditioner final : AnyPreconditioner<Real> {
  template <class... Arguments>
  explicit HeldPreconditioner(Arguments&&... arguments) : m(std::forward<Arguments>(arguments)...) {}

  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double r_r) const override {
    return m.apply(instance, space, r, z, r_r);
  }
  Vector<const Real> result(const Vector<const Real>& r, const Vector<Real>& z) const override {
    return m.result(r, z);
  }
  bool is_symmetric() const override { return solver::is_symmetric(m); }
  const SinglePrecisionPreconditioner* in_single_precision() const override { return solver::in_single_precision(m); }
  double bytes() const override {
    if constexpr (requires { m.bytes(); }) return m.bytes();
    return 0;
  }
  double traffic() const override {
    if constexpr (requires { m.traffic(); }) return m.traffic();
    return 0;
  }
  std::optional<Hierarchy> hierarchy() const override {
    if constexpr (requires { m.hierarchy(); }) return m.hierarchy();
    return {};
  }

  const M m;
};

}  // namespace detail

template <class Real>
template <class M>
const M* AnyPreconditioner<Real>::as() const {
  const auto* const held = dynamic_cast<const detail::HeldPreconditioner<Real, M>*>(this);
  return held ? &held->m : nullptr;
}

template <class Real>
using ChosenPreconditioner = std::unique_ptr<const AnyPreconditioner<Real>>;

/// An M made of these arguments.
template <class Real, Preconditioner<Real> M, class... Arguments>
ChosenPreconditioner<Real> make_any(Arguments&&... arguments) {
  return std::make_unique<const detail::HeldPreconditioner<Real, M>>(std::forward<Arguments>(arguments)...);
}

}  // namespace miniapp::solver
