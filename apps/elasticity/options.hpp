// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/frontend/memory.hpp"
#include "apps/frontend/options.hpp"
#include "apps/frontend/solution_file.hpp"
#include "miniapp/elasticity/body.hpp"
#include "runs/elasticity/settings.hpp"

namespace miniapp::apps {

/// A user's body, as given.
struct BodyWords {
  std::string mesh;
  std::vector<std::string> held, traction, pressure, gravity, material;
};

/// What `miniapp elasticity` is to do, checked and completed.
struct ElasticityOptions : elasticity::BeamSettings, OutputOptions {
  bool solve = false;                      ///< a cantilever or a body instead of single prisms
  BodyWords words;                         ///< what the user typed of `body`
  elasticity::Body body;                   ///< a user's body, where there is a mesh
  std::shared_ptr<const mesh::Mesh> mesh;  ///< the body's mesh, or this rank's part; null: a cantilever
  SolutionOptions solution;                ///< the file of the body's solution
  std::vector<int> orders;
  std::vector<elasticity::Method> methods;
  bool automatic = false;  ///< only the fastest is reported
  bool plan_only = false;  ///< only plans are made, for a device that is not here: any number of elements

  /// One order and one method that this build can run.
  struct Run {
    int order;
    elasticity::Method method;
  };
  /// All of them. The matrix of a cantilever is the same whatever computes it: then `automatic` is what is fast.
  std::vector<Run> runs() const;
};

/// The arguments of the command line, as given: those that need no other to be understood, and the words of the rest.
struct ElasticityArguments {
  ElasticityOptions direct;  ///< settings that options set themselves
  std::vector<std::string> order, variant;
  std::string elements_word = "auto", plan = "this", cells = "8x1x2";
};

void add_options(Options& options, ElasticityArguments& arguments);

/// Checks every argument and that memory suffices. Errors: InputError naming the option, its value and what is
/// accepted.
ElasticityOptions check(const ElasticityArguments& arguments, const Options& options);

/// The options that set its size: "--elements 64, --order 2,3".
std::string describe_size(const ElasticityOptions& options);

/// What a run needs, and the largest of all runs.
MemoryNeed memory_need(const ElasticityOptions& options, const ElasticityOptions::Run& run);
MemoryNeed memory_need(const ElasticityOptions& options);

}  // namespace miniapp::apps
