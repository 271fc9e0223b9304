// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/local_rows.hpp"

#include <algorithm>
#include <utility>

#include "core/offsets.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/fetched_rows.hpp"
#include "linalg/rows_with_room.hpp"
#include "linalg/sort_rows.hpp"
#include "messages/words.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

CsrMatrix<double> first_rows(const CsrMatrix<double>& matrix, Index rows, Index columns) {
  const Vector<Index> offsets = first_of(matrix.offsets, static_cast<std::size_t>(rows) + 1);
  const auto entries = static_cast<std::size_t>(last_of(offsets));
  return {rows, columns, offsets, first_of(matrix.columns, entries), first_of(matrix.values, entries)};
}

/// (column): where it is a row of a vector, as a word: this rank's own, then those of `ghosts`.
Vector<const std::int64_t> places_of_columns(int rank, Index own, const std::vector<Place>& ghosts) {
  std::vector<std::int64_t> words;
  for (const Place& place : ghosts) words.push_back(word_of(place));
  const std::size_t size = static_cast<std::size_t>(own) + words.size();
  const Vector<std::int64_t> places = make_vector<std::int64_t>("linalg/places", size);
  const std::int64_t first = word_of({rank, 0});
  Kokkos::parallel_for(
      "linalg/own places", Range(0, own), KOKKOS_LAMBDA(const Index row) { places(row) = first + row; });
  copy_entries(slice(places, static_cast<std::size_t>(own), words.size()),
               HostVector<const std::int64_t>(words.data(), words.size()));
  return places;
}

/// The numbers that ghosts have as items; -1 where they are none.
std::vector<Index> number_ghosts(const std::vector<Place>& ghosts, const GhostItems& items, Index own) {
  const Numbered of_items = number(items.ghosts, own);
  std::vector<Index> numbers;
  numbers.reserve(ghosts.size());
  auto found = of_items.begin();  // ghosts ascend but where one list follows another
  for (const Place& place : ghosts) {
    if (found == of_items.end() || place < found->first)
      found = std::lower_bound(of_items.begin(), of_items.end(), std::pair<Place, Index>(place, 0));
    while (found != of_items.end() && found->first < place) ++found;
    const bool is_item = place.rank >= 0 && found != of_items.end() && found->first == place;
    numbers.push_back(place.rank == items.ranks.rank() ? place.row : is_item ? found->second : -1);
  }
  return numbers;
}

/// The rows of several lists, one after the other.
FetchedRows concatenate(const std::vector<FetchedRows>& parts) {
  if (parts.size() == 1) return parts.front();
  std::size_t rows = 0, entries = 0;
  for (const FetchedRows& part : parts) {
    rows += static_cast<std::size_t>(part.num_rows());
    entries += part.columns.extent(0);
  }
  require_countable(static_cast<std::int64_t>(entries));
  const Vector<Index> offsets = make_vector<Index>("linalg/offsets", rows + 1);
  const Vector<std::int64_t> columns = make_vector<std::int64_t>("linalg/places", entries);
  const Vector<double> values = make_vector<double>("linalg/values", entries);
  Index row = 0, entry = 0;
  for (const FetchedRows& part : parts) {
    const Vector<const Index> from = part.offsets;
    Kokkos::parallel_for(
        "linalg/concatenate", Range(0, part.num_rows() + 1),
        KOKKOS_LAMBDA(const Index i) { offsets(row + i) = entry + from(i); });
    const std::size_t size = part.columns.extent(0);
    copy_entries(slice(columns, static_cast<std::size_t>(entry), size), part.columns);
    copy_entries(slice(values, static_cast<std::size_t>(entry), size), part.values);
    row += part.num_rows();
    entry += static_cast<Index>(size);
  }
  return {offsets, columns, values};
}

