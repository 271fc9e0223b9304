// SPDX-License-Identifier: BSD-3-Clause
/// Matrix Market files on several ranks, all of them in this process: bytes -> parse_matrix_market(), what the program
/// requires of such a matrix, and its rows on 1 to 5 ranks, whose messages are handed over here. Either all ranks have
/// a part or none has; the parts are the whole matrix; what a rank expects of another one is what that sends.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/solver/matrix.hpp"
#include "fuzz/finding.hpp"
#include "linalg/distribution.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/linalg/matrix_market.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;
using linalg::DistributedMatrix, linalg::Words;
using Row = std::vector<std::pair<std::int64_t, double>>;  // columns of the whole matrix

constexpr int most_ranks = 5;
constexpr Index most_rows = 1000;

/// A matrix on the host.
struct HostMatrix {
  decltype(to_host(Vector<Index>())) offsets, columns;
  decltype(to_host(Vector<double>())) values;
  explicit HostMatrix(const linalg::CsrMatrix<double>& matrix)
      : offsets(to_host(matrix.offsets)), columns(to_host(matrix.columns)), values(to_host(matrix.values)) {}
  /// Appends a row's entries; number(column) is the column's in the whole matrix.
  template <class Number>
  void append(Row& row, Index at, const Number& number) const {
    for (Index e = offsets(at); e < offsets(at + 1); ++e) row.emplace_back(number(columns(e)), values(e));
  }
};

/// The parts of all ranks; empty where all of them refuse.
std::vector<DistributedMatrix> distribute(const linalg::CsrMatrix<double>& matrix, int ranks) {
  std::vector<linalg::GridPart> parts;
  for (int rank = 0; rank < ranks; ++rank)
    if (!fuzz::accepts([&] { parts.push_back(linalg::part_of_grid({matrix.num_rows, 1, 1}, rank, ranks)); }))
      expect(parts.empty(), "ranks of which some refuse");
  if (parts.empty()) return {};
  expect(parts.size() == std::size_t(ranks), "ranks of which some refuse");
  std::vector<linalg::UncoupledMatrix> rows;
  std::vector<std::vector<Words>> wanted;
  const bool accepted = fuzz::accepts([&] {
    const std::vector<Words> sent = linalg::pack(matrix, ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      rows.push_back(linalg::unpack(sent[rank], parts[rank], ranks));
      wanted.push_back(linalg::find_wanted(rows[rank].couplings, ranks));
    }
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<Words> asked;
      for (const std::vector<Words>& of_other : wanted) asked.push_back(of_other[rank]);
      linalg::couple(rows[rank].matrix, std::move(rows[rank].couplings), wanted[rank], asked);
    }
  });
  expect(accepted, "a rank that refuses its part");
  std::vector<DistributedMatrix> matrices;
  for (linalg::UncoupledMatrix& of_rank : rows) matrices.push_back(std::move(of_rank.matrix));
  return matrices;
}

/// Rows of the parts are those of the whole matrix, each once.
void check_rows(const linalg::CsrMatrix<double>& matrix, const std::vector<DistributedMatrix>& parts) {
  const HostMatrix whole(matrix);
  std::vector<char> seen(std::size_t(matrix.num_rows), 0);
  const int ranks = int(parts.size());
  for (const DistributedMatrix& part : parts) {
    const HostMatrix own(part.own), ghost_block(part.ghost_block);
    const auto border = to_host(part.border);
    std::size_t next = 0;
    for (Index row = 0; row < part.own.num_rows; ++row) {
      const std::int64_t number = part.part.number(row);
      expect(number >= 0 && number < matrix.num_rows && !seen[number], "a row that no rank or several have");
      seen[number] = 1;
      Row found, expected;
      own.append(found, row, [&](Index column) { return part.part.number(column); });
      if (next < border.extent(0) && border(next) == row)
        ghost_block.append(found, Index(next++), [&](Index item) {
          const linalg::Place& ghost = part.ghosts[item];
          expect(ghost.rank >= 0 && ghost.rank < ranks && &parts[ghost.rank] != &part, "a ghost of no other rank");
          return parts[ghost.rank].part.number(ghost.row);
        });
      whole.append(expected, Index(number), [](Index column) { return column; });
      std::sort(found.begin(), found.end());
      expect(found == expected, "a row that is another one on its rank");
    }
    expect(next == border.extent(0), "a border row that is none");
  }
  expect(std::count(seen.begin(), seen.end(), 0) == 0, "a row that no rank has");
}

/// The items between two ranks: as many both ways, each the row that the other one expects.
void check_messages(const std::vector<DistributedMatrix>& parts) {
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const DistributedMatrix& here = parts[rank];
    const std::vector<int>& neighbours = here.neighbours;
    expect(here.item_offsets.size() == neighbours.size() + 1 && here.sent.size() == here.item_offsets.back() &&
               here.ghosts.size() == here.sent.size(),
           "items of no neighbour");
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const DistributedMatrix& there = parts[neighbours[k]];
      const auto back = std::find(there.neighbours.begin(), there.neighbours.end(), int(rank));
      expect(back != there.neighbours.end(), "a neighbour of one side only");
      const std::size_t at = here.item_offsets[k], count = here.item_offsets[k + 1] - at;
      const auto other = std::size_t(back - there.neighbours.begin());
      expect(there.item_offsets[other + 1] - there.item_offsets[other] == count, "messages of two lengths");
      for (std::size_t i = 0; i < count; ++i) {
        const linalg::Place& ghost = here.ghosts[at + i];
        const Index sent = there.sent[there.item_offsets[other] + i];
        expect(sent >= 0 && sent < there.own.num_rows, "a row that is sent and does not exist");
        expect(ghost.rank == -1 || (ghost.rank == neighbours[k] && ghost.row == sent), "another row than expected");
        expect(i == 0 || ghost.rank == -1 || here.ghosts[at + i - 1].row < ghost.row, "a row that is expected twice");
      }
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Session session{std::vector<std::string>()};  // matrices are on the device
  std::optional<linalg::CsrMatrix<double>> matrix;
  if (!fuzz::accepts([&] { matrix = linalg::parse_matrix_market(fuzz::text(bytes, size), "x.mtx"); })) return 0;
  if (matrix->num_rows > most_rows) return 0;
  const auto is_solvable = [&](int ranks) {
    return fuzz::accepts([&] { apps::require_solvable(*matrix, "x.mtx", ranks); });
  };
  const bool one_rank_accepts = is_solvable(1), is_square = matrix->num_rows == matrix->num_columns;
  expect(is_square || !one_rank_accepts, "a matrix that is not square");
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const bool suffices = ranks <= matrix->num_rows;
    expect(is_solvable(ranks) == (one_rank_accepts && suffices), "a matrix that one rank takes and several do not");
    if (!is_square) continue;
    const std::vector<DistributedMatrix> parts = distribute(*matrix, ranks);
    expect(parts.empty() == !suffices, "more ranks than rows");
    if (parts.empty()) continue;
    check_rows(*matrix, parts);
    check_messages(parts);
  }
  return 0;
}
