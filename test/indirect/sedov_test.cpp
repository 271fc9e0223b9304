// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "miniapp/indirect/loop.hpp"
#include "miniapp/indirect/loops/hydro_stress.hpp"
#include "miniapp/mesh/generate.hpp"
#include "support/all_close.hpp"
#include "support/lagrangian.hpp"
#include "support/sedov.hpp"

using indirect::Strategy;

namespace {

using Eight = double[8][3];

/// An octant of Sedov's blast with energy 1 in its corner, in the unit cube of n^3 elements, whose local directions are
/// turned at random; density 1. Forces by the loop over hexahedra.
class Blast {
 public:
  LagrangianGas<3> gas;

  Blast(int n, Strategy strategy)
      : gas(make_mesh(n), 1.4, area_vectors),
        plan_(indirect::ElementMap<8>("element to node", gas.cells, gas.x.size() / 3), {strategy}),
        sigma_("sigma", gas.cells.size()),
        x_("x", gas.x.size() / 3),
        force_("force", gas.x.size() / 3) {
    gas.node_mass.resize(gas.x.size() / 3);
    for (std::size_t cell = 0; cell < gas.cells.size(); ++cell) {
      gas.mass[cell] = gas.volume(cell);
      for (int k = 0; k < 8; ++k) gas.node_mass[gas.cells[cell][k]] += gas.mass[cell] / 8;
    }
    gas.e[0] = 1 / gas.mass[0];
    gas.next_step = 1e-4;
  }

  void run(double end) {
    const indirect::Loop loop("test/stress", plan_, indirect::loops::HydroStress{}, indirect::direct(sigma_),
                              indirect::read(x_), indirect::increment(force_));
    const auto acceleration = [&](const LagrangianGas<3>& now) {
      std::vector<double> sigma;
      for (const double p : now.pressure) sigma.insert(sigma.end(), 3, -p);
      sigma_.assign(sigma);
      x_.assign(now.x);
      force_.fill(0);
      loop();
      std::vector<double> a = force_.to_vector();
      for (std::size_t i = 0; i < a.size(); ++i) a[i] /= now.node_mass[i / 3];
      return a;
    };
    while (gas.time < end) gas.step(std::min(gas.next_step, end - gas.time), acceleration);
  }

 private:
  static mesh::Mesh make_mesh(int n) {
    mesh::Mesh mesh = mesh::make_box(n, n, n);
    mesh::rotate_elements(mesh, 1);
    return mesh;
  }
  static void area_vectors(const Eight& x, Eight& b) { indirect::loops::HydroStress{}({-1., -1., -1.}, x, b); }

  indirect::Plan<8> plan_;
  Field<double, 3> sigma_, x_, force_;
};

struct Front {
  double densest, half;  ///< radii of the densest shell, and ahead of it where density has fallen half-way to 1 [m]
};

/// Finds the front by mean densities of shells of this thickness [m].
Front find_front(const LagrangianGas<3>& gas, double thickness) {
  struct Shell {
    double mass = 0, volume = 1e-30, moment = 0;
    double density() const { return mass / volume; }
    double radius() const { return moment / mass; }
  };
  std::array<Shell, 64> shells;
  for (std::size_t cell = 0; cell < gas.cells.size(); ++cell) {
    Eight x;
    gas.gather(cell, gas.x, x);
    double centre[3] = {};
    for (int k = 0; k < 8; ++k)
      for (int d = 0; d < 3; ++d) centre[d] += x[k][d] / 8;
    const double r = std::hypot(centre[0], centre[1], centre[2]);
    Shell& shell = shells.at(int(r / thickness));
    shell.mass += gas.mass[cell];
    shell.volume += gas.volume(cell);
    shell.moment += r * gas.mass[cell];
  }
  const auto least = [](const Shell& a, const Shell& b) { return a.density() < b.density(); };
  const Shell* s = std::max_element(shells.begin(), shells.end(), least);
  const double densest = s->radius(), half = (1 + s->density()) / 2;
  while (s[1].density() > half) ++s;
  const double part = (s->density() - half) / (s->density() - s[1].density());
  return {densest, s->radius() + part * (s[1].radius() - s->radius())};
}

}  // namespace

TEST_CASE("The similarity solution of a blast has the published energy and the mass that the shock has swept",
          "[indirect][hydro-stress]") {
  const Sedov exact(1.4);

  CHECK(exact.alpha == Approx(0.851072).epsilon(1e-6));  // Kamm and Timmes
  double mass = 0;                                       // over that of the undisturbed sphere
  for (std::size_t i = 0; i + 1 < exact.profile.size(); ++i) {
    const Sedov::Point &a = exact.profile[i], &b = exact.profile[i + 1];
    mass += 6 * (a.density + b.density) / 2 * (std::pow(a.xi, 3) - std::pow(b.xi, 3));
  }
  CHECK(mass == Approx(1).epsilon(1e-6));
}

TEST_CASE("Sedov's blast conserves energy to rounding, and its shock is where the similarity solution has it",
          "[indirect][hydro-stress]") {
  const int n = 12;
  Blast blast(n, GENERATE(Strategy::owner, Strategy::hierarchical));

  for (const double time : {0.1, 0.2}) {
    blast.run(time);

    CHECK(blast.gas.energy() == close<double>(1, 1000));
    const double exact = std::pow(8 * 1 * time * time / Sedov(1.4).alpha, 0.2);  // eight octants
    const Front front = find_front(blast.gas, 0.5 / n);
    CHECK(std::fabs(front.densest - exact) < 1. / n);
    CHECK(std::fabs(front.half - exact) < 1. / n);
  }
}
