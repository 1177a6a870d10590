#include "base/machine_limits.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace tenure {

namespace {

// A mounted hierarchy of control groups: the directory, and the group that the directory shows.
struct Mount {
  std::string part, directory;
};

// Empty when it cannot be read. Every program does this at its start: no streams.
std::string ContentsOf(const std::string& path) {
  std::string contents;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return contents;
  char buffer[4096];
  for (ssize_t bytes; (bytes = read(file, buffer, sizeof buffer)) > 0;) {
    contents.append(buffer, static_cast<size_t>(bytes));
  }
  close(file);
  return contents;
}

// Takes the text before the next `separator`, or the rest.
std::string_view TakeUntil(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::optional<std::string> FirstLine(const std::string& path) {
  const std::string contents = ContentsOf(path);
  if (contents.empty()) return {};
  return contents.substr(0, contents.find('\n'));
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
    if (TakeUntil(list, ',') == word) return true;
  }
  return false;
}

// Blanks in names are written in octal.
std::string Unescaped(std::string_view name) {
  std::string plain;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 3 < name.size()) {
      plain +=
          static_cast<char>(std::strtol(std::string(name.substr(i + 1, 3)).c_str(), nullptr, 8));
      i += 3;
    } else {
      plain += name[i];
    }
  }
  return plain;
}

// The mount of version 2, or of version 1 with this controller; `mounts` as in mountinfo.
std::optional<Mount> FindMount(const std::string& root, std::string_view mounts, bool version2,
                               std::string_view controller) {
  while (!mounts.empty()) {
    // ID PARENT DEVICE PART DIRECTORY OPTIONS [TAG...] - TYPE SOURCE SUPEROPTIONS
    std::string_view line = TakeUntil(mounts, '\n');
    const size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    std::string_view rest = line.substr(dash + 3);
    const std::string_view type = TakeUntil(rest, ' ');
    TakeUntil(rest, ' ');
    const bool fits = version2 ? type == "cgroup2" : type == "cgroup" && HasWord(rest, controller);
    if (!fits) continue;
    for (int i = 0; i < 3; ++i) TakeUntil(line, ' ');
    const std::string_view part = TakeUntil(line, ' ');
    return Mount{Unescaped(part), root + Unescaped(TakeUntil(line, ' '))};
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
    std::string_view words = *line;
    const std::string quota(TakeUntil(words, ' '));
    TakeLess(limits.processors, Processors(Number(quota), Number(std::string(words))));
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
  const std::string groups = ContentsOf(root + "/proc/self/cgroup");
  const std::string mounts = ContentsOf(root + "/proc/self/mountinfo");
  for (std::string_view left = groups; !left.empty();) {
    // NUMBER:CONTROLLERS:GROUP; version 2 has number 0 and no controllers.
    std::string_view line = TakeUntil(left, '\n');
    TakeUntil(line, ':');
    if (line.find(':') == std::string_view::npos) continue;
    const std::string_view controllers = TakeUntil(line, ':');
    const std::string group(line);
    const auto each = [&](bool version2, const char* controller, auto read) {
      const std::optional<Mount> mount = FindMount(root, mounts, version2, controller);
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
