// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/planner.hpp"

#include <array>

#include "support/all_close.hpp"

using namespace miniapp::elasticity;

namespace {

constexpr Variant reg_jac{Storage::registers, Jacobian::computed}, reg_nojac{Storage::registers, Jacobian::read},
    shm_jac{Storage::scratch, Jacobian::computed};

/// A table of the paper, p = 2 .. 7; sizes in MiB.
struct Table {
  std::array<int, 6> threads, reg_parts, shm_parts, blocks_per_thread, elements, elements_per_team;
  std::array<double, 6> jac_input, nojac_input, output;
};

// Table 3 and table 4. Threads are from the text of section 5.3; it names 192 at p = 2 without saying for which device,
// and nothing in table 4 tells whether the HD 5870 had 192 or 256.
const Table gtx_580_table{{192, 512, 512, 512, 512, 512},
                          {2, 4, 11, 32, 76, 162},
                          {1, 2, 6, 16, 38, 81},
                          {2, 2, 2, 2, 2, 2},
                          {29056, 5376, 1904, 672, 224, 112},
                          {227, 48, 17, 6, 2, 1},
                          {8.87, 1.67, 0.67, 0.50, 0.76, 1.52},
                          {19.95, 9.85, 5.83, 3.92, 2.15, 1.80},
                          {323.21, 295.31, 367.70, 366.28, 295.44, 318.94}};
const Table hd_5870_table{{256, 256, 256, 256, 256, 256},
                          {2, 7, 22, 63, 151, 324},
                          {1, 3, 8, 21, 51, 108},
                          {2, 3, 3, 3, 3, 3},
                          {11360, 2240, 640, 160, 80, 40},
                          {71, 14, 4, 1, 1, 1},
                          {3.47, 0.71, 0.29, 0.34, 0.72, 1.49},
                          {7.80, 4.11, 1.98, 0.99, 0.88, 0.88},
                          {126.36, 123.05, 123.60, 87.21, 105.51, 113.91}};

/// A size as printed in the tables: MiB with two digits.
auto printed(double mib) { return Approx(mib).epsilon(0).margin(0.0051); }
double mib(double bytes) { return bytes / (1024 * 1024); }

struct Device {
  DeviceLimits limits;
  Table table;
};
Device paper_device(int which) {
  return which == 0 ? Device{gtx_580(), gtx_580_table} : Device{hd_5870(), hd_5870_table};
}

}  // namespace

TEST_CASE("Threads, parts and blocks per thread are those of the paper's tables", "[elasticity][planner]") {
  const auto [limits, table] = paper_device(GENERATE(0, 1));
  for (int p = 2; p <= 7; ++p) {
    const Plan reg = make_plan(p, limits, reg_jac, Precision::fp32),
               shm = make_plan(p, limits, shm_jac, Precision::fp32);
    CAPTURE(limits.name, p);
    CHECK(reg.threads == table.threads[p - 2]);
    CHECK(shm.threads == table.threads[p - 2]);
    CHECK(reg.parts == table.reg_parts[p - 2]);
    CHECK(reg.blocks_per_thread == 1);
    CHECK(shm.parts == table.shm_parts[p - 2]);
    CHECK(shm.blocks_per_thread == table.blocks_per_thread[p - 2]);
  }
}

TEST_CASE("Elements per kernel and per team and their output are those of the paper's tables",
          "[elasticity][planner]") {
  const auto [limits, table] = paper_device(GENERATE(0, 1));
  for (const Variant& variant : all_variants()) {
    for (int p = 2; p <= 7; ++p) {
      const Plan plan = make_plan(p, limits, variant, Precision::fp32);
      CAPTURE(limits.name, name(variant), p);
      CHECK(plan.elements == table.elements[p - 2]);
      CHECK(plan.elements_per_team == table.elements_per_team[p - 2]);
      CHECK(plan.teams * plan.elements_per_team == plan.elements);
      CHECK(mib(plan.output_bytes) == printed(table.output[p - 2]));
    }
  }
}

