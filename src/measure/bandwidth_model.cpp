// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/bandwidth_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace miniapp::measure {

BandwidthModel fit(const std::vector<Timing>& timings) {
  const auto [least, most] = std::minmax_element(timings.begin(), timings.end(),
                                                 [](const Timing& a, const Timing& b) { return a.bytes < b.bytes; });
  if (timings.empty() || least->bytes == most->bytes) return {};
  // minimise sum w (t0 + B / W - T)^2, w = 1 / T^2, around the weighted means
  double weights = 0, mean_bytes = 0, mean_seconds = 0, plain_mean = 0;
  for (const auto& [bytes, seconds] : timings) {
    const double w = 1 / (seconds * seconds);
    weights += w;
    mean_bytes += w * bytes;
    mean_seconds += w * seconds;
    plain_mean += seconds / static_cast<double>(timings.size());
  }
  mean_bytes /= weights;
  mean_seconds /= weights;
  double square = 0, product = 0, rates = 0, squared_rates = 0;
  for (const auto& [bytes, seconds] : timings) {
    const double w = 1 / (seconds * seconds);
    square += w * (bytes - mean_bytes) * (bytes - mean_bytes);
    product += w * (bytes - mean_bytes) * (seconds - mean_seconds);
    rates += bytes / seconds;
    squared_rates += bytes * bytes * w;
  }
  BandwidthModel model;
  model.bandwidth = product > 0 ? square / product : std::numeric_limits<double>::infinity();
  model.t0 = mean_seconds - mean_bytes / model.bandwidth;
  if (model.t0 < 0) model = {0, squared_rates / rates};  // the least on the edge t0 = 0
  model.sizes = static_cast<int>(timings.size());
  double residual = 0, variance = 0;
  for (const auto& [bytes, seconds] : timings) {
    const double difference = seconds - model.seconds(bytes);
    residual += difference * difference;
    variance += (seconds - plain_mean) * (seconds - plain_mean);
    model.worst = std::max(model.worst, std::fabs(difference) / seconds);
  }
  model.r_squared = variance > 0 ? 1 - residual / variance : 0;
  return model;
}

}  // namespace miniapp::measure
