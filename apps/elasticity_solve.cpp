// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity_solve.hpp"

#include <fmt/format.h>

#include "beam_report.hpp"

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

void solve_cantilevers(const ElasticityOptions& o, Printer& printer) {
  printer.begin({{beam_heading(o, printer.base()["device"]), beam_columns()}});
  std::vector<std::pair<int, Method>> runs;
  for (const int order : o.orders)
    for (const Method method : methods_for(o, order))
      if (elasticity::why_not(method, order).empty()) runs.emplace_back(order, method);
  printer.expect(runs.size());
  for (const auto& [order, method] : runs) {
    printer.next(fmt::format("order {}, {}", order, elasticity::name(method)));
    const BeamResult s =
        o.precision == Precision::fp64 ? run_beam<double>(o, order, method) : run_beam<float>(o, order, method);
    printer.add(to_record(printer.base(), o, s), what_was_wrong(o, s));
  }
}

}  // namespace miniapp::apps
