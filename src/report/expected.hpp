// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/record.hpp"

/// Values that results should have, whatever the device (results/expected.json, docs/expected.md): iterations, errors,
/// norms of known cases, each with the deviation that other orders of sums explain.
namespace miniapp::report {

/// The table that the program was built with: {"entries": [{name, module, case: {key: value}, values: {path: [expected,
/// deviation]}}]}.
const Json& expected_table();

/// A value that is further from the expected one than it may be, or is missing.
struct Deviation {
  std::string name;           ///< of the entry
  std::string what;           ///< the value's path in the record, "result.iterations"
  std::string got, expected;  ///< as texts; `got` is "none" where the record has none
  std::string tolerance;      ///< how far `got` may be from `expected`
};
/// "poisson3d, 8000 unknowns: result.iterations is 31, expected 24 +- 2".
std::string text(const Deviation& deviation);

struct Check {
  int records = 0, values = 0;        ///< records that entries are of; values that were compared
  std::vector<Deviation> deviations;  ///< in the order of the records
  std::vector<std::string> not_run;   ///< names of entries without a record
};

/// Compares the records with the entries of a table whose module and case they have: all keys of the entry's case with
/// the same values, null where the record has none. A wrong result, which has its own message, is not compared.
Check check(const std::vector<Json>& records, const Json& table = expected_table());

}  // namespace miniapp::report
