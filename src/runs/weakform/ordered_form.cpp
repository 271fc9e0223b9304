// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/ordered_form.hpp"

#include <algorithm>
#include <cmath>

#include "core/agree.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/weakform/order.hpp"

namespace miniapp::weakform {

std::array<int, 3> box_sides(int dim, std::int64_t elements) {
  const double boxes = double(elements) / (dim == 2 ? 2 : 6);
  const int side = std::max(1, static_cast<int>(std::lround(std::pow(boxes, 1. / dim))));
  const int last = std::max(1, static_cast<int>(std::lround(boxes / std::pow(side, dim - 1))));
  if (dim == 2) return {side, last, 1};
  return {side, side, last};
}

namespace {

mesh::Mesh make_whole(int dim, const std::array<int, 3>& sides) {
  return dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, sides[0], sides[1])
                  : mesh::make_tetrahedron_box(sides[0], sides[1], sides[2]);
}

mesh::Mesh make_part(int dim, const std::array<int, 3>& sides, const Communicator& ranks, graph::Partition partition) {
  const std::vector<std::int64_t> boxes = graph::part_of_box(sides, partition, ranks.rank(), ranks.size());
  return dim == 2 ? mesh::make_triangle_part({sides[0], sides[1]}, boxes, ranks)
                  : mesh::make_tetrahedron_box_part(sides, boxes, ranks);
}

}  // namespace

mesh::Mesh make_mesh(int dim, const std::array<int, 3>& sides, const Communicator& ranks, graph::Partition partition) {
  mesh::Mesh mesh = ranks.is_alone() ? make_whole(dim, sides) : make_part(dim, sides, ranks, partition);
  const double boxes = double(sides[0]) * sides[1] * sides[2], most = *std::max_element(sides.begin(), sides.end());
  mesh::perturb(mesh, 0.12 * std::pow(boxes, 1. / dim) / most, 1);  // which takes parts of the mean size
  return mesh;
}

namespace {

/// The frame in which states are given: meshes of any place and size get the state of the unit cube.
struct Frame {
  mesh::Point low{};
  double extent = 0;     ///< the longest side of the bounding box
  double farthest = 0;   ///< the largest coordinate
  double cell_size = 0;  ///< length of a cell where a box as large as the bounding box has as many, on average
  double shortest = 0;   ///< at most cell_size: the mean extent of cells along the axis where it is least

