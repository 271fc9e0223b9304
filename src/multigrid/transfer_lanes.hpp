// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/multigrid/p_transfer.hpp"
#include "tensor/lanes/lane_rows.hpp"
#include "tensor/lanes/lanes_base.hpp"

namespace miniapp::multigrid {

/// Transfer with elements in lanes, plane by plane of the higher order: the group that visits a node first reads and
/// writes it. J (fine node, coarse node) is the basis of the lower order.
template <int order, int lower>
class TransferLanes : public PTransfer {
  using T = Lanes<float>;
  static constexpr int m = order + 1, n = lower + 1, width = lane_width<float>;
  using FineRows = Rows<m, float>;
  using CoarseRows = Rows<n, float>;

 public:
  TransferLanes(const Discretisation& coarse, const Discretisation& fine)
      : components_(fine.space.components),
        coarse_(lane_groups(coarse, width)),
        fine_(lane_groups(fine, width)),
        copies_(coarse_, components_) {
    const basis::Matrix values = basis::lagrange_values(coarse.basis.nodes.points, fine.basis.nodes.points);
    for (int i = 0; i < m; ++i)
      for (int a = 0; a < n; ++a) J_[i][a] = static_cast<float>(values(i, a));
  }

  void prolong(const Instance& instance, const Vector<const float>& x, const Vector<float>& y) const override {
    const Pass pass{this, x.data(), nullptr, y.data()};
    for_groups(instance, *fine_, 0, &pass, [](const void* data, int g, void*) {
      const Pass& p = *static_cast<const Pass*>(data);
      const TransferLanes& t = *p.transfer;
      for (int c = 0; c < t.components_; ++c)
        t.prolong_group(g, p.from + c * t.coarse_nodes(), p.to + c * t.fine_nodes());
    });
  }
  void restrict_to(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y,
                   const Vector<float>& to) const override {
    const Pass pass{this, f.data(), y.data(), to.data()};
    for_groups(instance, *fine_, 0, &pass, [](const void* data, int g, void*) {
      const Pass& p = *static_cast<const Pass*>(data);
      const TransferLanes& t = *p.transfer;
      for (int c = 0; c < t.components_; ++c) {
        const std::size_t fine = c * t.fine_nodes();
        t.restrict_group(g, c, p.from + fine, p.minus + fine, p.to + c * t.coarse_nodes());
      }
    });
    copies_.add_to(instance, to.data());
  }
  double bytes() const override { return 0; }  // groups are those of the operators

 private:
  struct Pass {
    const TransferLanes* transfer;
    const float *from, *minus;
    float* to;
  };
  std::size_t coarse_nodes() const { return coarse_->num_nodes; }
  std::size_t fine_nodes() const { return fine_->num_nodes; }

  void prolong_group(int g, const float* x, float* y) const {
    const CoarseRows coarse(*coarse_, g, Storage::global, x, nullptr, nullptr);
    const FineRows fine(*fine_, g, Storage::global, nullptr, y, nullptr);
    T values[n * n][n];  // (a, b, i) of the lower order
    for (int row = 0; row < n * n; ++row) coarse.load(row, values[row]);
    for (int k = 0; k < m; ++k) {
      T plane[n][n];  // (b, i)
      for (int b = 0; b < n; ++b)
        for (int i = 0; i < n; ++i) {
          T sum = J_[k][0] * values[b][i];
          MINIAPP_UNROLL
          for (int a = 1; a < n; ++a) sum += J_[k][a] * values[a * n + b][i];
          plane[b][i] = sum;
        }
      for (int j = 0; j < m; ++j) {
        T line[n], row[m];
        MINIAPP_UNROLL
        for (int i = 0; i < n; ++i) {
          line[i] = J_[j][0] * plane[0][i];
          MINIAPP_UNROLL
          for (int b = 1; b < n; ++b) line[i] += J_[j][b] * plane[b][i];
        }
        for (int c = 0; c < m; ++c) {
          T sum = J_[c][0] * line[0];
          MINIAPP_UNROLL
          for (int i = 1; i < n; ++i) sum += J_[c][i] * line[i];
          row[c] = sum;
        }
        fine.add_first(k * m + j, row);
      }
    }
  }

  void restrict_group(int g, int component, const float* f, const float* y, float* to) const {
    const FineRows fine(*fine_, g, Storage::global, f, nullptr, nullptr),
        subtracted(*fine_, g, Storage::global, y, nullptr, nullptr);
    const CoarseRows coarse(*coarse_, g, Storage::global, to, to, copies_.component(component));
    T values[n * n][n] = {};  // (a, b, i) of the lower order
    for (int k = 0; k < m; ++k) {
      T plane[n][n] = {};  // (b, i)
      for (int j = 0; j < m; ++j) {
        T row[m], minus[m];
        if (!fine.load_first(k * m + j, row) || !subtracted.load_first(k * m + j, minus)) continue;
        MINIAPP_UNROLL
        for (int c = 0; c < m; ++c) row[c] -= minus[c];
        for (int i = 0; i < n; ++i) {
          T sum = J_[0][i] * row[0];
          MINIAPP_UNROLL
          for (int c = 1; c < m; ++c) sum += J_[c][i] * row[c];
          MINIAPP_UNROLL
          for (int b = 0; b < n; ++b) plane[b][i] += J_[j][b] * sum;
        }
      }
      for (int row = 0; row < n * n; ++row) {
        MINIAPP_UNROLL
        for (int i = 0; i < n; ++i) values[row][i] += J_[k][row / n] * plane[row % n][i];
      }
    }
    for (int row = 0; row < n * n; ++row) coarse.add(row, values[row]);
  }

  int components_;
  std::shared_ptr<const LaneGroups> coarse_, fine_;  ///< groups of both orders, of the same elements
  Copies<float> copies_;                             ///< copies of nodes of the lower order
  float J_[m][n];
};

}  // namespace miniapp::multigrid
