// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

/// What the fuzz targets share. A target is a function LLVMFuzzerTestOneInput(bytes, size) that hands the bytes to a
/// reader; libFuzzer makes the bytes up, replay.cpp takes them from files.
namespace miniapp::fuzz {

inline std::string_view text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// Aborts the program, so that libFuzzer keeps the input.
[[noreturn]] inline void report(const std::string& what) {
  std::fprintf(stderr, "Finding: %s\n", what.c_str());
  std::abort();
}

/// Reports unless `holds`.
inline void expect(bool holds, const char* what) {
  if (!holds) report(what);
}

/// An error message must be one printable line, and not empty.
inline void check_refusal(std::string_view message) {
  if (message.empty() || printable(message, message.size()) != message)
    report("a refusal that is not one printable line: " + std::string(message));
}

/// Calls `read()`; every exception but InputError is a finding, which goes through. Returns whether it accepted.
/// `shown(error)`: what the program prints of a refusal.
template <class Read, class Shown>
bool accepts(const Read& read, const Shown& shown) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    check_refusal(shown(error));
    return false;
  }
}
template <class Read>
bool accepts(const Read& read) {
  return accepts(read, [](const InputError& error) { return error.what(); });
}

}  // namespace miniapp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
