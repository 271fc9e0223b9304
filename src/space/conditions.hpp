// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/space/space.hpp"

/// What conditions on groups of sides have in common, whatever the cells and the equation.
namespace miniapp::space {

inline std::string number_text(double value) { return fmt::format("{:.6g}", value); }
inline std::string point_text(const mesh::Point& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

/// The group of this name and dimension. Errors: InputError of the argument `option` where the mesh has none, with
/// those that it has.
const mesh::Group& require_group(const mesh::Mesh& mesh, const std::string& option, const std::string& name,
                                 int dimension);

/// Errors: InputError of the argument `option` where a side of a group is none of `surface`, which is ascending.
void require_on_surface(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& surface, const std::string& option,
                        const std::string& group, const mesh::CellSide& side);

/// Why Robin conditions with alpha = 0 do not suffice.
inline const std::string no_alpha =
    "alpha is 0 everywhere, which leaves u open by a constant; accepted is one above 0 somewhere, or a Dirichlet "
    "condition";

/// Errors: InputError where a value at x is not finite.
void require_finite(const std::string& option, double value, const mesh::Point& x);

/// The sides of each condition, each with one at most.
class Conditions {
 public:
  /// Collective.
  explicit Conditions(const mesh::Mesh& mesh) : mesh_(mesh), surface_(surface_sides(mesh)) {}

  const std::vector<mesh::CellSide>& surface() const { return surface_; }
  /// The sides of a group, of the surface unless the option is "dirichlet". Errors: InputError of the argument
  /// `option`.
  std::vector<mesh::CellSide> take(const std::string& option, const std::string& group);
  /// What has no condition: "walls, outlet, 12 sides without a group". Collective.
  std::string describe_rest() const;

 private:
  const mesh::Mesh& mesh_;
  std::vector<mesh::CellSide> surface_;
  std::map<mesh::CellSide, std::string> taken_;
};

/// all[entries[i]] = values[i], each entry once, and zero elsewhere.
Vector<double> scatter(std::size_t size, const std::vector<std::int64_t>& entries, const std::vector<double>& values);

/// Values that conditions prescribe at nodes, (entry) of a space; zero at others. Kept for the nodes that have one.
class PrescribedValues {
 public:
  explicit PrescribedValues(const Space& space) : space_(space) {}

  /// The value of a component at a node. Groups are told apart by their names, in the order of their first use, which
  /// is that of all ranks. Errors: InputError where a value is not finite.
  void set(const std::string& group, Index node, int component, double value, const mesh::Point& x);
  /// Once, after all values are set: gives the copies of a node on other ranks its values, the mean where ranks have
  /// several. `groups`: in the same order on all ranks. Collective. Errors: InputError where conditions of several
  /// groups differ at a node by more than rounding, 1e-9 of the largest of all values.
  void share(const std::vector<std::string>& groups);
  /// Whether any value of any rank is not zero, after share().
  bool any() const { return largest_ > 0; }
  std::vector<double> values() const;
  Vector<double> on_device() const;  ///< values()
  /// (entry): whether a value is prescribed there; of all ranks after share().
  std::vector<char> held() const;

 private:
  struct Prescribed {
    double value;
    int group;  ///< which of names_, or none: of another rank
  };
  static constexpr int none = -1;

  const Space& space_;
  std::unordered_map<std::size_t, Prescribed> at_;  ///< (entry); of all ranks after share()
  std::vector<std::string> names_;
  double largest_ = 0;             ///< |value|; of all ranks after share()
  double difference_ = 0;          ///< the largest between two groups at a node
  std::optional<InputError> why_;  ///< what it is
};

}  // namespace miniapp::space
