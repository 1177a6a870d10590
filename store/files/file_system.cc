#include "store/files/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string_view>

namespace tenure::store {

namespace {

class SystemFiles final : public FileSystem {};

constinit SystemFiles system_files;
constinit std::atomic<FileSystem*> files_in_use{&system_files};

}  // namespace

FileSystem& FilesInUse() { return *files_in_use.load(std::memory_order_acquire); }
void SetFilesInUse(FileSystem& files) { files_in_use = &files; }

ssize_t FileSystem::Write(int fd, const void* bytes, size_t count) {
  return write(fd, bytes, count);
}

ssize_t FileSystem::Pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  return pwrite(fd, bytes, count, offset);
}

ssize_t FileSystem::Pwritev(int fd, const iovec* parts, int count, off_t offset) {
  return pwritev(fd, parts, count, offset);
}

int FileSystem::Sync(int fd) { return fdatasync(fd); }
int FileSystem::SyncDirectory(int fd) { return fsync(fd); }
int FileSystem::Truncate(int fd, off_t size) { return ftruncate(fd, size); }

int FileSystem::Rename(const Place& from, const Place& to) {
  return renameat(from.directory, from.name, to.directory, to.name);
}

int FileSystem::Unlink(const Place& place) { return unlinkat(place.directory, place.name, 0); }
int FileSystem::MakeDirectory(const char* path) { return mkdir(path, 0700); }

int FileSystem::Create(const Place& place, int flags) {
  return openat(place.directory, place.name,
                (flags & ~O_TRUNC) | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int FileSystem::CreateAgain(const Place& place, int flags) {
  if (unlinkat(place.directory, place.name, 0) != 0 && errno != ENOENT) return -1;
  return FileSystem::Create(place, flags);
}

int FileSystem::Open(const Place& place, int flags) {
  return openat(place.directory, place.name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

ssize_t FileSystem::Pread(int fd, void* bytes, size_t count, off_t offset) {
  return pread(fd, bytes, count, offset);
}

int FileSystem::Stat(const Place& place, struct stat* info) {
  return fstatat(place.directory, place.name, info, AT_SYMLINK_NOFOLLOW);
}

int FileSystem::Info(int fd, struct stat* info) { return fstat(fd, info); }

int FileSystem::List(int fd, std::vector<std::string>* names) {
  names->clear();
  DIR* const directory = fdopendir(fd);
  if (directory == nullptr) {
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  errno = 0;
  for (const dirent* entry; (entry = readdir(directory)) != nullptr; errno = 0) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names->emplace_back(name);
  }
  const int error = errno;
  closedir(directory);
  if (error == 0) return 0;
  names->clear();
  errno = error;
  return -1;
}

}  // namespace tenure::store
