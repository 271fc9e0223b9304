// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/boomer_amg.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>

#include "miniapp/core/features.hpp"

#ifdef MINIAPP_HAVE_HYPRE
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_ls.h>  // for the sizes of levels

#include "miniapp/core/mpi.hpp"
#endif

namespace miniapp::solver {
namespace {

/// own (row) = vector (entries (row)), and back.
template <class Real>
struct Take {
  const Index* entries;
  const Real* from;
  double* own;
  KOKKOS_FUNCTION void operator()(const Index row) const { own[row] = double(from[entries[row]]); }
};
template <class Real>
struct Put {
  const Index* entries;
  const double* own;
  Real* to;
  KOKKOS_FUNCTION void operator()(const Index row) const { to[entries[row]] = Real(own[row]); }
};

}  // namespace

std::vector<std::vector<double>> modes_after(const linalg::GlobalRows& rows, const Vector<const double>& near_null,
                                             Index entries, int constants) {
  const auto host = to_host(near_null);
  const std::size_t modes = entries == 0 ? 0 : near_null.extent(0) / static_cast<std::size_t>(entries);
  std::vector<std::vector<double>> others;
  for (auto mode = static_cast<std::size_t>(constants); mode < modes; ++mode) {
    std::vector<double>& values = others.emplace_back();
    for (const Index entry : rows.entries) values.push_back(host(std::size_t(entry) * modes + mode));
  }
  return others;
}

std::string why_no_boomer_amg(int ranks) {
  if (!has_hypre()) return "it is hypre's, which this build has not (Debian: libhypre-dev)";
  return ranks > 1 ? "" : "it is hypre's, of several ranks";
}

#ifdef MINIAPP_HAVE_HYPRE

bool has_hypre() { return true; }

namespace {

/// hypre from here to the end of the last copy.
std::shared_ptr<void> start_hypre() {
  static std::mutex mutex;
  static int users = 0;
  const std::lock_guard lock(mutex);
  if (users++ == 0) HYPRE_Init();
  return {nullptr, [](void*) {
            const std::lock_guard at_end(mutex);
            if (--users == 0) HYPRE_Finalize();
          }};
}

/// A vector of the own rows.
struct HypreVector {
  HYPRE_IJVector vector = nullptr;
  HYPRE_ParVector values = nullptr;
  HypreVector(MPI_Comm ranks, const std::vector<HYPRE_BigInt>& numbers, HYPRE_BigInt first, const double* from) {
    const auto size = static_cast<HYPRE_Int>(numbers.size());
    HYPRE_IJVectorCreate(ranks, first, first + size - 1, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    HYPRE_IJVectorSetValues(vector, size, numbers.data(), from);
    HYPRE_IJVectorAssemble(vector);
    void* object = nullptr;
    HYPRE_IJVectorGetObject(vector, &object);
    values = static_cast<HYPRE_ParVector>(object);
  }
  ~HypreVector() { HYPRE_IJVectorDestroy(vector); }
  HypreVector(const HypreVector&) = delete;
  HypreVector& operator=(const HypreVector&) = delete;
};

struct HypreMatrix {
  HYPRE_IJMatrix matrix = nullptr;
  HYPRE_ParCSRMatrix rows = nullptr;
  HypreMatrix(MPI_Comm ranks, const std::vector<HYPRE_BigInt>& numbers, HYPRE_BigInt first,
              const linalg::GlobalRows& from) {
    const auto size = static_cast<HYPRE_Int>(numbers.size());
    HYPRE_IJMatrixCreate(ranks, first, first + size - 1, first, first + size - 1, &matrix);
    HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
    std::vector<HYPRE_Int> lengths;
    for (Index row = 0; row < size; ++row)
      lengths.push_back(static_cast<HYPRE_Int>(from.starts[row + 1] - from.starts[row]));
    HYPRE_IJMatrixSetRowSizes(matrix, lengths.data());
    HYPRE_IJMatrixInitialize(matrix);
    const std::vector<HYPRE_BigInt> columns(from.columns.begin(), from.columns.end());
    HYPRE_IJMatrixSetValues(matrix, size, lengths.data(), numbers.data(), columns.data(), from.values.data());
    HYPRE_IJMatrixAssemble(matrix);
    void* object = nullptr;
    HYPRE_IJMatrixGetObject(matrix, &object);
    rows = static_cast<HYPRE_ParCSRMatrix>(object);
  }
  ~HypreMatrix() { HYPRE_IJMatrixDestroy(matrix); }
  HypreMatrix(const HypreMatrix&) = delete;
  HypreMatrix& operator=(const HypreMatrix&) = delete;
};

std::vector<HYPRE_BigInt> own_numbers(const linalg::GlobalRows& rows) {
  std::vector<HYPRE_BigInt> numbers(static_cast<std::size_t>(rows.num_rows()));
  std::iota(numbers.begin(), numbers.end(), static_cast<HYPRE_BigInt>(rows.first()));
  return numbers;
}

/// hypre numbers the rows of all ranks, and the entries of each. Errors: InputError on all ranks. Collective.
void require_countable(const linalg::GlobalRows& rows) {
  constexpr auto most = std::numeric_limits<HYPRE_BigInt>::max();
  constexpr auto most_entries = std::numeric_limits<HYPRE_Int>::max();
  require(rows.offsets.back() <= most, "multigrid by hypre: " + std::to_string(rows.offsets.back()) +
                                           " unknowns of all ranks; accepted are up to " + std::to_string(most));
  const std::int64_t entries = rows.ranks.of_all(Reduction::max, rows.starts.back());
  require(entries < most_entries, "multigrid by hypre: " + std::to_string(entries) +
                                      " entries of a rank; accepted are fewer than " + std::to_string(most_entries));
}

/// The messages of a library's communicator do not meet ours.
struct OwnCommunicator {
  MPI_Comm handle;
  explicit OwnCommunicator(const Communicator& ranks) : handle(duplicate(ranks)) {}
  ~OwnCommunicator() { MPI_Comm_free(&handle); }
  OwnCommunicator(const OwnCommunicator&) = delete;
  OwnCommunicator& operator=(const OwnCommunicator&) = delete;
};

/// What hypre says of its last calls, without `accepted`, and forgets then; empty where all is well.
std::string take_error(HYPRE_Int accepted = 0) {
  const HYPRE_Int error = HYPRE_GetError() & ~accepted;
  char text[256] = "";
  if (error != 0) HYPRE_DescribeError(error, text);
  HYPRE_ClearAllErrors();
  return text;
}

/// What its set-up says where a coarse level has a row of zeros. Interpolation of rigid motions can leave one beside a
/// clamped node; smoothers and elimination pass over it.
constexpr HYPRE_Int empty_row = HYPRE_ERROR_ARG | 1 << 3;

bool has_empty_row(const linalg::GlobalRows& rows) {
  for (Index row = 0; row < rows.num_rows(); ++row)
    if (std::all_of(rows.values.begin() + rows.starts[row], rows.values.begin() + rows.starts[row + 1],
                    [](double value) { return value == 0; }))
      return true;
  return false;
}

/// Errors: ResultError on all ranks where one has an error. Collective.
void require_no_error(const linalg::GlobalRows& rows) {
  const std::string error = take_error(HYPRE_ERROR_CONV | (has_empty_row(rows) ? 0 : empty_row));
  const Communicator& ranks = rows.ranks;
  const auto failed = ranks.of_all(Reduction::min, std::int64_t(error.empty() ? ranks.size() : ranks.rank()));
  if (failed == ranks.size()) return;
  throw ResultError("the set-up of hypre's multigrid failed on rank " + std::to_string(failed) +
                    (error.empty() ? "" : ": " + error));
}

/// Memory of a rank's part of a matrix [bytes]: a number and 4 bytes per entry.
double bytes_of(hypre_ParCSRMatrix* matrix) {
  double entries = 0;
  for (hypre_CSRMatrix* const block : {hypre_ParCSRMatrixDiag(matrix), hypre_ParCSRMatrixOffd(matrix)})
    entries += double(hypre_CSRMatrixNumNonzeros(block));
  return entries * (sizeof(HYPRE_Complex) + sizeof(HYPRE_Int));
}

}  // namespace

struct BoomerAmg::State {
  std::shared_ptr<void> hypre = start_hypre();
  Communicator ranks;
  OwnCommunicator communicator;
  std::vector<HYPRE_BigInt> numbers;  ///< (own row)
  HypreMatrix matrix;
  HypreVector f, x;
  std::vector<std::unique_ptr<HypreVector>> modes;
  std::vector<HYPRE_ParVector> mode_values;
  HYPRE_Solver solver = nullptr;

