#include "store/log/log_mark.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "base/crc32c.h"
#include "base/mutex.h"
#include "store/files/descriptor.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/page_record.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

// The same in memory and on disk; the checksum covers the bytes behind it.
struct Mark {
  char magic[8];
  uint32_t checksum;
  LogPlace place;
  uint32_t unused;
  uint64_t version;
  Uuid store;
};
static_assert(sizeof(Mark) == 48);

constexpr char kClosed[8] = {'T', 'e', 'n', 'u', 'r', 'e', 'L', 'C'};
constexpr char kSynced[8] = {'T', 'e', 'n', 'u', 'r', 'e', 'L', 'S'};
constexpr off_t kClosedAt = 0;
constexpr off_t kSyncedAt = 512;

Mark MarkOf(const char (&magic)[8], LogPlace place, uint64_t version, const Uuid& store) {
  Mark mark{{}, 0, place, 0, version, store};
  std::memcpy(mark.magic, magic, sizeof mark.magic);
  constexpr size_t kFrom = offsetof(Mark, place);
  mark.checksum = Crc32c(0, std::as_bytes(std::span(&mark, 1)).subspan(kFrom));
  return mark;
}

struct Marks {
  Mark closed{}, synced{};  // all zero if there is none
};

Result<Mark> ReadMark(int fd, const std::string& file, off_t at, const char (&magic)[8]) {
  Mark mark{};
  const ssize_t got = StoreRead(fd, &mark, sizeof mark, at);
  if (got < 0) return SystemFailure(errno, "cannot read " + file);
  const Mark expected = MarkOf(magic, mark.place, mark.version, mark.store);
  if (got != sizeof mark || std::memcmp(&mark, &expected, sizeof mark) != 0) return Mark{};
  return mark;
}

// Of any store.
Result<Marks> ReadMarks(const std::string& directory) {
  const std::string file = directory + "/" + std::string(kMarkFile);
  const Descriptor descriptor(StoreOpen(file.c_str(), O_RDONLY));
  if (descriptor.get() < 0) {
    if (errno == ENOENT) return Marks();
    return SystemFailure(errno, "cannot open " + file);
  }
  Marks marks;
  TN_ASSIGN_OR_RETURN(marks.closed, ReadMark(descriptor.get(), file, kClosedAt, kClosed));
  TN_ASSIGN_OR_RETURN(marks.synced, ReadMark(descriptor.get(), file, kSyncedAt, kSynced));
  return marks;
}

}  // namespace

Result<LogMarks> ReadLogMarks(const std::string& directory, const Uuid& store) {
  TN_ASSIGN_OR_RETURN(const Marks marks, ReadMarks(directory));
  LogMarks own;
  if (marks.closed.store == store) own.first_file = marks.closed.place.file;
  if (marks.synced.store == store) {
    own.synced = marks.synced.place;
    own.version = marks.synced.version;
  }
  return own;
}

Result<bool> HasBeenUsed(const std::string& directory) {
  TN_ASSIGN_OR_RETURN(const Marks marks, ReadMarks(directory));
  return marks.closed.place.file != 0 || marks.synced.version != 0;
}

LogMarkFile::LogMarkFile(std::string directory, const Uuid& store)
    : directory_(std::move(directory)),
      file_(directory_ + "/" + std::string(kMarkFile)),
      store_(store) {}

LogMarkFile::~LogMarkFile() {
  if (fd_ >= 0) close(fd_);
}

bool LogMarkFile::Open() {
  if (fd_ < 0) fd_ = StoreOpen(file_.c_str(), O_RDWR | O_CREAT);
  return fd_ >= 0;
}

void LogMarkFile::Note(LogPlace synced, uint64_t version) {
  const MutexLock lock(mutex_);
  if (synced <= synced_ && version <= version_) return;
  synced_ = std::max(synced_, synced);
  version_ = std::max(version_, version);
  if (!Open()) return;
  const Mark mark = MarkOf(kSynced, synced_, version_, store_);
  if (StorePwrite(fd_, &mark, sizeof mark, kSyncedAt) >= 0) unsynced_ = true;
}

Result<bool> LogMarkFile::SaysBehind(LogPlace place) {
  TN_ASSIGN_OR_RETURN(const LogMarks marks, ReadLogMarks(directory_, store_));
  const MutexLock lock(mutex_);
  return std::max(marks.synced, synced_) > place;
}

void LogMarkFile::Sync() {
  int fd;
  {
    const MutexLock lock(mutex_);
    if (!std::exchange(unsynced_, false)) return;
    fd = fd_;
  }
  // Commits go on meanwhile.
  static_cast<void>(StoreSync(fd));
}

Status LogMarkFile::NoteClosed(uint32_t first) {
  const MutexLock lock(mutex_);
  const Mark mark = MarkOf(kClosed, {first, 0}, 0, store_);
  if (!Open() || StorePwrite(fd_, &mark, sizeof mark, kClosedAt) < 0 || StoreSync(fd_) != 0) {
    return SystemFailure(errno, "cannot write " + file_);
  }
  unsynced_ = false;
  return Status::Ok();
}

}  // namespace tenure::store
