// The C side of the library's file system: paths and directories. Failures are -errno.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/external/file_status.h"
#include "runtime/heap/text.h"

using namespace tenure::runtime;
using tenure::abi::Ref;

namespace {

std::string Path(const char* characters, int64_t count) {
  return std::string(characters, static_cast<size_t>(count));
}

int64_t OrErrno(int result) { return result < 0 ? -errno : result; }

}  // namespace

extern "C" {

int64_t tn_path_status(const char* path, int64_t length, int64_t* kind, int64_t* size,
                       double* modified) {
  struct stat status;
  if (stat(Path(path, length).c_str(), &status) != 0) return -errno;
  *kind = FileKindOf(status);
  *size = status.st_size;
  *modified = ModificationTimeOf(status);
  return 0;
}

int64_t tn_path_delete(const char* path, int64_t length) {
  return OrErrno(unlink(Path(path, length).c_str()));
}

int64_t tn_path_create_directory(const char* path, int64_t length) {
  return OrErrno(mkdir(Path(path, length).c_str(), 0777));
}

int64_t tn_path_delete_directory(const char* path, int64_t length) {
  return OrErrno(rmdir(Path(path, length).c_str()));
}

int64_t tn_path_rename(const char* from, int64_t from_length, const char* to, int64_t to_length) {
  return OrErrno(std::rename(Path(from, from_length).c_str(), Path(to, to_length).c_str()));
}

int64_t tn_path_set_modified(const char* path, int64_t length, double time) {
  const double seconds = std::floor(time);
  if (!(std::fabs(seconds) < 9.2e18)) return -EINVAL;  // no time_t
  timespec times[2] = {};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = static_cast<time_t>(seconds);
  times[1].tv_nsec = static_cast<long>((time - seconds) * 1e9);
  return OrErrno(utimensat(AT_FDCWD, Path(path, length).c_str(), times, 0));
}

Ref tn_path_absolute(const char* path, int64_t length) {
  char* resolved = realpath(Path(path, length).c_str(), nullptr);
  if (resolved == nullptr) return nullptr;
  Ref text = NewText(resolved);
  std::free(resolved);
  return text;
}

void* tn_directory_open(const char* path, int64_t length) {
  return opendir(Path(path, length).c_str());
}

Ref tn_directory_next(void* directory) {
  for (;;) {
    const dirent* entry = readdir(static_cast<DIR*>(directory));
    if (entry == nullptr) return nullptr;
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) {
      return NewText(entry->d_name);
    }
  }
}

void tn_directory_close(void* directory) {
  if (directory != nullptr) closedir(static_cast<DIR*>(directory));
}

Ref tn_working_directory() {
  char* directory = getcwd(nullptr, 0);
  if (directory == nullptr) return nullptr;
  Ref text = NewText(directory);
  std::free(directory);
  return text;
}

int64_t tn_set_working_directory(const char* path, int64_t length) {
  return OrErrno(chdir(Path(path, length).c_str()));
}

int64_t tn_errno() { return errno; }

Ref tn_error_text(int64_t error) {
  char buffer[128];
  return NewText(strerror_r(static_cast<int>(error), buffer, sizeof buffer));
}

}  // extern "C"
