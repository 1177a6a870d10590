#include "store/files/store_io.h"

#include <dirent.h>
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
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/files/held_directory.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

std::atomic<uint64_t> operations{0};
std::atomic<uint64_t> fault_at{
    0};  // value of `operations` at which it happens; 0: no fault planned
std::atomic<IoFault> planned_fault{IoFault::kNone};
std::atomic<int> planned_error{0};
std::atomic<uint64_t> looks{0};
std::atomic<uint64_t> look_fault_at{0};  // value of `looks` at which one fails; 0: none does
std::atomic<int> look_error{0};
thread_local int last_error = 0;
thread_local bool without_syncs = false;

using FileKey = std::pair<dev_t, ino_t>;

// How to take back a write: what was there before.
struct Undo {
  off_t offset;
  off_t size;  // of the file
  std::string bytes;
  size_t written;
};

struct UnsyncedFile {
  int fd = -1;
  std::vector<Undo> undos;
};

// Never destroyed: threads may be writing while the process ends.
struct State {
  std::mutex mutex;
  std::set<std::string> unsynced_directories;
  std::set<FileKey> failed_files;
  std::atomic<bool> any_failed{false};             // whether there are such
  std::map<FileKey, UnsyncedFile> unsynced_files;  // for kCrashUnsynced only
  std::string keep_unsynced_in;                    // if not empty, where kCrash leaves them
};

State& GlobalState() {
  static State* state = new State;
  return *state;
}

bool KeyOf(int fd, FileKey* key, off_t* size) {
  struct stat info;
  if (fstat(fd, &info) != 0) return false;
  *key = {info.st_dev, info.st_ino};
  *size = info.st_size;
  return true;
}

// `kept`: so many of the bytes written stay.
bool TakeBack(int fd, const Undo& undo, size_t kept) {
  const auto end = static_cast<off_t>(undo.offset + static_cast<off_t>(kept));
  if (undo.bytes.size() > kept &&
      pwrite(fd, undo.bytes.data() + kept, undo.bytes.size() - kept, end) < 0) {
    return false;
  }
  return ftruncate(fd, kept == 0 ? undo.size : std::max(undo.size, end)) == 0;
}

void TakeBackUnsyncedWrites(bool half) {
  State& state = GlobalState();
  state.mutex.lock();  // for ever: the process ends
  for (auto& [key, file] : state.unsynced_files) {
    for (auto undo = file.undos.rbegin(); undo != file.undos.rend(); ++undo) {
      if (!TakeBack(file.fd, *undo, half ? undo->written / 2 : 0)) _exit(kCrashStatus + 1);
    }
  }
}

std::atomic<bool> keeps_unsynced{false};

bool UndoWanted() {
  const IoFault fault = planned_fault.load(std::memory_order_relaxed);
  return fault == IoFault::kCrashUnsynced || fault == IoFault::kCrashHalfSynced ||
         keeps_unsynced.load(std::memory_order_relaxed);
}

// What KeepUnsyncedIn's file has for each write, before the file's path and the old bytes.
struct KeptUndo {
  dev_t device;
  ino_t inode;
  off_t offset;
  off_t size;
  uint64_t written;
  uint64_t path_bytes;
  uint64_t old_bytes;
};

void WriteUnsynced() {
  State& state = GlobalState();
  state.mutex.lock();  // for ever: the process ends
  if (state.keep_unsynced_in.empty()) return;
  std::string text;
  for (const auto& [key, file] : state.unsynced_files) {
    char path[PATH_MAX];
    const std::string link = "/proc/self/fd/" + std::to_string(file.fd);
    const ssize_t length = readlink(link.c_str(), path, sizeof path);
    if (length < 0) continue;
    for (const Undo& undo : file.undos) {
      const KeptUndo kept{key.first,        key.second,   undo.offset,
                          undo.size,        undo.written, static_cast<uint64_t>(length),
                          undo.bytes.size()};
      text.append(reinterpret_cast<const char*>(&kept), sizeof kept);
      text.append(path, static_cast<size_t>(length));
      text += undo.bytes;
    }
  }
  const int fd = open(state.keep_unsynced_in.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    _exit(kCrashStatus + 1);
  }
  close(fd);
}

