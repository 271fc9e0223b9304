// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/core/tolerance.hpp"
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

/// Flags of a space's entries, set where they are set in any copy, on this rank or another. Collective.
inline std::vector<char> of_any_rank(const Space& space, std::vector<char> flags) {
  const std::vector<double> counts = sum_over_ranks(space, {flags.begin(), flags.end()});
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = counts[i] > 0;
  return flags;
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

/// The largest |found - expected| of all ranks; infinity where one is NaN. Collective.
inline double largest_difference(const std::vector<double>& found, const std::vector<double>& expected,
                                 const Communicator& ranks) {
  const HostRanges pieces(expected.size());
  std::vector<double> largest(pieces.count(), 0);
  pieces.for_each([&](int range) {
    double most = 0;
    for (std::size_t i = pieces.begin(range); i < pieces.end(range); ++i)
      most = worse(most, std::fabs(found[i] - expected[i]));
    largest[range] = most;
  });
  double most = 0;
  for (const double of_range : largest) most = worse(most, of_range);
  return ranks.of_all(Reduction::max, most);
}

/// The root of the sum of squares over all ranks of the entries i where owns(i). Collective.
template <class Owns>
double norm(const std::vector<double>& values, const Owns& owns, const Communicator& ranks) {
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (owns(i)) squares += values[i] * values[i];
  return std::sqrt(ranks.sum(squares));
}

/// How ranks share a mesh; on one rank nothing.
struct OfRanks {
  std::vector<std::pair<std::string, Spread>> figures;  ///< figures and their names
  Halo halo = Halo::host;                               ///< how values travel
};

/// Spreads of a rank's figures, then of the phases of its set-up [s], those that rank 0 has. Collective.
inline OfRanks compare_ranks(const Communicator& ranks, Halo halo,
                             const std::vector<std::pair<std::string, double>>& figures,
                             const measure::Phases& phases) {
  if (ranks.is_alone()) return {};
  OfRanks result{{}, halo};
  for (const auto& [what, value] : figures) result.figures.emplace_back(what, ranks.spread(value));
  std::string names;
  for (const auto& [phase, seconds] : phases.seconds()) names += phase + '\n';
  std::istringstream of_first(ranks.from_first(names));
  for (std::string phase; std::getline(of_first, phase);)
    result.figures.emplace_back(phase + "_s", ranks.spread(phases.of(phase)));
  return result;
}

/// Figures of the ranks of a space: elements, nodes, nodes that they own, ranks with which they share some, the bytes
/// that one sum of a vector with `word` bytes per entry sends, and the phases of the set-up [s]. Collective.
inline OfRanks compare_ranks(const Space& space, std::size_t elements, int word, const measure::Phases& phases) {
  const Exchange& exchange = space.exchange;
  return compare_ranks(exchange.ranks(), exchange.halo(),
                       {{"elements", double(elements)},
                        {"nodes", double(space.num_nodes)},
                        {"owned_nodes", double(space.num_owned())},
                        {"neighbours", exchange.neighbours()},
                        {"exchanged_bytes", double(exchange.items()) * word}},
                       phases);
}

}  // namespace miniapp::space
