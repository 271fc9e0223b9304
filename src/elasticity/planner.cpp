// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/planner.hpp"

#include <algorithm>

#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::elasticity {
namespace {

constexpr int granule = 64;  // two warps of NVIDIA GPUs, one wavefront of AMD GPUs
constexpr std::size_t block_entries = 9, jacobian_numbers = 10, vertex_numbers = 18, material_numbers = 2,
                      point_numbers = 4;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t round_down(std::int64_t a, std::int64_t multiple) { return a / multiple * multiple; }

/// Size of a team's scratch in addition to its part of the matrix: at each point, all shape functions with derivatives.
std::size_t workspace_numbers(const Plan& plan, int points) {
  const std::size_t shared = points * (4 * std::size_t(plan.num_functions) + jacobian_numbers) + material_numbers;
  return plan.variant.jacobian == Jacobian::computed ? shared + vertex_numbers + point_numbers : shared;
}

std::size_t input_numbers(const Plan& plan, std::int64_t elements) {
  const std::size_t points = plan.num_points, tables = 4 * points * plan.num_functions;
  return plan.variant.jacobian == Jacobian::computed
             ? elements * (vertex_numbers + material_numbers) + tables + point_numbers * points
             : elements * (jacobian_numbers * points + material_numbers) + tables;
}

/// Bytes that are left after the first `taken`.
std::size_t rest(std::size_t bytes, std::size_t taken) { return bytes > taken ? bytes - taken : 0; }

void plan_parts(Plan& plan, const DeviceLimits& limits) {
  const std::size_t real = word_bytes(plan.precision),
                    workspace = real * workspace_numbers(plan, limits.points_at_once),
                    scratch = limits.scratch_bytes / limits.teams_sharing_scratch,
                    room = rest(scratch, workspace) / (block_entries * real);  // in blocks
  const bool in_scratch = plan.variant.storage == Storage::scratch;
  const std::int64_t allowed = round_down(limits.threads_per_team, granule);
  std::int64_t threads = std::min(allowed, std::max<std::int64_t>(granule, round_down(plan.blocks, granule)));
  if (plan.blocks < allowed)
    threads = divide_up(divide_up(plan.blocks, divide_up(plan.blocks, threads)), granule) * granule;
  if (in_scratch) threads = std::min<std::int64_t>(threads, round_down(room, granule));
  const std::size_t needed = workspace + (in_scratch ? granule * block_entries * real : 0);
  require(needed <= scratch, "a team of " + name(plan.variant) + " at order " + std::to_string(plan.order) +
                                 " needs at least " + std::to_string(needed) + " bytes of scratch; " + limits.name +
                                 " has " + std::to_string(scratch));
  const std::int64_t rounds = divide_up(plan.blocks, threads);
  if (!in_scratch && rounds <= limits.blocks_in_registers && limits.blocks_in_registers > 1)  // one part: none idle
    threads = divide_up(divide_up(plan.blocks, rounds), granule) * granule;
  plan.threads = static_cast<int>(threads);
  plan.parts = static_cast<int>(divide_up(rounds, in_scratch ? room / threads : limits.blocks_in_registers));
  plan.blocks_per_thread = static_cast<int>(divide_up(rounds, plan.parts));
  plan.scratch_bytes = workspace + (in_scratch ? plan.threads * plan.blocks_per_thread * block_entries * real : 0);
}

/// Number of elements whose input and output fit in the device; the input is always smaller than the output.
std::int64_t capacity(const Plan& plan, const DeviceLimits& limits) {
  const std::size_t real = word_bytes(plan.precision), tables = real * input_numbers(plan, 0),
                    input = real * input_numbers(plan, 1) - tables;
  const std::int64_t blocks =
      limits.reserve == Reserve::blocks ? plan.blocks : divide_up(plan.blocks, plan.threads) * plan.threads;
  const std::size_t output = block_entries * blocks * real;
  return static_cast<std::int64_t>(
      std::min(limits.array_bytes / output, rest(limits.memory_bytes, tables) / (input + output)));
}

void plan_elements(Plan& plan, const DeviceLimits& limits, std::int64_t room, std::int64_t wanted) {
  const std::int64_t per_unit =
                         std::min<std::int64_t>(limits.teams_per_unit, limits.threads_per_kernel /
                                                                           (std::int64_t(plan.threads) * limits.units)),
                     at_once = per_unit > 0 ? per_unit * limits.units : limits.threads_per_kernel / plan.threads;
  if (wanted <= room)
    plan.elements = wanted;
  else if (room >= at_once)
    plan.elements = round_down(room, at_once);
  else
    plan.elements = room >= limits.units ? round_down(room, limits.units) : room;
  plan.elements_per_team = divide_up(plan.elements, at_once);
  plan.teams = divide_up(plan.elements, plan.elements_per_team);
}

void check(int order, const DeviceLimits& limits, std::int64_t elements) {
  require(order >= 1 && order <= basis::largest_prism_order, "order", order,
          "accepted are 1.." + std::to_string(basis::largest_prism_order));
  require(elements >= 1, std::to_string(elements) + " elements: accepted are 1 and more");
  require(limits.units >= 1 && limits.teams_per_unit >= 1 && limits.teams_sharing_scratch >= 1 &&
              limits.threads_per_team >= granule && limits.threads_per_kernel >= limits.threads_per_team,
          limits.name + ": a plan needs a unit, a team on it and " + std::to_string(granule) + " threads in a team");
}

/// The plan for one element, without the number of elements.
Plan cut(int order, const DeviceLimits& limits, const Variant& variant, Precision precision) {
  Plan plan{order, basis::number_of_shape_functions(order), basis::number_of_points(order), variant, precision};
  plan.blocks = std::int64_t(plan.num_functions) * plan.num_functions;
  plan_parts(plan, limits);
  return plan;
}

[[noreturn]] void refuse(const Plan& plan, const DeviceLimits& limits) {
  int fits = plan.order - 1;
  while (fits > 0 && capacity(cut(fits, limits, plan.variant, plan.precision), limits) < 1) --fits;
  const std::size_t real = word_bytes(plan.precision);
  throw InputError(
      name(plan.variant) + " at order " + std::to_string(plan.order) + ": no room on " + limits.name +
      " for one element, whose matrix takes " + std::to_string(block_entries * plan.blocks * real) +
      " bytes and whose input " + std::to_string(real * input_numbers(plan, 1)) + "; arrays may take " +
      std::to_string(limits.array_bytes) + " each and " + std::to_string(limits.memory_bytes) +
      " in all: " + (fits ? "the largest order with room is " + std::to_string(fits) : "no order has room") +
      (plan.precision == Precision::fp64 ? ", single precision takes half" : ""));
}

}  // namespace

