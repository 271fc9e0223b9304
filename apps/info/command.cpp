// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/device_text.hpp"
#include "apps/frontend/printer.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/network.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "report/machine.hpp"
#include "report/table.hpp"

namespace miniapp::apps {

namespace {

struct InfoArguments : OutputOptions {
  bool network = false;
};

/// The text that operator<< prints.
template <class Printable>
std::string text_of(const Printable& printable) {
  std::ostringstream out;
  out << printable;
  return out.str();
}

/// Which devices there are, and how one is chosen.
std::string describe_devices(const std::vector<std::string>& devices) {
  if (devices.empty())
    return has_one_thread
               ? "the processor, one thread; taskset -c 1 miniapp .. chooses a core"
               : "the processor; OMP_NUM_THREADS=8 OMP_PLACES=cores OMP_PROC_BIND=true miniapp .. chooses its threads";
  std::string text;
  for (std::size_t device = 0; device < devices.size(); ++device)
    text += fmt::format("{}: {}, ", device, devices[device]);
  return text + "chosen by --kokkos-device-id=N";
}

/// "Kokkos Kernels 3.4.1, METIS none, ..".
std::string describe_libraries() {
  const report::Json versions = report::library_versions();
  const auto version = [&](const char* key) { return versions[key].is_null() ? "none" : std::string(versions[key]); };
  return fmt::format("Kokkos Kernels {}, METIS {}, zlib {}, MPI {}, hypre {}", version("kokkos_kernels"),
                     version("metis"), version("zlib"), version("mpi"), version("hypre"));
}

const std::string messages = "messages between pairs of ranks, both ways";

/// Takes the cells of a row of measured rates.
using PrintRow = std::function<void(const std::string& what, const std::string& size, const std::string& rate)>;

/// Times of messages and sums between ranks.
void print_network(const PrintRow& print, report::Json& record, const Communicator& ranks) {
  const measure::Network network = measure::measure_network(ranks);
  for (const auto& [bytes, seconds] : network.messages) {
    print(messages, report::bytes(bytes),
          fmt::format("{}, {:.3g} GB/s per rank", report::seconds(seconds), 2e-9 * bytes / seconds));
    record["network"]["messages"].push_back({{"bytes", bytes}, {"seconds", seconds}});
  }
  print(fmt::format("sum over {} ranks", ranks.size()), report::bytes(8), report::seconds(network.sum));
  record["network"]["sum_s"] = network.sum;
}

void run_info(const InfoArguments& arguments, const std::string& command_line) {
  Printer printer("info", command_line, arguments);
  report::Json record = printer.base();
  const Communicator ranks = Communicator::world();
  const Platform p = platform();
  report::Page page("miniapp " + p.version);
  page.add("commit", p.commit);
  page.add("compiler", p.compiler + ", " + p.flags);
  page.add("Kokkos", p.kokkos_version);
  page.add("backends", fmt::format("{} (default first)", fmt::join(p.backends, ", ")));
  page.add("libraries", describe_libraries());
  page.add("device", describe_device(p));
  const std::vector<std::string> devices = device_names();
  page.add("devices", describe_devices(devices));
  page.add("device class", fmt::format("{}, by which tables of miniapp tune are kept", p.device_class));
  record["result"] = {{"device_class", p.device_class}, {"devices", devices}};
  page.add("free memory", report::bytes(static_cast<double>(available_memory())));
  page.add("MPI", ranks_are_possible ? "found: mpirun -n 4 miniapp .. runs on four ranks" : "none: one rank");
  page.add("orders built", fmt::format("{}", fmt::join(tensor::built_orders(), " ")));
  printer.print(text_of(page));

  const std::string of_ranks = ranks.is_alone() ? "" : ", " + describe_world(ranks, "");
  const double sharing = sharing_ranks(ranks);
  double done = 0;  // of the measurements
  const std::string copy = "copy, read + write" + of_ranks;
  const std::vector<std::size_t> widths{
      std::max(copy.size(), arguments.network ? messages.size() : 0), std::string("registers").size(),
      std::string(arguments.network ? "12.3 us, 0.123 GB/s per rank" : "12345.6 GFLOP/s").size()};
  const PrintRow print = [&](const std::string& what, const std::string& size, const std::string& rate) {
    printer.print(report::row_text({what, size, rate}, widths));
  };
  print("measured roof", "size", "rate");
  for (const double bytes : {1e6, 1e7, 1e8, 1e9}) {
    if (bytes * sharing > 0.9 * ranks.of_all(Reduction::min, static_cast<double>(available_memory()))) {
      print(copy, report::bytes(bytes), "no room");
      continue;
    }
    printer.progress("copies of " + report::bytes(bytes), done += 0.1);
    const double rate = measure::copy_bandwidth(bytes, ranks);
    print(copy, report::bytes(bytes), fmt::format("{:.1f} GB/s", rate * 1e-9));
    record["roofs"]["copy_gbytes"].push_back({{"bytes", bytes}, {"gbytes", rate * 1e-9}});
  }
  printer.progress("multiply-adds", 0.6);
  const double double_rate = measure::fma_rate(Precision::fp64, ranks) * 1e-9,
               single_rate = measure::fma_rate(Precision::fp32, ranks) * 1e-9;
  print("FMA, double" + of_ranks, "registers", fmt::format("{:.1f} GFLOP/s", double_rate));
  print("FMA, single" + of_ranks, "registers", fmt::format("{:.1f} GFLOP/s", single_rate));
  record["roofs"]["fma_gflops"] = double_rate;
  record["roofs"]["fma_single_gflops"] = single_rate;
  if (arguments.network) {
    printer.progress("messages", 0.8);
    print_network(print, record, ranks);
  }
  printer.add(record);
  printer.finish();
}

}  // namespace

Command add_info_command(Options& options) {
  const auto arguments = std::make_shared<InfoArguments>();
  options.group("Measurements")
      .flag("--network", arguments->network, "Measure messages and sums between ranks too, with mpirun");
  const auto run = options.group("Run");
  run.flag("--quiet", arguments->quiet, "Print no progress");
  run.optional("--json", arguments->json, "Append one record to this file").output();
  run.optional("--csv", arguments->csv, "Append the same to this table, dotted names of the record as columns")
      .output();
  return [arguments](const std::string& command_line) -> Work {
    require(!arguments->network || !Communicator::world().is_alone(), "--network", "",
            "one rank has no other; accepted with mpirun -n 2");
    return [arguments = *arguments, command_line] { return run_info(arguments, command_line); };
  };
}

}  // namespace miniapp::apps
