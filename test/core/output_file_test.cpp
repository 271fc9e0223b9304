// SPDX-License-Identifier: BSD-3-Clause
#include "core/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

struct Folder : TemporaryFolder {
  std::size_t count() const { return std::distance(fs::directory_iterator(path()), fs::directory_iterator()); }
};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

const FileKind words{"a file of words",
                     [](const std::string& start) { return start.find_first_of("0123456789") == std::string::npos; }};

}  // namespace

TEST_CASE("Nothing is created before there is something to write", "[core][output_file]") {
  const Folder folder;
  const AppendedFile appended({"--json", folder.file("a")}, words);
  const ReplacedFile replaced({"--save-plan", folder.file("b")}, words);
  CHECK(folder.count() == 0);

  appended.append("one\n");
  replaced.write("two");
  CHECK(content(folder.file("a")) == "one\n");
  CHECK(content(folder.file("b")) == "two");
  CHECK(folder.count() == 2);
}

TEST_CASE("Lines that many processes append concurrently stay whole", "[core][output_file]") {
  const Folder folder;
  const std::string path = folder.file("lines");
  constexpr int writers = 8, lines = 50;
  write(path, "the first line\n");
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w)
    threads.emplace_back([&path, w] {
      const AppendedFile file({"--json", path}, words);
      for (int i = 0; i < lines; ++i) file.append(std::string(3000 + 100 * w, static_cast<char>('a' + w)) + '\n');
    });
  int others = 0;  // lines of a program that takes no lock
  threads.emplace_back([&] {
    const int other = open(path.c_str(), O_WRONLY | O_APPEND);
    for (int i = 0; i < 20 * lines; ++i) others += ::write(other, "other\n", 6) == 6;
    close(other);
  });
  for (std::thread& thread : threads) thread.join();

  std::ifstream in(path);
  int found[writers] = {}, wrong = 0;
  std::string line;
  std::getline(in, line);
  CHECK(line == "the first line");
  while (std::getline(in, line)) {
    others -= line == "other";
    if (line == "other") continue;
    const int w = line.empty() ? writers : line[0] - 'a';
    const bool whole = w >= 0 && w < writers && line == std::string(3000 + 100 * w, static_cast<char>('a' + w));
    if (whole) ++found[w];
    wrong += !whole;
  }
  CHECK(wrong == 0);
  CHECK(others == 0);
  for (const int count : found) CHECK(count == lines);
}

TEST_CASE("Lines that are appended while the file is replaced are kept", "[core][output_file]") {
  const Folder folder;
  const std::string path = folder.file("lines");
  constexpr int writers = 4, lines = 100;
  write(path, "a");
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w)
    threads.emplace_back([&path, w] {
      const AppendedFile file({"--csv", path}, words);
      for (int i = 0; i < lines; ++i) {
        if (w > 0) file.append("line\n");
        if (w == 0)
          file.edit([](const std::string& first) {
            return Edit{"", [first](const std::string& all) { return first + "a" + all.substr(first.size()); }};
          });
      }
    });
  for (std::thread& thread : threads) thread.join();

  std::string expected(lines + 1, 'a');
  for (int line = 0; line < (writers - 1) * lines; ++line) expected += "\nline";
  CHECK(content(path) == expected + '\n');
  CHECK(folder.count() == 1);
}

TEST_CASE("A last line without a newline gets one first", "[core][output_file]") {
  const Folder folder;
  write(folder.file("a"), "one");
  const AppendedFile file({"--json", folder.file("a")}, words);
  file.append("two\n");
  file.append("three\n");
  CHECK(content(folder.file("a")) == "one\ntwo\nthree\n");
}

TEST_CASE("A link stays a link, and what it leads to is written", "[core][output_file]") {
  const Folder folder;
  const bool exists = GENERATE(true, false);
  if (exists) write(folder.file("target"), "old\n");
  fs::create_symlink("target", folder.file("link"));
  fs::create_symlink("link", folder.file("twice"));

  SECTION("appended to") {
    AppendedFile({"--json", folder.file("twice")}, words).append("new\n");
    CHECK(content(folder.file("target")) == (exists ? "old\nnew\n" : "new\n"));
  }
  SECTION("replaced") {
    ReplacedFile({"--save-plan", folder.file("twice")}, words).write("new\n");
    CHECK(content(folder.file("target")) == "new\n");
  }
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(fs::is_symlink(folder.file("twice")));
  CHECK(folder.count() == 3);
}

