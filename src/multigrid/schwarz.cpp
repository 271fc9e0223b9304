// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/order_kernels.hpp"
#include "multigrid/schwarz_base.hpp"

#include <utility>

#include "core/with_order.hpp"
#include "miniapp/linalg/vectors.hpp"
#include "miniapp/mesh/entities.hpp"
#include "space/join.hpp"
#include "tensor/element_group.hpp"

namespace miniapp::multigrid {
namespace {

using Loop = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// A face's lowest local node, and steps between nodes: along the face and into the element.
struct LocalFace {
  int corner, u, v, inwards, last;
  KOKKOS_FUNCTION LocalFace(int face, int n) : last(n - 1) {
    const int stride[3] = {1, n, n * n}, direction = face / 2;
    u = stride[direction == 0 ? 1 : 0];
    v = stride[direction == 2 ? 1 : 2];
    corner = face % 2 * last * stride[direction];
    inwards = face % 2 ? -stride[direction] : stride[direction];
  }
  /// The corner that is this node, masked or not.
  KOKKOS_FUNCTION int find(const Index* nodes, Index node) const {
    for (int c = 0; c < 3; ++c) {
      const int at = corner + last * (c % 2 * u + c / 2 * v);
      if (nodes[at] == node) return at;
    }
    return corner + last * (u + v);
  }
};

/// to = a - b.
struct Subtract {
  const float *a, *b;
  float* to;
  KOKKOS_FUNCTION float load(std::size_t i) const { return a[i] - b[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    to[i] = value;
  }
};

/// 0, 1, ..
Vector<const Index> count_up(std::size_t size) {
  const Vector<Index> numbers = make_vector<Index>("multigrid/schwarz/slots", size);
  Kokkos::parallel_for(
      "multigrid/schwarz/slots", Loop(0, static_cast<std::int64_t>(size)),
      KOKKOS_LAMBDA(const std::int64_t i) { numbers(i) = static_cast<Index>(i); });
  return numbers;
}

/// (node): one by the number of elements that have it, or by the sum of their mean coefficients; 0 at masked nodes.
Vector<const float> make_weights(const Discretisation& d) {
  const space::Space& space = d.space;
  const Vector<const double> coefficients = d.mean_coefficient();
  const std::int64_t nodes_of_element = space.element_to_node.arity();
  const Vector<const Index> map = space.element_to_node.device();
  const bool alone = space.exchange.empty();
  const Vector<float> weights =
      make_zeros<float>("multigrid/schwarz/weights", alone ? std::size_t(space.num_nodes) : space.num_entries());
  Kokkos::parallel_for(
      "multigrid/schwarz/count", Loop(0, static_cast<std::int64_t>(map.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t position) {
        const float one =
            coefficients.extent(0) > 0 ? static_cast<float>(coefficients(position / nodes_of_element)) : 1.f;
        if (map(position) >= 0) Kokkos::atomic_add(&weights(map(position)), one);
      });
  space.exchange.sum(Instance(), weights);
  Kokkos::parallel_for(
      "multigrid/schwarz/invert", Loop(0, space.num_nodes), KOKKOS_LAMBDA(const std::int64_t node) {
        if (weights(node) > 0) weights(node) = 1 / weights(node);
      });
  return weights;
}

/// A face between ranks for kernels.
struct PlacedFace {
  Index slot, side;  ///< slot: or the element
};

/// Puts 6 (elements + f) for the neighbour beyond shared face f.
void number_halo_faces(const std::vector<space::SharedFace>& shared, std::size_t elements,
                       const Vector<Index>& neighbours) {
  std::vector<PlacedFace> placed;
  for (const space::SharedFace& face : shared) placed.push_back({face.cell, face.side});
  const auto faces = to_device("multigrid/schwarz/faces", placed);
  const auto first = static_cast<Index>(elements);
  Kokkos::parallel_for(
      "multigrid/schwarz/faces", Loop(0, static_cast<std::int64_t>(placed.size())),
      KOKKOS_LAMBDA(const std::int64_t f) {
        neighbours(6 * faces(f).slot + faces(f).side) = 6 * (first + static_cast<Index>(f));
      });
  ExecutionSpace().fence();
}

/// Puts the places of the halo into `beyond`.
void set_halo_places(const Discretisation& d, const std::vector<space::SharedFace>& faces, const FaceHalo& halo,
                     const Vector<const Index>& slots, const Vector<Index>& beyond) {
  constexpr int width = group_size<float>;
  const int n = d.order + 1, nodes = n * n;
  const auto elements = to_host(slots);
  std::vector<Index> slot_of(d.mesh->num_elements()), places;
  for (std::size_t slot = 0; slot < elements.extent(0); ++slot)
    if (elements(slot) >= 0) slot_of[elements(slot)] = static_cast<Index>(slot);
  std::vector<PlacedFace> placed;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    placed.push_back({slot_of[faces[f].cell], faces[f].side});
    for (int b = 0; b < n; ++b)
      for (int a = 0; a < n; ++a) places.push_back(halo.place(f, a, b));
  }
  const auto on_device = to_device("multigrid/schwarz/faces", placed);
  const auto places_on_device = to_device("multigrid/schwarz/places", places);
  Kokkos::parallel_for(
      "multigrid/schwarz/places", Loop(0, static_cast<std::int64_t>(places.size())),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const PlacedFace& face = on_device(i / nodes);
        beyond(((face.slot / width * 6 + face.side) * std::int64_t(nodes) + i % nodes) * width + face.slot % width) =
            places_on_device(i);
      });
  ExecutionSpace().fence();
}

/// The nodes beyond the six faces of each slot's element: the neighbours' next ones to the face, in the order of its
/// own nodes.
Vector<Index> find_beyond(const Discretisation& d, const Vector<const Index>& slots,
                          const Vector<const Index>& neighbours) {
  constexpr int width = group_size<float>;
  const int n = d.order + 1;
  const Vector<Index> beyond = make_vector<Index>("multigrid/schwarz/beyond", slots.extent(0) * 6 * n * n);
  const Vector<const Index> map = d.space.element_to_node.device();
  Kokkos::parallel_for(
      "multigrid/schwarz/beyond", Loop(0, 6 * static_cast<std::int64_t>(slots.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const std::int64_t slot = i / 6;
        const int face = static_cast<int>(i % 6);
        const Index element = slots(slot), neighbour = element < 0 ? -1 : neighbours(6 * element + face);
        Index* const to = beyond.data() + (slot / width * 6 + face) * n * n * width + slot % width;
        if (neighbour < 0) {
          for (int node = 0; node < n * n; ++node) to[node * width] = -1;
          return;
        }
        const Index* const own = map.data() + std::int64_t(element) * n * n * n;
        const Index* const other = map.data() + std::int64_t(neighbour / 6) * n * n * n;
        const LocalFace mine(face, n), its(neighbour % 6, n);
        const int at = its.find(other, own[mine.corner]);
        const int step_u = (its.find(other, own[mine.corner + (n - 1) * mine.u]) - at) / (n - 1),
                  step_v = (its.find(other, own[mine.corner + (n - 1) * mine.v]) - at) / (n - 1);
        for (int b = 0; b < n; ++b)
          for (int a = 0; a < n; ++a) to[(b * n + a) * width] = other[at + its.inwards + a * step_u + b * step_v];
      });
  return beyond;
}

/// What the kernels add to every sum of eigenvalues.
float shift_of(const Discretisation& d) {
  return has_stiffness(d.problem) && d.coefficient.extent(0) == 0 ? static_cast<float>(d.lambda) : 0;
}

}  // namespace

SchwarzBase::SchwarzBase(const Discretisation& d, const Vector<const Index>& slots)
    : discretisation_(d), changes_(d.changes), slots_(slots), shift_(shift_of(d)) {
  const mesh::Entities faces = mesh::find_faces(*d.mesh);
  const Vector<Index> neighbours = mesh::find_neighbours(faces);
  const Vector<Index> beyond = find_beyond(d, slots, neighbours);
  std::vector<space::SharedFace> shared;
  if (!d.space.exchange.empty()) {
    shared = d.space.part_surface->shared_faces(*d.mesh, faces);
    number_halo_faces(shared, d.mesh->num_elements(), neighbours);
    halo_ = FaceHalo(d, shared);
    set_halo_places(d, shared, halo_, slots, beyond);
  }
  beyond_ = beyond;
  lines_ = make_line_modes(d, neighbours, shared, slots);
  weights_ = make_weights(d);
  ExecutionSpace().fence();
}

SchwarzBase::~SchwarzBase() = default;

void SchwarzBase::update() {
  const Discretisation& d = discretisation_;
  shift_ = shift_of(d);
  if (changes_ == d.changes || d.coefficient.extent(0) == 0) return set_lambda(lines_, d.lambda);
  const mesh::Entities faces = mesh::find_faces(*d.mesh);
  const Vector<Index> neighbours = mesh::find_neighbours(faces);
  std::vector<space::SharedFace> shared;
  if (!d.space.exchange.empty()) {
    shared = d.space.part_surface->shared_faces(*d.mesh, faces);
    number_halo_faces(shared, d.mesh->num_elements(), neighbours);
  }
  lines_ = make_line_modes(d, neighbours, shared, slots_);
  weights_ = make_weights(d);
  changes_ = d.changes;
  ExecutionSpace().fence();
}

Vector<const Index> SchwarzBase::every_element(const Discretisation& d) { return count_up(d.mesh->num_elements()); }

std::size_t SchwarzBase::residual_stride() const {
  return std::size_t(discretisation_.space.num_nodes) + halo_.num_values();
}

Vector<float> SchwarzBase::make_residual() const {
  return make_zeros<float>("multigrid/schwarz/own", discretisation_.space.components * residual_stride());
}

void SchwarzBase::load_residual(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y,
                                bool from_zero, const Vector<float>& to) const {
  const auto nodes = static_cast<std::size_t>(discretisation_.space.num_nodes);
  for (std::size_t c = 0; c < static_cast<std::size_t>(discretisation_.space.components); ++c) {
    const auto f_c = slice(f, c * nodes, nodes);
    const auto to_c = slice(to, c * residual_stride(), nodes);
    if (!from_zero)
      linalg::for_entries(instance, "multigrid/schwarz/residual", nodes,
                          Subtract{f_c.data(), y.data() + c * nodes, to_c.data()});
    else if (!discretisation_.space.exchange.empty())
      linalg::copy<float>(instance, f_c, to_c);
  }
  halo_.fetch(instance, f, from_zero ? Vector<const float>() : Vector<const float>(y), to.data() + nodes,
              residual_stride());
}

double SchwarzBase::bytes() const {
  return 4. * double(beyond_.extent(0) + slots_.extent(0) + lines_.modes.extent(0) + lines_.eigenvalues.extent(0) +
                     lines_.without_lambda.extent(0) + lines_.inverse_coefficients.extent(0) + weights_.extent(0)) +
         double(lines_.symmetric.extent(0));
}

std::unique_ptr<Schwarz> make_schwarz(const Discretisation& d) {
  using Made = std::unique_ptr<Schwarz>;
  Made made = with_order<Made>(d.order, [&]<int order>() -> Made {
    if constexpr (order == 1)
      return nullptr;
    else
      return make_order_schwarz<order>(d);
  });
  require(made != nullptr,
          "Schwarz smoother: order " + std::to_string(d.order) + "; accepted are the orders above 1 of this build");
  return made;
}

}  // namespace miniapp::multigrid
