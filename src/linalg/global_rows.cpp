// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/global_rows.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "linalg/distribution.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::linalg {
namespace {

/// A matrix on the host.
struct HostMatrix {
  decltype(to_host(Vector<Index>())) offsets, columns;
  decltype(to_host(Vector<double>())) values;
  explicit HostMatrix(const CsrMatrix<double>& matrix)
      : offsets(to_host(matrix.offsets)), columns(to_host(matrix.columns)), values(to_host(matrix.values)) {}
};

/// An entry of a row of the whole matrix.
struct SharedEntry {
  std::int64_t row, column;
  double value;
};

/// Numbers of all entries of a space in the whole matrix, whose rows here are `rows.entries`. Collective.
std::vector<std::int64_t> number_entries(const space::Space& space, const GlobalRows& rows) {
  const std::size_t all = space.num_entries();
  const Vector<double> numbers = make_zeros<double>("linalg/numbers", all);  // exact up to 2^53
  const auto host = Kokkos::create_mirror_view(numbers);
  Kokkos::deep_copy(host, 0);
  for (Index row = 0; row < rows.num_rows(); ++row) host(rows.entries[row]) = double(rows.first() + row);
  Kokkos::deep_copy(numbers, host);
  const Instance instance;
  space.exchange.copy_from_owners(instance, numbers);
  instance.fence();
  Kokkos::deep_copy(host, numbers);
  return {host.data(), host.data() + all};
}

/// The entries that other ranks have of this rank's rows, by rows, each in the order of ranks. Collective.
std::vector<SharedEntry> exchange_rows(const HostMatrix& part, const space::Space& space, const GlobalRows& rows,
                                       const std::vector<std::int64_t>& numbers, std::size_t count) {
  const std::vector<char> masked = find_masked(space, count);
  std::vector<std::vector<std::int64_t>> to(static_cast<std::size_t>(rows.ranks.size()));
  for (std::size_t i = 0; i < count; ++i) {
    if (masked[i] || space.exchange.owns(i)) continue;
    const auto owner =
        std::upper_bound(rows.offsets.begin(), rows.offsets.end(), numbers[i]) - rows.offsets.begin() - 1;
    for (Index e = part.offsets(i); e < part.offsets(i + 1); ++e)
      to[owner].insert(to[owner].end(),
                       {numbers[i], numbers[part.columns(e)], std::bit_cast<std::int64_t>(part.values(e))});
  }
  std::vector<SharedEntry> received;
  for (const std::vector<std::int64_t>& words : rows.ranks.exchange(to))
    for (std::size_t w = 0; w + 2 < words.size(); w += 3)
      received.push_back({words[w], words[w + 1], std::bit_cast<double>(words[w + 2])});
  std::stable_sort(received.begin(), received.end(),
                   [](const SharedEntry& a, const SharedEntry& b) { return a.row < b.row; });
  return received;
}

}  // namespace

void require_rows(const CsrMatrix<double>& part, const space::Space& space) {
  const auto count = static_cast<std::size_t>(part.num_rows);
  require(count == space.num_entries() || (count == std::size_t(space.num_nodes) && space.layout == Layout::soa),
          "a matrix of " + std::to_string(count) + " rows: accepted are as many as the space has entries, " +
              std::to_string(space.num_entries()));
}

std::vector<char> find_masked(const space::Space& space, std::size_t count) {
  std::vector<char> masked(count, 0);
  for (const Index node : space.masked)
    for (int c = 0; c < space.components; ++c)
      if (space.entry(node, c) < count) masked[space.entry(node, c)] = 1;
  return masked;
}

GlobalRows make_global_rows(const DistributedMatrix& matrix) {
  GlobalRows rows;
  rows.ranks = matrix.ranks;
  rows.offsets = matrix.ranks.offsets(matrix.own.num_rows);
  const HostMatrix own(matrix.own), ghosts(matrix.ghost_block);
  const auto border = to_host(matrix.border);
  std::size_t k = 0;
  for (Index row = 0; row < matrix.own.num_rows; ++row) {
    for (Index e = own.offsets(row); e < own.offsets(row + 1); ++e) {
      rows.columns.push_back(rows.first() + own.columns(e));
      rows.values.push_back(own.values(e));
    }
    if (k < border.extent(0) && border(k) == row) {
      for (Index e = ghosts.offsets(k); e < ghosts.offsets(k + 1); ++e) {
        const Place& ghost = matrix.ghosts[ghosts.columns(e)];
        rows.columns.push_back(rows.offsets[ghost.rank] + ghost.row);
        rows.values.push_back(ghosts.values(e));
      }
      ++k;
    }
    rows.starts.push_back(static_cast<std::int64_t>(rows.columns.size()));
    rows.entries.push_back(row);
  }
  return rows;
}

GlobalRows make_global_rows(const CsrMatrix<double>& part, const space::Space& space) {
  const auto count = static_cast<std::size_t>(part.num_rows);
  require_rows(part, space);
  GlobalRows rows;
  rows.ranks = space.exchange.ranks();
  const bool alone = space.exchange.empty();
  for (std::size_t i = 0; i < count; ++i)
    if (alone || space.exchange.owns(i)) rows.entries.push_back(static_cast<Index>(i));
  rows.offsets = rows.ranks.offsets(rows.num_rows());
  const std::vector<std::int64_t> numbers = number_entries(space, rows);
  const HostMatrix host(part);
  std::vector<SharedEntry> received;
  if (!alone) received = exchange_rows(host, space, rows, numbers, count);

  auto next = received.begin();
  std::vector<SharedEntry> line;
  for (const Index i : rows.entries) {
    line.clear();
    for (Index e = host.offsets(i); e < host.offsets(i + 1); ++e)
      line.push_back({numbers[i], numbers[host.columns(e)], host.values(e)});
    const std::size_t own = line.size();
    for (; next != received.end() && next->row == numbers[i]; ++next) line.push_back(*next);
    if (line.size() > own)
      std::stable_sort(line.begin(), line.end(),
                       [](const SharedEntry& a, const SharedEntry& b) { return a.column < b.column; });
    for (std::size_t e = 0; e < line.size(); ++e) {
      if (e > 0 && line[e - 1].column == line[e].column) {
        rows.values.back() += line[e].value;
      } else {
        rows.columns.push_back(line[e].column);
        rows.values.push_back(line[e].value);
      }
    }
    rows.starts.push_back(static_cast<std::int64_t>(rows.columns.size()));
  }
  return rows;
}

}  // namespace miniapp::linalg
