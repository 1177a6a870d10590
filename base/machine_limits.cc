#include "base/machine_limits.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace tenure {

namespace {

// Where a hierarchy of control groups can be seen, and the part of it that is seen there.
struct Mount {
  std::string part, directory;
};

std::optional<std::string> FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return {};
  return line;
}

std::optional<uint64_t> Number(const std::string& text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return {};  // "max", "-1"
  return std::strtoull(text.c_str(), nullptr, 10);
}

template <typename T>
void TakeLess(std::optional<T>& least, std::optional<T> other) {
  if (other && (!least || *other < *least)) least = other;
}

// Whether a list with commas has the word.
bool HasWord(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// Blanks in names are written in octal.
std::string Unescaped(const std::string& name) {
  std::string plain;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 3 < name.size()) {
      plain += static_cast<char>(std::strtol(name.substr(i + 1, 3).c_str(), nullptr, 8));
      i += 3;
    } else {
      plain += name[i];
    }
  }
  return plain;
}

// Of version 2, or of version 1 with this controller.
std::optional<Mount> FindMount(const std::string& root, bool version2,
                               std::string_view controller) {
  std::ifstream file(root + "/proc/self/mountinfo");
  std::string line;
  while (std::getline(file, line)) {
    // ID PARENT DEVICE PART DIRECTORY OPTIONS [TAG...] - TYPE SOURCE SUPEROPTIONS
    std::istringstream words(line);
    std::string skipped, part, directory, type, source, options;
    words >> skipped >> skipped >> skipped >> part >> directory;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> source >> options;
    const bool fits =
        version2 ? type == "cgroup2" : type == "cgroup" && HasWord(options, controller);
    if (fits) return Mount{Unescaped(part), root + Unescaped(directory)};
  }
  return {};
}

// The directories of the process's group and of those around it, the innermost first.
std::vector<std::string> DirectoriesOf(const Mount& mount, std::string group) {
  // A container may see only its own part; then the names of groups begin outside of it, or, where
  // names are relative to another group, with "/..".
  if (mount.part != "/" && group.compare(0, mount.part.size(), mount.part) == 0 &&
      (group.size() == mount.part.size() || group[mount.part.size()] == '/')) {
    group.erase(0, mount.part.size());
  } else if (mount.part != "/" || group.compare(0, 3, "/..") == 0) {
    group.clear();
  }
  std::vector<std::string> directories;
  while (group.size() > 1) {
    directories.push_back(mount.directory + group);
    group.resize(group.rfind('/'));
  }
  directories.push_back(mount.directory);
  return directories;
}

std::optional<size_t> Processors(std::optional<uint64_t> quota, std::optional<uint64_t> period) {
  if (!quota || !period || *period == 0) return {};
  return std::max<size_t>((*quota + *period - 1) / *period, 1);
}

void ReadVersion2(const std::string& directory, CgroupLimits& limits) {
  for (const char* name : {"/memory.max", "/memory.high"}) {
    if (const auto line = FirstLine(directory + name)) TakeLess(limits.memory_bytes, Number(*line));
  }
  if (const auto line = FirstLine(directory + "/cpu.max")) {
    std::istringstream words(*line);
    std::string quota, period;
    words >> quota >> period;
    TakeLess(limits.processors, Processors(Number(quota), Number(period)));
  }
}

void ReadVersion1Memory(const std::string& directory, CgroupLimits& limits) {
  if (const auto line = FirstLine(directory + "/memory.limit_in_bytes")) {
    TakeLess(limits.memory_bytes, Number(*line));
  }
}

void ReadVersion1Processors(const std::string& directory, CgroupLimits& limits) {
  const auto quota = FirstLine(directory + "/cpu.cfs_quota_us");
  const auto period = FirstLine(directory + "/cpu.cfs_period_us");
  if (quota && period) TakeLess(limits.processors, Processors(Number(*quota), Number(*period)));
}

const CgroupLimits& OwnLimits() {
  static const CgroupLimits limits = ReadCgroupLimits();
  return limits;
}

uint64_t MachineMemory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

size_t ProcessorsOfMask() {
  // The kernel refuses a set that is smaller than its own.
  for (int processors = 1024; processors <= 1 << 20; processors *= 4) {
    cpu_set_t* const set = CPU_ALLOC(processors);
    if (set == nullptr) break;
    const size_t bytes = CPU_ALLOC_SIZE(processors);
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return static_cast<size_t>(std::max(count, 1));
  }
  return static_cast<size_t>(std::max<long>(sysconf(_SC_NPROCESSORS_ONLN), 1));
}

}  // namespace

CgroupLimits ReadCgroupLimits(const std::string& root) {
  CgroupLimits limits;
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    // NUMBER:CONTROLLERS:GROUP; version 2 has number 0 and no controllers.
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    const auto each = [&](bool version2, const char* controller, auto read) {
      const std::optional<Mount> mount = FindMount(root, version2, controller);
      if (!mount) return;
      for (const std::string& directory : DirectoriesOf(*mount, group)) read(directory, limits);
    };
    if (controllers.empty()) each(true, "", ReadVersion2);
    if (HasWord(controllers, "memory")) each(false, "memory", ReadVersion1Memory);
    if (HasWord(controllers, "cpu")) each(false, "cpu", ReadVersion1Processors);
  }
  return limits;
}

size_t ProcessorCount() {
  const size_t allowed = ProcessorsOfMask();
  return std::min(allowed, OwnLimits().processors.value_or(allowed));
}

uint64_t MemoryBytes() {
  static const uint64_t bytes =
      std::min(MachineMemory(), OwnLimits().memory_bytes.value_or(UINT64_MAX));
  return bytes;
}

bool MemoryIsLimited() { return MemoryBytes() < MachineMemory(); }

}  // namespace tenure
