// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/distributed_matrix.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "linalg/distribution.hpp"
#include "linalg/poisson.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::linalg {
namespace {

/// The entries of Poisson's rows between the box and its surroundings.
std::vector<Coupling> find_neighbours(const GridPart& part, int dim, int ranks) {
  std::vector<Coupling> couplings;
  for (int d = 0; d < dim; ++d)
    for (const Index step : {-1, 1}) {
      const Index layer = step < 0 ? 0 : part.sides[d] - 1;
      const Index beyond = part.low[d] + layer + step;
      if (beyond < 0 || beyond >= part.whole[d]) continue;
      std::array<Index, 3> first{0, 0, 0}, end = part.sides, at;
      first[d] = layer;
      end[d] = layer + 1;
      for (at[2] = first[2]; at[2] < end[2]; ++at[2])
        for (at[1] = first[1]; at[1] < end[1]; ++at[1])
          for (at[0] = first[0]; at[0] < end[0]; ++at[0]) {
            std::array<Index, 3> point{part.low[0] + at[0], part.low[1] + at[1], part.low[2] + at[2]};
            point[d] = beyond;
            couplings.push_back(
                {(at[2] * part.sides[1] + at[1]) * part.sides[0] + at[0], find_place(part.whole, ranks, point), -1});
          }
    }
  return couplings;
}

/// Adds the block of ghosts. Collective.
void exchange_and_couple(DistributedMatrix& matrix, std::vector<Coupling> couplings) {
  const std::vector<Words> wanted = find_wanted(couplings, matrix.ranks.size());
  couple(matrix, std::move(couplings), wanted, matrix.ranks.exchange(wanted));
}

}  // namespace

std::array<Index, 3> grid_of_rows(Index rows, int block, int ranks) {
  if (block == 1) return {rows, 1, 1};
  require(rows % block == 0, "block", block, std::to_string(rows) + " rows are no whole number of nodes");
  const std::array<Index, 3> grid{block, rows / block, 1};
  for (int rank = 0; rank < ranks; ++rank)
    require(part_of_grid(grid, rank, ranks).sides[0] == block, "block", block,
            std::to_string(grid[1]) + " nodes on " + std::to_string(ranks) +
                " ranks; accepted are as many nodes per rank as a node has rows");
  return grid;
}

std::vector<Words> pack(const CsrMatrix<double>& matrix, int ranks, int block) {
  const std::array<Index, 3> grid = grid_of_rows(matrix.num_rows, block, ranks);
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values);
  std::vector<Words> of_ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    const GridPart part = part_of_grid(grid, rank, ranks);
    const auto first = static_cast<Index>(part.number(0)), end = first + static_cast<Index>(part.num_points());
    Words& words = of_ranks.emplace_back();
    for (Index row = first; row < end; ++row) words.push_back(offsets(row + 1) - offsets(row));
    words.insert(words.end(), columns.data() + offsets(first), columns.data() + offsets(end));
    for (Index e = offsets(first); e < offsets(end); ++e) words.push_back(std::bit_cast<std::int64_t>(values(e)));
  }
  return of_ranks;
}

UncoupledMatrix unpack(const Words& words, const GridPart& part, int ranks) {
  UncoupledMatrix result;
  const auto first = static_cast<Index>(part.number(0)), rows = static_cast<Index>(part.num_points());
  const std::size_t entries = (words.size() - static_cast<std::size_t>(rows)) / 2;
  const std::int64_t* column = words.data() + rows;
  Csr<> own;
  std::vector<double> values;
  for (Index row = 0; row < rows; ++row) {
    for (const std::int64_t* const end = column + words[row]; column < end; ++column) {
      const auto at = static_cast<Index>(*column);
      const double value = std::bit_cast<double>(column[entries]);
      if (at >= first && at < first + rows) {
        own.entries.push_back(at - first);
        values.push_back(value);
      } else {
        result.couplings.push_back(
            {row, find_place(part.whole, ranks, {at % part.whole[0], at / part.whole[0], 0}), value});
      }
    }
    own.end_row();
  }
  result.matrix.part = part;
  result.matrix.own = make_csr_matrix(own, rows, values);
  return result;
}

