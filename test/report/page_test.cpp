// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/suite.hpp"
#include "report/svg.hpp"
#include "support/catch.hpp"

using namespace miniapp::report;

namespace {

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) ++found;
  return found;
}

/// A run that is right, without what a record has of provenance.
Json run(const std::string& name, const std::string& part, double figure) {
  return {{"module", "report"},
          {"wrong", nullptr},
          {"case", {{"name", name}, {"part", part}, {"command", "miniapp " + name}}},
          {"result", {{"figure", figure}, {"unit", "GB/s"}, {"outcome", right}}}};
}

}  // namespace

TEST_CASE("Texts of a page are escaped, in elements and in attributes") {
  CHECK(html::escape("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
  CHECK(html::element("p class=\"soft\"", "<i>") == "<p class=\"soft\">&lt;i&gt;</p>");
  CHECK(svg::bars("<b>", {{"<label>", "<value>", 1}}).find("<label>") == std::string::npos);
  CHECK(html::page("<t>", "", {{"id", "<s>", "<p>body</p>"}}).find("&lt;s&gt;</h2>\n<p>body</p>") != std::string::npos);
}

TEST_CASE("A text is cut where it does not fit, and not within a letter") {
  CHECK(svg::fitting("short", 100) == "short");
  const std::string cut = svg::fitting("a text that is a good deal longer than sixty pixels", 62);
  CHECK(cut == "a text ..");
  CHECK(svg::fitting("aaaaaa\u00e4\u00e4\u00e4\u00e4", 59) == "aaaaaa..");
}

TEST_CASE("A bar is as long as its part of the picture, and has the ends of its spread") {
  const std::string picture = svg::bars("p", {{"one", "1", 0.5, 0.25, 0.75}, {"two", "2", 7}});
  CHECK(picture.find("width=\"168.0\" height=\"9.0\" class=\"bar\"") != std::string::npos);
  CHECK(picture.find("x1=\"86.0\" y1=\"22.5\" x2=\"254.0\"") != std::string::npos);
  CHECK(count(picture, "width=\"336.0\"") == 3);  // both grounds, and a bar that is longer than all
}

TEST_CASE("Lines leave out what a logarithmic axis cannot show, and lines without points") {
  const svg::Axis x{"x", true, {}}, y{"y", true, {}};
  const std::string picture = svg::lines("p", x, y, {{"a", {{1, 1}, {0, 5}, {10, 100}, {100, -1}}}, {"b", {{1, 10}}}});
  CHECK(count(picture, "<circle") == 2 + 1);  // and that of the legend
  CHECK(count(picture, "<rect") == 1 + 1);
  CHECK(picture.find("52.0,176.0") != std::string::npos);  // the least values, at the axes
  CHECK(svg::lines("p", x, y, {{"a", {{0, 1}}}}).empty());
  CHECK(svg::lines("p", x, y, {}).empty());
}

TEST_CASE("The last of several records of a run counts") {
  const auto runs = runs_among({run("a", "", 1), run("b", "", 2), {{"module", "tensor"}}, run("a", "", 3)});
  REQUIRE(runs.size() == 2);
  CHECK(number_at(runs[0], of_run::figure) == 3);
}

TEST_CASE("The figure of merit is of runs that are right") {
  std::vector<Json> runs{run("a", "solve", 4.25), run("b", "streaming", 17)};
  CHECK(fom_line(figure_of_merit(runs)) ==
        "FOM 4.25 MDOF/s solve; operator - GDOF/s; streaming 17 GB/s; indirect - GB/s; element-matrices - Mmatrices/s; "
        "weak-form - Gcells/s; AMG - Mnnz/s\n");
  runs[0]["result"]["outcome"] = wrong;
  CHECK(fom_line(figure_of_merit(runs)).starts_with("FOM - MDOF/s solve; "));
}

TEST_CASE("A report without runs has a page") {
  CHECK(sections({}).empty());
  CHECK(page({}, {}).find("No run has ended yet") != std::string::npos);
}
