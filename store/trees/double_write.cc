#include "store/trees/double_write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "base/crc32c.h"
#include "base/mutex.h"
#include "store/files/descriptor.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/page_record.h"
#include "store/format/status_text.h"
#include "store/trees/tree_io.h"
#include "store/trees/tree_memory.h"
#include "store/trees/tree_pages.h"

namespace tenure::store {

namespace {

// The same in memory and on disk. The checksum covers the bytes behind it, the file's name and the
// page.
struct RecordHeader {
  uint32_t magic;
  uint32_t checksum;
  uint64_t generation;
  uint64_t offset;  // of the page in its file
  uint32_t length;  // of the page
  uint32_t name_length;
};
static_assert(sizeof(RecordHeader) == 32);

constexpr uint32_t kMagic = 0x32575444;
constexpr uint32_t kLongestPage = 1 << 20;
// When the file is used anew, it is cut to this length.
constexpr off_t kKeptBytes = 32 << 20;
// Before the file gets longer than this, the pages' places are synced, so that the file can be used
// anew. A usual checkpoint writes less: the whole cache, which has 64 MB by default.
constexpr off_t kMostBytes = 80 << 20;
// Records are put together until they have about this many bytes: all of a batch in one piece would
// take the memory of its pages a second time.
constexpr size_t kWrittenTogether = 256 << 10;

uint32_t ChecksumOf(const RecordHeader& header, std::string_view name_and_page) {
  constexpr size_t kFrom = offsetof(RecordHeader, generation);
  const uint32_t checksum = Crc32c(0, std::as_bytes(std::span(&header, 1)).subspan(kFrom));
  return Crc32c(checksum, std::as_bytes(std::span(name_and_page)));
}

// Reserves room for a batch, for the time when the disk is full. Has no effect on file systems
// without fallocate.
int ReserveBatch(int fd) {
  constexpr auto kBytes = static_cast<off_t>(DoubleWrite::kReservedBytes);
  return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, kBytes) != 0 && errno == ENOSPC ? -1 : 0;
}

// Empties the file durably. Its blocks are freed and reserved again at once.
int Empty(int fd) {
  if (StoreTruncate(fd, 0) != 0) return -1;
  static_cast<void>(ReserveBatch(fd));
  return StoreSync(fd);
}

// Makes all its records invalid, durably; they stay in the file.
int Invalidate(int fd) {
  constexpr RecordHeader kNone{};
  return StorePwrite(fd, &kNone, sizeof kNone, 0) < 0 ? -1 : StoreSync(fd);
}

// The bytes there, as many as there are; false with errno on an error.
bool ReadThere(int fd, size_t count, off_t at, std::string* bytes) {
  bytes->resize(count);
  const ssize_t got = ReadAt(fd, bytes->data(), count, static_cast<uint64_t>(at));
  if (got < 0) return false;
  bytes->resize(static_cast<size_t>(got));
  return true;
}

// Descriptors of a store's files, by name.
class OpenFiles {
 public:
  explicit OpenFiles(const std::string& directory) : directory_(directory) {}
  ~OpenFiles() {
    for (const auto& [name, fd] : fds_) {
      if (fd >= 0) close(fd);
    }
  }
  OpenFiles(const OpenFiles&) = delete;
  OpenFiles& operator=(const OpenFiles&) = delete;

  // -1 with errno.
  int Open(const std::string& name) {
    int& fd = fds_.try_emplace(name, -1).first->second;
    if (fd < 0) fd = StoreOpen((directory_ + "/" + name).c_str(), O_RDWR);
    return fd;
  }

  Status SyncAll() const {
    for (const auto& [name, fd] : fds_) {
      if (fd >= 0 && StoreSync(fd) != 0) {
        return SystemFailure(errno, "cannot sync " + directory_ + "/" + name);
      }
    }
    return Status::Ok();
  }

