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

Vector<double> make_near_null(const NearNullChoice& choice, const linalg::CsrMatrix<double>& matrix) {
  if (choice.is_usual()) return {};
  const Index rows = matrix.num_rows;
  require(rows % choice.block == 0, "--block", choice.block,
          fmt::format("{} rows are no whole number of nodes; accepted are {}", rows, blocks_of(rows)));
  const Vector<double> modes = make_modes(choice, rows);
  solver::clear_uncoupled(matrix, modes);
  const auto host = to_host(modes);
  try {
    solver::require_independent({host.data(), host.data() + host.extent(0)}, rows);
  } catch (const InputError& error) {
    throw InputError("--near-null", printable(choice.name, 200), error.reason);
  }
  return modes;
}

}  // namespace miniapp::apps
