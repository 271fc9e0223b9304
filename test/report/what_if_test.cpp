// SPDX-License-Identifier: BSD-3-Clause
#include "report/what_if.hpp"

#include "support/catch.hpp"

using report::Device;
using report::Json;

namespace {

/// A device of 100 GB/s, 200 GFLOP/s and as much scratch as is asked for.
Device device(double scratch = 0) {
  Device d;
  d.title = "a device";
  d.memory = 100e9;
  d.fma = 200e9;
  d.scratch = scratch;
  return d;
}

/// An operator that takes `seconds`, at half of its bound.
Json record(const std::string& geometry, double seconds, double bytes, double multiplications,
            const std::string& kernel = "lines") {
  return {{"schema", 2},
          {"module", "tensor"},
          {"device", "here"},
          {"wrong", nullptr},
          {"case",
           {{"bp", "bp3.5"},
            {"order", 7},
            {"elements", 64},
            {"kernel", kernel},
            {"geometry", geometry},
            {"precision", "double"}}},
          {"timing", {{"kernel_s", {{"min", 1e-3}, {"median", 2e-3}, {"max", 3e-3}}}}},
          {"result", {{"memory_bytes", 5e9}}},
          {"roofs",
           {{"least_bytes", bytes},
            {"multiplications", multiplications},
            {"bound_s", seconds / 2},
            {"bound_by", "memory"},
            {"fraction_of_bound", 0.5}}}};
}

}  // namespace

TEST_CASE("The bound of another device is the longest of its times, and the part that is reached stays",
          "[report][what_if]") {
  const auto projection =
      report::what_if({record("stored", 0.1, 1e9, 1e8), record("computed", 0.1, 1e8, 1e9)}, device());
  REQUIRE(projection.times.size() == 2);
  CHECK(projection.times[0].here == Approx(0.1));
  CHECK(projection.times[0].there == Approx(2 * 1e9 / 100e9));
  CHECK(projection.times[0].bound_by == "memory");
  CHECK(projection.times[0].there_bound_by == "memory");
  CHECK(projection.times[0].speed_up() == Approx(5));
  CHECK(projection.times[1].there == Approx(2 * 1e9 / 100e9));  // 1e9 multiplications at half of 200e9
  CHECK(projection.times[1].there_bound_by == "multiplications");
  CHECK(projection.times[0].name == "bp3.5, p = 7, 64 elements, lines, stored");
}

TEST_CASE("What a kernel moves in scratch follows from its part of that roof", "[report][what_if]") {
  Json r = record("computed", 0.1, 1, 1);
  r["roofs"]["scratch_gbytes"] = 30;
  r["roofs"]["fraction_of_scratch_roof"] = 0.5;  // of 30 GB/s in 2 ms: 30 MB
  const auto projection = report::what_if({r}, device(10e9));
  REQUIRE(projection.times.size() == 1);
  CHECK(projection.times[0].there == Approx(2 * 30e6 / 10e9));
  CHECK(projection.times[0].there_bound_by == "scratch");
}

TEST_CASE("Single precision has its own rate, and none without it", "[report][what_if]") {
  Json r = record("computed", 0.1, 1, 1e9);
  r["case"]["precision"] = "single";
  Device d = device();
  REQUIRE(report::what_if({r}, d).times.empty());
  CHECK(report::what_if({r}, d).left_out.at(0).reason == "single precision, whose rate is not known there");
  d.single_fma = 400e9;
  CHECK(report::what_if({r}, d).times.at(0).there == Approx(2 * 1e9 / 200e9));
}

TEST_CASE("A geometry may win there that loses here", "[report][what_if]") {
  const auto projection =
      report::what_if({record("computed", 0.02, 1e8, 4e9), record("stored", 0.03, 1e9, 1e8, "rung1"),
                       record("stored", 0.04, 9e8, 1e8, "rung2"), record("boxes", 0.5, 1e9, 5e9)},
                      device());
  REQUIRE(projection.geometries.size() == 1);
  const report::GeometryChoice& choice = projection.geometries[0];
  CHECK(choice.name == "bp3.5, p = 7, 64 elements");
  REQUIRE(choice.ways.size() == 3);
  CHECK(choice.winner_here().geometry == "computed");
  CHECK(choice.ways[0].geometry == "stored");
  CHECK(choice.ways[0].there == Approx(2 * 9e8 / 100e9));
  CHECK(choice.ways[0].here_kernel == "rung1");
  CHECK(choice.ways[0].there_kernel == "rung2");
  CHECK(choice.ways[1].geometry == "computed");
  CHECK(choice.winner_by_bound().geometry == "stored");
  CHECK(choice.ways[0].bound_there == Approx(9e8 / 100e9));
  CHECK(choice.ways[1].bound_there == Approx(4e9 / 100e9));
}

TEST_CASE("Operators of other orders or devices are other choices", "[report][what_if]") {
  Json other_order = record("stored", 0.1, 1, 1), other_device = record("stored", 0.1, 1, 1);
  other_order["case"]["order"] = 3;
  other_device["device"] = "elsewhere";
  CHECK(report::what_if({record("computed", 0.1, 1, 1), other_order, other_device}, device()).geometries.empty());
}

TEST_CASE("What has no bound is nothing, what cannot be projected is counted", "[report][what_if]") {
  Json wrong = record("computed", 0.1, 1, 1), info = wrong;
  wrong["wrong"] = "differs";
  info["roofs"] = {{"copy_gbytes", 1}};
  const auto projection = report::what_if(
      {wrong, info, record("computed", 0.1, 1, 1, "tiles"), record("computed", 0.1, 1, 1, "tiles")}, device());
  CHECK(projection.times.empty());
  REQUIRE(projection.left_out.size() == 2);
  CHECK(projection.left_out[0].reason == "wrong results");
  CHECK(projection.left_out[0].count == 1);
  CHECK(projection.left_out[1].count == 2);
}

TEST_CASE("Caches and memory there are marked", "[report][what_if]") {
  Device d = device();
  d.cache = 2e8;
  d.capacity = 4e9;
  const auto small = report::what_if({record("stored", 0.1, 1e8, 1)}, d).times.at(0);
  CHECK(small.in_cache);
  CHECK_FALSE(small.fits);  // 5 GB of arrays
  d.capacity = 6e9;
  const auto large = report::what_if({record("stored", 0.1, 1e9, 1)}, d).times.at(0);
  CHECK_FALSE(large.in_cache);
  CHECK(large.fits);
}

TEST_CASE("The mean speed-up is geometric, of a module or of all", "[report][what_if]") {
  Json loop = record("", 0.1, 1e9, 0);  // 0.1 s here, 0.02 s there
  loop["module"] = "indirect";
  loop["case"] = {{"loop", "airfoil"}, {"size", 100}, {"strategy", "owner"}};
  const auto projection = report::what_if({record("stored", 0.4, 1e9, 0), loop}, device());
  CHECK(report::mean_speed_up(projection, "tensor").value() == Approx(20));
  CHECK(report::mean_speed_up(projection, "indirect").value() == Approx(5));
  CHECK(report::mean_speed_up(projection, "").value() == Approx(10));
  CHECK_FALSE(report::mean_speed_up(projection, "solver"));
  CHECK(projection.times[1].name == "airfoil, 100 elements, owner");
}
