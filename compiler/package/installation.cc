#include "compiler/package/installation.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/executable_path.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// The list of files that `build.py install` and the Debian package write (tools/install.py).
// Whoever removes these files must find no others there.
constexpr const char* kInstalledFiles = "installed-files";

std::string HomeDirectory() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
  const passwd* const user = getpwuid(getuid());
  return user == nullptr || user->pw_dir == nullptr ? "" : user->pw_dir;
}

// Makes the directory for the user alone. False: there is none, or somebody else may have put files
// into it.
bool MakeOwnDirectory(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (mkdir(path.c_str(), 0700) == 0) return true;
  struct stat found;
  if (stat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return false;
  if ((found.st_uid == geteuid() || found.st_uid == 0) && (found.st_mode & S_IWOTH) == 0) {
    return true;
  }
  static bool is_told = false;
  if (!std::exchange(is_told, true)) {
    std::fprintf(stderr,
                 "tenure: note: '%s' is not used as a cache, since other users can write there; "
                 "XDG_CACHE_HOME names another place\n",
                 path.c_str());
  }
  return false;
}

}  // namespace

std::string UserCacheDirectory() {
  // A relative path is to be ignored, says the XDG base directory specification.
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const std::string home = HomeDirectory();
  std::string path;
  if (cache != nullptr && *cache == '/') {
    path = std::string(cache) + "/tenure";
  } else if (home.starts_with('/')) {
    path = home + "/.cache/tenure";
  }
  return path.empty() || !MakeOwnDirectory(path) ? "" : path;
}

std::string HeaderDirectory(const Installation& installation) {
  return installation.library_directory + "/c";
}

namespace {

// Beside the compiler, as a release has it; then those of Debian's packages, the preferred one
// first, whose order is that of tools/system_packages.py. Any of these versions links what the
// compiler makes.
std::string LinkerDirectory(const fs::path& prefix) {
  std::vector<fs::path> candidates = {prefix / "bin"};
  for (const char* version : {"19", "22", "21", "20"}) {
    candidates.push_back(fs::path("/usr/lib") / (std::string("llvm-") + version) / "bin");
  }
  candidates.push_back("/usr/bin");
  std::error_code ignored;
  for (const fs::path& candidate : candidates) {
    if (fs::exists(candidate / "ld.lld", ignored)) return candidate.string();
  }
  return "";
}

}  // namespace

Problem FindInstallation(Installation* installation) {
  const std::string executable = ExecutablePath();
  if (executable.empty())
    return Problem(StatusCode::kNotFound, "cannot tell where the compiler itself is");
  const fs::path prefix = fs::path(executable).parent_path().parent_path();
  std::error_code ignored;
  installation->runtime_archive = (prefix / "lib" / "libtenure_runtime.a").string();
  installation->boehm_archive = (prefix / "lib" / "libruntime_boehm.a").string();
  installation->faults_archive = (prefix / "lib" / "libstore_faults.a").string();
  installation->explanations = (prefix / "lib" / "explanations.txt").string();
  if (!fs::exists(installation->runtime_archive, ignored)) {
    return Problem(
        StatusCode::kNotFound,
        "the run time is missing: no " + installation->runtime_archive + " (build it with ninja)");
  }
  for (const fs::path& candidate : {prefix / "lib" / "stdlib", prefix.parent_path() / "stdlib"}) {
    if (fs::is_directory(candidate, ignored)) {
      installation->library_directory = candidate.string();
      break;
    }
  }
  if (const char* chosen = std::getenv("TENURE_STDLIB")) installation->library_directory = chosen;
  if (installation->library_directory.empty()) {
    return Problem(StatusCode::kNotFound, "the standard library is missing: neither " +
                                              (prefix / "lib" / "stdlib").string() + " nor " +
                                              (prefix.parent_path() / "stdlib").string() +
                                              " is a directory");
  }
  const char* const name = std::getenv("TENURE_STDLIB_NAME");
  installation->library_name = name != nullptr ? name : installation->library_directory;
  installation->object_cache = (prefix / "lib" / "objects").string();
  if (!fs::exists(prefix / "lib" / kInstalledFiles, ignored)) {
    installation->new_objects = installation->object_cache;
  } else if (const std::string cache = UserCacheDirectory(); !cache.empty()) {
    installation->new_objects = cache + "/objects";
  }
  installation->linker_directory = LinkerDirectory(prefix);
  return {};
}

}  // namespace tenure::compiler
