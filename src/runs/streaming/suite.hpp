// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "miniapp/core/device.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/streaming/gather_scatter.hpp"

/// The suite of streaming operations: which there are, on which sizes they run, and what the paper counts of them.
namespace miniapp::streaming {

using miniapp::name;

/// How global nodes are numbered.
enum class NodeOrder {
  lines,        ///< along lines of nodes, space::make_space
  first_touch,  ///< in the order in which elements first visit them
  random,
};
constexpr auto names(NodeOrder) { return std::array{"lines", "first-touch", "random"}; }

/// Timed repetitions, and runs of each, where their numbers are not given and they do not take long.
inline constexpr int usual_repetitions = 5, usual_iterations = 20;

/// What the tests of the suite are run on, and how often.
struct SuiteSettings {
  double min_bytes = 1e3, max_bytes = 1e9;  ///< bytes that a test moves at the fewest and at the most entries
  int samples = runs_on_host ? 60 : 100;    ///< sizes of vectors between them
  int repeat = 0;                           ///< timed repetitions; 0: the usual ones, fewer where they take long
  int iterations = 0;                       ///< runs per repetition; 0: likewise, where repeat is 0 too
  bool energy = false;                      ///< whether that of the largest size is measured
  bool verify_only = false;                 ///< no timing
  std::vector<int> mesh;                    ///< sides of the only mesh; empty: cubes of growing side
  int elements = 0;                         ///< most of a cube; 0: as many as max_bytes allows
  miniapp::space::Boundary mask = miniapp::space::Boundary::neumann;
  Indexing scatter_layout = scatter_indexing, gather_layout = gather_indexing;
  NodeOrder numbering = NodeOrder::lines;
  Precision precision = Precision::fp64;
  Communicator ranks = {};  ///< each works on vectors and meshes of its own
  int word() const { return word_bytes(precision); }
};

/// The operations of the suite. BS0 and BS8 are extras.
struct Test {
  int number;
  const char* name;
  int words;    ///< words per entry, as the paper counts; 0 for BS0 and what works on meshes
  int vectors;  ///< number of vectors that it works on
  bool on_mesh() const { return number >= 6; }
};
const Test& find_test(int number);

/// Bytes that the paper counts for a test on `local` and `global` nodes: values, one index per local node, and where it
/// gathers one row start per global node (its listings 4 and 5).
double model_bytes(const Test& test, double local, double global, int word);

/// Numbers of entries for a test, ascending.
std::vector<std::size_t> vector_sizes(const Test& test, const SuiteSettings& settings);
/// Meshes (nx, ny, nz) for a test and an order, ascending.
std::vector<std::vector<int>> mesh_sizes(const Test& test, int order, const SuiteSettings& settings);

/// Local and global nodes of a box of so many elements.
double local_nodes(const std::vector<int>& sides, int order);
double global_nodes(const std::vector<int>& sides, int order);

/// Memory at the largest size of a test, of an order where it works on meshes [bytes]: on the device vectors, and on
/// the host, while they are made and checked, Z, Z^T in 64 bits and expected results.
double memory_need(const Test& test, int order, const SuiteSettings& settings);

}  // namespace miniapp::streaming
