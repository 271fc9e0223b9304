// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "indirect/plan_bytes.hpp"
#include "miniapp/graph/transpose.hpp"
#include "miniapp/indirect/plan_check.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace miniapp::indirect;

namespace {

/// A path in the working directory that is removed at the end; each process has its own, since tests run side by side.
struct TemporaryFile {
  std::string path = "plan_file_test_" + std::to_string(getpid()) + ".plan";
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

Map chain(int elements) {
  Map map(elements, 2);
  for (int e = 0; e < elements; ++e) map[e][0] = e, map[e][1] = (e * 7 + 1) % elements;
  return map;
}

constexpr PlanOptions coloured{Strategy::hierarchical, 32, InBlock::colours, WriteBack::colours};

SavedPlan make_saved(const Map& map, std::size_t to_size, const PlanOptions& options = coloured) {
  SavedPlan saved;
  saved.map_hash = hash(map, to_size);
  saved.ordering = graph::make_ordering(map, to_size, graph::Reorder::blocks, std::min(options.block_size, 32));
  saved.plan = make_plan(graph::permute(map, saved.ordering.from.entries, saved.ordering.to), to_size, options,
                         saved.ordering.from.offsets);
  return saved;
}

}  // namespace

TEST_CASE("A plan is read as it was written", "[indirect][plan_file]") {
  const TemporaryFile file;
  const Map map = chain(300);
  const SavedPlan saved = make_saved(map, 300);
  save_plan(file.path, saved);
  const SavedPlan loaded = load_plan(file.path);
  CHECK(loaded.map_hash == saved.map_hash);
  CHECK(loaded.ordering.from.entries == saved.ordering.from.entries);
  CHECK(loaded.ordering.from.offsets == saved.ordering.from.offsets);
  CHECK(loaded.ordering.to == saved.ordering.to);
  CHECK(loaded.plan.options.block_size == 32);
  CHECK(loaded.plan.map_hash == saved.plan.map_hash);
  CHECK(loaded.plan.order == saved.plan.order);
  CHECK(loaded.plan.launch_order == saved.plan.launch_order);
  CHECK(loaded.plan.targets == saved.plan.targets);
  CHECK(loaded.plan.local == saved.plan.local);
  CHECK(loaded.plan.thread_colour == saved.plan.thread_colour);
  CHECK(loaded.plan.rows == saved.plan.rows);
}

TEST_CASE("The format is little-endian fields one after the other", "[indirect][plan_file]") {
  const TemporaryFile file;
  SavedPlan saved;
  saved.map_hash = 0x0102030405060708;
  Map map(2, 1);
  map.entries = {1, 0};
  saved.plan = make_plan(map, 2, {Strategy::staged, 128, InBlock::gather, WriteBack::colours});
  saved.plan.map_hash = 0xa1;
  saved.ordering.from.entries = {1, 0};
  saved.ordering.from.offsets = {0, 2};
  saved.ordering.to = {0, 1};
  save_plan(file.path, saved);

  const std::string bytes = file.read();
  std::string expected = "miniapp plan 2\n";
  const auto integer = [&](std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) expected += static_cast<char>(value >> (8 * i));
  };
  const auto array = [&](std::initializer_list<int> values) {
    integer(values.size(), 8);
    for (const int value : values) integer(value, 4);
  };
  integer(saved.map_hash, 8);
  array({0, 2}), array({1, 0}), array({0, 1});
  for (const int option : {2, 1, 0, 0}) integer(option, 1);
  integer(128, 4), integer(1, 4), integer(2, 8), integer(2, 8), integer(0xa1, 8);
  for (int empty = 0; empty < 11; ++empty) array({});
  array({0, 1, 2}), array({1, 0});
  CHECK(bytes.substr(0, bytes.size() - 8) == expected);
  integer(plan_checksum(expected), 8);
  CHECK(bytes == expected);
}

TEST_CASE("A plan of every strategy is read as it was written", "[indirect][plan_file]") {
  const PlanOptions options =
      GENERATE(PlanOptions{Strategy::atomic}, PlanOptions{Strategy::staged}, PlanOptions{Strategy::global},
               PlanOptions{Strategy::owner, 32}, PlanOptions{Strategy::hierarchical, 32, InBlock::gather});
  const TemporaryFile file;
  const Map map = chain(300);
  const SavedPlan saved = make_saved(map, 300, options);
  save_plan(file.path, saved);
  const std::string bytes = file.read();
  save_plan(file.path, load_plan(file.path));
  CHECK(file.read() == bytes);
  CHECK(check_plan(load_plan(file.path).plan, graph::permute(map, saved.ordering.from.entries, saved.ordering.to))
            .empty());
}

