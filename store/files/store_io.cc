#include "store/files/store_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/files/file_system.h"
#include "store/files/held_directory.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

thread_local int last_error = 0;
thread_local bool without_syncs = false;

using FileKey = std::pair<dev_t, ino_t>;

// Never destroyed: threads may be writing while the process ends.
struct State {
  Mutex mutex;
  std::set<std::string> unsynced_directories TN_GUARDED_BY(mutex);
  std::set<FileKey> failed_files TN_GUARDED_BY(mutex);
  std::atomic<bool> any_failed{false};  // whether failed_files has any
};

State& GlobalState() {
  static State* state = new State;
  return *state;
}

bool KeyOf(int fd, FileKey* key) {
  struct stat info;
  if (fstat(fd, &info) != 0) return false;
  *key = {info.st_dev, info.st_ino};
  return true;
}

template <typename T>
T Noted(T result) {
  if (result < 0 && errno != ENOENT) last_error = errno;
  return result;
}

// A disk that gets full takes a part of a write; only the next one says why. Berkeley DB does not
// ask again.
template <typename Write>
ssize_t WriteAll(size_t count, const Write& write_from) {
  size_t done = 0;
  while (done < count) {
    const ssize_t written = write_from(done);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return Noted<ssize_t>(-1);
    done += static_cast<size_t>(written);
  }
  return static_cast<ssize_t>(count);
}

void NoteDirectory(const std::string& directory) {
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  state.unsynced_directories.insert(directory);
}

void NoteDirectoryOf(const char* path) {
  const std::string name(path);
  const size_t slash = name.rfind('/');
  NoteDirectory(slash == std::string::npos ? std::string(".")
                : slash == 0               ? std::string("/")
                                           : name.substr(0, slash));
}

// Called before the sync: a file made in the directory during the sync notes the directory again.
void ForgetDirectory(const char* directory) {
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  state.unsynced_directories.erase(directory);
}

int SyncNotedDirectories() {
  State& state = GlobalState();
  std::set<std::string> directories;
  {
    const MutexLock lock(state.mutex);
    directories.swap(state.unsynced_directories);
  }
  int error = 0;
  for (const std::string& directory : directories) {
    if (error != 0) {
      NoteDirectory(directory);  // It is still to be done.
    } else if (StoreSyncDirectory(directory.c_str()) != 0 && errno != ENOENT) {
      // A directory that has been removed meanwhile needs no sync.
      error = errno;
    }
  }
  errno = error;
  return error == 0 ? 0 : -1;
}

// Returns the result of a call that may have changed the directory of `path`; if the call
// succeeded, notes that the directory needs a sync.
int NotedIn(const char* path, int result) {
  if (result >= 0) NoteDirectoryOf(path);
  return Noted(result);
}

void NoteFailed(int fd) {
  FileKey key;
  if (!KeyOf(fd, &key)) return;
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  state.failed_files.insert(key);
  state.any_failed.store(true, std::memory_order_release);
}

// Whether a sync of the file had failed. From now on it has not.
bool ForgetFailed(int fd) {
  State& state = GlobalState();
  if (!state.any_failed.load(std::memory_order_acquire)) return false;
  FileKey key;
  if (!KeyOf(fd, &key)) return false;
  const MutexLock lock(state.mutex);
  const bool failed = state.failed_files.erase(key) != 0;
  state.any_failed.store(!state.failed_files.empty(), std::memory_order_release);
  return failed;
}

// A new file may have the inode of one that was removed after a sync of it had failed.
int AsNew(int fd) {
  if (fd >= 0) (void)ForgetFailed(fd);
  return fd;
}

}  // namespace

void UseFileSystem(FileSystem& files) {
  SetFilesInUse(files);
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  state.failed_files.clear();
  state.any_failed = false;
}

WithoutSyncs::WithoutSyncs() { without_syncs = true; }
WithoutSyncs::~WithoutSyncs() { without_syncs = false; }
bool WithoutSyncs::active() { return without_syncs; }

int LastIoError() { return last_error; }
void ClearLastIoError() { last_error = 0; }

