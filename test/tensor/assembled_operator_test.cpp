// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/assembled_operator.hpp"

#include "miniapp/tensor/verification.hpp"
#include "support/variants.hpp"

using indirect::Strategy;

namespace {

const int order = tensor::built_orders().front();

/// y = Z^T A_L Z x from a y of ones, by plans and by the kernel itself.
template <class Real>
void check_assembly(const tensor::Discretisation& d, const tensor::Variant& variant,
                    const indirect::PlanOptions& options) {
  const std::size_t nodes = d.space.num_nodes;
  const Vector<Real> x = convert<Real>(tensor::random_vector(d.space, 1));
  const Vector<Real> expected = make_zeros<Real>("expected", nodes), found = make_zeros<Real>("found", nodes);
  Kokkos::deep_copy(found, Real(1));
  tensor::make_operator<Real>(variant, d)->apply(Instance(), x, expected);
  const tensor::AssembledOperator<Real> assembled(tensor::make_operator<Real>(variant, d), options);
  assembled.apply(Instance(), x, found);
  const Values wanted = values(to_std(expected));
  CHECK_THAT(values(to_std(found)), AllClose(wanted, tolerance<Real>(64, largest(wanted))));
  const Vector<Real> other = make_zeros<Real>("other", nodes);  // another result, and the first again
  assembled.apply(Instance(), x, other);
  assembled.apply(Instance(), x, found);
  CHECK_THAT(values(to_std(other)), AllClose(wanted, tolerance<Real>(64, largest(wanted))));
  CHECK_THAT(values(to_std(found)), AllClose(wanted, tolerance<Real>(64, largest(wanted))));
}

}  // namespace

TEST_CASE("Assembly by any plan agrees with the fused kernel", "[tensor][assembled_operator]") {
  const auto boundary = GENERATE(space::Boundary::dirichlet, space::Boundary::neumann);
  const tensor::Discretisation d(make_turned_box(3, 2, 4), tensor::Problem::bp3_5, order, boundary, 1);
  const indirect::PlanOptions options =
      GENERATE(indirect::PlanOptions{Strategy::atomic}, indirect::PlanOptions{Strategy::staged},
               indirect::PlanOptions{Strategy::global}, indirect::PlanOptions{Strategy::hierarchical, 100},
               indirect::PlanOptions{Strategy::owner, 60});
  for (const tensor::Variant& variant : tensor::all_variants()) {
    if (variant.kernel == tensor::Kernel::reference || !tensor::why_not(variant, d).empty()) continue;
    CAPTURE(tensor::name(variant), indirect::name(options.strategy));
    check_assembly<double>(d, variant, options);
    if (tensor::why_not(variant, d, 4).empty()) check_assembly<float>(d, variant, options);
  }
}
