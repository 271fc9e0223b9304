// SPDX-License-Identifier: BSD-3-Clause
/// Mutations of texts that are words between blanks: libFuzzer's own, which change bytes, would seldom get past a count
/// or a keyword. Every second one here removes, repeats, moves or changes whole words.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

using Random = std::minstd_rand;

/// Words, each with the blanks after it.
std::vector<std::string> split(const std::string& text) {
  const std::string blanks = " \t\n\r=,\"[]";
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    end = std::min(text.find_first_not_of(blanks, end), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::size_t below(std::size_t limit, Random& random) { return random() % limit; }

/// A number near this one, or one at the limit of a type.
std::string another_number(const std::string& word, Random& random) {
  static const std::vector<std::string> limits = split(
      "0 1 -1 2147483647 -2147483648 4294967296 1e308 -1e-320 9223372036854775807 0.5 1e9 1000000007 "
      "18446744073709551616 nan 1e16 ");
  const std::size_t digits = word.find_first_not_of("0123456789");
  if (digits == 0 || word.empty() || digits > 9 || below(2, random) == 0) return limits[below(limits.size(), random)];
  const std::size_t end = std::min(digits, word.size());
  if (end > 9) return "0 ";
  return std::to_string(std::stol(word.substr(0, end)) + long(below(5, random)) - 2) + word.substr(end);
}

std::string mutate(const std::string& text, Random& random) {
  std::vector<std::string> words = split(text);
  if (words.empty()) return text;
  const std::size_t at = below(words.size(), random), from = below(words.size(), random);
  const std::size_t run = 1 + below(std::min<std::size_t>(words.size() - from, 12), random);
  const std::vector<std::string> copy(words.begin() + long(from), words.begin() + long(from + run));
  switch (below(5, random)) {
    case 0:
      words.erase(words.begin() + long(from), words.begin() + long(from + run));
      break;
    case 1:
      words.insert(words.begin() + long(at), copy.begin(), copy.end());
      break;
    case 2:
      words[at] = words[from];
      break;
    case 3:
      std::swap(words[at], words[from]);
      break;
    default:
      words[at] = another_number(words[at], random);
  }
  std::string mutated;
  for (const std::string& word : words) mutated += word;
  return mutated;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  if (below(2, random) == 0) return LLVMFuzzerMutate(bytes, size, most);
  std::string text = mutate({reinterpret_cast<const char*>(bytes), size}, random);
  for (std::size_t more = below(3, random); more > 0; --more) text = mutate(text, random);
  const std::size_t kept = std::min(text.size(), most);
  std::memcpy(bytes, text.data(), kept);
  return kept;
}
