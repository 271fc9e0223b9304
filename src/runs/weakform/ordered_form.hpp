// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "miniapp/measure/stopwatch.hpp"
#include "runs/weakform/settings.hpp"

/// A form on a mesh in an order, with a state and what is right there.
namespace miniapp::weakform {

/// The squares or cubes, along x, y and z, of which about `elements` triangles or tetrahedra are cut.
std::array<int, 3> box_sides(int dim, std::int64_t elements);

/// The triangles of the unit square or tetrahedra of the unit cube that squares or cubes are cut into, `sides` of them
/// along x, y and z, each inner vertex moved at random by up to 0.12 of their shortest edge; of several ranks the part
/// of this one. Collective. Errors: those of graph::part_of_box().
mesh::Mesh make_mesh(int dim, const std::array<int, 3>& sides, const Communicator& ranks = {},
                     graph::Partition partition = graph::Partition::rcb);

/// A form with its right results, on a mesh or a rank's part of one, whose cells stand in a configuration's order.
struct OrderedForm {
  mesh::Mesh mesh;
  space::Space space;
  std::vector<Index> first_cell;         ///< where blocks of the order begin
  std::vector<double> state, direction;  ///< (node, component), numbers of the precision
  std::vector<double> residual, action;  ///< results of the reference; action: by central differences
  std::vector<double> residual_tolerance, action_tolerance;  ///< largest right error of each entry
  measure::Phases phases;
  std::optional<PreparedForm> user;  ///< a user's data, on the mesh in this order
  /// Binds the form with its data.
  std::unique_ptr<BoundForm> bind(FormKind kind, Precision precision, const Options& options) const;
};

/// Makes ordered forms of one mesh. Keeps the last, since strategies share it. Collective, where the mesh is
/// distributed.
class FormProblem {
 public:
  /// `mesh`: a mesh of the dimension of the settings, kept by the caller; `phases`: in which it was made.
  FormProblem(FormKind kind, const FormSettings& settings, const mesh::Mesh& mesh, measure::Phases phases);
  FormKind kind() const { return kind_; }
  const FormSettings& settings() const { return settings_; }
  const mesh::Mesh& mesh() const { return mesh_; }
  /// Cells and unknowns of all ranks.
  std::int64_t num_cells() const { return num_cells_; }
  std::int64_t num_unknowns() const { return num_unknowns_; }
  /// Whether u is known, and u (component) at x.
  bool knows_solution() const { return !settings_.user.has_data() || !settings_.user.exact.empty(); }
  std::vector<double> solution(const mesh::Point& x) const;
  /// Errors: InputError, an order that this build cannot make; a state where the form is not a number.
  std::shared_ptr<const OrderedForm> ordered(const Way& way);

 private:
  FormKind kind_;
  FormSettings settings_;
  const mesh::Mesh& mesh_;
  measure::Phases phases_;
  std::int64_t num_cells_, num_unknowns_;
  std::tuple<graph::Reorder, int, bool> key_;  ///< what last_ was made for
  std::shared_ptr<const OrderedForm> last_;
};

}  // namespace miniapp::weakform