 private:
  const std::string& directory_;
  std::map<std::string, int> fds_;
};

struct Record {
  RecordHeader header;
  std::string name;
  std::string page;
};

// The record at `*at`, which moves behind it. Not ok: an error of the system; false: there is none.
Result<bool> NextRecord(int fd, const std::string& file, off_t* at, Record* record) {
  std::string bytes;
  if (!ReadThere(fd, sizeof(RecordHeader), *at, &bytes)) {
    return SystemFailure(errno, "cannot read " + file);
  }
  RecordHeader& header = record->header;
  if (bytes.size() != sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kMagic || header.length > kLongestPage || header.name_length > NAME_MAX) {
    return false;
  }
  const size_t length = header.name_length + size_t{header.length};
  if (!ReadThere(fd, length, *at + static_cast<off_t>(sizeof header), &bytes)) {
    return SystemFailure(errno, "cannot read " + file);
  }
  if (bytes.size() != length || header.checksum != ChecksumOf(header, bytes)) return false;
  record->name = bytes.substr(0, header.name_length);
  record->page = bytes.substr(header.name_length);
  *at += static_cast<off_t>(sizeof header + length);
  return true;
}

Status RestorePage(const std::string& directory, const Record& record, OpenFiles& files) {
  // Only files that Berkeley DB has in a store.
  if (record.name.find('/') != std::string::npos || !IsStoreFile(record.name)) {
    return Status::Ok();
  }
  const int fd = files.Open(record.name);
  if (fd < 0) {
    if (errno == ENOENT) return Status::Ok();
    return SystemFailure(errno, "cannot open " + directory + "/" + record.name);
  }
  const auto offset = static_cast<off_t>(record.header.offset);
  // Written even if the page seems to be there: after a failed sync the system's cache may have a
  // write that is not on the disk and that no later sync puts there.
  if (StorePwrite(fd, record.page.data(), record.page.size(), offset) < 0) {
    return SystemFailure(errno, "cannot restore a page of " + directory + "/" + record.name);
  }
  return Status::Ok();
}

}  // namespace

Status RestoreTornPages(const std::string& directory) {
  const std::string file = directory + "/" + std::string(kDoubleWriteFile);
  OpenFiles files(directory);
  const int fd = files.Open(std::string(kDoubleWriteFile));
  if (fd < 0) {
    return errno == ENOENT ? Status::Ok() : SystemFailure(errno, "cannot open " + file);
  }
  uint64_t generation = 0;
  Record record;
  for (off_t at = 0;;) {
    TN_ASSIGN_OR_RETURN(const bool found, NextRecord(fd, file, &at, &record));
    if (!found) break;
    if (generation == 0) generation = record.header.generation;
    if (record.header.generation != generation) break;
    TN_RETURN_IF_ERROR(RestorePage(directory, record, files));
  }
  if (lseek(fd, 0, SEEK_END) == 0) return Status::Ok();
  // First syncs the places, then empties the file from which they can be restored. Empties the file
  // even if no record in it counts: generations begin anew with each opening.
  TN_RETURN_IF_ERROR(files.SyncAll());
  if (Empty(fd) != 0) {
    return SystemFailure(errno, "cannot empty " + file);
  }
  return Status::Ok();
}

struct DoubleWrite::PagesRead {
  TreePages pages;
  std::set<uint32_t> in_recovery;  // numbers, of pages that Berkeley DB has had since before
};

DoubleWrite::PagesRead& DoubleWrite::ReadOf(const FileKey& key) {
  std::unique_ptr<PagesRead>& read = read_[key];
  if (read == nullptr) read = std::make_unique<PagesRead>();
  return *read;
}

DoubleWrite::DoubleWrite(std::string directory) : directory_(std::move(directory)) {
  AddTreeOwner(this);
}

DoubleWrite::~DoubleWrite() {
  RemoveTreeOwner(this);
  for (const auto& [key, file] : files_) close(file.fd);
  if (side_fd_ >= 0) close(side_fd_);
}

Status DoubleWrite::Close() {
  const MutexLock lock(settle_mutex_);
  // A store that is made has the file, too.
  const bool made = WithoutSyncs::active();
  if (RetireLocked() != 0 || (made && OpenSideFile() != 0)) {
    return SystemFailure(errno, "cannot write pages of " + directory_);
  }
  if (side_fd_ >= 0) close(side_fd_);
  side_fd_ = -1;
  return Status::Ok();
}

