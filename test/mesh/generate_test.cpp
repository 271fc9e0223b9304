// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/generate.hpp"

#include <set>

#include "miniapp/geometry/prism.hpp"
#include "miniapp/geometry/simplex.hpp"
#include "miniapp/mesh/entities.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/all_close.hpp"
#include "support/host_threads.hpp"
#include "support/prism_meshes.hpp"

namespace {

/// The least surface of a box of `elements` cubes, by trying all boxes.
long least_surface(int elements) {
  long least = 0;
  for (int x = 1; x <= elements; ++x) {
    for (int y = 1; elements % x == 0 && y <= elements / x; ++y) {
      if (elements / x % y) continue;
      const long z = elements / x / y, surface = long(x) * y + x * z + y * z;
      if (least == 0 || surface < least) least = surface;
    }
  }
  return least;
}

bool on_surface(const mesh::Point& x) {
  return std::any_of(x.begin(), x.end(), [](double c) { return c == 0 || c == 1; });
}

double det_of_tetrahedron(const mesh::Mesh& mesh, std::size_t e) {
  double x[4][3], inverse[3][3];
  for (int v = 0; v < 4; ++v)
    for (int d = 0; d < 3; ++d) x[v][d] = mesh.vertices[mesh.element_to_vertex[e][v]][d];
  return geometry::invert_simplex<3>(x, inverse);
}

std::set<Index> vertex_set(const mesh::Mesh& mesh, std::size_t e) {
  return {mesh.element_to_vertex[e], mesh.element_to_vertex[e] + 8};
}

}  // namespace

TEST_CASE("cubical gives the expected boxes", "[mesh][generate]") {
  CHECK(mesh::cubical(1) == std::array<int, 3>{1, 1, 1});
  CHECK(mesh::cubical(360) == std::array<int, 3>{10, 6, 6});
  CHECK(mesh::cubical(512) == std::array<int, 3>{8, 8, 8});
  CHECK(mesh::cubical(4096) == std::array<int, 3>{16, 16, 16});
  CHECK(mesh::cubical(8192) == std::array<int, 3>{32, 16, 16});
}

TEST_CASE("cubical leaves a prime in one direction", "[mesh][generate]") {
  const int prime = GENERATE(2, 3, 101, 4099, 2147483647);

  CHECK(mesh::cubical(prime) == std::array<int, 3>{prime, 1, 1});
}

TEST_CASE("cubical has the least surface of all boxes, longest side first", "[mesh][generate]") {
  for (int elements = 1; elements <= 200; ++elements) {
    const auto box = mesh::cubical(elements);
    CAPTURE(elements);
    CHECK(box[0] * box[1] * box[2] == elements);
    CHECK((box[0] >= box[1] && box[1] >= box[2]));
    CHECK(long(box[0]) * box[1] + box[0] * box[2] + box[1] * box[2] == least_surface(elements));
  }
}

TEST_CASE("A box of elements fills the unit cube", "[mesh][generate]") {
  const auto [nx, ny, nz] = GENERATE(table<int, int, int>({{1, 1, 1}, {3, 2, 5}, {7, 3, 2}, {1, 1, 33}}));

  const mesh::Mesh mesh = mesh::make_box(nx, ny, nz);

  CHECK(int(mesh.num_elements()) == nx * ny * nz);
  CHECK(int(mesh.vertices.size()) == (nx + 1) * (ny + 1) * (nz + 1));
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    CHECK(volume(mesh, e) == close<double>(1.0 / (nx * ny * nz), 8, 1));
}

TEST_CASE("Elements of a box follow each other along x first", "[mesh][generate]") {
  const mesh::Mesh mesh = mesh::make_box(3, 2, 5);

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const double i = e % 3, j = e / 3 % 2, k = e / 6;
    CHECK(distance(mesh.vertices[mesh.element_to_vertex[e][0]], {i / 3, j / 2, k / 5}) <= tolerance<double>(1, 1));
    CHECK(distance(mesh.vertices[mesh.element_to_vertex[e][7]], {(i + 1) / 3, (j + 1) / 2, (k + 1) / 5}) <=
          tolerance<double>(1, 1));
  }
}

