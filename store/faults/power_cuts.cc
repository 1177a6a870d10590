#include "store/faults/power_cuts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "base/check.h"

namespace tenure::store {

namespace {

constexpr size_t kSector = 512;

}  // namespace

size_t PowerCuts::NumberOf(int fd) {
  struct stat info;
  TN_CHECK(fstat(fd, &info) == 0);
  const auto [found, is_new] = numbers_.try_emplace({info.st_dev, info.st_ino}, files_);
  files_ += is_new;
  return found->second;
}

int PowerCuts::NoteCreated(const Place& place, int fd) {
  if (fd < 0) return fd;
  struct stat info;
  TN_CHECK(fstat(fd, &info) == 0);
  numbers_[{info.st_dev, info.st_ino}] = files_;  // A removed file may have had the same inode.
  operations_.push_back({.kind = Kind::kCreate, .file = files_++, .name = place.name});
  return fd;
}

void PowerCuts::NoteWrite(int fd, const void* bytes, size_t count, off_t offset) {
  operations_.push_back({.kind = Kind::kWrite,
                         .file = NumberOf(fd),
                         .offset = offset,
                         .bytes = {static_cast<const char*>(bytes), count}});
}

ssize_t PowerCuts::Write(int fd, const void* bytes, size_t count) {
  const off_t offset = lseek(fd, 0, SEEK_CUR);
  const ssize_t done = FileSystem::Write(fd, bytes, count);
  if (done > 0) NoteWrite(fd, bytes, static_cast<size_t>(done), offset);
  return done;
}

ssize_t PowerCuts::Pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  const ssize_t done = FileSystem::Pwrite(fd, bytes, count, offset);
  if (done > 0) NoteWrite(fd, bytes, static_cast<size_t>(done), offset);
  return done;
}

ssize_t PowerCuts::Pwritev(int fd, const iovec* parts, int count, off_t offset) {
  const ssize_t done = FileSystem::Pwritev(fd, parts, count, offset);
  ssize_t noted = 0;
  for (int i = 0; i < count && noted < done; ++i) {
    const auto part = std::min(static_cast<ssize_t>(parts[i].iov_len), done - noted);
    NoteWrite(fd, parts[i].iov_base, static_cast<size_t>(part), offset + noted);
    noted += part;
  }
  return done;
}

int PowerCuts::Sync(int fd) {
  operations_.push_back({.kind = Kind::kSync, .file = NumberOf(fd)});
  return 0;
}

int PowerCuts::SyncDirectory(int) {
  operations_.push_back({.kind = Kind::kSyncNames});
  return 0;
}

int PowerCuts::Truncate(int fd, off_t size) {
  const int result = FileSystem::Truncate(fd, size);
  if (result == 0) {
    operations_.push_back({.kind = Kind::kTruncate, .file = NumberOf(fd), .offset = size});
  }
  return result;
}

int PowerCuts::Rename(const Place& from, const Place& to) {
  const int result = FileSystem::Rename(from, to);
  if (result == 0) {
    operations_.push_back({.kind = Kind::kRename, .name = from.name, .other = to.name});
  }
  return result;
}

int PowerCuts::Unlink(const Place& place) {
  const int result = FileSystem::Unlink(place);
  if (result == 0) operations_.push_back({.kind = Kind::kUnlink, .name = place.name});
  return result;
}

int PowerCuts::Create(const Place& place, int flags) {
  return NoteCreated(place, FileSystem::Create(place, flags));
}

int PowerCuts::CreateAgain(const Place& place, int flags) {
  return NoteCreated(place, FileSystem::CreateAgain(place, flags));
}

void PowerCuts::Make(const std::string& target, size_t at, Left left, uint64_t seed) const {
  std::mt19937_64 random(seed);
  const auto chance = [&] { return random() % 2 == 0; };
  // Behind these operations comes a sync that makes them durable.
  std::map<size_t, size_t> synced;
  size_t names_synced = 0;
  for (size_t i = 0; i < at; ++i) {
    if (operations_[i].kind == Kind::kSync) synced[operations_[i].file] = i;
    if (operations_[i].kind == Kind::kSyncNames) names_synced = i;
  }
  TN_CHECK(mkdir(target.c_str(), 0700) == 0);
  const auto path = [&](size_t file) { return target + "/." + std::to_string(file); };
  std::map<std::string, size_t> names;
  std::vector<size_t> made;
  for (size_t i = 0; i < at; ++i) {
    const Operation& operation = operations_[i];
    const bool durable_name = i < names_synced;
    const bool name_done = durable_name || left == Left::kAll || left == Left::kNames ||
                           left == Left::kLengths || (left == Left::kSome && chance());
    const auto last = synced.find(operation.file);
    const bool durable = last != synced.end() && i < last->second;
    const bool lost = left == Left::kNothing || left == Left::kNames;
    switch (operation.kind) {
      case Kind::kCreate: {
        const int fd = open(path(operation.file).c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
        TN_CHECK(fd >= 0 && close(fd) == 0);
        made.push_back(operation.file);
        if (name_done) names[operation.name] = operation.file;
        break;
      }
      case Kind::kRename:
        if (const auto found = names.find(operation.name); name_done && found != names.end()) {
          names[operation.other] = found->second;
          names.erase(operation.name);
        }
        break;
      case Kind::kUnlink:
        if (name_done) names.erase(operation.name);
        break;
      case Kind::kTruncate:
        if (durable || !lost) {
          if (left == Left::kSome && !durable && chance()) break;
          TN_CHECK(truncate(path(operation.file).c_str(), operation.offset) == 0);
        }
        break;
      case Kind::kWrite: {
        if (!durable && lost) break;
        const int fd = open(path(operation.file).c_str(), O_RDWR);
        TN_CHECK(fd >= 0);
        const auto end = operation.offset + static_cast<off_t>(operation.bytes.size());
        struct stat info;
        TN_CHECK(fstat(fd, &info) == 0);
        if (end > info.st_size) TN_CHECK(ftruncate(fd, end) == 0);
        const bool whole = durable || left == Left::kAll || left == Left::kData;
        for (size_t done = 0; done < operation.bytes.size();) {
          const size_t in_sector = (static_cast<size_t>(operation.offset) + done) % kSector;
          const size_t count = whole ? operation.bytes.size()
                                     : std::min(kSector - in_sector, operation.bytes.size() - done);
          if (whole || (left == Left::kSome && chance())) {
            TN_CHECK(pwrite(fd, operation.bytes.data() + done, count,
                            operation.offset + static_cast<off_t>(done)) ==
                     static_cast<ssize_t>(count));
          }
          done += count;
        }
        TN_CHECK(close(fd) == 0);
        break;
      }
      case Kind::kSync:
      case Kind::kSyncNames: break;
    }
  }
  for (const auto& [name, file] : names) {
    TN_CHECK(link(path(file).c_str(), (target + "/" + name).c_str()) == 0);
  }
  for (const size_t file : made) TN_CHECK(unlink(path(file).c_str()) == 0);
}

}  // namespace tenure::store
