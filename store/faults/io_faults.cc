#include "store/faults/io_faults.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/files/file_system.h"
#include "store/files/store_io.h"

namespace tenure::store {

namespace {

std::atomic<uint64_t> operations{0};
std::atomic<uint64_t> fault_at{0};  // the number of the operation with the fault; 0: none planned
std::atomic<IoFault> planned_fault{IoFault::kNone};
std::atomic<int> planned_error{0};
std::atomic<uint64_t> looks{0};
std::atomic<uint64_t> look_fault_at{0};  // the number of the look that fails; 0: none planned
std::atomic<int> look_error{0};

using FileKey = std::pair<dev_t, ino_t>;

// How to take back a write: the file before it.
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
  Mutex mutex;
  std::map<FileKey, UnsyncedFile> unsynced_files TN_GUARDED_BY(mutex);
  std::string keep_unsynced_in TN_GUARDED_BY(mutex);  // the file of KeepUnsyncedIn; empty: none
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

// Restores the bytes before the write, but for the first `kept` bytes of it.
bool TakeBack(int fd, const Undo& undo, size_t kept) {
  const auto end = static_cast<off_t>(undo.offset + static_cast<off_t>(kept));
  if (undo.bytes.size() > kept &&
      pwrite(fd, undo.bytes.data() + kept, undo.bytes.size() - kept, end) < 0) {
    return false;
  }
  return ftruncate(fd, kept == 0 ? undo.size : std::max(undo.size, end)) == 0;
}

void TakeBackUnsyncedWrites(bool half) TN_NO_LOCK_ANALYSIS {
  State& state = GlobalState();
  state.mutex.lock();  // for ever: the process ends
  for (auto& [key, file] : state.unsynced_files) {
    for (auto undo = file.undos.rbegin(); undo != file.undos.rend(); ++undo) {
      if (!TakeBack(file.fd, *undo, half ? undo->written / 2 : 0)) _exit(kCrashStatus + 1);
    }
  }
}

// The bytes of a write that stay in the file when the write is taken back.
std::string After(int fd, const Undo& undo) {
  std::string bytes(undo.written, '\0');
  const ssize_t got = pread(fd, bytes.data(), bytes.size(), undo.offset);
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

// Takes all writes back, then makes in each sector the first few of them again: the system writes
// pages of its cache to the disk in any order and at any time, and a page may be torn.
void TakeBackSomeUnsyncedWrites(uint64_t seed) TN_NO_LOCK_ANALYSIS {
  constexpr off_t kSector = 512;
  State& state = GlobalState();
  state.mutex.lock();  // for ever: the process ends
  std::mt19937_64 random(seed);
  for (auto& [key, file] : state.unsynced_files) {
    std::vector<std::string> after(file.undos.size());
    for (size_t i = file.undos.size(); i-- > 0;) {
      after[i] = After(file.fd, file.undos[i]);
      if (!TakeBack(file.fd, file.undos[i], 0)) _exit(kCrashStatus + 1);
    }
    // Sectors that have lost a write lose the later ones, too.
    std::set<off_t> lost;
    for (size_t i = 0; i < after.size(); ++i) {
      const uint64_t kept = random() % 3;  // 0: nothing of the write, 1: all, 2: some sectors
      const off_t begin = file.undos[i].offset;
      const off_t end = begin + static_cast<off_t>(after[i].size());
      for (off_t at = begin; at < end;) {
        const off_t next = std::min(end, (at / kSector + 1) * kSector);
        const auto bytes = static_cast<size_t>(next - at);
        if (kept == 0 || (kept == 2 && random() % 2 == 0)) lost.insert(at / kSector);
        if (!lost.contains(at / kSector) &&
            pwrite(file.fd, after[i].data() + (at - begin), bytes, at) < 0) {
          _exit(kCrashStatus + 1);
        }
        at = next;
      }
    }
  }
}

std::atomic<bool> keeps_unsynced{false};

bool SyncsLie() {
  const IoFault fault = planned_fault.load(std::memory_order_relaxed);
  return (fault == IoFault::kCrashLied || fault == IoFault::kCrashSomeLied) &&
         operations.load(std::memory_order_relaxed) + kLies >= fault_at.load();
}

bool UndoWanted() {
  const IoFault fault = planned_fault.load(std::memory_order_relaxed);
  return fault == IoFault::kCrashUnsynced || fault == IoFault::kCrashHalfSynced ||
         fault == IoFault::kCrashSomeSynced || fault == IoFault::kCrashLied ||
         fault == IoFault::kCrashSomeLied || keeps_unsynced.load(std::memory_order_relaxed);
}

// The file of KeepUnsyncedIn has for each write this header, then the file's path and the bytes
// before the write.
struct KeptUndo {
  dev_t device;
  ino_t inode;
  off_t offset;
  off_t size;
  uint64_t written;
  uint64_t path_bytes;
  uint64_t old_bytes;
};

void WriteUnsynced() TN_NO_LOCK_ANALYSIS {
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

// The entry of the file behind `fd`, made if there is none; null if the file cannot be opened.
UnsyncedFile* Unsynced(State& state, int fd, off_t* size) TN_REQUIRES(state.mutex) {
  FileKey key;
  if (!KeyOf(fd, &key, size)) return nullptr;
  UnsyncedFile& file = state.unsynced_files[key];
  if (file.fd < 0) {
    // `fd` may be open for writing only; taking a write back reads as well.
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
  const MutexLock lock(state.mutex);
  off_t size;
  if (UnsyncedFile* const file = Unsynced(state, fd, &size)) {
    file->undos.push_back({offset, size, BytesAt(file->fd, offset, count), count});
  }
}

// Called before the file is cut off at `offset`. The part behind is mostly a hole: only blocks with
// bytes other than zero are kept.
void RememberCutForUndo(int fd, off_t offset) {
  constexpr size_t kStep = 64 << 10;
  if (!UndoWanted()) return;
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
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

// How many writes of the file are not synced.
size_t CountUndos(int fd) {
  if (!UndoWanted()) return 0;
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  FileKey key;
  off_t size;
  if (!KeyOf(fd, &key, &size)) return 0;
  const auto found = state.unsynced_files.find(key);
  return found == state.unsynced_files.end() ? 0 : found->second.undos.size();
}

// The first `count` writes are synced. Others may have come during the sync.
void ForgetUndos(int fd, size_t count) {
  if (count == 0 || SyncsLie()) return;
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  FileKey key;
  off_t size;
  if (!KeyOf(fd, &key, &size)) return;
  std::vector<Undo>& undos = state.unsynced_files[key].undos;
  undos.erase(undos.begin(), undos.begin() + static_cast<ptrdiff_t>(std::min(count, undos.size())));
}

// Counts an operation. True if it shall fail, with errno set.
bool CountAndFail(bool is_write) {
  const uint64_t number = operations.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t at = fault_at.load(std::memory_order_relaxed);
  if (at == 0 || number < at) return false;
  switch (planned_fault.load(std::memory_order_relaxed)) {
    case IoFault::kNone:
    case IoFault::kCrashTorn:  // the caller ends the process (TornCrashDue)
      return false;
    case IoFault::kCrashUnsynced:
    case IoFault::kCrashHalfSynced:
    case IoFault::kCrashLied:
      TakeBackUnsyncedWrites(planned_fault.load() == IoFault::kCrashHalfSynced);
      _exit(kCrashStatus);
    case IoFault::kCrashSomeSynced:
    case IoFault::kCrashSomeLied: TakeBackSomeUnsyncedWrites(at); _exit(kCrashStatus);
    case IoFault::kCrash: WriteUnsynced(); _exit(kCrashStatus);
    case IoFault::kError:
      if (number > at) return false;
      break;
    case IoFault::kErrorForever: break;
    case IoFault::kWritesFail:
      if (!is_write) return false;
      break;
  }
  errno = planned_error.load(std::memory_order_relaxed);
  return true;
}

// The fault of an operation that changes nothing: none, an error, or for a read fewer bytes.
struct LookFault {
  int error = 0;
  bool short_read = false;
};

// Counts an operation that only looks.
LookFault CountLook() {
  const uint64_t number = looks.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number != look_fault_at.load(std::memory_order_relaxed)) return {};
  const int error = look_error.load(std::memory_order_relaxed);
  return {error, error == 0};
}

// For operations other than reads that change nothing. True if the operation shall fail, with errno
// set.
bool LookFails() {
  const int error = CountLook().error;
  if (error == 0 || error == EINTR) return false;
  errno = error;
  return true;
}

bool TornCrashDue() {
  const uint64_t at = fault_at.load(std::memory_order_relaxed);
  return at != 0 && planned_fault.load(std::memory_order_relaxed) == IoFault::kCrashTorn &&
         operations.load(std::memory_order_relaxed) >= at;
}

// For operations other than writes, which kCrashTorn cannot tear.
bool CountAndFailWhole() {
  const bool fail = CountAndFail(/*is_write=*/false);
  if (TornCrashDue()) _exit(kCrashStatus);
  return fail;
}

// Every operation counts itself first, then asks the system.
class FileSystemWithFaults final : public FileSystem {
 public:
  ssize_t Write(int fd, const void* bytes, size_t count) override {
    if (CountAndFail(/*is_write=*/true)) return -1;
    if (TornCrashDue()) {
      (void)!write(fd, bytes, count / 2);
      _exit(kCrashStatus);
    }
    if (UndoWanted()) RememberForUndo(fd, lseek(fd, 0, SEEK_CUR), count);
    return FileSystem::Write(fd, bytes, count);
  }

  ssize_t Pwrite(int fd, const void* bytes, size_t count, off_t offset) override {
    if (CountAndFail(/*is_write=*/true)) return -1;
    if (TornCrashDue()) {
      (void)!pwrite(fd, bytes, count / 2, offset);
      _exit(kCrashStatus);
    }
    RememberForUndo(fd, offset, count);
    return FileSystem::Pwrite(fd, bytes, count, offset);
  }

  ssize_t Pwritev(int fd, const iovec* parts, int count, off_t offset) override {
    if (CountAndFail(/*is_write=*/true)) return -1;
    size_t bytes = 0;
    for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
    if (TornCrashDue()) {
      size_t left = bytes / 2;
      for (int i = 0; i < count; ++i) {
        const size_t now = std::min(left, parts[i].iov_len);
        (void)!pwrite(fd, parts[i].iov_base, now, offset);
        offset += static_cast<off_t>(now);
        left -= now;
      }
      _exit(kCrashStatus);
    }
    RememberForUndo(fd, offset, bytes);
    return FileSystem::Pwritev(fd, parts, count, offset);
  }

  int Sync(int fd) override {
    if (CountAndFailWhole()) return -1;
    const size_t unsynced = CountUndos(fd);
    const int result = FileSystem::Sync(fd);
    if (result == 0) ForgetUndos(fd, unsynced);
    return result;
  }

  int SyncDirectory(int fd) override {
    return CountAndFailWhole() ? -1 : FileSystem::SyncDirectory(fd);
  }

  int Truncate(int fd, off_t size) override {
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
    return FileSystem::Truncate(fd, size);
  }

  int Rename(const Place& from, const Place& to) override {
    return CountAndFailWhole() ? -1 : FileSystem::Rename(from, to);
  }
  int Unlink(const Place& place) override {
    return CountAndFailWhole() ? -1 : FileSystem::Unlink(place);
  }
  int MakeDirectory(const char* path) override {
    return CountAndFailWhole() ? -1 : FileSystem::MakeDirectory(path);
  }
  int Create(const Place& place, int flags) override {
    return CountAndFailWhole() ? -1 : FileSystem::Create(place, flags);
  }
  int CreateAgain(const Place& place, int flags) override {
    return CountAndFailWhole() ? -1 : FileSystem::CreateAgain(place, flags);
  }

  int Open(const Place& place, int flags) override {
    return LookFails() ? -1 : FileSystem::Open(place, flags);
  }

  ssize_t Pread(int fd, void* bytes, size_t count, off_t offset) override {
    const LookFault fault = CountLook();
    if (fault.error != 0) {
      errno = fault.error;
      return -1;
    }
    if (fault.short_read) count = std::max<size_t>(count / 2, 1);
    return FileSystem::Pread(fd, bytes, count, offset);
  }

  int Stat(const Place& place, struct stat* info) override {
    return LookFails() ? -1 : FileSystem::Stat(place, info);
  }
  int Info(int fd, struct stat* info) override {
    return LookFails() ? -1 : FileSystem::Info(fd, info);
  }

  int List(int fd, std::vector<std::string>* names) override {
    if (LookFails()) {
      close(fd);
      errno = look_error;
      return -1;
    }
    if (FileSystem::List(fd, names) != 0) return -1;
    // The list may fail in its middle, too.
    if (!LookFails()) return 0;
    names->clear();
    return -1;
  }
};

FileSystem& FaultyFiles() {
  static constinit FileSystemWithFaults files;
  return files;
}

[[maybe_unused]] const bool in_use = (UseFileSystem(FaultyFiles()), true);

}  // namespace

void SetIoFault(IoFault fault, uint64_t at, int error) {
  planned_error = error;
  planned_fault = fault;
  fault_at = fault == IoFault::kNone ? 0 : operations.load() + at;
  if (fault == IoFault::kNone) UseFileSystem(FaultyFiles());
}

void SetLookFault(uint64_t at, int error) {
  look_error = error;
  look_fault_at = at == 0 ? 0 : looks.load() + at;
}

uint64_t IoLooks() { return looks.load(std::memory_order_relaxed); }

void KeepUnsyncedIn(const std::string& file) {
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
  state.keep_unsynced_in = file;
  keeps_unsynced = !file.empty();
}

void TakeOverUnsynced(const std::string& file) {
  State& state = GlobalState();
  const MutexLock lock(state.mutex);
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
    // The file may have been removed or renamed.
    if (unsynced.fd < 0 || !KeyOf(unsynced.fd, &key, &size) ||
        key != FileKey{kept.device, kept.inode}) {
      state.unsynced_files.erase({kept.device, kept.inode});
      continue;
    }
    unsynced.undos.push_back({kept.offset, kept.size, std::move(bytes), kept.written});
  }
  close(fd);
}

uint64_t IoOperations() { return operations.load(std::memory_order_relaxed); }

}  // namespace tenure::store