TEST_CASE("A deformation keeps the cube's surface and its volume", "[mesh][generate]") {
  const mesh::Mesh plain = mesh::make_box(5, 4, 3);
  mesh::Mesh mesh = plain;

  mesh::deform(mesh, 0.08);

  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (on_surface(plain.vertices[v])) CHECK(distance(mesh.vertices[v], plain.vertices[v]) <= tolerance<double>(1, 1));
  CHECK(volume(mesh) == close<double>(1, 64));
}

TEST_CASE("Kershaw's map moves vertices by hand-computed distances", "[mesh][generate]") {
  mesh::Mesh mesh = mesh::make_box(12, 4, 2);

  mesh::map_kershaw(mesh, 0.3);

  const auto vertex = [&](int i, int j, int k) { return mesh.vertices[(std::size_t(k) * 5 + j) * 13 + i]; };
  struct Case {
    double quarter, half, three_quarters;  // where y = 1/4, 1/2, 3/4 come
  };
  const Case compressed_left{.075, .15, .575}, compressed_right{.425, .85, .925}, between{.25, .5, .75};
  for (const auto& [at, columns] : {std::pair{compressed_left, std::vector{0, 1, 2, 8}},
                                    {compressed_right, {4, 10, 11, 12}},
                                    {between, {3, 6, 9}}}) {
    for (const int i : columns) {
      CAPTURE(i);
      const double x = i / 12.;
      CHECK(distance(vertex(i, 1, 0), {x, at.quarter, 0}) <= tolerance<double>(4, 1));
      CHECK(distance(vertex(i, 2, 1), {x, at.half, at.half}) <= tolerance<double>(4, 1));
      CHECK(distance(vertex(i, 3, 2), {x, at.three_quarters, 1}) <= tolerance<double>(4, 1));
    }
  }
  CHECK(distance(vertex(5, 2, 0), {5 / 12., .675, 0}) <= tolerance<double>(4, 1));
  CHECK(distance(vertex(7, 2, 0), {7 / 12., .325, 0}) <= tolerance<double>(4, 1));
}

TEST_CASE("Kershaw's map keeps the cube, and leaves it as it is for eps 1", "[mesh][generate]") {
  const mesh::Mesh plain = mesh::make_box(5, 4, 3);
  mesh::Mesh sheared = plain, same = plain;

  mesh::map_kershaw(sheared, 0.05);
  mesh::map_kershaw(same, 1);

  CHECK(volume(sheared) == close<double>(1, 64));
  for (std::size_t v = 0; v < plain.vertices.size(); ++v) {
    CHECK(distance(same.vertices[v], plain.vertices[v]) <= tolerance<double>(4, 1));
    for (int d = 0; d < 3; ++d)
      if (plain.vertices[v][d] == 0 || plain.vertices[v][d] == 1)
        CHECK(std::fabs(sheared.vertices[v][d] - plain.vertices[v][d]) <= tolerance<double>(4, 1));
  }
}

TEST_CASE("Kershaw's eps is above 0 and at most 1", "[mesh][generate]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  for (const double eps : {0., -0.3, 1.01, double(NAN)}) CHECK_THROWS_AS(mesh::map_kershaw(mesh, eps), InputError);
}

TEST_CASE("A deformation moves inner vertices by its formula", "[mesh][generate]") {
  mesh::Mesh mesh = mesh::make_box(2, 2, 2);

  mesh::deform(mesh, 0.08);

  CHECK(distance(mesh.vertices[13], {0.58, 0.42, 0.54}) <= tolerance<double>(4, 1));
}

TEST_CASE("Turning elements keeps their vertices and their orientation", "[mesh][generate]") {
  const mesh::Mesh plain = make_shaken_box(5, 4, 3);
  mesh::Mesh mesh = plain;

  mesh::rotate_elements(mesh, 2);

  CHECK(mesh.vertices == plain.vertices);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    CHECK(vertex_set(mesh, e) == vertex_set(plain, e));
    CHECK(volume(mesh, e) == close<double>(volume(plain, e), 64, 8));  // the same map in another frame
  }
}

