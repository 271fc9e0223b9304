// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/colouring.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "support/catch.hpp"

using namespace miniapp::graph;

namespace {

Map random_map(std::size_t elements, int arity, int targets) {
  std::mt19937 random(7);
  Map map(elements, arity);
  for (Index& id : map.entries) id = static_cast<Index>(random() % targets);
  return map;
}

/// Whether every set is in one colour, and no two of a colour share a target.
bool is_valid(const Colouring& colouring, const Csr<>& sets) {
  std::vector<Index> order = colouring.entries;
  std::sort(order.begin(), order.end());
  for (std::size_t s = 0; s < order.size(); ++s)
    if (order[s] != static_cast<Index>(s)) return false;
  for (std::size_t c = 0; c < colouring.size(); ++c) {
    std::set<Index> taken;
    for (const Index s : colouring[c]) {
      const std::set<Index> own(sets[s].begin(), sets[s].end());
      for (const Index target : own)
        if (!taken.insert(target).second) return false;
    }
  }
  return order.size() == sets.size();
}

}  // namespace

TEST_CASE("Sets of one colour share no target", "[graph][colouring]") {
  const Choice choice = GENERATE(Choice::first_fit, Choice::least_used);
  const int arity = GENERATE(1, 2, 3, 8);
  const Csr<> sets = target_sets(random_map(1001, arity, 200));
  CHECK(is_valid(colour(sets, 200, choice), sets));
}

TEST_CASE("There are as many colours as elements at a target, even more than a word holds", "[graph][colouring]") {
  Map star(150, 2);  // all elements meet at target 0
  for (int e = 0; e < 150; ++e) star[e][0] = 0, star[e][1] = e + 1;
  const Csr<> sets = target_sets(star);
  const Colouring colouring = colour(sets, 151, GENERATE(Choice::first_fit, Choice::least_used));
  CHECK(colouring.size() == 150);
  CHECK(is_valid(colouring, sets));
}

TEST_CASE("Least used colours have similar sizes where first fit has few colours", "[graph][colouring]") {
  Map chain(1000, 2);
  for (int e = 0; e < 1000; ++e) chain[e][0] = e, chain[e][1] = e + 1;
  const Colouring colouring = colour(target_sets(chain), 1001, Choice::least_used);
  CHECK(colouring.size() == 2);
  CHECK(colouring.offsets == std::vector<Index>{0, 500, 1000});
}

TEST_CASE("An empty set needs no colours", "[graph][colouring]") {
  const Colouring colouring = colour(target_sets(Map(0, 2)), 0, Choice::first_fit);
  CHECK(colouring.size() == 0);
  CHECK(colouring.entries.empty());
}