std::vector<Words> find_wanted(const std::vector<Coupling>& couplings, int ranks) {
  std::vector<Words> wanted(static_cast<std::size_t>(ranks));
  for (const Coupling& coupling : couplings) wanted[coupling.column.rank].push_back(coupling.column.row);
  for (Words& rows : wanted) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return wanted;
}

std::vector<std::size_t> pair_items(GhostItems& items, const std::vector<Words>& wanted,
                                    const std::vector<Words>& asked) {
  std::vector<std::size_t> first_items;
  for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
    const std::size_t before = items.sent.size(), both = std::max(wanted[rank].size(), asked[rank].size());
    first_items.push_back(before);
    if (both == 0) continue;
    for (const std::int64_t row : wanted[rank])
      items.ghosts.push_back({static_cast<int>(rank), static_cast<Index>(row)});
    items.ghosts.resize(before + both, {-1, 0});
    for (const std::int64_t row : asked[rank]) items.sent.push_back(static_cast<Index>(row));
    items.sent.resize(before + both, 0);
    items.neighbours.push_back(static_cast<int>(rank));
    items.item_offsets.push_back(before + both);
  }
  return first_items;
}

GhostItems make_ghost_items(const Communicator& ranks, const std::vector<Place>& needed) {
  GhostItems items;
  items.ranks = ranks;
  if (ranks.is_alone()) return items;
  std::vector<Coupling> couplings;
  for (const Place& place : needed) couplings.push_back({0, place, 0});
  const std::vector<Words> wanted = find_wanted(couplings, ranks.size());
  pair_items(items, wanted, ranks.exchange(wanted));
  return items;
}

void couple(DistributedMatrix& matrix, std::vector<Coupling> couplings, const std::vector<Words>& wanted,
            const std::vector<Words>& asked) {
  const std::vector<std::size_t> first_items = pair_items(matrix, wanted, asked);
  std::sort(couplings.begin(), couplings.end(), [](const Coupling& a, const Coupling& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  Csr<> rows;
  std::vector<double> values;
  std::vector<Index> border;
  for (const auto& [row, column, value] : couplings) {
    if (border.empty() || border.back() != row) {
      if (!border.empty()) rows.end_row();
      border.push_back(row);
    }
    const Words& of_rank = wanted[column.rank];
    const auto place = std::lower_bound(of_rank.begin(), of_rank.end(), column.row) - of_rank.begin();
    rows.entries.push_back(static_cast<Index>(first_items[column.rank] + static_cast<std::size_t>(place)));
    values.push_back(value);
  }
  if (!border.empty()) rows.end_row();
  matrix.ghost_block = make_csr_matrix(rows, static_cast<Index>(matrix.ghosts.size()), values);
  matrix.border = to_device("linalg/border", border);
}

DistributedMatrix make_undivided(CsrMatrix<double> matrix) {
  const std::array<Index, 3> rows{matrix.num_rows, 1, 1};
  DistributedMatrix result;
  result.part = {rows, {0, 0, 0}, rows};
  result.own = std::move(matrix);
  return result;
}

DistributedMatrix make_poisson(int dim, int n, const Communicator& ranks) {
  require_poisson(dim, n);
  DistributedMatrix result;
  result.ranks = ranks;
  result.part = part_of_grid({n, n, dim == 3 ? n : 1}, ranks.rank(), ranks.size());
  result.own = make_poisson_box(dim, result.part.sides);
  if (!ranks.is_alone()) exchange_and_couple(result, find_neighbours(result.part, dim, ranks.size()));
  return result;
}

DistributedMatrix distribute(const CsrMatrix<double>& matrix, const Communicator& ranks, int block) {
  if (ranks.is_alone()) return make_undivided(matrix);
  const auto rows = static_cast<Index>(ranks.of_all(Reduction::max, std::int64_t(matrix.num_rows)));
  const GridPart part = part_of_grid(grid_of_rows(rows, block, ranks.size()), ranks.rank(), ranks.size());
  std::vector<Words> to(static_cast<std::size_t>(ranks.size()));
  if (ranks.rank() == 0) to = pack(matrix, ranks.size(), block);
  UncoupledMatrix result = unpack(ranks.exchange(to)[0], part, ranks.size());
  result.matrix.ranks = ranks;
  exchange_and_couple(result.matrix, std::move(result.couplings));
  return std::move(result.matrix);
}

}  // namespace miniapp::linalg
