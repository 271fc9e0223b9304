// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/plot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "apps/frontend/data_files.hpp"
#include "miniapp/core/error.hpp"

extern char** environ;

namespace miniapp::apps {
namespace {

namespace fs = std::filesystem;

/// The script of an install, or else that of the source folder.
std::string find_script() {
  const std::array<std::string, 2> places = data_places("scripts/plot");
  for (const std::string& place : places)
    if (access(place.c_str(), X_OK) == 0) return place;
  throw InputError("--plot", "",
                   fmt::format("the script that draws is at none of {}; accepted is a program that is installed, or "
                               "whose source folder stayed",
                               fmt::join(places, ", ")));
}

struct Outcome {
  int code;            ///< 127 as a shell's: no such program
  std::string errors;  ///< what it wrote to standard error
};

/// Runs a program with this one's standard output. The signals that this one waits for end it as usual.
Outcome run(std::vector<std::string> words) {
  std::array<int, 2> channel{};
  if (pipe2(channel.data(), O_CLOEXEC) != 0) return {127, std::strerror(errno)};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, channel[1], STDERR_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failure = posix_spawn(&child, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(channel[1]);
  Outcome outcome{127, failure == 0 ? "" : std::strerror(failure)};
  std::array<char, 4096> bytes{};
  while (failure == 0) {
    const ssize_t count = read(channel[0], bytes.data(), bytes.size());
    if (count > 0) outcome.errors.append(bytes.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  close(channel[0]);
  int status = 0;
  pid_t ended = 0;
  while (failure == 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
  if (ended > 0) outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

/// Why the script failed: its last line, without its own name.
std::string why(const Outcome& outcome) {
  if (outcome.code == 127)
    return "python3, which draws, is not found; accepted is one in PATH with matplotlib (apt-get install "
           "python3-matplotlib)";
  const std::size_t end = outcome.errors.find_last_not_of('\n');
  if (end == std::string::npos) return fmt::format("the script ended with exit code {}", outcome.code);
  const std::size_t begin = outcome.errors.rfind('\n', end) + 1;
  const std::string line = outcome.errors.substr(begin, end + 1 - begin), name = "scripts/plot: ";
  return line.compare(0, name.size(), name) == 0 ? line.substr(name.size()) : line;
}

}  // namespace

void check_picture(const NamedFile& file, const Options& options) {
  const std::string ending = fs::path(file.path).extension();
  require(ending == ".svg" || ending == ".png" || ending == ".pdf", file.name, file.path,
          "no format of pictures; accepted is a file that ends with .svg, .png or .pdf");
  const FileKind kind{"a picture", [](const std::string& start) {
                        return start.compare(0, 5, "<?xml") == 0 || start.compare(0, 4, "\x89PNG") == 0 ||
                               start.compare(0, 4, "%PDF") == 0;
                      }};
  const ReplacedFile picture(file, kind);
  // several pictures of a run have names of their own added, which are not known before it
  const fs::path path(file.path), folder = path.parent_path().empty() ? "." : path.parent_path();
  const std::string start = path.stem().string() + "-";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& other = entry.path();
    if (other.extension() == ending && other.filename().string().rfind(start, 0) == 0)
      const ReplacedFile further({file.name, (path.parent_path() / other.filename()).string()}, kind);
  }
  require(!options.is_set("--verify-only"), file.name, file.path,
          "draws times, and --verify-only takes none; accepted is one of them");
}

Plot::Plot(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  script_ = find_script();
  if (const Outcome outcome = run({script_, "--check"}); outcome.code != 0)
    throw InputError("--plot", file_, why(outcome));
}

void Plot::discard() {
  if (!records_.empty()) unlink(records_.c_str());
  records_.clear();
}

void Plot::add(const report::Json& record) {
  if (file_.empty()) return;
  if (records_.empty()) {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    std::string path = ((error ? fs::path(".") : folder) / "miniapp-XXXXXX.json").string();
    const int descriptor = mkstemps(path.data(), 5);
    if (descriptor < 0)
      throw ResultError("--plot", file_, fmt::format("records cannot be kept in {}: {}", path, std::strerror(errno)));
    close(descriptor);
    records_ = path;
  }
  report::RecordFile(records_).append(record);
}

std::string Plot::draw() {
  if (records_.empty()) return "";
  std::cout << std::flush;
  const Outcome outcome = run({script_, records_, "--names", "-o=" + file_});
  if (outcome.code == 0) return "";
  return fmt::format("--plot {}: {}; the records are in {}", file_, why(outcome), std::exchange(records_, ""));
}

}  // namespace miniapp::apps
