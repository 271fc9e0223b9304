// SPDX-License-Identifier: BSD-3-Clause
/// Mutations of files of plans that keep the format (plan_file.hpp) and change what it holds: libFuzzer's own would end
/// at the first count that is no longer right.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

using Random = std::minstd_rand;
std::size_t below(std::size_t limit, Random& random) { return random() % limit; }

/// Where an array's count stands, and the bytes of an entry; `width` 0: the numbers between arrays instead.
struct Part {
  std::size_t at, count, width;
  std::size_t begin() const { return at + 8; }
};

/// The parts of a file; nothing where it is too short for them.
std::vector<Part> parts_of(const std::string& bytes) {
  constexpr std::size_t numbers = 36, widths[] = {4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 2, 1, 1, 4, 2, 4, 4};
  std::vector<Part> parts;
  std::size_t at = 15 + 8;  // the first line and a hash
  for (const std::size_t width : widths) {
    std::uint64_t count = 0;
    if (at + 8 > bytes.size()) return {};
    if (width > 0) std::memcpy(&count, &bytes[at], 8);
    if (count > bytes.size()) return {};
    parts.push_back({at, count, width});
    at += width == 0 ? numbers : 8 + count * width;
  }
  return at <= bytes.size() ? parts : std::vector<Part>{};
}

std::int64_t read(const std::string& bytes, std::size_t at, std::size_t width) {
  std::int64_t value = 0;
  std::memcpy(&value, &bytes[at], width);  // the machines that fuzz are little-endian
  return value;
}
void write(std::string& bytes, std::size_t at, std::size_t width, std::int64_t value) {
  std::memcpy(&bytes[at], &value, width);
}

std::int64_t another(std::int64_t old, std::int64_t neighbour, Random& random) {
  const std::int64_t values[] = {old + 1, old - 1, ~old, neighbour, 0, -1, std::int64_t(below(20, random)), 1LL << 31};
  return values[below(std::size(values), random)];
}

void change_numbers(std::string& bytes, std::size_t at, Random& random) {
  constexpr std::size_t places[][2] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 4}, {8, 4}, {12, 8}, {20, 8}};
  const auto& [offset, width] = places[below(std::size(places), random)];
  const std::int64_t old = read(bytes, at + offset, width);
  write(bytes, at + offset, width,
        width == 1 ? std::int64_t(below(7, random)) : another(old, std::int64_t(below(9, random)), random));
}

void change_array(std::string& bytes, const Part& part, Random& random) {
  const std::size_t way = part.count > 0 ? below(6, random) : 5;
  const auto place = [&] { return part.begin() + below(part.count, random) * part.width; };
  if (way < 3) {
    const std::size_t at = place();
    write(bytes, at, part.width, another(read(bytes, at, part.width), read(bytes, place(), part.width), random));
  } else if (way == 3) {
    const std::size_t a = place(), b = place();
    const std::int64_t value = read(bytes, a, part.width);
    write(bytes, a, part.width, read(bytes, b, part.width));
    write(bytes, b, part.width, value);
  } else if (way == 4) {
    bytes.erase(place(), part.width);
    write(bytes, part.at, 8, std::int64_t(part.count) - 1);
  } else {
    const std::size_t at = part.count > 0 ? place() : part.begin();
    bytes.insert(at, part.count > 0 ? bytes.substr(at, part.width) : std::string(part.width, '\0'));
    write(bytes, part.at, 8, std::int64_t(part.count) + 1);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  std::string text(reinterpret_cast<const char*>(bytes), size);
  for (std::size_t more = 1 + below(3, random); more > 0; --more) {
    const std::vector<Part> parts = parts_of(text);
    if (parts.empty() || below(6, random) == 0) return LLVMFuzzerMutate(bytes, size, most);
    const Part& part = parts[below(parts.size(), random)];
    if (part.width == 0)
      change_numbers(text, part.at, random);
    else
      change_array(text, part, random);
  }
  if (text.size() > most) return LLVMFuzzerMutate(bytes, size, most);
  std::memcpy(bytes, text.data(), text.size());
  return text.size();
}
