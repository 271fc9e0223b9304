// SPDX-License-Identifier: BSD-3-Clause
#include "apps/elasticity/body_report.hpp"

#include <fmt/format.h>

#include "apps/elasticity/beam_report.hpp"
#include "apps/elasticity/body.hpp"
#include "apps/frontend/device_text.hpp"
#include "apps/frontend/record_parts.hpp"
#include "core/printable.hpp"

namespace miniapp::apps {
namespace {

std::string text_of(const mesh::Point& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]); }

}  // namespace

report::Json to_record(const report::Json& base, const ElasticityOptions& o, const elasticity::BodyResult& s) {
  report::Json record = base;
  record["case"] = {{"problem", "body"},
                    {"mesh", o.words.mesh},
                    {"held", o.words.held},
                    {"traction", o.words.traction},
                    {"pressure", o.words.pressure},
                    {"gravity", o.body.gravity},
                    {"density", o.body.material.density},
                    {"material", o.words.material}};
  put_system(record, o, s.order, s);
  at(record, field::passed) = s.verified();
  if (s.matrices_right()) {
    at(record, field::patch_error) = s.errors.patch;
    at(record, field::sum_error) = s.errors.matrix;
  }
  record["result"]["loads_n"] = s.loads;
  if (!s.cg) return record;
  at(record, field::displacement) = s.displacement;
  record["result"]["displacement_at"] = s.place;
  at(record, field::body_stress) = s.stress;
  record["result"]["support_n"] = s.support;
  at(record, field::imbalance) = s.imbalance;
  record["result"]["stress_residual"] = s.residual;
  return record;
}

std::string what_was_wrong(const ElasticityOptions& o, const elasticity::BodyResult& s) {
  const std::string of_system = what_was_wrong(o, s.order, s);
  if (!of_system.empty()) return of_system;
  const std::string where = fmt::format("order {}, {}", s.order, elasticity::name(s.method));
  if (!(s.errors.patch <= 1))
    return fmt::format(
        "{}: forces of a linear displacement differ from those of its stress by {:.3g} times the tolerance", where,
        s.errors.patch);
  if (!(s.errors.matrix <= 1))
    return fmt::format("{}: A u differs from the forces of the stresses of u by {:.3g} times the tolerance", where,
                       s.errors.matrix);
  return "";
}

std::vector<report::Column> body_columns(const ElasticityOptions& o) {
  using report::detail, report::expected;
  const bool solves = !o.verify_only;
  std::vector<report::Column> columns = matrix_columns(o);
  columns.insert(columns.begin() + 5, {field::patch_error, field::sum_error});
  for (const report::Column& column : product_columns(o)) columns.push_back(column);
  columns.insert(columns.end(),
                 {expected(field::displacement, solves), expected(field::body_stress, solves),
                  expected(field::imbalance, solves), expected({"iterations", iterations_and_verdict}, solves)});
  return columns;
}

std::string body_heading(const ElasticityOptions& o, const std::string& device) {
  return fmt::format(
      "Body {}, E {:.4g} Pa, nu {:.4g}, density {:.4g} kg/m^3{};\n{}\n{} precision, {}\nCG with {}; \"matrices\": "
      "error "
      "/ tolerance against the reference; \"patch\": likewise of the forces of a\nlinear displacement, against those "
      "of "
      "its stress on all sides; \"sum\": of A u, against the forces of stresses\n",
      printable(o.words.mesh, 200), o.young, o.poisson, o.body.material.density,
      o.words.material.empty() ? "" : ", other materials of " + std::to_string(o.words.material.size()) + " groups",
      describe_body(o), name(o.precision), describe_world(o.ranks) + device, elasticity::name(o.preconditioner));
}

std::string describe_balance(const elasticity::BodyResult& s) {
  return fmt::format(
      "  Order {}, {}: largest displacement {:.6g} m at {} m; loads {} N, support {} N, their sum {:.1e} of all "
      "nodal forces; b - A u by stresses {:.1e} of |b|",
      s.order, elasticity::name(s.method), s.displacement, text_of(s.place), text_of(s.loads), text_of(s.support),
      s.imbalance, s.residual);
}

}  // namespace miniapp::apps
