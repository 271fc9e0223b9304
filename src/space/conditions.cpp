// SPDX-License-Identifier: BSD-3-Clause
#include "space/conditions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/agree.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::space {

Vector<double> scatter(std::size_t size, const std::vector<std::int64_t>& entries, const std::vector<double>& values) {
  const Vector<double> all = make_zeros<double>("space/scattered", size);
  const Vector<const std::int64_t> at = read_on_device("space/entries", entries);
  const Vector<const double> from = read_on_device("space/values", values);
  Kokkos::parallel_for(
      "space/scatter", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, at.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i) { all(at(i)) = from(i); });
  Kokkos::fence();
  return all;
}

const mesh::Group& require_group(const mesh::Mesh& mesh, const std::string& option, const std::string& name,
                                 int dimension) {
  const mesh::Group* const group = mesh.find_group(name);
  if (group && group->dimension == dimension) return *group;
  std::vector<std::string> known;
  for (const mesh::Group& one : mesh.groups)
    if (one.dimension == dimension) known.push_back(one.name);
  throw InputError(
      option, name,
      fmt::format("no group of {}; {}", dimension == mesh::dimension(mesh.kind) ? "elements" : "sides",
                  known.empty() ? "the mesh has none" : fmt::format("accepted are {}", fmt::join(known, ", "))));
}

void require_on_surface(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& surface, const std::string& option,
                        const std::string& group, const mesh::CellSide& side) {
  if (std::binary_search(surface.begin(), surface.end(), side)) return;
  throw InputError(option, group,
                   fmt::format("side {} of element {} lies between elements; accepted are sides of the surface",
                               side.side + 1, mesh.number(static_cast<std::size_t>(side.cell)) + 1));
}

void require_finite(const std::string& option, double value, const mesh::Point& x) {
  if (!std::isfinite(value))
    throw InputError(option, number_text(value), "at " + point_text(x) + "; accepted are finite numbers");
}

std::vector<mesh::CellSide> Conditions::take(const std::string& option, const std::string& group) {
  std::vector<mesh::CellSide> sides = require_group(mesh_, option, group, mesh::dimension(mesh_.kind) - 1).sides;
  for (const mesh::CellSide& side : sides) {
    if (option != "dirichlet") require_on_surface(mesh_, surface_, option, group, side);
    const auto [other, is_new] = taken_.emplace(side, group);
    if (!is_new)
      throw InputError(
          option, group,
          fmt::format("side {} of element {} has a condition already, that of {}; accepted is one per side",
                      side.side + 1, mesh_.number(static_cast<std::size_t>(side.cell)) + 1, other->second));
  }
  return sides;
}

std::string Conditions::describe_rest() const {
  std::map<mesh::CellSide, bool> named;
  for (const mesh::CellSide& side : surface_)
    if (!taken_.count(side)) named.emplace(side, false);
  std::vector<std::int64_t> any;  // of all ranks
  for (const mesh::Group& group : mesh_.groups) {
    any.push_back(0);
    if (group.dimension == mesh::dimension(mesh_.kind) - 1)
      for (const mesh::CellSide& side : group.sides)
        if (const auto free = named.find(side); free != named.end()) any.back() = free->second = true;
  }
  const Communicator& ranks = mesh_.part.ranks;
  ranks.reduce(Reduction::max, any.data(), static_cast<int>(any.size()));
  std::vector<std::string> names;
  for (std::size_t g = 0; g < any.size(); ++g)
    if (any[g]) names.push_back(mesh_.groups[g].name);
  const auto nameless = ranks.sum(static_cast<std::int64_t>(
      std::count_if(named.begin(), named.end(), [](const auto& side) { return !side.second; })));
  if (nameless > 0) names.push_back(fmt::format("{} side{} without a group", nameless, nameless > 1 ? "s" : ""));
  return fmt::format("{}", fmt::join(names, ", "));
}

void PrescribedValues::set(const std::string& group, Index node, int component, double value, const mesh::Point& x) {
  require_finite("dirichlet", value, x);
  const auto name = std::find(names_.begin(), names_.end(), group);
  const auto number = static_cast<int>(name - names_.begin());
  if (name == names_.end()) names_.push_back(group);
  largest_ = std::max(largest_, std::abs(value));
  const auto [at, is_new] = at_.try_emplace(space_.entry(node, component), Prescribed{value, number});
  if (is_new) return;
  Prescribed& other = at->second;
  const double difference = other.group != none && other.group != number ? std::abs(value - other.value) : 0;
  if (difference > difference_) {
    difference_ = difference;
    why_ =
        InputError("dirichlet", group,
                   fmt::format("{} at {}, where {} has {}; accepted is one value per node", number_text(value),
                               point_text(x), names_[static_cast<std::size_t>(other.group)], number_text(other.value)));
  }
  other = {value, number};
}

void PrescribedValues::share(const std::vector<std::string>& groups) {
  const Communicator& ranks = space_.exchange.ranks();
  largest_ = ranks.of_all(Reduction::max, largest_);
  const double rounding = 1e-9 * largest_;
  agree(ranks, [&] {
    if (difference_ > rounding) throw InputError(*why_);
  });
  if (ranks.is_alone() || ranks.of_all(Reduction::max, std::int64_t(!at_.empty())) == 0) return;
  const Instance instance;
  // of the ranks that have a value: their number, and sums of values, of groups' numbers and of their squares
  Vector<double> sums[4];
  for (int which = 0; which < 4; ++which) {
    std::vector<double> own(space_.num_entries(), 0);
    for (const auto& [entry, prescribed] : at_) {
      const std::string& name = names_[static_cast<std::size_t>(prescribed.group)];
      const auto number = double(std::find(groups.begin(), groups.end(), name) - groups.begin());
      own[entry] = which == 0 ? 1 : which == 1 ? prescribed.value : which == 2 ? number : number * number;
    }
    sums[which] = to_device<double>("space/prescribed", own);
    space_.exchange.sum(instance, sums[which]);
  }
  instance.fence();
  const auto count = to_host(sums[0]), value = to_host(sums[1]), number = to_host(sums[2]), square = to_host(sums[3]);
  agree(ranks, [&] {
    for (std::size_t i = 0; i < count.extent(0); ++i) {
      if (count(i) == 0) continue;
      const double mean = value(i) / count(i);
      const auto [at, of_others] = at_.try_emplace(i, Prescribed{mean, none});
      Prescribed& own = at->second;
      const bool is_one_group = count(i) * square(i) == number(i) * number(i);
      if (!is_one_group && !of_others && !(std::abs(mean - own.value) <= rounding))
        throw InputError(
            "dirichlet", names_[static_cast<std::size_t>(own.group)],
            fmt::format("{} at a node where another group has another value; accepted is one value per node",
                        number_text(own.value)));
      own.value = mean;
    }
  });
}

std::vector<double> PrescribedValues::values() const {
  std::vector<double> all(space_.num_entries(), 0);
  for (const auto& [entry, prescribed] : at_) all[entry] = prescribed.value;
  return all;
}

std::vector<char> PrescribedValues::held() const {
  std::vector<char> all(space_.num_entries(), 0);
  for (const auto& [entry, prescribed] : at_) all[entry] = 1;
  return all;
}

Vector<double> PrescribedValues::on_device() const {
  std::vector<std::int64_t> entries;
  std::vector<double> values;
  for (const auto& [entry, prescribed] : at_) {
    entries.push_back(static_cast<std::int64_t>(entry));
    values.push_back(prescribed.value);
  }
  return scatter(space_.num_entries(), entries, values);
}

}  // namespace miniapp::space
