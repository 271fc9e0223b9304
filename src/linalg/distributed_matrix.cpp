// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/distributed_matrix.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "linalg/poisson.hpp"

namespace miniapp::linalg {
namespace {

using Words = std::vector<std::int64_t>;

/// An entry whose column another rank has.
struct Coupling {
  Index row;
  Place column;
  double value;
};

/// Finds out who sends what. Returns the item of each ghost; `ghosts` ascend.
std::vector<Index> link(DistributedMatrix& matrix, const std::vector<Place>& ghosts) {
  std::vector<Words> wanted(static_cast<std::size_t>(matrix.ranks.size()));
  for (const Place& ghost : ghosts) wanted[ghost.rank].push_back(ghost.row);
  const std::vector<Words> asked = matrix.ranks.exchange(wanted);
  std::vector<Index> items;
  for (int rank = 0; rank < matrix.ranks.size(); ++rank) {
    const std::size_t before = matrix.sent.size(), both = std::max(wanted[rank].size(), asked[rank].size());
    if (both == 0) continue;
    for (const std::int64_t row : wanted[rank]) {
      items.push_back(static_cast<Index>(matrix.ghosts.size()));
      matrix.ghosts.push_back({rank, static_cast<Index>(row)});
    }
    matrix.ghosts.resize(before + both, {-1, 0});
    for (const std::int64_t row : asked[rank]) matrix.sent.push_back(static_cast<Index>(row));
    matrix.sent.resize(before + both, 0);
    matrix.neighbours.push_back(rank);
    matrix.item_offsets.push_back(before + both);
  }
  return items;
}

/// Adds the block of ghosts. `couplings`: by row; each row has a column once. Collective.
void couple(DistributedMatrix& matrix, std::vector<Coupling> couplings) {
  std::vector<Place> ghosts;
  for (const Coupling& coupling : couplings) ghosts.push_back(coupling.column);
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  const std::vector<Index> items = link(matrix, ghosts);
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
    rows.entries.push_back(items[std::lower_bound(ghosts.begin(), ghosts.end(), column) - ghosts.begin()]);
    values.push_back(value);
  }
  if (!border.empty()) rows.end_row();
  matrix.ghost_block = make_csr_matrix(rows, static_cast<Index>(matrix.ghosts.size()), values);
  matrix.border = to_device("linalg/border", border);
}

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

/// The rows that a rank has of the matrix of rank 0, as it sends them: lengths, columns, bits of values.
Words pack(const CsrMatrix<double>& matrix, const GridPart& part) {
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values);
  const Index first = part.low[0], end = first + part.sides[0];
  Words words;
  for (Index row = first; row < end; ++row) words.push_back(offsets(row + 1) - offsets(row));
  words.insert(words.end(), columns.data() + offsets(first), columns.data() + offsets(end));
  for (Index e = offsets(first); e < offsets(end); ++e) words.push_back(std::bit_cast<std::int64_t>(values(e)));
  return words;
}

}  // namespace

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
  if (!ranks.is_alone()) couple(result, find_neighbours(result.part, dim, ranks.size()));
  return result;
}

DistributedMatrix distribute(const CsrMatrix<double>& matrix, const Communicator& ranks) {
  if (ranks.is_alone()) return make_undivided(matrix);
  DistributedMatrix result;
  result.ranks = ranks;
  const std::array<Index, 3> whole{static_cast<Index>(ranks.of_all(Reduction::max, std::int64_t(matrix.num_rows))), 1,
                                   1};
  result.part = part_of_grid(whole, ranks.rank(), ranks.size());
  std::vector<Words> to(static_cast<std::size_t>(ranks.size()));
  if (ranks.rank() == 0)
    for (int rank = 0; rank < ranks.size(); ++rank) to[rank] = pack(matrix, part_of_grid(whole, rank, ranks.size()));
  const Words words = ranks.exchange(to)[0];
  const Index first = result.part.low[0], rows = result.part.sides[0];
  const std::size_t entries = (words.size() - static_cast<std::size_t>(rows)) / 2;
  const std::int64_t* column = words.data() + rows;
  Csr<> own;
  std::vector<double> values;
  std::vector<Coupling> couplings;
  for (Index row = 0; row < rows; ++row) {
    for (const std::int64_t* const end = column + words[row]; column < end; ++column) {
      const auto at = static_cast<Index>(*column);
      const double value = std::bit_cast<double>(column[entries]);
      if (at >= first && at < first + rows) {
        own.entries.push_back(at - first);
        values.push_back(value);
      } else {
        couplings.push_back({row, find_place(whole, ranks.size(), {at, 0, 0}), value});
      }
    }
    own.end_row();
  }
  result.own = make_csr_matrix(own, rows, values);
  couple(result, std::move(couplings));
  return result;
}

}  // namespace miniapp::linalg