ssize_t StoreWrite(int fd, const void* bytes, size_t count) {
  return WriteAll(count, [&](size_t done) {
    return FilesInUse().Write(fd, static_cast<const char*>(bytes) + done, count - done);
  });
}

ssize_t StorePwrite(int fd, const void* bytes, size_t count, off_t offset) {
  return WriteAll(count, [&](size_t done) {
    return FilesInUse().Pwrite(fd, static_cast<const char*>(bytes) + done, count - done,
                               offset + static_cast<off_t>(done));
  });
}

namespace {

// Few enough for one system call.
ssize_t PwriteFew(int fd, std::span<const std::string_view> pieces, off_t offset) {
  std::vector<iovec> parts;
  size_t count = 0;
  for (const std::string_view piece : pieces) {
    parts.push_back({const_cast<char*>(piece.data()), piece.size()});
    count += piece.size();
  }
  size_t first = 0;  // of the parts, that has unwritten bytes
  return WriteAll(count, [&](size_t done) {
    const ssize_t written =
        FilesInUse().Pwritev(fd, parts.data() + first, static_cast<int>(parts.size() - first),
                             offset + static_cast<off_t>(done));
    for (auto left = static_cast<size_t>(std::max<ssize_t>(written, 0)); left > 0;) {
      iovec& part = parts[first];
      const size_t now = std::min(left, part.iov_len);
      part.iov_base = static_cast<char*>(part.iov_base) + now;
      part.iov_len -= now;
      left -= now;
      if (part.iov_len == 0) ++first;
    }
    return written;
  });
}

}  // namespace

ssize_t StorePwritePieces(int fd, std::span<const std::string_view> pieces, off_t offset) {
  ssize_t all = 0;
  while (!pieces.empty()) {
    const auto few = pieces.first(std::min<size_t>(pieces.size(), IOV_MAX));
    const ssize_t written = PwriteFew(fd, few, offset + all);
    if (written < 0) return -1;
    all += written;
    pieces = pieces.subspan(few.size());
  }
  return all;
}

// Writes the same zeros again and again: memory for all zeros would have to be allocated first.
ssize_t StorePwriteZeros(int fd, size_t count, off_t offset) {
  static const std::array<char, 64 << 10> zeros{};
  std::vector<std::string_view> pieces;
  for (size_t at = 0; at < count; at += zeros.size()) {
    pieces.emplace_back(zeros.data(), std::min(count - at, zeros.size()));
  }
  return StorePwritePieces(fd, pieces, offset);
}

int StoreSync(int fd) {
  if (without_syncs) return 0;
  if (SyncNotedDirectories() != 0) return -1;
  State& state = GlobalState();
  // fstat is called only after a failure: after an fstat the system notes the time of the next
  // write more exactly, and some file systems then write the inode with each sync.
  if (state.any_failed.load(std::memory_order_acquire)) {
    FileKey key;
    const bool known = KeyOf(fd, &key);
    const MutexLock lock(state.mutex);
    if (known && state.failed_files.contains(key)) {
      errno = last_error = EIO;
      return -1;
    }
  }
  const int result = Noted(FilesInUse().Sync(fd));
  if (result != 0 && errno != EINTR) {
    const int error = errno;
    NoteFailed(fd);
    errno = error;
  }
  return result;
}

