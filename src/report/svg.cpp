// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/html.hpp"

namespace miniapp::report::svg {
namespace {

constexpr double width = 340, letter = 6.7;  // [pixels]: of a picture; of a letter, at most on average
constexpr int shapes = 5;                    // of markers; the next five lines have them filled, and are dashed

std::string open(const std::string& name, double height) {
  const std::string text = html::escape(name);
  return fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\">\n", width, height, text);
}

std::string text(double x, double y, const std::string& words, const std::string& anchor = "start",
                 const std::string& look = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor,
                     look.empty() ? "" : " class=\"" + look + "\"", html::escape(words));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& look) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                     look);
}

std::string rectangle(double x, double y, double w, double h, const std::string& look) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"/>\n", x, y, w, h,
                     look);
}

/// Colour and dashes of a line.
std::string look_of(std::size_t line) {
  return fmt::format("s{}{}", line % shapes, line / shapes % 2 == 1 ? " more" : "");
}

/// The marker of a line: circle, square, triangle, diamond, triangle the other way round.
std::string marker(double x, double y, std::size_t of_line) {
  const std::string kind = "mark " + look_of(of_line);
  const std::size_t look = of_line % shapes;
  if (look == 0) return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" class=\"{}\"/>\n", x, y, kind);
  if (look == 1) return rectangle(x - 2.7, y - 2.7, 5.4, 5.4, kind);
  static const char* const corners[] = {"0,-3.8 3.6,2.8 -3.6,2.8", "0,-4 4,0 0,4 -4,0", "0,3.8 3.6,-2.8 -3.6,-2.8"};
  return fmt::format("<polygon points=\"{}\" transform=\"translate({:.1f} {:.1f})\" class=\"{}\"/>\n",
                     corners[look - 2], x, y, kind);
}

std::string path(const Points& points, const std::string& look) {
  std::string out = "<polyline points=\"";
  for (const auto& [x, y] : points) out += fmt::format("{:.1f},{:.1f} ", x, y);
  return out + "\" class=\"" + look + "\"/>\n";
}

/// The range of an axis, and places of its ticks.
struct Scale {
  Scale(const Axis& axis_, double from_, double to_, double first, double last)
      : axis(axis_), from(from_), to(to_), begin(first), end(last) {
    if (axis.logarithmic) {
      const int low = static_cast<int>(std::floor(std::log10(from) + 1e-9)),
                high = static_cast<int>(std::ceil(std::log10(to) - 1e-9));
      from = std::pow(10., low);
      to = std::pow(10., std::max(high, low + 1));
      const int step = std::max(1, (high - low + 4) / 5);
      for (int power = low; power <= high; power += step) ticks.push_back(std::pow(10., power));
      return;
    }
    const double raw = std::max(to - from, 1e-300) / 5, unit = std::pow(10., std::floor(std::log10(raw)));
    const double step = unit * (raw <= unit ? 1 : raw <= 2 * unit ? 2 : raw <= 5 * unit ? 5 : 10);
    for (double tick = std::ceil(from / step - 1e-9) * step; tick <= to + 1e-9 * step; tick += step)
      ticks.push_back(std::fabs(tick) < 1e-9 * step ? 0 : tick);
  }
  double place(double value) const {
    const double part = axis.logarithmic ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    return begin + part * (end - begin);
  }
  bool shows(double value) const { return std::isfinite(value) && (!axis.logarithmic || value > 0); }
  std::string words(double value) const { return axis.number ? axis.number(value) : fmt::format("{:g}", value); }

  const Axis& axis;
  double from, to, begin, end;
  std::vector<double> ticks;
};

}  // namespace

std::string fitting(const std::string& words, double pixels) {
  const auto most = static_cast<std::size_t>(std::max(pixels / letter, 3.));
  if (words.size() <= most) return words;
  std::size_t end = most - 2;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0) == 0x80)
    --end;  // not within a letter of several bytes
  return words.substr(0, end) + "..";
}

std::string bars(const std::string& name, const std::vector<Bar>& all) {
  constexpr double row = 32, high = 9, edge = 2;
  std::string out = open(name, row * double(all.size()) + 4);
  double y = 0;
  for (const Bar& bar : all) {
    const double room = width - 2 * edge, of_value = letter * double(bar.value.size());
    const auto long_as = [&](double part) { return std::clamp(part, 0., 1.) * room; };
    out += text(edge, y + 13, fitting(bar.label, room - of_value - 12)) + text(width - edge, y + 13, bar.value, "end");
    out += rectangle(edge, y + 18, room, high, "back");
    static const char* const looks_of[] = {"bar", "other", "peer"};
    out += rectangle(edge, y + 18, long_as(bar.size), high, looks_of[bar.kind]);
    if (bar.high > bar.low) {
      const double middle = y + 18 + high / 2, from = edge + long_as(bar.low), to = edge + long_as(bar.high);
      out += line(from, middle, to, middle, "whisker") + line(from, middle - 3, from, middle + 3, "whisker") +
             line(to, middle - 3, to, middle + 3, "whisker");
    }
    y += row;
  }
  return out + "</svg>\n";
}

std::string lines(const std::string& name, const Axis& x, const Axis& y, const std::vector<Line>& all) {
  constexpr double left = 52, right = 20, top = 22, height = 210, bottom = height - 34, legend = 17;
  double x0 = std::numeric_limits<double>::infinity(), x1 = -x0, y0 = x0, y1 = -x0;
  for (const Line& one : all)
    for (const auto& [px, py] : one.points) {
      if ((x.logarithmic && px <= 0) || (y.logarithmic && py <= 0)) continue;
      x0 = std::min(x0, px), x1 = std::max(x1, px), y0 = std::min(y0, py), y1 = std::max(y1, py);
    }
  if (!(x1 >= x0)) return "";
  if (!x.logarithmic && x1 == x0) x0 -= 1, x1 += 1;
  const Scale along(x, x0, x1, left, width - right),
      up(y, y.logarithmic ? y0 : 0, y.logarithmic ? y1 : 1.08 * y1, bottom, top);
  std::string out = open(name, height + legend * double(all.size()));
  for (const double tick : up.ticks)
    out += line(left, up.place(tick), width - right, up.place(tick), "tick") +
           text(left - 5, up.place(tick) + 4, up.words(tick), "end", "soft");
  for (const double tick : along.ticks)
    out += line(along.place(tick), bottom, along.place(tick), bottom + 4, "axis") +
           text(along.place(tick), bottom + 17, along.words(tick), "middle", "soft");
  out += line(left, bottom, width - right, bottom, "axis") + line(left, top, left, bottom, "axis");
  out += text(4, 13, y.label, "start", "soft") + text(width - right, bottom + 31, x.label, "end", "soft");
  double row = height + 8;
  for (std::size_t i = 0; i < all.size(); ++i, row += legend) {
    const std::string look = look_of(i);
    const auto places = [&](const Points& points) {
      Points shown;
      for (const auto& [px, py] : points)
        if (along.shows(px) && up.shows(py) && py <= up.to && py >= up.from)
          shown.emplace_back(along.place(px), up.place(py));
      return shown;
    };
    out += path(places(all[i].model), "series model " + look);
    const Points shown = places(all[i].points);
    out += path(shown, "series " + look);
    for (const auto& [px, py] : shown) out += marker(px, py, i);
    out += line(left, row, left + 22, row, "series " + look) + marker(left + 11, row, i) +
           text(left + 29, row + 4, fitting(all[i].label, width - left - 40));
  }
  return out + "</svg>\n";
}

}  // namespace miniapp::report::svg
