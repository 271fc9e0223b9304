// SPDX-License-Identifier: BSD-3-Clause
/// Replaces libFuzzer's main function: runs a target on files, or on the files of folders, as a regression test in
/// every build.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "fuzz/finding.hpp"

namespace {

void run(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::cout << path.string() << ", " << bytes.size() << " bytes" << std::endl;  // flushed: the next line may crash
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::set<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = std::filesystem::absolute(argv[i]);  // a target may change the working directory
    if (std::filesystem::is_directory(path))
      files.insert(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
    else
      files.insert(path);
  }
  for (const std::filesystem::path& file : files) run(file);
  std::cout << files.size() << " inputs without a finding" << std::endl;
  return files.empty();
}
