// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/region.hpp"

namespace miniapp::measure {

/// Seconds per call of an operation that was timed `repetitions` times.
struct Sample {
  double min = 0, median = 0, max = 0;
  int repetitions = 0;
  std::vector<double> all{};  ///< all times, in the order in which they were taken [s]
  double joules = 0;          ///< energy of the device per call [J]; 0 where its system does not tell
};

/// How often an operation is timed.
struct Repeat {
  int times = 0;        ///< exactly so often; 0: 3 to 20 times, until they took 0.2 s or differ by 2 % at most
  bool energy = false;  ///< whether time_and_energy() reads the energy
};

/// The sample of these times; their median is the mean of the middle two where they are even in number.
Sample summarise(std::vector<double> seconds);

/// The sample of the times (t - before) * factor.
Sample rescale(const Sample& sample, double factor, double before = 0);

/// Seconds since some fixed time; waits for the device first.
double now();

/// Seconds of body(), which all ranks begin at once, until the last has ended.
template <class Body>
double time_once(const Body& body, const Communicator& ranks = {}) {
  ranks.barrier();
  const double start = now();
  body();
  return ranks.of_all(Reduction::max, now() - start);
}

/// Whether samples are as many as asked for by `times` (Repeat), where `took` [s] is what all took. Where it does not
/// say how many, `least` are enough once they took 0.2 s.
bool are_enough(const std::vector<double>& seconds, double took, int times, std::size_t least = 3);

/// Times `body`: one call to warm up, then `times` samples as Repeat has them, each between two fences. Calls that take
/// less than a millisecond are repeated within a sample, so that launches overlap as in a solver. On several ranks all
/// begin a sample at once, and it lasts until the last has ended. A region "timing" of Kokkos Tools.
Sample time(const std::function<void()>& body, int times, const Communicator& ranks = {});

/// time() with the energy of a call if it is asked for and the device has a counter; that takes half a second more.
Sample time_and_energy(const std::function<void()>& body, const Repeat& repeat, const Communicator& ranks = {});

/// A region "verification" of Kokkos Tools, whose time counts in verification_seconds().
class Verifying {
 public:
  Verifying() : region_("verification"), start_(now()) {}
  ~Verifying();
  Verifying(const Verifying&) = delete;
  Verifying& operator=(const Verifying&) = delete;

 private:
  Region region_;
  double start_;
};

/// What this process has spent in regions of Verifying so far, from all threads [s].
double verification_seconds();

/// Named phases of a set-up, in the order in which they ran. Each is a region of Kokkos Tools.
class Phases {
 public:
  /// Runs body() and adds its time to the phase.
  template <class Body>
  auto time(const std::string& phase, Body&& body) {
    const Timer timer{*this, phase, now(), Region(phase)};
    return body();
  }
  /// Adds seconds to a phase.
  void add(const std::string& phase, double seconds);
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }
  /// Time of a phase [s], 0 if it never ran.
  double of(const std::string& phase) const;
  double total() const;

 private:
  struct Timer {
    Phases& phases;
    std::string phase;
    double start;
    Region region;
    ~Timer() { phases.add(phase, now() - start); }
  };
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace miniapp::measure
