// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/report/record.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::report {

Json make_record(const std::string& module, const std::string& command) {
  const Platform p = platform();
  const std::time_t now = std::time(nullptr);
  char date[32] = "";
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return {{"schema", 1},
          {"command", command},
          {"commit", p.commit},
          {"version", p.version},
          {"kokkos", {{"version", p.kokkos_version}, {"backends", p.backends}}},
          {"compiler", p.compiler},
          {"flags", p.flags},
          {"device", p.device},
          {"threads", p.concurrency},
          {"cores", p.cores},
          {"ranks", 1},
          {"date", date},
          {"module", module},
          {"case", Json::object()},
          {"verification", Json::object()},
          {"result", Json::object()},
          {"timing", Json::object()},
          {"rates", Json::object()},
          {"roofs", Json::object()}};
}

Json to_json(const measure::Sample& sample) {
  return {{"min", sample.min}, {"median", sample.median}, {"max", sample.max}, {"repetitions", sample.repetitions}};
}

Json to_json(const measure::Phases& phases) {
  Json json = Json::object();
  for (const auto& [phase, seconds] : phases.seconds()) json[phase] = seconds;
  return json;
}

RecordFile::RecordFile(const std::string& path) : path_(path) {
  if (path_.empty()) return;
  const bool existed = std::filesystem::exists(path_);
  const bool writable = std::ofstream(path_, std::ios::app).good();
  require(writable,
          "--json: cannot write '" + path_ + "': " + std::strerror(errno) + "; accepted is the path of a file");
  if (!existed) std::filesystem::remove(path_);  // nothing is left behind before there is a record
}

void RecordFile::append(const Json& record) const {
  if (path_.empty()) return;
  std::ofstream file(path_, std::ios::app);
  file << record.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!file.good()) throw ResultError("--json: writing to '" + path_ + "' failed: " + std::strerror(errno));
}

}  // namespace miniapp::report