TEST_CASE("Turning elements reaches all 24 rotations and nothing else", "[mesh][generate]") {
  mesh::Mesh mesh = mesh::make_box(10, 10, 10);
  const mesh::Mesh plain = mesh;
  std::set<std::array<int, 8>> turns;

  mesh::rotate_elements(mesh, 1);

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    std::array<int, 8> turn;  // turn[v]: where old vertex v is now
    for (int v = 0; v < 8; ++v)
      turn[v] = static_cast<int>(
          std::find(mesh.element_to_vertex[e], mesh.element_to_vertex[e] + 8, plain.element_to_vertex[e][v]) -
          mesh.element_to_vertex[e]);
    turns.insert(turn);
  }
  CHECK(turns.size() == 24);
}

TEST_CASE("A box of prisms fills the box of hexahedra, each half a cell", "[mesh][generate]") {
  const mesh::Mesh mesh = mesh::make_prism_box(3, 4, 2);

  CHECK(mesh.kind == mesh::CellKind::prism);
  CHECK(mesh.vertices == mesh::make_box(3, 4, 2).vertices);
  REQUIRE(mesh.num_elements() == 48);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    // the reference prism's det J is 1, its volume too
    CHECK(geometry::least_determinant(prism_vertices(mesh, e).data()) == close<double>(1. / 48, 32, 1));
    for (int v = 0; v < 3; ++v) {
      const mesh::Point &low = mesh.vertices[mesh.element_to_vertex[e][v]],
                        &high = mesh.vertices[mesh.element_to_vertex[e][v + 3]];
      CHECK(low[2] < high[2]);
      CHECK((low[0] == high[0] && low[1] == high[1]));
    }
  }
  CHECK_THROWS_AS(mesh::make_prism_box(1, 0, 1), InputError);
  CHECK_THROWS_WITH(mesh::make_prism_box(2000, 2000, 2000), contains("2^31 - 1"));
}

TEST_CASE("Turning prisms reaches all 6 rotations and keeps their volume", "[mesh][generate]") {
  mesh::Mesh mesh = mesh::make_prism_box(5, 5, 5);
  const mesh::Mesh plain = mesh;
  std::set<std::array<int, 6>> turns;

  mesh::rotate_elements(mesh, 1);

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    std::array<int, 6> turn;
    for (int v = 0; v < 6; ++v)
      turn[v] = static_cast<int>(
          std::find(mesh.element_to_vertex[e], mesh.element_to_vertex[e] + 6, plain.element_to_vertex[e][v]) -
          mesh.element_to_vertex[e]);
    turns.insert(turn);
    CHECK(geometry::least_determinant(prism_vertices(mesh, e).data()) == close<double>(1. / 250, 32, 1));
  }
  CHECK(turns.size() == 6);
}

TEST_CASE("A box of tetrahedra fills the box of hexahedra, six to a cell, and faces of neighbours match",
          "[mesh][generate]") {
  const mesh::Mesh mesh = mesh::make_tetrahedron_box(3, 4, 2);

  CHECK(mesh.kind == mesh::CellKind::tetrahedron);
  CHECK(mesh.vertices == mesh::make_box(3, 4, 2).vertices);
  REQUIRE(mesh.num_elements() == 6 * 24);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    CHECK(det_of_tetrahedron(mesh, e) == close<double>(1. / 24, 32, 1));  // six times the volume
    for (int v = 0; v < 4; ++v) CHECK(vertex_set(mesh::make_box(3, 4, 2), e / 6).count(mesh.element_to_vertex[e][v]));
  }
  const auto multiplicity = to_host(mesh::find_faces(mesh).multiplicity);
  const std::size_t single = std::count(multiplicity.data(), multiplicity.data() + multiplicity.extent(0), 1);
  CHECK(single == 2 * 2 * (3 * 4 + 3 * 2 + 4 * 2));  // only on the surface: two a square
  CHECK(2 * multiplicity.extent(0) == 4 * mesh.num_elements() + single);
  CHECK_THROWS_WITH(mesh::make_tetrahedron_box(1, 0, 1), contains("cut into tetrahedra: accepted are 1 x 1 x 1"));
  CHECK_THROWS_AS(mesh::make_tetrahedron_box(1000, 1000, 400), InputError);
}

