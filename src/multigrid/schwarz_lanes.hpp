// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "multigrid/schwarz_base.hpp"
#include "multigrid/schwarz_lines.hpp"
#include "tensor/lanes/lane_rows.hpp"
#include "tensor/lanes/lanes_base.hpp"

namespace miniapp::multigrid {

/// A_e^-1 for elements in lanes: plane by plane to modes along r and s; along t to modes, divided, and back; plane by
/// plane back along s and r. The cube is (k, j, i), i fastest, with planes padded by one entry so that they do not map
/// to the same cache sets. Values beyond the element's edges are zero, what is left of them is not used.
template <int order>
struct SchwarzInLanes {
  using T = Lanes<float>;
  static constexpr int n = order + 1, m = n + 2, plane = m * m + 1;
  static constexpr int at_once = m <= 7 ? 3 : m <= 13 ? 2 : 1;  ///< lines whose numbers fit into registers
  using Lines = SchwarzLines<n, T>;
  using Rows = tensor::Rows<n, float>;

  struct Scratch {
    T cube[m * plane];
  };

  const float* r;
  const Index* beyond;       ///< (face, b, a, lane)
  const T *S, *eigenvalues;  ///< (direction, node, mode), (direction, mode)
  float shift;
  bool is_last;  ///< whether this group is the last

  void operator()(const Rows& rows, Scratch& s) const {
    const T *const S_s = S + m * m, *const S_t = S_s + m * m;
    for (int k = 0; k < m; ++k) {
      T* const cube = s.cube + k * plane;
      if (k == 0 || k == m - 1) {
        for (int j = 0; j < n; ++j) load_row(4 + (k > 0), j, cube + (j + 1) * m);
        for_lines<m>([&]<int count>(int i) { Lines::template to_modes<m, count, true>(S_s, cube + i); });
        continue;
      }
      load_row(2, k - 1, cube);
      for (int j = 0; j < n; ++j) load_own_row(rows, k - 1, j, cube + (j + 1) * m);
      load_row(3, k - 1, cube + (m - 1) * m);
      for_lines<m>([&]<int count>(int i) { Lines::template to_modes<m, count>(S_s, cube + i); });
    }
    for (int j = 0; j < m; ++j) {
      expect_next(j);
      T* const row = s.cube + j * m;
      for_lines<m>([&]<int count>(int i) {
        Lines::template to_modes<plane, count>(S_t, row + i);
        for (int c = i; c < i + count; ++c) {
          const T sum = eigenvalues[c] + eigenvalues[m + j] + shift;
          MINIAPP_UNROLL
          for (int k = 0; k < m; ++k) row[k * plane + c] *= reciprocal(sum + eigenvalues[2 * m + k]);
        }
        Lines::template to_nodes<plane, count>(S_t, row + i);
      });
    }
    for (int k = 1; k <= n; ++k) {
      T* const cube = s.cube + k * plane;
      for_lines<m>([&]<int count>(int i) { Lines::template to_nodes<m, count>(S_s, cube + i); });
      for (int j = 1; j <= n; ++j) {
        T values[n];
        Lines::template to_nodes<1, 1>(S, cube + j * m);
        MINIAPP_UNROLL
        for (int i = 0; i < n; ++i) values[i] = cube[j * m + 1 + i];
        rows.add((k - 1) * n + j - 1, values);
      }
    }
  }

  /// Prefetches part j of what the next group reads, and of the values beyond its faces along t: the stream has too
  /// many pauses for the hardware prefetcher.
  [[gnu::always_inline]] void expect_next(int j) const {
    if (is_last) return;
    constexpr int width = lane_width<float>;
    const Index* const next = beyond + 6 * n * n * width;
    for (int line = j; line < 3 * m * m; line += m) __builtin_prefetch(S + 3 * m * m + line, 0, 2);
    for (int line = j; line < 3 * m; line += m) __builtin_prefetch(eigenvalues + 3 * m + line, 0, 2);
    for (int line = j; line < 6 * n * n; line += m) __builtin_prefetch(next + line * width, 0, 2);
    for (int row = j; row < 2 * n; row += m)
      for (int l = 0; l < width; ++l) __builtin_prefetch(r + next[((4 * n + row) * n) * width + l], 0, 2);
  }

