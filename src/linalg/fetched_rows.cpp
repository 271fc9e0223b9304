// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/fetched_rows.hpp"

#include <algorithm>

#include "core/offsets.hpp"
#include "core/sort.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/find_entry.hpp"
#include "messages/words.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// The entries of a device array at `places`, on the host.
std::vector<std::size_t> take(const Vector<const Index>& from, const std::vector<std::size_t>& places) {
  const Vector<const std::size_t> at = to_device("linalg/at", places);
  const Vector<Index> taken = make_vector<Index>("linalg/taken", places.size());
  Kokkos::parallel_for(
      "linalg/take", Range(0, static_cast<Index>(places.size())),
      KOKKOS_LAMBDA(const Index i) { taken(i) = from(at(i)); });
  const auto host = to_host(taken);
  return {host.data(), host.data() + host.extent(0)};
}

/// Those keys (i) for which marks (i) is 1, in their order.
Vector<std::uint64_t> take_marked(const Vector<const std::uint64_t>& keys, const Vector<Index>& marks) {
  const Vector<Index> offsets = offsets_of(marks);
  const Vector<std::uint64_t> taken =
      make_vector<std::uint64_t>("linalg/taken", static_cast<std::size_t>(last_of(offsets)));
  Kokkos::parallel_for(
      "linalg/take marked", Range(0, static_cast<Index>(marks.extent(0))), KOKKOS_LAMBDA(const Index i) {
        if (marks(i) > 0) taken(offsets(i)) = keys(i);
      });
  Kokkos::fence();
  return taken;
}

}  // namespace

CsrMatrix<double> take_rows(const CsrMatrix<double>& matrix, const std::vector<Index>& sent) {
  const Vector<Index> rows = to_device("linalg/sent", sent), counts = make_vector<Index>("linalg/counts", sent.size());
  const auto items = static_cast<Index>(sent.size());
  const Index limit = matrix.num_rows;  // padding may ask for a row where there is none
  Kokkos::parallel_for(
      "linalg/count sent", Range(0, items), KOKKOS_LAMBDA(const Index i) {
        counts(i) = rows(i) < limit ? matrix.offsets(rows(i) + 1) - matrix.offsets(rows(i)) : 0;
      });
  const CsrMatrix<double> taken = make_counted_rows<double>(counts, matrix.num_columns);
  Kokkos::parallel_for(
      "linalg/take rows", Range(0, items), KOKKOS_LAMBDA(const Index i) {
        for (Index e = taken.offsets(i), from = matrix.offsets(rows(i)); e < taken.offsets(i + 1); ++e, ++from) {
          taken.columns(e) = matrix.columns(from);
          taken.values(e) = matrix.values(from);
        }
      });
  return taken;
}

RowMessages messages_of(const GhostItems& items) {
  RowMessages messages{items.neighbours, items.item_offsets, items.item_offsets, {}};
  for (std::size_t k = 0; k < items.neighbours.size(); ++k) {
    const auto begin = items.ghosts.begin() + static_cast<std::ptrdiff_t>(items.item_offsets[k]),
               end = items.ghosts.begin() + static_cast<std::ptrdiff_t>(items.item_offsets[k + 1]);
    const auto padding = std::find_if(begin, end, [](const Place& ghost) { return ghost.rank < 0; });
    messages.used.push_back(static_cast<std::size_t>(padding - begin));
  }
  return messages;
}

