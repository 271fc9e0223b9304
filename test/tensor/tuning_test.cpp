// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/tuning.hpp"

#include "support/problems.hpp"

using tensor::TuningTable;

TEST_CASE("A tuning table is read as it was written", "[tensor][tuning]") {
  TuningTable table;
  const TuningTable::Key one{"sm_90", Problem::bp3_5, 8, 7}, other{"host256", Problem::bp1_0, 4, 15};
  table.set(one, {tensor::rung(3), Geometry::stored});
  table.set(other, {Kernel::lanes, Geometry::computed});
  table.set(one, {Kernel::tiles, Geometry::computed});  // the later entry counts

  const TuningTable again("# a comment\n\n" + table.text() + "   # another\n", "test");

  CHECK(again.find(one) == Variant{Kernel::tiles, Geometry::computed});
  CHECK(again.find(other) == Variant{Kernel::lanes, Geometry::computed});
  CHECK_FALSE(again.find({"sm_90", Problem::bp3_5, 8, 6}));
  CHECK_FALSE(again.find({"sm_80", Problem::bp3_5, 8, 7}));
  CHECK_FALSE(again.find({"sm_90", Problem::bp3_5, 4, 7}));
}

TEST_CASE("A tuning table with an unknown entry is rejected; the message names line, word and what is accepted",
          "[tensor][tuning]") {
  const std::string good = "sm_90 BP1.0 double 7 lines computed\n";
  const auto [line, message] = GENERATE(table<std::string, std::string>({
      {"sm_90 BP2.0 double 7 lines computed", "unknown problem 'BP2.0'; accepted are BP1.0, "},
      {"sm_90 BP1.0 half 7 lines computed", "unknown precision 'half'; accepted are double, single"},
      {"sm_90 BP1.0 double 16 lines computed", "unknown order '16'; accepted are 1, 2"},
      {"sm_90 BP1.0 double 7 line computed", "unknown kernel 'line'; accepted are rung1"},
      {"sm_90 BP1.0 double 7 li\x1bne computed", "unknown kernel 'li\\x1bne'; accepted are rung1"},
      {"sm_90 BP1.0 double 7 reference computed", "unknown kernel 'reference'; accepted are rung1"},
      {"sm_90 BP1.0 double 7 lines both", "unknown geometry 'both'; accepted are computed, stored"},
      {"sm_90 BP1.0 double 7 lines boxes", "unknown geometry 'boxes'; accepted are computed, stored"},
      {"sm_90 BP1.0 double 7 rung3 computed", "kernel rung3 does not take geometry computed"},
      {"sm_90 BP1.0 double 7 lines", "5 words; accepted are 6"},
      {"sm_90 BP1.0 double 7 lines computed quickly", "7 words; accepted are 6"},
  }));

  CHECK_THROWS_AS(TuningTable(good + line, "FILE"), InputError);
  CHECK_THROWS_WITH(TuningTable(good + line, "FILE"), contains("FILE, line 2: ") && contains(message));
}

TEST_CASE("The fastest variant can run at every order that is built; any other order is rejected", "[tensor][tuning]") {
  const int order = GENERATE(range(1, 16));
  const Problem problem = any_problem();
  const int word = GENERATE(4, 8);

  const std::vector<int> built = tensor::built_orders();
  if (std::find(built.begin(), built.end(), order) == built.end()) {
    CHECK_THROWS_AS(tensor::fastest(problem, order, word), InputError);
    CHECK_THROWS_WITH(tensor::fastest(problem, order, word),
                      contains("order " + std::to_string(order)) && contains("MINIAPP_ORDERS"));
    return;
  }
  const Variant variant = tensor::fastest(problem, order, word);

  CHECK(tensor::why_not(variant, problem, order, word).empty());
  CHECK(variant != tensor::reference_variant);
}

TEST_CASE("The fastest variant is the table's where it can run and has the geometry wanted", "[tensor][tuning]") {
  const int order = tensor::built_orders().front();
  const TuningTable::Key key{"here", GENERATE(Problem::bp1_0, Problem::bp3_0, Problem::bp3_5), 8, order};
  TuningTable table;
  table.set(key, {tensor::rung(4), Geometry::stored});

  CHECK(tensor::fastest(table, key) == Variant{tensor::rung(4), Geometry::stored});
  CHECK(tensor::fastest(table, key, Geometry::stored) == Variant{tensor::rung(4), Geometry::stored});
  CHECK(tensor::fastest(table, key, Geometry::computed).geometry == Geometry::computed);
  CHECK(tensor::fastest(table, {"elsewhere", key.problem, 8, order}).kernel != tensor::rung(4));

  table.set(key, {runs_on_host ? Kernel::lines : Kernel::lanes, Geometry::computed});  // cannot run here
  CHECK(tensor::why_not(tensor::fastest(table, key), key.problem, order).empty());
}

TEST_CASE("A kind of host without entries takes those of another, and of none but its own where it has some",
          "[tensor][tuning]") {
  const TuningTable::Key key{"host256", Problem::bp3_0, 8, tensor::built_orders().front()};
  const auto as = [&](const std::string& device) { return TuningTable::Key{device, key.problem, key.word, key.order}; };
  const Variant other{tensor::rung(4), Geometry::stored};
  TuningTable table;
  CHECK(tensor::tuned_device(table, "host128") == "");
  table.set(key, other);

  CHECK(tensor::tuned_device(table, "host128") == "host256");
  CHECK(tensor::fastest(table, as("host128")) == other);
  CHECK(tensor::tuned_device(table, "sm_90") == "");
  table.set({"host128", Problem::bp1_0, 8, key.order}, other);
  CHECK(tensor::tuned_device(table, "host128") == "host128");
  CHECK(tensor::fastest(table, as("host128")) != other);
}

TEST_CASE("The table of the repository is one that can be read", "[tensor][tuning]") {
  CHECK_NOTHROW(tensor::built_in_tuning());
}
