// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/frontend/words.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/graph/reorder.hpp"

/// Checks of options that all commands make. Errors: InputError naming the option, its value and what is accepted.
namespace miniapp::apps {

/// The first option that words of a command line name: "--cells" of "--cells 8x8x8, poisson". Empty where none does.
inline std::string option_in(const std::string& words) {
  const std::size_t begin = std::min(words.find("--"), words.size());
  return words.substr(begin, words.find_first_of(" :,", begin) - begin);
}

/// The error "words: reason" about the first option in `words`.
template <class E = InputError>
E about(const std::string& words, const std::string& reason) {
  return E(words + ": " + reason, option_in(words));
}

/// Runs body(). Puts `words`, which name an option, before the messages of its InputErrors.
template <class Body>
auto of_option(const std::string& words, const Body& body) {
  try {
    return body();
  } catch (const InputError& error) {
    throw InputError(words + " " + error.what(), option_in(words));
  }
}

/// The place of `text` among `accepted`.
inline std::size_t choose(const std::string& option, const std::string& text,
                          const std::vector<std::string>& accepted) {
  for (std::size_t i = 0; i < accepted.size(); ++i)
    if (accepted[i] == text) return i;
  throw InputError(option, "",
                   fmt::format("unknown value '{}'{}; accepted are {}", text, suggestion(text, accepted),
                               fmt::join(accepted, ", ")));
}

/// The member that `text` names.
template <Named E>
E choose(const std::string& option, const std::string& text) {
  const auto accepted = names(E{});
  return static_cast<E>(choose(option, text, {accepted.begin(), accepted.end()}));
}

/// The member that `text` names, or none where it is the first of the accepted words.
template <Named E>
std::optional<E> choose_optional(const std::string& option, const std::string& text,
                                 const std::vector<std::string>& accepted) {
  if (choose(option, text, accepted) == 0) return {};
  return choose<E>(option, text);
}

/// "name: description; .." of an enum's members, for help.
template <Named E>
std::string explain() {
  const auto own = names(E{});
  const auto texts = descriptions(E{});
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < own.size(); ++i) parts.push_back(fmt::format("{}: {}", own[i], texts[i]));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// The names of an enum's members, and words that stand for several of them.
template <Named E>
std::vector<std::string> names_and(std::vector<std::string> words) {
  const auto own = names(E{});
  words.insert(words.begin(), own.begin(), own.end());
  return words;
}

/// The members that words name; "all" names every one.
template <Named E>
std::vector<E> choose_all(const std::string& option, const std::vector<std::string>& words) {
  std::vector<E> chosen;
  const auto all = members<E>();
  for (const std::string& word : words) {
    const std::size_t place = choose(option, word, names_and<E>({"all"}));
    if (place < all.size())
      chosen.push_back(all[place]);
    else
      chosen.insert(chosen.end(), all.begin(), all.end());
  }
  return chosen;
}

/// A whole number without a sign, "16", "4k".
inline std::optional<int> parse_natural(const std::string& text) {
  if (text.find_first_of("0123456789") != 0) return {};
  return whole_number(text);
}

/// The number that amount() reads. Errors: `refusal`.
inline double parse_amount(const std::string& text, const InputError& refusal) {
  const std::optional<double> value = amount(text);
  require(value.has_value(), refusal);
  return *value;
}

/// "720000", "8.4M".
inline std::int64_t parse_count(const std::string& option, const std::string& text) {
  const InputError refusal(option, text, "accepted are 1 to 1G, such as 720k, 8.4M");
  const double value = parse_amount(text, refusal), whole = std::round(value);
  require(whole >= 1 && whole <= 1e9 && std::fabs(value - whole) <= 1e-6, refusal);
  return static_cast<std::int64_t>(whole);
}

/// "1,5,7", "1..7", "64,1k" and mixtures of them, ascending, each once.
inline std::vector<int> parse_list(const std::string& option, const std::vector<std::string>& words, int least,
                                   int most) {
  std::vector<int> numbers;
  for (const std::string& word : words) {
    const InputError refusal(option, word, fmt::format("accepted are numbers {}..{}, as 1,5,7 or 1..7", least, most));
    const auto number = [&](const std::string& text) {
      const std::optional<int> value = parse_natural(text);
      require(value.has_value(), refusal);
      return *value;
    };
    const std::size_t dots = word.find("..");
    const int first = number(word.substr(0, dots)),
              last = dots == std::string::npos ? first : number(word.substr(dots + 2));
    require(least <= first && first <= last && last <= most, refusal);
    for (int n = first; n <= last; ++n) numbers.push_back(n);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// "16x8x4", or "16" for 16x16x16; of a plane mesh "16x8", or "16" for 16x16, and 1 along z.
inline std::array<int, 3> parse_box(const std::string& option, const std::string& text, int dim = 3) {
  const InputError refusal(option, text,
                           fmt::format("accepted are {} or K, whole numbers > 0", dim == 2 ? "XxY" : "XxYxZ"));
  std::vector<int> sides;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::optional<int> side = parse_natural(text.substr(begin, end - begin));
    require(side.has_value() && *side < 10000000, refusal);
    sides.push_back(*side);
    begin = end + 1;
  }
  if (sides.size() == 1) sides.assign(dim, sides[0]);
  require(sides.size() == std::size_t(dim) && *std::min_element(sides.begin(), sides.end()) > 0, refusal);
  return {sides[0], sides[1], dim == 2 ? 1 : sides[2]};
}

inline const std::string files_of_gmsh = "files of Gmsh, FILE.msh";

/// Refuses a slip of the keyboard where a word of a list or the name of a file is accepted. `files`: as the message
/// says them.
inline void require_word_or_file(const std::string& option, const std::string& text,
                                 const std::vector<std::string>& words, const std::string& files) {
  std::error_code unknown;
  const std::string near = nearest(text, words);
  require(near.empty() || near == text || std::filesystem::exists(text, unknown), option, "",
          fmt::format("unknown value '{}'{}; accepted are {}, and {}", text, suggestion(text, words),
                      fmt::join(words, ", "), files));
}

/// Refuses a value where a module's why_not() has a reason. `option`: with its value.
inline void require_able(const std::string& option, const std::string& why_not) {
  require(why_not.empty(), about(option, why_not));
}

/// The orders that words of --reorder name; `all`: those that this build can make.
inline std::vector<graph::Reorder> choose_orders(const std::vector<std::string>& words) {
  std::vector<graph::Reorder> chosen;
  for (const std::string& word : words)
    for (const graph::Reorder reorder : choose_all<graph::Reorder>("--reorder", {word})) {
      const std::string reason = graph::why_not(reorder);
      if (word != "all") require_able("--reorder " + word, reason);
      if (reason.empty()) chosen.push_back(reorder);
    }
  return chosen;
}

/// Refuses a scale of numbers whose products single precision cannot hold, where kernels run in it.
inline void require_single(const std::string& option, double value, Precision precision, double least = 1e-30) {
  constexpr double most = 1e30;
  require(precision == Precision::fp64 || (value >= least && value <= most), option, fmt::format("{:g}", value),
          fmt::format("products of such numbers are beyond single precision; accepted are {:g} to {:g}, or --precision "
                      "double",
                      least, most));
}

inline void require_number(const std::string& option, double value, bool valid, const std::string& accepted) {
  require(valid && std::isfinite(value), option, fmt::format("{}", value), "accepted are " + accepted);
}

}  // namespace miniapp::apps
