// SPDX-License-Identifier: BSD-3-Clause
#include "report/what_if_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/suite.hpp"
#include "report/table.hpp"
#include "report/what_if.hpp"

namespace miniapp::report {
namespace {

/// "memory -> multiplications, in cache".
std::string limit_of(const Projected& p) {
  return p.bound_by + (p.bound_by == p.there_bound_by ? "" : " -> " + p.there_bound_by) +
         (!p.fits      ? ", too large"
          : p.in_cache ? ", in cache"
                       : "");
}

const std::vector<std::string> headings{"operation", "here", "there", "speed-up", "% bound", "bound by"};

std::vector<std::string> cells_of(const Projected& p) {
  return {p.name,
          seconds(p.here),
          seconds(p.there),
          fmt::format("{:.3g}", p.speed_up()),
          fmt::format("{:.0f}", 100 * p.fraction),
          limit_of(p)};
}

std::string text_of(const GeometryChoice::Way& way, const std::string& kernel, double time) {
  return fmt::format("{} {} ({})", way.geometry, seconds(time), kernel);
}

/// "bp3.5, p = 7, 64 elements: computed wins here, 10 us (lines), stored there, 20 us (rung5), before computed ..".
std::string sentence(const GeometryChoice& choice) {
  const GeometryChoice::Way &here = choice.winner_here(), &there = choice.ways.front();
  std::string others;
  for (std::size_t i = 1; i < choice.ways.size(); ++i)
    others += (i > 1 ? ", " : "") + text_of(choice.ways[i], choice.ways[i].there_kernel, choice.ways[i].there);
  return fmt::format("{}: {}, here {}; there {}, before {}; by the bound alone {}", choice.name,
                     here.geometry == there.geometry ? here.geometry + " wins on both"
                                                     : there.geometry + " wins again, not " + here.geometry,
                     text_of(here, here.here_kernel, here.here), text_of(there, there.there_kernel, there.there),
                     others, choice.winner_by_bound().geometry);
}

/// How many times as fast the last operation of a run is there.
double speed_up_of(const Json& run, const std::vector<Json>& all, const Device& device) {
  const std::vector<Json> own = records_of(run, all);
  const WhatIf projected = what_if(own, device);
  if (!projected.times.empty()) return projected.times.back().speed_up();
  for (const char* rate : {"/roofs/memory_gbytes", "/roofs/copy_gbytes"})
    for (const Json& record : own)
      if (const Json here = value_at(record, rate); here.is_number() && here > 0)
        return device.memory / (here.get<double>() * 1e9);
  return 0;
}

std::string merit_line(const Records& records, const Device& device) {
  std::string line = fom_line(projected_merit(records, device));
  line.erase(line.find_last_not_of('\n') + 1);
  return line;
}

std::vector<std::string> notes_of(const WhatIf& projection, const Device& device) {
  std::vector<std::string> notes = assumptions(device);
  notes.emplace_back(
      "a part of the figure of merit changes as the operation that bounds its run does; set-ups and cycles of "
      "multigrid, which have no bound, as the bandwidth of memory does");
  for (const LeftOut& one : projection.left_out)
    notes.push_back(fmt::format("left out: {} record{}, {}", one.count, one.count == 1 ? "" : "s", one.reason));
  return notes;
}

}  // namespace

Json projected_merit(const Records& records, const Device& device) {
  Json fom = figure_of_merit(records.runs);
  for (auto& [part, of_part] : fom.items()) {
    if (!of_part["figure"].is_number()) continue;
    for (const Json& run : records.runs)
      if (value_at(run, of_run::name) == of_part["run"]) {
        const double faster = speed_up_of(run, records.all, device);
        of_part["figure"] = faster > 0 ? Json(of_part["figure"].get<double>() * faster) : Json();
      }
  }
  return fom;
}

std::string what_if_text(const Records& records, const Device& device) {
  const WhatIf projection = what_if(records.all, device);
  std::string text = "On " + device.title + '\n';
  Table table(headings);
  for (const Projected& projected : projection.times) table.add(cells_of(projected));
  text += report::text(table);
  for (const GeometryChoice& choice : projection.geometries) text += fit(sentence(choice)) + '\n';
  for (const std::string& note : notes_of(projection, device)) text += fit("assumed: " + note) + '\n';
  if (!records.runs.empty()) text += "projected " + merit_line(records, device) + '\n';
  return text;
}

html::Section what_if_section(const Records& records, const Device& device) {
  const WhatIf projection = what_if(records.all, device);
  std::string body;
  if (!records.runs.empty())
    body += html::element("p", "Projected figure of merit: " + merit_line(records, device).substr(4));
  std::vector<std::vector<std::string>> rows;
  for (const Projected& projected : projection.times) {
    rows.push_back(cells_of(projected));
    std::transform(rows.back().begin(), rows.back().end(), rows.back().begin(), html::escape);
  }
  body += html::table(headings, rows);
  for (const GeometryChoice& choice : projection.geometries) body += html::element("p", sentence(choice));
  body += "<ul>";
  for (const std::string& note : notes_of(projection, device)) body += html::element("li", note);
  return {"what-if", "What if: " + device.title, body + "</ul>"};
}

}  // namespace miniapp::report
