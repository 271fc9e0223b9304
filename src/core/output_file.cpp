// SPDX-License-Identifier: BSD-3-Clause
#include "core/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "core/printable.hpp"
#include "core/regions.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp {
namespace {

namespace fs = std::filesystem;

/// An open file, closed by the destructor.
struct Descriptor {
  int number;
  explicit Descriptor(int number_) : number(number_) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

template <class E>
[[noreturn]] void blame(const NamedFile& file, const std::string& reason) {
  throw E(file.name, printable(file.path, 200), reason);
}
[[noreturn]] void refuse(const NamedFile& file, const std::string& reason) {
  blame<InputError>(file, "cannot be written: " + reason + "; accepted is the path of a file");
}
[[noreturn]] void fail(const NamedFile& file, const std::string& what) {
  blame<ResultError>(file, what + ": " + std::strerror(errno));
}

/// The path after following symbolic links, whether or not the file exists.
fs::path without_links(const fs::path& path) {
  constexpr int most = 40;  // as many as the Linux kernel follows
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < most && fs::is_symlink(fs::symlink_status(target, error)); ++i) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) break;
    target = target.parent_path() / next;
  }
  return target;
}
fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// The first megabyte of a file. Errors: InputError where it cannot be read.
std::string start_of(const NamedFile& file) {
  std::string start(1 << 20, '\0');
  std::ifstream in(file.path, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (in.bad() || (in.fail() && !in.eof())) refuse(file, "what it holds cannot be read");
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

/// Rejects a path that could not be written later. `beside`: a temporary file next to it is written first.
void check(const NamedFile& file, const FileKind& kind, bool beside) {
  struct stat status {};
  const fs::path target = without_links(file.path);
  const bool exists = stat(file.path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(file, std::strerror(errno));
  if (exists && S_ISDIR(status.st_mode)) refuse(file, "it is a folder");
  if (exists && access(file.path.c_str(), W_OK) != 0) refuse(file, std::strerror(errno));
  if (exists && S_ISREG(status.st_mode) && status.st_size > 0 && !kind.holds(start_of(file)))
    blame<InputError>(file, "holds something else, which stays; accepted is a new file or " + kind.name);
  if (exists && !(beside && S_ISREG(status.st_mode))) return;
  if (!exists && lstat(target.c_str(), &status) != 0 && errno != ENOENT) refuse(file, std::strerror(errno));
  const fs::path folder = folder_of(target);
  if (stat(folder.c_str(), &status) != 0) refuse(file, std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) refuse(file, std::strerror(ENOTDIR));
  if (status.st_nlink == 0) refuse(file, "its folder was deleted");
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse(file, std::string("its folder: ") + std::strerror(errno));
}

/// Writes all bytes, up to `most` with one call unless it is interrupted.
bool write_all(int descriptor, const std::string& bytes, std::size_t most = SIZE_MAX) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(descriptor, bytes.data() + done, std::min(most, bytes.size() - done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
    tell_part(double(done) / double(bytes.size()));
  }
  return true;
}

/// Whether the file's last line has its newline. A writer without a lock may be in the middle of a line, since a write
/// across pages becomes visible in parts. So an unfinished line is read again until it no longer changes.
bool ends_with_newline(int descriptor, const NamedFile& file) {
  for (off_t before = -1;;) {
    const off_t size = lseek(descriptor, 0, SEEK_END);
    char last = '\n';
    if (size > 0 && pread(descriptor, &last, 1, size - 1) != 1) fail(file, "reading its last character failed");
    if (last == '\n') return true;
    if (size == before) return false;
    before = size;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// A pipe or a terminal: exists, and is not a file on a disk.
bool is_stream(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Whether both are the same file on a disk, or the same name of a file that does not exist yet.
bool same_file(const std::string& a, const std::string& b) {
  struct stat of_a {
  }, of_b{};
  const bool a_exists = stat(a.c_str(), &of_a) == 0, b_exists = stat(b.c_str(), &of_b) == 0;
  if (a_exists && b_exists) return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  if (a_exists || b_exists) return false;
  std::error_code of_path;
  return fs::weakly_canonical(without_links(a), of_path) == fs::weakly_canonical(without_links(b), of_path) && !of_path;
}

/// Writes a temporary file beside the file and renames it.
void replace(const NamedFile& file, const std::string& bytes) {
  const fs::path target = without_links(file.path);
  std::string beside = (folder_of(target) / ".miniapp-XXXXXX").string();
  struct stat status {};
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t mode = stat(target.c_str(), &status) == 0 ? status.st_mode & 07777u : 0666u & ~mask;
  const Descriptor opened(mkstemp(beside.data()));
  if (opened.number < 0) fail(file, "writing beside it failed");
  constexpr std::size_t most = 1 << 24;  // so that progress is seen
  if (write_all(opened.number, bytes, most) && fchmod(opened.number, mode) == 0 &&
      std::rename(beside.c_str(), target.c_str()) == 0)
    return;
  const int reason = errno;
  unlink(beside.c_str());
  errno = reason;
  fail(file, "writing failed");
}

/// A file that is open for appending, with a lock where its system has any. Makes it where there is none.
struct LockedFile {
  explicit LockedFile(const NamedFile& file) {
    do {
      opened.emplace(open(file.path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
      if (opened->number < 0) fail(file, "writing failed");
      int result = 0;
      while ((result = flock(opened->number, LOCK_EX)) != 0 && errno == EINTR) continue;
      has_lock = result == 0;
    } while (has_lock && !is_at(file.path));  // else it was replaced meanwhile
  }
  bool is_at(const std::string& path) const {
    struct stat own {
    }, there{};
    return fstat(opened->number, &own) == 0 && stat(path.c_str(), &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
  }

  std::optional<Descriptor> opened;
  bool has_lock = false;
};

}  // namespace

void require_separate(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (outputs[o].path.empty()) continue;
    for (const NamedFile& input : inputs)
      if (same_file(outputs[o].path, input.path))
        blame<InputError>(outputs[o], "is the file that " + input.name + " reads; accepted is another one");
    for (std::size_t other = 0; other < o; ++other)
      if (same_file(outputs[o].path, outputs[other].path))
        blame<InputError>(outputs[o], "is the file that " + outputs[other].name + " writes; accepted is another one");
  }
}

AppendedFile::AppendedFile(NamedFile file, const FileKind& kind) : file_(std::move(file)) { check(file_, kind, false); }

void AppendedFile::append(const std::string& lines) const {
  edit([&](const std::string&) { return Edit{lines}; });
}

void AppendedFile::edit(const std::function<Edit(const std::string& first_line)>& decide) const {
  if (is_stream(file_.path)) {
    if (!kept_open_)
      kept_open_ = std::make_shared<const Descriptor>(open(file_.path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    const int descriptor = std::static_pointer_cast<const Descriptor>(kept_open_)->number;
    if (descriptor < 0 || !write_all(descriptor, decide("").lines)) fail(file_, "writing failed");
    return;
  }
  // A single write to a file opened for appending is atomic by itself; the lock protects what is read of it and the
  // recovery from a short write. Closing the file releases it.
  const LockedFile locked(file_);
  const int descriptor = locked.opened->number;
  std::string first;
  std::ifstream in(file_.path, std::ios::binary);
  std::getline(in, first);
  const Edit edit = decide(first);
  const bool whole = ends_with_newline(descriptor, file_);
  if (edit.replace) {
    in.clear();
    in.seekg(0);
    const std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) fail(file_, "reading it failed");
    return replace(file_, edit.replace(whole ? content : content + '\n'));
  }
  const off_t size = lseek(descriptor, 0, SEEK_END);
  if (write_all(descriptor, whole ? edit.lines : "\n" + edit.lines)) return;
  const int reason = errno;
  const bool back = locked.has_lock && ftruncate(descriptor, size) == 0;
  errno = reason;
  fail(file_, back ? "writing failed" : "writing failed and left a part of a line");
}

ReplacedFile::ReplacedFile(NamedFile file, const FileKind& kind) : file_(std::move(file)) { check(file_, kind, true); }

void ReplacedFile::write(const std::string& bytes) const {
  if (is_stream(file_.path)) {
    const Descriptor opened(open(file_.path.c_str(), O_WRONLY | O_CLOEXEC));
    if (opened.number < 0 || !write_all(opened.number, bytes)) fail(file_, "writing failed");
    return;
  }
  replace(file_, bytes);
}

}  // namespace miniapp
