// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "apps/tensor/options.hpp"

/// The options of a user's problem (docs/problems.md).
namespace miniapp::apps {

void add_problem_options(Options& options, TensorOptions& variables);

/// Reads the mesh of --mesh, if it is given, by the first rank, which gives the others their parts. Collective. Errors:
/// InputError naming --mesh.
void read_mesh(TensorOptions& o);

/// Sets o.user, of which the mesh is there, from o.words, and what follows from it: lambda and the boundary. Errors:
/// InputError naming the option, its value and what is accepted.
void set_user(const Options& options, TensorOptions& o);

/// Has the solution kept where --output wants it. Errors: InputError where there is none, or more than one.
void set_fields(TensorOptions& o);

}  // namespace miniapp::apps
