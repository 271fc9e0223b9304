// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device_text.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "miniapp/tensor/verification.hpp"

namespace miniapp::apps {
namespace {

/// (position): element. Blocks are of as many elements of order 7 as fill a second-level cache with their vectors.
std::vector<Index> order_elements(const mesh::Mesh& mesh, graph::Reorder reorder) {
  constexpr int block_size = 64;
  return graph::make_ordering(mesh.element_to_vertex, mesh.vertices.size(), reorder, block_size, mesh.vertices)
      .from.entries;
}

tensor::Discretisation make_discretisation(const TensorOptions& o, measure::Phases& phases) {
  mesh::Mesh mesh = phases.time("mesh", [&] {
    mesh::Mesh box = mesh::make_box(o.nx, o.ny, o.nz);
    mesh::deform(box, o.deform);
    return box;
  });
  if (o.reorder != graph::Reorder::none)
    mesh = phases.time("reorder", [&] { return mesh::reorder(mesh, order_elements(mesh, o.reorder)); });
  try {
    return {std::move(mesh), o.problem, o.order, o.boundary, o.lambda, o.components, &phases};
  } catch (const tensor::InvertedElement& inverted) {
    throw InputError(fmt::format(
        "--deform {}: inverts element {} of {}{}; accepted are smaller amplitudes, that keep det J > 0", o.deform,
        inverted.element + 1, o.elements(), o.reorder == graph::Reorder::none ? "" : " as reordered"));
  }
}

/// The copy roof at the model's bytes, the same for all kernels; empty where no kernel is timed alone.
measure::CopyRoof measure_roof(const TensorOptions& o) {
  const auto alone = [](const tensor::Variant& variant) { return variant.kernel != tensor::Kernel::reference; };
  if (o.verify_only || std::none_of(o.variants.begin(), o.variants.end(), alone)) return {};
  return measure::copy_roof(
      tensor::cost(o.problem, o.order, static_cast<double>(o.elements()), o.word(), o.components));
}

Vector<double> make_rhs(const TensorOptions& o, const tensor::Discretisation& d, const tensor::Reference& reference) {
  if (o.rhs == Rhs::manufactured)
    return reference.load({o.boundary}, tensor::Manufactured::source(tensor::has_stiffness(o.problem), o.lambda));
  return tensor::random_vector(d.space, 1);
}

}  // namespace

TensorCase::TensorCase(const TensorOptions& o)
    : roof(measure_roof(o)),
      discretisation(make_discretisation(o, phases)),
      reference(discretisation),
      rhs(phases.time("right-hand side", [&] { return make_rhs(o, discretisation, reference); })) {}

report::Page describe(const TensorOptions& o, const tensor::Discretisation& d) {
  const Platform p = platform();
  const int n = o.order + 1, q = d.rule().size();
  report::Page page(fmt::format("{}{}, order {}", tensor::name(o.problem),
                                o.components > 1 ? fmt::format(", {} components", o.components) : "", o.order));
  page.add("mesh", fmt::format("{} x {} x {} = {} hexahedra of the unit cube, deformed by {}", o.nx, o.ny, o.nz,
                               report::count(o.elements()), o.deform));
  if (!o.shape_note.empty()) page.add("shape", o.shape_note);
  page.add("dofs", fmt::format("{} free, {} masked; {} nodes per direction", report::count(d.space.num_dofs()),
                               report::count(static_cast<long long>(d.space.masked.size())), n));
  page.add("quadrature", fmt::format("{} {} points per direction", q, q == n ? "Gauss-Lobatto" : "Gauss"));
  if (tensor::has_stiffness(o.problem)) page.add("lambda", fmt::format("{}", o.lambda));
  page.add("solve",
           fmt::format("{} CG, {}, tolerance {:.0e}, {} right-hand side, {}", name(o.cg),
                       o.jacobi() ? "Jacobi" : "no preconditioner", o.tolerance, name(o.rhs),
                       o.boundary == space::Boundary::dirichlet ? "u = 0 on the surface" : "natural boundary"));
  page.add("device", fmt::format("{}, {}, Kokkos {}, {} precision", describe_device(p), p.backends.front(),
                                 p.kokkos_version, name(o.precision)));
  return page;
}

report::Json case_record(const TensorOptions& o, const tensor::Discretisation& d) {
  return {{"bp", tensor::name(o.problem)},
          {"components", o.components},
          {"order", o.order},
          {"elements", o.elements()},
          {"box", {o.nx, o.ny, o.nz}},
          {"deform", o.deform},
          {"lambda", o.lambda},
          {"boundary", name(o.boundary)},
          {"rhs", name(o.rhs)},
          {"preconditioner", name(o.preconditioner)},
          {"cg", name(o.cg)},
          {"reorder", name(o.reorder)},
          {"assembly", o.assembly ? indirect::name(*o.assembly) : "fused"},
          {"tolerance", o.tolerance},
          {"max_iterations", o.max_iterations},
          {"repeat", o.repeat},
          {"verify_only", o.verify_only},
          {"no_solve", o.no_solve},
          {"precision", name(o.precision)},
          {"dofs", d.space.num_dofs()}};
}

}  // namespace miniapp::apps
