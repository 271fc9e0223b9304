// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/ordered_form.hpp"

#include <algorithm>
#include <cmath>

#include "core/agree.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/weakform/order.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::weakform {

std::array<int, 3> box_sides(int dim, std::int64_t elements) {
  const double boxes = double(elements) / (dim == 2 ? 2 : 6);
  const int side = std::max(2, static_cast<int>(std::lround(std::pow(boxes, 1. / dim))));
  const int last = std::max(2, static_cast<int>(std::lround(boxes / std::pow(side, dim - 1))));
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
  double extent = 0;  ///< the longest side of the bounding box
  /// The mean extent of cells along the axis where it is least, at most the length of a cell where a box as large as
  /// the bounding box has as many.
  double shortest = 0;

  explicit Frame(const mesh::Mesh& mesh) {
    const int dim = mesh::dimension(mesh.kind);
    mesh::Point high = low = mesh.vertices.front();
    for (const mesh::Point& x : mesh.vertices)
      for (int d = 0; d < dim; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
      }
    const Communicator& ranks = mesh.part.ranks;
    ranks.reduce(Reduction::min, low.data(), 3);
    ranks.reduce(Reduction::max, high.data(), 3);
    for (int d = 0; d < dim; ++d) extent = std::max(extent, high[d] - low[d]);
    const double boxes = ranks.sum(double(mesh.num_elements())) / (dim == 2 ? 2 : 6);
    shortest = extent / std::max(1., std::pow(boxes, 1. / dim));
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

/// The largest |grad u| of all cells: root of the sum of squares of its entries.
double largest_gradient(const OrderedForm& form, const std::vector<double>& u) {
  const int dim = mesh::dimension(form.mesh.kind), components = form.space.components;
  const std::vector<mesh::Point> points = space::node_points(form.mesh, form.space);
  const Map& cells = form.space.element_to_node.host();
  double most = 0;
  for (std::size_t e = 0; e < form.mesh.num_elements(); ++e) {
    const auto node = [&](int v) { return std::size_t(cells[e][v] < 0 ? ~cells[e][v] : cells[e][v]); };
    double J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, inverse[3][3], squares = 0;
    for (int d = 0; d < dim; ++d)
      for (int a = 0; a < dim; ++a) J[d][a] = points[node(a + 1)][d] - points[node(0)][d];
    invert(J, inverse);
    for (int c = 0; c < components; ++c)
      for (int d = 0; d < dim; ++d) {
        double slope = 0;
        for (int a = 0; a < dim; ++a)
          slope += inverse[a][d] * (u[node(a + 1) * components + c] - u[node(0) * components + c]);
        squares += slope * slope;
      }
    most = worse(most, std::sqrt(squares));
  }
  return form.mesh.part.ranks.of_all(Reduction::max, most);
}

/// Scales a displacement so that |grad u| is at most `limit`: on flat cells that of an interpolant may be large.
void limit_gradient(const OrderedForm& form, double limit, Precision precision, std::vector<double>& u) {
  const double most = largest_gradient(form, u);
  if (!(most > limit)) return;
  for (double& value : u) value = rounded(value * (limit / most), precision);
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
  if (!displaces) return;
  limit_gradient(form, 0.6, settings.precision, form.state);
  limit_gradient(form, 10, settings.precision, form.direction);  // the difference below has an error of fifth order
}

/// The reference's residual, and its derivative by a central difference of fourth order: both share no code with the
/// strategies.
void set_expected(FormKind kind, const FormSettings& settings, OrderedForm& form) {
  const measure::Verifying region;
  const auto bound = form.bind(kind, Precision::fp64, {.strategy = Strategy::reference});
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
  const bool single = settings.precision == Precision::fp32;
  ReferenceBounds bounds = form.user
                               ? reference_bounds(kind, form.mesh, *form.user, form.state, form.direction)
                               : reference_bounds(kind, form.mesh, form.space, form.state, form.direction, single);
  for (std::vector<double>* const entries : {&bounds.residual, &bounds.action})
    *entries = space::sum_over_ranks(form.space, *entries);
  // four times: strategies compute in other orders, and the reference rounds too
  const double unit = 2e-16, of_strategy = 4 * (single ? 1e-7 : unit);
  form.residual_tolerance.clear();
  form.action_tolerance.clear();
  for (std::size_t i = 0; i < form.residual.size(); ++i) {
    form.residual_tolerance.push_back(of_strategy * bounds.residual[i]);
    form.action_tolerance.push_back((of_strategy + 1e-8) * bounds.action[i] +
                                    4 * unit * bounds.residual[i] / h);  // what the difference cancels
  }
}

}  // namespace

std::unique_ptr<BoundForm> OrderedForm::bind(FormKind kind, Precision precision, const Options& options) const {
  if (user) return weakform::bind(kind, mesh, *user, options);
  return weakform::bind(kind, precision, mesh, space, options);
}

std::vector<double> FormProblem::solution(const mesh::Point& x) const {
  if (!settings_.user.has_data()) return exact_solution(kind_, settings_.dim, x);
  std::vector<double> values;
  for (const Function& f : settings_.user.exact) values.push_back(f(0, x));
  return values;
}

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
  phases.time("numbering", [&] {
    const int components = facts(kind_, settings_.dim).components;
    if (settings_.user.has_data()) form->user = prepare(settings_.user, form->mesh, components);
    form->space = form->user ? form->user->space
                             : space::make_space(form->mesh, 1, components, space::Boundary::dirichlet, Layout::aos);
  });
  const Frame frame(form->mesh);
  set_vectors(kind_, settings_, frame, *form);
  set_expected(kind_, settings_, *form);
  key_ = key;
  last_ = form;
  return form;
}

}  // namespace miniapp::weakform
