// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/basis/tensor_basis.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/geometry/curved.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/streaming/gather_scatter.hpp"
#include "miniapp/streaming/vector_kernels.hpp"
#include "miniapp/tensor/element_function.hpp"
#include "miniapp/tensor/problem.hpp"

namespace miniapp::tensor {

/// An element whose det J is not positive at some point.
struct InvertedElement : InputError {
  explicit InvertedElement(std::int64_t number)
      : InputError(
            "mesh", "",
            "element " + std::to_string(number) + " is inverted, det J <= 0; accepted are elements that are not"),
        element(number) {}
  std::int64_t element;
};

/// The term of a Robin condition k du/dn + alpha u = g in the operator: alpha u v, summed over Gauss-Lobatto points of
/// sides, which are its nodes, so that it is diagonal. Of a distributed mesh each rank has the terms of its own sides.
struct SurfaceMass {
  Vector<const Index> entries;  ///< (i): of global vectors, free and each once
  Vector<const double> values;  ///< (i): alpha times the area of the node [m^2 times the unit of alpha]
  bool empty() const { return entries.extent(0) == 0; }
};

/// Sides of elements with a function on them.
struct SideFunction {
  std::vector<mesh::CellSide> sides;
  std::shared_ptr<const ElementFunction> function;
};

/// What may change of a discretisation's operator: lambda [1/m^2], and how often coefficient or surface masses were
/// set.
struct Terms {
  double lambda = 0;
  std::int64_t changes = 0;
  bool operator==(const Terms&) const = default;
};

/// A bake-off problem on a mesh: all that its kernels share. What is constrained after its construction holds for
/// operators that are made afterwards; lambda, coefficient and surface masses hold for those that are made or updated
/// afterwards.
struct Discretisation {
  /// Every component of the unknown has the same operator. `phases`, if given, receives the times of "check" and
  /// "numbering". Errors: InvertedElement; as space::make_space().
  Discretisation(mesh::Mesh mesh, Problem problem, int order, space::Boundary boundary = space::Boundary::neumann,
                 double lambda = 0, int components = 1, measure::Phases* phases = nullptr);
  /// Shares its mesh with others, such as the levels of multigrid. Errors: those above.
  Discretisation(std::shared_ptr<const mesh::Mesh> mesh, Problem problem, int order, space::Boundary boundary,
                 double lambda, int components = 1, measure::Phases* phases = nullptr);
  /// This problem with another order on this mesh, for a level of multigrid. Collective.
  Discretisation of_order(int other) const;
  /// Multiplies the stiffness by k at the points of rule(): -div(k grad u) + lambda u. Collective, as the next two.
  /// Errors: InputError naming a point where k is not above 0.
  void set_coefficient(std::shared_ptr<const ElementFunction> k);
  /// Constrains the nodes of sides, in addition to those that are constrained already; of a distributed mesh each rank
  /// gives sides of its part.
  void constrain(const std::vector<mesh::CellSide>& sides);
  /// This problem with all nodes free; alpha's diagonal stays zero at those that were not.
  Discretisation without_constraints() const;
  /// Adds alpha u v on sides to the operator: SurfaceMass. Errors: InputError naming a point where alpha is below 0.
  void add_surface_mass(const SideFunction& alpha);
  /// These surface masses instead of those that were added.
  void set_surface_masses(std::vector<SideFunction> alphas);
  /// Takes lambda, the coefficient and the surface masses of the same problem of another order on this mesh, as levels
  /// of multigrid do after a change. O(nodes). Collective.
  void take_terms(const Discretisation& other);
  /// Puts the elements with nodes of other ranks first, for operators that have steps, before a coefficient or sides
  /// are set and any operator is made. The constructor does on GPUs. Others that share the mesh keep it as it was.
  void put_shared_first();

