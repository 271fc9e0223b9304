// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp {

/// Runs body(), which does nothing collective, on every rank. Where it throws an error of this kind on some ranks, all
/// throw that of the lowest, so that none waits for a rank that has given up. Collective.
template <class E = InputError>
void agree(const Communicator& ranks, const std::function<void()>& body) {
  if (ranks.is_alone()) return body();
  std::optional<std::string> refused;
  try {
    body();
  } catch (const E& error) {
    refused = error.argument + '\n' + error.what();
  }
  const int none = ranks.size();
  const auto first =
      static_cast<std::size_t>(ranks.of_all(Reduction::min, std::int64_t(refused ? ranks.rank() : none)));
  if (first == std::size_t(none)) return;
  std::vector<std::vector<std::int64_t>> letters(static_cast<std::size_t>(none));
  if (first == std::size_t(ranks.rank()))
    for (std::vector<std::int64_t>& to : letters) to.assign(refused->begin(), refused->end());
  const std::vector<std::int64_t> words = ranks.exchange(letters)[first];
  const std::string text(words.begin(), words.end());
  const std::size_t end = text.find('\n');
  throw E(text.substr(end + 1), text.substr(0, end));
}

}  // namespace miniapp
