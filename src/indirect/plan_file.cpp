// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan_file.hpp"

#include <algorithm>
#include <fstream>

#include "core/input_file.hpp"
#include "core/output_file.hpp"
#include "core/printable.hpp"
#include "indirect/plan_bytes.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/indirect/plan_check.hpp"

namespace miniapp::indirect {
namespace {

const std::string family = "miniapp plan ", magic = family + "2\n",
                  accepted = "; accepted is a plan that this version saved";

FileKind plan_kind() {
  return {"a file of a plan", [](const std::string& start) { return start.compare(0, family.size(), family) == 0; }};
}

/// An enum as its byte in the format.
template <class Enum>
void visit_enum(PlanWriter& stream, const Enum& value) {
  stream.integer(static_cast<std::uint8_t>(value));
}
template <class Enum>
void visit_enum(PlanReader& stream, Enum& value) {
  std::uint8_t byte = 0;
  stream.integer(byte);
  value = static_cast<Enum>(byte);
}

/// Visits all members in the order of the format, for both writing and reading.
template <class Stream, class Saved>
void visit(Stream& stream, Saved& saved) {
  auto& plan = saved.plan;
  stream.integer(saved.map_hash);
  stream.array(saved.ordering.from.offsets), stream.array(saved.ordering.from.entries), stream.array(saved.ordering.to);
  visit_enum(stream, plan.options.strategy), visit_enum(stream, plan.options.in_block);
  visit_enum(stream, plan.options.write_back), visit_enum(stream, plan.options.staging);
  stream.integer(plan.options.block_size), stream.integer(plan.arity);
  stream.integer(plan.from_size), stream.integer(plan.to_size), stream.integer(plan.map_hash);
  stream.array(plan.order), stream.array(plan.colour_offsets), stream.array(plan.launch_order);
  stream.array(plan.first_position), stream.array(plan.first_target), stream.array(plan.targets);
  stream.array(plan.local), stream.array(plan.thread_colour), stream.array(plan.thread_colours);
  stream.array(plan.first_row), stream.array(plan.rows);
  stream.array(plan.row_offsets), stream.array(plan.row_entries);
}

bool is_permutation(const std::vector<Index>& ids, std::int64_t size) {
  if (std::int64_t(ids.size()) != size) return false;
  std::vector<char> seen(ids.size(), 0);
  for (const Index id : ids) {
    if (id < 0 || id >= size || seen[id]) return false;
    seen[id] = 1;
  }
  return true;
}

/// Checks an ordering, which must have as many elements and targets as the plan; returns the first defect, or an empty
/// string.
std::string check_ordering(const graph::Ordering& ordering, const PlanArrays& plan) {
  const std::vector<Index>& offsets = ordering.from.offsets;
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != plan.from_size ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    return "its blocks of elements do not cover them";
  if (!is_permutation(ordering.from.entries, plan.from_size)) return "its order does not hold each element once";
  return is_permutation(ordering.to, plan.to_size) ? "" : "its order does not hold each target once";
}

/// Reads a plan file. Any other file is rejected after its first bytes, however long it is.
std::string read_bytes(const std::string& path) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(printable(path, 200) + ": " + reason + accepted);
  };
  if (waits_for_writer(path)) fail("is a pipe");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(magic.size(), '\0');
  try {
    file.exceptions(std::ios::badbit);
    if (!file || file.peek() == std::ifstream::traits_type::eof()) fail(file.is_open() ? "is empty" : "cannot be read");
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (bytes != magic) return bytes;
    const std::size_t free = free_host_memory();
    std::string piece(1 << 20, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0) {
      bytes.append(piece, 0, static_cast<std::size_t>(file.gcount()));
      if (free > 0 && bytes.size() > free / 3) fail("is larger than memory");
    }
  } catch (const std::ios::failure&) {
    fail("cannot be read");
  }
  return bytes;
}

}  // namespace

void require_plan_path(const std::string& path) { ReplacedFile({"save_plan", path}, plan_kind()); }

void save_plan(const std::string& path, const SavedPlan& saved) {
  const ReplacedFile file({"save_plan", path}, plan_kind());
  PlanWriter writer(magic);
  visit(writer, saved);
  PlanWriter sum("");
  sum.integer(plan_checksum(writer.bytes()));
  file.write(writer.bytes() + sum.bytes());
}

SavedPlan load_plan(const std::string& path) { return parse_plan(read_bytes(path), printable(path, 200)); }

SavedPlan parse_plan(const std::string& bytes, const std::string& source) {
  const auto demand = [&](bool right, const std::string& reason) { require(right, source + ": " + reason + accepted); };
  const bool plan = bytes.compare(0, family.size(), family) == 0;
  demand(plan, "is no plan: it does not begin with '" + family + "'");
  const std::string version = bytes.substr(family.size(), bytes.find('\n') - family.size());
  demand(bytes.compare(0, magic.size(), magic) == 0,
         "is a plan of version '" + printable(version, 20) + "', this program reads 2");
  std::uint64_t sum = 0;
  demand(bytes.size() >= magic.size() + sizeof(sum), "ends early");
  const std::string_view summed(bytes.data(), bytes.size() - sizeof(sum));
  PlanReader(std::string_view(bytes).substr(summed.size())).integer(sum);
  demand(sum == plan_checksum(summed), "is damaged or cut short: its checksum is another");
  SavedPlan saved;
  PlanReader reader(summed.substr(magic.size()));
  visit(reader, saved);
  demand(!reader.ended_early(), "ends early");
  demand(reader.at_end(), "goes on after its end");
  std::string wrong = check_arrays(saved.plan);
  if (wrong.empty()) wrong = check_ordering(saved.ordering, saved.plan);
  demand(wrong.empty(), "is wrong: " + wrong);
  return saved;
}

}  // namespace miniapp::indirect
