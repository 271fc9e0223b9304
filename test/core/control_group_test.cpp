// SPDX-License-Identifier: BSD-3-Clause
#include "core/control_group.hpp"

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// Files of control groups as a system would show them.
class Groups {
 public:
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = folder_.file("cgroup/" + file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  GroupLimits limits(const std::string& membership = "") const {
    const std::string file = folder_.file("membership");
    std::ofstream(file) << membership;
    return group_limits(folder_.file("cgroup"), file);
  }

 private:
  TemporaryFolder folder_;
};

constexpr std::size_t MB = 1000000;

}  // namespace

TEST_CASE("Without files, or with max, a control group does not limit", "[core][control_group]") {
  const Groups groups;
  CHECK(groups.limits("0::/\n").free_memory == GroupLimits::none);
  groups.write("memory.max", "max");
  groups.write("memory.current", "1000");
  groups.write("cpu.max", "max 100000");

  CHECK(groups.limits("0::/\n").free_memory == GroupLimits::none);
  CHECK(groups.limits("0::/\n").cores == 0);
}

TEST_CASE("Groups of version 2 limit, those around them too", "[core][control_group]") {
  const Groups groups;
  groups.write("memory.max", "900000000");
  groups.write("memory.current", "100000000");
  groups.write("cpu.max", "400000 100000");
  groups.write("job/step/memory.max", "500000000");
  groups.write("job/step/memory.current", "200000000");
  groups.write("job/cpu.max", "150000 100000");

  CHECK(groups.limits("0::/\n").free_memory == 800 * MB);
  CHECK(groups.limits("0::/\n").cores == 4);
  CHECK(groups.limits("0::/job/step\n").free_memory == 300 * MB);
  CHECK(groups.limits("0::/job/step\n").cores == 2);
  CHECK(groups.limits("0::/of/another/host\n").free_memory == 800 * MB);
}

TEST_CASE("Files that a group keeps in memory are free", "[core][control_group]") {
  const Groups groups;
  groups.write("memory.max", "900000000");
  groups.write("memory.current", "890000000");
  groups.write("memory.stat", "anon 90000000\nfile 800000000\ninactive_file 700000000\nactive_file 100000000");

  CHECK(groups.limits().free_memory == 810 * MB);
}

TEST_CASE("Groups of version 1 limit", "[core][control_group]") {
  const Groups groups;
  groups.write("memory/memory.limit_in_bytes", "9223372036854771712");
  groups.write("memory/memory.usage_in_bytes", "5000");
  groups.write("memory/job/memory.limit_in_bytes", "600000000");
  groups.write("memory/job/memory.usage_in_bytes", "300000000");
  groups.write("memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 50000000\ntotal_active_file 0");
  groups.write("cpu/job/cpu.cfs_quota_us", "250000");
  groups.write("cpu/job/cpu.cfs_period_us", "100000");
  const std::string membership = "5:memory:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/x\n0::/y\n";

  CHECK(groups.limits(membership).free_memory == 350 * MB);
  CHECK(groups.limits(membership).cores == 3);
  CHECK(groups.limits("").free_memory == GroupLimits::none);
}
