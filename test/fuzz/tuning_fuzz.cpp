// SPDX-License-Identifier: BSD-3-Clause
/// Tuning tables: bytes -> the TuningTable of kernels, and that of weak forms. A table that is accepted writes a text
/// that reads back as the same table.
#include <algorithm>
#include <optional>

#include "fuzz/finding.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "runs/weakform/tuning.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;

template <class Table>
void read(const std::string& bytes) {
  std::optional<Table> table, again;
  if (!fuzz::accepts([&] { table.emplace(bytes, "tuning.txt"); })) return;
  const std::string text = table->text();
  expect(fuzz::accepts([&] { again.emplace(text, "again"); }), "a table that does not read what it wrote");
  expect(again->text() == text, "a table that reads another one than it wrote");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(fuzz::text(bytes, size));
  read<tensor::TuningTable>(text);
  read<weakform::TuningTable>(text);
  return 0;
}
