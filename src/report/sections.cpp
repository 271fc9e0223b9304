// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/suite.hpp"
#include "report/svg.hpp"
#include "report/table.hpp"

namespace miniapp::report {
namespace {

using html::element, html::escape;

std::string code(const std::string& text) { return element("code", text); }
std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }
bool has_figure(const Json& run) { return value_at(run, of_run::figure).is_number(); }
bool has_bound(const Json& run) { return value_at(run, of_run::fraction_of_bound).is_number(); }
bool has_spread(const Json& run) { return number_at(run, of_run::low) > 0; }

/// A name as part of an id.
std::string id_of(std::string name) {
  name = key_of(std::move(name));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string verdict(const Json& run) {
  const std::string outcome = text_at(run, of_run::outcome);
  const std::string why =
      run.at("wrong").is_string() ? run.at("wrong").get<std::string>() : text_at(run, of_run::reason);
  const std::string shown = outcome == wrong ? element("strong class=\"wrong\"", outcome) : escape(outcome);
  return shown + (why.empty() ? "" : ": " + escape(why));
}

html::Section machine(const Records& records) {
  const Json& run = records.runs.front();
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& what, const std::string& is) { rows.push_back({escape(what), escape(is)}); };
  const auto said = [](const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
  const bool is_host = run["register_bits"].is_number();
  add("device",
      said(run["device"]) + (is_host ? fmt::format(", {} thread{} of {} core{}, {}-bit registers", said(run["threads"]),
                                                   run["threads"] == 1 ? "" : "s", said(run["cores"]),
                                                   run["cores"] == 1 ? "" : "s", said(run["register_bits"]))
                                     : ""));
  add("ranks", said(run["ranks"]));
  add("program", fmt::format("miniapp {}, commit {}", said(run["version"]), said(run["commit"])));
  add("compiler", said(run["compiler"]) + ", " + said(run["flags"]));
  add("Kokkos", fmt::format("{}, {}", said(run["kokkos"]["version"]), said(run["kokkos"]["backends"].front())));
  for (const auto& [key, value] : run["device_state"].items())
    if (!value.is_null()) add(key, said(value));
  add("dates", fmt::format("{} to {}", said(run["date"]), said(records.runs.back()["date"])));
  for (const Json& record : records.all) {
    if (record.value("module", "") != "info") continue;
    for (const Json& copy : value_at(record, "/roofs/copy_gbytes"))
      add("copying " + bytes(copy["bytes"]), fmt::format("{:.4g} GB/s", copy["gbytes"].get<double>()));
    add("multiply-adds",
        fmt::format("{:.4g} GFLOP/s, in single precision {:.4g}", record["roofs"]["fma_gflops"].get<double>(),
                    record["roofs"]["fma_single_gflops"].get<double>()));
  }
  double waited = 0;
  for (const Json& record : records.all)
    if (record.contains("waited_fraction") && record["waited_fraction"].is_number())
      waited = std::max<double>(waited, record["waited_fraction"]);
  if (waited > 0.05)
    add("busy", "threads waited up to " + percent(waited) + " of their time for a processor: such times say little");
  return {"machine", "Machine", "<div class=\"text\">" + html::table({"what", "is"}, rows) + "</div>"};
}

html::Section merit(const Records& records) {
  const Json fom = figure_of_merit(records.runs);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [part, unit] : parts) {
    const Json& of = fom.at(key_of(part));
    const bool known = of["figure"].is_number();
    std::string spread = "-", says = "no run that is right";
    for (const Json& run : records.runs)
      if (known && value_at(run, of_run::name) == of["run"]) {
        says = text_at(run, of_run::formula);
        if (has_spread(run))
          spread = fmt::format("{:.4g} .. {:.4g}", number_at(run, of_run::low), number_at(run, of_run::high));
      }
    rows.push_back({escape(part), known ? fmt::format("<strong>{:.4g}</strong>", of["figure"].get<double>()) : "-",
                    escape(unit), escape(spread), escape(known ? of["run"].get<std::string>() : "-"), code(says)});
  }
  std::string body =
      element("p class=\"fom\"", fom_line(fom).substr(4, fom_line(fom).find(';') - 4)) +
      element("p class=\"soft\"",
              "The headline is unknowns of the main job per second of its solve; larger is "
              "better in every line. Spread: of the shortest and of the longest time that was measured.");
  return {"merit", "Figure of merit",
          body + html::table({"part", "figure", "unit", "spread", "run", "of the record"}, rows)};
}

html::Section verdicts(const Records& records) {
  std::string list;
  int bad = 0, out = 0;
  for (const Json& run : records.runs) {
    bad += text_at(run, of_run::outcome) == wrong;
    out += text_at(run, of_run::outcome) == left_out;
    const double took = number_at(run, of_run::run_s);
    list += "<div>" + element("dt", text_at(run, of_run::name)) + "<dd>" + verdict(run) +
            (took > 0 ? ", " + escape(seconds(took)) : "") +
            element("p class=\"soft\"", text_at(run, of_run::question)) + code(text_at(run, of_run::command)) +
            "</dd></div>\n";
  }
  const std::string lead = fmt::format(
      "{} run{}: {} right, {} wrong, {} left out. Each is repeated by its command line.", records.runs.size(),
      records.runs.size() == 1 ? "" : "s", int(records.runs.size()) - bad - out, bad, out);
  return {"verdicts", "Verdicts", element("p", lead) + "<dl class=\"grid\">\n" + list + "</dl>"};
}

html::Section bounds(const Records& records) {
  std::vector<svg::Bar> bars;
  for (const Json& run : records.runs)
    if (has_bound(run)) {
      const double part = number_at(run, of_run::fraction_of_bound);
      bars.push_back(
          {text_at(run, of_run::name), fmt::format("{} of {}", percent(part), text_at(run, of_run::bound_by)), part});
    }
  std::string body =
      element("p",
              "What each kernel reaches of the rate that this machine allows it: by its memory, where moving the least "
              "bytes takes longest, or by its multiplications. A full bar is the bound.");
  const std::size_t half = (bars.size() + 1) / 2;
  body += "<div class=\"grid\">";
  for (std::size_t first = 0; first < bars.size(); first += half) {
    const std::vector<svg::Bar> some(bars.begin() + std::ptrdiff_t(first),
                                     bars.begin() + std::ptrdiff_t(std::min(first + half, bars.size())));
    body += "<figure>" + svg::bars("parts of their bounds that runs reach", some) + "</figure>";
  }
  return {"bounds", "Bounds", body + "</div>"};
}

/// Times of streaming operations over bytes, with the model.
std::string streaming_picture(const std::vector<Json>& runs, const std::vector<Json>& all) {
  std::vector<svg::Line> lines;
  for (const Json& run : runs)
    for (const Json& record : records_of(run, all)) {
      const Json curve = value_at(record, "/result/curve");
      if (record["module"] != "streaming" || !curve.is_array() || curve.size() < 2) continue;
      svg::Line line{text_at(run, of_run::name), {}, {}};
      const double t0 = number_at(record, {"/result/t0_s"}), wmax = 1e9 * number_at(record, {"/result/wmax_gbytes"});
      for (const Json& point : curve) {
        line.points.emplace_back(point[0], point[1].get<double>());
        if (wmax > 0) line.model.emplace_back(point[0], t0 + point[0].get<double>() / wmax);
      }
      lines.push_back(line);
    }
  const auto size = [](double value) { return bytes(value); };
  const auto time = [](double value) { return seconds(value); };
  const std::string picture = svg::lines("times of streaming operations over the bytes that they move",
                                         {"bytes moved", true, size}, {"time", true, time}, lines);
  return picture.empty()
             ? ""
             : "<figure><figcaption>Time over bytes; dotted: T0 + B / Wmax</figcaption>" + picture + "</figure>";
}

/// Rates of operators over the order. Runs of other orders have the same name but for "-p7".
std::string operator_picture(const std::vector<Json>& runs, const std::vector<Json>& all) {
  std::map<std::string, std::map<double, double>> rates;
  for (const Json& run : runs)
    for (const Json& record : records_of(run, all)) {
      if (!has_figure(run) || record["module"] != "tensor") continue;
      const std::string order = record["case"]["order"].dump();
      std::string label = text_at(run, of_run::name);
      if (const std::size_t at = label.find("-p" + order); at != label.npos)
        rates[label.erase(at, order.size() + 2)][record["case"]["order"]] = number_at(run, of_run::figure);
    }
  std::vector<svg::Line> lines;
  for (const auto& [label, points] : rates) lines.push_back({label, {points.begin(), points.end()}});
  const auto whole = [](double value) { return value == std::floor(value) ? fmt::format("{:g}", value) : ""; };
  const std::string picture =
      svg::lines("rates of operators over the order", {"order", false, whole}, {"operator, GDOF/s", false, {}}, lines);
  return picture.empty()
             ? ""
             : "<figure><figcaption>Operators over the order, a line per problem and geometry</figcaption>" + picture +
                   "</figure>";
}

/// The run beside known machines and other programs; nothing where there are none.
std::string beside(const Json& run) {
  const std::string name = text_at(run, of_run::name), unit = text_at(run, of_run::unit);
  std::vector<svg::Bar> bars{{"this machine", figure_text(run), number_at(run, of_run::figure),
                              number_at(run, of_run::low), number_at(run, of_run::high), svg::Bar::own}};
  const auto add = [&](const std::string& who, const Json& other, svg::Bar::Kind kind) {
    bars.push_back({who, fmt::format("{:.4g} {}", other["figure"].get<double>(), unit), other["figure"],
                    other.value("low", 0.), other.value("high", 0.), kind});
  };
  for (const Json& machine : known_machines())
    if (const Json figure = machine["figures"].value(name, Json()); figure.is_object() && figure["unit"] == unit)
      add(machine["machine"], figure, svg::Bar::other);
  for (const Json& peer : peers())
    if (peer["run"] == name && peer["unit"] == unit)
      add(peer["who"].get<std::string>() + ", " + peer["device"].get<std::string>(), peer, svg::Bar::peer);
  if (bars.size() == 1) return "";
  double most = 0;
  for (const svg::Bar& bar : bars) most = std::max({most, bar.size, bar.high});
  for (svg::Bar& bar : bars) bar.size /= most, bar.low /= most, bar.high /= most;
  return "<figure>" + element("figcaption", name) + svg::bars(name + " beside other machines and programs", bars) +
         "</figure>\n";
}

html::Section group(const std::string& title, const std::vector<Json>& runs, const std::vector<Json>& all) {
  std::vector<std::vector<std::string>> rows;
  std::string pictures = streaming_picture(runs, all) + operator_picture(runs, all);
  for (const Json& run : runs) {
    rows.push_back(
        {escape(text_at(run, of_run::name)), escape(figure_text(run)),
         has_spread(run) ? fmt::format("{:.4g} .. {:.4g}", number_at(run, of_run::low), number_at(run, of_run::high))
                         : "-",
         has_bound(run)
             ? escape(percent(number_at(run, of_run::fraction_of_bound)) + " of " + text_at(run, of_run::bound_by))
             : "-",
         escape(text_at(run, of_run::outcome))});
    if (has_figure(run) && text_at(run, of_run::outcome) == right) pictures += beside(run);
  }
  return {id_of(title), title,
          html::table({"run", "figure", "spread", "of its bound", "verdict"}, rows) + "<div class=\"grid\">" +
              pictures + "</div>\n"};
}

html::Section sources(const Records& records) {
  std::vector<std::vector<std::string>> machines_rows, peer_rows;
  for (const Json& machine : known_machines())
    machines_rows.push_back({html::escape(machine["machine"].get<std::string>()),
                             html::escape(machine["date"].get<std::string>()),
                             html::escape(machine["commit"].get<std::string>()), code(machine["command"])});
  for (const Json& peer : peers())
    for (const Json& run : records.runs)
      if (peer["run"] == value_at(run, of_run::name))
        peer_rows.push_back(
            {html::escape(peer["run"].get<std::string>()), html::escape(peer["who"].get<std::string>()),
             fmt::format("{:.4g} {}", peer["figure"].get<double>(), html::escape(peer["unit"].get<std::string>())),
             html::escape(peer["device"].get<std::string>()), html::escape(peer["date"].get<std::string>()),
             html::escape(peer["source"].get<std::string>())});
  std::string body = element("p",
                             "A figure of this machine has a full bar, with the spread of its times. Known machines, "
                             "measured by miniapp, have a grey bar; "
                             "other programs, published or measured by others or with them, a dashed outline. Their "
                             "cases are alike, not equal: sizes and "
                             "geometry may differ, as their sources say.");
  if (!machines_rows.empty())
    body += element("h3", "Known machines") + "<div class=\"text\">" +
            html::table({"machine", "date", "commit", "command"}, machines_rows) + "</div>";
  if (!peer_rows.empty())
    body += element("h3", "Other programs") + "<div class=\"text\">" +
            html::table({"run", "who", "figure", "device", "date", "source"}, peer_rows) + "</div>";
  return {"sources", "Sources of other figures", body};
}

}  // namespace

std::vector<html::Section> sections(const Records& records) {
  if (records.runs.empty()) return {};
  std::vector<html::Section> all{machine(records), merit(records), verdicts(records), bounds(records)};
  std::vector<std::string> titles;
  std::map<std::string, std::vector<Json>> groups;
  for (const Json& run : records.runs) {
    const std::string title = text_at(run, of_run::group);
    if (groups[title].empty()) titles.push_back(title);
    groups[title].push_back(run);
  }
  for (const std::string& title : titles) all.push_back(group(title, groups[title], records.all));
  all.push_back(sources(records));
  return all;
}

std::string page(const Records& records, const std::vector<html::Section>& sections) {
  if (records.runs.empty()) return html::page("miniapp report", element("p", "No run has ended yet."), {});
  const Json& run = records.runs.front();
  const std::string lead = element(
      "p", fmt::format("What {} is worth for finite elements: {} runs of size {}, each verified before it was timed.",
                       run["device"].get<std::string>(), records.runs.size(), text_at(run, of_run::size)));
  return html::page("miniapp report", lead + "\n<p>Made by " + code(run["command"]) + "</p>\n", sections);
}

}  // namespace miniapp::report
