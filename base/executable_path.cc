#include "base/executable_path.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

namespace tenure {

namespace {

constexpr const char* kSelf = "/proc/self/exe";

}  // namespace

std::string ExecutablePath() {
  char path[PATH_MAX];
  const ssize_t length = readlink(kSelf, path, sizeof path);
  if (length > 0) return {path, static_cast<size_t>(length)};
  const auto* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (started == nullptr || realpath(started, path) == nullptr) return {};
  return path;
}

std::string ExecutableFile() {
  return access(kSelf, F_OK) == 0 ? std::string(kSelf) : ExecutablePath();
}

}  // namespace tenure
