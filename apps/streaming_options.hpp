// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/space/space.hpp"
#include "miniapp/streaming/gather_scatter.hpp"
#include "options.hpp"

namespace miniapp::apps {

/// The arguments of the command line, as given.
struct StreamingArguments {
  std::vector<std::string> bs, order;
  std::string min_bytes = "1k", max_bytes = "1G", mesh, mask = "none", layout = "auto", numbering = "lines",
              precision = "double", json;
  int samples = 100, elements = 0, repeat = 20;
  bool quiet = false;
};

void add_options(Options& options, StreamingArguments& arguments);

/// How global nodes are numbered.
enum class NodeOrder {
  lines,        ///< along lines of nodes, space::make_space
  first_touch,  ///< in the order in which elements meet them
  random,
};
constexpr auto names(NodeOrder) { return std::array{"lines", "first-touch", "random"}; }

/// The same, checked and completed.
struct StreamingOptions {
  std::vector<int> tests, orders;
  double min_bytes, max_bytes;
  int samples, repeat;
  std::vector<int> mesh;  ///< sides of the only mesh; empty: cubes of growing side
  std::int64_t elements;  ///< most of a cube; 0: as many as max_bytes allows
  space::Boundary mask;
  streaming::Indexing scatter_layout, gather_layout;
  NodeOrder numbering;
  Precision precision;
  bool quiet;
  std::string json;
  int word() const { return word_bytes(precision); }
};

/// The operations of the suite. BS0 and BS8 are extras.
struct StreamingTest {
  int number;
  const char* name;
  int words;    ///< per entry, as the paper counts; 0 for BS0 and what works on meshes
  int vectors;  ///< that it works on
  bool on_mesh() const { return number >= 6; }
};
const StreamingTest& streaming_test(int number);

/// Bytes that the paper counts for a test on `local` and `global` nodes: values, one index per local node, and where it
/// gathers one row start per global node (its listings 4 and 5).
double model_bytes(const StreamingTest& test, double local, double global, int word);

/// Numbers of entries for test and options, ascending.
std::vector<std::size_t> vector_sizes(const StreamingTest& test, const StreamingOptions& options);
/// Meshes (nx, ny, nz) for test, order and options, ascending.
std::vector<std::vector<int>> mesh_sizes(const StreamingTest& test, int order, const StreamingOptions& options);

/// Checks every argument, and the memory that the largest sizes need. Errors: InputError naming the option, its value
/// and what is accepted.
StreamingOptions check(const StreamingArguments& arguments, const Options& options);

}  // namespace miniapp::apps
