// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/ladder/ladder_rules.hpp"

#include <utility>

#include "miniapp/core/device.hpp"
#include "tensor/ladder/ladder.hpp"
#include "tensor/with_problem.hpp"

namespace miniapp::tensor {
namespace {

constexpr int max_order = 15;

/// What a rung says of itself at an order.
struct Facts {
  const char* idea;
  int threads, intermediate_words;
};

template <Problem problem, int order>
std::vector<Facts> facts() {
  return []<class... Rungs>(const std::tuple<Rungs...>*) {
    static_assert(sizeof...(Rungs) <= most_rungs);
    return std::vector<Facts>{{Rungs::idea, Rungs::threads, Rungs::intermediate_words}...};
  }(static_cast<const typename Ladder<problem, order>::Rungs*>(nullptr));
}

/// (order - 1, rung)
template <Problem problem>
const std::vector<std::vector<Facts>>& facts_of_orders() {
  static const auto all = []<int... i>(std::integer_sequence<int, i...>) {
    return std::vector<std::vector<Facts>>{facts<problem, i + 1>()...};
  }
  (std::make_integer_sequence<int, max_order>());
  return all;
}

const std::vector<Facts>& facts(Problem problem, int order) {
  return *with_problem(problem, [&]<Problem p>() { return &facts_of_orders<p>()[order - 1]; });
}

/// Null where the ladder is shorter.
const Facts* find(Problem problem, int rung, int order) {
  const std::vector<Facts>& ladder = facts(problem, order);
  return rung < static_cast<int>(ladder.size()) ? &ladder[rung] : nullptr;
}

std::string why_missing(Problem problem) {
  return "the ladder of " + name(problem) + " has " + std::to_string(number_of_rungs(problem)) + " rungs";
}

}  // namespace

int number_of_rungs(Problem problem) { return static_cast<int>(facts(problem, 1).size()); }

std::string rung_idea(Problem problem, int rung) {
  const Facts* const found = find(problem, rung, 1);
  return found ? found->idea : why_missing(problem);
}

std::string rung_why_not(Problem problem, int rung, int order, int word) {
  if (!find(problem, rung, order)) return why_missing(problem);
  if (word != sizeof(double)) return "exists in double precision only, the paper's";
  const auto threads = [&](int p) { return facts(problem, p)[rung].threads; };
  if (threads(order) <= max_threads) return "";
  int last = order;
  while (last > 0 && threads(last) > max_threads) --last;
  return "needs " + std::to_string(threads(order)) + " threads per team, and a team has at most " +
         std::to_string(max_threads) + ": exists up to order " + std::to_string(last);
}

int intermediate_words(Problem problem, int rung, int order) {
  const Facts* const found = find(problem, rung, order);
  return found ? found->intermediate_words : 0;
}

}  // namespace miniapp::tensor
