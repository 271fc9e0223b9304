// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "miniapp/core/lanes.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/lanes/lane_chunks.hpp"
#include "tensor/lanes/lane_groups.hpp"
#include "tensor/lanes/lane_rows.hpp"

/// Common parts of the operators on lanes, compiled once, so that the translation units of the orders contain only
/// arithmetic and no Kokkos loops.
namespace miniapp::tensor {

/// The work on one group of elements, given the pass, the number of the group and the team's scratch.
using GroupBody = void (*)(const void* pass, int group, void* scratch);

/// Calls body(part, scratch) for all parts in parallel, with `bytes` of scratch aligned to a cache line.
void for_parts(const Instance& instance, const LaneGroups& groups, std::size_t bytes,
               const std::function<void(int part, void* scratch)>& body);

/// Runs body on all groups, parts in parallel, with `scratch_bytes` of scratch aligned to a cache line. The call
/// through a pointer costs a thousandth of the work on a group.
void for_groups(const Instance& instance, const LaneGroups& groups, std::size_t scratch_bytes, const void* pass,
                GroupBody body);

/// Room for the copies of LaneGroups::copies, component by component.
template <class Real>
class Copies {
 public:
  Copies(std::shared_ptr<const LaneGroups> groups, int components);
  Real* component(int c) const { return values_.data() + std::size_t(c) * groups_->copies.size; }
  /// y (component, node) += the copies of the node, once all groups are done.
  void add_to(const Instance& instance, Real* y) const;

 private:
  std::shared_ptr<const LaneGroups> groups_;
  int components_;
  Vector<Real> values_;  ///< (component, copy)
};

/// The arithmetic of one problem, geometry and order: `body` is LanesOperator::apply_group<Body>, `tables` a Body.
struct LaneKernel {
  GroupBody body;
  std::size_t scratch_bytes;
  std::shared_ptr<const void> tables;
};

/// Elements in the lanes of vector registers, gather and scatter fused; each thread runs a part of the groups.
/// y is not zeroed: the first group at a node stores. Bytes per element with n nodes and q quadrature points per
/// direction: vectors, row starts and bits 6 n^2, computed geometry 8 * 15 q^2 (BP1.0: 8 * 3 q^2), with a coefficient
/// 8 q^3 more, stored 8 * 7 q^3 (BP1.0: 8 q^3), affine 8 * 7, boxes 8 * 4. Flops: tensor::cost() counts the plain
/// algorithm, even-odd executes about half of that.
template <class Real>
class LanesOperator : public ElementOperator<Real> {
 public:
  /// `rule`: that of the kernel's integrals.
  LanesOperator(const Discretisation& d, Geometry geometry, const basis::Rule& rule, LaneKernel kernel);
  Vector<const Index> local_nodes() const override;
  typename ElementOperator<Real>::Memory memory() const override;
  void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const override;
  bool has_chunks() const override { return true; }

  /// What a kernel works on.
  struct Pass {
    const LanesOperator* op;
    Storage storage;
    std::size_t size;  ///< entries of a component
    const Real* x;
    Real* y;
  };
  /// Applies body(rows, lines, coefficient, scratch) to all components of group g of a pass, one after the other, so
  /// that the group's geometry stays in the L2 cache.
  template <class Body>
  static void apply_group(const void* pass, int g, void* scratch) {
    using Line = typename Body::Line;
    const Pass& p = *static_cast<const Pass*>(pass);
    const LanesOperator& op = *p.op;
    const Body& body = *static_cast<const Body*>(op.kernel_.tables.get());
    const Line* const lines = reinterpret_cast<const Line*>(op.lines_.data()) + std::size_t(g) * Body::lines_per_group;
    const auto* const coefficient =
        op.coefficient_.extent(0) == 0
            ? nullptr
            : reinterpret_cast<const Lanes<Real>*>(op.coefficient_.data()) + std::size_t(g) * Body::points_per_group;
    for (int c = 0; c < op.discretisation_.space.components; ++c) {
      const typename Body::Rows rows(op.groups_, g, p.storage, p.x + c * p.size, p.y + c * p.size,
                                     op.copies_.component(c));
      body(rows, lines, coefficient, *static_cast<typename Body::Scratch*>(scratch));
    }
  }

 private:
  void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const override;
  void compute_between(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                       const linalg::LoopsAround& loops, const std::function<void()>& complete,
                       double* sums) const override;
  void update_factors(bool varies) override;
  void set_lines();
  void set_coefficient();

  const Discretisation& discretisation_;
  Geometry geometry_;
  basis::Rule rule_;
  LaneKernel kernel_;
  std::shared_ptr<const LaneGroups> shared_groups_;
  const LaneGroups& groups_;
  Copies<Real> copies_;
  Vector<Real> lines_;        ///< the geometry, see set_lane_lines
  Vector<Real> coefficient_;  ///< k beside computed geometry, see set_lane_coefficient; empty: 1
  mutable std::unique_ptr<const LaneChunks> chunks_;  ///< made when they are needed first, and for another surface
};

}  // namespace miniapp::tensor