TEST_CASE("Turning tetrahedra reaches all 12 rotations and keeps their volume", "[mesh][generate]") {
  mesh::Mesh mesh = mesh::make_tetrahedron_box(4, 4, 3);
  const mesh::Mesh plain = mesh;
  std::set<std::array<Index, 4>> turns;

  mesh::rotate_elements(mesh, 1);

  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Index* const now = mesh.element_to_vertex[e];
    std::array<Index, 4> turn;
    for (int v = 0; v < 4; ++v)
      turn[v] = static_cast<Index>(std::find(now, now + 4, plain.element_to_vertex[e][v]) - now);
    turns.insert(turn);
    CHECK(det_of_tetrahedron(mesh, e) == close<double>(1. / 48, 32, 1));
  }
  CHECK(turns.size() == 12);
}

TEST_CASE("Vertices of tetrahedra move by a part of the cubes' size", "[mesh][generate]") {
  const mesh::Mesh plain = mesh::make_tetrahedron_box(4, 4, 4);
  mesh::Mesh mesh = plain;

  mesh::perturb(mesh, 0.2, 3);

  double most = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (on_surface(plain.vertices[v])) CHECK(mesh.vertices[v] == plain.vertices[v]);
    for (int d = 0; d < 3; ++d) most = std::max(most, std::fabs(mesh.vertices[v][d] - plain.vertices[v][d]));
  }
  CHECK((most > 0.9 * 0.2 / 4 && most <= 0.2 / 4));
}

TEST_CASE("A seed decides how elements turn and vertices move", "[mesh][generate]") {
  const auto make = [](unsigned seed) {
    mesh::Mesh mesh = mesh::make_box(3, 4, 5);
    mesh::rotate_elements(mesh, seed);
    mesh::perturb(mesh, 0.1, seed);
    return mesh;
  };

  CHECK(make(1).vertices == make(1).vertices);
  CHECK(make(1).element_to_vertex.entries == make(1).element_to_vertex.entries);
  CHECK(make(1).vertices != make(2).vertices);
  CHECK(make(1).element_to_vertex.entries != make(2).element_to_vertex.entries);
}

TEST_CASE("A perturbation moves every inner vertex by less than its amplitude and no other", "[mesh][generate]") {
  const int n = 4;
  const mesh::Mesh plain = mesh::make_box(n, n, n);
  mesh::Mesh mesh = plain;

  mesh::perturb(mesh, 0.15, 3);

  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double moved = distance(mesh.vertices[v], plain.vertices[v]);
    if (on_surface(plain.vertices[v]))
      CHECK(moved == 0);
    else
      CHECK((moved > 0 && moved <= 0.15 / n));
  }
  CHECK(volume(mesh) == close<double>(1, 64));
}

TEST_CASE("Shuffling moves vertices and elements and keeps every element's vertices in their order",
          "[mesh][generate]") {
  const mesh::Mesh plain =
      GENERATE(0, 1) ? make_shaken_box(5, 4, 3) : mesh::make_rectangle(mesh::CellKind::triangle, 7, 5);
  const auto cells = [](const mesh::Mesh& mesh) {
    std::multiset<std::vector<mesh::Point>> corners;
    for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
      std::vector<mesh::Point> points;
      for (int i = 0; i < mesh.element_to_vertex.arity; ++i)
        points.push_back(mesh.vertices.at(mesh.element_to_vertex[e][i]));
      corners.insert(points);
    }
    return corners;
  };

  const mesh::Mesh mesh = mesh::shuffle(plain, 1);

  CHECK(mesh.kind == plain.kind);
  CHECK(mesh.vertices != plain.vertices);
  CHECK(std::is_permutation(mesh.vertices.begin(), mesh.vertices.end(), plain.vertices.begin(), plain.vertices.end()));
  CHECK(cells(mesh) == cells(plain));
  CHECK(mesh.element_to_vertex.entries != plain.element_to_vertex.entries);
}