/// To each rank go the lengths of its rows, the places of their columns, and their values.
FetchedRows exchange_rows(const Communicator& ranks, const RowMessages& plan, const CsrMatrix<double>& rows,
                          const Vector<const std::int64_t>& of_column) {
  const std::size_t others = plan.others.size();
  const std::vector<std::size_t> first_sent = take(rows.offsets, plan.sent);  // (k): entry
  std::vector<std::size_t> offsets;
  for (std::size_t k = 0; k <= others; ++k) offsets.push_back(plan.sent[k] + 2 * first_sent[k]);
  const Vector<std::uint64_t> words = make_vector<std::uint64_t>("linalg/words", offsets.back());
  for (std::size_t k = 0; k < others; ++k) {
    const auto first = static_cast<Index>(plan.sent[k]), end = static_cast<Index>(plan.sent[k + 1]),
               first_entry = static_cast<Index>(first_sent[k]);
    std::uint64_t* const lengths = words.data() + offsets[k];
    std::uint64_t* const columns = lengths + (end - first);
    std::uint64_t* const values = columns + (first_sent[k + 1] - first_sent[k]);
    Kokkos::parallel_for(
        "linalg/pack rows", Range(first, end), KOKKOS_LAMBDA(const Index row) {
          lengths[row - first] = static_cast<std::uint64_t>(rows.offsets(row + 1) - rows.offsets(row));
          for (Index e = rows.offsets(row); e < rows.offsets(row + 1); ++e) {
            columns[e - first_entry] = static_cast<std::uint64_t>(of_column(rows.columns(e)));
            values[e - first_entry] = bits_of(rows.values(e));
          }
        });
  }
  Kokkos::fence();
  const messages::ReceivedWords received = messages::exchange_words(ranks, plan.others, offsets, words);

  const std::size_t num_rows = plan.received.back();
  const Vector<Index> counts = make_vector<Index>("linalg/counts", num_rows);
  for (std::size_t k = 0; k < others; ++k) {
    const auto first = static_cast<Index>(plan.received[k]), used = static_cast<Index>(plan.used[k]);
    const std::uint64_t* const lengths = received.words.data() + received.offsets[k];
    Kokkos::parallel_for(
        "linalg/count fetched", Range(first, static_cast<Index>(plan.received[k + 1])), KOKKOS_LAMBDA(const Index row) {
          counts(row) = row - first < used ? static_cast<Index>(lengths[row - first]) : 0;
        });
  }
  sum_entries(counts);
  FetchedRows fetched{offsets_of(counts), {}, {}};
  const std::vector<std::size_t> first_fetched = take(fetched.offsets, plan.received);  // (k): entry
  const Vector<std::int64_t> columns = make_vector<std::int64_t>("linalg/places", first_fetched.back());
  const Vector<double> values = make_vector<double>("linalg/values", first_fetched.back());
  for (std::size_t k = 0; k < others; ++k) {
    const std::size_t of_rank = received.offsets[k + 1] - received.offsets[k],
                      lengths = plan.received[k + 1] - plan.received[k], entries = (of_rank - lengths) / 2;
    const auto first = static_cast<Index>(first_fetched[k]);  // entries that are not wanted follow the others
    const std::uint64_t *const places = received.words.data() + received.offsets[k] + lengths, *const numbers =
                                                                                                   places + entries;
    Kokkos::parallel_for(
        "linalg/unpack rows", Range(first, static_cast<Index>(first_fetched[k + 1])), KOKKOS_LAMBDA(const Index e) {
          columns(e) = static_cast<std::int64_t>(places[e - first]);
          values(e) = number_of(numbers[e - first]);
        });
  }
  Kokkos::fence();
  fetched.columns = columns;
  fetched.values = values;
  return fetched;
}

Numbered number(const std::vector<Place>& ghosts, Index first) {
  Numbered numbers;
  for (std::size_t k = 0; k < ghosts.size(); ++k)
    if (ghosts[k].rank >= 0) numbers.emplace_back(ghosts[k], first + static_cast<Index>(k));
  if (!std::is_sorted(numbers.begin(), numbers.end())) std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void number_columns(const Vector<const std::int64_t>& places, const Vector<Index>& columns, int rank,
                    const Numbered& known) {
  std::vector<std::int64_t> words;
  std::vector<Index> numbers;
  for (const auto& [place, number] : known) {
    words.push_back(word_of(place));
    numbers.push_back(number);
  }
  const Vector<const std::int64_t> word = to_device("linalg/places", words);
  const Vector<const Index> number = to_device("linalg/numbers", numbers);
  const auto size = static_cast<Index>(words.size());
  Kokkos::parallel_for(
      "linalg/number columns", Range(0, static_cast<Index>(columns.extent(0))), KOKKOS_LAMBDA(const Index e) {
        if (columns(e) >= 0) return;
        const Place place = place_of(places(e));
        if (place.rank == rank) {
          columns(e) = place.row;
          return;
        }
        const Index at = first_not_below(word.data(), 0, size, places(e));
        if (at < size && word(at) == places(e)) columns(e) = number(at);
      });
  Kokkos::fence();
}

std::vector<Place> list_unnumbered(const Vector<const std::int64_t>& places, const Vector<Index>& columns, int ranks) {
  const std::size_t entries = columns.extent(0);
  const Vector<std::uint64_t> keys = make_vector<std::uint64_t>("linalg/keys", entries);
  const Vector<Index> marks = make_vector<Index>("linalg/marks", entries);
  Kokkos::parallel_for(
      "linalg/mark unnumbered", Range(0, static_cast<Index>(entries)), KOKKOS_LAMBDA(const Index e) {
        keys(e) = static_cast<std::uint64_t>(places(e));
        marks(e) = columns(e) < 0 ? 1 : 0;
      });
  const Vector<std::uint64_t> all = take_marked(keys, marks);
  const std::size_t size = all.extent(0);
  sort_by_key(all, make_vector<Index>("linalg/sorted with", size), 32 + bits_below(static_cast<std::uint64_t>(ranks)));
  const Vector<Index> is_first = make_vector<Index>("linalg/marks", size);
  Kokkos::parallel_for(
      "linalg/mark first", Range(0, static_cast<Index>(size)),
      KOKKOS_LAMBDA(const Index i) { is_first(i) = i == 0 || all(i - 1) != all(i) ? 1 : 0; });
  const auto words = to_host(take_marked(all, is_first));
  std::vector<Place> once;
  for (std::size_t i = 0; i < words.extent(0); ++i) once.push_back(place_of(static_cast<std::int64_t>(words(i))));
  return once;
}

std::vector<Place> whole_nodes(const std::vector<Place>& places, int block) {
  std::vector<Place> whole;
  for (const Place& place : places)
    if (place.rank >= 0)
      for (int b = 0; b < block; ++b) whole.push_back({place.rank, place.row / block * block + b});
  return whole;
}

}  // namespace miniapp::linalg
