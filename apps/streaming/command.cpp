// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/device_text.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/frontend/record_parts.hpp"
#include "apps/streaming/options.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/measure/roofs.hpp"
#include "runs/streaming/suite_run.hpp"

namespace miniapp::apps {
namespace {

/// null where it is not finite.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const measure::BandwidthModel& model) {
  return {{field::t0_s.key(), number(model.t0)},
          {field::wmax.key(), number(model.bandwidth * 1e-9)},
          {field::b80.key(), model.t0 > 0 ? number(model.bytes_at_80_percent()) : Json(nullptr)},
          {field::r_squared.key(), model.is_tested() ? number(model.r_squared) : Json(nullptr)},
          {"fits", model.is_tested() ? Json(model.fits()) : Json(nullptr)},
          {field::worst_residual.key(), number(model.worst)}};
}

Json make_case(const streaming::Test& test, int order, const StreamingOptions& o) {
  Json entry = {{field::bs.key(), test.number},
                {field::operation.key(), test.name},
                {"precision", name(o.precision)},
                {"repeat", o.repeat > 0 ? o.repeat : streaming::usual_repetitions},
                {"iterations", o.iterations > 0 ? o.iterations : streaming::usual_iterations},
                {"verify_only", o.verify_only}};
  if (test.on_mesh()) {
    entry[field::order.key()] = order;
    entry["mask"] = o.mask == space::Boundary::dirichlet ? "dirichlet" : "none";
    const std::string scatter = name(o.scatter_layout), gather = name(o.gather_layout);
    entry["layout"] = test.number == 6                        ? gather
                      : test.number == 7 || scatter == gather ? scatter
                                                              : scatter + " and " + gather;
    entry["numbering"] = name(o.numbering);
  } else {
    entry[field::order.key()] = nullptr;
    entry["samples"] = o.samples;
  }
  return entry;
}

/// The roof that rates are compared with, and where caches end.
struct Roof : measure::CopyRoof {
  explicit Roof(const StreamingOptions& o)
      : CopyRoof(o.verify_only ? CopyRoof{} : measure::copy_roof(o.max_bytes, o.ranks)),
        beyond_bytes(4 * measure::last_level_cache() * o.ranks.size()) {}
  double beyond_bytes;  ///< from these on no cache holds what an operation works on again and again
};

std::string test_name(int number, const std::string& name) { return fmt::format("BS{} {}", number, name); }

std::vector<report::Column> columns(const StreamingOptions& o) {
  using report::expected, report::positive;
  const bool on_meshes = std::any_of(o.tests.begin(), o.tests.end(),
                                     [](int number) { return streaming::find_test(number).on_mesh(); }),
             times = !o.verify_only, moves = times && o.tests != std::vector{0},  // BS0 moves nothing
      fits = moves && (o.samples > 1 || on_meshes);
  return {report::sized({"test", [](const Json& r) { return test_name(at(r, field::bs), at(r, field::operation)); }},
                        report::longest(
                            o.tests, [](int number) { return test_name(number, streaming::find_test(number).name); })),
          expected(field::order, on_meshes),
          {"sizes", [](const Json& r) { return std::to_string(at(r, field::sizes).size()); }},
          field::t0_s,
          expected(positive(field::wmax), fits),
          positive(field::wmax_beyond),  // vectors come first
          expected(field::b80, fits),
          expected(report::detail(field::r_squared), fits),
          report::detail(field::worst_residual),
          expected(positive(field::largest), moves),
          report::detail(positive(field::largest_moved)),
          expected(field::fraction_of_bound, moves),
          report::detail(positive(field::fraction_of_copy_roof)),
          report::detail(positive(field::largest_per_joule)),
          {"right", [](const Json& r) { return std::string(at(r, field::passed) ? "yes" : "WRONG"); }}};
}

std::string heading(const StreamingOptions& o, const Roof& roof) {
  const std::string what =
      fmt::format("Streaming operations, {} precision, {}{}\n", name(o.precision),
                  describe_world(o.ranks, ", sizes and rates of all, each on "), describe_device(platform()));
  if (o.verify_only) return what;
  return what + fmt::format(
                    "T(B) = T0 + B / Wmax over all sizes; \"beyond cache\": Wmax of sizes from {} on; B0.8 = 4 T0 "
                    "Wmax\ncopy roof {:.4g} GB/s at {}; \"moved\": bytes that are moved, indices as they are "
                    "stored;\nbound: these at the fastest of copying, reading and updating as many bytes, for the "
                    "largest size\n",
                    roof.beyond_bytes > 0 ? report::bytes(roof.beyond_bytes) : "unknown", roof.bandwidth * 1e-9,
                    report::bytes(roof.bytes));
}

/// The curve, its model, and rates at its end.
void put_times(Json& record, const Roof& roof, const measure::BandwidthModel& all, const streaming::SuiteResult& result,
               const Communicator& ranks) {
  std::vector<measure::Timing> large;
  for (const measure::Timing& timing : result.curve)
    if (roof.beyond_bytes > 0 && timing.bytes >= roof.beyond_bytes) large.push_back(timing);
  record["result"].update(to_json(all));
  if (all.bandwidth == 0) at(record, field::t0_s) = result.curve.back().seconds;
  Json& beyond_cache = at(record, field::beyond_cache) = to_json(measure::fit(large));
  beyond_cache["from_bytes"] = roof.beyond_bytes;
  beyond_cache["sizes"] = large.size();
  for (const measure::Timing& timing : result.curve)
    record["result"]["curve"].push_back({timing.bytes, timing.seconds});
  for (const measure::Sample& times : result.times) {
    record["result"]["repetitions"].push_back(times.repetitions);
    record["result"]["times"].push_back(report::to_json(times));
  }
  const double seconds = result.curve.back().seconds, moved = result.moved.back() / seconds;
  at(record, field::largest) = result.curve.back().bytes / seconds * 1e-9;
  at(record, field::largest_moved) = moved * 1e-9;
  if (const double joules = result.times.back().joules; joules > 0)
    at(record, field::largest_per_joule) = result.curve.back().bytes / joules * 1e-9;
  at(record, field::copy_gbytes) = roof.bandwidth * 1e-9;
  at(record, field::fraction_of_copy_roof) = moved / roof.bandwidth;
  if (result.moved.back() == 0) return;  // an empty launch
  const double of_rank = std::min(result.moved.back() / ranks.size(), measure::most_copied());
  put_bound(record, {result.moved.back(), 0, 0}, {measure::memory_rate(of_rank, ranks), 0, 0}, seconds);
}

/// `bad_fits`: gets what does not follow the model.
void add(Printer& printer, const StreamingOptions& o, const Roof& roof, const streaming::Test& test, int order,
         const streaming::SuiteResult& result, std::vector<std::string>& bad_fits) {
  Json record = printer.base();
  record["case"] = make_case(test, order, o);
  record["verification"] = verification("obvious loops on the host, sums in extended precision", result.error);
  record["result"]["moved_bytes"] = result.moved;
  at(record, field::sizes) = result.entries;
  const std::string wrong = why_wrong(fmt::format("BS{}", test.number), "reference", result.error);
  if (o.verify_only) return printer.add(record, wrong);
  const measure::BandwidthModel all = measure::fit(result.curve);
  put_times(record, roof, all, result, o.ranks);
  printer.add(record, wrong);
  if (all.bandwidth > 0 && all.is_tested() && !all.fits())
    bad_fits.push_back(fmt::format("BS{}{} (R^2 {:.2g})", test.number,
                                   order > 0 ? fmt::format(" of order {}", order) : "", all.r_squared));
}

void run_streaming(const StreamingOptions& o, const std::string& command_line, const Options&) {
  Printer printer("streaming", command_line, o);
  const Roof roof(o);
  printer.begin({{heading(o, roof), columns(o)}});
  std::vector<int> on_meshes;
  std::vector<std::string> bad_fits;
  const auto of_vectors =
      std::count_if(o.tests.begin(), o.tests.end(), [](int number) { return !streaming::find_test(number).on_mesh(); });
  const bool has_meshes = of_vectors < static_cast<std::ptrdiff_t>(o.tests.size());
  printer.expect(static_cast<std::size_t>(of_vectors) + (has_meshes ? o.orders.size() : 0));
  for (const int number : o.tests) {
    const streaming::Test& test = streaming::find_test(number);
    if (test.on_mesh()) {
      on_meshes.push_back(number);
    } else {
      printer.next(fmt::format("BS{}", number));
      add(printer, o, roof, test, 0,
          streaming::run_on_vectors(test, o,
                                    [&](std::size_t done, std::size_t all) {
                                      printer.progress(fmt::format("BS{}: size {} of {}", number, done + 1, all),
                                                       double(done) / double(all));
                                    }),
          bad_fits);
    }
  }
  for (const int order : on_meshes.empty() ? std::vector<int>() : o.orders) {
    printer.next(fmt::format("BS{} of order {}", fmt::join(on_meshes, ", "), order));
    const auto results = streaming::run_on_meshes(on_meshes, order, o, [&](std::size_t done, std::size_t all) {
      printer.progress(fmt::format("BS{} of order {}: size {} of {}", fmt::join(on_meshes, ", "), order, done + 1, all),
                       double(done) / double(all));
    });
    for (std::size_t t = 0; t < results.size(); ++t)
      add(printer, o, roof, streaming::find_test(on_meshes[t]), order, results[t], bad_fits);
  }
  if (!bad_fits.empty())
    printer.note(fmt::format(
        "{}: times do not follow T0 + B / Wmax, as where caches serve small sizes. Go by \"beyond cache\" and by the "
        "largest size",
        fmt::join(bad_fits, ", ")));
  printer.end();
  printer.finish();
}

}  // namespace

Command add_streaming_command(Options& options) { return make_command<StreamingArguments>(options, run_streaming); }

}  // namespace miniapp::apps
