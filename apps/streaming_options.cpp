// SPDX-License-Identifier: BSD-3-Clause
#include "streaming_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "checks.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/mesh/generate.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

/// "4k", "1G", "250e6": bytes.
double parse_bytes(const std::string& option, const std::string& text) {
  const std::string accepted = fmt::format("{} {}: accepted are bytes > 0, such as 4096, 64k, 1M, 1.5G", option, text);
  const double value = parse_amount(text, accepted);
  require(value > 0 && value <= 1e18, accepted);  // entries fit 64 bits
  return value;
}

/// Bytes on the device, and on the host while they are made and checked: vectors; Z, Z^T in 64 bits; expected results.
double needed_memory(const streaming::Test& test, double local, double global, int word) {
  const double vectors = (local + global) * word * (test.number == 8 ? 2 : 1);
  return vectors + 32 * local + 24 * global;
}

void require_memory(const StreamingArguments& a, const StreamingOptions& o) {
  const auto available = static_cast<double>(available_memory());
  if (available == 0) return;
  const std::string bytes = "--max-bytes " + a.max_bytes, meshes = !a.mesh.empty() ? "--mesh " + a.mesh
                                                                   : a.elements > 0
                                                                       ? fmt::format("--elements {}", a.elements)
                                                                       : bytes;
  const auto require_free = [&](double needed, const std::string& option, const std::string& what) {
    require(needed <= available, fmt::format("{}: {} needs about {}, {} are free; accepted is less", option, what,
                                             report::bytes(needed), report::bytes(available)));
  };
  for (const int number : o.tests) {
    const streaming::Test& test = streaming::find_test(number);
    if (test.on_mesh()) {
      for (const int order : o.orders) {
        const std::vector<int> sides = streaming::mesh_sizes(test, order, o).back();
        require_free(
            needed_memory(test, streaming::local_nodes(sides, order), streaming::global_nodes(sides, order), o.word()),
            meshes, fmt::format("BS{} of order {} on {} elements", number, order, fmt::join(sides, " x ")));
      }
    } else if (number > 0) {
      const double entries = o.max_bytes / (test.words * o.word());
      require_free(entries * o.word() * (test.vectors + (runs_on_host ? 3 : 0)), bytes, fmt::format("BS{}", number));
    }
  }
}

}  // namespace

void add_options(Options& options, StreamingArguments& a) {
  const auto what = options.group("Operations");
  what.optional(
      "--bs", a.bs,
      "BS1 copy, 2 axpby, 3 norm, 4 dot, 5 CG update, 6 gather, 7 scatter, 0 empty launch, 8 gather of a scatter: "
      "1,5,7 or 1..7 [1..7]");
  what.add("--precision", a.precision, "double or single");
  what.add("--repeat", a.repeat, "Runs per timed series");

  const auto vectors = options.group("Sizes of BS1..BS5");
  vectors.add("--min-bytes", a.min_bytes, "Fewest bytes that a test moves: 4096, 64k, 1M, 1.5G");
  vectors.add("--max-bytes", a.max_bytes, "Most bytes that a test moves, on meshes too");
  vectors.add("--samples", a.samples, "Sizes between them, each a constant factor larger");

  const auto meshes = options.group("Meshes of BS6..BS8");
  meshes.optional("--order", a.order, "Polynomial orders: 1,3,7 or 1..7 [7]");
  meshes.optional("--mesh", a.mesh, "One box KxKxK, or K, instead of cubes of side 2, 3, ..");
  meshes.optional("--elements", a.elements, "Most elements of the cubes [what --max-bytes allows]");
  meshes.add("--mask", a.mask, "none, or dirichlet: nodes on the surface are masked");
  meshes.add("--layout", a.layout,
             "Indices of Z: nodes, as in the paper; compact, one index per row of nodes; auto: the faster");
  meshes.add("--numbering", a.numbering, "Global nodes: lines, first-touch, random");

  const auto run = options.group("Run");
  run.flag("--quiet", a.quiet, "Print no progress");
  run.file("--json", a.json, "Append one record per operation (and order) to this file");
}

StreamingOptions check(const StreamingArguments& a, const Options& options) {
  StreamingOptions o;
  o.tests = a.bs.empty() ? std::vector<int>{1, 2, 3, 4, 5, 6, 7} : parse_list("--bs", a.bs, 0, 8);
  o.orders = a.order.empty() ? std::vector<int>{7} : parse_list("--order", a.order, 1, 15);
  o.min_bytes = parse_bytes("--min-bytes", a.min_bytes);
  o.max_bytes = parse_bytes("--max-bytes", a.max_bytes);
  require(o.min_bytes <= o.max_bytes,
          fmt::format("--min-bytes {}: accepted are at most the {} of --max-bytes", a.min_bytes, a.max_bytes));
  require_number("--samples", a.samples, a.samples > 0 && a.samples <= 100000, "whole numbers from 1 to 100000");
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  require(!options.given("--elements") || a.elements >= 8,
          fmt::format("--elements {}: accepted are whole numbers >= 8, the smallest cube", a.elements));
  require(a.mesh.empty() || !options.given("--elements"), "--elements: contradicts --mesh; accepted is one of them");
  o.samples = a.samples;
  o.repeat = a.repeat;
  o.elements = a.elements;
  if (!a.mesh.empty()) o.mesh = parse_box("--mesh", a.mesh);
  o.mask = choose("--mask", a.mask, {"none", "dirichlet"}) == 1 ? space::Boundary::dirichlet : space::Boundary::neumann;
  const std::size_t layout = choose("--layout", a.layout, {"auto", "nodes", "compact"});
  const auto chosen = layout == 1 ? streaming::Indexing::nodes : streaming::Indexing::compact;
  o.scatter_layout = layout == 0 ? streaming::scatter_indexing : chosen;
  o.gather_layout = layout == 0 ? streaming::gather_indexing : chosen;
  o.numbering = choose<streaming::NodeOrder>("--numbering", a.numbering);
  o.precision = choose<Precision>("--precision", a.precision);
  o.quiet = a.quiet;
  o.json = a.json;

  for (const int number : o.tests) {
    const streaming::Test& test = streaming::find_test(number);
    if (test.on_mesh()) {
      for (const int order : o.orders) {
        const auto sizes = streaming::mesh_sizes(test, order, o);
        require(!sizes.empty(), fmt::format("--max-bytes {}: fewer than BS{} of order {} moves on 2 x 2 x 2 elements",
                                            a.max_bytes, number, order) +
                                    "; accepted are more bytes");
        const double local = streaming::local_nodes(sizes.back(), order),
                     most = std::numeric_limits<std::int32_t>::max();
        require(local <= most, fmt::format("--mesh {}: {:.0f} local nodes of order {}; accepted are up to {:.0f}",
                                           a.mesh, local, order, most));
      }
    } else if (number > 0) {
      const double entry = test.words * o.word();
      const double sizes = std::floor(o.max_bytes / entry) - std::ceil(o.min_bytes / entry) + 1;
      require(sizes >= 1, fmt::format("--max-bytes {}: BS{} moves {:.0f} bytes per entry, no whole number of them from "
                                      "--min-bytes {} on; accepted is a wider range",
                                      a.max_bytes, number, entry, a.min_bytes));
      require(sizes >= o.samples,
              fmt::format("--samples {}: BS{} has {:.0f} sizes between {} and {}; accepted are at most as many",
                          o.samples, number, sizes, a.min_bytes, a.max_bytes));
    }
  }
  require_memory(a, o);
  return o;
}

}  // namespace miniapp::apps