std::string DoubleWrite::TroubleOf(int fd, const FileKey& key, uint32_t number,
                                   std::span<const std::byte> page, int* error) {
  const bool recovering = may_have_holes();
  if (std::string trouble = TreePageTrouble(number, page, recovering); !trouble.empty()) {
    return trouble;
  }
  const MutexLock lock(read_mutex_);
  PagesRead& read = ReadOf(key);
  if (recovering) {
    read.in_recovery.insert(number);
    return "";
  }
  // Berkeley DB may have kept pages that recovery has read or written.
  std::vector<std::byte> kept;
  const auto in_recovery = std::exchange(read.in_recovery, {});
  for (const uint32_t before : in_recovery) {
    kept.resize(page.size());
    const auto got =
        Read(fd, key, kept.data(), kept.size(), static_cast<off_t>(before * kTreePageBytes));
    if (got < 0) {
      *error = errno;
      read.in_recovery = in_recovery;
      return "";
    }
    if (got != static_cast<ssize_t>(kept.size())) continue;
    std::string trouble = TreePageTrouble(before, kept, false);
    if (trouble.empty()) trouble = read.pages.NoteRead(before, kept);
    if (!trouble.empty()) return "cannot be used: page " + std::to_string(before) + " " + trouble;
  }
  if (number == 0) {
    struct stat info;
    if (StoreInfo(fd, &info) != 0) {
      *error = errno;
      return "";
    }
    const auto pages = static_cast<uint64_t>(info.st_size / off_t{kTreePageBytes});
    if (std::string trouble = read.pages.MetaTrouble(page, pages); !trouble.empty()) {
      return trouble;
    }
  }
  return read.pages.NoteRead(number, page);
}

uint64_t DoubleWrite::SpaceForBatch() {
  const MutexLock lock(settle_mutex_);
  struct stat info;
  const std::string file = directory_ + "/" + std::string(kDoubleWriteFile);
  if (StoreStat(file.c_str(), &info) != 0) return kReservedBytes;
  constexpr uint64_t kBlock = 512;
  const uint64_t taken = static_cast<uint64_t>(info.st_blocks) * kBlock;
  const uint64_t wanted = static_cast<uint64_t>(position_) + kReservedBytes;
  return wanted - std::min(wanted, taken);
}

void DoubleWrite::ForgetPages(const FileKey& key, const std::string& name) {
  {
    const MutexLock lock(read_mutex_);
    read_.erase(key);
  }
  // A replacement may be opened again while it is written.
  if (IsReplacementFile(name)) return;
  const MutexLock lock(replacement_mutex_);
  if (replacements_.erase(key) == 0) return;
  std::erase_if(homeless_, [&](const auto& page) { return page.first.file == key; });
}

void DoubleWrite::DropReplacements() {
  const MutexLock lock(replacement_mutex_);
  dropped_ = true;
  homeless_.clear();
}

ssize_t DoubleWrite::WriteReplacement(int fd, const FileKey& key, const void* bytes, size_t count,
                                      off_t offset) {
  const MutexLock lock(replacement_mutex_);
  replacements_.insert(key);
  const auto all = static_cast<ssize_t>(count);
  if (dropped_) return all;
  if (replacement_error_ == 0) {
    if (StorePwrite(fd, bytes, count, offset) >= 0) return all;
    replacement_error_ = errno != 0 ? errno : EIO;
  }
  homeless_[{key, offset}].assign(static_cast<const char*>(bytes), count);
  return all;
}

ssize_t DoubleWrite::Write(int fd, const FileKey& key, const std::string& name, const void* bytes,
                           size_t count, off_t offset) {
  {
    const MutexLock lock(read_mutex_);
    PagesRead& read = ReadOf(key);
    const auto number = static_cast<uint32_t>(offset / off_t{kTreePageBytes});
    if (may_have_holes()) {
      read.in_recovery.insert(number);
    } else {
      read.pages.NoteWritten(number);
    }
  }
  if (IsReplacementFile(name)) return WriteReplacement(fd, key, bytes, count, offset);
  bool full = false;
  {
    const MutexLock lock(mutex_);
    File& file = files_[key];
    if (file.fd < 0) {
      file.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
      if (file.fd < 0) {
        files_.erase(key);
        return -1;
      }
    }
    file.name = name;
    Image& image = pending_[{key, offset}];
    if (image != nullptr) pending_bytes_ -= image->size();
    image = std::make_shared<const std::string>(static_cast<const char*>(bytes), count);
    pending_bytes_ += count;
    full = pending_bytes_ >= full_at_;
  }
  // Berkeley DB drops a page when it is told that there is no space for it.
  if (full && Settle() != 0 && !IsLackOfSpace(errno)) return -1;
  return static_cast<ssize_t>(count);
}

