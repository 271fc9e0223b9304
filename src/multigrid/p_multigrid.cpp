// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/p_multigrid.hpp"

#include <algorithm>
#include <optional>

#include "miniapp/core/error.hpp"
#include "miniapp/multigrid/chebyshev.hpp"
#include "miniapp/multigrid/p_transfer.hpp"
#include "multigrid/lowest_order.hpp"
#include "multigrid/random_nodes.hpp"
#include "solver/precision.hpp"

namespace miniapp::multigrid {
namespace {

/// Options of the cycle on order 1. It takes a small part of the time of all orders, and the better it is the fewer
/// iterations there are: one less at orders 2 to 7 than with two sweeps. On GPUs six sweeps took as many iterations as
/// ten at 512 to 32 768 elements and were sooner done, and one iteration more at 262 144; on hosts, where sweeps cost
/// little, ten took one less at 32 768. On hosts a W-cycle costs no more and takes one iteration less at order 2 on
/// 64^3 elements; on GPUs it costs launches. On large meshes a cycle leaves much of smooth residuals: there two of five
/// sweeps cost as much as one of ten, and take an iteration less at orders 2 and 3 on 64^3 elements. On cubes
/// trilinear elements couple nodes across edges and across the cell only, by 1/16 and 1/32 of the diagonal.
solver::AmgOptions lowest_options(double elements) {
  solver::AmgOptions options;
  options.cycle = runs_on_host ? solver::Cycle::w : solver::Cycle::v;
  const bool large = elements > 65536;
  options.cycles = large ? 2 : 1;
  options.sweeps = large ? 5 : runs_on_host ? 10 : 6;
  options.strength = 0.01;
  return options;
}

}  // namespace

/// A level: f is its right-hand side, x the result of a cycle.
struct PMultigrid::Level {
  std::optional<Discretisation> own;  ///< the discretisation of a lower order, on the same mesh
  const Discretisation* discretisation;
  std::unique_ptr<Chebyshev> smoother;  ///< none: order 1
  Vector<float> f, x;
  std::unique_ptr<PTransfer> to_lower;