  std::shared_ptr<const miniapp::mesh::Mesh> mesh;
  Problem problem;
  int order;
  double lambda;  ///< screening constant [1/m^2]; not used by BP1.0
  basis::TensorBasis basis;
  Vector<const double> trilinear;  ///< geometry::make_trilinear(mesh): of the vertices, where elements are curved
  geometry::CurvedMaps curved;     ///< geometry::make_curved(mesh)
  mesh::CommonShape shape;         ///< what the elements of all ranks have in common
  miniapp::space::Space space;
  space::Boundary boundary;          ///< where the constructor constrained nodes
  Vector<const double> coefficient;  ///< k (element, point) at the points of rule(); empty: 1
  SurfaceMass surface;
  /// What these were made of.
  std::shared_ptr<const ElementFunction> coefficient_function;
  std::vector<mesh::CellSide> constrained_sides;  ///< sides of elements of this rank
  bool has_constrained_sides = false;             ///< whether any rank has constrained sides
  std::vector<SideFunction> surface_masses;
  std::int64_t changes = 0;  ///< how often coefficient or surface masses were set
  int shared_elements = 0;   ///< these first ones have nodes of other ranks, the others none; 0: in any order
  /// Groups of elements that operators on hosts share; the first that needs them makes them, under a lock.
  std::shared_ptr<class LaneGroupCache> lane_groups;

  /// The rule that the problem's integrals use: Gauss, or Gauss-Lobatto where they are collocated.
  const basis::Rule& rule() const { return is_collocated(problem) ? basis.nodes : basis.points; }
  /// Whether kernels can compute the factors from `trilinear`: those of curved elements are stored.
  bool can_compute_geometry() const { return curved.empty(); }
  /// The geometry that suits the elements best; nothing: computed or stored, as the table says.
  std::optional<Geometry> suitable_geometry() const;
  /// Factors at the points of rule(), with the coefficient: (element, component, point), or W alone where `mass_only`.
  template <class Real>
  Vector<const Real> make_factors(bool mass_only = false) const {
    return curved.empty() ? geometry::make_factors<Real>(trilinear, rule(), mass_only, coefficient)
                          : geometry::make_factors<Real>(curved, rule(), mass_only, coefficient);
  }
  /// The mean of the coefficient over the points of each element, (element); empty: 1.
  Vector<const double> mean_coefficient() const;
  /// geometry::scaled_jacobians() of the elements, (element).
  Vector<const double> scaled_jacobians() const {
    return curved.empty() ? geometry::scaled_jacobians(trilinear) : geometry::scaled_jacobians(curved);
  }
  Terms terms() const { return {lambda, changes}; }
  /// Size of E-vectors: local nodes of all elements, all components.
  std::size_t num_local() const { return space.components * space.element_to_node.num_entries(); }

 private:
  /// The same problem of another order, with the mesh and the geometry of `other`.
  Discretisation(const Discretisation& other, int order, space::Boundary boundary);
  void require_positive_determinants() const;
  void update_surface();
};

/// The implementations of an operator, one file each.
enum class Kernel {
  reference,  ///< straightforward loops in double precision, against which all others are verified
  lines,      ///< one thread per line of nodes, registers across barriers; gather and scatter fused (GPUs)
  tiles,      ///< one warp per element, derivatives as products of 8 x 8 tiles on FP64 tensor cores (BP3.5, order 7)
  lanes,      ///< elements in the lanes of vector registers; gather and scatter fused (CPUs)
  rung1,      ///< first rung of the paper's ladder: one team per element, stored factors, double precision; gather and
              ///< scatter apart. The others follow, rung(2), ..: each adds one idea, see idea()
};
/// More rungs than any ladder has.
inline constexpr int most_rungs = 15;
constexpr auto names(Kernel) {
  return std::array{"reference", "lines", "tiles", "lanes",  "rung1",  "rung2",  "rung3",  "rung4",  "rung5", "rung6",
                    "rung7",     "rung8", "rung9", "rung10", "rung11", "rung12", "rung13", "rung14", "rung15"};
}
constexpr Kernel rung(int number) { return static_cast<Kernel>(static_cast<int>(Kernel::rung1) + number - 1); }
/// All kernels: the reference, the rungs of the longest ladder, the others.
std::vector<Kernel> kernels();

/// A kernel and the source of its geometry.
struct Variant {
  Kernel kernel;
  Geometry geometry;
  bool operator==(const Variant&) const = default;
};
inline constexpr Variant reference_variant{Kernel::reference, Geometry::computed};
/// Every kernel with each geometry that it supports, the reference first.
std::vector<Variant> all_variants();

/// "lines, stored".
std::string name(const Variant& variant);
/// One sentence on what the kernel does for `problem`.
std::string idea(Kernel kernel, Problem problem);
/// Empty if this build can run the variant on words of `word` bytes; else why not.
std::string why_not(const Variant& variant, Problem problem, int order, int word = 8);
/// Empty if this build can run the variant on a discretisation, whose elements and coefficient it must take; else why
/// not.
std::string why_not(const Variant& variant, const Discretisation& d, int word = 8);
/// Why kernels cannot take a geometry for straight elements of a shape, with a coefficient or without; empty if they
/// can.
std::string why_not(Geometry geometry, mesh::Shape shape, bool has_coefficient);
/// The geometry of fewest numbers that kernels can take for straight elements of a shape; nothing: computed or stored.
std::optional<Geometry> special_geometry(mesh::Shape shape, bool has_coefficient);
/// "stored, computed", and others that why_not() allows.
std::string accepted_geometries(mesh::Shape shape, bool has_coefficient);
/// Whether a kernel has a coefficient in the factors that it computes, if it computes them.
constexpr bool takes_coefficient(Kernel kernel) { return kernel != Kernel::tiles; }
/// Orders for which this build contains fast kernels.
std::vector<int> built_orders();

/// A linear operator on global vectors of the discretisation's space, (component, node). Its discretisation must
/// outlive it, in the same place. It owns work vectors, so it serves one instance at a time.
template <class Real>
class ElementOperator {
 public:
  explicit ElementOperator(const Discretisation& d) : ElementOperator(d, d.space.num_entries()) {}
  /// An operator on vectors of `entries` entries: one component of several.
  ElementOperator(const Discretisation& d, std::size_t entries)
      : discretisation_(&d),
        entries_(entries),
        num_masked_(d.space.masked.size()),
        has_coefficient_(d.coefficient.extent(0) > 0),
        terms_(d.terms()) {}
  virtual ~ElementOperator() = default;

