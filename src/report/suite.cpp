// SPDX-License-Identifier: BSD-3-Clause
#include "report/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "miniapp/report/known_machines_text.hpp"

namespace miniapp::report {

std::string text_at(const Json& record, const Field& field) {
  const Json value = value_at(record, field);
  return value.is_string() ? value.get<std::string>() : "";
}

double number_at(const Json& record, const Field& field) {
  const Json value = value_at(record, field);
  return value.is_number() ? value.get<double>() : 0;
}

std::string figure_text(const Json& run) {
  if (!value_at(run, of_run::figure).is_number()) return "-";
  return fmt::format("{:.4g} {}", number_at(run, of_run::figure), text_at(run, of_run::unit));
}

std::vector<Json> runs_among(const std::vector<Json>& records) {
  std::vector<Json> runs;
  for (const Json& record : records) {
    if (record.value("module", "") != "report" || value_at(record, of_run::outcome).is_null()) continue;
    const auto same = std::find_if(runs.begin(), runs.end(), [&](const Json& run) {
      return text_at(run, of_run::name) == text_at(record, of_run::name);
    });
    if (same == runs.end())
      runs.push_back(record);
    else
      *same = record;
  }
  return runs;
}

std::vector<Json> records_of(const Json& run, const std::vector<Json>& all) {
  const std::string command = text_at(run, of_run::command) + " ";
  std::vector<Json> found;
  for (const Json& record : all)
    if (record.value("module", "") != "report" && record.value("command", "").rfind(command, 0) == 0)
      found.push_back(record);
  return found;
}

Json figure_of_merit(const std::vector<Json>& runs) {
  Json fom = Json::object();
  for (const auto& [part, unit] : parts) {
    fom[key_of(part)] = {{"figure", nullptr}, {"unit", unit}, {"run", nullptr}};
    for (const Json& run : runs)
      if (text_at(run, of_run::part) == part && text_at(run, of_run::outcome) == right)
        fom[key_of(part)].update({{"figure", value_at(run, of_run::figure)}, {"run", value_at(run, of_run::name)}});
  }
  return fom;
}

std::string fom_line(const Json& fom) {
  std::string line;
  for (const auto& [part, unit] : parts) {
    const Json figure = fom.at(key_of(part)).at("figure");
    const std::string number = figure.is_number() ? fmt::format("{:.4g}", figure.get<double>()) : "-";
    line +=
        line.empty() ? fmt::format("FOM {} {} {}", number, unit, part) : fmt::format("; {} {} {}", part, number, unit);
  }
  return line + '\n';
}

Json figures_of(const std::vector<Json>& runs) {
  Json file = {{"machine", ""}};
  for (const Json& run : runs) {
    if (!value_at(run, of_run::figure).is_number() || text_at(run, of_run::outcome) != right) continue;
    for (const char* key :
         {"device", "threads", "ranks", "register_bits", "date", "commit", "version", "compiler", "command"})
      file[key] = run.at(key);
    file["machine"] = run.at("device");
    file[of_run::size.key()] = value_at(run, of_run::size);
    Json& figure = file["figures"][text_at(run, of_run::name)];
    for (const Field& field : {of_run::figure, of_run::unit, of_run::low, of_run::high, of_run::fraction_of_bound,
                               of_run::bound_by, of_run::command})
      if (const Json value = value_at(run, field); !value.is_null()) figure[field.key()] = value;
  }
  return file;
}

const std::vector<Json>& known_machines() {
  static const std::vector<Json> machines = [] {
    std::vector<Json> all;
    for (const char* text : known_machines_text) all.push_back(Json::parse(text));
    return all;
  }();
  return machines;
}

const Json& peers() {
  static const Json figures = Json::parse(peers_text);
  return figures;
}

}  // namespace miniapp::report
