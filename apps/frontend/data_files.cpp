// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/data_files.hpp"

#include <unistd.h>

#include <filesystem>

namespace miniapp::apps {

namespace fs = std::filesystem;

std::array<std::string, 2> data_places(const std::string& name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return {(program.parent_path() / MINIAPP_DATA_FROM_BIN / "miniapp" / name).lexically_normal().string(),
          (fs::path(MINIAPP_SOURCE_FOLDER) / name).string()};
}

std::string data_file(const std::string& name) {
  const std::array<std::string, 2> places = data_places(name);
  return access(places[0].c_str(), R_OK) == 0 ? places[0] : places[1];
}

}  // namespace miniapp::apps
