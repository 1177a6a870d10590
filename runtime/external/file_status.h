// The parts of a file's status that the library uses.
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace tenure::runtime {

inline constexpr int64_t kFileKindRegular = 0;
inline constexpr int64_t kFileKindTerminal = 1;
inline constexpr int64_t kFileKindPipe = 2;
inline constexpr int64_t kFileKindDirectory = 3;
inline constexpr int64_t kFileKindOther = 4;

// Only a terminal's descriptor tells it from other devices.
inline int64_t FileKindOf(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return kFileKindRegular;
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) return kFileKindPipe;
  if (S_ISDIR(status.st_mode)) return kFileKindDirectory;
  return kFileKindOther;
}

// Seconds since 1970.
inline double ModificationTimeOf(const struct stat& status) {
  return static_cast<double>(status.st_mtim.tv_sec) +
         static_cast<double>(status.st_mtim.tv_nsec) * 1e-9;
}

}  // namespace tenure::runtime