/// `above` and an array behind it, in `room` where that begins with `above` and is large enough.
template <class T, class Below>
Vector<T> join(const Vector<T>& above, const Below& below, const Vector<T>& room) {
  const std::size_t first = above.extent(0), all = first + below.extent(0);
  const bool fits = room.data() == above.data() && room.extent(0) >= all;
  const Vector<T> both = fits ? first_of(room, all) : make_vector<T>("linalg/rows below", all);
  if (!fits) copy_entries(slice(both, 0, first), above);
  copy_entries(slice(both, first, below.extent(0)), below);
  return both;
}

/// Copies rows from the host, whose columns are in no order.
void fill_rows(const CsrMatrix<double>& matrix, const std::vector<Index>& columns, const std::vector<double>& values) {
  copy_entries(matrix.columns, HostVector<const Index>(columns.data(), columns.size()));
  copy_entries(matrix.values, HostVector<const double>(values.data(), values.size()));
  const Instance instance;
  sort_rows(instance, matrix);
  instance.fence();
}

/// Gives columns from `first` on the numbers numbers[column - first].
void renumber(const CsrMatrix<double>& matrix, Index first, const std::vector<Index>& numbers) {
  const Vector<const Index> number = to_device("linalg/numbers", numbers);
  Kokkos::parallel_for(
      "linalg/renumber", Range(0, static_cast<Index>(matrix.num_entries())), KOKKOS_LAMBDA(const Index e) {
        if (matrix.columns(e) >= first) matrix.columns(e) = number(matrix.columns(e) - first);
      });
  Kokkos::fence();
}

/// Marks the columns from `first` on that a matrix has entries of.
void mark_columns(const CsrMatrix<double>& matrix, Index first, const Vector<Index>& marks) {
  Kokkos::parallel_for(
      "linalg/mark columns", Range(0, static_cast<Index>(matrix.num_entries())), KOKKOS_LAMBDA(const Index e) {
        if (matrix.columns(e) >= first) marks(matrix.columns(e) - first) = 1;
      });
}

}  // namespace

GhostedMatrix make_ghosted(CsrMatrix<double> matrix) {
  GhostedMatrix result;
  result.rows = std::move(matrix);
  return result;
}

GhostedMatrix make_ghosted(const DistributedMatrix& matrix, int block) {
  GhostedMatrix result;
  static_cast<GhostItems&>(result) = block == 1 ? static_cast<const GhostItems&>(matrix)
                                                : make_ghost_items(matrix.ranks, whole_nodes(matrix.ghosts, block));
  const CsrMatrix<double>&own = matrix.own, &beside = matrix.ghost_block;
  if (result.ranks.is_alone()) {
    result.rows = own;
    return result;
  }
  const Vector<const Index> border = matrix.border,
                            number = to_device("linalg/numbers", number_ghosts(matrix.ghosts, result, own.num_rows));
  const auto border_rows = static_cast<Index>(border.extent(0));
  const Vector<Index> counts = make_vector<Index>("linalg/counts", static_cast<std::size_t>(own.num_rows));
  Kokkos::parallel_for(
      "linalg/count own", Range(0, own.num_rows),
      KOKKOS_LAMBDA(const Index row) { counts(row) = own.offsets(row + 1) - own.offsets(row); });
  Kokkos::parallel_for(
      "linalg/count ghosts", Range(0, border_rows),
      KOKKOS_LAMBDA(const Index k) { counts(border(k)) += beside.offsets(k + 1) - beside.offsets(k); });
  make_rows(result, own.num_rows, offsets_of(counts), own.num_entries() + beside.num_entries());
  const CsrMatrix<double> rows = result.rows;
  Kokkos::parallel_for(
      "linalg/copy own", Range(0, own.num_rows), KOKKOS_LAMBDA(const Index row) {
        for (Index from = own.offsets(row), e = rows.offsets(row); from < own.offsets(row + 1); ++from, ++e) {
          rows.columns(e) = own.columns(from);
          rows.values(e) = own.values(from);
        }
      });
  Kokkos::parallel_for(
      "linalg/copy ghosts", Range(0, border_rows), KOKKOS_LAMBDA(const Index k) {
        const Index row = border(k);
        Index e = rows.offsets(row) + own.offsets(row + 1) - own.offsets(row);
        for (Index from = beside.offsets(k); from < beside.offsets(k + 1); ++from, ++e) {
          rows.columns(e) = number(beside.columns(from));
          rows.values(e) = beside.values(from);
        }
      });
  Kokkos::fence();
  return result;
}

