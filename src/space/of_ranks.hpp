// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::space {

/// Values of a space's entries with those of all copies added, on the host.
inline std::vector<double> sum_over_ranks(const Space& space, const std::vector<double>& values) {
  if (space.exchange.empty()) return values;
  const Instance instance;
  const Vector<double> sum = to_device("space/sum", values);
  space.exchange.sum(instance, sum);
  instance.fence();
  const auto host = to_host(sum);
  return {host.data(), host.data() + host.extent(0)};
}

/// The mean of the nodes' coordinates, (node), each node of all ranks counted once [m]. Collective.
inline mesh::Point mean_of(const std::vector<mesh::Point>& points, const Space& space) {
  const Communicator& ranks = space.exchange.ranks();
  const auto all = double(ranks.sum(space.num_owned()));
  mesh::Point mean{};
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int d = 0; space.owns(node) && d < 3; ++d) mean[d] += points[node][d] / all;
  ranks.reduce(Reduction::sum, mean.data(), 3);
  return mean;
}

/// How ranks share a mesh; on one rank nothing.
struct OfRanks {
  std::vector<std::pair<std::string, Spread>> figures;  ///< figures and their names
  Halo halo = Halo::host;                               ///< how values travel
};

/// Figures of the ranks of a space: elements, nodes, nodes that they own, ranks with which they share some, the bytes
/// that one sum of a vector with `word` bytes per entry sends, and the phases of the set-up [s]. Collective.
inline OfRanks compare_ranks(const Space& space, std::size_t elements, int word, const measure::Phases& phases) {
  if (space.exchange.empty()) return {};
  OfRanks result{{}, space.exchange.halo()};
  const auto put = [&](const std::string& what, double value) {
    result.figures.emplace_back(what, space.exchange.ranks().spread(value));
  };
  put("elements", double(elements));
  put("nodes", double(space.num_nodes));
  put("owned_nodes", double(space.num_owned()));
  put("neighbours", space.exchange.neighbours());
  put("exchanged_bytes", double(space.exchange.items()) * word);
  for (const auto& [phase, seconds] : phases.seconds()) put(phase + "_s", seconds);
  return result;
}

}  // namespace miniapp::space
