// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/fetched_rows.hpp"

#include <algorithm>
#include <cstring>

#include "core/offsets.hpp"
#include "core/sort.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/find_entry.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// (entry): the place of its column.
HostVector<std::int64_t> places_of_entries(const CsrMatrix<double>& rows, const Vector<const std::int64_t>& of_column) {
  const auto entries = static_cast<std::size_t>(rows.num_entries());
  const Vector<std::int64_t> places = make_vector<std::int64_t>("linalg/places", entries);
  const Vector<Index> columns = rows.columns;
  Kokkos::parallel_for(
      "linalg/places of entries", Range(0, static_cast<Index>(entries)),
      KOKKOS_LAMBDA(const Index e) { places(e) = of_column(columns(e)); });
  return to_host(places);
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

SentRows::SentRows(const CsrMatrix<double>& rows, const Vector<const std::int64_t>& of_column)
    : offsets(to_host(rows.offsets)), columns(places_of_entries(rows, of_column)), values(to_host(rows.values)) {}

void SentRows::pack(std::size_t begin, std::size_t end, Words& words) const {
  const auto first = static_cast<std::size_t>(offsets(begin)), last = static_cast<std::size_t>(offsets(end));
  words.reserve(words.size() + end - begin + 2 * (last - first));
  for (std::size_t i = begin; i < end; ++i) words.push_back(offsets(i + 1) - offsets(i));
  words.insert(words.end(), columns.data() + first, columns.data() + last);
  if (first == last) return;
  words.resize(words.size() + last - first);
  std::memcpy(words.data() + words.size() - (last - first), values.data() + first, (last - first) * sizeof(double));
}

void unpack(const std::int64_t* words, std::size_t rows, std::size_t used, FetchedRows& fetched) {
  std::size_t all = 0, taken = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto length = static_cast<std::size_t>(words[i]);
    fetched.lengths.push_back(i < used ? static_cast<Index>(length) : 0);
    all += length;
    taken += i < used ? length : 0;
  }
  fetched.columns.insert(fetched.columns.end(), words + rows, words + rows + taken);
  const std::size_t before = fetched.values.size();
  fetched.values.resize(before + taken);
  if (taken > 0) std::memcpy(fetched.values.data() + before, words + rows + all, taken * sizeof(double));
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
