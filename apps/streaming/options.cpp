// SPDX-License-Identifier: BSD-3-Clause
#include "apps/streaming/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/frontend/checks.hpp"
#include "apps/frontend/memory.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::apps {
namespace {

/// "4k", "1G", "250e6": bytes.
double parse_bytes(const std::string& option, const std::string& text) {
  const InputError refusal(option, text, "accepted are bytes > 0, such as 4096, 64k, 1M, 1.5G");
  const double value = parse_amount(text, refusal);
  require(value > 0 && value <= 1e18, refusal);  // entries fit 64 bits
  return value;
}

/// What the ranks that share this memory take together, by what one takes [bytes].
double memory_together(double of_rank) { return of_rank * sharing_ranks(Communicator::world()); }

/// Sizes of vectors: enough of them, all of which fit.
void check_vectors(const StreamingArguments& a, const StreamingOptions& o, const streaming::Test& test) {
  const double entry = test.words * o.word();
  const double sizes = std::floor(o.max_bytes / entry) - std::ceil(o.min_bytes / entry) + 1;
  require(sizes >= 1, "--max-bytes", a.max_word,
          fmt::format("BS{} moves {:.0f} bytes per entry, no whole number of them from --min-bytes {} on; accepted is "
                      "a wider range",
                      test.number, entry, a.min_word));
  require(sizes >= o.samples, "--samples", o.samples,
          fmt::format("BS{} has {:.0f} sizes between {} and {}; accepted are at most as many", test.number, sizes,
                      a.min_word, a.max_word));
  require_available(memory_together(streaming::memory_need(test, 0, o)), available_memory(),
                    "--max-bytes " + a.max_word, fmt::format("BS{}", test.number));
}

/// Meshes: at least one, and a largest that indices can number and that fits.
void check_meshes(const StreamingArguments& a, const StreamingOptions& o, const streaming::Test& test, int order) {
  const auto sizes = streaming::mesh_sizes(test, order, o);
  require(!sizes.empty(), "--max-bytes", a.max_word,
          fmt::format("fewer than BS{} of order {} moves on 2 x 2 x 2 elements; accepted are more bytes", test.number,
                      order));
  const double local = streaming::local_nodes(sizes.back(), order), most = std::numeric_limits<std::int32_t>::max();
  require(local <= most, "--cells", a.box,
          fmt::format("{:.0f} local nodes of order {}; accepted are up to {:.0f}", local, order, most));
  const std::string option = !o.mesh.empty()  ? "--cells " + a.box
                             : o.elements > 0 ? fmt::format("--elements {}", o.elements)
                                              : "--max-bytes " + a.max_word;
  require_available(memory_together(streaming::memory_need(test, order, o)), available_memory(), option,
                    fmt::format("BS{} of order {} on {} elements", test.number, order, fmt::join(sizes.back(), " x ")));
}

/// A picture has lines over sizes.
void check_plot(const StreamingOptions& o) {
  const auto has_line = [&](int number) {
    const streaming::Test& test = streaming::find_test(number);
    if (!test.on_mesh()) return number > 0 && o.samples > 1;
    return std::any_of(o.orders.begin(), o.orders.end(),
                       [&](int order) { return streaming::mesh_sizes(test, order, o).size() > 1; });
  };
  require(o.plot.empty() || std::any_of(o.tests.begin(), o.tests.end(), has_line), "--plot", o.plot,
          "draws lines over sizes, and nothing here has two; accepted are BS1 to BS8 with more --samples or cubes of "
          "elements");
}

}  // namespace

void add_options(Options& options, StreamingArguments& a) {
  StreamingOptions& o = a.direct;
  const auto what = options.group("Operations");
  what.optional(
      "--bs", a.bs,
      "BS1 copy, 2 axpby, 3 norm, 4 dot, 5 CG update, 6 gather, 7 scatter, 0 empty launch, 8 gather of a scatter: "
      "1,5,7 or 1..7 [1..7]");
  what.add("--precision", o.precision, "double or single");

  const auto vectors = options.group("Sizes of BS1..BS5");
  vectors.add("--min-bytes", a.min_word, "Fewest bytes that a test moves: 4096, 64k, 1M, 1.5G");
  vectors.optional("--max-bytes", a.max_word, "Most bytes that a test moves, on meshes too [1G; 250M on hosts]");
  vectors.optional("--samples", o.samples,
                   "Sizes between them, each larger than the last by a constant factor, 1..100000 [100; 60 on hosts]",
                   {[](double value) { return value > 0 && value <= 100000; }, "whole numbers from 1 to 100000"});

  const auto meshes = options.group("Meshes of BS6..BS8");
  meshes.optional("--order", a.order, "Polynomial orders, 1..15: 1,3,7 or 1..7 [7]");
  meshes.optional("--cells", a.box, "One box XxYxZ, or K for KxKxK, instead of cubes of side 2, 3, ..");
  meshes.optional("--elements", o.elements, "Most elements of the cubes: 4096, 64k [what --max-bytes allows]",
                  {[](double value) { return value >= 8; }, "whole numbers >= 8, the smallest cube"});
  meshes.add("--boundary", o.mask, "neumann, or dirichlet: nodes on the surface are masked");
  meshes
      .add("--indexing", a.indexing,
           "Indices of Z: nodes, as in the paper; compact, one index per row of nodes; auto: the faster")
      .of({"auto", "nodes", "compact"});
  meshes.add("--numbering", o.numbering, "How global nodes are numbered: lines, first-touch, random");

  const auto run = options.group("Run");
  run.optional("--repeat", o.repeat, "Timed repetitions [5; fewer where they take 0.05 s]", positive_whole);
  run.energy(o.energy);
  run.optional(
      "--iterations", o.iterations,
      "Runs per repetition, between two readings of the clock [20; without --repeat fewer where they take 0.05 s]",
      positive_whole);
  run.flag("--verify-only", o.verify_only, "Stop after the comparison with the reference");
  run.output(o, "one record per operation (and order)");
}

StreamingOptions check(const StreamingArguments& a, const Options& options) {
  StreamingOptions o = a.direct;
  o.ranks = Communicator::world();
  require(!options.given_in_file("--repeat") || options.given("--iterations"), "--repeat", "",
          "counts repetitions, of --iterations runs each; in files of older versions it counted these runs; accepted "
          "is a file that has both");
  if (!a.bs.empty()) o.tests = parse_list("--bs", a.bs, 0, 8);
  if (!a.order.empty()) o.orders = parse_list("--order", a.order, 1, 15);
  o.min_bytes = parse_bytes("--min-bytes", a.min_word);
  o.max_bytes = parse_bytes("--max-bytes", a.max_word);
  require(o.min_bytes <= o.max_bytes, "--min-bytes", a.min_word,
          fmt::format("accepted are at most the {} of --max-bytes", a.max_word));
  if (!a.box.empty()) {
    options.refuse({"--elements"}, "contradicts --cells; accepted is one of them");
    const std::array<int, 3> sides = parse_box("--cells", a.box);
    o.mesh.assign(sides.begin(), sides.end());
  }
  if (const auto indexing =
          choose_optional<streaming::Indexing>("--indexing", a.indexing, {"auto", "nodes", "compact"}))
    o.scatter_layout = o.gather_layout = *indexing;
  for (const int number : o.tests) {
    const streaming::Test& test = streaming::find_test(number);
    if (test.on_mesh()) {
      for (const int order : o.orders) check_meshes(a, o, test, order);
    } else if (number > 0) {
      check_vectors(a, o, test);
    }
  }
  check_plot(o);
  return o;
}

}  // namespace miniapp::apps
