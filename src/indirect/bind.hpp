// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

// Each is defined in its own translation unit, src/indirect/loops/.
template <Layout layout>
std::unique_ptr<BoundLoop> bind_airfoil(const Case& data, PlanArrays plan);
template <Layout layout>
std::unique_ptr<BoundLoop> bind_shallow_water(const Case& data, PlanArrays plan);
template <Layout layout>
std::unique_ptr<BoundLoop> bind_hydro_stress(const Case& data, PlanArrays plan);
template <Layout layout>
std::unique_ptr<BoundLoop> bind_corner_acceleration(const Case& data, PlanArrays plan);
template <Layout layout>
std::unique_ptr<BoundLoop> bind_euler_flux(const Case& data, PlanArrays plan);

Case airfoil_case(const mesh::Mesh& mesh);
Case shallow_water_case(const mesh::Mesh& mesh);
Case hydro_stress_case(const mesh::Mesh& mesh);
Case corner_acceleration_case(const mesh::Mesh& mesh);
Case euler_flux_case(const mesh::Mesh& mesh);

}  // namespace miniapp::indirect
