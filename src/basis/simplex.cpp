// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/simplex.hpp"

#include <string>

#include "miniapp/core/error.hpp"

namespace miniapp::basis {
namespace {

/// An orbit under permutations of barycentric coordinates: 1 point for (1/3, 1/3, 1/3), 3 for (a, a, 1 - 2a), 6 for (a,
/// b, 1 - a - b). All its points have the same weight, relative to the triangle's area.
struct Orbit {
  int size;
  double weight, a = 0, b = 0;
};

struct Table {
  int degree;
  std::vector<Orbit> orbits;
};

const std::vector<Table>& tables() {
  static const std::vector<Table> all{
      {2, {{3, 0.333333333333333333, 0.166666666666666667}}},
      {4, {{3, 0.223381589678011466, 0.445948490915964886}, {3, 0.109951743655321868, 0.0915762135097707435}}},
      {6,
       {{3, 0.116786275726379366, 0.249286745170910421},
        {3, 0.0508449063702068169, 0.0630890144915022283},
        {6, 0.0828510756183735752, 0.0531450498448169474, 0.310352451033784405}}},
      {8,
       {{1, 0.144315607677787168},
        {3, 0.0950916342672846248, 0.459292588292723156},
        {3, 0.103217370534718250, 0.170569307751760207},
        {3, 0.0324584976231980803, 0.0505472283170309755},
        {6, 0.0272303141744349943, 0.00839477740995760534, 0.263112829634638113}}},
      {10,
       {{1, 0.0908179903827535801},
        {3, 0.0367259577564667047, 0.485577633383657377},
        {3, 0.0453210594355279348, 0.109481575485037055},
        {6, 0.0727579168454201086, 0.141707219414879955, 0.307939838764120950},
        {6, 0.0283272425310574848, 0.0250035347626863861, 0.246672560639902694},
        {6, 0.00942166696373282346, 0.00954081540029945758, 0.0668032510122002658}}},
      {12,
       {{3, 0.0257310664404553354, 0.488217389773804883},
        {3, 0.0436925445380384021, 0.439724392294460273},
        {3, 0.0628582242178851004, 0.271210385012115922},
        {3, 0.0347961129307089430, 0.127576145541585925},
        {3, 0.00616626105155901723, 0.0213173504532103702},
        {6, 0.0403715577663809295, 0.115343494534697999, 0.275713269685514194},
        {6, 0.0223567732023034457, 0.0228383322222570296, 0.281325580989939548},
        {6, 0.0173162311086588924, 0.0257340505483302282, 0.116251915907597141}}},
      {14,
       {{3, 0.0218835813694288906, 0.488963910362178639},
        {3, 0.0327883535441253506, 0.417644719340453923},
        {3, 0.0517741045072915863, 0.273477528308838660},
        {3, 0.0421625887369930175, 0.177205532412543437},
        {3, 0.0144336996697766676, 0.0617998830908726013},
        {3, 0.00492340360240008168, 0.0193909612487010482},
        {6, 0.0246657532125636740, 0.0571247574036479390, 0.172266687821355578},
        {6, 0.0385715107870606832, 0.0929162493569718248, 0.336861459796345002},
        {6, 0.0144363081135338405, 0.0146469500556544097, 0.298372882136257753},
        {6, 0.00501022883850067177, 0.00126833093287202509, 0.118974497696956845}}}};
  return all;
}

void append(TriangleRule& rule, const Orbit& orbit) {
  const auto add = [&](double x, double y) {
    rule.points.push_back({x, y});
    rule.weights.push_back(0.5 * orbit.weight);
  };
  const double a = orbit.a, b = orbit.b;
  if (orbit.size == 1) {
    add(1 / 3.0, 1 / 3.0);
  } else if (orbit.size == 3) {
    add(a, a);
    add(1 - 2 * a, a);
    add(a, 1 - 2 * a);
  } else {
    const double c = 1 - a - b;
    add(a, b);
    add(b, c);
    add(c, a);
    add(b, a);
    add(c, b);
    add(a, c);
  }
}

}  // namespace

TriangleRule triangle_rule(int degree) {
  TriangleRule rule;
  for (const Table& table : tables())
    if (table.degree == degree)
      for (const Orbit& orbit : table.orbits) append(rule, orbit);
  require(rule.size() > 0, "triangle rule of degree " + std::to_string(degree) + ": there are 2, 4, 6, 8, 10, 12, 14");
  return rule;
}

namespace {

/// Four points (a, b, b, b), b = (1 - a) / 3, or six (a, a, b, b), b = 1/2 - a, by barycentric coordinates, each with
/// this weight relative to the volume.
void append(TetrahedronRule& rule, int size, double weight, double a) {
  const auto add = [&](const std::array<double, 4>& c) {
    rule.points.push_back({c[1], c[2], c[3]});
    rule.weights.push_back(weight / 6);
  };
  const double b = size == 4 ? (1 - a) / 3 : 0.5 - a;
  for (int i = 0; i < 4; ++i) {
    std::array<double, 4> one = {b, b, b, b};
    one[i] = a;
    if (size == 4) add(one);
    for (int j = i + 1; j < 4 && size == 6; ++j) {
      std::array<double, 4> two = one;
      two[j] = a;
      add(two);
    }
  }
}

}  // namespace

TetrahedronRule tetrahedron_rule(int degree) {
  require(degree == 1 || degree == 2 || degree == 5,
          "tetrahedron rule of degree " + std::to_string(degree) + ": there are 1, 2, 5");
  TetrahedronRule rule;
  if (degree == 1) return {{{0.25, 0.25, 0.25}}, {1 / 6.0}};
  if (degree == 2) {
    append(rule, 4, 0.25, simplex_point<3, 4>(0, 0));
  } else {
    append(rule, 4, 0.112687925718015851, 1 - 3 * 0.310885919263300610);
    append(rule, 4, 0.0734930431163619495, 1 - 3 * 0.0927352503108912264);
    append(rule, 6, 0.0425460207770814664, 0.0455037041256496495);
  }
  return rule;
}

}  // namespace miniapp::basis
