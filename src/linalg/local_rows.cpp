// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/local_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "core/offsets.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/distribution.hpp"
#include "linalg/sort_rows.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::linalg {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// A place as a word, for messages.
std::int64_t word_of(const Place& place) { return std::int64_t(place.rank) << 32 | place.row; }
Place place_of(std::int64_t word) { return {static_cast<int>(word >> 32), static_cast<Index>(word & 0xffffffff)}; }

/// The first entries of an array, which they keep alive.
template <class T>
Vector<T> first_of(const Vector<T>& all, std::size_t size) {
  return Kokkos::subview(all, std::pair<std::size_t, std::size_t>(0, size));
}
CsrMatrix<double> first_rows(const CsrMatrix<double>& matrix, Index rows, Index columns) {
  const Vector<Index> offsets = first_of(matrix.offsets, static_cast<std::size_t>(rows) + 1);
  const auto entries = static_cast<std::size_t>(last_of(offsets));
  return {rows, columns, offsets, first_of(matrix.columns, entries), first_of(matrix.values, entries)};
}

// ---- rows that travel

/// Rows that neighbours sent, on the host.
struct FetchedRows {
  std::vector<Index> lengths;  ///< (item)
  std::vector<Place> columns;  ///< (entry)
  std::vector<double> values;  ///< (entry)
};

/// The rows items.sent of a matrix, one after the other.
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

/// Sends rows (item) with columns as those of LocalRows, and adds what neighbours sent to what has been fetched.
/// Collective.
void exchange_rows(const CsrMatrix<double>& taken, const std::vector<Place>& places, const GhostItems& items,
                   FetchedRows& fetched) {
  const auto offsets = to_host(taken.offsets), columns = to_host(taken.columns);
  const auto values = to_host(taken.values);
  const Index own = taken.num_columns - static_cast<Index>(places.size());
  std::vector<Words> to(static_cast<std::size_t>(items.ranks.size()));
  for (std::size_t k = 0; k < items.neighbours.size(); ++k) {
    Words& words = to[static_cast<std::size_t>(items.neighbours[k])];
    const std::size_t begin = items.item_offsets[k], end = items.item_offsets[k + 1];
    words.reserve(end - begin + 2 * static_cast<std::size_t>(offsets(end) - offsets(begin)));
    for (std::size_t i = begin; i < end; ++i) words.push_back(offsets(i + 1) - offsets(i));
    for (Index e = offsets(begin); e < offsets(end); ++e)
      words.push_back(word_of(columns(e) < own ? Place{items.ranks.rank(), columns(e)} : places[columns(e) - own]));
    for (Index e = offsets(begin); e < offsets(end); ++e) words.push_back(std::bit_cast<std::int64_t>(values(e)));
  }
  const std::vector<Words> from = items.ranks.exchange(to);
  for (std::size_t k = 0; k < items.neighbours.size(); ++k) {
    const Words& words = from[static_cast<std::size_t>(items.neighbours[k])];
    const std::size_t rows = items.item_offsets[k + 1] - items.item_offsets[k], entries = (words.size() - rows) / 2;
    std::size_t e = rows;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto length = static_cast<std::size_t>(words[i]);
      const bool is_padding = items.ghosts[items.item_offsets[k] + i].rank < 0;
      fetched.lengths.push_back(is_padding ? 0 : static_cast<Index>(length));
      for (const std::size_t end = e + length; e < end; ++e) {
        if (is_padding) continue;
        fetched.columns.push_back(place_of(words[e]));
        fetched.values.push_back(std::bit_cast<double>(words[e + entries]));
      }
    }
  }
}

/// Adds B's rows items.sent of the neighbours to those that have been fetched. Collective.
void fetch_rows(const LocalRows& B, const GhostItems& items, FetchedRows& fetched) {
  exchange_rows(take_rows(B.rows, items.sent), B.ghosts, items, fetched);
}

/// Numbers of columns that may be of other ranks.
class ColumnNumbers {
 public:
  ColumnNumbers(int rank, Index own, const std::vector<Place>& ghosts) : rank_(rank), own_(own) { add(ghosts); }
  /// These columns come after those that are known.
  void add(const std::vector<Place>& ghosts) {
    const std::size_t before = known_.size();
    for (const Place& place : ghosts) {
      if (place.rank >= 0) known_.emplace_back(place, own_ + size_);
      ++size_;
    }
    std::sort(known_.begin() + static_cast<std::ptrdiff_t>(before), known_.end());
    std::inplace_merge(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(before), known_.end());
  }
  /// -1 where it is not known.
  Index of(const Place& place) const {
    if (place.rank == rank_) return place.row;
    const auto found = std::lower_bound(known_.begin(), known_.end(), std::pair<Place, Index>(place, 0));
    return found == known_.end() || found->first != place ? -1 : found->second;
  }

