// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace miniapp {

/// Invalid input. The message is one line: the option, its value, what is accepted.
/// The program prints it and ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A computation that went wrong: a kernel that disagrees with its reference, a solver that broke down.
/// The program prints it and ends with exit code 1.
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError(message) unless `condition` holds.
inline void require(bool condition, const std::string& message) {
  if (!condition) throw InputError(message);
}

}  // namespace miniapp
