// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Files that the program writes. None destroys what is not its own: an output is never an input, a file of another
/// kind is neither appended to nor replaced, and nothing is created before there is something to write. Links are
/// followed and stay.
namespace miniapp {

/// A file and what messages call it: the argument or the option that names it.
struct NamedFile {
  std::string name, path;
};

/// Errors: InputError where an output is one of the inputs or another output, under whatever name or link. Files that
/// are no files on a disk (pipes, terminals) may be both.
void require_separate(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// What a file that exists must hold.
struct FileKind {
  std::string name;                                     ///< "a file of ..."
  std::function<bool(const std::string& start)> holds;  ///< of its first megabyte
};

/// A file that lines are appended to; several processes may do so at once.
class AppendedFile {
 public:
  /// Errors: InputError where the path cannot be written or what is there is of another kind. Creates nothing.
  AppendedFile(NamedFile file, const FileKind& kind);
  /// Appends `lines`, which end with a newline, by one write. A last line without a newline gets one first. A write
  /// that ends early is taken back. Errors: ResultError.
  void append(const std::string& lines) const;

 private:
  NamedFile file_;
  mutable std::shared_ptr<const void> kept_open_;  ///< a pipe, whose reader would see its end after each line
};

/// A file that is written as a whole.
class ReplacedFile {
 public:
  /// Errors: as AppendedFile's.
  ReplacedFile(NamedFile file, const FileKind& kind);
  /// Writes a file beside it and gives it the name: whoever reads sees the old content or the new one. Errors:
  /// ResultError; the old content then stays.
  void write(const std::string& bytes) const;

 private:
  NamedFile file_;
};

}  // namespace miniapp