// The file that `fd` is, to be added to; null if that is impossible. Needs the state's mutex.
UnsyncedFile* Unsynced(State& state, int fd, off_t* size) {
  FileKey key;
  if (!KeyOf(fd, &key, size)) return nullptr;
  UnsyncedFile& file = state.unsynced_files[key];
  if (file.fd < 0) {
    // Open for reading as well, whatever `fd` is.
    file.fd = open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDWR | O_CLOEXEC);
  }
  return file.fd < 0 ? nullptr : &file;
}

std::string BytesAt(int fd, off_t offset, size_t count) {
  std::string bytes(count, '\0');
  const ssize_t got = pread(fd, bytes.data(), count, offset);
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

void RememberForUndo(int fd, off_t offset, size_t count) {
  if (!UndoWanted()) return;
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  off_t size;
  if (UnsyncedFile* const file = Unsynced(state, fd, &size)) {
    file->undos.push_back({offset, size, BytesAt(file->fd, offset, count), count});
  }
}

// Before all from `offset` on is cut off. It is mostly a hole: only what is not zero is kept.
void RememberCutForUndo(int fd, off_t offset) {
  constexpr size_t kStep = 64 << 10;
  if (!UndoWanted()) return;
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  off_t size;
  UnsyncedFile* const file = Unsynced(state, fd, &size);
  if (file == nullptr) return;
  file->undos.push_back({offset, size, "", 0});
  for (off_t at = offset; at < size && (at = lseek(file->fd, at, SEEK_DATA)) >= 0; at += kStep) {
    std::string bytes = BytesAt(file->fd, at, kStep);
    if (bytes.find_first_not_of('\0') == std::string::npos) continue;
    file->undos.push_back({at, size, std::move(bytes), 0});
  }
}

void ForgetUndo(int fd) {
  if (!UndoWanted()) return;
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  FileKey key;
  off_t size;
  if (!KeyOf(fd, &key, &size)) return;
  const auto found = state.unsynced_files.find(key);
  if (found != state.unsynced_files.end()) found->second.undos.clear();
}

// Counts an operation. True if it shall fail, with errno set.
bool CountAndFail(bool is_write) {
  const uint64_t number = operations.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t at = fault_at.load(std::memory_order_relaxed);
  if (at == 0 || number < at) return false;
  switch (planned_fault.load(std::memory_order_relaxed)) {
    case IoFault::kNone:
    case IoFault::kCrashTorn:  // after half a write; everything but writes has asked before
      return false;
    case IoFault::kCrashUnsynced:
    case IoFault::kCrashHalfSynced:
      TakeBackUnsyncedWrites(planned_fault.load() == IoFault::kCrashHalfSynced);
      _exit(kCrashStatus);
    case IoFault::kCrash: WriteUnsynced(); _exit(kCrashStatus);
    case IoFault::kError:
      if (number > at) return false;
      break;
    case IoFault::kErrorForever: break;
    case IoFault::kWritesFail:
      if (!is_write) return false;
      break;
  }
  errno = last_error = planned_error.load(std::memory_order_relaxed);
  return true;
}

// Counts an operation that only looks: the errno with which it fails, or 0; EINTR and a negative
// number, which stands for a read of fewer bytes, only concern reads.
int CountLook() {
  const uint64_t number = looks.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number != look_fault_at.load(std::memory_order_relaxed)) return 0;
  const int error = look_error.load(std::memory_order_relaxed);
  return error == 0 ? -1 : error;
}

bool LookFails() {
  const int error = CountLook();
  if (error <= 0 || error == EINTR) return false;
  errno = last_error = error;
  return true;
}

