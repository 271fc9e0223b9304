// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace miniapp::apps {

/// Refuses what is no decimal number of the type, in the program's words; "010" becomes "10".
template <class Number>
CLI::Validator number() {
  const auto parse = [](std::string& text) -> std::string {
    Number value{};
    std::size_t read = 0;
    try {
      if constexpr (std::is_integral_v<Number>)
        value = std::stoi(text, &read);
      else
        value = std::stod(text, &read);
    } catch (const std::logic_error&) {
      read = 0;
    }
    if (read == text.size() && read > 0) {
      if (std::is_integral_v<Number>) text = fmt::format("{}", value);
      return "";
    }
    return fmt::format("unknown value '{}'; accepted are {}", text,
                       std::is_integral_v<Number> ? "whole numbers up to 2147483647" : "numbers");
  };
  return {parse, ""};
}

/// The options of one heading of --help.
class Group {
 public:
  Group(CLI::App& app, std::string name) : app_(app), name_(std::move(name)) {}

  template <class T>
  CLI::Option* add(const std::string& option, T& variable, const std::string& description) {
    CLI::Option* added = app_.add_option(option, variable, description)->group(name_);
    if constexpr (std::is_arithmetic_v<T>) added->transform(number<T>());
    return added;
  }
  void flag(const std::string& option, bool& variable, const std::string& description) {
    app_.add_flag(option, variable, description)->group(name_);
  }

 private:
  CLI::App& app_;
  std::string name_;
};

}  // namespace miniapp::apps