 private:
  int rank_;
  Index own_, size_ = 0;
  std::vector<std::pair<Place, Index>> known_;
};

/// Rows to be filled, of entries that offsets count, in arrays with room for those of ghosts below.
void make_rows(GhostedMatrix& matrix, Index num_rows, const Vector<Index>& offsets, std::int64_t entries) {
  require_countable(entries);
  const auto own = static_cast<std::size_t>(entries), ghosts = matrix.ghosts.size(),
             all = own + ghosts * (own / static_cast<std::size_t>(std::max(num_rows, 1)) + 1) * 3 / 2;
  matrix.columns_with_room = make_vector<Index>("linalg/columns", all);
  matrix.values_with_room = make_vector<double>("linalg/values", all);
  matrix.rows = {num_rows, num_rows + static_cast<Index>(ghosts), offsets, first_of(matrix.columns_with_room, own),
                 first_of(matrix.values_with_room, own)};
}

/// `above` and an array behind it, in `room` where that begins with `above` and is large enough.
template <class T>
Vector<T> join(const Vector<T>& above, const std::vector<T>& below, const Vector<T>& room) {
  const std::size_t first = above.extent(0), all = first + below.size();
  const bool fits = room.data() == above.data() && room.extent(0) >= all;
  const Vector<T> both = fits ? first_of(room, all) : make_vector<T>("linalg/rows below", all);
  if (!fits) Kokkos::deep_copy(slice(both, 0, first), above);
  Kokkos::deep_copy(slice(both, first, below.size()), HostVector<const T>(below.data(), below.size()));
  return both;
}

/// Copies rows from the host, whose columns are in no order.
void fill_rows(const CsrMatrix<double>& matrix, const std::vector<Index>& columns, const std::vector<double>& values) {
  Kokkos::deep_copy(matrix.columns, HostVector<const Index>(columns.data(), columns.size()));
  Kokkos::deep_copy(matrix.values, HostVector<const double>(values.data(), values.size()));
  const Instance instance;
  sort_rows(instance, matrix);
  instance.fence();
}