TEST_CASE("A plan with a changed bit and a right checksum is rejected or harmless", "[indirect][plan_file]") {
  const PlanOptions options =
      GENERATE(PlanOptions{Strategy::staged}, PlanOptions{Strategy::global}, PlanOptions{Strategy::owner, 8},
               PlanOptions{Strategy::hierarchical, 8, InBlock::colours, WriteBack::colours},
               PlanOptions{Strategy::hierarchical, 8, InBlock::gather, WriteBack::atomic});
  const TemporaryFile file;
  const Map map = chain(40);
  save_plan(file.path, make_saved(map, 40, options));
  const std::string good = file.read();
  const std::size_t end = good.size() - 8;
  int refused = 0, right = 0;
  for (std::size_t at = 15; at < end; ++at)
    for (const int bit : {0, 6, 7}) {
      std::string bytes = good.substr(0, end);
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      const std::uint64_t sum = plan_checksum(bytes);
      for (int i = 0; i < 8; ++i) bytes += static_cast<char>(sum >> (8 * i));
      try {
        const SavedPlan loaded = parse_plan(bytes, "a.plan");
        const bool fits = std::int64_t(map.size()) == loaded.plan.from_size && loaded.plan.to_size == 40;
        right += fits &&
                 check_plan(loaded.plan, graph::permute(map, loaded.ordering.from.entries, loaded.ordering.to)).empty();
      } catch (const InputError& error) {
        ++refused;
        CHECK_THAT(error.what(), contains("a.plan: ") && contains("; accepted is a plan that this version saved"));
      }
    }
  const int changed = 3 * static_cast<int>(end - 15);
  CAPTURE(changed, refused, right);
  CHECK(refused > changed / 2);
  CHECK(right < changed / 8);  // hashes, options that the strategy does not read, padding of rows
}

TEST_CASE("A damaged, truncated or foreign plan is rejected", "[indirect][plan_file]") {
  const std::string accepted = "; accepted is a plan that this version saved";
  const TemporaryFile file;
  save_plan(file.path, make_saved(chain(100), 100));
  const std::string good = file.read();
  const auto refused = [&](const std::string& bytes, const std::string& reason) {
    file.write(bytes);
    CHECK_THROWS_WITH(load_plan(file.path), file.path + ": " + reason + accepted);
  };

  std::string changed = good;
  changed[good.size() / 2] ^= 1;
  refused(changed, "is damaged or cut short: its checksum is another");
  refused(good.substr(0, good.size() - 100), "is damaged or cut short: its checksum is another");
  refused(good + "x", "is damaged or cut short: its checksum is another");
  refused(good.substr(0, 17), "ends early");
  refused("", "is empty");
  refused("a mesh", "is no plan: it does not begin with 'miniapp plan '");
  refused("miniapp plan 1\n" + good.substr(15), "is a plan of version '1', this program reads 2");
  CHECK_THROWS_WITH(load_plan("no/such.plan"), "no/such.plan: cannot be read" + accepted);
  CHECK_THROWS_WITH(load_plan("."), ".: cannot be read" + accepted);
  CHECK_THROWS_WITH(load_plan("/dev/zero"), contains("/dev/zero: is no plan"));
}

TEST_CASE("A plan does not replace a file of another kind", "[indirect][plan_file]") {
  const TemporaryFile file;
  const SavedPlan saved = make_saved(chain(100), 100);
  CHECK_THROWS_WITH(save_plan("no/such.plan", saved), contains("save_plan no/such.plan: cannot be written: "));
  file.write("$MeshFormat\n");
  CHECK_THROWS_WITH(save_plan(file.path, saved), contains("accepted is a new file or a file of a plan"));
  CHECK(file.read() == "$MeshFormat\n");
  file.write("miniapp plan 1\n");
  save_plan(file.path, saved);
  CHECK(load_plan(file.path).map_hash == saved.map_hash);
}
