// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "core/offsets.hpp"
#include "linalg/distribution.hpp"
#include "linalg/fetched_rows.hpp"
#include "linalg/rows_with_room.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/linalg/local_rows.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// Where the entries of a space's vectors are rows.
struct Placement {
  Vector<const Index> entries;        ///< (own row): its entry
  Vector<const std::int64_t> places;  ///< (entry): as a word
};

/// Finds where the first `count` entries of a space's vectors are rows. Collective.
Placement place_entries(const space::Space& space, Index count) {
  const Vector<const unsigned char> owned = space.exchange.owned();
  const Vector<Index> counts = make_vector<Index>("linalg/counts", static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "linalg/count owned", Range(0, count), KOKKOS_LAMBDA(const Index i) { counts(i) = owned(i); });
  const Vector<Index> rows = offsets_of(counts);
  const Vector<Index> entries = make_vector<Index>("linalg/entries", static_cast<std::size_t>(last_of(rows)));
  const Vector<double> numbers = make_zeros<double>("linalg/numbers", space.num_entries());  // exact up to 2^53
  const std::int64_t first = word_of({space.exchange.ranks().rank(), 0});
  Kokkos::parallel_for(
      "linalg/number owned", Range(0, count), KOKKOS_LAMBDA(const Index i) {
        if (!owned(i)) return;
        entries(rows(i)) = i;
        numbers(i) = static_cast<double>(first + rows(i));
      });
  const Instance instance;
  Kokkos::fence();
  space.exchange.copy_from_owners(instance, numbers);
  instance.fence();
  const Vector<std::int64_t> places = make_vector<std::int64_t>("linalg/places", static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "linalg/places", Range(0, count),
      KOKKOS_LAMBDA(const Index i) { places(i) = static_cast<std::int64_t>(numbers(i)); });
  Kokkos::fence();
  return {entries, places};
}

/// What other ranks have of this rank's rows.
struct FetchedParts : FetchedRows {
  std::vector<Index> rows;  ///< (fetched row): own row
};

/// Sends a rank's parts of rows of others, but those of constrained nodes, to their owners. `others`: the places of
/// entries that this rank does not own. Collective.
FetchedParts exchange_parts(const CsrMatrix<double>& part, const space::Space& space, const Placement& placement,
                            const HostVector<std::int64_t>& others) {
  const Communicator& ranks = space.exchange.ranks();
  const std::vector<Index>& entries = space.exchange.not_owned_on_host();
  const std::vector<char> masked = find_masked(space, static_cast<std::size_t>(part.num_rows));
  std::vector<std::vector<Index>> of_rank(static_cast<std::size_t>(ranks.size()));  // entries of its rows
  std::vector<std::vector<std::int64_t>> to(of_rank.size());                        // the rows
  for (std::size_t k = 0; k < others.extent(0); ++k) {
    if (masked[entries[k]]) continue;
    const Place place = place_of(others(k));
    of_rank[place.rank].push_back(entries[k]);
    to[place.rank].push_back(place.row);
  }
  const std::vector<std::vector<std::int64_t>> from = ranks.exchange(to);
  RowMessages plan;
  std::vector<Index> list;
  FetchedParts fetched;
  for (std::size_t rank = 0; rank < to.size(); ++rank) {
    if (to[rank].empty() && from[rank].empty()) continue;
    list.insert(list.end(), of_rank[rank].begin(), of_rank[rank].end());
    fetched.rows.insert(fetched.rows.end(), from[rank].begin(), from[rank].end());
    plan.others.push_back(static_cast<int>(rank));
    plan.sent.push_back(list.size());
    plan.received.push_back(fetched.rows.size());
    plan.used.push_back(from[rank].size());
  }
  static_cast<FetchedRows&>(fetched) = exchange_rows(ranks, plan, take_rows(part, list), placement.places);
  return fetched;
}

