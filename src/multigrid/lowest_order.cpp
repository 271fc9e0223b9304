// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/lowest_order.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/marks.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/gathered.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/linalg/local_rows.hpp"
#include "miniapp/multigrid/low_order.hpp"
#include "tensor/upright.hpp"

namespace miniapp::multigrid {
namespace {

/// An entry of a matrix whose rows and columns are vertices of the whole mesh.
struct Entry {
  std::int64_t row, column;
  double value;
};

/// The sum of the ranks' matrices, each added in the order of ranks: of a mass, whose matrix of order 1 is its
/// diagonal.
linalg::CsrMatrix<double> gather_matrix(const Communicator& ranks, const linalg::CsrMatrix<double>& own,
                                        const std::vector<std::int64_t>& numbers, const space::Space& space,
                                        std::int64_t size) {
  const auto offsets = to_host(own.offsets), columns = to_host(own.columns);
  const auto values = to_host(own.values);
  const Marks is_masked(static_cast<std::size_t>(space.num_nodes), space.masked);
  std::vector<Entry> entries;
  for (Index row = 0; row < own.num_rows; ++row) {
    if (is_masked.has(row) && !space.owns(row)) continue;  // its 1 comes from the owner
    for (Index e = offsets(row); e < offsets(row + 1); ++e)
      entries.push_back({numbers[row], numbers[columns(e)], values(e)});
  }
  entries = ranks.gather(entries);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  Csr<> rows;
  std::vector<double> sums;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const Entry& entry = entries[e];
    while (static_cast<std::int64_t>(rows.size()) < entry.row) rows.end_row();
    if (e > 0 && entries[e - 1].row == entry.row && entries[e - 1].column == entry.column) {
      sums.back() += entry.value;
    } else {
      rows.entries.push_back(static_cast<Index>(entry.column));
      sums.push_back(entry.value);
    }
  }
  while (static_cast<std::int64_t>(rows.size()) < size) rows.end_row();
  return linalg::make_csr_matrix(rows, static_cast<Index>(size), sums);
}

/// The surface masses of all ranks by vertices of the whole mesh, each once. Collective.
SurfaceMass gather_surface(const Discretisation& d, const std::vector<std::int64_t>& numbers) {
  struct Term {
    std::int64_t vertex;
    double value;
  };
  std::vector<Term> own;
  const auto entries = to_host(d.surface.entries);
  const auto values = to_host(d.surface.values);
  for (std::size_t i = 0; i < entries.extent(0); ++i)
    if (entries(i) < d.space.num_nodes) own.push_back({numbers[static_cast<std::size_t>(entries(i))], values(i)});
  std::map<std::int64_t, double> sums;
  for (const Term& term : d.space.exchange.ranks().gather(own)) sums[term.vertex] += term.value;
  std::vector<Index> vertices;
  std::vector<double> masses;
  for (const auto& [vertex, value] : sums) {
    vertices.push_back(static_cast<Index>(vertex));
    masses.push_back(value);
  }
  return {to_device<Index>("multigrid/lowest order/surface", vertices),
          to_device<double>("multigrid/lowest order/surface", masses)};
}

/// make_trilinear_matrix() of the whole mesh, whose nodes are its vertices: gathering them takes a tenth of the bytes
/// of gathering rows. `numbers` (node): its vertex.
linalg::CsrMatrix<double> make_whole_matrix(const Discretisation& d, const std::vector<std::int64_t>& numbers,
                                            std::int64_t size) {
  struct Vertex {
    std::int64_t number;
    mesh::Point at;
  };
  const Communicator& ranks = d.space.exchange.ranks();
  require_upright(*d.mesh, d.trilinear, basis::gauss(2));
  std::vector<Vertex> vertices;
  for (std::size_t v = 0; v < d.mesh->vertices.size(); ++v)
    vertices.push_back({d.mesh->part.vertices[v], d.mesh->vertices[v]});
  std::vector<Index> nodes;
  for (const Index node : d.space.element_to_node.host().entries) {
    const auto number = static_cast<Index>(numbers[node < 0 ? ~node : node]);
    nodes.push_back(node < 0 ? ~number : number);
  }
  mesh::Mesh whole;
  whole.vertices.resize(static_cast<std::size_t>(size));
  for (const Vertex& vertex : ranks.gather(vertices)) whole.vertices[vertex.number] = vertex.at;
  nodes = ranks.gather(nodes);
  const std::vector<double> means = ranks.gather(to_vector(d.mean_coefficient()));
  whole.element_to_vertex = Map(nodes.size() / 8, 8);
  const SurfaceMass surface = gather_surface(d, numbers);
  std::transform(nodes.begin(), nodes.end(), whole.element_to_vertex.entries.begin(),
                 [](Index node) { return node < 0 ? ~node : node; });
  return make_trilinear_matrix(to_device("multigrid/lowest order/nodes", nodes), static_cast<Index>(size),
                               geometry::make_trilinear(whole), to_device("multigrid/lowest order/coefficient", means),
                               d.lambda, surface);
}

/// A matrix's rows and columns that have numbers.
struct NumberedRows {
  const Index *offsets, *columns;
  const double* values;
  const Index *rows, *number_of;  ///< (number): row; (column): its number, -1: none
  template <class Visit>
  KOKKOS_FUNCTION void visit(const Index number, const Visit& to) const {
    for (Index e = offsets[rows[number]]; e < offsets[rows[number] + 1]; ++e)
      if (number_of[columns[e]] >= 0) to(number_of[columns[e]], values[e]);
  }
};
linalg::CsrMatrix<double> take_numbered(const linalg::CsrMatrix<double>& all, const std::vector<Index>& number_of) {
  std::vector<Index> kept;
  for (std::size_t row = 0; row < number_of.size(); ++row)
    if (number_of[row] >= 0) kept.push_back(static_cast<Index>(row));
  if (kept.size() == number_of.size()) return all;
  const auto size = static_cast<Index>(kept.size());
  const Vector<const Index> rows = to_device("multigrid/lowest order/rows", kept),
                            numbers = to_device("multigrid/lowest order/numbers", number_of);
  const NumberedRows taken{all.offsets.data(), all.columns.data(), all.values.data(), rows.data(), numbers.data()};
  const Vector<Index> counts = make_vector<Index>("multigrid/lowest order/counts", kept.size());
  using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;
  Kokkos::parallel_for(
      "multigrid/lowest order/count", Range(0, size), KOKKOS_LAMBDA(const Index number) {
        Index count = 0;
        taken.visit(number, [&](Index, double) { ++count; });
        counts(number) = count;
      });
  const linalg::CsrMatrix<double> matrix = linalg::make_counted_rows<double>(counts, size);
  Kokkos::parallel_for("multigrid/lowest order/fill", Range(0, size),
                       linalg::FillRows<NumberedRows, double>{taken, matrix.offsets.data(), matrix.columns.data(),
                                                              matrix.values.data()});
  Kokkos::fence();
  return matrix;
}

}  // namespace

