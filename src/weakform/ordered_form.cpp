// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/ordered_form.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/core/tolerance.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/weakform/order.hpp"

namespace miniapp::weakform {

mesh::Mesh make_mesh(int dim, std::int64_t elements) {
  const double boxes = double(elements) / (dim == 2 ? 2 : 6);
  const int side = std::max(1, static_cast<int>(std::lround(std::pow(boxes, 1. / dim))));
  const int last = std::max(1, static_cast<int>(std::lround(boxes / std::pow(side, dim - 1))));
  mesh::Mesh mesh = dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, side, last)
                             : mesh::make_tetrahedron_box(side, side, last);
  mesh::perturb(mesh, 0.12, 1);
  return mesh;
}

namespace {

/// The frame in which states are given: meshes of any place and size get the state of the unit cube.
struct Frame {
  mesh::Point low{};
  double extent = 0;     ///< the longest side of the bounding box
  double farthest = 0;   ///< the largest coordinate
  double cell_size = 0;  ///< of a box as large as the bounding box, on average

  explicit Frame(const mesh::Mesh& mesh) {
    const int dim = mesh::dimension(mesh.kind);
    mesh::Point high = low = mesh.vertices.front();
    for (const mesh::Point& x : mesh.vertices)
      for (int d = 0; d < dim; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
        farthest = std::max(farthest, std::fabs(x[d]));
      }
    for (int d = 0; d < dim; ++d) extent = std::max(extent, high[d] - low[d]);
    const double boxes = double(mesh.num_elements()) / (dim == 2 ? 2 : 6);
    cell_size = extent / std::max(1., std::pow(boxes, 1. / dim));
  }
  mesh::Point relative(const mesh::Point& x) const {
    mesh::Point unit{};
    for (int d = 0; d < 3; ++d) unit[d] = (x[d] - low[d]) / extent;
    return unit;
  }
  /// Differs from node to node by up to about twice a cell's size, relative to the extent, whatever the mesh: gradients
  /// are of order 1, and no sum over cells cancels.
  double ripple(const mesh::Point& unit, double phase) const {
    const double h = cell_size / extent;
    return h * std::sin((2.3 * unit[0] + 3.1 * unit[1] + 4.7 * unit[2]) / h + phase);
  }
};

/// As a number of the precision that strategies get.
double rounded(double value, Precision precision) {
  return precision == Precision::fp64 ? value : double(static_cast<float>(value));
}

/// The exact solution and a ripple so small that no displaced cell turns over; the direction is a ripple, zero at
/// masked nodes.
void set_vectors(FormKind kind, const FormSettings& settings, const Frame& frame, OrderedForm& form) {
  const bool displaces = kind == FormKind::neo_hookean;
  const double scale = displaces ? frame.extent : 1, amplitude = displaces ? 0.01 : 0.1;
  for (const mesh::Point& x : space::node_points(form.mesh, form.space)) {
    const mesh::Point unit = frame.relative(x);
    double phase = 0;
    for (const double exact : exact_solution(kind, settings.dim, unit)) {
      form.state.push_back(rounded(scale * (exact + amplitude * frame.ripple(unit, phase)), settings.precision));
      form.direction.push_back(rounded(scale * frame.ripple(unit, phase + 1), settings.precision));
      phase += 2;
    }
  }
  for (const Index node : form.space.masked)
    for (int c = 0; c < form.space.components; ++c) form.direction[form.space.entry(node, c)] = 0;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

/// Residuals are differences of neighbouring values and coordinates, which rounding changes relative to the whole:
/// errors grow with the number of cells across.
double tolerance_of(const std::vector<double>& right, Precision precision, const Frame& frame) {
  const double across = 4 + frame.farthest / frame.cell_size, scale = largest(right) * across;
  return precision == Precision::fp64 ? tolerance<double>(16, scale) : tolerance<float>(16, scale);
}

/// The reference's residual, and its derivative by a central difference of fourth order: both share no code with the
/// strategies.
void set_expected(FormKind kind, const FormSettings& settings, const Frame& frame, OrderedForm& form) {
  const auto bound = bind(kind, Precision::fp64, form.mesh, form.space, {.strategy = Strategy::reference});
  bound->set_state(form.state);
  bound->require_finite();
  form.residual = bound->reference();
  const double h = kind == FormKind::neo_hookean ? 1e-3 : 1e-2;
  form.action.assign(form.residual.size(), 0.0);
  for (const auto& [step, weight] : {std::pair{-2 * h, 1.0}, {-h, -8.0}, {h, 8.0}, {2 * h, -1.0}}) {
    std::vector<double> moved = form.state;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * form.direction[i];
    bound->set_state(moved);
    const std::vector<double> r = bound->reference();
    for (std::size_t i = 0; i < r.size(); ++i) form.action[i] += weight * r[i] / (12 * h);
  }
  form.residual_tolerance = tolerance_of(form.residual, settings.precision, frame);
  form.action_tolerance = tolerance_of(form.action, settings.precision, frame) + 1e-7 * largest(form.action) +
                          tolerance_of(form.residual, Precision::fp64, frame) / h;  // what the difference cancels
}

}  // namespace

std::shared_ptr<const OrderedForm> FormProblem::ordered(const Way& way) {
  const bool owner = way.options.strategy == Strategy::owner;
  const int block_size = way.options.block_size.value_or(usual_block_size(way.options.strategy));
  const auto key = way.reorder == graph::Reorder::none ? std::tuple(way.reorder, 0, false)
                                                       : std::tuple(way.reorder, block_size, owner);
  if (last_ && key == key_) return last_;
  last_.reset();
  const auto form = std::make_shared<OrderedForm>();
  measure::Phases& phases = form->phases = phases_;
  if (way.reorder == graph::Reorder::none) {
    form->mesh = mesh_;
  } else {
    OrderedMesh ordered =
        phases.time("order", [&] { return order_cells(mesh_, way.options.strategy, way.reorder, block_size); });
    form->mesh = std::move(ordered.mesh);
    if (!owner) form->first_cell = std::move(ordered.first_cell);
  }
  form->space = phases.time("numbering", [&] {
    return space::make_space(form->mesh, 1, facts(kind_, settings_.dim).components, space::Boundary::dirichlet,
                             Layout::aos);
  });
  const Frame frame(form->mesh);
  set_vectors(kind_, settings_, frame, *form);
  if (!settings_.solve) set_expected(kind_, settings_, frame, *form);
  key_ = key;
  last_ = form;
  return form;
}

}  // namespace miniapp::weakform
