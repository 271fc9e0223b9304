// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "apps/all_commands.hpp"
#include "apps/frontend/colour.hpp"
#include "apps/frontend/interrupt.hpp"
#include "apps/frontend/memory.hpp"
#include "apps/frontend/nothing.hpp"
#include "apps/frontend/same.hpp"
#include "apps/frontend/words.hpp"
#include "core/mpi_library.hpp"
#include "core/node.hpp"
#include "core/printable.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace {

using namespace miniapp::apps;

constexpr int wrong_result = 1, bad_input = 2;

/// What the program says of an error: of errors that are not ours the first line, since Kokkos adds a trace.
std::string message(const std::exception& error) {
  const std::string text = error.what();
  return miniapp::printable(dynamic_cast<const miniapp::InputError*>(&error) ? text : text.substr(0, text.find('\n')));
}
void tell(const std::string& text) { std::cerr << fmt::format("miniapp: {}\n", text) << std::flush; }

bool is_told = false;           // why ranks fail
constexpr double patience = 1;  // [s]; ranks that fail for the same reason do so within it

/// Throws the error. Where this rank fails and others do not, ends all of them instead: they would wait for it for
/// ever.
template <class Error>
[[noreturn]] void fail(const miniapp::Communicator& world, const Error& error, int exit_code) {
  if (world.is_alone() || is_told) throw error;
  if (!world.all_arrive_within(patience)) {
    tell(fmt::format("{}: {}", name_of_rank(world), message(error)));
    world.abort(exit_code);
  }
  if (world.rank() == 0) tell(message(error));
  is_told = true;
  world.barrier();  // a launcher ends all when the first has ended
  throw error;
}

/// A refusal of Kokkos, with the nearest of the options that all its versions know.
std::string with_nearest(std::string refusal) {
  const std::string known = ": unknown to Kokkos";
  const std::size_t end = refusal.find(known);
  if (end == std::string::npos) return refusal;
  const std::string name = refusal.substr(0, std::min(end, refusal.find('=')));
  return refusal.insert(end + known.size(), suggestion(name, {"--kokkos-help", "--kokkos-device-id",
                                                              "--kokkos-disable-warnings", "--kokkos-tune-internals"}));
}

/// Starts Kokkos first, since some checks ask it for the device. Without a device everything is checked all the same,
/// so that bad input is refused as elsewhere, and the run ends with what is missing.
void run(const std::string& command_line, const AllCommands::Entry& entry,
         const std::vector<std::string>& kokkos_options) {
  const Options& options = entry.options;
  if (!entry.computes) return entry.command(command_line)();
  std::optional<miniapp::Session> session;
  std::string missing_device;
  try {
    session.emplace(kokkos_options);
  } catch (const miniapp::DeviceError& error) {
    missing_device = error.what();
  } catch (const miniapp::InputError& error) {
    throw miniapp::InputError(with_nearest(error.what()));
  }
  const miniapp::Communicator world = miniapp::Communicator::world();
  try {
    require_together(world);
    require_same(world, command_line, options);
    miniapp::require(
        entry.takes_ranks || world.is_alone(),
        fmt::format(
            "{} ranks: {} runs on one; accepted with more are the main job, streaming, indirect, elasticity --solve, "
            "weakform, solver, report and info",
            world.size(), options.called()));
    const Work work = entry.command(command_line);
    if (!session) throw miniapp::ResultError(missing_device);
    within_memory({}, command_line, work);
  } catch (const miniapp::InputError& error) {
    fail(world, miniapp::InputError(options.with_origin(error)), bad_input);
  } catch (const miniapp::ResultError& error) {
    fail(world, miniapp::ResultError(options.with_origin(error)), wrong_result);
  } catch (const std::exception& error) {
    fail(world, std::runtime_error(error.what()), wrong_result);
  }
}

void run(std::vector<std::string> words) {
  const std::string command_line = command_line_of(words);
  const auto other = std::stable_partition(words.begin(), words.end(),
                                           [](const std::string& word) { return word.rfind("--kokkos-", 0) == 0; });
  const std::vector<std::string> kokkos_options(words.begin(), other);
  words.erase(words.begin(), other);

  AllCommands commands;
  const CommandLine asked = commands.parse(words);
  if (std::count(kokkos_options.begin(), kokkos_options.end(), "--kokkos-help")) {
    const miniapp::Session prints_help({"--kokkos-help"});
    return;
  }
  if (asked.command) return run(command_line, commands.of(*asked.command), kokkos_options);
  std::cout << asked.text;
}

/// Starts MPI first, so that ranks also tell each other what is refused before a Session, such as a config file that
/// one host lacks.
void run_together(const std::vector<std::string>& words) {
  const miniapp::MpiLibrary mpi;
  try {
    run(words);
  } catch (const miniapp::InputError& error) {
    fail(mpi.world(), error, bad_input);
  } catch (const std::runtime_error& error) {
    fail(mpi.world(), error, wrong_result);
  }
}

}  // namespace

/// OpenBLAS, which hypre and Kokkos Kernels may bring, starts a thread per core before main(). Nothing here needs them,
/// they take signals, memory and, where memory is short, never end: the program starts once more without them.
void start_without_threads_of_blas(char** argv) {
  if (std::getenv("OPENBLAS_NUM_THREADS") || !dlsym(RTLD_DEFAULT, "openblas_get_num_threads")) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

int main(int argc, char** argv) {
  start_without_threads_of_blas(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // at a limit of files' sizes writing fails, as on a full disk, and is undone
  // rank 0 speaks; neither is deleted, since std::cout is flushed after main() has ended
  if (miniapp::launched_rank() > 0)
    std::cout.rdbuf(new Nothing);
  else if (!miniapp::is_launched() && shows_colours())  // a launcher passes on what it takes for a terminal's
    std::cout.rdbuf(new ColouredLines(*std::cout.rdbuf()));
  try {
    watch_signals();
    run_together({argv + 1, argv + argc});
    if (!std::cout.flush()) throw miniapp::ResultError("standard output: writing failed");
    return 0;
  } catch (const std::exception& error) {
    if (miniapp::launched_rank() == 0 && !is_told) tell(message(error));
    return dynamic_cast<const miniapp::InputError*>(&error) ? bad_input : wrong_result;
  }
}
