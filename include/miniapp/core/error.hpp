// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <utility>

namespace miniapp {

/// An error whose message is one line, and the argument at fault, if it is one.
class Error : public std::runtime_error {
 public:
  /// `sentence` is the message. `argument`: the name of the argument that it is about.
  explicit Error(const std::string& sentence, std::string argument_ = {})
      : std::runtime_error(sentence), argument(std::move(argument_)), reason(sentence) {}
  /// The message is "argument value: reason", and "argument: reason" where `value` is empty.
  Error(const std::string& argument_, const std::string& value_, const std::string& reason_)
      : std::runtime_error(argument_ + (value_.empty() ? "" : " ") + value_ + ": " + reason_),
        argument(argument_),
        value(value_),
        reason(reason_) {}

  std::string argument;  ///< its name in C++ ("block_size") or on the command line ("--block-size"); may be empty
  std::string value;     ///< what it was, if the message says so apart from the reason
  std::string reason;    ///< what is wrong with it, and what is accepted
};

/// Invalid input. The message names the argument, its value, and what is accepted.
/// The program prints it and ends with exit code 2.
class InputError : public Error {
 public:
  using Error::Error;
};

/// A computation that went wrong: a kernel that disagrees with its reference, a solver that broke down.
/// The program prints it and ends with exit code 1.
class ResultError : public Error {
 public:
  using Error::Error;
};

/// Throws `error` unless `condition` holds. The caller makes the error either way. Loops over many points or elements
/// use `if` and `throw` instead, which make its text only where it is thrown.
inline void require(bool condition, const InputError& error) {
  if (!condition) throw error;
}

/// Throws InputError(sentence) unless `condition` holds.
inline void require(bool condition, const std::string& sentence) {
  if (!condition) throw InputError(sentence);
}

/// Throws InputError(argument, value, reason) unless `condition` holds.
inline void require(bool condition, const std::string& argument, const std::string& value, const std::string& reason) {
  if (!condition) throw InputError(argument, value, reason);
}
inline void require(bool condition, const std::string& argument, std::integral auto value, const std::string& reason) {
  require(condition, argument, std::to_string(value), reason);
}

}  // namespace miniapp
