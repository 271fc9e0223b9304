// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>
#include <optional>

#include "command_line.hpp"
#include "commands.hpp"
#include "core/printable.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"
#include "words.hpp"

namespace {

using namespace miniapp::apps;

constexpr int wrong_result = 1, bad_input = 2;

/// A command with its options.
struct Entry {
  Options options;
  Command (*add)(Options&);
  Command command = {};
};

/// Starts Kokkos first, since some checks ask it for the device. Without a device everything is checked all the same,
/// so that bad input is refused as elsewhere, and the run ends with what is missing.
void run(const std::string& command_line, const Options& options, const Command& command,
         const std::vector<std::string>& kokkos_options) {
  std::optional<miniapp::Session> session;
  std::string missing_device;
  try {
    session.emplace(kokkos_options);
  } catch (const miniapp::DeviceError& error) {
    missing_device = error.what();
  }
  try {
    const Work work = command(command_line);
    if (!session) throw miniapp::ResultError(missing_device);
    within_memory({}, command_line, work);
  } catch (const miniapp::InputError& error) {
    throw miniapp::InputError(options.with_origin(error.what()));
  } catch (const miniapp::ResultError& error) {
    throw miniapp::ResultError(options.with_origin(error.what()));
  }
}

void run(std::vector<std::string> words) {
  std::string command_line = "miniapp";
  for (const std::string& word : words) command_line += " " + quote(word);
  const auto other = std::stable_partition(words.begin(), words.end(),
                                           [](const std::string& word) { return word.rfind("--kokkos-", 0) == 0; });
  const std::vector<std::string> kokkos_options(words.begin(), other);
  words.erase(words.begin(), other);

  Entry entries[] = {
      {{"",
        "Finite element kernels on every Kokkos backend, verified and measured against the hardware's limits.\n"
        "Without a subcommand: a bake-off problem solved by conjugate gradients."},
       add_tensor_command},
#ifdef MINIAPP_HAS_INFO
      {{"info", "Backends, devices, versions, measured copy and FMA roofs"}, add_info_command},
#endif
#ifdef MINIAPP_HAS_TUNE
      {{"tune", "Measures which kernel is fastest on this machine, for --tuning"}, add_tune_command},
#endif
#ifdef MINIAPP_HAS_STREAMING
      {{"streaming", "Streaming operations BS1..BS7: launch cost and bandwidth over sizes"}, add_streaming_command},
#endif
#ifdef MINIAPP_HAS_INDIRECT
      {{"indirect", "Indirect-increment loops: strategies, orders and layouts, with the figures that explain them"},
       add_indirect_command},
#endif
#ifdef MINIAPP_HAS_ELASTICITY
      {{"elasticity",
        "Element matrices of linear elasticity on prisms: the paper's variants and faster ones, by phases"},
       add_elasticity_command},
#endif
#ifdef MINIAPP_HAS_SOLVER
      {{"solver", "CG on sparse matrices: preconditioners, pipelined CG and a model of an iteration's time"},
       add_solver_command},
#endif
#ifdef MINIAPP_HAS_WEAKFORM
      {{"weakform",
        "Weak forms on triangles and tetrahedra: residuals and Jacobians by the ways to spread their threads"},
       add_weakform_command},
#endif
  };
  std::vector<Options*> commands;
  for (Entry& entry : entries) {
    entry.command = entry.add(entry.options);
    commands.push_back(&entry.options);
  }
  const miniapp::Build build = miniapp::build();
  const CommandLine asked = parse_command_line(words, commands, build.version + ", commit " + build.commit);
  if (std::count(kokkos_options.begin(), kokkos_options.end(), "--kokkos-help")) {
    const miniapp::Session prints_help({"--kokkos-help"});
    return;
  }
  for (const Entry& entry : entries)
    if (asked.command == &entry.options) return run(command_line, entry.options, entry.command, kokkos_options);
  std::cout << asked.text;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    watch_signals();
    run({argv + 1, argv + argc});
    if (!std::cout.flush()) throw miniapp::ResultError("standard output: writing failed");
    return 0;
  } catch (const miniapp::InputError& error) {
    std::cerr << "miniapp: " << miniapp::printable(error.what()) << '\n';
    return bad_input;
  } catch (const std::exception& error) {  // one line of it: Kokkos adds a trace
    const std::string text = error.what();
    std::cerr << "miniapp: " << miniapp::printable(text.substr(0, text.find('\n'))) << '\n';
    return wrong_result;
  }
}