ssize_t DoubleWrite::Read(int fd, const FileKey& key, void* bytes, size_t count, off_t offset) {
  if (replacement_error() != 0) {
    const MutexLock lock(replacement_mutex_);
    const auto found = homeless_.find({key, offset});
    if (found != homeless_.end() && found->second.size() == count) {
      std::memcpy(bytes, found->second.data(), count);
      return static_cast<ssize_t>(count);
    }
  }
  bool odd = false;
  {
    const MutexLock lock(mutex_);
    const auto found = pending_.find({key, offset});
    if (found != pending_.end() && found->second->size() == count) {
      std::memcpy(bytes, found->second->data(), count);
      return static_cast<ssize_t>(count);
    }
    odd = found != pending_.end();
  }
  // Collected pages are read whole, as they are written; reads of another size go to the file.
  if (odd && Settle() != 0) return -1;
  return StoreRead(fd, bytes, count, offset);
}

bool DoubleWrite::HasPages(const FileKey& key) {
  const MutexLock lock(mutex_);
  return files_.contains(key);
}

int DoubleWrite::OpenSideFile() {
  if (side_fd_ >= 0) return 0;
  const std::string file = directory_ + "/" + std::string(kDoubleWriteFile);
  side_fd_ = StoreOpen(file.c_str(), O_RDWR | O_CREAT);
  if (side_fd_ < 0) return -1;
  return ReserveBatch(side_fd_);
}

// Readers go on meanwhile: only the thread that settles writes to places and closes files.
int DoubleWrite::SyncPlaces() {
  std::vector<std::pair<FileKey, int>> dirty;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, file] : files_) {
      if (file.dirty) dirty.emplace_back(key, file.fd);
    }
  }
  for (const auto& [key, fd] : dirty) {
    if (StoreSync(fd) != 0) return -1;
    const MutexLock lock(mutex_);
    files_[key].dirty = false;
  }
  return 0;
}

// Invalidates the old generation durably before its first record is overwritten. Otherwise a crash
// could leave old records behind newer ones; and of a page that the old generation has twice, only
// the older image.
int DoubleWrite::StartOver() {
  if (Invalidate(side_fd_) != 0) return -1;
  if (position_ > kKeptBytes && StoreTruncate(side_fd_, kKeptBytes) != 0) return -1;
  StartAnew();
  return 0;
}

void DoubleWrite::StartAnew() {
  ++generation_;
  position_ = 0;
  const MutexLock lock(mutex_);
  for (auto file = files_.begin(); file != files_.end();) {
    const auto next = pending_.lower_bound({file->first, 0});
    if (next != pending_.end() && next->first.file == file->first) {
      ++file;
      continue;
    }
    close(file->second.fd);
    file = files_.erase(file);
  }
}

int DoubleWrite::Settle() {
  const MutexLock lock(settle_mutex_);
  return SettleLocked();
}

std::string DoubleWrite::Records(const Batch& batch) const {
  size_t bytes = 0;
  for (const auto& [place, image] : batch.pages) {
    bytes += sizeof(RecordHeader) + batch.files.at(place.file).name.size() + image->size();
  }
  std::string records;
  records.reserve(bytes);
  for (const auto& [place, image] : batch.pages) {
    const std::string& name = batch.files.at(place.file).name;
    RecordHeader header{.magic = kMagic,
                        .checksum = 0,
                        .generation = generation_,
                        .offset = static_cast<uint64_t>(place.offset),
                        .length = static_cast<uint32_t>(image->size()),
                        .name_length = static_cast<uint32_t>(name.size())};
    const size_t start = records.size();
    records.resize(start + sizeof header);
    records += name;
    records += *image;
    header.checksum = ChecksumOf(header, std::string_view(records).substr(start + sizeof header));
    std::memcpy(records.data() + start, &header, sizeof header);
  }
  return records;
}

