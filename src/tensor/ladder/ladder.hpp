// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tuple>

#include "tensor/ladder/bp1_0/rung1_reference.hpp"
#include "tensor/ladder/bp1_0/rung3_registers.hpp"
#include "tensor/ladder/bp1_0/rung6_unrolled.hpp"
#include "tensor/ladder/bp1_0/rung7_cube.hpp"
#include "tensor/ladder/bp3_0/rung1_reference.hpp"
#include "tensor/ladder/bp3_0/rung3_columns.hpp"
#include "tensor/ladder/bp3_0/rung4_registers.hpp"
#include "tensor/ladder/bp3_0/rung6_unrolled.hpp"
#include "tensor/ladder/bp3_0/rung7_cube.hpp"
#include "tensor/ladder/bp3_5/rung1_reference.hpp"
#include "tensor/ladder/bp3_5/rung2_scratch.hpp"
#include "tensor/ladder/bp3_5/rung3_columns.hpp"
#include "tensor/ladder/bp3_5/rung4_registers.hpp"
#include "tensor/ladder/bp3_5/rung6_unrolled.hpp"
#include "tensor/ladder/ladder_operator.hpp"

namespace miniapp::tensor {

/// The rungs of a problem, first to last; none unless it is said below.
template <Problem problem, int order>
struct Ladder {
  using Rungs = std::tuple<>;
};

template <int order>
struct Ladder<Problem::bp1_0, order> {
  using Rungs = std::tuple<bp1_0::Rung1<order>, bp1_0::Rung2<order>, bp1_0::Rung3<order>, bp1_0::Rung4<order>,
                           bp1_0::Rung5<order>, bp1_0::Rung6<order>, bp1_0::Rung7<order>, bp1_0::Rung8<order>>;
};

template <int order>
struct Ladder<Problem::bp3_0, order> {
  using Rungs = std::tuple<bp3_0::Rung1<order>, bp3_0::Rung2<order>, bp3_0::Rung3<order>, bp3_0::Rung4<order>,
                           bp3_0::Rung5<order>, bp3_0::Rung6<order>, bp3_0::Rung7<order>, bp3_0::Rung8<order>>;
};

template <int order>
struct Ladder<Problem::bp3_5, order> {
  using Rungs = std::tuple<bp3_5::Rung1<order>, bp3_5::Rung2<order>, bp3_5::Rung3<order>, bp3_5::Rung4<order>,
                           bp3_5::Rung5<order>, bp3_5::Rung6<order>, bp3_5::Rung7<order>, bp3_5::Rung8<order>>;
};

/// Rung number `index` + 1 as an operator; nullptr if there is none.
template <Problem problem, int order, int index = 0>
std::unique_ptr<ElementOperator<double>> make_rung(int wanted, const Discretisation& discretisation) {
  using Rungs = typename Ladder<problem, order>::Rungs;
  if constexpr (index < int(std::tuple_size_v<Rungs>)) {
    using Rung = std::tuple_element_t<index, Rungs>;
    if (wanted != index) return make_rung<problem, order, index + 1>(wanted, discretisation);
    if constexpr (Rung::threads <= max_threads)
      return std::make_unique<LadderOperator>(discretisation, "tensor/rung" + std::to_string(index + 1),
                                              rung_kernel<Rung>());
  }
  return nullptr;
}

}  // namespace miniapp::tensor
