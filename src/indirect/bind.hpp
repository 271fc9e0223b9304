// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "indirect/least_bytes.hpp"
#include "miniapp/indirect/case.hpp"
#include "miniapp/indirect/loop.hpp"
#include "miniapp/space/exchange.hpp"

namespace miniapp::indirect {

/// A loop that bind() completes.
class ShareableLoop : public BoundLoop {
 public:
  /// Makes the exchanges of the targets that ranks share. Collective, where there are several.
  virtual void share(const Case& data) = 0;
};

/// Makes what a loop adds to a field of a case's targets on each rank the sum over ranks. Fields keep what they had,
/// the same value in all copies.
class SumOverRanks {
 public:
  template <class T, int components, Layout layout>
  SumOverRanks(const Case& data, const Field<T, components, layout>& field) {
    std::vector<space::SharedEntries> shared;
    for (const space::SharedEntries& targets : data.shared) {
      space::SharedEntries& with = shared.emplace_back(space::SharedEntries{targets.rank, {}});
      for (const Index target : targets.entries)
        for (int c = 0; c < components; ++c)
          with.entries.push_back(static_cast<Index>(layout == Layout::aos ? std::size_t(target) * components + c
                                                                          : std::size_t(c) * field.size() + target));
    }
    exchange_ = {data.ranks, shared, field.size() * components};
  }
  /// Before the loop: leaves what the field has at its owners.
  template <class T>
  void begin(const Instance& instance, const Vector<T>& y) const {
    exchange_.zero_others(instance, y);
  }
  /// After it: adds all copies, in the order of ranks.
  template <class T>
  void finish(const Instance& instance, const Vector<T>& y) const {
    exchange_.sum(instance, y);
  }
  const space::Exchange& exchange() const { return exchange_; }

 private:
  space::Exchange exchange_;
};

/// A Loop behind the common interface; `fields` are those that it increments.
template <class LoopType, class... Fields>
class BoundLoopOf : public ShareableLoop {
 public:
  BoundLoopOf(LoopType loop, Fields... fields) : loop_(std::move(loop)), fields_(std::move(fields)...) {}
  void run(const Instance& instance) const override {
    begin_sums(instance);
    loop_(instance);
    finish_sums(instance);
  }
  double serial() const override {
    const Instance instance;
    begin_sums(instance);
    instance.fence();
    const double tolerance = loop_.serial_by_targets();
    finish_sums(instance);
    instance.fence();
    return tolerance;
  }
  void clear() const override {
    std::apply([](const auto&... field) { (field.fill(0), ...); }, fields_);
  }
  std::vector<double> result() const override {
    std::vector<double> all;
    const auto append = [&](const auto& field) {
      std::vector<double> values = field.template to_vector<double>();
      if (all.empty())
        all = std::move(values);
      else
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
  double least_bytes() const override { return indirect::least_bytes(loop_); }
  PlanFigures figures() const override { return loop_.plan().figures(); }
  double cache_lines_per_block() const override { return loop_.cache_lines_per_block(); }
  TeamResources resources() const override { return loop_.resources(); }
  LoopExchange exchange() const override {
    LoopExchange all;
    for_sums([&](const auto& field, const SumOverRanks& sum) {
      all.neighbours = sum.exchange().neighbours();
      all.bytes += double(sum.exchange().items()) * sizeof(field.values()(0));
      all.halo = sum.exchange().halo();
    });
    return all;
  }
  void share(const Case& data) override {
    if (data.ranks.is_alone()) return;
    std::apply([&](const auto&... field) { (sums_.emplace_back(data, field), ...); }, fields_);
  }

 private:
  template <class Body>
  void for_sums(const Body& body) const {
    if (sums_.empty()) return;
    std::size_t i = 0;
    std::apply([&](const auto&... field) { (body(field, sums_[i++]), ...); }, fields_);
  }
  void begin_sums(const Instance& instance) const {
    for_sums([&](const auto& field, const SumOverRanks& sum) { sum.begin(instance, field.values()); });
  }
  void finish_sums(const Instance& instance) const {
    for_sums([&](const auto& field, const SumOverRanks& sum) { sum.finish(instance, field.values()); });
  }

  LoopType loop_;
  std::tuple<Fields...> fields_;
  std::vector<SumOverRanks> sums_;  ///< (field); none on one rank
};

template <class LoopType, class... Fields>
std::unique_ptr<ShareableLoop> make_bound(LoopType loop, Fields... fields) {
  return std::make_unique<BoundLoopOf<LoopType, Fields...>>(std::move(loop), std::move(fields)...);
}

/// A case that reads these values: moved, which a list in braces would copy.
template <class... Values>
Case with_values(Case data, Values... values) {
  (data.values.push_back(std::move(values)), ...);
  return data;
}

/// The values with index `which` of a case, as a field.
template <class T, int components, Layout layout>
Field<T, components, layout> make_field(const std::string& label, const Case& data, int which) {
  return Field<T, components, layout>::with_values(label, data.values[which].values);
}

/// A field of a case by the name that files have for it.
struct NamedValues {
  LoopField field;
  int values;     ///< which of Case::values, or of the fields that a loop increments
  int first = 0;  ///< the first of its components there
};

/// What a loop consists of.
struct LoopParts {
  int dim;                                    ///< dimension of its mesh
  double per_box;                             ///< from-elements of a square or cube, those of the boundary aside
  bool at_vertices;                           ///< whether the targets are vertices; else cells
  std::array<int, 3> (*sides)(double boxes);  ///< sides of a mesh of about so many squares or cubes
  mesh::Mesh (*make_mesh)(const std::array<int, 3>& sides);
  /// A mesh of the squares or cubes with these numbers.
  mesh::Mesh (*make_part)(const std::array<int, 3>& sides, const std::vector<std::int64_t>& boxes, const Communicator&);
  Case (*make_case)(const mesh::Mesh&);
  std::unique_ptr<ShareableLoop> (*bind[2][2])(const Case&, PlanArrays);  ///< (Precision, Layout)
  std::vector<NamedValues> state, increments;
  /// Completes a case whose state was set by what follows from the state; null: nothing does.
  void (*complete)(const mesh::Mesh&, Case&) = nullptr;
  /// What is wrong with what `state` has in a cell, beside the signs of its fields; empty: nothing; null: never is.
  std::string (*why_not)(const std::vector<FieldValues>& state, std::size_t cell) = nullptr;
  Precision precision = Precision::fp64;  ///< precision of the program that the loop is from
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
