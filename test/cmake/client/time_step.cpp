// SPDX-License-Identifier: BSD-3-Clause
/// What a step of another length costs beside a new set-up (docs/examples.md): time_step N ORDER, on N^3 elements with
/// k, Dirichlet and Robin conditions. Prints seconds of the processor, the least of five changes.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/multigrid/p_multigrid.hpp>
#include <miniapp/solver/cg.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <miniapp/tensor/user_problem.hpp>
#include <string>

using namespace miniapp;
using tensor::function;

template <class Work>
double seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  Kokkos::fence();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const int n = argc > 1 ? std::stoi(argv[1]) : 4, order = argc > 2 ? std::stoi(argv[2]) : 2;
  double scale = 1;
  tensor::UserProblem problem;
  problem.coefficient = {{"", function([&](double x, double y, double) { return 1 + scale * x * y; })}};
  problem.source = function([](double x, double, double) { return 1 + x; });
  problem.dirichlet = {{"x0", function([](double, double y, double) { return y; })}};
  problem.robin = {{"x1", function([](double, double, double) { return 1.; }),
                    function([&](double, double y, double) { return scale * (1 + y); })}};
  const mesh::Mesh cube = tensor::make_named_box(n, n, n);
  std::unique_ptr<tensor::PreparedProblem> ready;
  std::unique_ptr<tensor::ElementOperator<double>> A;
  std::unique_ptr<multigrid::PMultigrid> B;
  const double set_up = seconds([&] {
    ready = std::make_unique<tensor::PreparedProblem>(tensor::prepare(problem, cube, order, 100));
    A = tensor::make_operator<double>(tensor::fastest(ready->discretisation), ready->discretisation);
    B = std::make_unique<multigrid::PMultigrid>(ready->discretisation);
  });
  const Vector<double> u("u", ready->rhs.extent(0));
  double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  for (int step = 1; step < 7; ++step) {
    const auto take = [&](int what, const auto& work) {
      const double time = seconds(work);
      if (step > 1) least[what] = std::min(least[what], time);  // the first makes an operator for b
    };
    take(0, [&] { tensor::update(*ready, problem); });
    take(1, [&] { solver::cg<double>(Instance(), *A, *B, ready->rhs, u, {1e-8, 1000, {}}); });
    tensor::update_lambda(*ready, 100 * step);
    take(2, [&] { A->update(), B->update(); });
    scale = 1 + step;
    take(3, [&] { tensor::update_coefficients(*ready, problem), A->update(), B->update(); });
  }
  std::cout << "set-up " << set_up << " s, b of a step " << least[0] << ", solve " << least[1] << ", another lambda "
            << least[2] << ", another k and alpha " << least[3] << '\n';
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
