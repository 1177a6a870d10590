#include "compiler/driver/clean_command.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "compiler/package/installation.h"
#include "compiler/package/tool_program.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// Copies of packages in .tenure and in the cache may not be writable; a folder that is not cannot
// be emptied.
void MakeFoldersWritable(const fs::path& path) {
  std::error_code error;
  const auto unlock = [](const fs::path& folder) {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  };
  unlock(path);
  for (fs::recursive_directory_iterator
           it(path, fs::directory_options::skip_permission_denied, error),
       end;
       !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) unlock(it->path());
  }
}

uint64_t BytesIn(const fs::path& path) {
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_symlink(ignored) || !it->is_regular_file(ignored)) continue;
    const uint64_t size = it->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

// Reports the removal; prints nothing if there is no such directory.
Problem Remove(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return Problem();
  uint64_t bytes = 0;
  if (fs::is_directory(status)) {
    MakeFoldersWritable(path);
    bytes = BytesIn(path);
  }
  fs::remove_all(path, error);
  if (error) return Problem("cannot remove '" + path.string() + "': " + error.message());
  std::printf("removed %s (%.1f MB)\n", path.c_str(), static_cast<double>(bytes) / 1e6);
  return Problem();
}

}  // namespace

int CleanPackage(const std::string& directory) {
  std::error_code error;
  fs::path package = directory;
  const fs::file_status status = fs::status(package, error);
  if (status.type() == fs::file_type::none)
    return Problem::OfSystem("cannot open '" + directory + "'", error).Print();
  if (!fs::exists(status)) {
    return Problem("no such package: '" + directory + "' does not exist").Print();
  }
  // A source outside of a package has its files beside it.
  if (!fs::is_directory(status))
    package = package.parent_path().empty() ? "." : package.parent_path();
  Problem problem = Remove(StateDirectory(package.string()));
  const fs::path tests = package / "tests";
  for (fs::directory_iterator it(tests, error), end; problem.ok() && !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored) && it->path().filename() != ".tenure") {
      problem = Remove(it->path() / ".tenure");
    }
  }
  if (problem.ok()) problem = Remove(tests / ".tenure");
  return problem.ok() ? kExitOk : problem.Print();
}

int CleanCache() {
  const std::string cache = UserCacheDirectory();
  if (cache.empty()) return kExitOk;
  const Problem problem = Remove(cache);
  return problem.ok() ? kExitOk : problem.Print();
}

}  // namespace tenure::compiler
