// Limits of control groups, read from made-up trees of files.
#include "base/machine_limits.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tenure {
namespace {

class CgroupTree : public ::testing::Test {
 protected:
  CgroupTree() {
    char name[] = "/tmp/cgroup_tree_XXXXXX";
    root = mkdtemp(name);
  }
  ~CgroupTree() override { std::filesystem::remove_all(root); }

  void File(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
    std::ofstream(root + path) << text << '\n';
  }
  // The groups of the process, and where they are mounted.
  void Process(const std::string& groups, const std::string& mounts) const {
    File("/proc/self/cgroup", groups);
    File("/proc/self/mountinfo", mounts);
  }
  // Limits of a group of version 1: 256 MB, and one and a half processors.
  void Version1Limits(const std::string& memory, const std::string& cpu) const {
    File(memory + "/memory.limit_in_bytes", "268435456");
    File(cpu + "/cpu.cfs_quota_us", "150000");
    File(cpu + "/cpu.cfs_period_us", "100000");
  }
  void ExpectVersion1Limits() const {
    EXPECT_EQ(Limits().memory_bytes, 268435456u);
    EXPECT_EQ(Limits().processors, 2u);
  }
  CgroupLimits Limits() const { return ReadCgroupLimits(root); }

  std::string root;
};

constexpr const char* kVersion2Mount =
    "22 1 0:21 / /proc rw,nosuid - proc proc rw\n"
    "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";

TEST_F(CgroupTree, WithoutFilesThereIsNoLimit) {
  EXPECT_FALSE(Limits().memory_bytes);
  EXPECT_FALSE(Limits().processors);
}

TEST_F(CgroupTree, Version2HasTheLeastOfAllGroupsAround) {
  Process("0::/system.slice/shop.service", kVersion2Mount);
  File("/sys/fs/cgroup/system.slice/shop.service/memory.max", "max");
  File("/sys/fs/cgroup/system.slice/shop.service/memory.high", "900000000");
  File("/sys/fs/cgroup/system.slice/shop.service/cpu.max", "max 100000");
  File("/sys/fs/cgroup/system.slice/memory.max", "536870912");
  File("/sys/fs/cgroup/system.slice/cpu.max", "250000 100000");
  EXPECT_EQ(Limits().memory_bytes, 536870912u);
  EXPECT_EQ(Limits().processors, 3u);
}

TEST_F(CgroupTree, APartOfAProcessorIsOne) {
  Process("0::/", kVersion2Mount);
  File("/sys/fs/cgroup/cpu.max", "5000 100000");
  EXPECT_EQ(Limits().processors, 1u);
  EXPECT_FALSE(Limits().memory_bytes);
}

// As in a container that sees only its own group.
TEST_F(CgroupTree, Version2InAContainer) {
  Process("0::/", "35 24 0:30 /../../.. /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate");
  File("/sys/fs/cgroup/memory.max", "67108864");
  EXPECT_EQ(Limits().memory_bytes, 67108864u);
}

constexpr const char* kVersion1Groups =
    "12:memory:/docker/abc\n5:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc";

TEST_F(CgroupTree, Version1OfTheMachine) {
  Process(kVersion1Groups,
          "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
          "31 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct");
  File("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  File("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  File("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  Version1Limits("/sys/fs/cgroup/memory/docker/abc", "/sys/fs/cgroup/cpu,cpuacct/docker/abc");
  ExpectVersion1Limits();
}

// The group's name is that of the machine, and the mount shows only the group.
TEST_F(CgroupTree, Version1InAContainer) {
  Process(kVersion1Groups,
          "30 25 0:26 /docker/abc /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n"
          "31 25 0:27 /docker/abc /sys/fs/cgroup/cpu\\040time ro - cgroup cgroup rw,cpu,cpuacct");
  Version1Limits("/sys/fs/cgroup/memory", "/sys/fs/cgroup/cpu time");
  ExpectVersion1Limits();
}

// Both versions at once: controllers are on one of them.
TEST_F(CgroupTree, Hybrid) {
  Process("4:memory:/job\n0::/job",
          "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
          "35 24 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
  File("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "134217728");
  EXPECT_EQ(Limits().memory_bytes, 134217728u);
  EXPECT_FALSE(Limits().processors);
}

TEST(MachineLimits, TheAffinityMaskCounts) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_GE(ProcessorCount(), 1u);
  EXPECT_LE(ProcessorCount(), static_cast<size_t>(CPU_COUNT(&before)));
  std::thread([&] {
    int first = 0;
    while (!CPU_ISSET(first, &before)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(ProcessorCount(), 1u);
  }).join();
}

TEST(MachineLimits, MemoryIsThatOfTheMachineOrLess) {
  const uint64_t machine =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(MemoryBytes(), 0u);
  EXPECT_EQ(MemoryIsLimited(), MemoryBytes() < machine);
}

}  // namespace
}  // namespace tenure
