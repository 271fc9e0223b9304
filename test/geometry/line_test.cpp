// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/line.hpp"

#include "support/meshes.hpp"
#include "support/vectors.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

using geometry::along_r;
using geometry::along_s;
using geometry::along_t;

namespace {

constexpr double line_weight = 0.7, point_weight = 0.3, lambda = 1.7;
constexpr int points_per_element = 8;

/// (element, point, alpha beta g): lines and positions on them.
std::vector<double> make_places(std::size_t elements) { return random_numbers(elements * points_per_element * 3, 1); }
/// (element, point, 3): reference gradients along r, s, t.
std::vector<double> make_gradients(std::size_t elements) {
  return random_numbers(elements * points_per_element * 3, 2);
}

KOKKOS_INLINE_FUNCTION constexpr int axis(int along) { return along == along_r ? 0 : along == along_s ? 1 : 2; }

/// (element, point): w det J of lines along c, on the device.
template <int a, int b, int c, class Real>
Vector<Real> mass_on_device(const Vector<const Real>& trilinear, const Vector<const Real>& places) {
  const int size = static_cast<int>(places.extent(0) / 3);
  const Vector<Real> W = make_vector<Real>("W", size);
  Kokkos::parallel_for(
      "test/mass_line", Kokkos::RangePolicy<ExecutionSpace>(0, size), KOKKOS_LAMBDA(const int i) {
        const Real* const K = &trilinear(24 * (i / points_per_element));
        const auto line = geometry::MassLine<Real>::template make<a, b, c>(K, places(3 * i), places(3 * i + 1),
                                                                           static_cast<Real>(line_weight));
        W(i) = line.at(places(3 * i + 2), static_cast<Real>(point_weight));
      });
  return W;
}

/// (element, point, 4): G times the gradient along r, s, t, and lambda w det J, on the device.
template <int a, int b, int c, class Real>
Vector<Real> stiffness_on_device(const Vector<const Real>& trilinear, const Vector<const Real>& places,
                                 const Vector<const Real>& gradients) {
  const int size = static_cast<int>(places.extent(0) / 3);
  const Vector<Real> flux = make_vector<Real>("flux", 4 * size);
  Kokkos::parallel_for(
      "test/stiffness_line", Kokkos::RangePolicy<ExecutionSpace>(0, size), KOKKOS_LAMBDA(const int i) {
        const Real* const K = &trilinear(24 * (i / points_per_element));
        const auto line = geometry::StiffnessLine<Real>::template make<a, b, c>(
            K, places(3 * i), places(3 * i + 1), static_cast<Real>(line_weight), static_cast<Real>(lambda));
        Real u[3] = {gradients(3 * i), gradients(3 * i + 1), gradients(3 * i + 2)};
        flux(4 * i + 3) =
            line.apply(places(3 * i + 2), static_cast<Real>(point_weight), u[axis(a)], u[axis(b)], u[axis(c)]);
        for (int d = 0; d < 3; ++d) flux(4 * i + d) = u[d];
      });
  return flux;
}

/// The four numbers of stiffness_on_device() by the factors of each point.
template <int a, int b, int c, class Real>
Values expected_flux(const mesh::Mesh& mesh, const std::vector<double>& places, const std::vector<double>& gradients) {
  Values flux;
  for (std::size_t i = 0; i < places.size() / 3; ++i) {
    double at[3], f[geometry::num_factors];
    at[axis(a)] = static_cast<Real>(places[3 * i]);
    at[axis(b)] = static_cast<Real>(places[3 * i + 1]);
    at[axis(c)] = static_cast<Real>(places[3 * i + 2]);
    const mesh::Trilinear K = mesh::trilinear(mesh, i / points_per_element);
    geometry::factors(K[0].data(), at[0], at[1], at[2], line_weight * point_weight, f);
    const double r = static_cast<Real>(gradients[3 * i]), s = static_cast<Real>(gradients[3 * i + 1]),
                 t = static_cast<Real>(gradients[3 * i + 2]);
    flux.entries.push_back(f[0] * r + f[1] * s + f[2] * t);
    flux.entries.push_back(f[1] * r + f[3] * s + f[4] * t);
    flux.entries.push_back(f[2] * r + f[4] * s + f[5] * t);
    flux.entries.push_back(lambda * f[6]);
  }
  return flux;
}

/// Entry d of every four.
Values component(const Values& flux, int d) {
  Values values;
  for (std::size_t i = d; i < flux.size(); i += 4) values.entries.push_back(flux[i]);
  return values;
}

template <int a, int b, int c, class Real>
void check_lines(const mesh::Mesh& mesh) {
  const std::vector<double> places = make_places(mesh.num_elements()), gradients = make_gradients(mesh.num_elements());
  const Vector<const Real> K = to_device<Real>(to_std(geometry::make_trilinear(mesh))), at = to_device<Real>(places);
  const Values expected = expected_flux<a, b, c, Real>(mesh, places, gradients);

  const Values W = values(mass_on_device<a, b, c, Real>(K, at));
  const Values flux = values(stiffness_on_device<a, b, c, Real>(K, at, to_device<Real>(gradients)));

  constexpr double terms = 64;  // products per result; the maps' coefficients are also rounded to Real
  CAPTURE(a, b, c);
  Values mass = component(expected, 3);
  CHECK_THAT(component(flux, 3), all_close<Real>(mass, terms));
  for (double& w : mass.entries) w /= lambda;
  CHECK_THAT(W, all_close<Real>(mass, terms));
  for (int d = 0; d < 3; ++d) CHECK_THAT(component(flux, d), all_close<Real>(component(expected, d), terms));
}

template <class Real>
void check_all_directions(const mesh::Mesh& mesh) {
  check_lines<along_r, along_s, along_t, Real>(mesh);
  check_lines<along_s, along_t, along_r, Real>(mesh);
  check_lines<along_t, along_r, along_s, Real>(mesh);
}

void scale(mesh::Mesh& mesh, double factor) {
  for (mesh::Point& x : mesh.vertices)
    for (double& coordinate : x) coordinate *= factor;
}

}  // namespace

