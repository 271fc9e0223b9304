// SPDX-License-Identifier: BSD-3-Clause
/// Heat conduction between the cells of a mesh: an explicit step adds to each cell the flux through its edges.
#include <cmath>
#include <iostream>
#include <miniapp/core/error.hpp>
#include <miniapp/core/session.hpp>
#include <miniapp/graph/reorder.hpp>
#include <miniapp/graph/transpose.hpp>
#include <miniapp/indirect/loop.hpp>
#include <miniapp/mesh/generate_2d.hpp>
#include <miniapp/mesh/interfaces.hpp>

using namespace miniapp;
using namespace miniapp::indirect;

/// The flux through one edge, from its conductance and the temperatures of its two cells.
struct Flux {
  KOKKOS_FUNCTION void operator()(const double (&k)[1], const double (&u)[2][1], double (&f)[1]) const {
    f[0] = k[0] * (u[1][0] - u[0][0]);  // the first cell gains what the second loses
  }
};

int main(int argc, char** argv) try {
  const Session session(argc, argv);  // initialises Kokkos, and finalises it at the end of this block
  const mesh::Mesh mesh = mesh::make_o_grid(200, 100);
  const Map edges = mesh::find_interfaces(mesh).to_cell;
  const std::size_t cells = mesh.num_elements();

  // Compact blocks of 128 cells: from here on, cell c of the mesh has number order.to[c].
  const graph::Ordering order = graph::make_owner_ordering(edges, cells, graph::Reorder::blocks, 128);
  const ElementMap<2> edge_to_cell("edge to cell", graph::permute(edges, order.from.entries, order.to), cells);
  std::vector<double> hot(cells, 0.0);
  hot[order.to[0]] = 1;
  const Field<double, 1> conductance("conductance", std::vector<double>(edge_to_cell.from_size(), 0.2));
  const Field<double, 1> u("u", hot), gain("gain", cells);

  const Plan<2> plan(edge_to_cell, {Strategy::owner, 128});
  const Loop diffusion("diffusion", plan, Flux{}, direct(conductance), read(u), exchange(gain));
  const auto to = u.pointer();
  const auto from = gain.const_pointer();
  for (int step = 0; step < 100; ++step) {
    gain.fill(0);
    diffusion();
    Kokkos::parallel_for(
        "add", cells, KOKKOS_LAMBDA(std::size_t c) { to(c, 0) += from(c, 0); });
  }

  double heat = 0;
  for (const double value : u.to_vector()) heat += value;
  std::cout << "heat " << heat << " in " << cells << " cells, " << u.to_vector()[order.to[0]] << " in the first\n";
  return std::fabs(heat - 1) < 1e-12 ? 0 : 1;
} catch (const InputError& error) {  // such as a map with an index out of range
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 2;
} catch (const ResultError& error) {  // such as a missing device
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}
