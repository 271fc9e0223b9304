// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/settings.hpp"

#include "runs/tensor/choice.hpp"
#include "runs/tensor/kernel_run.hpp"
#include "runs/tensor/memory.hpp"
#include "support/problems.hpp"

using tensor::CaseSettings;

// a copy's reference would refer to the original's discretisation
static_assert(!std::is_copy_constructible_v<tensor::Case> && !std::is_copy_assignable_v<tensor::Case>);

namespace {

CaseSettings case_of(int elements, int order) {
  CaseSettings settings;
  settings.set_elements(elements);
  settings.order = order;
  return settings;
}

}  // namespace

TEST_CASE("A box has the number of elements and the nodes of its sides", "[tensor][settings]") {
  const CaseSettings settings = case_of(24, 2);
  CHECK(settings.elements() == 24);
  CHECK(settings.nodes() == 5. * 7 * 9);  // 2 x 3 x 4
}

TEST_CASE("A needle is noted with the nearest number of elements that makes a cube", "[tensor][settings]") {
  CHECK(tensor::describe_needle(case_of(64, 1)).empty());
  CHECK(tensor::describe_needle(case_of(32, 1)).empty());
  const std::string note = tensor::describe_needle(case_of(61, 1));
  CHECK(note.find("61 elements make 61 x 1 x 1 at best") != std::string::npos);
  CHECK(note.find("60 make 5 x 4 x 3") != std::string::npos);
}

TEST_CASE("Only the mass problem is solved without a boundary condition", "[tensor][settings]") {
  CHECK(tensor::usual_boundary(Problem::bp1_0) == space::Boundary::neumann);
  CHECK(tensor::usual_boundary(Problem::bp3_0) == space::Boundary::dirichlet);
  CHECK(tensor::usual_boundary(Problem::bp3_5) == space::Boundary::dirichlet);
}

TEST_CASE("Every variant but the reference is chosen or has a reason", "[tensor][choice]") {
  CaseSettings settings = case_of(8, tensor::built_orders().front());
  settings.problem = GENERATE(Problem::bp1_0, Problem::bp3_0, Problem::bp3_5);
  const mesh::Shape shape = GENERATE(mesh::Shape::general, mesh::Shape::parallelepipeds, mesh::Shape::boxes);
  const tensor::Choice all = tensor::all_kernels(settings, {}, shape),
                       stored = tensor::all_kernels(settings, Geometry::stored, shape);
  CHECK(all.variants.size() + all.skipped.size() + 1 == tensor::all_variants().size());
  for (const Variant& variant : all.variants)
    CHECK(tensor::why_not(variant, settings.problem, settings.order, settings.word()).empty());
  for (const Variant& variant : stored.variants) CHECK(variant.geometry == Geometry::stored);
  const auto has = [&](Geometry geometry) {
    return std::any_of(all.variants.begin(), all.variants.end(),
                       [=](const Variant& variant) { return variant.geometry == geometry; });
  };
  CHECK(has(Geometry::boxes) == (shape == mesh::Shape::boxes));
  CHECK(has(Geometry::affine) == (shape != mesh::Shape::general));
  for (const Variant& variant : tensor::rivals(settings)) {
    CHECK(variant.kernel < Kernel::rung1);
    CHECK(std::find(all.variants.begin(), all.variants.end(), variant) != all.variants.end());
  }
}

TEST_CASE("A kernel takes the geometry that is given, else the table's", "[tensor][choice]") {
  const CaseSettings settings = case_of(8, tensor::built_orders().front());
  const Kernel kernel = tensor::rivals(settings).front().kernel;
  const Geometry geometry = GENERATE(Geometry::stored, Geometry::computed);
  tensor::TuningTable table;
  using mesh::Shape;
  CHECK(tensor::choose_geometry(kernel, geometry, table, settings, Shape::general) == Variant{kernel, geometry});
  table.set(tensor::tuning_key(settings), {kernel, geometry});
  CHECK(tensor::choose_geometry(kernel, {}, table, settings, Shape::general) == Variant{kernel, geometry});
  CHECK(tensor::choose_geometry(kernel, {}, table, settings, Shape::parallelepipeds) ==
        Variant{kernel, Geometry::affine});
  CHECK(tensor::choose_geometry(kernel, {}, table, settings, Shape::boxes) == Variant{kernel, Geometry::boxes});
  CHECK(tensor::choose_geometry(Kernel::reference, {}, table, settings, Shape::boxes).kernel == Kernel::reference);
}

TEST_CASE("More work needs more memory", "[tensor][memory]") {
  const Variant variant{Kernel::lines, Geometry::stored};
  CaseSettings large = case_of(4096, 7), verified = large, single = large, jacobi = large, multigrid = large,
               incomplete = large, polynomial = large;
  verified.verify_only = true;
  single.precision = Precision::fp32;
  jacobi.preconditioner = tensor::Preconditioner::jacobi;
  multigrid.preconditioner = tensor::Preconditioner::lor_amg;
  incomplete.preconditioner = tensor::Preconditioner::lor_ilu;
  polynomial.preconditioner = tensor::Preconditioner::chebyshev;
  const double need = tensor::memory_need(large, variant).total();
  CHECK(need > tensor::memory_need(case_of(512, 7), variant).total());
  CHECK(need > tensor::memory_need(verified, variant).total());
  CHECK(need > tensor::memory_need(single, variant).total());
  CHECK(need < tensor::memory_need(jacobi, variant).total());
  CHECK(tensor::memory_need(jacobi, variant).total() < tensor::memory_need(incomplete, variant).total());
  CHECK(tensor::memory_need(jacobi, variant).total() < tensor::memory_need(multigrid, variant).total());
  CHECK(tensor::memory_need(jacobi, variant).total() < tensor::memory_need(polynomial, variant).total());
}
