// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "miniapp/indirect/loop.hpp"
#include "miniapp/indirect/loops/corner_acceleration.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/all_close.hpp"
#include "support/corners.hpp"
#include "support/lagrangian.hpp"
#include "support/riemann.hpp"

using indirect::Strategy;
using mesh::CellKind;

namespace {

/// Sod's tube on n x 2 rectangles of unequal height, shuffled, their first corners anywhere; masses and forces summed
/// by the loop.
class SodTube {
 public:
  static constexpr double membrane = 0.5;
  LagrangianGas<2> gas;

  SodTube(int n, Strategy strategy)
      : gas(make_mesh(n), 1.4, corner_normals),
        plan_(indirect::ElementMap<4>("element to node", gas.cells, gas.x.size() / 2), {strategy}),
        mass_("corner mass", gas.cells.size()),
        force_x_("corner force x", gas.cells.size()),
        force_y_("corner force y", gas.cells.size()),
        node_mass_("node mass", gas.x.size() / 2),
        node_force_("node force", gas.x.size() / 2) {
    std::vector<double> masses;
    for (std::size_t cell = 0; cell < gas.cells.size(); ++cell) {
      Four x;
      gas.gather(cell, gas.x, x);
      const bool left = (x[0][0] + x[1][0] + x[2][0] + x[3][0]) / 4 < membrane;
      for (int k = 0; k < 4; ++k) {
        masses.push_back((left ? 1 : 0.125) * median_area(x, k));
        gas.mass[cell] += masses.back();
      }
      gas.e[cell] = (left ? 1 / 1. : 0.1 / 0.125) / (gas.gamma - 1);
    }
    mass_.assign(masses);
    sum();
    gas.node_mass = node_mass_.to_vector();
  }

  void run(double end) {
    for (gas.next_step = 0.1 / gas.cells.size(); (gas.time) < end;)  // nvcc 13 reads "time <" as a template
      gas.step(std::min(gas.next_step, end - gas.time), [&](const auto&) { return acceleration(); });
  }

  /// Mean over the tube of |rho - exact rho| with exact values at the cells' centres [kg/m^3].
  double density_error() const {
    double error = 0, total = 0;
    for (std::size_t cell = 0; cell < gas.cells.size(); ++cell) {
      Four x;
      gas.gather(cell, gas.x, x);
      const double centre = (x[0][0] + x[1][0] + x[2][0] + x[3][0]) / 4, volume = gas.volume(cell);
      const double rho = exact_gas({1, 0, 1}, {0.125, 0, 0.1}, (centre - membrane) / gas.time).rho;
      error += volume * std::fabs(gas.mass[cell] / volume - rho);
      total += volume;
    }
    return error / total;
  }

 private:
  static mesh::Mesh make_mesh(int n) {
    mesh::Mesh mesh = mesh::shuffle(mesh::make_rectangle(CellKind::quadrilateral, n, 2), 1);
    for (mesh::Point& x : mesh.vertices) x[1] = (x[1] == 0.5 ? 0.8 : 2 * x[1]) / n;
    for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
      Index* v = mesh.element_to_vertex[e];
      std::rotate(v, v + e % 4, v + 4);
    }
    return mesh;
  }
  void sum() {
    node_mass_.fill(0);
    node_force_.fill(0);
    indirect::Loop("test/corners", plan_, indirect::loops::CornerAcceleration{}, indirect::direct(mass_),
                   indirect::direct(force_x_), indirect::direct(force_y_), indirect::increment(node_mass_),
                   indirect::increment(node_force_))();
  }
  std::vector<double> acceleration() {
    std::vector<double> x, y;
    for (std::size_t corner = 0; corner < gas.cells.entries.size(); ++corner) {
      x.push_back(gas.pressure[corner / 4] * gas.areas[corner / 4].b[corner % 4][0]);
      y.push_back(gas.pressure[corner / 4] * gas.areas[corner / 4].b[corner % 4][1]);
    }
    force_x_.assign(x);
    force_y_.assign(y);
    sum();
    std::vector<double> a = node_force_.to_vector();
    const std::vector<double> masses = node_mass_.to_vector();
    for (std::size_t i = 0; i < a.size(); ++i) a[i] /= masses[i / 2];
    return a;
  }

  indirect::Plan<4> plan_;
  Field<double, 4> mass_, force_x_, force_y_;
  Field<double, 1> node_mass_;
  Field<double, 2> node_force_;
};

}  // namespace

TEST_CASE("Sod's tube conserves energy and momentum to rounding", "[indirect][corner-acceleration]") {
  SodTube tube(50, GENERATE(Strategy::owner, Strategy::hierarchical));
  const LagrangianGas<2>& gas = tube.gas;
  const double energy = gas.energy(), height = 2. / 50;

  tube.run(0.1);  // the waves have not reached the ends, whose impulse is pressure times time

  double momentum[2] = {};
  for (std::size_t i = 0; i < gas.v.size(); ++i) momentum[i % 2] += gas.node_mass[i / 2] * gas.v[i];
  CHECK(energy == close<double>(height * 0.5 * (1 + 0.1) / 0.4, 100));
  CHECK(gas.energy() == close<double>(energy, 1000));
  CHECK(momentum[0] == close<double>((1 - 0.1) * height * gas.time, 1000));
  for (int d = 0; d < 2; ++d) CHECK(momentum[d] == close<double>(-gas.wall_impulse[d], 1000, momentum[0]));
}

TEST_CASE("Sod's tube approaches the exact solution as the mesh is refined", "[indirect][corner-acceleration]") {
  double last = 1;
  for (const int n : {50, 100, 200}) {
    SodTube tube(n, Strategy::owner);
    tube.run(0.2);
    const double error = tube.density_error();
    CHECK(error < 0.7 * last);
    last = error;
  }
  CHECK(last < 0.004);
}