  const Discretisation& discretisation() const { return *discretisation_; }
  const miniapp::space::Space& space() const { return discretisation_->space; }
  /// Takes lambda, the coefficient and the surface masses anew from the discretisation, where they have changed.
  /// O(nodes): the maps of nodes and the layout of vectors stay. Errors: InputError where there is a coefficient now
  /// and was none when the operator was made, or the other way round: it may have another kernel.
  void update();
  /// How often update() has changed something: captured launches of the operator are out of date then.
  std::int64_t updates() const { return updates_; }
  /// Adds a diagonal term to all that follows, but to apply_local().
  void set_surface(const SurfaceMass& surface) {
    surface_ = surface;
    adds_surface_ = true;
  }
  const SurfaceMass& surface() const { return surface_; }

  /// y = Z^T A_L Z x. Constrained entries of x are not read, constrained entries of y are zero.
  /// Errors, of all three: InputError where x or y is no vector of the space, or more nodes of the space have been
  /// constrained since the operator was made.
  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    require_vectors(x, y);
    compute(instance, x, y);
    add_surface(instance, x, y);
  }

  /// y = A x where y is already zero.
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    require_vectors(x, y);
    compute_to_zero(instance, x, y);
    add_surface(instance, x, y);
  }

  /// y = A x where y is already zero, and *energy = x . y, on the device and without waiting.
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                     double* energy) const {
    require_vectors(x, y);
    if (surface_.empty()) return compute_to_zero(instance, x, y, energy);
    compute_to_zero(instance, x, y);
    add_surface(instance, x, y);
    streaming::dot<Real>(instance, x, y, energy);
  }

  /// y += A x, and terms whose sum is x . y, which the caller sets to zero once it has added them up; without terms,
  /// which not all operators have, nothing is done.
  Vector<double> add_with_energy_terms(const Instance& instance, const Vector<const Real>& x,
                                       const Vector<Real>& y) const {
    require_vectors(x, y);
    if (!surface_.empty()) return {};
    return compute_with_terms(instance, x, y);
  }

  /// Whether apply_to_zero() is to be done in two steps, on several ranks: apply_shared() by the elements with nodes of
  /// other ranks, then apply_inner() by the others, which leaves x . y at `energy`, unless it is null.
  virtual bool has_steps() const { return false; }
  virtual void apply_shared(const Instance&, const Vector<const Real>&, const Vector<Real>&, double*) const {}
  virtual void apply_inner(const Instance&, const Vector<const Real>&, const Vector<Real>&, double*) const {}

  /// Whether apply_to_zero() adds to y; if not, the contents of y are ignored.
  virtual bool needs_zeros() const { return false; }

  /// Whether apply_to_zero() only launches kernels, so that a Replay may record it.
  virtual bool can_replay() const { return false; }

  /// Whether loops over vectors before and after y = A x are better run by apply_between(): on hosts, in chunks that
  /// find their entries in caches. All ranks give the same answer.
  virtual bool has_chunks() const { return false; }
  /// y = A x. loops.before is run on entries that no element has read, loops.after on those to which no element adds
  /// any more. Entries that several threads read are done before all elements; those to which several threads or ranks
  /// add after `complete`, which completes y over ranks, by loops.after_all. sums[0 .. loops.sums) become the totals of
  /// this rank. Errors: as apply().
  void apply_between(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                     const linalg::LoopsAround& loops, const std::function<void()>& complete, double* sums) const {
    require_vectors(x, y);
    const auto complete_surface = [&] {
      add_surface(instance, x, y);
      complete();
    };
    compute_between(instance, x, y, loops, complete_surface, sums);
  }

  /// v = A_L u on E-vectors (component, ..) in the kernel's own layout, without gather and scatter.
  virtual void apply_local(const Instance& instance, const Vector<const Real>& u, const Vector<Real>& v) const = 0;

  /// The layout of E-vectors: for each place the entry of global vectors, ~entry where it is masked or only pads a
  /// register.
  virtual Vector<const Index> local_nodes() const = 0;

  /// Memory of the kernel in addition to the discretisation: factors, index arrays and E-vectors [bytes].
  struct Memory {
    std::size_t factors = 0, indices = 0, local_vectors = 0;
  };
  virtual Memory memory() const = 0;

  /// Least memory traffic of an application [bytes]: x and y, the kernel's arrays, and E-vectors in and out where it
  /// has them.
  double bytes() const {
    const Memory stored = memory();
    return 2. * space().num_entries() * sizeof(Real) + stored.factors + stored.indices + 2. * stored.local_vectors;
  }

  /// GPU resources of the kernel; zeros where it does not run in teams.
  virtual TeamResources resources() const { return {}; }

  /// Bytes that the kernel reads and writes in team scratch per element, counted per thread as in the paper; 0 where it
  /// uses no scratch.
  virtual std::size_t scratch_traffic() const { return 0; }

 protected:
  /// What update() does beside the surface; `varies`: whether the coefficient has changed too.
  virtual void update_factors(bool varies) = 0;
  /// What apply() and both apply_to_zero() do.
  virtual void compute(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const = 0;
  virtual void compute_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    compute(instance, x, y);
  }
  virtual void compute_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                               double* energy) const {
    compute_to_zero(instance, x, y);
    streaming::dot<Real>(instance, x, y, energy);
  }
  /// What apply_between() does; `complete` adds the surface as well, so that its entries are loops.after_all's.
  virtual void compute_between(const Instance&, const Vector<const Real>&, const Vector<Real>&,
                               const linalg::LoopsAround&, const std::function<void()>&, double*) const {}
  virtual Vector<double> compute_with_terms(const Instance&, const Vector<const Real>&, const Vector<Real>&) const {
    return {};
  }

 private:
  void require_vectors(const Vector<const Real>& x, const Vector<Real>& y) const {
    if (x.extent(0) != entries_ || y.extent(0) != entries_ || space().masked.size() != num_masked_)
      refuse(x.extent(0), y.extent(0));
  }
  [[noreturn]] void refuse(std::size_t x, std::size_t y) const;
  void add_surface(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    if (!surface_.empty()) add_nonempty_surface(instance, x, y);
  }
  void add_nonempty_surface(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const;

  const Discretisation* discretisation_;
  std::size_t entries_, num_masked_;
  bool has_coefficient_;
  Terms terms_;  ///< those that the operator knows
  std::int64_t updates_ = 0;
  SurfaceMass surface_;
  bool adds_surface_ = false;  ///< the reference adds the discretisation's, and one component of several leaves it out
};

/// Memory that make_operator() allocates for one component: factors, index arrays, E-vectors [bytes]. More components
/// need no more, except for the reference: 16 bytes per node each.
double estimated_memory(const Variant& variant, Problem problem, int order, double elements, double nodes, int word);

/// Errors: InputError with the reason given by why_not(), or where geometry cannot be computed.
template <class Real>
std::unique_ptr<ElementOperator<Real>> make_operator(const Variant& variant, const Discretisation& problem);

}  // namespace miniapp::tensor
