// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/line_tables.hpp"

#include "support/all_close.hpp"

using tensor::Problem;

namespace {

/// The dense matrix of an even-odd table, column by column.
template <class Real, int rows, int columns, basis::Parity parity>
Values dense(const basis::EvenOdd<Real, rows, columns, parity>& table) {
  Values entries{std::vector<double>(rows * columns)};
  for (int c = 0; c < columns; ++c) {
    Real unit[columns] = {}, column[rows];
    unit[c] = 1;
    basis::apply(table, unit, column);
    for (int r = 0; r < rows; ++r) entries.entries[r * columns + c] = column[r];
  }
  return entries;
}

template <Problem problem, int order, class Real>
void check_tables() {
  const basis::TensorBasis basis(order);
  const bool collocated = problem == Problem::bp3_5;
  const basis::Rule& rule = collocated ? basis.nodes : basis.points;
  const basis::Matrix& derivative = collocated ? basis.derivative : basis.point_derivative;

  const tensor::LineTables<problem, order, Real> tables(basis);

  CAPTURE(order, collocated);
  CHECK_THAT(dense(tables.interpolation), all_close<Real>(values(basis.interpolation.entries), order));
  CHECK_THAT(dense(tables.derivative), all_close<Real>(values(derivative.entries), order * order));
  REQUIRE(tables.q == rule.size());
  for (int i = 0; i < rule.size(); ++i) {
    CHECK(tables.x[i] == static_cast<Real>(rule.points[i]));
    CHECK(tables.weight[i] == static_cast<Real>(rule.weights[i]));
  }
}

template <int order, class Real>
void check_problems() {
  check_tables<Problem::bp1_0, order, Real>();
  check_tables<Problem::bp3_0, order, Real>();
  check_tables<Problem::bp3_5, order, Real>();
}

}  // namespace

TEMPLATE_TEST_CASE("Tables of a fixed order hold the problem's matrices and rule", "[tensor][line_tables]", double,
                   float) {
  check_problems<1, TestType>();
  check_problems<2, TestType>();
  check_problems<7, TestType>();
  check_problems<15, TestType>();
}