  State(const linalg::GlobalRows& rows, const std::vector<std::vector<double>>& vectors)
      : ranks(rows.ranks),
        communicator(ranks),
        numbers(own_numbers(rows)),
        matrix(communicator.handle, numbers, static_cast<HYPRE_BigInt>(rows.first()), rows),
        f(communicator.handle, numbers, static_cast<HYPRE_BigInt>(rows.first()), zeros(rows).data()),
        x(communicator.handle, numbers, static_cast<HYPRE_BigInt>(rows.first()), zeros(rows).data()) {
    for (const std::vector<double>& values : vectors) {
      modes.push_back(std::make_unique<HypreVector>(communicator.handle, numbers,
                                                    static_cast<HYPRE_BigInt>(rows.first()), values.data()));
      mode_values.push_back(modes.back()->values);
    }
  }
  ~State() {
    if (solver) HYPRE_BoomerAMGDestroy(solver);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static std::vector<double> zeros(const linalg::GlobalRows& rows) {
    return std::vector<double>(static_cast<std::size_t>(rows.num_rows()), 0);
  }
  void set_up(const BoomerAmgOptions& options) {
    constexpr int hmis = 10, extended_i = 6, forward = 13, backward = 14, elimination = 9, row_sums = 4;
    HYPRE_BoomerAMGCreate(&solver);
    HYPRE_BoomerAMGSetTol(solver, 0);
    HYPRE_BoomerAMGSetMaxIter(solver, 1);
    HYPRE_BoomerAMGSetPrintLevel(solver, 0);
    HYPRE_BoomerAMGSetCoarsenType(solver, hmis);
    HYPRE_BoomerAMGSetInterpType(solver, extended_i);
    HYPRE_BoomerAMGSetPMaxElmts(solver, 4);
    HYPRE_BoomerAMGSetAggNumLevels(solver, 0);
    HYPRE_BoomerAMGSetStrongThreshold(solver, options.strength);
    HYPRE_BoomerAMGSetRelaxOrder(solver, 0);
    HYPRE_BoomerAMGSetCycleRelaxType(solver, forward, 1);
    HYPRE_BoomerAMGSetCycleRelaxType(solver, backward, 2);
    HYPRE_BoomerAMGSetCycleRelaxType(solver, elimination, 3);
    if (options.functions > 1) {
      HYPRE_BoomerAMGSetNumFunctions(solver, options.functions);
      HYPRE_BoomerAMGSetNodal(solver, row_sums);
      HYPRE_BoomerAMGSetNodalDiag(solver, 1);
    }
    if (!modes.empty()) {
      HYPRE_BoomerAMGSetInterpVecVariant(solver, 2);
      HYPRE_BoomerAMGSetInterpVecQMax(solver, 4);
      HYPRE_BoomerAMGSetInterpVectors(solver, static_cast<HYPRE_Int>(mode_values.size()), mode_values.data());
    }
    HYPRE_BoomerAMGSetup(solver, matrix.rows, f.values, x.values);
  }
};

BoomerAmg::BoomerAmg(const linalg::GlobalRows& rows, const BoomerAmgOptions& options,
                     const std::vector<std::vector<double>>& modes) {
  require_countable(rows);
  take_error();  // of calls that are not ours
  state_ = std::make_unique<State>(rows, modes);
  state_->set_up(options);
  require_no_error(rows);
  entries_ = to_device("solver/hypre/entries", rows.entries);
  own_ = make_zeros<double>("solver/hypre/own", rows.entries.size());
  own_host_ = Kokkos::create_mirror_view(own_);
  describe_levels();
}

void BoomerAmg::describe_levels() {
  auto* const data = reinterpret_cast<hypre_ParAMGData*>(state_->solver);
  const int count = hypre_ParAMGDataNumLevels(data);
  for (int l = 0; l < count; ++l) {
    hypre_ParCSRMatrix* const matrix = hypre_ParAMGDataAArray(data)[l];
    hypre_ParCSRMatrixSetDNumNonzeros(matrix);
    infos_.push_back({static_cast<std::int64_t>(hypre_ParCSRMatrixGlobalNumRows(matrix)),
                      static_cast<std::int64_t>(hypre_ParCSRMatrixDNumNonzeros(matrix)), 0});
    constexpr int vectors = 4;
    bytes_ += bytes_of(matrix) + vectors * double(hypre_ParCSRMatrixNumRows(matrix)) * sizeof(HYPRE_Complex);
    if (l + 1 < count) bytes_ += bytes_of(hypre_ParAMGDataPArray(data)[l]);
  }
  bytes_ += 20. * double(own_.extent(0));
}

void BoomerAmg::solve() const {
  const auto size = static_cast<HYPRE_Int>(state_->numbers.size());
  HYPRE_IJVectorSetValues(state_->f.vector, size, state_->numbers.data(), own_host_.data());
  HYPRE_ParVectorSetConstantValues(state_->x.values, 0);
  HYPRE_BoomerAMGSolve(state_->solver, state_->matrix.rows, state_->f.values, state_->x.values);
  HYPRE_IJVectorGetValues(state_->x.vector, size, state_->numbers.data(), own_host_.data());
  HYPRE_ClearAllErrors();  // that it has not converged; numbers that are none show in r . z
}

#else

bool has_hypre() { return false; }

struct BoomerAmg::State {};
BoomerAmg::BoomerAmg(const linalg::GlobalRows& rows, const BoomerAmgOptions&, const std::vector<std::vector<double>>&) {
  require(false, "multigrid of " + std::to_string(rows.ranks.size()) + " ranks: this build has no hypre");
}
void BoomerAmg::solve() const {}

#endif

BoomerAmg::~BoomerAmg() = default;

template <class Real>
void BoomerAmg::run(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& z) const {
  const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>> rows(instance.space(), 0,
                                                                           static_cast<Index>(entries_.extent(0)));
  Kokkos::parallel_for("solver/hypre/take", rows, Take<Real>{entries_.data(), r.data(), own_.data()});
  Kokkos::deep_copy(instance.space(), own_host_, own_);
  instance.fence();
  solve();
  Kokkos::deep_copy(instance.space(), own_, own_host_);
  Kokkos::parallel_for("solver/hypre/put", rows, Put<Real>{entries_.data(), own_.data(), z.data()});
}
template void BoomerAmg::run(const Instance&, const Vector<const double>&, const Vector<double>&) const;
template void BoomerAmg::run(const Instance&, const Vector<const float>&, const Vector<float>&) const;

}  // namespace miniapp::solver