TEST_CASE("Inputs are those of the paper's tables after correction of what these count wrongly",
          "[elasticity][planner]") {
  const auto [limits, table] = paper_device(GENERATE(0, 1));
  for (int p = 2; p <= 7; ++p) {
    const Plan jac = make_plan(p, limits, reg_jac, Precision::fp32),
               nojac = make_plan(p, limits, reg_nojac, Precision::fp32);
    CAPTURE(limits.name, p);
    // 320 bytes per element in the tables; its 18 coordinates and 2 constants, as the text has them, are 80
    CHECK(mib(jac.input_bytes + 240.0 * jac.elements) == printed(table.jac_input[p - 2]));
    // one byte per entry of the basis's tables, and no constants
    const double entries = 4.0 * nojac.num_points * nojac.num_functions;
    CHECK(mib(nojac.input_bytes - 3 * entries - 8.0 * nojac.elements) == printed(table.nojac_input[p - 2]));
  }
}

TEST_CASE("Without whole teams in memory the GTX 580 would take more elements at p = 2 and 3",
          "[elasticity][planner]") {
  DeviceLimits limits = gtx_580();
  limits.reserve = Reserve::blocks;

  CHECK(make_plan(2, limits, reg_jac, Precision::fp32).elements_per_team == 269);  // 227 in table 3
  CHECK(make_plan(3, limits, reg_jac, Precision::fp32).elements_per_team == 62);   // 48
  for (int p = 4; p <= 7; ++p)
    CHECK(make_plan(p, limits, reg_jac, Precision::fp32).elements == gtx_580_table.elements[p - 2]);
}

TEST_CASE("Plans keep within the device's limits and cover the matrix with as few parts as possible",
          "[elasticity][planner]") {
  const int which = GENERATE(0, 1, 2), p = GENERATE(range(1, 8));
  const Precision precision = GENERATE(Precision::fp32, Precision::fp64);
  const std::int64_t wanted = GENERATE(std::int64_t(1), std::int64_t(1000), unlimited);
  const DeviceLimits limits = which == 0 ? gtx_580() : which == 1 ? hd_5870() : h200();
  for (const Variant& variant : all_variants()) {
    const Plan plan = make_plan(p, limits, variant, precision, wanted);
    const std::int64_t a_part = std::int64_t(plan.threads) * plan.blocks_per_thread;
    CAPTURE(limits.name, name(variant), p, int(precision), wanted);
    CHECK(plan.threads % 64 == 0);
    CHECK(plan.threads <= limits.threads_per_team);
    CHECK((plan.threads <= plan.blocks || plan.threads == 64));
    CHECK(plan.performed_blocks() >= plan.blocks);
    CHECK((plan.parts - 1) * a_part < plan.blocks);
    CHECK(plan.scratch_bytes <= limits.scratch_bytes);
    CHECK(plan.input_bytes + plan.output_bytes <= limits.memory_bytes);
    CHECK(plan.output_bytes <= limits.array_bytes);
    CHECK(plan.output_bytes == std::size_t(9 * plan.blocks * plan.elements) * word_bytes(precision));
    CHECK(plan.teams * plan.threads <= limits.threads_per_kernel);
    CHECK(plan.teams * plan.elements_per_team >= plan.elements);
    CHECK((plan.teams - 1) * plan.elements_per_team < plan.elements);
    CHECK(plan.elements <= wanted);
    CHECK(plan.elements >= 1);
    CHECK(performed_flops(plan) >= useful_flops(plan));
  }
}

TEST_CASE("A set that fits in memory is one kernel with the fewest elements per team", "[elasticity][planner]") {
  const Plan plan = make_plan(3, hd_5870(), reg_jac, Precision::fp32, 1001);

  CHECK(plan.elements == 1001);
  CHECK(plan.elements_per_team == 7);  // 160 teams at once
  CHECK(plan.teams == 143);
}

