// SPDX-License-Identifier: BSD-3-Clause
#include "report/record.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>

#include "core/node.hpp"
#include "miniapp/core/communicator.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/core/session.hpp"
#include "report/machine.hpp"

namespace miniapp::report {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  char date[32] = "";
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return date;
}

std::string key_of(std::string name) {
  for (char& c : name) {
    const auto letter = static_cast<unsigned char>(c);
    c = std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
  }
  return name;
}

Json make_record(const std::string& module, const std::string& command) {
  const Platform p = platform();
  return {{"schema", 2},
          {"command", command},
          {"commit", p.commit},
          {"version", p.version},
          {"kokkos", {{"version", p.kokkos_version}, {"backends", p.backends}}},
          {"compiler", p.compiler},
          {"flags", p.flags},
          {"libraries", library_versions()},
          {"hostname", hostname()},
          {"device_state", Json::object()},
          {"device", p.device},
          {"threads", p.concurrency},
          {"cores", p.cores},
          {"register_bits", runs_on_host ? Json(8 * MINIAPP_REGISTER_BYTES) : Json()},
          {"affinity", affinity()},
          {"ranks", Communicator::world().size()},
          {"hosts", num_hosts(Communicator::world())},
          {"date", utc_now()},
          {"module", module},
          {"wrong", nullptr},
          {"case", Json::object()},
          {"verification", Json::object()},
          {"result", Json::object()},
          {"timing", Json::object()},
          {"rates", Json::object()},
          {"roofs", Json::object()}};
}

Json to_json(const measure::Sample& sample) {
  Json json = {{"min", sample.min},
               {"median", sample.median},
               {"max", sample.max},
               {"repetitions", sample.repetitions},
               {"all", sample.all}};
  if (sample.joules > 0) json["joules"] = sample.joules;
  return json;
}

Json to_json(const measure::Phases& phases) {
  Json json = Json::object();
  for (const auto& [phase, seconds] : phases.seconds()) json[key_of(phase)] = seconds;
  return json;
}

bool begins_with_a_record(const std::string& start) {
  const std::size_t begin = std::min(start.find_first_not_of("\r\n"), start.size());
  const std::size_t end = std::min(start.find('\n', begin), start.size());
  if (begin == start.size()) return true;
  return start[begin] == '{' && Json::accept(start.begin() + static_cast<std::ptrdiff_t>(begin),
                                             start.begin() + static_cast<std::ptrdiff_t>(end));
}

RecordFile::RecordFile(const std::string& path) {
  if (path.empty()) return;
  file_.emplace(NamedFile{"json", path}, FileKind{"a file of records, one JSON object per line", begins_with_a_record});
}

void RecordFile::append(const Json& record) const {
  if (file_) file_->append(record.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

}  // namespace miniapp::report