/// The fetched parts of each row that has any, in the order of ranks.
struct Border {
  Vector<const Index> rows;           ///< (border row): own row
  Vector<const Index> starts, parts;  ///< (border row): the fetched rows parts (starts (b)) ..
  Vector<const Index> offsets;        ///< (fetched row): its first entry

  explicit Border(const FetchedParts& fetched) {
    std::vector<Index> order(fetched.rows.size()), border, first;
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&](Index a, Index b) { return fetched.rows[a] < fetched.rows[b]; };
    if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k > 0 && fetched.rows[order[k]] == border.back()) continue;
      border.push_back(fetched.rows[order[k]]);
      first.push_back(static_cast<Index>(k));
    }
    first.push_back(static_cast<Index>(order.size()));
    rows = to_device("linalg/border", border);
    starts = to_device("linalg/border parts", first);
    parts = to_device("linalg/order of parts", order);
    offsets = fetched.offsets;
  }
  Index size() const { return static_cast<Index>(rows.extent(0)); }
};

/// Rows, whose first sizes (row) entries are there.
struct LooseRows {
  CsrMatrix<double> rows;
  Vector<Index> sizes;
};

/// The rows of the border with what was fetched added to them. number (column of `part`), columns (fetched entry): the
/// columns' numbers.
LooseRows add_parts(const CsrMatrix<double>& part, const Vector<const Index>& entries, const Border& border,
                    const Vector<Index>& number, const Vector<Index>& columns, const Vector<const double>& values) {
  const Border b = border;
  const CsrMatrix<double> own = part;
  const Vector<Index> room = make_vector<Index>("linalg/counts", static_cast<std::size_t>(b.size()));
  Kokkos::parallel_for(
      "linalg/room of border", Range(0, b.size()), KOKKOS_LAMBDA(const Index k) {
        const Index entry = entries(b.rows(k));
        Index count = own.offsets(entry + 1) - own.offsets(entry);
        for (Index s = b.starts(k); s < b.starts(k + 1); ++s)
          count += b.offsets(b.parts(s) + 1) - b.offsets(b.parts(s));
        room(k) = count;
      });
  const CsrMatrix<double> rows = make_counted_rows<double>(room, 0);
  const Vector<Index> sizes = make_vector<Index>("linalg/sizes", room.extent(0));
  Kokkos::parallel_for(
      "linalg/add parts", Range(0, b.size()), KOKKOS_LAMBDA(const Index k) {
        const Index entry = entries(b.rows(k)), begin = rows.offsets(k);
        Index end = begin;
        for (Index e = own.offsets(entry); e < own.offsets(entry + 1); ++e, ++end) {
          rows.columns(end) = number(own.columns(e));
          rows.values(end) = own.values(e);
        }
        for (Index s = b.starts(k); s < b.starts(k + 1); ++s)
          for (Index e = b.offsets(b.parts(s)); e < b.offsets(b.parts(s) + 1); ++e) {
            Index at = begin;
            while (at < end && rows.columns(at) != columns(e)) ++at;
            if (at < end) {
              rows.values(at) += values(e);
            } else {
              rows.columns(end) = columns(e);
              rows.values(end++) = values(e);
            }
          }
        sizes(k) = end - begin;
      });
  return {rows, sizes};
}

