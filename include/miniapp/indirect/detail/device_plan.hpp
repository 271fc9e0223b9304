// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/indirect/detail/block_kernel.hpp"
#include "miniapp/indirect/owner_plan.hpp"
#include "miniapp/indirect/plan.hpp"

namespace miniapp::indirect {

namespace detail {

/// to(position) = from(order(position)).
template <class T>
void copy_in_order(const Vector<T>& to, const Vector<T>& from, const Vector<Index>& order) {
  Kokkos::parallel_for(
      "indirect/map in order", Kokkos::RangePolicy<ExecutionSpace>(0, order.extent(0)),
      KOKKOS_LAMBDA(std::size_t position) { to(position) = from(order(position)); });
}

}  // namespace detail

/// The order and the blocks of loops over one map, on the device. Copies share the data.
template <int arity>
class Plan {
 public:
  /// Plans loops over `map`. If `first_element` is not empty, hierarchical blocks are the ranges of elements that begin
  /// there (make_plan). Errors: InputError.
  Plan(const ElementMap<arity>& map, const PlanOptions& options, const std::vector<Index>& first_element = {})
      : map_(map) {
    set(make_arrays(map, options, first_element));
  }

  /// An existing plan (load_plan). Errors: InputError where it belongs to another map.
  Plan(PlanArrays arrays, const ElementMap<arity>& map) : map_(map) {
    require(arrays.arity == arity && arrays.map_hash == hash(map.host(), map.to_size()), "load_plan", "",
            "the plan was made for another map; accepted is one of this mesh, in this order");
    set(std::move(arrays));
  }

  const PlanOptions& options() const { return arrays_->options; }
  const PlanArrays& arrays() const { return *arrays_; }
  const PlanFigures& figures() const { return figures_; }
  const ElementMap<arity>& map() const { return map_; }

  /// Another map of the same from-set, with elements in the order of the plan.
  template <int other>
  Vector<Ids<other>> in_order(const ElementMap<other>& map) const {
    require(map.from_size() == map_.from_size(), "a map of " + std::to_string(map.from_size()) +
                                                     " elements in a loop over " + std::to_string(map_.from_size()));
    if (order_.extent(0) == 0) return map.ids();
    const Vector<Ids<other>> ordered = make_vector<Ids<other>>("map in order", order_.extent(0));
    detail::copy_in_order(ordered, map.ids(), order_);
    return ordered;
  }

  const Index* order() const { return order_.extent(0) ? order_.data() : nullptr; }
  const Ids<arity>* global() const { return global_.data(); }
  const Vector<Index>& row_offsets() const { return row_offsets_; }
  const Vector<Index>& row_entries() const { return row_entries_; }
  /// Strides are multiples of four places, so that values of any size are aligned.
  BlockPointers<arity> blocks() const {
    return {nullptr,
            first_position_.data(),
            first_target_.data(),
            targets_.data(),
            first_row_.data(),
            reinterpret_cast<const RowUnit*>(rows_.data()),
            reinterpret_cast<const typename BlockPointers<arity>::Locals*>(local_.data()),
            global_.data(),
            order(),
            thread_colour_.data(),
            thread_colours_.data(),
            options().block_size,
            static_cast<Index>(arrays_->to_size),
            options().write_back == WriteBack::atomic,
            (figures_.most_targets + 3) / 4 * 4,
            (figures_.most_positions + 3) / 4 * 4,
            figures_.most_rows};
  }
  const Index* launch_order() const { return launch_order_.extent(0) ? launch_order_.data() : nullptr; }

 private:
  void set(PlanArrays arrays) {
    order_ = to_device("order", arrays.order);
    launch_order_ = to_device("launch order", arrays.launch_order);
    first_position_ = to_device("first positions", arrays.first_position);
    first_target_ = to_device("first targets", arrays.first_target);
    targets_ = to_device("targets", arrays.targets);
    first_row_ = to_device("first rows", arrays.first_row);
    rows_ = to_device("rows", arrays.rows);
    local_ = to_device("local numbers", arrays.local);
    thread_colour_ = to_device("thread colour", arrays.thread_colour);
    thread_colours_ = to_device("thread colours", arrays.thread_colours);
    row_offsets_ = to_device("row offsets", arrays.row_offsets);
    row_entries_ = to_device("row entries", arrays.row_entries);
    arrays_ = std::make_shared<const PlanArrays>(std::move(arrays));
    figures_ = indirect::figures(*arrays_);
    global_ = in_order(map_);
  }

  /// Makes the plan: that of owners on a GPU if loops run there, others on the host.
  static PlanArrays make_arrays(const ElementMap<arity>& map, const PlanOptions& options,
                                const std::vector<Index>& first_element) {
    if (runs_on_host || options.strategy != Strategy::owner)
      return make_plan(map.host(), map.to_size(), options, first_element);
    static_assert(sizeof(Ids<arity>) == arity * sizeof(Index));
    const Vector<Index> entries(reinterpret_cast<Index*>(map.ids().data()), map.from_size() * arity);
    return copy_to_host(make_owner_plan({entries, arity, map.to_size()}, options), map.host());
  }

  ElementMap<arity> map_;
  std::shared_ptr<const PlanArrays> arrays_;
  PlanFigures figures_;
  Vector<Index> order_, launch_order_, first_position_, first_target_, targets_, first_row_, row_offsets_, row_entries_;
  Vector<std::uint16_t> rows_, local_;
  Vector<Ids<arity>> global_;
  Vector<std::uint8_t> thread_colour_, thread_colours_;
};

}  // namespace miniapp::indirect
