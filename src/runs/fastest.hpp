// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>

namespace miniapp::measure {

/// Keeps the fastest of the results that it is offered, of equally fast ones the first.
template <class Result>
class Fastest {
 public:
  void offer(const Result& result, double seconds) {
    if (!result_ || seconds < seconds_) result_ = result, seconds_ = seconds;
  }
  /// The fastest since the last call; nothing where none was offered.
  std::optional<Result> take() { return std::exchange(result_, {}); }

 private:
  std::optional<Result> result_;
  double seconds_ = 0;
};

}  // namespace miniapp::measure
