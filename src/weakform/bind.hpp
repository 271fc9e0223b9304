// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/weakform/case.hpp"
#include "miniapp/weakform/form.hpp"

namespace miniapp::weakform {

/// What a form of the library consists of, in one dimension.
struct FormParts {
  FormFacts facts;
  std::vector<double> (*exact)(const mesh::Point&);
  double (*coefficient)(const mesh::Point&);
  std::unique_ptr<BoundForm> (*bind)(Precision, const mesh::Mesh&, const space::Space&, const Options&,
                                     const std::vector<double>& kappa);
  ReferenceBounds (*bounds)(const mesh::Mesh&, const space::Space&, const std::vector<double>& kappa,
                            const std::vector<double>& u, const std::vector<double>& w, bool rounds_input);
  std::unique_ptr<BoundForm> (*bind_data)(const mesh::Mesh&, const PreparedForm&, const Options&);
  ReferenceBounds (*bounds_of_data)(const mesh::Mesh&, const PreparedForm&, const std::vector<double>& u,
                                    const std::vector<double>& w);
};

/// Defined in bind.ipp. A source in forms/ instantiates it for each equation, since that takes long to compile.
template <Form E>
FormParts make_parts();

}  // namespace miniapp::weakform
