// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/bandwidth_model.hpp"

#include "support/all_close.hpp"

using measure::BandwidthModel;
using measure::Timing;

namespace {

constexpr double t0 = 3e-6, bandwidth = 4e12;

/// Sizes from 1 kB to 1 GB, and times by the model, the odd ones longer and the even ones shorter by a fraction.
std::vector<Timing> timings(double fraction) {
  std::vector<Timing> all;
  for (double bytes = 1e3; bytes < 1e9; bytes *= 1.3)
    all.push_back({bytes, (t0 + bytes / bandwidth) * (all.size() % 2 ? 1 + fraction : 1 - fraction)});
  return all;
}

}  // namespace

TEST_CASE("A fit finds the model that generated the times", "[measure][bandwidth_model]") {
  const BandwidthModel model = measure::fit(timings(0));

  CHECK(model.t0 == close<double>(t0, 1e4));
  CHECK(model.bandwidth == close<double>(bandwidth, 1e4));
  CHECK(model.r_squared > 1 - 1e-12);
  CHECK(model.worst < 1e-9);
  CHECK(model.bytes_at_80_percent() == close<double>(4 * t0 * bandwidth, 1e4));
  CHECK(model.bytes_at_80_percent() / model.seconds(model.bytes_at_80_percent()) ==
        close<double>(0.8 * bandwidth, 1e4));
}

TEST_CASE("Noise moves a fit by no more than its own size", "[measure][bandwidth_model]") {
  const BandwidthModel model = measure::fit(timings(0.1));

  CHECK(std::abs(model.t0 / t0 - 1) < 0.1);
  CHECK(std::abs(model.bandwidth / bandwidth - 1) < 0.1);
  CHECK(model.worst > 0.05);
  CHECK(model.worst < 0.25);
  CHECK(model.r_squared < 1);
}

TEST_CASE("Small sizes determine the launch time, however noisy large ones are", "[measure][bandwidth_model]") {
  std::vector<Timing> all = timings(0);
  all.back().seconds *= 1.05;  // by more than t0

  CHECK(std::abs(measure::fit(all).t0 / t0 - 1) < 0.05);
}

TEST_CASE("A launch never takes less than no time", "[measure][bandwidth_model]") {
  const std::vector<Timing> faster_when_small{{1e6, 1e-6}, {2e6, 3e-6}, {4e6, 8e-6}};  // as from caches

  const BandwidthModel model = measure::fit(faster_when_small);

  CHECK(model.t0 == 0);
  const double x = 1 + 2. / 3 + 0.5, xx = 1 + 4. / 9 + 0.25;  // B / T in units of 1e12 bytes/s, and squared
  CHECK(model.bandwidth == close<double>(1e12 * xx / x, 10));
}

TEST_CASE("Times that do not grow with size have a launch alone", "[measure][bandwidth_model]") {
  const BandwidthModel model = measure::fit({{1e3, 3e-6}, {2e3, 2e-6}, {3e3, 2e-6}});

  CHECK(std::isinf(model.bandwidth));
  CHECK(model.t0 > 1.9e-6);
  CHECK(model.t0 < 2.5e-6);
  CHECK(model.seconds(1e9) == model.t0);
}

TEST_CASE("A model fits if it explains nine tenths of the variance", "[measure][bandwidth_model]") {
  CHECK(measure::fit(timings(0.1)).fits());
  CHECK_FALSE(measure::fit({{1e3, 1e-6}, {2e3, 9e-6}, {3e3, 1e-6}, {4e3, 8e-6}, {5e3, 3e-6}}).fits());
}

TEST_CASE("A fit is tested by three sizes or more", "[measure][bandwidth_model]") {
  CHECK_FALSE(measure::fit({{1e6, 1e-6}}).is_tested());
  CHECK_FALSE(measure::fit({{1e3, 1e-6}, {2e3, 9e-6}}).is_tested());
  CHECK(measure::fit({{1e3, 1e-6}, {2e3, 9e-6}, {3e3, 1e-6}}).is_tested());
}

TEST_CASE("Fewer than two sizes give no model", "[measure][bandwidth_model]") {
  const std::vector<Timing> few =
      GENERATE(std::vector<Timing>{}, std::vector<Timing>{{1e6, 1e-6}}, std::vector<Timing>{{1e6, 1e-6}, {1e6, 2e-6}});

  CHECK(measure::fit(few).bandwidth == 0);
  CHECK(measure::fit(few).t0 == 0);
}
