#include "compiler/driver/temporary_directory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

namespace fs = std::filesystem;

Problem TemporaryDirectory::Make(const std::string& name) {
  if (!path_.empty()) return Problem();
  const char* const given = std::getenv("TMPDIR");
  std::string path =
      std::string(given != nullptr && *given != '\0' ? given : "/tmp") + "/" + name + "-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return Problem("cannot make the directory '" + path + "': " + std::strerror(errno) +
                   " (TMPDIR names another place for temporary files)");
  }
  path_ = path;
  removed_ = std::make_unique<RemovedBySignals>(path);
  RemovedBySignals::HandleEnd();
  return Problem();
}

void TemporaryDirectory::Remove() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  path_.clear();
  removed_.reset();
}

}  // namespace tenure::compiler
