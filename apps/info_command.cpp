// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "commands.hpp"
#include "device_text.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "report/record.hpp"
#include "report/table.hpp"

namespace miniapp::apps {

namespace {

void run_info(const std::string& json, const std::string& command_line) {
  const report::RecordFile file(json);
  const Platform p = platform();
  report::Page page("miniapp " + p.version);
  page.add("commit", p.commit);
  page.add("compiler", p.compiler + ", " + p.flags);
  page.add("Kokkos", p.kokkos_version);
  page.add("backends", fmt::format("{} (default first)", fmt::join(p.backends, ", ")));
  page.add("device", describe_device(p));
  page.add("free memory", report::bytes(static_cast<double>(available_memory())));
  page.add("MPI", ranks_are_possible ? "found: mpirun -n 4 miniapp .. runs on four ranks" : "none: one rank");
  page.add("orders built", fmt::format("{}", fmt::join(tensor::built_orders(), " ")));
  std::cout << page << std::flush;

  report::Json record = report::make_record("info", command_line);
  report::Table table({"measured roof", "size", "rate"});
  for (const double bytes : {1e6, 1e7, 1e8, 1e9}) {
    if (bytes > 0.9 * static_cast<double>(available_memory())) {
      table.add({"copy, read + write", report::bytes(bytes), "no room"});
      continue;
    }
    const double rate = measure::copy_bandwidth(bytes);
    table.add({"copy, read + write", report::bytes(bytes), fmt::format("{:.1f} GB/s", rate * 1e-9)});
    record["roofs"]["copy_gbytes"].push_back({{"bytes", bytes}, {"gbytes", rate * 1e-9}});
  }
  const double double_rate = measure::fma_rate<double>() * 1e-9, single_rate = measure::fma_rate<float>() * 1e-9;
  table.add({"FMA, double", "registers", fmt::format("{:.1f} GFLOP/s", double_rate)});
  table.add({"FMA, single", "registers", fmt::format("{:.1f} GFLOP/s", single_rate)});
  record["roofs"]["fma_gflops"] = double_rate;
  record["roofs"]["fma_single_gflops"] = single_rate;
  std::cout << table;
  file.append(record);
}

}  // namespace

Command add_info_command(Options& options) {
  const auto json = std::make_shared<std::string>();
  options.group("Options").file("--json", *json, "Append one record to this file");
  return [json](const std::string& command_line) -> Work {
    return [json = *json, command_line] { return run_info(json, command_line); };
  };
}

}  // namespace miniapp::apps