  explicit Frame(const mesh::Mesh& mesh) {
    const int dim = mesh::dimension(mesh.kind);
    mesh::Point high = low = mesh.vertices.front();
    for (const mesh::Point& x : mesh.vertices)
      for (int d = 0; d < dim; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
        farthest = std::max(farthest, std::fabs(x[d]));
      }
    const Communicator& ranks = mesh.part.ranks;
    ranks.reduce(Reduction::min, low.data(), 3);
    ranks.reduce(Reduction::max, high.data(), 3);
    ranks.reduce(Reduction::max, &farthest, 1);
    for (int d = 0; d < dim; ++d) extent = std::max(extent, high[d] - low[d]);
    const double boxes = ranks.sum(double(mesh.num_elements())) / (dim == 2 ? 2 : 6);
    cell_size = shortest = extent / std::max(1., std::pow(boxes, 1. / dim));
    std::array<double, 3> extents{};  // of all cells
    for (std::size_t cell = 0; cell < mesh.num_elements(); ++cell)
      for (int d = 0; d < dim; ++d) {
        const Index* const vertices = mesh.element_to_vertex[cell];
        double least = mesh.vertices[vertices[0]][d], most = least;
        for (int v = 1; v <= dim; ++v) {
          least = std::min(least, mesh.vertices[vertices[v]][d]);
          most = std::max(most, mesh.vertices[vertices[v]][d]);
        }
        extents[d] += most - least;
      }
    ranks.reduce(Reduction::sum, extents.data(), 3);
    const double cells = ranks.sum(double(mesh.num_elements()));
    for (int d = 0; d < dim; ++d) shortest = std::min(shortest, extents[d] / cells);
  }
  mesh::Point relative(const mesh::Point& x) const {
    mesh::Point unit{};
    for (int d = 0; d < 3; ++d) unit[d] = (x[d] - low[d]) / extent;
    return unit;
  }
  /// Differs from node to node by up to about twice a cell's size, relative to the extent, whatever the mesh: gradients
  /// are of order 1, and no sum over cells cancels.
  double ripple(const mesh::Point& unit, double phase) const {
    const double h = shortest / extent;
    return h * std::sin((2.3 * unit[0] + 3.1 * unit[1] + 4.7 * unit[2]) / h + phase);
  }
};

/// A value as a number of the precision that strategies get.
double rounded(double value, Precision precision) {
  return precision == Precision::fp64 ? value : double(static_cast<float>(value));
}

/// The exact solution and a ripple so small that no displaced cell turns over; the direction is a ripple, zero at
/// constrained nodes.
void set_vectors(FormKind kind, const FormSettings& settings, const Frame& frame, OrderedForm& form) {
  const bool displaces = facts(kind, settings.dim).displaces;
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

/// The largest absolute value on all ranks.
double largest(const std::vector<double>& values, const Communicator& ranks) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return ranks.of_all(Reduction::max, most);
}

/// Residuals are differences of neighbouring values and coordinates, which rounding changes relative to the whole:
/// errors grow with the number of cells across.
double tolerance_of(double largest_right, Precision precision, const Frame& frame) {
  const double across = 4 + frame.farthest / frame.shortest, scale = largest_right * across;
  return precision == Precision::fp64 ? tolerance<double>(16, scale) : tolerance<float>(16, scale);
}

/// The reference's residual, and its derivative by a central difference of fourth order: both share no code with the
/// strategies.
void set_expected(FormKind kind, const FormSettings& settings, const Frame& frame, OrderedForm& form) {
  const auto bound = bind(kind, Precision::fp64, form.mesh, form.space, {.strategy = Strategy::reference});
  bound->set_state(form.state);
  agree(form.mesh.part.ranks, [&] { bound->require_finite(); });
  form.residual = bound->reference();
  const double h = facts(kind, settings.dim).displaces ? 1e-3 : 1e-2;
  form.action.assign(form.residual.size(), 0.0);
  for (const auto& [step, weight] : {std::pair{-2 * h, 1.0}, {-h, -8.0}, {h, 8.0}, {2 * h, -1.0}}) {
    std::vector<double> moved = form.state;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * form.direction[i];
    bound->set_state(moved);
    const std::vector<double> r = bound->reference();
    for (std::size_t i = 0; i < r.size(); ++i) form.action[i] += weight * r[i] / (12 * h);
  }
  const double residual = largest(form.residual, form.mesh.part.ranks),
               action = largest(form.action, form.mesh.part.ranks);
  form.residual_tolerance = tolerance_of(residual, settings.precision, frame);
  form.action_tolerance = tolerance_of(action, settings.precision, frame) + 1e-7 * action +
                          tolerance_of(residual, Precision::fp64, frame) / h;  // what the difference cancels
}

}  // namespace

FormProblem::FormProblem(FormKind kind, const FormSettings& settings, const mesh::Mesh& mesh, measure::Phases phases)
    : kind_(kind), settings_(settings), mesh_(mesh), phases_(std::move(phases)) {
  const Communicator& ranks = mesh.part.ranks;
  num_cells_ = ranks.sum(static_cast<std::int64_t>(mesh.num_elements()));
  const std::int64_t last =
      mesh.part.vertices.empty() ? std::int64_t(mesh.vertices.size()) - 1 : mesh.part.vertices.back();
  num_unknowns_ = (1 + ranks.of_all(Reduction::max, last)) * facts(kind, settings.dim).components;
}

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
    OrderedMesh ordered;
    phases.time("order", [&] {
      agree(mesh_.part.ranks, [&] { ordered = order_cells(mesh_, way.options.strategy, way.reorder, block_size); });
    });
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