bool TornCrashDue() {
  const uint64_t at = fault_at.load(std::memory_order_relaxed);
  return at != 0 && planned_fault.load(std::memory_order_relaxed) == IoFault::kCrashTorn &&
         operations.load(std::memory_order_relaxed) >= at;
}

// For operations that have no half.
bool CountAndFailWhole() {
  const bool fail = CountAndFail(/*is_write=*/false);
  if (TornCrashDue()) _exit(kCrashStatus);
  return fail;
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
  const std::lock_guard lock(state.mutex);
  state.unsynced_directories.insert(directory);
}

void NoteDirectoryOf(const char* path) {
  const std::string name(path);
  const size_t slash = name.rfind('/');
  NoteDirectory(slash == std::string::npos ? std::string(".")
                : slash == 0               ? std::string("/")
                                           : name.substr(0, slash));
}

// Before it is synced, so that what is made in it meanwhile is noted again.
void ForgetDirectory(const char* directory) {
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  state.unsynced_directories.erase(directory);
}

int SyncNotedDirectories() {
  State& state = GlobalState();
  std::set<std::string> directories;
  {
    const std::lock_guard lock(state.mutex);
    directories.swap(state.unsynced_directories);
  }
  int error = 0;
  for (const std::string& directory : directories) {
    if (error != 0) {
      NoteDirectory(directory);  // It is still to be done.
    } else if (StoreSyncDirectory(directory.c_str()) != 0 && errno != ENOENT) {
      // One that has been removed meanwhile needs no sync.
      error = errno;
    }
  }
  errno = error;
  return error == 0 ? 0 : -1;
}

// What the result of a call that has changed the directory of `path` is; only one that did changes
// what must be synced.
int NotedIn(const char* path, int result) {
  if (result >= 0) NoteDirectoryOf(path);
  return Noted(result);
}

void NoteFailed(int fd) {
  FileKey key;
  off_t size;
  if (!KeyOf(fd, &key, &size)) return;
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  state.failed_files.insert(key);
  state.any_failed.store(true, std::memory_order_release);
}

}  // namespace

void SetIoFault(IoFault fault, uint64_t at, int error) {
  planned_error = error;
  planned_fault = fault;
  fault_at = fault == IoFault::kNone ? 0 : operations.load() + at;
  if (fault == IoFault::kNone) {
    State& state = GlobalState();
    const std::lock_guard lock(state.mutex);
    state.failed_files.clear();
    state.any_failed = false;
  }
}

void SetLookFault(uint64_t at, int error) {
  look_error = error;
  look_fault_at = at == 0 ? 0 : looks.load() + at;
}

uint64_t IoLooks() { return looks.load(std::memory_order_relaxed); }

void KeepUnsyncedIn(const std::string& file) {
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  state.keep_unsynced_in = file;
  keeps_unsynced = !file.empty();
}

void TakeOverUnsynced(const std::string& file) {
  State& state = GlobalState();
  const std::lock_guard lock(state.mutex);
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  KeptUndo kept;
  while (read(fd, &kept, sizeof kept) == sizeof kept) {
    std::string path(kept.path_bytes, '\0'), bytes(kept.old_bytes, '\0');
    if (read(fd, path.data(), path.size()) < 0 || read(fd, bytes.data(), bytes.size()) < 0) break;
    UnsyncedFile& unsynced = state.unsynced_files[{kept.device, kept.inode}];
    if (unsynced.fd < 0) unsynced.fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    FileKey key;
    off_t size;
    // It may have been removed, or renamed.
    if (unsynced.fd < 0 || !KeyOf(unsynced.fd, &key, &size) ||
        key != FileKey{kept.device, kept.inode}) {
      state.unsynced_files.erase({kept.device, kept.inode});
      continue;
    }
    unsynced.undos.push_back({kept.offset, kept.size, std::move(bytes), kept.written});
  }
  close(fd);
}

WithoutSyncs::WithoutSyncs() { without_syncs = true; }
WithoutSyncs::~WithoutSyncs() { without_syncs = false; }
bool WithoutSyncs::active() { return without_syncs; }

