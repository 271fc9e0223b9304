// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

namespace miniapp::apps {
namespace {

/// Least number of letters put in, left out, replaced or swapped with their neighbour that turns a into b.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string quote(const std::string& argument) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_=./,:+@", c); };
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_line_of(const std::vector<std::string>& words) {
  std::string line = "miniapp";
  for (const std::string& word : words) line += " " + quote(word);
  return line;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

std::optional<double> amount(const std::string& text) {
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::logic_error&) {
    return {};
  }
  // what std::stod reads beyond decimal numbers: blanks before them, hexadecimal ones, names of what is none
  if (text.substr(0, read).find_first_not_of("+-.0123456789eE") != std::string::npos) return {};
  std::string unit = text.substr(read);
  if (unit == "K") unit = "k";
  const std::string units = "kMGT";
  if (unit.empty()) return value;
  const std::size_t power = units.find(unit);
  if (unit.size() > 1 || power == std::string::npos) return {};
  return value * std::pow(1000.0, 1.0 + static_cast<double>(power));
}

std::optional<int> whole_number(const std::string& text) {
  const std::optional<double> value = amount(text);
  if (!value || std::fabs(*value) > std::numeric_limits<int>::max()) return {};
  const double rounded = std::round(*value);
  if (std::fabs(*value - rounded) > 1e-6) return {};
  return static_cast<int>(rounded);
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string found;
  std::size_t least = std::min<std::size_t>(2, word.size() / 3) + 1;
  if (word.size() > 40) return found;
  for (const std::string& other : known) {
    const std::size_t apart = distance(word, other);
    if (apart >= least) continue;
    least = apart;
    found = other;
  }
  return found;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string found = nearest(word, known);
  return found.empty() ? "" : fmt::format(" (did you mean {}?)", found);
}

}  // namespace miniapp::apps