/// Sums of all ranks on each.
struct LowestOrder::Gathered {
  Vector<const Index> rows;  ///< (node): its row, -1 of a masked one
  Vector<float> f, x;        ///< vectors of all ranks' rows
  linalg::Gathered values;

  /// `row_of` (node), of `size` rows. Collective.
  Gathered(const Communicator& ranks, const std::vector<Index>& row_of, std::size_t size)
      : rows(to_device("multigrid/lowest order/rows", row_of)),
        f(make_zeros<float>("multigrid/lowest order", size)),
        x(make_zeros<float>("multigrid/lowest order", size)) {
    std::vector<Index> nodes;
    std::vector<std::int64_t> numbers;
    for (std::size_t node = 0; node < row_of.size(); ++node) {
      if (row_of[node] < 0) continue;
      nodes.push_back(static_cast<Index>(node));
      numbers.push_back(row_of[node]);
    }
    values = {ranks, nodes, numbers, size, sizeof(float)};
  }
};

LowestOrder::~LowestOrder() = default;

LowestOrder::LowestOrder(const Discretisation& d, const solver::AmgOptions& options, LowestWork way)
    : discretisation_(d), space_(d.space), options_(options), way_(way) {
  if (!space_.exchange.empty() && !is_distributed()) {
    const Communicator& ranks = space_.exchange.ranks();
    numbers_.resize(static_cast<std::size_t>(space_.num_nodes));
    for (std::size_t e = 0; e < d.mesh->num_elements(); ++e)
      for (int v = 0; v < 8; ++v) {
        const Index node = space_.element_to_node.host()[e][v];
        numbers_[node < 0 ? ~node : node] = d.mesh->part.vertices[d.mesh->element_to_vertex[e][v]];
      }
    size_ = 1 + ranks.of_all(Reduction::max, d.mesh->part.vertices.back());
    const std::int64_t most = std::numeric_limits<Index>::max() / (has_stiffness(d.problem) ? 27 : 1);
    require(size_ <= most, "p-multigrid: " + std::to_string(size_) + " vertices of all ranks; accepted are up to " +
                               std::to_string(most) + " where each rank has all of the lowest order");
    number_rows();
  }
  set_up();
  if (numbers_.empty()) return;
  std::vector<Index> row_of;
  for (const std::int64_t vertex : numbers_) row_of.push_back(row_of_vertex_[static_cast<std::size_t>(vertex)]);
  const auto rows = static_cast<std::size_t>(amg_->levels().front().unknowns);
  gathered_ = std::make_unique<Gathered>(space_.exchange.ranks(), row_of, rows);
}

