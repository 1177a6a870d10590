#include "stabilize/tree_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stabilize/recovery.h"
#include "stabilize/store_io.h"
#include "stabilize/tree_memory.h"
#include "stabilize/tree_pages.h"

namespace tenure::stabilize {

namespace {

bool KeyOf(int fd, FileKey* key) {
  struct stat info;
  if (fstat(fd, &info) != 0) return false;
  *key = {info.st_dev, info.st_ino};
  return true;
}

struct Owner {
  DoubleWrite* pages = nullptr;
  std::string name;  // of the file in its store
};

// Never destroyed: threads may be writing while the process ends.
struct Registry {
  std::shared_mutex mutex;
  std::vector<DoubleWrite*> all;
  std::map<FileKey, Owner> files;
  std::vector<FileKey> opened;  // by TreeOpen, by descriptor; those that are closed are there still
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

// And the file's key, of a descriptor that TreeOpen gave. No fstat: after one the system notes the
// time of the next write more exactly, and some file systems write the inode with each sync then.
Owner OwnerOf(int fd, FileKey* key) {
  Registry& registry = TheRegistry();
  const std::shared_lock lock(registry.mutex);
  if (fd < 0 || static_cast<size_t>(fd) >= registry.opened.size()) return {};
  *key = registry.opened[static_cast<size_t>(fd)];
  const auto found = registry.files.find(*key);
  return found == registry.files.end() ? Owner() : found->second;
}

// By the path that Berkeley DB uses. Logs are nobody's, nor are the temporary files from which it
// makes a database: an interrupted creation is undone.
Owner OwnerOf(const char* path) {
  const std::string_view whole(path);
  const size_t slash = whole.rfind('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view directory = whole.substr(0, slash), name = whole.substr(slash + 1);
  if (!name.ends_with(".db") && !name.ends_with(".db.new")) return {};
  Registry& registry = TheRegistry();
  const std::shared_lock lock(registry.mutex);
  for (DoubleWrite* const pages : registry.all) {
    if (pages->directory() == directory) return {pages, std::string(name)};
  }
  return {};
}

// From now on the file is `owner`'s, or nobody's: its number may have been another file's before.
void Register(const FileKey& key, Owner owner) {
  Registry& registry = TheRegistry();
  const std::unique_lock lock(registry.mutex);
  if (owner.pages != nullptr) owner.pages->ForgetPages(key);
  if (owner.pages == nullptr) {
    registry.files.erase(key);
  } else {
    registry.files[key] = std::move(owner);
  }
}

void NoteOpened(int fd, const FileKey& key) {
  Registry& registry = TheRegistry();
  const std::unique_lock lock(registry.mutex);
  const auto index = static_cast<size_t>(fd);
  if (registry.opened.size() <= index) registry.opened.resize(index + 1);
  registry.opened[index] = key;
}

// What Berkeley DB is told, where the system says 0 or -1.
int ErrorOf(int result) {
  if (result == 0) return 0;
  return errno != 0 ? errno : EIO;
}

}  // namespace

void AddTreeOwner(DoubleWrite* pages) {
  Registry& registry = TheRegistry();
  const std::unique_lock lock(registry.mutex);
  registry.all.push_back(pages);
}

void RemoveTreeOwner(DoubleWrite* pages) {
  Registry& registry = TheRegistry();
  const std::unique_lock lock(registry.mutex);
  std::erase(registry.all, pages);
  std::erase_if(registry.files, [&](const auto& file) { return file.second.pages == pages; });
}

namespace {

// Berkeley DB takes a page that begins with zeros for one that was never written, and does not sum
// it. Where there can be none it gets a number, with which its sum is wrong.
void HaveHoleSummed(void* page, size_t bytes, off_t offset) {
  // Place in the log, number, neighbours, entries, level, kind.
  static constexpr char kNoHeader[26] = {};
  constexpr size_t kNumberAt = 8;
  if (offset == 0 || bytes < sizeof kNoHeader) return;
  if (std::memcmp(page, kNoHeader, sizeof kNoHeader) != 0) return;
  const auto number = static_cast<uint32_t>(offset / static_cast<off_t>(bytes));
  std::memcpy(static_cast<char*>(page) + kNumberAt, &number, sizeof number);
}

thread_local std::string page_trouble;

// Pages that Berkeley DB would be led astray by get a wrong sum.
void CheckPage(int fd, const FileKey& key, const Owner& owner, std::span<std::byte> page,
               off_t offset) {
  const auto number = static_cast<uint32_t>(offset / static_cast<off_t>(page.size()));
  const std::string trouble = owner.pages->TroubleOf(fd, key, number, page);
  // Damage is told as such.
  if (trouble.empty() || !IsSummedRight(page)) return;
  page_trouble = owner.name + ": page " + std::to_string(number) + " " + trouble;
  SpoilTreePage(page);
}

}  // namespace

const std::string& PageTrouble() { return page_trouble; }
void ClearPageTrouble() { page_trouble.clear(); }

ssize_t TreeRead(int fd, void* bytes, size_t count, off_t offset) {
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  const ssize_t got = owner.pages == nullptr ? pread(fd, bytes, count, offset)
                                             : owner.pages->Read(fd, key, bytes, count, offset);
  const bool holes = owner.pages != nullptr && owner.pages->may_have_holes();
  if (got == static_cast<ssize_t>(count) && !holes) HaveHoleSummed(bytes, count, offset);
  if (owner.pages != nullptr && got == static_cast<ssize_t>(count) && count == kTreePageBytes &&
      offset % static_cast<off_t>(kTreePageBytes) == 0) {
    CheckPage(fd, key, owner, std::span(static_cast<std::byte*>(bytes), count), offset);
  }
  return got;
}

ssize_t TreeWrite(int fd, const void* bytes, size_t count, off_t offset) {
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  if (owner.pages == nullptr) return StorePwrite(fd, bytes, count, offset);
  return owner.pages->Write(fd, key, owner.name, bytes, count, offset);
}

ssize_t TreeWriteHere(int fd, const void* bytes, size_t count) {
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  if (owner.pages == nullptr) return StoreWrite(fd, bytes, count);
  const off_t position = lseek(fd, 0, SEEK_CUR);
  if (position < 0) return -1;
  const ssize_t done = owner.pages->Write(fd, key, owner.name, bytes, count, position);
  return done < 0 || lseek(fd, position + done, SEEK_SET) < 0 ? -1 : done;
}

int TreeSync(int fd) {
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  return ErrorOf(owner.pages == nullptr ? StoreSync(fd) : owner.pages->Sync(fd, key));
}

int TreeTruncate(int fd, off_t size) {
  FileKey key;
  const Owner owner = OwnerOf(fd, &key);
  if (owner.pages != nullptr && owner.pages->Retire() != 0) return ErrorOf(-1);
  return ErrorOf(StoreTruncate(fd, size));
}

int TreeRename(const char* from, const char* to) {
  const Owner owner = OwnerOf(to);
  if (owner.pages != nullptr && owner.pages->Retire() != 0) return ErrorOf(-1);
  if (StoreRename(from, to) != 0) return ErrorOf(-1);
  struct stat info;
  if (StoreStat(to, &info) == 0) Register({info.st_dev, info.st_ino}, owner);
  return 0;
}

int TreeUnlink(const char* path) {
  const Owner owner = OwnerOf(path);
  if (owner.pages != nullptr && owner.pages->Retire() != 0) return ErrorOf(-1);
  return ErrorOf(StoreUnlink(path));
}

int TreeOpen(const char* path, int flags, ...) {
  const Owner owner = OwnerOf(path);
  if (owner.pages != nullptr && (flags & O_TRUNC) != 0 && owner.pages->Retire() != 0) return -1;
  const int fd = StoreOpen(path, flags);
  FileKey key;
  if (fd < 0) return fd;
  if (!KeyOf(fd, &key)) {
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
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

int TreeExists(const char* path, int* is_directory) {
  struct stat info;
  if (StoreStat(path, &info) != 0) return ErrorOf(-1);
  if (is_directory != nullptr) *is_directory = S_ISDIR(info.st_mode) ? 1 : 0;
  return 0;
}

int TreeList(const char* directory, char*** names, int* count) {
  Result<std::vector<std::string>> found = EntriesOf(directory);
  if (!found.ok()) {
    const int64_t error = found.status().number();
    return error > 0 ? static_cast<int>(error) : EIO;
  }
  // One block, as nobody else reads it: places of the names, and what they are.
  size_t bytes = found->size() * sizeof(char*);
  for (const std::string& name : *found) bytes += name.size() + 1;
  auto* const places = static_cast<char**>(std::malloc(std::max<size_t>(bytes, 1)));
  if (places == nullptr) return ENOMEM;
  char* text = reinterpret_cast<char*>(places + found->size());
  for (size_t i = 0; i < found->size(); ++i) {
    places[i] = text;
    std::memcpy(text, (*found)[i].c_str(), (*found)[i].size() + 1);
    text += (*found)[i].size() + 1;
  }
  *names = places;
  *count = static_cast<int>(found->size());
  return 0;
}

void TreeListEnd(char** names, int) { std::free(names); }

}  // namespace tenure::stabilize
