// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/problem.hpp"

#include <algorithm>
#include <type_traits>

#include "miniapp/basis/even_odd.hpp"
#include "miniapp/geometry/line.hpp"
#include "support/problems.hpp"

TEST_CASE("The command line takes a problem's name with and without BP", "[tensor][problem]") {
  const Problem problem = any_problem();
  const std::size_t prefix = GENERATE(0, 2);

  const tensor::ProblemChoice choice = tensor::parse_problem(tensor::name(problem).substr(prefix));

  CHECK(choice.problem == problem);
  CHECK_FALSE(choice.ceed);
}

TEST_CASE("The words of problems are those that the command line takes, each another choice", "[tensor][problem]") {
  std::vector<std::pair<std::string, int>> chosen;
  for (const std::string& word : tensor::problem_words()) {
    const tensor::ProblemChoice choice = tensor::parse_problem(word);
    chosen.emplace_back(tensor::name(choice.problem) + (choice.ceed ? " of CEED" : ""), choice.components);
  }

  CHECK(chosen.size() == members<Problem>().size() + 6);
  std::sort(chosen.begin(), chosen.end());
  CHECK(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
}

TEST_CASE("CEED's names are the same problems", "[tensor][problem]") {
  const auto [text, problem] = GENERATE(
      table<std::string, Problem>({{"bp1", Problem::bp1_0}, {"bp3", Problem::bp3_0}, {"bp5", Problem::bp3_5}}));

  const tensor::ProblemChoice choice = tensor::parse_problem(text);

  CHECK(choice.problem == problem);
  CHECK(choice.ceed);
  CHECK(choice.components == 1);
}

TEST_CASE("CEED's even problems are the odd ones before them with three components", "[tensor][problem]") {
  const auto [text, scalar] =
      GENERATE(table<std::string, std::string>({{"bp2", "bp1"}, {"bp4", "bp3"}, {"bp6", "bp5"}}));

  const tensor::ProblemChoice choice = tensor::parse_problem(text);

  CHECK(choice.problem == tensor::parse_problem(scalar).problem);
  CHECK(choice.ceed);
  CHECK(choice.components == 3);
}

TEST_CASE("An unknown problem is bad input; the message names it and what is accepted", "[tensor][problem]") {
  const std::string text = GENERATE(as<std::string>(), "2.0", "", "bp7", "BP2.0", "BP1", "3", "3.0 ");

  CHECK_THROWS_AS(tensor::parse_problem(text), InputError);
  CHECK_THROWS_WITH(tensor::parse_problem(text), contains("bp") && contains("'" + text + "'") &&
                                                     contains("accepted are 1.0, ") && contains("bp1 .. bp6"));
}

TEST_CASE("All problems but the mass have a stiffness", "[tensor][problem]") {
  CHECK_FALSE(tensor::has_stiffness(Problem::bp1_0));
  CHECK(tensor::has_stiffness(Problem::bp3_0));
  CHECK(tensor::has_stiffness(Problem::bp3_5));
}

TEST_CASE("Collocated problems have their quadrature points at the nodes, the others one more per direction",
          "[tensor][problem]") {
  CHECK_FALSE(tensor::is_collocated(Problem::bp1_0));
  CHECK_FALSE(tensor::is_collocated(Problem::bp3_0));
  CHECK(tensor::is_collocated(Problem::bp3_5));
  const Problem problem = any_problem();
  CHECK(tensor::quadrature_points(problem, 7) == (tensor::is_collocated(problem) ? 8 : 9));
}

TEST_CASE("The paper's flops of an element of order 7 are those computed by hand", "[tensor][problem]") {
  // n = 8, m = 9; an interpolation: 2 (9 * 8^3 + 9^2 * 8^2 + 9^3 * 8) = 31248
  CHECK(tensor::cost(Problem::bp1_0, 7, 1).flops == 2 * 31248 + 729);
  CHECK(tensor::cost(Problem::bp3_0, 7, 1).flops == 2 * 31248 + 12 * 6561 + 20 * 729);
  CHECK(tensor::cost(Problem::bp3_5, 7, 1).flops == 12 * 4096 + 20 * 512);
}

TEST_CASE("The paper's bytes of an element of order 7 are those computed by hand", "[tensor][problem]") {
  CHECK(tensor::cost(Problem::bp1_0, 7, 1).bytes == 8 * (2 * 512 + 729));
  CHECK(tensor::cost(Problem::bp3_0, 7, 1).bytes == 8 * (2 * 512 + 7 * 729));
  CHECK(tensor::cost(Problem::bp3_5, 7, 1).bytes == 8 * 9 * 512);
}

TEST_CASE("Components share the factors, not the flops", "[tensor][problem]") {
  CHECK(tensor::cost(Problem::bp1_0, 7, 2, 8, 3).bytes == 2 * 8 * (3 * 2 * 512 + 729));
  CHECK(tensor::cost(Problem::bp3_0, 7, 2, 8, 3).bytes == 2 * 8 * (3 * 2 * 512 + 7 * 729));
  CHECK(tensor::cost(Problem::bp3_5, 7, 2, 8, 3).bytes == 2 * 8 * (3 * 2 + 7) * 512);
  const Problem problem = any_problem();
  CHECK(tensor::cost(problem, 5, 1, 8, 3).flops == 3 * tensor::cost(problem, 5, 1).flops);
}

TEST_CASE("Cost is proportional to the elements, bytes to the word", "[tensor][problem]") {
  const Problem problem = any_problem();
  const measure::Cost one = tensor::cost(problem, 3, 1), many = tensor::cost(problem, 3, 4096),
                      single = tensor::cost(problem, 3, 1, 4);

  CHECK(many.flops == 4096 * one.flops);
  CHECK(many.bytes == 4096 * one.bytes);
  CHECK(single.flops == one.flops);
  CHECK(2 * single.bytes == one.bytes);
}

namespace {

#ifdef __NVCC__
#pragma nv_diag_suppress 20011, 20014  // this number is for hosts, the functions that take it for both
#endif
/// A number that counts multiplications; those with tables of double included.
struct Counted {
  static inline int products = 0;
  double value = 0;
  Counted() = default;
  Counted(double v) : value(v) {}  // NOLINT: as a number
  Counted operator-() const { return {-value}; }
  Counted& operator+=(const Counted& b) { return *this = {value + b.value}; }
};
Counted operator+(const Counted& a, const Counted& b) { return {a.value + b.value}; }
Counted operator-(const Counted& a, const Counted& b) { return {a.value - b.value}; }
Counted operator*(const Counted& a, const Counted& b) {
  ++Counted::products;
  return {a.value * b.value};
}
Counted reciprocal(const Counted& a) { return {1 / a.value}; }

/// Multiplications of an even-odd contraction and of its transpose.
template <int rows, int columns, basis::Parity parity>
int contract_both() {
  const basis::EvenOdd<double, rows, columns, parity> A{};
  Counted x[columns], y[rows];
  Counted::products = 0;
  basis::apply(A, x, y);
  basis::apply_transposed(A, y, x);
  return Counted::products;
}

template <int order>
void check_contractions() {
  constexpr int n = order + 1, m = order + 2;
  const int interpolation = contract_both<m, n, basis::Parity::values>();
  const auto derivative = [](auto q) { return contract_both<q(), q(), basis::Parity::derivatives>(); };
  const auto count = [](Problem problem) {
    return tensor::multiplications(problem, order, Geometry::stored, tensor::Contraction::even_odd, 1);
  };
  const double lines = n * n + n * m + m * m;
  const double at_m = derivative(std::integral_constant<int, m>()), at_n = derivative(std::integral_constant<int, n>());
  CAPTURE(order);
  CHECK(count(Problem::bp1_0) == lines * interpolation + m * m * m);
  CHECK(count(Problem::bp3_5) == 3 * n * n * at_n + 10 * n * n * n);
  CHECK(count(Problem::bp3_0) == lines * interpolation + 3 * m * m * at_m + 10 * m * m * m);
}

}  // namespace

TEST_CASE("Multiplications are those that even-odd contractions do", "[tensor][problem]") {
  check_contractions<1>();
  check_contractions<2>();
  check_contractions<7>();
  check_contractions<8>();
}

TEST_CASE("Computed and constant factors take as many multiplications as their lines", "[tensor][problem]") {
  Counted ua = 1, ub = 1, uc = 1, u = 1, factors[geometry::num_factors] = {};
  const auto count_point = [&](const auto& line) {
    Counted::products = 0;
    u = u * line.apply(Counted(0.5), Counted(1), ua, ub, uc);
    return Counted::products;
  };
  using geometry::along_r, geometry::along_s, geometry::along_t;
  const int computed = count_point(geometry::StiffnessLine<Counted>{}),
            constant = count_point(geometry::ConstantLine<Counted>{});
  Counted::products = 0;
  geometry::ConstantLine<Counted>::make<along_r, along_s, along_t>(factors, 0., 0., 1., 1.);
  const int line = Counted::products;

  const auto count = [](Geometry geometry) {
    return tensor::multiplications(Problem::bp3_5, 3, geometry, tensor::Contraction::plain, 1);
  };
  CHECK(count(Geometry::computed) - count(Geometry::stored) == 4 * 4 * 4 * (computed - 10));
  CHECK(count(Geometry::affine) - count(Geometry::stored) == 4 * 4 * 4 * (constant - 10) + 4 * 4 * line);
  CHECK(count(Geometry::stored) == 6 * 4 * 4 * 4 * 4 + 10 * 4 * 4 * 4);
}

TEST_CASE("Plain contractions multiply as the paper counts", "[tensor][problem]") {
  const int order = GENERATE(1, 4, 15);
  const double m = order + 2;

  const double plain = tensor::multiplications(Problem::bp1_0, order, Geometry::stored, tensor::Contraction::plain, 3);

  CHECK(2 * (plain - 3 * m * m * m) == tensor::cost(Problem::bp1_0, order, 3).flops - 3 * m * m * m);
}
