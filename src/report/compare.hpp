// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "report/record.hpp"

/// Records of two states of the program, paired by their cases: which times differ by more than they scatter
/// (docs/compare.md).
namespace miniapp::report {

/// A time of one state [s]: its median, and the interval in which it is known to lie.
struct Interval {
  double low = 0, median = 0, high = 0;
};

/// The interval of a time's samples, {min, median, max, repetitions}, or seconds that were measured once. Samples of
/// several runs are taken together: the least minimum, the median of the medians, the largest maximum. The interval
/// reaches from the minimum as far above the median as below it, at most to the maximum, since one interrupted
/// repetition says nothing; it holds 2 % around the median at least, and 20 % where the time was measured only once.
Interval interval_of(const std::vector<Json>& samples);

enum class Change { same, faster, slower };
constexpr auto names(Change) { return std::array{"same", "faster", "slower"}; }

/// `same` where the intervals overlap.
Change change_of(const Interval& old_time, const Interval& new_time);

/// One time of a case in both states. `ratio`: new / old, of the medians.
struct ComparedTime {
  std::string name;
  Interval old_time, new_time;
  double ratio;
  Change change;
};

/// A case that both files have.
struct ComparedCase {
  std::string name;                 ///< what differs from the other cases
  std::vector<ComparedTime> times;  ///< times that both files have
  std::string wrong;                ///< what was right in the old state and is not in the new one; empty: nothing
};

struct Comparison {
  std::string common;  ///< what all cases share
  std::vector<ComparedCase> cases;
  std::vector<std::string> only_old, only_new;  ///< names of cases without a partner
  std::string difference;                       ///< in what the first cases differ, where none has a partner
};

/// Compares the times of cases that are equal in all that both files record of them, but for how often they were timed.
/// For streaming operations the times over sizes are compared, of the smallest third of the sizes and of the largest.
Comparison compare(const std::vector<Json>& old_records, const std::vector<Json>& new_records);

}  // namespace miniapp::report
