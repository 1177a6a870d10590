// How much of the machine this process may use: not more than its affinity mask, and the control
// groups (cgroups, version 1 and 2) that a container or a service manager puts it into, allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tenure {

// The limits set by control groups. Nothing: there is no limit.
struct CgroupLimits {
  std::optional<uint64_t> memory_bytes;
  // A quota of processor time, as a number of processors; a part of one counts as one.
  std::optional<size_t> processors;
};

// The limits of the calling process: the least of its group and of all groups around it. `root` is
// put before the names of files ("/proc/self/cgroup" and so on), for tests. An unreadable file sets
// no limit.
CgroupLimits ReadCgroupLimits(const std::string& root = "");

// Processors that this process may use, at least 1. The affinity mask is read each time, the groups
// once. Any thread.
size_t ProcessorCount();

// Bytes of memory that this process may use, the machine's or less. Read once. Any thread.
uint64_t MemoryBytes();

// Whether a control group allows less than the machine has, and kills beyond that. Any thread.
bool MemoryIsLimited();

}  // namespace tenure
