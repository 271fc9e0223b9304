// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/same.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "core/node.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::apps {
namespace {

/// The value of an option as a text that is the same for equal values only.
std::string value(const Option& option) {
  if (!option.given) return "";
  const auto text = [](const auto* variable) -> std::string {
    using T = std::remove_cvref_t<decltype(*variable)>;
    if constexpr (std::is_same_v<T, std::vector<std::string>>)
      return fmt::format("{}", fmt::join(*variable, ","));
    else
      return fmt::format("{}", *variable);
  };
  return std::visit(text, option.variable);
}

/// 64 bits that depend on the bytes of a file and on their number (FNV-1a), 0 where it cannot be read.
std::uint64_t digest(const std::string& path) {
  std::uint64_t hash = 0xcbf29ce484222325;
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, error) || !file) return 0;
  std::vector<char> bytes(std::size_t(1) << 16);
  while (file.read(bytes.data(), std::streamsize(bytes.size())) || file.gcount() > 0)
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(bytes[std::size_t(i)])) * 0x100000001b3;
  return hash;
}

/// The last rank on which a text is not that of rank 0; 0 where it is the same on all.
int differs(const Communicator& world, const std::string& text) {
  return int(world.of_all(Reduction::max, std::int64_t(text == world.from_first(text) ? 0 : world.rank())));
}

}  // namespace

void require_same(const Communicator& world, const std::string& command_line, const Options& options) {
  if (world.is_alone()) return;
  const std::string first = world.from_first(name_of_rank(world));
  const auto named = [&](int rank) { return world.from(rank, name_of_rank(world)); };
  const auto compare = [&](const std::string& text, const std::string& what) {
    const int other = differs(world, text);
    if (other == 0) return;
    throw InputError(fmt::format("{}: {} of {} is another; accepted is one for all", named(other), what, first));
  };
  const Build own = build();
  compare(fmt::format("{} {} {} {} {}", own.version, own.commit, own.compiler, own.flags, own.kokkos_version),
          "the build");
  compare(command_line, "the command line");
  const auto told = [](const std::string& text) { return text.empty() ? "not given" : printable(text, 40); };
  for (const Option& option : options.all()) {
    const std::string own_value = value(option);
    if (const int other = differs(world, own_value); other > 0) {
      const std::string of_first = told(world.from_first(own_value));
      const std::string theirs = world.from(other, told(own_value));
      throw InputError(fmt::format("{}: {} is {}, but {} on {}; accepted is one value for all", named(other),
                                   option.name, theirs, of_first, first));
    }
    if (option.file != FileUse::input || own_value.empty()) continue;
    if (std::count(option.words.begin(), option.words.end(), own_value) > 0) continue;
    const std::uint64_t own_file = digest(own_value);
    const int other = differs(world, fmt::format("{}", own_file));
    if (other == 0) continue;
    const int without = int(world.of_all(Reduction::max, std::int64_t(own_file == 0 ? world.rank() : -1)));
    const std::string what =
        without < 0 ? fmt::format("the file of {} is another", first) : "cannot be read, while other ranks read it";
    throw InputError(fmt::format("{}: {} {}: {}; accepted is the same on all ranks",
                                 named(without < 0 ? other : without), option.name, printable(own_value, 200), what));
  }
}

void require_together(const Communicator& world) {
  const int size = launched_size();
  if (!world.is_alone() || size < 2) return;
  throw InputError(fmt::format(
      "started as {} processes, of which each is alone: {}; accepted are the launcher of this program's MPI, "
      "or one process",
      size, ranks_are_possible ? "the launcher is another MPI's" : "this build has no MPI"));
}

}  // namespace miniapp::apps