LocalRows append_rows(const LocalRows& B, std::initializer_list<const GhostItems*> items, GhostItems* beyond) {
  const Communicator& ranks = (*items.begin())->ranks;
  if (ranks.is_alone()) return B;
  const Vector<const std::int64_t> of_column = places_of_columns(ranks.rank(), B.num_own_columns(), B.ghosts);
  std::vector<FetchedRows> parts;
  for (const GhostItems* const some : items)
    parts.push_back(exchange_rows(ranks, messages_of(*some), take_rows(B.rows, some->sent), of_column));
  const FetchedRows fetched = concatenate(parts);
  const Index own = B.num_own_columns(), first = B.rows.num_rows, shift = static_cast<Index>(B.rows.num_entries());
  require_countable(shift + static_cast<std::int64_t>(fetched.columns.extent(0)));
  const Vector<Index> columns = make_vector<Index>("linalg/columns", fetched.columns.extent(0));
  miniapp::fill(columns, -1);
  number_columns(fetched.columns, columns, ranks.rank(), number(B.ghosts, own));
  std::vector<Place> added = list_unnumbered(fetched.columns, columns, ranks.size());
  if (beyond) {
    *beyond = make_ghost_items(ranks, added);
    added = beyond->ghosts;
  }
  number_columns(fetched.columns, columns, ranks.rank(), number(added, own + static_cast<Index>(B.ghosts.size())));

  LocalRows result{{}, B.ghosts};
  result.ghosts.insert(result.ghosts.end(), added.begin(), added.end());
  const Index fetched_rows = fetched.num_rows();
  const Vector<Index> offsets = make_vector<Index>("linalg/offsets", std::size_t(first) + fetched_rows + 1);
  const Vector<Index> above = B.rows.offsets;
  const Vector<const Index> starts = fetched.offsets;
  Kokkos::parallel_for(
      "linalg/offsets below", Range(0, first + fetched_rows + 1),
      KOKKOS_LAMBDA(const Index row) { offsets(row) = row < first ? above(row) : shift + starts(row - first); });
  result.rows = {first + fetched_rows, own + static_cast<Index>(result.ghosts.size()), offsets,
                 join(B.rows.columns, columns, B.columns_with_room),
                 join(B.rows.values, fetched.values, B.values_with_room)};
  const Instance instance;
  sort_rows(instance, CsrMatrix<double>{fetched_rows, result.rows.num_columns,
                                        slice(offsets, static_cast<std::size_t>(first), starts.extent(0)),
                                        result.rows.columns, result.rows.values});
  instance.fence();
  return result;
}

