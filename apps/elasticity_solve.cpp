// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity_solve.hpp"

#include <fmt/format.h>

#include <iostream>

#include "beam_report.hpp"
#include "interrupt.hpp"
#include "miniapp/core/error.hpp"
#include "progress.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

using elasticity::Method;

/// The matrix is the same whatever computes it: `auto` takes what is fast on hosts and GPUs alike.
std::vector<Method> methods_for(const ElasticityOptions& o, int order) {
  if (!o.automatic) return o.methods;
  for (const Method method : {order < 3 ? Method::products : Method::split, Method::products})
    if (elasticity::why_not(method, order).empty()) return {method};
  return {Method::reg_jac};
}

}  // namespace

int solve_cantilevers(const ElasticityOptions& o, const std::string& command_line) {
  const report::RecordFile file(o.json);
  const report::Json base = report::make_record("elasticity", command_line);
  report::Table table(beam_columns());
  std::vector<std::pair<int, Method>> runs;
  for (const int order : o.orders)
    for (const Method method : methods_for(o, order))
      if (elasticity::why_not(method, order).empty()) runs.emplace_back(order, method);
  Progress progress(runs.size(), o.quiet);
  std::string wrong;
  std::size_t done = 0;
  const auto print = [&] { std::cout << beam_heading(o, base["device"]) << table; };
  PrintedOnSignal rows([&] {
    if (done > 0) print();
    return done > 0;
  });
  for (const auto& [order, method] : runs) {
    progress.next(fmt::format("order {}, {}", order, elasticity::name(method)));
    const BeamResult s =
        o.precision == Precision::fp64 ? run_beam<double>(o, order, method) : run_beam<float>(o, order, method);
    const auto held = hold_rows();
    file.append(to_record(base, o, s));
    table.add(beam_row(s));
    ++done;
    if (wrong.empty()) wrong = what_was_wrong(o, s);
  }
  progress.clear();
  rows.release();
  print();
  if (!wrong.empty()) throw ResultError(wrong);
  return 0;
}

}  // namespace miniapp::apps
