// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/triangle.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/basis/quadrature.hpp"

namespace miniapp::basis {
namespace {

using Barycentric = std::array<double, 3>;

/// line[n][k]: the k-th node of degree n on [0, 1]; degree 0 is unused.
std::vector<std::vector<double>> line_nodes(int p) {
  std::vector<std::vector<double>> line{{0.5}};
  for (int n = 1; n <= p; ++n) {
    line.push_back(gauss_lobatto(n + 1).points);
    for (double& x : line.back()) x = 0.5 * (1 + x);
  }
  return line;
}

Barycentric recursive_node(const std::vector<std::vector<double>>& line, int p, const TriangleLattice& a) {
  Barycentric sum{0, 0, 0};
  double weights = 0;
  for (int i = 0; i < 3; ++i) {  // the edge opposite vertex i, and the point on it that the other two indices give
    const int j = (i + 1) % 3, k = (i + 2) % 3, n = p - a[i];
    const double weight = line[p][n];
    sum[j] += weight * line[n][a[j]];
    sum[k] += weight * line[n][a[k]];
    weights += weight;
  }
  for (double& b : sum) b /= weights;
  return sum;
}

/// A polynomial's value and its derivatives along x and y.
struct Jet {
  double value = 0, x = 0, y = 0;
};
Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.x * b.value + a.value * b.x, a.y * b.value + a.value * b.y};
}
Jet operator*(double c, const Jet& a) { return {c * a.value, c * a.x, c * a.y}; }
Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.x + b.x, a.y + b.y}; }

/// s^m P_m(xi / s), m = 0 .. p: Legendre's recurrence without the division, which fails at the vertex s = 0.
std::vector<Jet> scaled_legendre(int p, const Jet& xi, const Jet& s) {
  std::vector<Jet> values{{1, 0, 0}, xi};
  for (int m = 1; m < p; ++m)
    values.push_back(((2 * m + 1.0) / (m + 1)) * (xi * values[m]) + (-m / (m + 1.0)) * (s * s * values[m - 1]));
  return values;
}

/// Jacobi's P_n^(alpha, 0)(t), n = 0 .. p (Abramowitz and Stegun 22.7.1).
std::vector<Jet> jacobi(int p, double alpha, const Jet& t) {
  std::vector<Jet> values{{1, 0, 0}, (0.5 * (alpha + 2)) * t + Jet{0.5 * alpha, 0, 0}};
  for (int n = 1; n < p; ++n) {
    const double c = 2 * n + alpha, scale = 1 / (2 * (n + 1) * (n + alpha + 1) * c);
    const Jet slope = ((c + 1) * c * (c + 2)) * t + Jet{(c + 1) * alpha * alpha, 0, 0};
    values.push_back(scale * (slope * values[n]) + (-scale * 2 * (n + alpha) * n * (c + 2)) * values[n - 1]);
  }
  return values;
}

/// Solves x A = b for each row b of `rows`, in place, by elimination with pivoting.
void solve_rows(Matrix A, Matrix& rows) {
  const int n = A.rows;
  for (int k = 0; k < n; ++k) {  // columns of A are combined, and those of `rows` with them
    int pivot = k;
    for (int c = k + 1; c < n; ++c)
      if (std::fabs(A(k, c)) > std::fabs(A(k, pivot))) pivot = c;
    const auto eliminate = [&](Matrix& M, int c, double factor) {
      for (int r = 0; r < M.rows; ++r) M(r, c) -= factor * M(r, k);
    };
    for (Matrix* M : {&A, &rows})
      for (int r = 0; r < M->rows; ++r) std::swap((*M)(r, k), (*M)(r, pivot));
    for (int c = 0; c < n; ++c) {
      if (c == k) continue;
      const double factor = A(k, c) / A(k, k);
      eliminate(A, c, factor);
      eliminate(rows, c, factor);
    }
  }
  for (int r = 0; r < rows.rows; ++r)
    for (int c = 0; c < n; ++c) rows(r, c) /= A(c, c);
}

}  // namespace

std::vector<TriangleLattice> triangle_lattice(int p) {
  std::vector<TriangleLattice> lattice;
  for (int j = 0; j <= p; ++j)
    for (int i = 0; i <= p - j; ++i) lattice.push_back({p - i - j, i, j});
  return lattice;
}

int triangle_node(int p, const TriangleLattice& a) { return a[2] * (p + 1) - a[2] * (a[2] - 1) / 2 + a[1]; }

std::vector<TrianglePoint> triangle_nodes(int p) {
  const auto line = line_nodes(p);
  std::vector<TrianglePoint> nodes;
  for (const TriangleLattice& a : triangle_lattice(p)) {
    const Barycentric b = recursive_node(line, p, a);
    nodes.push_back({b[1], b[2]});
  }
  return nodes;
}

TriangleTables orthonormal_tables(int p, const std::vector<TrianglePoint>& points) {
  const int size = static_cast<int>(points.size()), functions = triangle_size(p);
  TriangleTables tables{{size, functions}, {size, functions}, {size, functions}};
  for (int q = 0; q < size; ++q) {
    const auto [x, y] = points[q];
    const std::vector<Jet> along = scaled_legendre(p, {2 * x + y - 1, 2, 1}, {1 - y, 0, -1});
    int function = 0;
    for (int m = 0; m <= p; ++m) {
      const std::vector<Jet> across = jacobi(p - m, 2 * m + 1, {2 * y - 1, 0, 2});
      for (int n = 0; m + n <= p; ++n, ++function) {
        const Jet f = std::sqrt(2.0 * (2 * m + 1) * (m + n + 1)) * (along[m] * across[n]);
        tables.values(q, function) = f.value;
        tables.x_derivatives(q, function) = f.x;
        tables.y_derivatives(q, function) = f.y;
      }
    }
  }
  return tables;
}

TriangleTables triangle_tables(int p, const std::vector<TrianglePoint>& points) {
  TriangleTables tables = orthonormal_tables(p, points);
  const Matrix at_nodes = orthonormal_tables(p, triangle_nodes(p)).values;  // (node, function)
  // l = orthonormal * transform with at_nodes * transform = 1
  for (Matrix* table : {&tables.values, &tables.x_derivatives, &tables.y_derivatives}) solve_rows(at_nodes, *table);
  return tables;
}

}  // namespace miniapp::basis
