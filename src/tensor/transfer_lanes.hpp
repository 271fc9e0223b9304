// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/basis/lagrange.hpp"
#include "tensor/lane_rows.hpp"
#include "tensor/lanes_base.hpp"
#include "tensor/p_transfer.hpp"

namespace miniapp::tensor {

/// Transfer with elements in lanes, plane by plane of the higher order: the group that meets a node first reads and
/// writes it. J (fine node, coarse node) is the basis of the lower order.
template <int order, int lower>
class TransferLanes : public PTransfer {
  using T = Lanes<float>;
  static constexpr int m = order + 1, n = lower + 1, width = lane_width<float>;
  using FineRows = Rows<m, float>;
  using CoarseRows = Rows<n, float>;

 public:
  TransferLanes(const Discretisation& coarse, const Discretisation& fine)
      : components_(fine.space.components), coarse_(lane_groups(coarse, width)), fine_(lane_groups(fine, width)) {
    const basis::Matrix values = basis::lagrange_values(coarse.basis.nodes.points, fine.basis.nodes.points);
    for (int i = 0; i < m; ++i)
      for (int a = 0; a < n; ++a) J_[i][a] = static_cast<float>(values(i, a));
  }

  void prolong(const Instance& instance, const Vector<const float>& x, const Vector<float>& y) const override {
    run(instance, x, y, *coarse_, [](const void* pass, int g, void*) {
      const Pass& p = *static_cast<const Pass*>(pass);
      for (int c = 0; c < p.transfer->components_; ++c) p.transfer->prolong_group(g, p.x_of(c), p.y_of(c));
    });
  }
  void restrict_to(const Instance& instance, const Vector<const float>& r, const Vector<float>& f) const override {
    run(instance, r, f, *fine_, [](const void* pass, int g, void*) {
      const Pass& p = *static_cast<const Pass*>(pass);
      for (int c = 0; c < p.transfer->components_; ++c) p.transfer->restrict_group(g, p.x_of(c), p.y_of(c));
    });
  }
  double bytes() const override { return 0; }  // groups are those of the operators

 private:
  struct Pass {
    const TransferLanes* transfer;
    const float* x;
    float* y;
    std::size_t x_size, y_size;
    const float* x_of(int component) const { return x + component * x_size; }
    float* y_of(int component) const { return y + component * y_size; }
  };
  void run(const Instance& instance, const Vector<const float>& x, const Vector<float>& y, const LaneGroups& from,
           GroupBody body) const {
    const std::size_t x_size = from.num_nodes, y_size = (&from == fine_.get() ? coarse_ : fine_)->num_nodes;
    const Pass pass{this, x.data(), y.data(), x_size, y_size};
    for_groups(instance, *fine_, 0, &pass, body);
  }

  void prolong_group(int g, const float* x, float* y) const {
    const CoarseRows coarse(*coarse_, g, Storage::global, x, y);
    const FineRows fine(*fine_, g, Storage::global, x, y);
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

  void restrict_group(int g, const float* r, float* f) const {
    const FineRows fine(*fine_, g, Storage::global, r, f);
    const CoarseRows coarse(*coarse_, g, Storage::global, r, f);
    T values[n * n][n] = {};  // (a, b, i) of the lower order
    for (int k = 0; k < m; ++k) {
      T plane[n][n] = {};  // (b, i)
      for (int j = 0; j < m; ++j) {
        T row[m];
        if (!fine.load_first(k * m + j, row)) continue;
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
  std::shared_ptr<const LaneGroups> coarse_, fine_;  ///< with the same elements
  float J_[m][n];
};

}  // namespace miniapp::tensor
