// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/distributed_amg.hpp"

#include <utility>

namespace miniapp::solver {
namespace {

/// The modes (own row) after the first `constants`.
std::vector<std::vector<double>> other_modes(const linalg::GlobalRows& rows, const Vector<const double>& near_null,
                                             std::size_t entries, int constants) {
  const auto host = to_host(near_null);
  const std::size_t modes = near_null.extent(0) / entries;
  std::vector<std::vector<double>> others;
  for (auto mode = static_cast<std::size_t>(constants); mode < modes; ++mode) {
    std::vector<double>& values = others.emplace_back();
    for (const Index entry : rows.entries) values.push_back(host(std::size_t(entry) * modes + mode));
  }
  return others;
}

}  // namespace

DistributedAmg::DistributedAmg(linalg::CsrMatrix<double> part, const space::Space& space, const AmgOptions& options,
                               const Vector<const double>& near_null, Precision precision) {
  if (space.exchange.empty()) {
    if (precision == Precision::fp32)
      single_ = std::make_unique<Amg<float>>(std::move(part), options, near_null);
    else
      double_ = std::make_unique<Amg<double>>(std::move(part), options, near_null);
    return;
  }
  const linalg::GlobalRows rows = linalg::make_global_rows(part, space);
  BoomerAmgOptions chosen;
  chosen.functions = options.block;
  of_all_ = std::make_unique<BoomerAmg>(
      rows, chosen, other_modes(rows, near_null, static_cast<std::size_t>(part.num_rows), options.block));
}

}  // namespace miniapp::solver
