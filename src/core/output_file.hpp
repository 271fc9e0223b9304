// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Files that the program writes. They never destroy other data: an output is never an input, a file of another kind is
/// neither appended to nor replaced, and no file is created before there is something to write. Symbolic links are
/// followed and preserved.
namespace miniapp {

/// A file and its name in messages: the argument or the option that gives it.
struct NamedFile {
  std::string name, path;
};

/// Errors: InputError where an output is one of the inputs or another output, under any name or link. Pipes and
/// terminals may be both.
void require_separate(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// What an existing file must contain.
struct FileKind {
  std::string name;                                     ///< "a file of ..."
  std::function<bool(const std::string& start)> holds;  ///< checks its first megabyte
};

/// What a file of lines gets.
struct Edit {
  std::string lines{};  ///< appended
  /// If there is one: makes all that the file then holds of what it holds now, instead.
  std::function<std::string(const std::string& content)> replace{};
};

/// A file that lines are appended to; several processes may append concurrently.
class AppendedFile {
 public:
  /// Errors: InputError where the path cannot be written or an existing file is of another kind. Creates nothing.
  AppendedFile(NamedFile file, const FileKind& kind);
  /// Appends `lines`, which end with a newline, by one write. If the file's last line lacks a newline, adds it first. A
  /// short write is undone. Errors: ResultError.
  void append(const std::string& lines) const;
  /// Does what `decide` says of the file's first line, which is empty where there is none, as in a pipe; other writers
  /// wait meanwhile. Where all of it is replaced, readers see either the old or the new content. Errors: ResultError;
  /// the old content then stays.
  void edit(const std::function<Edit(const std::string& first_line)>& decide) const;

 private:
  NamedFile file_;
  mutable std::shared_ptr<const void> kept_open_;  ///< a pipe, whose reader would see its end after each line
};

/// A file that is replaced as a whole.
class ReplacedFile {
 public:
  /// Errors: as AppendedFile's.
  ReplacedFile(NamedFile file, const FileKind& kind);
  /// Writes a temporary file next to it and renames it, so that readers see either the old or the new content. Errors:
  /// ResultError; the old content then stays.
  void write(const std::string& bytes) const;

 private:
  NamedFile file_;
};

}  // namespace miniapp