/// Fills the rows of a matrix: those of the border, and all others from `part`.
void fill_rows(GhostedMatrix& matrix, const CsrMatrix<double>& part, const Vector<const Index>& entries,
               const Vector<const Index>& border, const LooseRows& added, const Vector<Index>& number) {
  const CsrMatrix<double> own = part, sums = added.rows;
  const auto num_rows = static_cast<Index>(entries.extent(0)), border_rows = static_cast<Index>(border.extent(0));
  const Vector<Index> counts = make_vector<Index>("linalg/counts", entries.extent(0)), sizes = added.sizes;
  Kokkos::parallel_for(
      "linalg/count own", Range(0, num_rows),
      KOKKOS_LAMBDA(const Index row) { counts(row) = own.offsets(entries(row) + 1) - own.offsets(entries(row)); });
  Kokkos::parallel_for(
      "linalg/count border", Range(0, border_rows), KOKKOS_LAMBDA(const Index k) { counts(border(k)) = sizes(k); });
  make_rows(matrix, num_rows, offsets_of(counts), sum_entries(counts));
  const CsrMatrix<double> rows = matrix.rows;
  Kokkos::parallel_for(
      "linalg/copy own", Range(0, num_rows), KOKKOS_LAMBDA(const Index row) {
        Index from = own.offsets(entries(row));
        const Index end = own.offsets(entries(row) + 1);
        for (Index e = rows.offsets(row); e < rows.offsets(row + 1) && from < end; ++e, ++from) {
          rows.columns(e) = number(own.columns(from));
          rows.values(e) = own.values(from);
        }
      });
  Kokkos::parallel_for(
      "linalg/copy border", Range(0, border_rows), KOKKOS_LAMBDA(const Index k) {
        for (Index e = rows.offsets(border(k)), from = sums.offsets(k); e < rows.offsets(border(k) + 1); ++e, ++from) {
          rows.columns(e) = sums.columns(from);
          rows.values(e) = sums.values(from);
        }
      });
  Kokkos::fence();
  const Instance instance;
  sort_rows(instance, rows);
  instance.fence();
}

}  // namespace

SpaceRows make_ghosted(const CsrMatrix<double>& part, const space::Space& space, int block) {
  require_rows(part, space);
  const Index count = part.num_rows;
  if (space.exchange.empty()) {
    std::vector<Index> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return {make_ghosted(part), to_device("linalg/entries", all)};
  }
  const Communicator& ranks = space.exchange.ranks();
  const Placement placement = place_entries(space, count);
  const Vector<const Index> not_owned = space.exchange.not_owned();
  const std::vector<Index>& entries = space.exchange.not_owned_on_host();
  const auto others =
      static_cast<std::size_t>(std::lower_bound(entries.begin(), entries.end(), count) - entries.begin());
  const Vector<std::int64_t> places_of_others = make_vector<std::int64_t>("linalg/others", others);
  const Vector<const std::int64_t> places = placement.places;
  Kokkos::parallel_for(
      "linalg/places of others", Range(0, static_cast<Index>(others)),
      KOKKOS_LAMBDA(const Index k) { places_of_others(k) = places(not_owned(k)); });
  const HostVector<std::int64_t> words = to_host(places_of_others);
  const FetchedParts fetched = exchange_parts(part, space, placement, words);

  const Vector<Index> columns = make_vector<Index>("linalg/columns", fetched.columns.extent(0)),
                      number_of_entry = make_vector<Index>("linalg/numbers", static_cast<std::size_t>(count));
  fill(columns, -1);
  fill(number_of_entry, -1);
  number_columns(fetched.columns, columns, ranks.rank(), {});
  std::vector<Place> needed = list_unnumbered(fetched.columns, columns, ranks.size());
  for (std::size_t k = 0; k < others; ++k) needed.push_back(place_of(words(k)));
  SpaceRows result{{}, placement.entries};
  static_cast<GhostItems&>(result.matrix) = make_ghost_items(ranks, whole_nodes(needed, block));
  const Numbered ghosts = number(result.matrix.ghosts, static_cast<Index>(placement.entries.extent(0)));
  number_columns(fetched.columns, columns, ranks.rank(), ghosts);
  number_columns(places, number_of_entry, ranks.rank(), ghosts);
  const Border border(fetched);
  const LooseRows added = add_parts(part, placement.entries, border, number_of_entry, columns, fetched.values);
  fill_rows(result.matrix, part, placement.entries, border.rows, added, number_of_entry);
  return result;
}

}  // namespace miniapp::linalg