std::string name(const Variant& variant) {
  return std::string(variant.storage == Storage::registers ? "reg" : "shm") +
         (variant.jacobian == Jacobian::computed ? "_jac" : "_nojac");
}

std::vector<Variant> all_variants() {
  return {{Storage::registers, Jacobian::computed},
          {Storage::registers, Jacobian::read},
          {Storage::scratch, Jacobian::computed},
          {Storage::scratch, Jacobian::read}};
}

double useful_flops(const Plan& plan) { return double(flops_per_block) * plan.num_points * plan.blocks; }
double performed_flops(const Plan& plan) { return double(flops_per_block) * plan.num_points * plan.performed_blocks(); }

Plan make_plan(int order, const DeviceLimits& limits, const Variant& variant, Precision precision,
               std::int64_t elements) {
  check(order, limits, elements);
  Plan plan = cut(order, limits, variant, precision);
  const std::int64_t room = capacity(plan, limits);
  if (room < 1) refuse(plan, limits);
  plan_elements(plan, limits, room, elements);
  const std::size_t real = word_bytes(precision);
  plan.input_bytes = real * input_numbers(plan, plan.elements);
  plan.output_bytes = real * block_entries * plan.blocks * plan.elements;
  return plan;
}

}  // namespace miniapp::elasticity
