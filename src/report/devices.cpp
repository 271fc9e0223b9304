// SPDX-License-Identifier: BSD-3-Clause
#include "report/devices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/number.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "report/device_table.hpp"
#include "report/record.hpp"

namespace miniapp::report {
namespace {

const Json& table() {
  static const Json read = Json::parse(device_table);
  return read;
}

/// What a user may give: its word, its unit in SI, and where it belongs.
struct Key {
  const char* word;
  double unit;
  double Device::*value;
};
constexpr std::array keys{Key{"bandwidth", 1e9, &Device::memory},  Key{"fma", 1e9, &Device::fma},
                          Key{"single", 1e9, &Device::single_fma}, Key{"scratch", 1e9, &Device::scratch},
                          Key{"memory", 1e9, &Device::capacity},   Key{"cache", 1e6, &Device::cache}};

std::string accepted() {
  return fmt::format(
      "accepted are {}, or rates that are reached, bandwidth=GB/s,fma=GFLOP/s (also single=GFLOP/s, scratch=GB/s, "
      "memory=GB, cache=MB), or both, as in b300,bandwidth=7200",
      fmt::join(device_names(), ", "));
}

/// A number of a data sheet; 0 where it has none.
double sheet(const Json& device, const char* key) { return device.contains(key) ? device[key][0].get<double>() : 0; }

Device of_sheet(const Json& device) {
  const double memory = table()["shares"]["memory"], arithmetic = table()["shares"]["arithmetic"];
  Device d;
  d.name = device["name"];
  d.title = device["title"];
  d.memory = memory * sheet(device, "memory_gbytes") * 1e9;
  d.fma = arithmetic * sheet(device, "fp64_gflops") * 1e9;
  d.single_fma = arithmetic * sheet(device, "fp32_gflops") * 1e9;
  d.scratch = sheet(device, "scratch_gbytes") * 1e9;
  d.capacity = sheet(device, "memory_gb") * 1e9;
  d.cache = sheet(device, "cache_mb") * 1e6;
  d.assumptions = fmt::format(
      "{:.0f} % of the data sheet's {:.5g} GB/s and {:.0f} % of its {:.5g} GFLOP/s in double precision are reached: {}",
      100 * memory, sheet(device, "memory_gbytes"), 100 * arithmetic, sheet(device, "fp64_gflops"),
      table()["shares"]["why"].get<std::string>());
  return d;
}

std::vector<std::string> parts_of(const std::string& words) {
  std::vector<std::string> parts(1);
  for (const char c : words)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// Sets what "fma=1250" says. False: there is no such key, or no positive number.
bool set(Device& device, const std::string& part) {
  const std::size_t equals = part.find('=');
  for (const Key& key : keys) {
    if (part.substr(0, equals) != key.word) continue;
    double number = 0;
    if (!parse_number(part.substr(equals + 1), number) || !(number > 0 && number <= 1e9)) return false;
    device.*key.value = number * key.unit;
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Json& device : table()["devices"]) names.push_back(device["name"]);
  return names;
}

Device find_device(const std::string& words) {
  const auto require_that = [&](bool right, const std::string& reason) {
    require(right, "what_if", printable(words, 100), reason + "; " + accepted());
  };
  Device device;
  std::string given;
  for (const std::string& part : parts_of(words)) {
    if (part.find('=') != std::string::npos) {
      require_that(set(device, part), fmt::format("{} is no rate or amount", printable(part, 60)));
      given += (given.empty() ? "" : ", ") + part;
      continue;
    }
    require_that(device.name.empty() && given.empty(), "a device stands first and alone");
    for (const Json& known : table()["devices"])
      if (known["name"] == part) device = of_sheet(known);
    require_that(!device.name.empty(), fmt::format("unknown device {}", printable(part, 60)));
  }
  require_that(device.memory > 0 && device.fma > 0, "bandwidth and fma are both needed");
  if (device.name.empty()) {
    device.name = "given";
    device.title = "a device of given rates";
  }
  if (!given.empty())
    device.assumptions += (device.assumptions.empty() ? "" : "; ") + fmt::format("as given: {}", given);
  return device;
}

}  // namespace miniapp::report