  /// Row b of the values beyond a face along s or t, to modes along r.
  [[gnu::always_inline]] void load_row(int face, int b, T* row) const {
    for (int a = 0; a < n; ++a) row[a + 1] = miniapp::gather(r, beyond + ((face * n + b) * n + a) * lane_width<float>);
    Lines::template to_modes<1, 1, true>(S, row);
  }
  /// A row of own nodes between those beyond the faces along r, to modes along r.
  [[gnu::always_inline]] void load_own_row(const Rows& rows, int k, int j, T* row) const {
    T nodes[n];
    rows.load(k * n + j, nodes);
    row[0] = miniapp::gather(r, beyond + (k * n + j) * lane_width<float>);
    row[m - 1] = miniapp::gather(r, beyond + ((n + k) * n + j) * lane_width<float>);
    MINIAPP_UNROLL
    for (int i = 0; i < n; ++i) row[i + 1] = nodes[i];
    Lines::template to_modes<1, 1>(S, row);
  }

  /// body<count>(i) for `lines` lines, so many at once.
  template <int lines, class Body>
  [[gnu::always_inline]] static void for_lines(const Body& body) {
    for (int i = 0; i + at_once <= lines; i += at_once) body.template operator()<at_once>(i);
    if constexpr (lines % at_once != 0) body.template operator()<lines % at_once>(lines - lines % at_once);
  }
};

/// Schwarz' smoother on hosts but for A_e^-1, which one group of elements does at a time. Whole vectors are subtracted
/// and weighted before and after the elements: their rows would have to be transposed twice.
class SchwarzLanes : public SchwarzBase {
 public:
  /// `body` computes a group of a Pass by `scratch_bytes` of scratch.
  SchwarzLanes(const Discretisation& d, std::size_t scratch_bytes, GroupBody body);

  void step(const Instance& instance, const Vector<const float>& f, const Vector<float>& y, float factor,
            const Vector<float>& x, bool from_zero, const Vector<float>& unsummed) const override;
  double bytes() const override { return SchwarzBase::bytes() + 4. * double(own_.extent(0) + added_.extent(0)); }

  /// z = W^-1 B r.
  struct Pass {
    const SchwarzLanes* op;
    const float* r;
    float* z;
  };
  template <int order>
  static void invert_group(const void* pass, int g, void* scratch) {
    using Body = SchwarzInLanes<order>;
    constexpr int n = Body::n, m = Body::m;
    const Pass& p = *static_cast<const Pass*>(pass);
    const SchwarzLanes& op = *p.op;
    const auto* const S = reinterpret_cast<const Lanes<float>*>(op.lines_.modes.data()) + std::size_t(g) * 3 * m * m;
    const auto* const eigenvalues =
        reinterpret_cast<const Lanes<float>*>(op.lines_.eigenvalues.data()) + std::size_t(g) * 3 * m;
    const Index* const beyond = op.beyond_.data() + std::size_t(g) * 6 * n * n * lane_width<float>;
    const bool is_last = g + 1 == op.groups_->size();
    for (int c = 0; c < op.discretisation_.space.components; ++c) {
      const std::size_t from = c * op.residual_stride(), to = std::size_t(c) * op.discretisation_.space.num_nodes;
      const tensor::Rows<n, float> rows(*op.groups_, g, Storage::global, p.r + from, p.z + to, op.copies_.component(c));
      Body{p.r + from, beyond, S, eigenvalues, op.shift_, is_last}(rows,
                                                                   *static_cast<typename Body::Scratch*>(scratch));
    }
  }

 private:
  SchwarzLanes(const Discretisation& d, std::size_t scratch_bytes, GroupBody body,
               std::shared_ptr<const LaneGroups> groups);
  bool is_alone() const { return discretisation_.space.exchange.empty(); }
  Vector<const float> residual(const Instance& instance, const Vector<const float>& f, const Vector<float>& y,
                               bool from_zero) const;
  const Vector<float>& corrections(const Vector<const float>& r, const Vector<float>& y) const;
  void add_weighted(const Instance& instance, float factor, const Vector<float>& z, const Vector<float>& x,
                    bool from_zero) const;

  std::size_t scratch_bytes_;
  GroupBody body_;
  std::shared_ptr<const LaneGroups> groups_;  ///< those of the operator
  Copies<float> copies_;
  Vector<float> own_;    ///< a residual, on several ranks with what is beyond them; or what elements add
  Vector<float> added_;  ///< on several ranks what elements add
};

}  // namespace miniapp::multigrid
