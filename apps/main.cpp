// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cctype>
#include <cstring>
#include <iostream>

#include "command_line.hpp"
#include "commands.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace {

constexpr int wrong_result = 1, bad_input = 2;

/// An argument as a shell would take it.
std::string quote(const std::string& argument) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_=./,:+@", c); };
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

using namespace miniapp::apps;

int run(int argc, char** argv) {
  std::string command_line = "miniapp";
  for (int i = 1; i < argc; ++i) command_line += " " + quote(argv[i]);

  miniapp::Session session(argc, argv);
  struct Entry {
    Options options;
    Command (*add)(Options&);
    Command command = {};
  };
  Entry entries[] = {
      {{"",
        "Finite element kernels on every Kokkos backend, verified and measured against the hardware's limits.\n"
        "Without a subcommand: a bake-off problem solved by conjugate gradients."},
       add_tensor_command},
      {{"info", "Backends, devices, versions, measured copy and FMA roofs"}, add_info_command},
      {{"tune", "Measures which kernel is fastest on this machine, for --tuning"}, add_tune_command},
      {{"streaming", "Streaming operations BS1..BS7: launch cost and bandwidth over sizes"}, add_streaming_command},
      {{"indirect", "Indirect-increment loops: strategies, orders and layouts, with the figures that explain them"},
       add_indirect_command},
      {{"elasticity",
        "Element matrices of linear elasticity on prisms: the paper's variants and faster ones, by phases"},
       add_elasticity_command}};
  std::vector<Options*> commands;
  for (Entry& entry : entries) {
    entry.command = entry.add(entry.options);
    commands.push_back(&entry.options);
  }
  const CommandLine asked = parse_command_line(argc, argv, commands, miniapp::platform().version);
  for (const Entry& entry : entries)
    if (asked.command == &entry.options) return entry.command(command_line)();
  std::cout << asked.text;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    if (!std::cout.flush()) throw miniapp::ResultError("standard output: writing failed");
    return code;
  } catch (const miniapp::InputError& error) {
    std::cerr << "miniapp: " << error.what() << '\n';
    return bad_input;
  } catch (const std::exception& error) {  // one line of it: Kokkos adds a trace
    const std::string text = error.what();
    std::cerr << "miniapp: " << text.substr(0, text.find('\n')) << '\n';
    return wrong_result;
  }
}