SingleRows append_rows(const SingleRows& T, const GhostItems& items) {
  const auto rows = static_cast<Index>(T.columns.extent(0)), num_items = static_cast<Index>(items.sent.size());
  constexpr std::uint64_t none = ~std::uint64_t(0);
  const Vector<const Index> sent = to_device("linalg/sent", items.sent), columns = T.columns;
  const Vector<const double> values = T.values;
  const Vector<std::uint64_t> words = make_vector<std::uint64_t>("linalg/words", 2 * items.sent.size());
  const std::int64_t first = word_of({items.ranks.rank(), 0});
  Kokkos::parallel_for(
      "linalg/take single rows", Range(0, num_items), KOKKOS_LAMBDA(const Index i) {
        const Index column = sent(i) < rows ? columns(sent(i)) : -1;
        words(2 * i) = column < 0 ? none : static_cast<std::uint64_t>(first + column);
        words(2 * i + 1) = bits_of(column < 0 ? 0 : values(sent(i)));
      });
  Kokkos::fence();
  std::vector<std::size_t> offsets;
  for (const std::size_t item : items.item_offsets) offsets.push_back(2 * item);
  const Vector<const std::uint64_t> received =
      messages::exchange_words(items.ranks, items.neighbours, offsets, words).words;

  std::vector<Index> is_wanted;
  for (const Place& ghost : items.ghosts) is_wanted.push_back(ghost.rank >= 0);
  const Vector<const Index> wanted = to_device("linalg/wanted", is_wanted);
  const Vector<std::int64_t> places = make_vector<std::int64_t>("linalg/places", items.ghosts.size());
  const Vector<Index> numbers = make_vector<Index>("linalg/numbers", items.ghosts.size());
  Kokkos::parallel_for(
      "linalg/places of single rows", Range(0, num_items), KOKKOS_LAMBDA(const Index i) {
        const bool is_there = wanted(i) && received(2 * i) != none;
        places(i) = is_there ? static_cast<std::int64_t>(received(2 * i)) : 0;
        numbers(i) = is_there ? -1 : 0;
      });
  const std::vector<Place> ghosts = list_unnumbered(places, numbers, items.ranks.size());
  number_columns(places, numbers, items.ranks.rank(), number(ghosts, T.num_columns));
  const Vector<Index> all_columns = make_vector<Index>("linalg/columns", std::size_t(rows) + items.ghosts.size());
  const Vector<double> all_values = make_vector<double>("linalg/values", std::size_t(rows) + items.ghosts.size());
  Kokkos::parallel_for(
      "linalg/single rows", Range(0, rows + num_items), KOKKOS_LAMBDA(const Index row) {
        const Index i = row - rows;
        const bool is_there = i < 0 || (wanted(i) && received(2 * i) != none);
        all_columns(row) = i < 0 ? columns(row) : is_there ? numbers(i) : -1;
        all_values(row) = i < 0 ? values(row) : is_there ? number_of(received(2 * i + 1)) : 0;
      });
  Kokkos::fence();
  return {all_columns, all_values, T.num_columns + static_cast<Index>(ghosts.size()), ghosts};
}

Vector<double> append_values(const Vector<const double>& values, int count, Index rows, const GhostItems& items) {
  const std::size_t size = values.extent(0);
  const auto num_sent = static_cast<Index>(items.sent.size());
  std::vector<std::size_t> offsets;
  for (const std::size_t item : items.item_offsets) offsets.push_back(item * static_cast<std::size_t>(count));
  const Vector<double> sent = make_vector<double>("linalg/sent", offsets.back());
  const Vector<const Index> row = to_device("linalg/sent", items.sent);
  Kokkos::parallel_for(
      "linalg/take values", Range(0, num_sent), KOKKOS_LAMBDA(const Index i) {
        for (int k = 0; k < count; ++k)
          sent(i * count + k) = row(i) < rows ? values(std::int64_t(row(i)) * count + k) : 0;
      });
  Kokkos::fence();
  const Vector<const std::uint64_t> words(reinterpret_cast<const std::uint64_t*>(sent.data()), sent.extent(0));
  const messages::ReceivedWords received = messages::exchange_words(items.ranks, items.neighbours, offsets, words);
  const Vector<double> result = make_zeros<double>("linalg/values with ghosts", size + offsets.back());
  copy_entries(slice(result, 0, size), values);
  const RowMessages wanted = messages_of(items);
  const Vector<const double> fetched(reinterpret_cast<const double*>(received.words.data()), offsets.back());
  for (std::size_t k = 0; k < wanted.used.size(); ++k) {
    const std::size_t numbers = wanted.used[k] * static_cast<std::size_t>(count);
    copy_entries(slice(result, size + offsets[k], numbers), slice(fetched, offsets[k], numbers));
  }
  return result;
}

LocalRows multiply(const GhostedMatrix& A, const LocalRows& B) {
  const LocalRows all = append_rows(B, {&A});
  return {multiply(A.rows, all.rows), all.ghosts};
}

