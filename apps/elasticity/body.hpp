// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/elasticity/options.hpp"

/// The options of a user's body (docs/problems.md).
namespace miniapp::apps {

void add_body_options(Options& options, ElasticityOptions& variables);

/// Reads the mesh of --mesh, by the first rank, which gives the others their parts, and sets o.body from o.words.
/// Collective. Errors: InputError naming the option, its value and what is accepted; those of elasticity::check().
void set_body(const Options& options, ElasticityOptions& o);

/// The body in words: its supports and loads.
std::string describe_body(const ElasticityOptions& o);

}  // namespace miniapp::apps
