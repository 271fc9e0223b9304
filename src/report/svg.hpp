// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Pictures as elements <svg> of a page (html.hpp has their colours). They are drawn for a width of 340 pixels, so that
/// a small screen shows their texts in full size.
namespace miniapp::report::svg {

/// A bar below a line of text. `size`: of the largest that there may be, 0 to 1; so are the ends of its spread.
struct Bar {
  std::string label, value;
  double size = 0, low = 0, high = 0;
  enum Kind { own, other, peer } kind = own;
};

/// `name`: what the picture shows, for those who do not see it.
std::string bars(const std::string& name, const std::vector<Bar>& bars);

using Points = std::vector<std::pair<double, double>>;

/// A line with a marker at each point, and one without, such as a model of it.
struct Line {
  std::string label;
  Points points, model = {};
};

/// A number as an axis shows it.
using Number = std::function<std::string(double)>;

/// An axis: what it shows, and how its numbers are written.
struct Axis {
  std::string label;
  bool logarithmic = false;
  Number number = {};
};

/// Lines over two axes, with a legend below. Points that a logarithmic axis cannot show are left out.
std::string lines(const std::string& name, const Axis& x, const Axis& y, const std::vector<Line>& lines);

/// A text that takes at most so many pixels: the end of a longer one is "..".
std::string fitting(const std::string& text, double pixels);

}  // namespace miniapp::report::svg