uint64_t IoOperations() { return operations.load(std::memory_order_relaxed); }
int LastIoError() { return last_error; }
void ClearLastIoError() { last_error = 0; }

ssize_t StoreWrite(int fd, const void* bytes, size_t count) {
  if (CountAndFail(/*is_write=*/true)) return -1;
  if (TornCrashDue()) {
    (void)!write(fd, bytes, count / 2);
    _exit(kCrashStatus);
  }
  if (UndoWanted()) RememberForUndo(fd, lseek(fd, 0, SEEK_CUR), count);
  return WriteAll(count, [&](size_t done) {
    return write(fd, static_cast<const char*>(bytes) + done, count - done);
  });
}

ssize_t StorePwrite(int fd, const void* bytes, size_t count, off_t offset) {
  if (CountAndFail(/*is_write=*/true)) return -1;
  if (TornCrashDue()) {
    (void)!pwrite(fd, bytes, count / 2, offset);
    _exit(kCrashStatus);
  }
  RememberForUndo(fd, offset, count);
  return WriteAll(count, [&](size_t done) {
    return pwrite(fd, static_cast<const char*>(bytes) + done, count - done,
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
  if (CountAndFail(/*is_write=*/true)) return -1;
  if (TornCrashDue()) {
    size_t left = count / 2;
    for (const std::string_view piece : pieces) {
      const size_t now = std::min(left, piece.size());
      (void)!pwrite(fd, piece.data(), now, offset);
      offset += static_cast<off_t>(now);
      left -= now;
    }
    _exit(kCrashStatus);
  }
  RememberForUndo(fd, offset, count);
  size_t first = 0;  // of the parts that are not written
  return WriteAll(count, [&](size_t done) {
    const ssize_t written =
        pwritev(fd, parts.data() + first, static_cast<int>(parts.size() - first),
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

// The same ones again and again: memory for all of them would have to be had first.
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
  // Not asked for in vain: the system notes the time of the write after an fstat more exactly, and
  // some file systems write the inode with each sync then.
  if (state.any_failed.load(std::memory_order_acquire)) {
    FileKey key;
    off_t size;
    const bool known = KeyOf(fd, &key, &size);
    const std::lock_guard lock(state.mutex);
    if (known && state.failed_files.contains(key)) {
      errno = last_error = EIO;
      return -1;
    }
  }
  const int result = CountAndFailWhole() ? -1 : Noted(fdatasync(fd));
  if (result == 0) {
    ForgetUndo(fd);
  } else if (errno != EINTR) {
    const int error = errno;
    NoteFailed(fd);
    errno = error;
  }
  return result;
}

int StoreTruncate(int fd, off_t size) {
  if (CountAndFailWhole()) return -1;
  FileKey key;
  off_t old_size = 0;
  if (KeyOf(fd, &key, &old_size)) {
    if (size < old_size) {
      RememberCutForUndo(fd, size);
    } else {
      RememberForUndo(fd, old_size, 0);
    }
  }
  return Noted(ftruncate(fd, size));
}

int StoreRename(const char* from, const char* to) {
  if (CountAndFailWhole()) return -1;
  const Place old_place = PlaceOf(from), new_place = PlaceOf(to);
  return NotedIn(
      to, renameat(old_place.directory, old_place.name, new_place.directory, new_place.name));
}

int StoreUnlink(const char* path) {
  if (CountAndFailWhole()) return -1;
  const Place place = PlaceOf(path);
  return Noted(unlinkat(place.directory, place.name, 0));
}

int StoreMkdir(const char* path) {
  if (CountAndFailWhole()) return -1;
  return NotedIn(path, mkdir(path, 0700));
}

int StoreStat(const char* path, struct stat* info) {
  if (LookFails()) return -1;
  const Place place = PlaceOf(path);
  return Noted(fstatat(place.directory, place.name, info, AT_SYMLINK_NOFOLLOW));
}

int StoreInfo(int fd, struct stat* info) {
  if (LookFails()) return -1;
  return Noted(fstat(fd, info));
}

namespace {

int CloseFailed(int fd, int error) {
  close(fd);
  errno = error;
  return -1;
}

// `fd`, unless what it is cannot be a store's file; a file with other names would be written by
// these, too. What is no file at all may have been opened: it is not waited for, nor written.
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

// A file that was made just now gets the owner and mode of its store, whoever made it. Only root
// can give it away; others who may write in the store share it by its group.
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

// A store is its owner's, whoever makes the file.
int MakeFile(const Place& place, int flags) {
  const int made = openat(place.directory, place.name,
                          (flags & ~O_TRUNC) | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  return GivenAway(made, place);
}

}  // namespace

int StoreOpen(const char* path, int flags) {
  const Place place = PlaceOf(path);
  const int there = flags & ~(O_CREAT | O_EXCL | O_TRUNC);
  while (true) {
    if ((flags & O_EXCL) == 0) {
      if (LookFails()) return -1;
      const int fd =
          openat(place.directory, place.name, there | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
      if (fd >= 0 || errno != ENOENT || (flags & O_CREAT) == 0) {
        return Noted(CheckedFile(fd, flags));
      }
    }
    if (CountAndFailWhole()) return -1;
    const int fd = MakeFile(place, flags);
    if (fd >= 0 || errno != EEXIST || (flags & O_EXCL) != 0) return NotedIn(path, fd);
  }
}

int StoreOpenTemporary(const char* path) {
  if (CountAndFailWhole()) return -1;
  const Place place = PlaceOf(path);
  // What an earlier attempt has left, whatever it is.
  if (unlinkat(place.directory, place.name, 0) != 0 && errno != ENOENT) return Noted(-1);
  return Noted(MakeFile(place, O_RDWR));
}

int StoreOpenDirectory(const char* path, int flags) {
  const Place place = PlaceOf(path);
  return Noted(openat(place.directory, place.name, flags | O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

int StoreSyncDirectory(const char* path) {
  if (without_syncs) return 0;
  if (CountAndFailWhole()) return -1;
  ForgetDirectory(path);
  const int fd = StoreOpenDirectory(path);
  const int result = Noted(fd < 0 ? -1 : fsync(fd));
  const int error = errno;
  // One that cannot be read never will be synced. Who made something there is told that it failed;
  // it is no reason for all that follows to fail, of other stores, too.
  if (result != 0 && error != EACCES) NoteDirectory(path);
  if (fd >= 0) close(fd);
  errno = error;
  return result;
}

ssize_t StoreRead(int fd, void* bytes, size_t count, off_t offset) {
  size_t wanted = count;
  if (const int error = CountLook(); error > 0 && error != EINTR) {
    errno = last_error = error;
    return -1;
  } else if (error != 0) {
    wanted = count / 2;
  }
  size_t done = 0;
  while (done < count) {
    const ssize_t got = pread(fd, static_cast<char*>(bytes) + done, wanted - done,
                              offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Noted<ssize_t>(-1);
    if (got == 0 && wanted == count) break;
    done += static_cast<size_t>(got);
    wanted = count;
  }
  return static_cast<ssize_t>(done);
}

int StoreList(const char* path, std::vector<std::string>* names) {
  if (LookFails()) return -1;
  const int fd = StoreOpenDirectory(path);
  if (fd < 0) return -1;
  DIR* const directory = fdopendir(fd);
  if (directory == nullptr) {
    last_error = errno;
    return CloseFailed(fd, last_error);
  }
  names->clear();
  // The list may fail in its middle, too.
  bool failed = LookFails();
  errno = 0;
  for (const dirent* entry; !failed && (entry = readdir(directory)) != nullptr; errno = 0) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names->emplace_back(name);
  }
  const int error = failed ? last_error : errno;
  closedir(directory);
  if (error == 0) return 0;
  names->clear();
  errno = last_error = error;
  return -1;
}

}  // namespace tenure::store
