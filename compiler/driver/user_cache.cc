#include "compiler/driver/user_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kUsualLimit = 1024 * kMegabyte;
constexpr auto kInUse = std::chrono::hours(1);
// A use is noted only when the last note is older: a build uses hundreds of files.
constexpr auto kNoteAfter = std::chrono::minutes(10);

// An entry, which is removed as a whole.
struct Entry {
  fs::path path;
  fs::file_time_type used;
  uint64_t bytes;
};

uint64_t BytesIn(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_regular_file(status)) {
    const uint64_t size = fs::file_size(path, error);
    return error ? 0 : size;
  }
  if (!fs::is_directory(status)) return 0;
  uint64_t bytes = 0;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored) || it->is_symlink(ignored)) continue;
    const uint64_t size = it->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

void AddEntries(const fs::path& folder, std::vector<Entry>* entries) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const fs::file_time_type used = fs::last_write_time(it->path(), ignored);
    if (!ignored) entries->push_back({it->path(), used, BytesIn(it->path())});
  }
}

}  // namespace

uint64_t UserCacheLimit() {
  const char* text = std::getenv("TENURE_CACHE_SIZE");
  if (text == nullptr) return kUsualLimit;
  const std::string_view digits = text;
  uint64_t megabytes = 0;
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), megabytes);
  const bool good = error == std::errc() && stop == digits.end() && !digits.empty();
  return good ? std::min(megabytes, UINT64_MAX / kMegabyte) * kMegabyte : kUsualLimit;
}

void TrimUserCache(const std::string& directory, uint64_t limit) {
  std::vector<Entry> entries;
  std::error_code error;
  // objects/COMPILER/FILE; the other folders have an entry for each package or repository.
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename() != "objects") {
      AddEntries(it->path(), &entries);
      continue;
    }
    std::error_code of_objects;
    for (fs::directory_iterator compiler(it->path(), of_objects);
         !of_objects && compiler != fs::directory_iterator(); compiler.increment(of_objects)) {
      AddEntries(compiler->path(), &entries);
    }
  }
  uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total <= limit) return;
  std::ranges::sort(entries, {}, &Entry::used);
  const auto now = fs::file_time_type::clock::now();
  for (const Entry& entry : entries) {
    if (total <= limit / 4 * 3 || entry.used + kInUse > now) break;
    std::error_code failed;
    fs::remove_all(entry.path, failed);
    if (!failed) total -= entry.bytes;
  }
}

void NoteUse(const std::string& path) {
  std::error_code error;
  const fs::file_time_type used = fs::last_write_time(path, error);
  if (error || used + kNoteAfter > fs::file_time_type::clock::now()) return;
  (void)utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

}  // namespace tenure::compiler