TEST_CASE("A file that is replaced keeps its permissions", "[core][output_file]") {
  const Folder folder;
  write(folder.file("a"), "old");
  fs::permissions(folder.file("a"), fs::perms(0640));
  ReplacedFile({"--save-plan", folder.file("a")}, words).write("new");
  CHECK(fs::status(folder.file("a")).permissions() == fs::perms(0640));
}

TEST_CASE("A file of another kind stays as it is", "[core][output_file]") {
  const Folder folder;
  const std::string path = folder.file("numbers");
  write(path, "1 2 3");
  CHECK_THROWS_WITH(
      AppendedFile({"--json", path}, words),
      "--json " + path + ": holds something else, which stays; accepted is a new file or a file of words");
  CHECK_THROWS_AS(ReplacedFile({"--save-plan", path}, words), InputError);
  CHECK(content(path) == "1 2 3");
}

TEST_CASE("A path that cannot be written is bad input, and nothing is left behind", "[core][output_file]") {
  const Folder folder;
  write(folder.file("file"), "");
  fs::create_symlink("none/file", folder.file("dangling"));
  fs::create_symlink("loop", folder.file("loop"));
  const std::size_t before = folder.count();
  const std::string name = GENERATE(as<std::string>(), "", "none/file", "file/file", "dangling", "loop", "new/",
                                    std::string(300, 'x'), std::string(5000, 'x'), "none\n\x1b[2J/file");
  const std::string path = folder.file(name);
  CAPTURE(name);

  CHECK_THROWS_AS(AppendedFile({"--json", path}, words), InputError);
  CHECK_THROWS_AS(ReplacedFile({"--save-plan", path}, words), InputError);
  try {
    AppendedFile({"--json", path}, words);
  } catch (const InputError& error) {
    const std::string message = error.what();
    CHECK_THAT(message, contains("--json") && contains("cannot be written: ") && contains("accepted is"));
    CHECK(message.find_first_of("\n\x1b") == std::string::npos);
    CHECK(message.size() < 400);
  }
  CHECK(folder.count() == before);
}

TEST_CASE("A pipe takes lines", "[core][output_file]") {
  const Folder folder;
  const std::string path = folder.file("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string read;
  std::thread reader([&] { read = content(path); });
  {
    const AppendedFile file({"--json", path}, words);
    file.append("one\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // by now a reader would see the end of the file
    file.append("two\n");
  }
  reader.join();
  CHECK(read == "one\ntwo\n");
}

TEST_CASE("An output must not be an input or another output, under any name", "[core][output_file]") {
  const Folder folder;
  write(folder.file("mesh"), "m");
  write(folder.file("other"), "o");
  fs::create_symlink("mesh", folder.file("link"));
  fs::create_hard_link(folder.file("mesh"), folder.file("hard"));
  const NamedFile mesh{"--mesh", folder.file("mesh")};
  for (const char* name : {"mesh", "link", "hard", "./mesh"})
    CHECK_THROWS_WITH(require_separate({{"--json", folder.file(name)}}, {mesh}),
                      contains("--json") && contains("that --mesh reads; accepted is another one"));
  CHECK_NOTHROW(require_separate({{"--json", folder.file("other")}, {"--save-plan", folder.file("new")}}, {mesh}));
  CHECK_THROWS_WITH(require_separate({{"--json", folder.file("new")}, {"--save-plan", folder.file("./new")}}, {mesh}),
                    contains("that --json writes"));
  CHECK_NOTHROW(require_separate({{"--json", ""}, {"--save-plan", ""}}, {{"--mesh", ""}}));
  CHECK_NOTHROW(require_separate({{"--json", "/dev/null"}}, {{"--config", "/dev/null"}}));
}