int StoreSyncAnew(int fd) {
  const bool failed = ForgetFailed(fd);
  const int result = StoreSync(fd);
  if (result == 0 && failed) static_cast<void>(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
  return result;
}

int StoreTruncate(int fd, off_t size) { return Noted(FilesInUse().Truncate(fd, size)); }

int StoreRename(const char* from, const char* to) {
  return NotedIn(to, FilesInUse().Rename(PlaceOf(from), PlaceOf(to)));
}

int StoreUnlink(const char* path) { return Noted(FilesInUse().Unlink(PlaceOf(path))); }

int StoreMkdir(const char* path) { return NotedIn(path, FilesInUse().MakeDirectory(path)); }

int StoreStat(const char* path, struct stat* info) {
  return Noted(FilesInUse().Stat(PlaceOf(path), info));
}

int StoreInfo(int fd, struct stat* info) { return Noted(FilesInUse().Info(fd, info)); }

namespace {

int CloseFailed(int fd, int error) {
  close(fd);
  errno = error;
  return -1;
}

// Returns `fd` if it may be a file of a store, else closes it and sets errno. A file with several
// names is refused: a write would change it under its other names, too. A pipe or a device may have
// been opened: nothing waits for it or writes to it.
int CheckedFile(int fd, int flags) {
  if (fd < 0) return fd;
  struct stat info;
  if (StoreInfo(fd, &info) != 0) return CloseFailed(fd, errno);
  if (!S_ISREG(info.st_mode)) return CloseFailed(fd, kNotAFile);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes && info.st_nlink > 1) return CloseFailed(fd, EMLINK);
  if ((flags & O_TRUNC) != 0 && ftruncate(fd, 0) != 0) return CloseFailed(fd, errno);
  return fd;
}

// A new file gets the owner and mode of its store, whoever makes the file. Only root can give it
// away; other users who may write in the store share it through its group.
int GivenAway(int fd, const Place& place) {
  if (fd < 0) return fd;
  const FileOwner owner = OwnerFor(place);
  struct stat info;
  if (!owner.known) return fd;
  if (StoreInfo(fd, &info) != 0) return CloseFailed(fd, errno);
  int error = 0;
  if (info.st_uid != owner.user && fchown(fd, owner.user, owner.group) != 0) error = errno;
  if (error != 0 && geteuid() == 0) {
    unlinkat(place.directory, place.name, 0);
    return CloseFailed(fd, error);
  }
  if (info.st_gid != owner.group && (info.st_uid == owner.user || error != 0)) {
    static_cast<void>(fchown(fd, static_cast<uid_t>(-1), owner.group));
  }
  if (owner.mode != 0600 && fchmod(fd, owner.mode) != 0) return CloseFailed(fd, errno);
  return fd;
}

}  // namespace

int StoreOpen(const char* path, int flags) {
  const Place place = PlaceOf(path);
  const int there = flags & ~(O_CREAT | O_EXCL | O_TRUNC);
  while (true) {
    if ((flags & O_EXCL) == 0) {
      const int fd = FilesInUse().Open(place, there);
      if (fd >= 0 || errno != ENOENT || (flags & O_CREAT) == 0) {
        return Noted(CheckedFile(fd, flags));
      }
    }
    const int fd = AsNew(GivenAway(FilesInUse().Create(place, flags), place));
    if (fd >= 0 || errno != EEXIST || (flags & O_EXCL) != 0) return NotedIn(path, fd);
  }
}

int StoreOpenTemporary(const char* path) {
  const Place place = PlaceOf(path);
  return Noted(AsNew(GivenAway(FilesInUse().CreateAgain(place, O_RDWR), place)));
}

int StoreOpenDirectory(const char* path, int flags) {
  const Place place = PlaceOf(path);
  return Noted(openat(place.directory, place.name, flags | O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

int StoreSyncDirectory(const char* path) {
  if (without_syncs) return 0;
  ForgetDirectory(path);
  const int fd = StoreOpenDirectory(path);
  const int result = fd < 0 ? -1 : Noted(FilesInUse().SyncDirectory(fd));
  const int error = errno;
  // A directory that cannot be read can never be synced. The caller that made a file there learns
  // that this failed; later syncs, also of other stores, must not fail for it.
  if (result != 0 && error != EACCES) NoteDirectory(path);
  if (fd >= 0) close(fd);
  errno = error;
  return result;
}

ssize_t StoreRead(int fd, void* bytes, size_t count, off_t offset) {
  size_t done = 0;
  while (done < count) {
    const ssize_t got = FilesInUse().Pread(fd, static_cast<char*>(bytes) + done, count - done,
                                           offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Noted<ssize_t>(-1);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

int StoreList(const char* path, std::vector<std::string>* names) {
  const int fd = StoreOpenDirectory(path);
  return fd < 0 ? -1 : Noted(FilesInUse().List(fd, names));
}

}  // namespace tenure::store
