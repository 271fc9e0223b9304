// SPDX-License-Identifier: BSD-3-Clause
#include "graph/metis_parts.hpp"

#ifdef MINIAPP_HAVE_METIS
#include "core/own_signals.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::graph {

std::vector<idx_t> make_parts(MetisGraph graph, idx_t parts, idx_t excess, const std::string& argument) {
  idx_t vertices = static_cast<idx_t>(graph.size()), constraints = 1, cut = 0;
  std::vector<idx_t> part(vertices, 0);
  if (parts < 2) return part;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = excess;
  const OwnSignals own;
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.offsets.data(), graph.entries.data(), nullptr,
                                         nullptr, nullptr, &parts, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK)
    throw ResultError(argument, "metis", "METIS_PartGraphKway failed, status " + std::to_string(status));
  return part;
}

}  // namespace miniapp::graph
#endif