int DoubleWrite::Record(const Batch& batch) {
  if (OpenSideFile() != 0) return -1;
  empty_ = false;
  // Once the places are synced no record is needed any more, and the file can start over.
  const auto start_over = [&]() TN_REQUIRES(settle_mutex_) {
    return SyncPlaces() != 0 ? -1 : StartOver();
  };
  if (position_ >= kMostBytes && start_over() != 0) return -1;
  off_t written = 0;
  const auto write = [&] {
    written = 0;
    Batch part = {{}, batch.files};
    size_t bytes = 0;
    for (auto page = batch.pages.begin(); page != batch.pages.end();) {
      part.pages.insert(*page);
      bytes += page->second->size();
      if (++page != batch.pages.end() && bytes < kWrittenTogether) continue;
      const std::string records = Records(part);
      if (StorePwrite(side_fd_, records.data(), records.size(), position_ + written) < 0)
        return false;
      written += static_cast<off_t>(records.size());
      part.pages.clear();
      bytes = 0;
    }
    return true;
  };
  if (!write()) {
    if (!IsLackOfSpace(errno) || position_ == 0 || start_over() != 0 || !write()) return -1;
  }
  if (StoreSync(side_fd_) != 0) return -1;
  position_ += written;
  return 0;
}

int DoubleWrite::PutInPlaces() {
  {
    const MutexLock lock(mutex_);
    for (const auto& [place, image] : unplaced_.pages) files_[place.file].dirty = true;
  }
  for (const auto& [place, image] : unplaced_.pages) {
    const int fd = unplaced_.files.at(place.file).fd;
    if (StorePwrite(fd, image->data(), image->size(), place.offset) < 0) return -1;
  }
  const MutexLock lock(mutex_);
  for (const auto& [place, image] : unplaced_.pages) {
    // An image that was written again meanwhile belongs to the next batch.
    const auto found = pending_.find(place);
    if (found == pending_.end() || found->second != image) continue;
    pending_bytes_ -= image->size();
    pending_.erase(found);
  }
  unplaced_ = {};
  return 0;
}

int DoubleWrite::SettleLocked() {
  // First finishes what an earlier attempt has left half done: its records are needed until then.
  int result = PutInPlaces();
  if (result == 0) {
    {
      const MutexLock lock(mutex_);
      if (pending_.empty()) return 0;
      unplaced_ = {pending_, files_};
    }
    // While a store is made nothing counts before all is synced, so nothing need be repeated.
    if (!WithoutSyncs::active() && Record(unplaced_) != 0) {
      unplaced_ = {};
      result = -1;
    } else {
      result = PutInPlaces();
    }
  }
  const int error = errno;
  const MutexLock lock(mutex_);
  // While there is no space it is not tried again with each page.
  full_at_ = kDoubleWriteBatchBytes + (result == 0 ? 0 : pending_bytes_);
  errno = error;
  return result;
}

int DoubleWrite::Sync(int fd, const FileKey& key) {
  {
    const MutexLock lock(replacement_mutex_);
    if (replacements_.contains(key)) {
      if (dropped_ || replacement_error_ != 0 || StoreSync(fd) == 0) return 0;
      replacement_error_ = errno != 0 ? errno : EIO;
      return 0;
    }
  }
  const MutexLock settling(settle_mutex_);
  if (SettleLocked() != 0 || StoreSync(fd) != 0) return -1;
  bool dirty = false;
  {
    const MutexLock lock(mutex_);
    const auto found = files_.find(key);
    if (found != files_.end()) found->second.dirty = false;
    for (const auto& [other, file] : files_) dirty |= file.dirty;
  }
  return dirty || position_ == 0 ? 0 : StartOver();
}

int DoubleWrite::Retire() {
  const MutexLock lock(settle_mutex_);
  return RetireLocked();
}

int DoubleWrite::RetireLocked() {
  if (SettleLocked() != 0 || SyncPlaces() != 0) return -1;
  if (!empty_) {
    if (Empty(side_fd_) != 0) return -1;
    empty_ = true;
  }
  StartAnew();
  return 0;
}

}  // namespace tenure::store