  const space::Space& space() const { return discretisation->space; }
};

PMultigrid::~PMultigrid() = default;

PMultigrid::PMultigrid(const Discretisation& d, const MultigridOptions& options)
    : PMultigrid(d, options, *std::make_unique<measure::Phases>()) {}

PMultigrid::PMultigrid(const Discretisation& d, const MultigridOptions& options, measure::Phases& phases)
    : options_(options),
      chooses_degree_(options.degree <= 0),
      terms_(d.terms()),
      orders_(multigrid_orders(d.order, built_orders())) {
  const KeepMemory keep;
  require(d.order > 1, "p-multigrid: order 1 has no lower one; accepted are orders above 1");
  for (const int order : orders_) {
    auto level = std::make_unique<Level>();
    phases.time("levels", [&] {
      if (order < d.order) level->own.emplace(d.of_order(order));
      level->discretisation = level->own ? &*level->own : &d;
    });
    const auto make = [&] { return make_zeros<float>("multigrid/multigrid", level->space().num_entries()); };
    level->f = make();
    level->x = make();
    if (order > 1)
      phases.time("smoothers", [&] {
        level->smoother = std::make_unique<Chebyshev>(*level->discretisation, options_.smoother,
                                                      chebyshev_smoother(std::max(options_.degree, 1)));
      });
    if (!levels_.empty())
      phases.time("transfers", [&] {
        levels_.back()->to_lower = make_transfer(*level->discretisation, *levels_.back()->discretisation);
      });
    levels_.push_back(std::move(level));
  }
  phases.time("eigenvalues", [&] { estimate_eigenvalues(); });
  const Discretisation& lowest = *levels_.back()->discretisation;
  const Communicator& ranks = d.space.exchange.ranks();
  const auto elements = double(ranks.sum(std::int64_t(d.mesh->num_elements())));
  if (!ranks.is_alone() && options_.lowest == LowestWork::automatic)
    options_.lowest = usual_lowest_work(elements, ranks.size());
  phases.time("amg",
              [&] { lowest_ = std::make_unique<LowestOrder>(lowest, lowest_options(elements), options_.lowest); });
}

void PMultigrid::update(measure::Phases& phases) {
  const Discretisation& first = *levels_.front()->discretisation;
  if (terms_ == first.terms()) return;
  replay_.reset();  // arrays are others
  for (const auto& level : levels_) {
    if (level->own) level->own->take_terms(first);
    if (level->smoother) phases.time("smoothers", [&] { level->smoother->update(); });
  }
  phases.time("eigenvalues", [&] { estimate_eigenvalues(); });
  phases.time("amg", [&] { lowest_->update(); });
  terms_ = first.terms();
}

void PMultigrid::update() {
  measure::Phases phases;
  update(phases);
}

/// With Schwarz from a random vector on the lowest order, on the others from the result of the one below, so that fewer
/// steps suffice (docs/multigrid.md).
void PMultigrid::estimate_eigenvalues() {
  const Instance instance;
  for (std::size_t l = levels_.size() - 1; l-- > 0;) {
    const Chebyshev& smoother = *levels_[l]->smoother;
    const bool lowest = l + 2 == levels_.size();
    if (!smoother.is_symmetric()) {
      if (lowest) {
        randomise(*levels_[l]->discretisation, levels_[l]->x);
      } else {
        fill(levels_[l]->x, 0.f);
        levels_[l]->to_lower->prolong(instance, levels_[l + 1]->x, levels_[l]->x);
      }
    }
    levels_[l]->smoother->estimate_largest(lowest ? 8 : 5, levels_[l]->x);
  }
  if (!chooses_degree_) return;
  options_.degree = usual_degree(options_.smoother, levels_.front()->smoother->estimate());
  for (const auto& level : levels_)
    if (level->smoother) level->smoother->set_steps(chebyshev_smoother(options_.degree));
}

const std::vector<solver::AmgLevel>& PMultigrid::lowest_levels() const { return lowest_->levels(); }

std::vector<double> PMultigrid::largest_eigenvalues() const {
  std::vector<double> all;
  for (const auto& level : levels_)
    if (level->smoother) all.push_back(level->smoother->largest());
  return all;
}

void PMultigrid::cycle(const Instance& instance, std::size_t l) const {
  const Level& level = *levels_[l];
  if (!level.smoother) {
    if (!lowest_->adds_parts()) level.space().exchange.sum(instance, level.f);
    return lowest_->run(instance, level.f, level.x);
  }
  const Level& lower = *levels_[l + 1];
  level.smoother->run(instance, level.f, level.x, true, l > 0);
  // ranks' parts of the residual are restricted, and their sum is taken on the lower order alone
  level.to_lower->restrict_to(instance, level.f, level.smoother->subtrahend(instance, level.f, level.x), lower.f);
  cycle(instance, l + 1);
  level.to_lower->prolong(instance, lower.x, level.x);
  level.smoother->run(instance, level.f, level.x, false);
}

Vector<float> PMultigrid::residual() const { return levels_.front()->f; }
Vector<const float> PMultigrid::correction() const { return levels_.front()->x; }

bool PMultigrid::waits() const {
  return lowest_->waits() || std::any_of(levels_.begin(), levels_.end(), [](const auto& level) {
           return level->space().exchange.waits() || (level->smoother && level->smoother->waits());
         });
}

void PMultigrid::run(const Instance& instance) const {
  const auto work = [&] {
    cycle(instance, 0);
    // where elements of several ranks prolong to a node, they differ by rounding
    const Level& first = *levels_.front();
    if (!first.smoother->makes_copies_equal()) first.space().exchange.copy_from_owners(instance, first.x);
  };
  replay_.run(instance, work, !waits());
}

template <class Real>
double PMultigrid::apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                         const Vector<Real>& z, double) const {
  const Level& first = *levels_.front();
  linalg::for_entries(instance, space, "multigrid/multigrid/enter",
                      solver::Convert<Real, float>{r.data(), first.f.data()});
  run(instance);
  return linalg::sum_all(instance, space, "multigrid/multigrid/leave",
                         solver::Leave<Real, float>{r.data(), first.x.data(), z.data()});
}

std::vector<double> PMultigrid::level_seconds(const Instance& instance, int repeat) const {
  std::vector<double> seconds(levels_.size());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Replay replay;
    const Communicator& ranks = levels_[l]->space().exchange.ranks();
    if (l > 0) fill(levels_[l]->f, 0.f);  // each cycle adds what ranks have
    const auto run = [&] {
      replay.run(
          instance, [&] { cycle(instance, l); }, !waits());
    };
    seconds[l] = measure::time(run, repeat, ranks).median;
  }
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) seconds[l] = std::max(0., seconds[l] - seconds[l + 1]);
  return seconds;
}

double PMultigrid::bytes() const {
  double sum = lowest_->bytes();
  for (const auto& level : levels_) {
    sum += 4. * double(level->f.extent(0) + level->x.extent(0));
    if (level->smoother) sum += level->smoother->bytes();
    if (level->to_lower) sum += level->to_lower->bytes();
    if (level->own) sum += 4. * double(level->own->space.element_to_node.num_entries());
  }
  return sum;
}

template double PMultigrid::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                  const Vector<double>&, double) const;
template double PMultigrid::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                  const Vector<float>&, double) const;

}  // namespace miniapp::multigrid