TEST_CASE("The useful flops of an element are 63 per block and point", "[elasticity][planner]") {
  CHECK(useful_flops(make_plan(2, gtx_580(), reg_jac, Precision::fp32)) == 63.0 * 18 * 324);
  CHECK(performed_flops(make_plan(2, gtx_580(), reg_jac, Precision::fp32)) == 63.0 * 18 * 384);
  CHECK(useful_flops(make_plan(7, gtx_580(), shm_jac, Precision::fp32)) == 63.0 * 336 * 82944);
}

TEST_CASE("Teams that share a unit's scratch have smaller parts", "[elasticity][planner]") {
  DeviceLimits limits = h200();
  const Plan alone = make_plan(7, limits, shm_jac, Precision::fp64);
  limits.teams_sharing_scratch = 4;

  const Plan shared = make_plan(7, limits, shm_jac, Precision::fp64);

  CHECK(shared.scratch_bytes <= limits.scratch_bytes / 4);
  CHECK(shared.parts > alone.parts);
  CHECK(shared.blocks_per_thread < alone.blocks_per_thread);
}

TEST_CASE("Little scratch gives small teams, too little is rejected", "[elasticity][planner]") {
  DeviceLimits limits = hd_5870();
  limits.scratch_bytes = 20 * 1024;

  CHECK(make_plan(7, limits, shm_jac, Precision::fp64).threads == 128);
  limits.scratch_bytes = 10 * 1024;
  CHECK_NOTHROW(make_plan(7, limits, reg_jac, Precision::fp64));
  CHECK_THROWS_AS(make_plan(7, limits, shm_jac, Precision::fp64), InputError);
  CHECK_THROWS_WITH(make_plan(7, limits, shm_jac, Precision::fp64),
                    contains("needs at least 14096 bytes of scratch") && contains("has 10240"));
  limits.scratch_bytes = 4 * 1024;
  CHECK_THROWS_WITH(make_plan(7, limits, reg_jac, Precision::fp64), contains("bytes of scratch"));
}

TEST_CASE("An element that does not fit in memory is rejected with what would fit", "[elasticity][planner]") {
  DeviceLimits limits = hd_5870();
  limits.array_bytes = 4 * 1024 * 1024;

  CHECK_NOTHROW(make_plan(7, limits, reg_jac, Precision::fp32));
  CHECK_THROWS_AS(make_plan(7, limits, reg_jac, Precision::fp64), InputError);
  CHECK_THROWS_WITH(make_plan(7, limits, reg_jac, Precision::fp64),
                    contains("takes 5971968 bytes") && contains("arrays may take 4194304") &&
                        contains("largest order with room is 6") && contains("single precision"));
  limits.array_bytes = 100;
  CHECK_THROWS_WITH(make_plan(1, limits, reg_jac, Precision::fp32), contains("no order has room"));
}

TEST_CASE("Invalid orders, numbers of elements and limits are rejected", "[elasticity][planner]") {
  DeviceLimits none = h200();
  none.units = 0;

  CHECK_THROWS_WITH(make_plan(0, h200(), reg_jac, Precision::fp64), contains("accepted are 1..7"));
  CHECK_THROWS_WITH(make_plan(8, h200(), reg_jac, Precision::fp64), contains("accepted are 1..7"));
  CHECK_THROWS_WITH(make_plan(2, h200(), reg_jac, Precision::fp64, 0), contains("1 and more"));
  CHECK_THROWS_WITH(make_plan(2, none, reg_jac, Precision::fp64), contains("needs a unit"));
}

TEST_CASE("Variants are named as in the paper", "[elasticity][planner]") {
  std::string names;
  for (const Variant& variant : all_variants()) names += name(variant) + " ";

  CHECK(names == "reg_jac reg_nojac shm_jac shm_nojac ");
}