GalerkinProduct galerkin_product(const GhostedMatrix& A, const LocalRows& P, int block, int fine_block) {
  GalerkinProduct result;
  if (A.ranks.is_alone()) {
    result.P = P;
    result.R = transpose(P.rows, fine_block, block);
    result.coarse.rows = galerkin_product(result.R, A.rows, P.rows, block, fine_block);
    return result;
  }
  GhostItems beyond;
  const LocalRows all = append_rows(A.local(), {&A}, &beyond), far = append_rows(P, {&A, &beyond});
  const Index own = P.num_own_columns(), rows = A.rows.num_columns;  // of this rank and its ghosts
  result.R = first_rows(transpose(first_rows(far.rows, rows, far.rows.num_columns), fine_block, block), own, rows);
  const CsrMatrix<double> coarse = galerkin_product(result.R, all.rows, far.rows, block, fine_block);

  const Vector<Index> marks = make_zeros<Index>("linalg/marks", far.ghosts.size());
  mark_columns(coarse, own, marks);
  mark_columns(P.rows, own, marks);
  const auto is_used = to_host(marks);
  std::vector<Place> used;
  for (std::size_t k = 0; k < far.ghosts.size(); ++k)
    if (is_used(k)) used.push_back(far.ghosts[k]);
  static_cast<GhostItems&>(result.coarse) = make_ghost_items(A.ranks, whole_nodes(used, block));
  const std::vector<Index> numbers = number_ghosts(far.ghosts, result.coarse, own);
  renumber(coarse, own, numbers);
  renumber(P.rows, own, numbers);
  const Instance instance;
  sort_rows(instance, coarse);
  instance.fence();
  result.coarse.rows = coarse;
  result.P = {P.rows, result.coarse.ghosts};
  result.coarse.rows.num_columns = result.P.rows.num_columns = own + static_cast<Index>(result.coarse.ghosts.size());
  return result;
}

CsrMatrix<double> gather_rows(const GhostedMatrix& matrix) {
  const Communicator& ranks = matrix.ranks;
  if (ranks.is_alone()) return matrix.rows;
  const std::vector<std::int64_t> first = ranks.offsets(matrix.rows.num_rows),
                                  first_entry = ranks.offsets(matrix.rows.num_entries());
  const auto own_offsets = to_host(matrix.rows.offsets), own_columns = to_host(matrix.rows.columns);
  const auto own_values = to_host(matrix.rows.values);
  const auto number = [&](Index column) {
    const Index ghost = column - matrix.rows.num_rows;
    const Place place = ghost < 0 ? Place{ranks.rank(), column} : matrix.ghosts[static_cast<std::size_t>(ghost)];
    return static_cast<Index>(first[static_cast<std::size_t>(place.rank)] + place.row);
  };
  std::vector<Index> counts, numbers;
  for (Index row = 0; row < matrix.rows.num_rows; ++row) counts.push_back(own_offsets(row + 1) - own_offsets(row));
  for (std::size_t e = 0; e < own_columns.extent(0); ++e) numbers.push_back(number(own_columns(e)));
  std::vector<Index> offsets(static_cast<std::size_t>(first.back()) + 1, 0),
      columns(static_cast<std::size_t>(first_entry.back()));
  std::vector<double> values(columns.size());
  ranks.gather(counts.data(), offsets.data() + 1, first, sizeof(Index));
  ranks.gather(numbers.data(), columns.data(), first_entry, sizeof(Index));
  ranks.gather(own_values.data(), values.data(), first_entry, sizeof(double));
  for (std::size_t row = 1; row < offsets.size(); ++row) offsets[row] += offsets[row - 1];
  GhostedMatrix all;
  make_rows(all, static_cast<Index>(first.back()), to_device("linalg/offsets", offsets), first_entry.back());
  fill_rows(all.rows, columns, values);
  return all.rows;
}

}  // namespace miniapp::linalg
