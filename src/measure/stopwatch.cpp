// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/stopwatch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <utility>

#include "measure/energy.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp::measure {

double now() {
  Kokkos::fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {
std::atomic<double> verified = 0;  // [s]
}

Verifying::~Verifying() { verified += now() - start_; }

double verification_seconds() { return verified; }

Sample summarise(std::vector<double> seconds) {
  std::vector<double> all = seconds;
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const double median = seconds.size() % 2 ? seconds[middle] : 0.5 * (seconds[middle - 1] + seconds[middle]);
  return {seconds.front(), median, seconds.back(), static_cast<int>(seconds.size()), std::move(all)};
}

Sample rescale(const Sample& sample, double factor, double before) {
  std::vector<double> seconds = sample.all;
  for (double& t : seconds) t = (t - before) * factor;
  Sample result = summarise(std::move(seconds));
  if (sample.joules > 0) result.joules = sample.joules * (1 - before / sample.median) * factor;
  return result;
}

bool are_enough(const std::vector<double>& seconds, double took, int times, std::size_t least) {
  constexpr double long_enough = 0.2, alike = 0.02;  // [s], of the shortest
  if (times > 0) return static_cast<int>(seconds.size()) >= times;
  if (took >= long_enough) return seconds.size() >= least;
  if (seconds.size() < 3) return false;
  const auto [shortest, longest] = std::minmax_element(seconds.begin(), seconds.end());
  return seconds.size() >= 20 || *longest - *shortest <= alike * *shortest;
}

Sample time(const std::function<void()>& body, int times, const Communicator& ranks) {
  constexpr double shortest_sample = 1e-3;  // [s]
  const Region region("timing");
  body();
  const double once = time_once(body, ranks);
  const int calls = once > 0 ? std::clamp(static_cast<int>(std::ceil(shortest_sample / once)), 1, 1000) : 1000;

  std::vector<double> seconds;
  double took = 0;
  const auto add = [&](double sample) {
    took += sample;
    seconds.push_back(sample / calls);
  };
  if (calls == 1) add(once);
  while (!are_enough(seconds, took, times)) {
    add(time_once(
        [&] {
          for (int call = 0; call < calls; ++call) body();
        },
        ranks));
  }
  return summarise(std::move(seconds));
}

double joules(const std::function<void()>& body, double seconds, const Communicator& ranks) {
  EnergyCounter* const counter = device_energy(ranks);
  if (ranks.of_all(Reduction::min, std::int64_t(counter != nullptr)) == 0) return 0;
  constexpr double long_enough = 0.5, a_look = 0.05;  // [s]: counters may be updated 10 times per second
  const int calls = std::clamp(static_cast<int>(a_look / std::max(seconds, 1e-9)), 1, 1000000);
  ranks.barrier();
  const double start = now(), before = counter->joules();
  double called = 0;
  do {
    for (int call = 0; call < calls; ++call) body();
    called += calls;
  } while (ranks.of_all(Reduction::max, now() - start) < long_enough);
  return ranks.sum(counter->joules() - before) / called;
}

Sample time_and_energy(const std::function<void()>& body, const Repeat& repeat, const Communicator& ranks) {
  Sample sample = time(body, repeat.times, ranks);
  if (repeat.energy) sample.joules = joules(body, sample.median, ranks);
  return sample;
}

void Phases::add(const std::string& phase, double seconds) {
  for (auto& [name, total] : seconds_) {
    if (name != phase) continue;
    total += seconds;
    return;
  }
  seconds_.emplace_back(phase, seconds);
}

double Phases::of(const std::string& phase) const {
  for (const auto& [name, seconds] : seconds_)
    if (name == phase) return seconds;
  return 0;
}

double Phases::total() const {
  double sum = 0;
  for (const auto& [name, seconds] : seconds_) sum += seconds;
  return sum;
}

}  // namespace miniapp::measure
