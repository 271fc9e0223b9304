// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/solution_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <vector>

#include "core/agree.hpp"
#include "core/node.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/region.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

FileKind grid_kind(const std::string& name, const std::string& type) {
  return {name,
          [type](const std::string& start) { return start.find("<VTKFile type=\"" + type + "\"") != start.npos; }};
}
const FileKind& fields_kind() {
  static const FileKind kind = grid_kind("a file of VTK's unstructured grids", "UnstructuredGrid");
  return kind;
}
const FileKind& list_kind() {
  static const FileKind kind = grid_kind("a list of files of VTK's unstructured grids", "PUnstructuredGrid");
  return kind;
}

/// The file of a rank.
std::string piece_of(const std::string& path, int rank, int ranks) {
  if (ranks == 1) return path;
  return fmt::format("{}_{}.vtu", std::filesystem::path(path).replace_extension().string(), rank);
}

/// What is wrong with this rank's file; of several hosts on which one.
std::string on_host(const Communicator& ranks, const InputError& error) {
  return error.what() + (num_hosts(ranks) > 1 ? fmt::format(" ({})", name_of_rank(ranks)) : "");
}

}  // namespace

void add_solution_options(const Options::Group& group, SolutionOptions& variables) {
  group
      .optional("--output", variables.file,
                fmt::format("Write the {} to this file for VTK and ParaView: FILE.vtu, on several ranks FILE.pvtu; "
                            "replaced where it is one",
                            variables.what))
      .output();
  group.add("--output-compress", variables.compress, "How --output stores its numbers: none, or by zlib");
}

void check_solution(const SolutionOptions& o, const Options& options) {
  if (o.file.empty()) return options.refuse({"--output-compress"}, "of a file; accepted with --output");
  if (const std::string why_not = space::why_not(o.compress); !why_not.empty())
    throw InputError("--output-compress", name(o.compress), why_not);
  const Communicator ranks = Communicator::world();
  const NamedFile file{"--output", o.file};
  const std::string ending = ranks.is_alone() ? ".vtu" : ".pvtu";
  require(std::filesystem::path(file.path).extension() == ending, file.name, printable(file.path, 200),
          fmt::format("ends in another way; accepted on {} are names that end in {}",
                      ranks.is_alone() ? "one rank" : fmt::format("{} ranks", ranks.size()), ending));
  agree(ranks, [&] {
    try {
      if (!ranks.is_alone() && ranks.rank() == 0) const ReplacedFile list(file, list_kind());
      const ReplacedFile fields({file.name, piece_of(file.path, ranks.rank(), ranks.size())}, fields_kind());
    } catch (const InputError& error) {
      throw InputError(on_host(ranks, error), error.argument);
    }
  });
}

std::string write_solution(const SolutionOptions& o, const Communicator& ranks,
                           const std::function<std::string()>& make) {
  const double start = measure::now();
  std::size_t size = 0;
  agree<ResultError>(ranks, [&] {
    try {
      std::string bytes;
      {
        const Region region("fields");
        bytes = make();
      }
      size = bytes.size();
      const Region region("writing");
      ReplacedFile({"--output", piece_of(o.file, ranks.rank(), ranks.size())}, fields_kind()).write(bytes);
      if (ranks.is_alone() || ranks.rank() > 0) return;
      std::vector<std::string> pieces;
      for (int rank = 0; rank < ranks.size(); ++rank)
        pieces.push_back(std::filesystem::path(piece_of(o.file, rank, ranks.size())).filename().string());
      ReplacedFile({"--output", o.file}, list_kind()).write(space::pvtu(bytes, pieces));
    } catch (const InputError& error) {  // too late to be bad input
      throw ResultError(on_host(ranks, error));
    }
  });
  return fmt::format("{}{} in {}: {}, written in {}", char(std::toupper(o.what.front())), o.what.substr(1),
                     printable(o.file, 200), report::bytes(ranks.sum(double(size))),
                     report::seconds(measure::now() - start));
}

}  // namespace miniapp::apps
