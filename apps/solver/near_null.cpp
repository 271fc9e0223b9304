// SPDX-License-Identifier: BSD-3-Clause
#include "apps/solver/near_null.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/frontend/checks.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/solver/near_null.hpp"

namespace miniapp::apps {
namespace {

constexpr int most_rows_per_node = 64;

/// The blocks of a matrix with so many rows.
std::string blocks_of(Index rows) {
  std::vector<int> blocks;
  for (int block = 1; block <= most_rows_per_node; ++block)
    if (rows % block == 0) blocks.push_back(block);
  return fmt::format("{}", fmt::join(blocks, ", "));
}

/// The coordinates of nodes, of two or three dimensions, each a row of its own.
void read_coordinates(NearNullChoice& choice, const Options& options) {
  if (choice.coordinates.empty() && options.given("--block"))
    require(choice.block == 2 || choice.block == 3, "--block", choice.block,
            "--near-null rigid has a displacement per dimension; accepted are 2, 3");
  require(!choice.coordinates.empty(), "--near-null", "rigid",
          "of nodes at some place; accepted with --coordinates FILE.mtx");
  const std::string called = printable(choice.coordinates, 200);
  choice.numbers = std::make_shared<const linalg::DenseArray>(
      of_option("--coordinates", [&] { return linalg::read_array(choice.coordinates); }));
  const std::int64_t columns = choice.numbers->columns;
  require(columns == 2 || columns == 3, "--coordinates", called,
          fmt::format("{} columns; accepted are two or three, one per dimension", columns));
  require(choice.block == columns, "--block", choice.block,
          fmt::format("--near-null rigid has a displacement per dimension, of which {} has {}; accepted is {}", called,
                      columns, columns));
}

void require_rows(const NearNullChoice& choice, const char* option, const std::string& file, Index rows) {
  const Index expected = choice.is_rigid() ? rows / choice.block : rows;
  require(choice.numbers->rows == expected, option, printable(file, 200),
          fmt::format("{} rows; accepted is one for each of {} {}", choice.numbers->rows, expected,
                      choice.is_rigid() ? "nodes" : "rows of the matrix"));
}

Vector<double> make_modes(const NearNullChoice& choice, Index rows) {
  if (choice.is_rigid()) {
    require_rows(choice, "--coordinates", choice.coordinates, rows);
    return solver::make_rigid_modes(choice.numbers->values, choice.block);
  }
  if (!choice.numbers) return solver::make_constant_modes(rows, choice.block);
  require_rows(choice, "--near-null", choice.name, rows);
  return to_device<double>("solver/near null", choice.numbers->values);
}

/// The modes of a rank's rows.
Vector<double> own_part(const Vector<double>& all, Index rows, const linalg::DistributedMatrix& matrix) {
  const auto host = to_host(all);
  const std::size_t modes = all.extent(0) / static_cast<std::size_t>(rows);
  std::vector<double> own;
  for (Index row = 0; row < matrix.own.num_rows; ++row) {
    const auto first = host.data() + std::size_t(matrix.part.number(row)) * modes;
    own.insert(own.end(), first, first + modes);
  }
  return to_device<double>("solver/near null", own);
}

/// Makes modes zero in rows that are coupled to no other, on this rank or another.
void clear_uncoupled(const linalg::DistributedMatrix& matrix, const Vector<double>& modes) {
  const auto before = to_host(modes);
  const std::vector<double> all(before.data(), before.data() + before.extent(0));
  solver::clear_uncoupled(matrix.own, modes);
  const auto border = to_host(matrix.border);
  if (border.extent(0) == 0) return;
  const auto host = Kokkos::create_mirror_view(modes);
  Kokkos::deep_copy(host, modes);
  const std::size_t each = all.size() / static_cast<std::size_t>(matrix.own.num_rows);
  for (std::size_t k = 0; k < border.extent(0); ++k)
    for (std::size_t i = border(k) * each; i < (border(k) + 1) * each; ++i) host(i) = all[i];
  Kokkos::deep_copy(modes, host);
}

}  // namespace

int NearNullChoice::modes() const {
  if (is_rigid()) return block + solver::num_rotations(block);
  return numbers ? static_cast<int>(numbers->columns) : block;
}

void add_near_null_options(const Options::Group& group, NearNullChoice& variables) {
  group
      .add("--near-null", variables.name,
           "What the matrix nearly maps to zero: constant, of each row of a node; rigid: motions of a rigid body; "
           "FILE.mtx: the columns of an array of Matrix Market")
      .of(near_null_words)
      .input();
  group.add("--block", variables.block, "Rows per node, 1..64: the matrix has them node by node",
            {[](double value) { return value >= 1 && value <= most_rows_per_node; }, "whole numbers from 1 to 64"});
  group
      .optional("--coordinates", variables.coordinates,
                "Coordinates of the nodes, of --near-null rigid: an array of Matrix Market with a row per node")
      .input();
}

void read_near_null(NearNullChoice& choice, const Options& options) {
  if (choice.is_rigid()) return read_coordinates(choice, options);
  options.refuse({"--coordinates"}, "of the motions of a rigid body; accepted with --near-null rigid");
  if (choice.name == "constant") return;
  require_word_or_file("--near-null", choice.name, near_null_words, "files of Matrix Market, FILE.mtx");
  choice.numbers = std::make_shared<const linalg::DenseArray>(
      of_option("--near-null", [&] { return linalg::read_array(choice.name); }));
  const std::int64_t columns = choice.numbers->columns;
  require(columns >= 1 && columns <= 64, "--near-null", printable(choice.name, 200),
          fmt::format("{} columns; accepted are 1 to 64, a mode each", columns));
}

void require_nodes(Index rows, int block) {
  require(rows % block == 0, "--block", block,
          fmt::format("{} rows are no whole number of nodes; accepted are {}", rows, blocks_of(rows)));
}

Vector<double> make_near_null(const NearNullChoice& choice, const linalg::DistributedMatrix& matrix) {
  if (choice.is_usual()) return {};
  const auto rows = static_cast<Index>(matrix.ranks.sum(std::int64_t{matrix.own.num_rows}));
  const Vector<double> all = make_modes(choice, rows);
  const Vector<double> own = matrix.ranks.is_alone() ? all : own_part(all, rows, matrix);
  clear_uncoupled(matrix, own);
  const auto host = to_host(matrix.ranks.is_alone() ? own : all);
  try {
    solver::require_independent({host.data(), host.data() + host.extent(0)}, rows);
  } catch (const InputError& error) {
    throw InputError("--near-null", printable(choice.name, 200), error.reason);
  }
  return own;
}

}  // namespace miniapp::apps
