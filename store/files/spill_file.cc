#include "store/files/spill_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "abi/heap_constants.h"
#include "base/mutex.h"
#include "store/files/descriptor.h"
#include "store/files/held_directory.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"

namespace tenure::store {

using abi::kPageBytes;

SpillFile::~SpillFile() {
  if (fd_ >= 0) close(fd_);
}

namespace {

int MakeIn(const std::string& directory) {
  const Place place = PlaceOf(directory.c_str());
  int fd = openat(place.directory, place.name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return fd;
  // A file system that has no nameless files.
  const Descriptor folder(StoreOpenDirectory(directory.c_str()));
  if (folder.get() < 0) return -1;
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    const std::string name = "spill." + std::to_string(getpid()) + "." + std::to_string(attempt);
    fd = openat(folder.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) unlinkat(folder.get(), name.c_str(), 0);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

}  // namespace

Result<int> SpillFile::Make() const {
  const MutexLock guard(directory_mutex_);
  int fd = MakeIn(directory_);
  if (fd < 0 && errno == EACCES) {
    // Another user's store, which is served.
    const char* temporary = secure_getenv("TMPDIR");
    fd = MakeIn(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp");
  }
  if (fd < 0) return SystemFailure(errno, "cannot make a temporary file in " + directory_);
  return fd;
}

Result<uint32_t> SpillFile::Write(const std::byte* page) {
  if (fd_ < 0) {
    TN_ASSIGN_OR_RETURN(int fd, Make());
    fd_ = fd;
  }
  const uint32_t slot = free_.empty() ? slots_ : free_.back();
  const auto at = static_cast<off_t>(slot * kPageBytes);
  for (size_t done = 0; done < kPageBytes;) {
    const ssize_t count =
        pwrite(fd_, page + done, kPageBytes - done, at + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      return SystemFailure(errno, "cannot write to a temporary file in " + directory());
    done += static_cast<size_t>(count);
  }
  if (free_.empty()) {
    ++slots_;
  } else {
    free_.pop_back();
  }
  return slot;
}

Status SpillFile::Read(uint32_t slot, std::byte* page) const {
  const auto at = static_cast<off_t>(slot * kPageBytes);
  for (size_t done = 0; done < kPageBytes;) {
    const ssize_t count = pread(fd_, page + done, kPageBytes - done, at + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return SystemFailure(count < 0 ? errno : EIO, "cannot read a temporary file");
    }
    done += static_cast<size_t>(count);
  }
  return Status::Ok();
}

void* SpillFile::MapScratch(size_t bytes) const {
  Result<int> fd = Make();
  if (!fd.ok()) return nullptr;
  void* memory = MAP_FAILED;
  // Space is taken now: a full disk must not end the process at a store to the memory.
  if (posix_fallocate(*fd, 0, static_cast<off_t>(bytes)) == 0) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  }
  close(*fd);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool SpillFile::MapAt(void* at, size_t bytes) const {
  const Result<int> fd = Make();
  if (!fd.ok()) return false;
  const Descriptor file(*fd);
  struct statfs system;
  if (fstatfs(*fd, &system) != 0 || system.f_type == TMPFS_MAGIC ||
      posix_fallocate(*fd, 0, static_cast<off_t>(bytes)) != 0 ||
      mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, *fd, 0) == MAP_FAILED) {
    return false;
  }
  madvise(at, bytes, MADV_DONTFORK);
  madvise(at, bytes, MADV_DONTDUMP);
  return true;
}

void SpillFile::UnmapScratch(void* memory, size_t bytes) { munmap(memory, bytes); }

}  // namespace tenure::store