TEST_CASE("A seed decides how a mesh is shuffled, with every standard library", "[mesh][generate]") {
  const mesh::Mesh plain = mesh::make_box(7, 1, 1);
  std::vector<int> order;  // of the vertices on the first edge along x, which are 0 .. 7
  for (const mesh::Point& x : mesh::shuffle(plain, 1).vertices)
    if (x[1] == 0 && x[2] == 0) order.push_back(int(std::lround(7 * x[0])));

  CHECK(order == std::vector<int>{7, 0, 6, 5, 2, 3, 1, 4});
  CHECK(mesh::shuffle(plain, 1).element_to_vertex.entries == mesh::shuffle(plain, 1).element_to_vertex.entries);
  CHECK(mesh::shuffle(plain, 1).vertices != mesh::shuffle(plain, 2).vertices);
}

TEST_CASE("Shuffling is uniform: each place is equally likely for each element", "[mesh][generate]") {
  const int size = 5, trials = 5000;
  const mesh::Mesh plain = mesh::make_box(size, 1, 1);
  int counts[size][size] = {};

  for (int seed = 0; seed < trials; ++seed) {
    const mesh::Mesh mesh = mesh::shuffle(plain, seed);
    for (int e = 0; e < size; ++e) ++counts[e][std::lround(size * mesh.vertices[mesh.element_to_vertex[e][0]][0])];
  }

  for (const auto& row : counts)
    for (const int count : row) CHECK(std::abs(count - trials / size) < 200);  // seven standard deviations of 28
}

TEST_CASE("Meshes are the same for any number of threads", "[mesh][generate]") {
  const int which = GENERATE(range(0, 5));
  const auto make = [&](int threads) {
    const test::HostThreads host(threads);
    if (which == 0) return mesh::make_rectangle(mesh::CellKind::triangle, 251, 203);
    if (which == 1) return mesh::make_rectangle(mesh::CellKind::quadrilateral, 203, 251);
    if (which == 2) return mesh::make_o_grid(1000, 101);
    mesh::Mesh box = mesh::make_box(41, 37, 43);
    which == 3 ? mesh::deform(box, 0.05) : mesh::map_kershaw(box, 0.3);
    return mesh::shuffle(box, 1);
  };
  const mesh::Mesh one = make(1), several = make(5);

  CHECK(several.vertices == one.vertices);
  CHECK(several.element_to_vertex.entries == one.element_to_vertex.entries);
}

TEST_CASE("A part of a box has the cells of the box, whichever they are", "[mesh][generate]") {
  const std::array<int, 3> sides{5, 4, 3};
  const mesh::Mesh box = mesh::make_box(sides[0], sides[1], sides[2]);
  const auto every = GENERATE(1, 2, 3, 7, 59);  // rows as a whole, in pieces, and cells far from each other
  const auto first = GENERATE(0, 4, 23);
  std::vector<std::int64_t> elements;
  std::set<std::int64_t> vertices;
  for (std::int64_t e = first; e < std::int64_t(box.num_elements()); ++e) {
    if (e % every == 0 && every > 1) continue;
    if (every == 59 && e % 10 > 0) continue;
    elements.push_back(e);
    for (int v = 0; v < 8; ++v) vertices.insert(box.element_to_vertex[std::size_t(e)][v]);
  }
  CAPTURE(every, first);
  const mesh::Mesh part = mesh::make_box_part(sides, elements, Communicator());
  CHECK(part.part.elements == elements);
  CHECK(part.part.vertices == std::vector<std::int64_t>(vertices.begin(), vertices.end()));
  REQUIRE(part.vertices.size() == vertices.size());
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    CHECK(part.vertices[v] == box.vertices[std::size_t(part.part.vertices[v])]);
  REQUIRE(part.num_elements() == elements.size());
  for (std::size_t n = 0; n < elements.size(); ++n)
    for (int v = 0; v < 8; ++v)
      CHECK(part.part.vertices[std::size_t(part.element_to_vertex[n][v])] ==
            box.element_to_vertex[std::size_t(elements[n])][v]);
}
