#include "store/files/held_directory.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

struct Entry {
  uint64_t number_here;  // of the HeldDirectory
  std::string path;      // without slashes at its end
  std::string absolute;  // the same, from the root
  int fd;                // -1: the parent's of this forked child
  dev_t device;
  ino_t number;
  FileOwner owner;
};

struct Table {
  Mutex mutex;
  std::vector<Entry> entries TN_GUARDED_BY(mutex);
  uint64_t last_number TN_GUARDED_BY(mutex) = 0;
};

// Never destroyed: threads may use files while the process ends. A forked child that kept a
// descriptor would keep the lock of the parent's store with it.
Table& TheTable() {
  static Table* const table = [] {
    // Forks happen with the mutex, which the analysis cannot follow.
    pthread_atfork([]() TN_NO_LOCK_ANALYSIS { TheTable().mutex.lock(); },
                   []() TN_NO_LOCK_ANALYSIS { TheTable().mutex.unlock(); },
                   []() TN_NO_LOCK_ANALYSIS {
                     for (Entry& entry : TheTable().entries) {
                       if (entry.fd >= 0) close(entry.fd);
                       entry.fd = -1;
                     }
                     TheTable().mutex.unlock();
                   });
    return new Table;
  }();
  return *table;
}

std::string_view WithoutSlashes(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

const Entry* Find(const Table& table, std::string_view path) TN_REQUIRES(table.mutex) {
  // The newest one counts: an earlier opening of the store may hold the directory, too, and end.
  for (auto entry = table.entries.rbegin(); entry != table.entries.rend(); ++entry) {
    if (entry->path == path) return &*entry;
  }
  return nullptr;
}

const Entry* FindNumber(const Table& table, uint64_t number) TN_REQUIRES(table.mutex) {
  for (const Entry& entry : table.entries) {
    if (entry.number_here == number && entry.fd >= 0) return &entry;
  }
  return nullptr;
}

std::string Absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char* const here = getcwd(nullptr, 0);
  if (here == nullptr) return path;
  std::string absolute = std::string(here) + "/" + path;
  free(here);
  return absolute;
}

FileOwner OwnerOfFilesIn(int directory, const struct stat& info) {
  struct stat format;
  if (fstatat(directory, "FORMAT", &format, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(format.st_mode)) {
    return {true, format.st_uid, format.st_gid, (format.st_mode & 0666) | 0600};
  }
  return {true, info.st_uid, info.st_gid, 0600};
}

}  // namespace

Place PlaceOf(const char* path) {
  Table& table = TheTable();
  const MutexLock lock(table.mutex);
  if (table.entries.empty()) return {AT_FDCWD, path};
  const std::string_view whole = WithoutSlashes(path);
  if (const Entry* const entry = Find(table, whole)) return {entry->fd, "."};
  const size_t slash = whole.rfind('/');
  if (slash == std::string_view::npos) return {AT_FDCWD, path};
  const Entry* const entry = Find(table, WithoutSlashes(whole.substr(0, slash)));
  return entry == nullptr ? Place{AT_FDCWD, path} : Place{entry->fd, path + slash + 1};
}

bool IsHeld(const std::string& path) {
  Table& table = TheTable();
  const MutexLock lock(table.mutex);
  return Find(table, WithoutSlashes(path)) != nullptr;
}

FileOwner OwnerFor(const Place& place) {
  if (place.directory < 0) return {};
  Table& table = TheTable();
  const MutexLock lock(table.mutex);
  for (const Entry& entry : table.entries) {
    if (entry.fd == place.directory) return entry.owner;
  }
  return {};
}

HeldDirectory::HeldDirectory(HeldDirectory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), number_(std::exchange(other.number_, 0)) {}

HeldDirectory& HeldDirectory::operator=(HeldDirectory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(number_, other.number_);
  return *this;
}

HeldDirectory::~HeldDirectory() {
  if (fd_ < 0) return;
  Table& table = TheTable();
  const MutexLock lock(table.mutex);
  // In a forked child the number of the descriptor may name another file by now.
  if (FindNumber(table, number_) != nullptr) close(fd_);
  std::erase_if(table.entries, [&](const Entry& entry) { return entry.number_here == number_; });
}

Result<HeldDirectory> HeldDirectory::Open(const std::string& path) {
  Table& table = TheTable();
  const MutexLock lock(table.mutex);  // no fork between opening and noting it
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || FilesInUse().Info(fd, &info) != 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    if (error == ENOENT || error == ENOTDIR) {
      return Failure(StatusCode::kNotFound, "there is no store at " + path, error);
    }
    return SystemFailure(error, "cannot open directory " + path);
  }
  const std::string_view name = WithoutSlashes(path);
  const Entry* const before = Find(table, name);
  if (before != nullptr && (before->device != info.st_dev || before->number != info.st_ino)) {
    close(fd);
    return Failure(StatusCode::kInUse,
                   "store " + path +
                       " is not the one that this process has open by that name, "
                       "whose directory has been moved: close that first",
                   getpid());
  }
  table.entries.push_back({++table.last_number, std::string(name), Absolute(path), fd, info.st_dev,
                           info.st_ino, OwnerOfFilesIn(fd, info)});
  return HeldDirectory(fd, table.last_number);
}

void HeldDirectory::ForgetThoseOfParent() {
  Table& table = TheTable();
  const MutexLock lock(table.mutex);
  std::erase_if(table.entries, [](const Entry& entry) { return entry.fd < 0; });
}

std::string HeldDirectory::AbsolutePath() const {
  Table& table = TheTable();
  const MutexLock lock(table.mutex);
  const Entry* const entry = FindNumber(table, number_);
  return entry == nullptr ? "" : entry->absolute;
}

}  // namespace tenure::store
