// SPDX-License-Identifier: BSD-3-Clause
#include "report/html.hpp"

namespace miniapp::report::html {
namespace {

/// Colours of series, which differ by markers, dashes and outlines too; light screens first.
const char* const style = R"(
:root { color-scheme: light dark; --page: #fdfdfb; --ink: #1b1f24; --soft: #59616b; --line: #d4d8dd; --fill: #eef0f3;
  --a: #1f5fa8; --b: #b3470b; --c: #2c7a3f; --d: #7a3fa0; --e: #8a6a00; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --ink: #e7eaee; --soft: #a3acb7; --line: #3a424c;
  --fill: #22282f; --a: #7db5f5; --b: #f2a069; --c: #7fcf94; --d: #cfa3ee; --e: #e3c65a; --bad: #ff8b98; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; } nav a { margin-right: .9rem; } a { color: var(--a); }
code { font: .85em/1.4 ui-monospace, monospace; }
.soft { color: var(--soft); } .wrong { color: var(--bad); font-weight: 700; }
.fom { font-size: 2rem; font-weight: 700; margin: .2rem 0; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
th, td { padding: .22rem .7rem .22rem 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, .text th, .text td { text-align: left; } td, th { white-space: nowrap; }
.text td { white-space: normal; min-width: 6rem; } .text td + td { min-width: 9rem; overflow-wrap: anywhere; }
dt { font-weight: 700; } dd { margin: 0 0 .6rem; font-size: .9rem; } dd p { margin: 0; } dl { margin: .6rem 0; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .6rem 1.6rem; align-items: start; }
figure { margin: .4rem 0; } figcaption { font-size: .9rem; font-weight: 600; }
svg { width: 100%; max-width: 30rem; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg .soft { fill: var(--soft); }
.axis { stroke: var(--soft); } .tick { stroke: var(--line); } .back { fill: var(--fill); }
.bar { fill: var(--a); stroke: var(--a); } .other { fill: var(--fill); stroke: var(--soft); }
.peer { fill: none; stroke: var(--soft); stroke-dasharray: 3 2; } .whisker { stroke: var(--ink); stroke-width: 1.5; }
.s0 { stroke: var(--a); } .s1 { stroke: var(--b); } .s2 { stroke: var(--c); } .s3 { stroke: var(--d); } .s4 { stroke: var(--e); }
.series { fill: none; stroke-width: 1.8; } .model { stroke-width: 1; stroke-dasharray: 2 3; } .mark { fill: var(--page); stroke-width: 1.5; }
.series.more { stroke-dasharray: 7 3; } .mark.more { fill: var(--soft); }
@media print { nav { display: none; } }
)";

}  // namespace

const std::string beginning = "<!DOCTYPE html>\n<html lang=\"en\" data-by=\"miniapp report\">\n";

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string element(const std::string& name, const std::string& text) {
  return "<" + name + ">" + escape(text) + "</" + name.substr(0, name.find(' ')) + ">";
}

std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const std::string& cell : header) out += "<th scope=\"col\">" + escape(cell) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + cell + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string page(const std::string& title, const std::string& lead, const std::vector<Section>& sections) {
  std::string out = beginning +
                    "<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
                    element("title", title) + "\n<style>" + style + "</style>\n</head>\n<body>\n<header>" +
                    element("h1", title) + "\n" + lead + "</header>\n<nav>";
  for (const Section& section : sections) out += "<a href=\"#" + section.id + "\">" + escape(section.title) + "</a>\n";
  out += "</nav>\n<main>\n";
  for (const Section& section : sections)
    out += "<section id=\"" + section.id + "\">" + element("h2", section.title) + "\n" + section.body + "</section>\n";
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace miniapp::report::html
