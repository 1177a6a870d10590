#include "store/trees/tree_io.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/trees/tree_memory.h"
#include "store/trees/tree_pages.h"

namespace tenure::store {

namespace {

bool KeyOf(int fd, FileKey* key) {
  struct stat info;
  if (StoreInfo(fd, &info) != 0) return false;
  *key = {info.st_dev, info.st_ino};
  return true;
}

struct Owner {
  TreeOwner* pages = nullptr;
  std::string name;  // of the file in its store
};

// Never destroyed: threads may be writing while the process ends.
struct Registry {
  SharedMutex mutex;
  std::vector<TreeOwner*> all TN_GUARDED_BY(mutex);
  std::map<FileKey, Owner> files TN_GUARDED_BY(mutex);
  std::vector<FileKey> opened
      TN_GUARDED_BY(mutex);  // by TreeOpen, by descriptor; those that are closed are there still
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

// The owner and the key of the file behind a descriptor that TreeOpen gave. No fstat: after an
// fstat the system notes the time of the next write more exactly, and some file systems then write
// the inode with each sync.
Owner OwnerOf(int fd, FileKey* key) {
  Registry& registry = TheRegistry();
  const ReaderLock lock(registry.mutex);
  if (fd < 0 || static_cast<size_t>(fd) >= registry.opened.size()) return {};
  *key = registry.opened[static_cast<size_t>(fd)];
  const auto found = registry.files.find(*key);
  return found == registry.files.end() ? Owner() : found->second;
}

// The owner of the file with the path that Berkeley DB uses. Logs have no owner. Nor have the
// temporary files from which Berkeley DB makes a database: an interrupted creation is undone.
Owner OwnerOf(const char* path) {
  const std::string_view whole(path);
  const size_t slash = whole.rfind('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view directory = whole.substr(0, slash), name = whole.substr(slash + 1);
  if (!name.ends_with(".db") && !name.ends_with(".db.new")) return {};
  Registry& registry = TheRegistry();
  const ReaderLock lock(registry.mutex);
  // An earlier opening of the store may still have an owner.
  const auto newest =
      std::find_if(registry.all.rbegin(), registry.all.rend(),
                   [&](const TreeOwner* pages) { return pages->directory() == directory; });
  if (newest == registry.all.rend()) return {};
  return {*newest, std::string(name)};
}

// Gives the file an owner, or none: the system may have used its number for another file before.
void Register(const FileKey& key, Owner owner) {
  Registry& registry = TheRegistry();
  const LockGuard lock(registry.mutex);
  if (owner.pages != nullptr) owner.pages->ForgetPages(key, owner.name);
  if (owner.pages == nullptr) {
    registry.files.erase(key);
  } else {
    registry.files[key] = std::move(owner);
  }
}

void NoteOpened(int fd, const FileKey& key) {
  Registry& registry = TheRegistry();
  const LockGuard lock(registry.mutex);
  const auto index = static_cast<size_t>(fd);
  if (registry.opened.size() <= index) registry.opened.resize(index + 1);
  registry.opened[index] = key;
}

// An error number for Berkeley DB, where the system returns 0 or -1.
int ErrorOf(int result) {
  if (result == 0) return 0;
  return errno != 0 ? errno : EIO;
}

thread_local TreeLookGuard* look_guard = nullptr;

// Whether nothing may be changed any more, with errno set.
bool Stopped() {
  if (look_guard == nullptr || look_guard->error() == 0) return false;
  errno = look_guard->error();
  return true;
}

// The result of looking at `path`; a missing name is an answer. Berkeley DB gives no path for some
// files that it has open.
template <typename T>
T Looked(T result, const char* path) {
  if (result < 0 && errno != ENOENT && look_guard != nullptr) {
    look_guard->Note(errno, path != nullptr ? path : "");
  }
  return result;
}

bool CopyFile(int from, int to) {
  std::vector<char> bytes(1 << 20);
  const off_t size = lseek(from, 0, SEEK_END);
  if (size < 0 || ftruncate(to, size) != 0) return false;
  for (off_t at = 0; at < size;) {
    const off_t data = lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    at = std::max(data, at);
    const ssize_t got = StoreRead(from, bytes.data(), bytes.size(), at);
    if (got < 0) return false;
    if (got == 0) break;
    if (pwrite(to, bytes.data(), static_cast<size_t>(got), at) != got) return false;
    at += got;
  }
  return true;
}

// A copy of a log file in memory, in the place of its descriptor, which is closed; the descriptor
// where there is no such memory. -1 if it cannot be read.
int CopyInMemory(int fd) {
  const int copy = memfd_create("log", MFD_CLOEXEC);
  if (copy < 0) return fd;
  const bool copied = CopyFile(fd, copy);
  const int error = errno;
  close(copied ? fd : copy);
  if (copied) return copy;
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

TreeLookGuard::TreeLookGuard() { look_guard = this; }
TreeLookGuard::~TreeLookGuard() { look_guard = nullptr; }

void TreeLookGuard::Note(int error, const std::string& path) {
  if (error_ != 0) return;
  error_ = error;
  path_ = path;
}

void AddTreeOwner(TreeOwner* owner) {
  Registry& registry = TheRegistry();
  const LockGuard lock(registry.mutex);
  registry.all.push_back(owner);
}

void RemoveTreeOwner(TreeOwner* owner) {
  Registry& registry = TheRegistry();
  const LockGuard lock(registry.mutex);
  std::erase(registry.all, owner);
  std::erase_if(registry.files, [&](const auto& file) { return file.second.pages == owner; });
}

namespace {

// Berkeley DB takes a page that begins with zeros for one that was never written, and ignores its
// checksum. Where every page must have been written, the page gets a number, so that its checksum
// is wrong.
void PoisonZeroPage(void* page, size_t bytes, off_t offset) {
  // Place in the log, number, neighbours, entries, level, kind.
  static constexpr char kNoHeader[26] = {};
  constexpr size_t kNumberAt = 8;
  if (offset == 0 || bytes < sizeof kNoHeader) return;
  if (std::memcmp(page, kNoHeader, sizeof kNoHeader) != 0) return;
  const auto number = static_cast<uint32_t>(offset / static_cast<off_t>(bytes));
  std::memcpy(static_cast<char*>(page) + kNumberAt, &number, sizeof number);
}

// An array, which needs no destructor: the C library ends the process when it lacks the memory to
// register one.
thread_local char page_trouble[512] = "";

// Gives a wrong checksum to a page that would mislead Berkeley DB. False, with errno: whether the
// page is good is unknown.
bool CheckPage(int fd, const FileKey& key, const Owner& owner, std::span<std::byte> page,
               off_t offset) {
  const auto number = static_cast<uint32_t>(offset / static_cast<off_t>(page.size()));
  int error = 0;
  const std::string trouble = owner.pages->TroubleOf(fd, key, number, page, &error);
  errno = error;
  if (error != 0) return false;
  // Berkeley DB itself reports a page with a wrong checksum.
  if (trouble.empty() || !IsSummedRight(page)) return true;
  const std::string text = owner.name + ": page " + std::to_string(number) + " " + trouble;
  snprintf(page_trouble, sizeof page_trouble, "%s", text.c_str());
  SpoilTreePage(page);
  return true;
}

}  // namespace

const char* PageTrouble() { return page_trouble; }
void ClearPageTrouble() { page_trouble[0] = '\0'; }

ssize_t TreeRead(int fd, void* bytes, size_t count, off_t offset) {
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  const ssize_t got = owner.pages == nullptr ? StoreRead(fd, bytes, count, offset)
                                             : owner.pages->Read(fd, key, bytes, count, offset);
  if (got < 0 && look_guard != nullptr) look_guard->Note(errno, owner.name);
  const bool holes = owner.pages != nullptr && owner.pages->may_have_holes();
  if (got == static_cast<ssize_t>(count) && !holes) PoisonZeroPage(bytes, count, offset);
  if (owner.pages != nullptr && got == static_cast<ssize_t>(count) && count == kTreePageBytes &&
      offset % static_cast<off_t>(kTreePageBytes) == 0 &&
      !CheckPage(fd, key, owner, std::span(static_cast<std::byte*>(bytes), count), offset)) {
    if (look_guard != nullptr) look_guard->Note(errno, owner.name);
    return -1;
  }
  return got;
}

ssize_t TreeWrite(int fd, const void* bytes, size_t count, off_t offset) {
  if (Stopped()) return -1;
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  if (owner.pages == nullptr) return StorePwrite(fd, bytes, count, offset);
  return owner.pages->Write(fd, key, owner.name, bytes, count, offset);
}

ssize_t TreeWriteHere(int fd, const void* bytes, size_t count) {
  if (Stopped()) return -1;
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  if (owner.pages == nullptr) return StoreWrite(fd, bytes, count);
  const off_t position = lseek(fd, 0, SEEK_CUR);
  if (position < 0) return -1;
  const ssize_t done = owner.pages->Write(fd, key, owner.name, bytes, count, position);
  return done < 0 || lseek(fd, position + done, SEEK_SET) < 0 ? -1 : done;
}

int TreeSync(int fd) {
  if (Stopped()) return ErrorOf(-1);
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  return ErrorOf(owner.pages == nullptr ? StoreSync(fd) : owner.pages->Sync(fd, key));
}

int TreeTruncate(int fd, off_t size) {
  if (Stopped()) return ErrorOf(-1);
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  if (owner.pages != nullptr && owner.pages->Retire() != 0) return ErrorOf(-1);
  return ErrorOf(StoreTruncate(fd, size));
}

int TreeRename(const char* from, const char* to) {
  if (Stopped()) return ErrorOf(-1);
  const Owner owner = OwnerOf(to);
  if (owner.pages != nullptr && owner.pages->Retire() != 0) return ErrorOf(-1);
  if (StoreRename(from, to) != 0) return ErrorOf(-1);
  struct stat info;
  if (StoreStat(to, &info) == 0) Register({info.st_dev, info.st_ino}, owner);
  return 0;
}

int TreeUnlink(const char* path) {
  if (Stopped()) return ErrorOf(-1);
  const Owner owner = OwnerOf(path);
  if (owner.pages != nullptr && owner.pages->Retire() != 0) return ErrorOf(-1);
  return ErrorOf(StoreUnlink(path));
}

int TreeList(const char* path, char*** names, int* count) {
  *names = nullptr;
  *count = 0;
  std::vector<std::string> found;
  if (Looked(StoreList(path, &found), path) != 0) return ErrorOf(-1);
  auto* const list = static_cast<char**>(std::malloc((found.size() + 1) * sizeof(char*)));
  if (list == nullptr) return ENOMEM;
  for (const std::string& name : found) {
    struct stat info;
    const std::string file = std::string(path) + "/" + name;
    if (Looked(StoreStat(file.c_str(), &info), file.c_str()) != 0) {
      if (errno == ENOENT) continue;
      const int error = ErrorOf(-1);
      TreeFreeList(list, *count);
      *count = 0;
      return error;
    }
    if (!S_ISREG(info.st_mode)) continue;
    char* const copy = strdup(name.c_str());
    if (copy == nullptr) {
      TreeFreeList(list, *count);
      *count = 0;
      return ENOMEM;
    }
    list[(*count)++] = copy;
  }
  *names = list;
  return 0;
}

void TreeFreeList(char** names, int count) {
  while (count > 0) std::free(names[--count]);
  std::free(names);
}

int TreeExists(const char* path, int* is_directory) {
  struct stat info;
  if (Looked(StoreStat(path, &info), path) != 0) return ErrorOf(-1);
  if (is_directory != nullptr) *is_directory = S_ISDIR(info.st_mode);
  return 0;
}

int TreeInfo(const char* path, int fd, uint32_t* megabytes, uint32_t* bytes, uint32_t* io_bytes) {
  struct stat info;
  if (Looked(StoreInfo(fd, &info), path) != 0) return ErrorOf(-1);
  constexpr off_t kMegabyte = 1 << 20;
  constexpr uint32_t kUsualIoBytes = 8 << 10;
  if (megabytes != nullptr) *megabytes = static_cast<uint32_t>(info.st_size / kMegabyte);
  if (bytes != nullptr) *bytes = static_cast<uint32_t>(info.st_size % kMegabyte);
  if (io_bytes != nullptr) {
    *io_bytes = info.st_blksize > 0 ? static_cast<uint32_t>(info.st_blksize) : kUsualIoBytes;
  }
  return 0;
}

namespace {

// Before Berkeley DB makes the log file `path`: the file in which blocks were reserved for it, if
// there is one, becomes that file. 0, or -1 with errno.
int TakeSpareLog(const char* path) {
  struct stat info;
  if (StoreStat(path, &info) == 0) return 0;
  if (errno != ENOENT) return -1;
  const std::string whole = path;
  const std::string spare = whole.substr(0, whole.rfind('/') + 1) + std::string(kSpareLogFile);
  return StoreRename(spare.c_str(), path) == 0 || errno == ENOENT ? 0 : -1;
}

}  // namespace

int TreeOpen(const char* path, int flags, ...) {
  if ((flags & (O_CREAT | O_TRUNC)) != 0 && Stopped()) return -1;
  const std::string_view name =
      std::string_view(path).substr(std::string_view(path).rfind('/') + 1);
  if ((flags & O_CREAT) != 0 && IsLogFile(name) && TakeSpareLog(path) != 0) {
    return Looked(-1, path);
  }
  const Owner owner = OwnerOf(path);
  if (owner.pages != nullptr && (flags & O_TRUNC) != 0 && owner.pages->Retire() != 0) return -1;
  int fd = StoreOpen(path, flags);
  if (fd >= 0 && look_guard != nullptr && (flags & O_ACCMODE) == O_RDONLY && IsLogFile(name)) {
    fd = CopyInMemory(fd);
  }
  Looked(fd, path);
  FileKey key;
  if (fd < 0) return fd;
  if (!KeyOf(fd, &key)) {
    const int error = errno;
    close(fd);
    errno = error;
    return Looked(-1, path);
  }
  Register(key, owner);
  NoteOpened(fd, key);
  // The file's length and first bytes are looked at in other ways.
  if (owner.pages != nullptr && owner.pages->HasPages(key) && owner.pages->Settle() != 0) {
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  return fd;
}

}  // namespace tenure::store
