// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan_file.hpp"

#include <cstdio>
#include <fstream>

#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace miniapp;
using namespace miniapp::indirect;

namespace {

/// A path in the working directory that is removed at the end.
struct TemporaryFile {
  std::string path = "plan_file_test.plan";
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

mesh::Map chain(int elements) {
  mesh::Map map(elements, 2);
  for (int e = 0; e < elements; ++e) map[e][0] = e, map[e][1] = (e * 7 + 1) % elements;
  return map;
}

SavedPlan make_saved(const mesh::Map& map, std::size_t to_size) {
  SavedPlan saved;
  saved.map_hash = hash(map, to_size);
  saved.ordering = make_ordering(map, to_size, Reorder::blocks, 32);
  saved.plan =
      make_plan(permute(map, saved.ordering.from.order, saved.ordering.to), to_size,
                {Strategy::hierarchical, 32, InBlock::colours, WriteBack::colours}, saved.ordering.from.offsets);
  return saved;
}

}  // namespace

TEST_CASE("A plan is read as it was written", "[indirect][plan_file]") {
  const TemporaryFile file;
  const mesh::Map map = chain(300);
  const SavedPlan saved = make_saved(map, 300);
  save_plan(file.path, saved);
  const SavedPlan loaded = load_plan(file.path);
  CHECK(loaded.map_hash == saved.map_hash);
  CHECK(loaded.ordering.from.order == saved.ordering.from.order);
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

TEST_CASE("A damaged, cut or foreign plan is refused", "[indirect][plan_file]") {
  const TemporaryFile file;
  save_plan(file.path, make_saved(chain(100), 100));
  const std::string good = file.read();

  std::string changed = good;
  changed[good.size() / 2] ^= 1;
  file.write(changed);
  CHECK_THROWS_WITH(load_plan(file.path), file.path + ": damaged: its checksum is another");
  file.write(good.substr(0, good.size() - 100));
  CHECK_THROWS_WITH(load_plan(file.path), file.path + ": damaged: its checksum is another");
  file.write(good.substr(0, 17));
  CHECK_THROWS_WITH(load_plan(file.path), file.path + ": ends early");
  file.write("a mesh");
  CHECK_THROWS_WITH(load_plan(file.path),
                    file.path + ": not a plan of this version, which begins with 'miniapp plan 1'");
  CHECK_THROWS_WITH(load_plan("no/such.plan"), "no/such.plan: cannot be read");
  CHECK_THROWS_WITH(save_plan("no/such.plan", make_saved(chain(100), 100)), "no/such.plan: cannot be written");
}
