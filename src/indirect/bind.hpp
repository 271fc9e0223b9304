// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <tuple>

#include "miniapp/indirect/case.hpp"
#include "miniapp/indirect/loop.hpp"

namespace miniapp::indirect {

/// A Loop behind the common interface; `fields` are those that it increments.
template <class LoopType, class... Fields>
class BoundLoopOf : public BoundLoop {
 public:
  BoundLoopOf(LoopType loop, Fields... fields) : loop_(std::move(loop)), fields_(std::move(fields)...) {}
  void run(const Instance& instance) const override { loop_(instance); }
  void serial() const override { loop_.serial(); }
  void clear() const override {
    std::apply([](const auto&... field) { (field.fill(0), ...); }, fields_);
  }
  std::vector<double> result() const override {
    std::vector<double> all;
    const auto append = [&](const auto& field) {
      const auto values = field.to_vector();
      all.insert(all.end(), values.begin(), values.end());
    };
    std::apply([&](const auto&... field) { (append(field), ...); }, fields_);
    return all;
  }
  std::vector<int> components() const override {
    return std::apply([](const auto&... field) { return std::vector<int>{field.num_components...}; }, fields_);
  }
  double tolerance() const override { return loop_.tolerance(); }
  double bytes() const override { return loop_.bytes(); }
  PlanFigures figures() const override { return loop_.plan().figures(); }
  double cache_lines_per_block() const override { return loop_.cache_lines_per_block(); }
  TeamResources resources() const override { return loop_.resources(); }

 private:
  LoopType loop_;
  std::tuple<Fields...> fields_;
};

template <class LoopType, class... Fields>
std::unique_ptr<BoundLoop> make_bound(LoopType loop, Fields... fields) {
  return std::make_unique<BoundLoopOf<LoopType, Fields...>>(std::move(loop), std::move(fields)...);
}

/// The values with index `which` of a case, as a field.
template <class T, int components, Layout layout>
Field<T, components, layout> make_field(const std::string& label, const Case& data, int which) {
  const std::vector<double>& values = data.values[which].values;
  return Field<T, components, layout>(label, std::vector<T>(values.begin(), values.end()));
}

/// What a loop consists of.
struct LoopParts {
  bool at_vertices;                      ///< whether the targets are vertices; else cells
  mesh::Mesh (*make_mesh)(double size);  ///< with about so many from-elements
  Case (*make_case)(const mesh::Mesh&);
  std::unique_ptr<BoundLoop> (*bind_aos)(const Case&, PlanArrays);
  std::unique_ptr<BoundLoop> (*bind_soa)(const Case&, PlanArrays);
  /// Per from-element on the host and on the device, about: maps, a plan, fields; with METIS also its graph, which
  /// joins all elements around a vertex.
  double bytes = 500, bytes_with_metis = 500;
};

// Each is defined with its loop, in src/indirect/loops/.
extern const LoopParts airfoil_loop, shallow_water_loop, hydro_stress_loop, corner_acceleration_loop, euler_flux_loop;

/// The loops in the order of LoopKind.
inline constexpr std::array all_loops = {&airfoil_loop, &shallow_water_loop, &hydro_stress_loop,
                                         &corner_acceleration_loop, &euler_flux_loop};
static_assert(all_loops.size() == members<LoopKind>().size());

}  // namespace miniapp::indirect