TEMPLATE_TEST_CASE("Lines give the factors of each of their points on distorted elements", "[geometry][line]", double,
                   float) {
  check_all_directions<TestType>(make_turned_box(5, 4, 3));
}

TEMPLATE_TEST_CASE("Lines that point along the axes, both ways, are right", "[geometry][line]", double, float) {
  mesh::Mesh mesh = mesh::make_box(5, 5, 5);  // cubes in every rotation
  mesh::rotate_elements(mesh, 1);

  check_all_directions<TestType>(mesh);
}

TEMPLATE_TEST_CASE("Lines are as exact on small and on large elements", "[geometry][line]", double, float) {
  mesh::Mesh mesh = make_turned_box(3, 2, 1);
  scale(mesh, GENERATE(1e-3, 1e3));

  check_all_directions<TestType>(mesh);
}

TEMPLATE_TEST_CASE("Scalars have the functions that lanes have", "[geometry][line]", double, float) {
  const TestType x = TestType(2.25), zero = 0;

  CHECK(miniapp::square_root(x) == TestType(1.5));
  CHECK(miniapp::sign(x) == 1);
  CHECK(miniapp::sign(-x) == -1);
  CHECK(miniapp::sign(-zero) == 1);
  CHECK(double(miniapp::reciprocal(x)) == close<TestType>(1 / 2.25, 1));
}

#ifdef MINIAPP_RUNS_ON_HOST
TEMPLATE_TEST_CASE("Lines of lanes are the lines of each lane's element", "[geometry][line][lanes]", double, float) {
  using T = Lanes<TestType>;
  constexpr int width = lane_width<TestType>;
  const mesh::Mesh mesh = make_turned_box(width, 1, 1);
  const std::vector<TestType> coefficients = to_std(to_device<TestType>(to_std(geometry::make_trilinear(mesh))));
  const TestType alpha = TestType(0.3), beta = TestType(-0.6), g = TestType(0.9), w = 1;
  T K[24], u[3] = {T{} + 1, T{} - 2, T{} + 3};
  for (int c = 0; c < 24; ++c)
    for (int l = 0; l < width; ++l) K[c][l] = coefficients[24 * l + c];

  const T mass = geometry::StiffnessLine<T>::template make<along_s, along_t, along_r>(K, alpha, beta, w, w)
                     .apply(g, w, u[0], u[1], u[2]);

  for (int l = 0; l < width; ++l) {
    TestType v[3] = {1, -2, 3};
    const TestType one = geometry::StiffnessLine<TestType>::template make<along_s, along_t, along_r>(
                             &coefficients[24 * l], alpha, beta, w, w)
                             .apply(g, w, v[0], v[1], v[2]);
    CHECK(double(mass[l]) == close<TestType>(one, 64));
    for (int d = 0; d < 3; ++d) CHECK(double(u[d][l]) == close<TestType>(v[d], 64, 4));
  }
}
#endif