/// Places of all rows of the nodes that some places belong to.
std::vector<Place> whole_nodes(const std::vector<Place>& places, int block) {
  std::vector<Place> whole;
  for (const Place& place : places)
    if (place.rank >= 0)
      for (int b = 0; b < block; ++b) whole.push_back({place.rank, place.row / block * block + b});
  return whole;
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

/// The numbers that ghosts have as items; -1 where they are none.
std::vector<Index> number_ghosts(const std::vector<Place>& ghosts, const GhostItems& items, Index own) {
  const ColumnNumbers of_items(items.ranks.rank(), own, items.ghosts);
  std::vector<Index> numbers;
  for (const Place& place : ghosts) numbers.push_back(place.rank < 0 ? -1 : of_items.of(place));
  return numbers;
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

GhostedMatrix make_ghosted(const GlobalRows& rows, int block) {
  const std::int64_t first = rows.first(), end = first + rows.num_rows();
  const auto place = [&](std::int64_t number) {
    const auto after = std::upper_bound(rows.offsets.begin(), rows.offsets.end(), number);
    const auto rank = static_cast<int>(after - rows.offsets.begin()) - 1;
    return Place{rank, static_cast<Index>(number - rows.offsets[static_cast<std::size_t>(rank)])};
  };
  std::vector<std::int64_t> beyond;
  for (const std::int64_t column : rows.columns)
    if (column < first || column >= end) beyond.push_back(column);
  std::sort(beyond.begin(), beyond.end());
  beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
  std::vector<Place> places;
  for (const std::int64_t column : beyond) places.push_back(place(column));
  GhostedMatrix result;
  static_cast<GhostItems&>(result) = make_ghost_items(rows.ranks, whole_nodes(places, block));
  const std::vector<Index> numbers = number_ghosts(places, result, rows.num_rows());
  std::vector<Index> offsets, columns;
  for (const std::int64_t start : rows.starts) offsets.push_back(static_cast<Index>(start));
  columns.reserve(rows.columns.size());
  for (const std::int64_t column : rows.columns)
    columns.push_back(column >= first && column < end
                          ? static_cast<Index>(column - first)
                          : numbers[std::lower_bound(beyond.begin(), beyond.end(), column) - beyond.begin()]);
  make_rows(result, rows.num_rows(), to_device("linalg/offsets", offsets), rows.starts.back());
  fill_rows(result.rows, columns, rows.values);
  return result;
}

LocalRows append_rows(const LocalRows& B, std::initializer_list<const GhostItems*> items, GhostItems* beyond) {
  const Communicator& ranks = (*items.begin())->ranks;
  if (ranks.is_alone()) return B;
  FetchedRows fetched;
  for (const GhostItems* const some : items) fetch_rows(B, *some, fetched);
  const Index own = B.num_own_columns(), first = B.rows.num_rows, shift = static_cast<Index>(B.rows.num_entries());
  ColumnNumbers numbers(ranks.rank(), own, B.ghosts);
  std::vector<Index> columns;
  columns.reserve(fetched.columns.size());
  std::vector<Place> added;
  for (const Place& place : fetched.columns) {
    columns.push_back(numbers.of(place));
    if (columns.back() < 0) added.push_back(place);
  }
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  if (beyond) {
    *beyond = make_ghost_items(ranks, added);
    added = beyond->ghosts;
  }
  numbers.add(added);
  for (std::size_t e = 0; e < columns.size(); ++e)
    if (columns[e] < 0) columns[e] = numbers.of(fetched.columns[e]);
  require_countable(shift + static_cast<std::int64_t>(columns.size()));

  LocalRows result{{}, B.ghosts};
  result.ghosts.insert(result.ghosts.end(), added.begin(), added.end());
  std::vector<Index> offsets{shift};
  for (const Index length : fetched.lengths) {
    const Index begin = offsets.back() - shift, row[] = {begin, begin + length};
    SortRow<double>{row, columns.data(), fetched.values.data()}(0);
    offsets.push_back(offsets.back() + length);
  }
  const Vector<Index> all_offsets =
      make_vector<Index>("linalg/offsets", static_cast<std::size_t>(first) + offsets.size());
  Kokkos::deep_copy(slice(all_offsets, 0, static_cast<std::size_t>(first)),
                    slice(B.rows.offsets, 0, static_cast<std::size_t>(first)));
  Kokkos::deep_copy(slice(all_offsets, static_cast<std::size_t>(first), offsets.size()),
                    HostVector<const Index>(offsets.data(), offsets.size()));
  result.rows = {first + static_cast<Index>(fetched.lengths.size()), own + static_cast<Index>(result.ghosts.size()),
                 all_offsets, join(B.rows.columns, columns, B.columns_with_room),
                 join(B.rows.values, fetched.values, B.values_with_room)};
  return result;
}

Vector<double> append_values(const Vector<const double>& values, int count, Index rows, const GhostItems& items) {
  const std::size_t size = values.extent(0);
  const auto num_sent = static_cast<Index>(items.sent.size());
  const std::size_t sent = items.sent.size() * static_cast<std::size_t>(count);
  const CsrMatrix<double> taken{num_sent, count, make_vector<Index>("linalg/offsets", items.sent.size() + 1),
                                make_vector<Index>("linalg/columns", sent), make_vector<double>("linalg/values", sent)};
  const Vector<const Index> row = to_device("linalg/sent", items.sent);
  Kokkos::parallel_for(
      "linalg/take values", Range(0, num_sent + 1), KOKKOS_LAMBDA(const Index i) {
        taken.offsets(i) = i * count;
        for (int k = 0; k < count && i < num_sent; ++k) {
          taken.columns(i * count + k) = k;
          taken.values(i * count + k) = row(i) < rows ? values(std::int64_t(row(i)) * count + k) : 0;
        }
      });
  FetchedRows fetched;
  exchange_rows(taken, {}, items, fetched);
  const std::size_t all = size + items.ghosts.size() * static_cast<std::size_t>(count);
  const Vector<double> result = make_zeros<double>("linalg/values with ghosts", all);
  Kokkos::deep_copy(slice(result, 0, size), values);
  std::vector<double> of_ghosts(items.ghosts.size() * static_cast<std::size_t>(count), 0);
  std::size_t e = 0;
  for (std::size_t item = 0; item < fetched.lengths.size(); ++item)
    for (Index k = 0; k < fetched.lengths[item]; ++k)
      of_ghosts[item * static_cast<std::size_t>(count) + static_cast<std::size_t>(k)] = fetched.values[e++];
  Kokkos::deep_copy(slice(result, size, of_ghosts.size()),
                    HostVector<const double>(of_ghosts.data(), of_ghosts.size()));
  return result;
}

LocalRows multiply(const GhostedMatrix& A, const LocalRows& B) {
  const LocalRows all = append_rows(B, {&A});
  return {multiply(A.rows, all.rows), all.ghosts};
}

GalerkinProduct galerkin_product(const GhostedMatrix& A, const LocalRows& P, int block) {
  GalerkinProduct result;
  if (A.ranks.is_alone()) {
    result.P = P;
    result.R = transpose(P.rows);
    result.coarse.rows = galerkin_product(result.R, A.rows, P.rows);
    return result;
  }
  GhostItems beyond;
  const LocalRows all = append_rows(A.local(), {&A}, &beyond), far = append_rows(P, {&A, &beyond});
  const Index own = P.num_own_columns(), rows = A.rows.num_columns;  // of this rank and its ghosts
  result.R = first_rows(transpose(first_rows(far.rows, rows, far.rows.num_columns)), own, rows);
  const CsrMatrix<double> coarse = galerkin_product(result.R, all.rows, far.rows);

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
