// SPDX-License-Identifier: BSD-3-Clause
#include "apps/all_commands.hpp"

#include <algorithm>
#include <iostream>

#include "apps/frontend/memory.hpp"
#include "apps/frontend/words.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::apps {

AllCommands::AllCommands()
    : entries_{
          {{"",
            "Finite element kernels on every Kokkos backend, verified and measured against the hardware's limits. "
            "Without a command: a bake-off problem solved by conjugate gradients."},
           add_tensor_command,
           true},
          {{"info", "Backends, devices, versions, measured copy and FMA roofs"}, add_info_command, true},
          {{"tune", "Measures which kernel is fastest on this machine, for --tuning"}, add_tune_command},
          {{"streaming", "Streaming operations BS1..BS7: launch cost and bandwidth over sizes"},
           add_streaming_command,
           true},
          {{"indirect", "Indirect-increment loops: strategies, orders and layouts, with the figures that explain them"},
           add_indirect_command,
           true},
          {{"elasticity",
            "Element matrices of linear elasticity on prisms: the paper's variants and faster ones, by phases"},
           add_elasticity_command,
           true},
          {{"solver", "CG on sparse matrices: preconditioners, pipelined CG and a model of an iteration's time"},
           add_solver_command,
           true},
          {{"weakform",
            "Weak forms on triangles and tetrahedra: residuals and Jacobians by the ways to spread their threads"},
           add_weakform_command,
           true},
          {{"compare", "Records of two states of the program: which times changed by more than they scatter"},
           add_compare_command,
           true,
           false},
          {{"report", "What this machine is worth for finite elements: a suite of runs, one figure of merit, one page"},
           add_report_command,
           true},
      } {
  for (Entry& entry : entries_) {
    entry.command = entry.add(entry.options);
    if (entry.command) options_.push_back(&entry.options);
  }
}

CommandLine AllCommands::parse(const std::vector<std::string>& words) const {
  const Build built = build();
  return parse_command_line(words, options_, built.version + ", commit " + built.commit);
}

const AllCommands::Entry& AllCommands::of(const Options& options) const {
  return *std::find_if(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return &entry.options == &options; });
}

void run_within(const std::vector<std::string>& words) {
  const AllCommands commands;
  const CommandLine asked = commands.parse(words);
  if (!asked.command) {
    std::cout << asked.text;
    return;
  }
  try {
    commands.of(*asked.command).command(command_line_of(words))();
  } catch (const NoRoom& error) {
    throw NoRoom(asked.command->with_origin(error));
  } catch (const InputError& error) {
    throw InputError(asked.command->with_origin(error));
  } catch (const ResultError& error) {
    throw ResultError(asked.command->with_origin(error));
  }
}

}  // namespace miniapp::apps