/// Masked nodes have no rows, unless all nodes are masked.
void LowestOrder::number_rows() {
  const Marks is_masked(numbers_.size(), space_.masked);
  std::vector<std::int64_t> own;
  for (std::size_t node = 0; node < numbers_.size(); ++node)
    if (!is_masked.has(static_cast<Index>(node))) own.push_back(numbers_[node]);
  const std::vector<std::int64_t> of_all = space_.exchange.ranks().gather(own);
  row_of_vertex_.assign(static_cast<std::size_t>(size_), of_all.empty() ? 0 : -1);
  for (const std::int64_t vertex : of_all) row_of_vertex_[static_cast<std::size_t>(vertex)] = 0;
  Index rows = 0;
  for (Index& row : row_of_vertex_)
    if (row == 0) row = rows++;
}

void LowestOrder::set_up() {
  const Discretisation& d = discretisation_;
  const Communicator& ranks = space_.exchange.ranks();
  const auto make_own = [&] { return has_stiffness(d.problem) ? make_trilinear_matrix(d) : make_low_order_matrix(d); };
  if (is_distributed()) {
    linalg::SpaceRows rows = linalg::make_ghosted(make_own(), space_);
    amg_ = std::make_unique<solver::Amg<float>>(std::move(rows.matrix), options_, Vector<const double>(),
                                                std::optional(rows.entries));
    return;
  }
  if (space_.exchange.empty()) {
    amg_ = std::make_unique<solver::Amg<float>>(make_own(), options_);
    return;
  }
  const linalg::CsrMatrix<double> whole = has_stiffness(d.problem)
                                              ? make_whole_matrix(d, numbers_, size_)
                                              : gather_matrix(ranks, make_own(), numbers_, space_, size_);
  amg_ = std::make_unique<solver::Amg<float>>(take_numbered(whole, row_of_vertex_), options_);
}

void LowestOrder::update() {
  amg_.reset();  // its memory is free before the next one's is taken
  set_up();
}

void LowestOrder::run_component(const Instance& instance, const Vector<const float>& f, const Vector<float>& x) const {
  if (!gathered_) return amg_->run(instance, f, x);
  const Gathered& g = *gathered_;
  g.values.run<float>(instance, f, g.f);
  amg_->run(instance, g.f, g.x);
  streaming::scatter<float>(instance, g.rows, g.x, x);
}

bool LowestOrder::waits() const { return amg_->waits() || (gathered_ && gathered_->values.waits()); }

void LowestOrder::run(const Instance& instance, const Vector<const float>& f, const Vector<float>& x) const {
  const auto size = static_cast<std::size_t>(space_.num_nodes);
  for (std::size_t c = 0; c < f.extent(0); c += size) run_component(instance, slice(f, c, size), slice(x, c, size));
  if (is_distributed()) space_.exchange.copy_from_owners(instance, x);
}

const std::vector<solver::AmgLevel>& LowestOrder::levels() const { return amg_->levels(); }

double LowestOrder::bytes() const {
  if (!gathered_) return amg_->bytes();
  const Gathered& g = *gathered_;
  return amg_->bytes() + g.values.bytes() + 4. * double(g.rows.extent(0) + g.f.extent(0) + g.x.extent(0));
}

}  // namespace miniapp::multigrid
