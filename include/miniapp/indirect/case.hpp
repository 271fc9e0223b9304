// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/field.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/graph/reorder.hpp"
#include "miniapp/indirect/plan.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "miniapp/space/exchange.hpp"

namespace miniapp::indirect {

/// The loops of the paper, each with its mesh, state and arithmetic.
enum class LoopKind {
  airfoil,              ///< 2-D Euler flux through edges between quadrilaterals, scalar dissipation (loops/airfoil.hpp)
  shallow_water,        ///< 2-D shallow-water fluxes between triangles (loops/shallow_water.hpp)
  hydro_stress,         ///< nodal forces from the stress of hexahedra (loops/hydro_stress.hpp)
  corner_acceleration,  ///< corner forces and masses of quadrilaterals, summed at nodes (loops/corner_acceleration.hpp)
  euler_flux,           ///< 3-D Euler flux through faces between hexahedra, Roe's scheme (loops/euler_flux.hpp)
};
constexpr auto names(LoopKind) {
  return std::array{"airfoil", "shallow-water", "hydro-stress", "corner-acceleration", "euler-flux"};
}

/// Data of a loop on the host, before a layout or an order is chosen; on several ranks of a rank's part of it: each
/// element is of one rank, and targets of elements of several ranks have copies on all of them, which read the same
/// values.
struct Case {
  /// A map of the from-set other than the plan's.
  struct Other {
    Map map;
    std::size_t to_size = 0;
  };
  static constexpr int elements = -2, targets = -1;
  struct Values {
    int set;  ///< elements, targets, or the to-set of others[set]
    int components;
    std::vector<double> values;  ///< (entity, component)

    Values(int set_, int components_, std::vector<double> values_)
        : set(set_), components(components_), values(std::move(values_)) {}
    /// Zeros.
    Values(int set_, int components_, std::size_t entities)
        : Values(set_, components_, make_large<double>(entities * components_)) {}
    double* operator[](std::size_t entity) { return &values[entity * components]; }
  };
  Map map;  ///< (element, slot): target
  std::size_t to_size = 0;
  std::vector<Other> others;
  std::vector<Values> values;         ///< what the loop reads, in the order of its accesses
  std::vector<mesh::Point> points{};  ///< (target), from the mesh, for bisection; reorder() drops them
  Communicator ranks{};
  std::vector<space::SharedEntries> shared{};  ///< targets that other ranks have too
  int from_size() const { return static_cast<int>(map.size()); }
};

/// Where a field of a loop has its numbers.
enum class Site {
  cells,
  vertices,
  corners,  ///< a number for each corner of each cell, as components of cells
};

/// The numbers that a field may have.
enum class Sign { any, not_negative, positive };
constexpr auto names(Sign) { return std::array{"a finite number", "a number >= 0", "a number > 0"}; }

/// A field of a loop's state or of its increments.
struct LoopField {
  std::string name;  ///< in files
  Site site = Site::cells;
  int components = 1;
  Sign sign = Sign::any;
};
struct FieldValues : LoopField {
  std::vector<double> values;  ///< (cell or vertex, component)
};

/// The precision of the program that a loop is from: single of shallow_water, else double.
Precision usual_precision(LoopKind kind);

/// The dimension of the mesh that a loop runs on: 2 or 3.
int mesh_dimension(LoopKind kind);

/// The squares or cubes, along x, y and z, of the mesh that a loop runs on by default, with about `elements`
/// from-elements; of an O-grid around, outwards and 1. A triangle is half of one.
std::array<int, 3> mesh_sides(LoopKind kind, std::int64_t elements);

/// About the number of from-elements of a mesh with these sides: interfaces as if none were of the boundary.
double num_elements(LoopKind kind, const std::array<int, 3>& sides);

/// The mesh with these sides: O-grid, triangles, hexahedra, ...; of several ranks the part of this one. Errors: those
/// of graph::part_of_box(); an O-grid of fewer than 4 cells around (InputError).
mesh::Mesh make_mesh(LoopKind kind, const std::array<int, 3>& sides, const Communicator& ranks = {},
                     graph::Partition partition = graph::Partition::rcb);

/// Maps and a physically meaningful state on `mesh`, or `state`, that of a user (find_state()). Of a mesh that is
/// distributed a rank gets the elements that are its cells, or the interfaces whose cell with the lower number is one;
/// the other cells of these are copies. Collective then. Errors: InputError where the loop needs cells of another kind,
/// or other fields.
Case make_case(LoopKind kind, const mesh::Mesh& mesh, const std::vector<FieldValues>* state = nullptr);

/// Bytes that a loop with so many from-elements takes on the host and on the device, about; with METIS more.
double estimated_memory(LoopKind kind, double elements, bool metis);

/// A case put in another order: elements and targets by the ordering, entities of other to-sets in the order in
/// which elements first refer to them.
Case reorder(const Case& original, const graph::Ordering& ordering);

/// How the copies of targets become sums over ranks.
struct LoopExchange {
  int neighbours = 0;
  double bytes = 0;  ///< what a rank sends in one run of the loop [bytes]
  Halo halo = Halo::host;
};

/// A loop with its data on the device. On several ranks each adds its elements, and copies of targets are then summed:
/// runs are collective.
class BoundLoop {
 public:
  virtual ~BoundLoop() = default;
  virtual void run(const Instance& instance) const = 0;  ///< adds the increments once, without waiting
  virtual double serial() const = 0;  ///< runs on the host, as if element by element; returns tolerance()
  virtual void clear() const = 0;     ///< zeros the incremented fields
  /// The incremented fields, one after the other, each (target, component).
  virtual std::vector<double> result() const = 0;
  virtual std::vector<int> components() const = 0;  ///< components of each of these fields
  /// The rounding error allowed in a result, given the largest increment of one element.
  virtual double tolerance() const = 0;
  virtual double bytes() const = 0;        ///< bytes of one run, as the paper counts them
  virtual double least_bytes() const = 0;  ///< bytes that a run moves at least by its plan
  virtual PlanFigures figures() const = 0;
  virtual double cache_lines_per_block() const = 0;  ///< lines of 32 bytes of target values, read or incremented
  virtual TeamResources resources() const = 0;
  virtual LoopExchange exchange() const = 0;
};

/// The result of a reordered case, in the original order.
std::vector<double> in_old_order(const std::vector<double>& result, const std::vector<int>& components,
                                 const std::vector<Index>& to_place);

/// Puts a case on the device, its values rounded to the precision. Collective, where ranks share targets. Errors:
/// InputError, as Plan and Loop, on all ranks the same.
std::unique_ptr<BoundLoop> bind(LoopKind kind, const Case& data, Precision precision, Layout layout, PlanArrays plan);

}  // namespace miniapp::indirect
