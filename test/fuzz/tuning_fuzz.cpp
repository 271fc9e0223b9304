// SPDX-License-Identifier: BSD-3-Clause
/// Tuning tables: bytes -> TuningTable. A table that is accepted writes a text that reads back as the same table, and
/// holds variants that exist.
#include <algorithm>
#include <optional>

#include "fuzz/finding.hpp"
#include "miniapp/tensor/tuning.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;

void check(const tensor::TuningTable& table) {
  const std::string text = table.text();
  std::optional<tensor::TuningTable> again;
  expect(fuzz::accepts([&] { again.emplace(text, "again"); }), "a table that does not read what it wrote");
  expect(again->text() == text, "a table that reads another one than it wrote");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::optional<tensor::TuningTable> table;
  if (fuzz::accepts([&] { table.emplace(std::string(fuzz::text(bytes, size)), "tuning.txt"); })) check(*table);
  return 0;
}
