#include "store/log/redo_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/crc32c.h"
#include "base/mutex.h"
#include "store/files/descriptor.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"

namespace tenure::store {

// The same in memory and on disk. Checksums cover the bytes behind them, a record's body included.
struct RecordHeader {
  uint32_t magic;
  uint32_t checksum;
  uint64_t length;  // of the body
  uint64_t version;
  CommitId id;
  uint64_t durable;  // up to this version all was durable when the record was written
};
static_assert(sizeof(RecordHeader) == 48);

namespace {

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t checksum;
  Uuid store;
};
static_assert(sizeof(FileHeader) == 32);

// The longest record that is copied and written in one piece.
constexpr size_t kLongestCopied = 64 << 10;
// A body that the disk can begin with before the sync.
constexpr size_t kWorthStarting = 16 << 10;
constexpr char kMagic[8] = {'T', 'e', 'n', 'u', 'r', 'e', 'R', 'L'};
// In version 1 no pages are written before their record. Until version 2 a record had no `durable`,
// and was written when all commits before its own were durable.
constexpr uint32_t kFormat = 3;
constexpr uint32_t kFormatWithoutDurable = 2;
constexpr size_t kOldRecordHeaderBytes = offsetof(RecordHeader, durable);
constexpr uint32_t kRecordMagic = 0x4f444552;
// Pages that were written ahead; and the record that follows them, whose body begins with the
// number of such parts.
constexpr uint32_t kPartMagic = 0x50444552;
constexpr uint32_t kJoinedMagic = 0x4a444552;
// The file grows in steps, so that few syncs have to write its length.
constexpr uint64_t kGrowth = 1 << 20;

FileHeader HeaderOf(const Uuid& store) {
  FileHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kFormat;
  header.store = store;
  header.checksum = Crc32c(0, std::as_bytes(std::span(&header.store, 1)));
  return header;
}

// `header_bytes`: of the format.
uint32_t ChecksumOf(const RecordHeader& header, size_t header_bytes, uint32_t of_body) {
  constexpr size_t kFrom = offsetof(RecordHeader, length);
  const auto bytes = std::as_bytes(std::span(&header, 1)).first(header_bytes);
  return JoinedCrc32c(Crc32c(0, bytes.subspan(kFrom)), of_body, header.length);
}

// Checks all but the store.
Result<FileHeader> ReadHeader(int fd, const std::string& file) {
  FileHeader header;
  const ssize_t count = ReadAt(fd, &header, sizeof header, 0);
  if (count < 0) return SystemFailure(errno, "cannot read " + file);
  if (count != sizeof header || std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 ||
      header.checksum != Crc32c(0, std::as_bytes(std::span(&header.store, 1)))) {
    return Failure(StatusCode::kCorrupt, file + " is damaged: it is not a redo log");
  }
  if (header.version < 1 || header.version > kFormat) {
    return Failure(StatusCode::kFormat,
                   file + " has format version " + std::to_string(header.version) +
                       "; this program knows version " + std::to_string(kFormat),
                   header.version);
  }
  return header;
}

// The version of the format.
Result<uint32_t> CheckHeader(int fd, const std::string& file, const Uuid& store) {
  TN_ASSIGN_OR_RETURN(const FileHeader found, ReadHeader(fd, file));
  if (found.store != store) {
    return Failure(StatusCode::kCorrupt, file + " is the redo log of another store");
  }
  return found.version;
}

}  // namespace

namespace {

// A record, with the parts before it.
struct FoundRecord {
  uint64_t version = 0;
  uint64_t durable = 0;
  CommitId id;
  std::vector<std::string_view> parts;
  std::string_view body;
  size_t end = 0;
};

// The file's bytes, and the records in them.
class RecordFinder {
 public:
  RecordFinder(std::string bytes, uint32_t format)
      : bytes_(std::move(bytes)),
        has_durable_(format > kFormatWithoutDurable),
        header_bytes_(has_durable_ ? sizeof(RecordHeader) : kOldRecordHeaderBytes) {}

  // The record that begins at `at`, if one does and is whole.
  std::optional<FoundRecord> At(size_t at) const {
    FoundRecord found;
    std::optional<RecordHeader> header = HeaderAt(at);
    if (!header) return std::nullopt;
    found.version = header->version;
    found.id = header->id;
    for (; header->magic == kPartMagic; header = HeaderAt(at)) {
      found.parts.push_back(Body(at, *header));
      at += header_bytes_ + header->length;
      const std::optional<RecordHeader> next = HeaderAt(at);
      if (!next || next->version != found.version || next->id != found.id) return std::nullopt;
    }
    found.durable = header->durable;
    found.body = Body(at, *header);
    found.end = at + header_bytes_ + header->length;
    if (header->magic == kRecordMagic) {
      return found.parts.empty() ? std::optional(found) : std::nullopt;
    }
    uint64_t parts;
    if (found.body.size() < sizeof parts) return std::nullopt;
    std::memcpy(&parts, found.body.data(), sizeof parts);
    found.body.remove_prefix(sizeof parts);
    return parts == found.parts.size() && parts != 0 ? std::optional(found) : std::nullopt;
  }

  // The place of the first whole record, from `at` on, of a commit after `version`.
  std::optional<size_t> FindNewer(size_t at, uint64_t version) const {
    for (;; ++at) {
      const size_t record = Find(kRecordMagic, at);
      at = std::min(record, Find(kPartMagic, at));
      if (at == std::string::npos) return std::nullopt;
      const std::optional<FoundRecord> found = At(at);
      if (found && found->version > version) return at;
    }
  }

  // Whether a whole record from `at` on, of a later commit, says that the commit `version` was
  // durable. Those of an earlier use of the file are older.
  bool SaysDurable(size_t at, uint64_t version) const {
    for (std::optional<size_t> next = FindNewer(at, version); next;
         next = FindNewer(*next + 1, version)) {
      if (At(*next)->durable >= version) return true;
    }
    return false;
  }

 private:
  size_t Find(uint32_t magic, size_t at) const {
    char bytes[sizeof magic];
    std::memcpy(bytes, &magic, sizeof magic);
    return bytes_.find(std::string_view(bytes, sizeof bytes), at);
  }

  // The header there, if the part or record is whole.
  std::optional<RecordHeader> HeaderAt(size_t at) const {
    RecordHeader header;
    if (at > bytes_.size() || bytes_.size() - at < header_bytes_) return std::nullopt;
    std::memcpy(&header, bytes_.data() + at, header_bytes_);
    if ((header.magic != kRecordMagic && header.magic != kPartMagic &&
         header.magic != kJoinedMagic) ||
        header.length > bytes_.size() - at - header_bytes_) {
      return std::nullopt;
    }
    const std::string_view body = Body(at, header);
    const uint32_t of_body = Crc32c(0, std::as_bytes(std::span(body)));
    if (header.checksum != ChecksumOf(header, header_bytes_, of_body)) return std::nullopt;
    if (!has_durable_) header.durable = header.version - 1;
    return header;
  }

  std::string_view Body(size_t at, const RecordHeader& header) const {
    return std::string_view(bytes_).substr(at + header_bytes_, header.length);
  }

  const std::string bytes_;
  const bool has_durable_;
  const size_t header_bytes_;
};

Result<std::string> ReadFrom(int fd, const std::string& file) {
  const off_t end = lseek(fd, 0, SEEK_END);
  std::string bytes(end < 0 ? 0 : static_cast<size_t>(end), '\0');
  const ssize_t count = end < 0 ? -1 : ReadAt(fd, bytes.data(), bytes.size(), 0);
  if (count < 0) return SystemFailure(errno, "cannot read " + file);
  bytes.resize(static_cast<size_t>(count));
  return bytes;
}

}  // namespace

Result<RedoContents> ReadRedoLog(const std::string& directory, const Uuid& store, uint64_t after) {
  RedoContents contents;
  const std::string file = directory + "/" + std::string(kRedoFile);
  const Descriptor descriptor(StoreOpen(file.c_str(), O_RDONLY));
  const int fd = descriptor.get();
  if (fd < 0) {
    if (errno == ENOENT) return contents;
    return SystemFailure(errno, "cannot open " + file);
  }
  TN_ASSIGN_OR_RETURN(const uint32_t format, CheckHeader(fd, file, store));
  TN_ASSIGN_OR_RETURN(std::string bytes, ReadFrom(fd, file));
  const RecordFinder finder(std::move(bytes), format);
  uint64_t previous = 0;  // the version of the record before; 0: none
  for (size_t at = sizeof(FileHeader);;) {
    const uint64_t last = std::max(previous, after);  // the log and the trees have all up to it
    std::optional<FoundRecord> found = finder.At(at);
    if (!found || found->version <= previous || found->version > last + 1) {
      // The commit `last` + 1 is not here. A record that is missing or damaged here is not needed
      // if the trees have its commit.
      const std::optional<size_t> newer = finder.FindNewer(at, last);
      if (!newer) break;
      const bool begins = found && *newer == at;
      found = finder.At(*newer);
      if (!contents.records.empty() || found->version != last + 1) {
        // The end, unless that commit was durable.
        if (!finder.SaysDurable(*newer, last + 1)) break;
        const std::string commit = std::to_string(found->version);
        contents.damage = Failure(
            StatusCode::kCorrupt,
            begins && previous == 0
                ? file + " begins with commit " + commit + ", but the databases have those up to " +
                      std::to_string(after) + " only; 'tenure db salvage' gets out what they have"
                : file + " is damaged at byte " + std::to_string(at) + ": commit " +
                      std::to_string(last + 1) + " is not there, but commit " + commit +
                      " at byte " + std::to_string(*newer) +
                      "; 'tenure db salvage' gets out what was committed before");
        break;
      }
    }
    if (found->version > after) {
      RedoRecord record{found->version, found->id, std::string(found->body), {}};
      for (const std::string_view part : found->parts) record.pages += part;
      contents.records.push_back(std::move(record));
    }
    previous = found->version;
    at = found->end;
  }
  return contents;
}

std::optional<Uuid> StoreOfRedoLog(const std::string& directory) {
  const std::string file = directory + "/" + std::string(kRedoFile);
  const Descriptor descriptor(StoreOpen(file.c_str(), O_RDONLY));
  if (descriptor.get() < 0) return std::nullopt;
  const Result<FileHeader> header = ReadHeader(descriptor.get(), file);
  if (!header.ok()) return std::nullopt;
  return header->store;
}

Status RemoveRedoLog(const std::string& directory) {
  const std::string file = directory + "/" + std::string(kRedoFile);
  struct stat info;
  if (StoreStat(file.c_str(), &info) != 0 && errno == ENOENT) return Status::Ok();
  if (StoreUnlink(file.c_str()) != 0 || StoreSyncDirectory(directory.c_str()) != 0) {
    return SystemFailure(errno, "cannot remove " + file);
  }
  return Status::Ok();
}

RedoLog::~RedoLog() { Close(); }

Status RedoLog::Open(const std::string& directory, const Uuid& store) {
  const Status status = OpenFile(directory, store);
  if (!status.ok()) Close();
  return status;
}

Status RedoLog::OpenFile(const std::string& directory, const Uuid& store) {
  directory_ = directory;
  file_ = directory + "/" + std::string(kRedoFile);
  struct stat info;
  const bool named = StoreStat(file_.c_str(), &info) == 0;
  if (!named && errno != ENOENT) return SystemFailure(errno, "cannot examine " + file_);
  named_ = named;
  fd_ =
      named ? StoreOpen(file_.c_str(), O_RDWR) : StoreOpenTemporary(ReplacementFile(file_).c_str());
  if (fd_ < 0) return SystemFailure(errno, "cannot open " + file_);
  uint32_t format = 0;
  if (named) {
    TN_ASSIGN_OR_RETURN(format, CheckHeader(fd_, file_, store));
  }
  if (format != kFormat) {
    const FileHeader header = HeaderOf(store);
    if (StorePwrite(fd_, &header, sizeof header, 0) < 0) {
      return SystemFailure(errno, "cannot write " + file_);
    }
  }
  const off_t size = lseek(fd_, 0, SEEK_END);
  if (size < 0) return SystemFailure(errno, "cannot open " + file_);
  size_ = static_cast<uint64_t>(size);
  position_ = sizeof(FileHeader);
  return Status::Ok();
}

namespace {

uint64_t LengthOf(std::span<const std::string_view> pieces) {
  uint64_t length = 0;
  for (const std::string_view piece : pieces) length += piece.size();
  return length;
}

}  // namespace

Status RedoLog::WritePrewritten(uint64_t version, CommitId id,
                                std::span<const std::byte* const> pages) {
  if (ahead_.parts == 0 || ahead_.version != version || ahead_.id != id) {
    ahead_ = {0, 0, version, id};
  }
  std::vector<std::string_view> pieces;
  uint32_t checksum = 0;
  for (const std::byte* page : pages) {
    pieces.emplace_back(reinterpret_cast<const char*>(page), abi::kPageBytes);
    checksum = Crc32c(checksum, std::span(page, abi::kPageBytes));
  }
  RecordHeader header{kPartMagic, 0, LengthOf(pieces), version, id, 0};
  TN_RETURN_IF_ERROR(Put(header, pieces, checksum, position_ + ahead_.bytes));
  ++ahead_.parts;
  ahead_.bytes += sizeof header + header.length;
  return Status::Ok();
}

Status RedoLog::Write(uint64_t version, uint64_t durable, CommitId id,
                      std::span<const std::string_view> pieces, uint32_t checksum) {
  uint64_t begin = position_;
  RecordHeader header{kRecordMagic, 0, LengthOf(pieces), version, id, durable};
  std::vector<std::string_view> joined;
  if (ahead_.parts != 0 && ahead_.version == version && ahead_.id == id) {
    joined.emplace_back(reinterpret_cast<const char*>(&ahead_.parts), sizeof ahead_.parts);
    joined.insert(joined.end(), pieces.begin(), pieces.end());
    pieces = joined;
    const uint32_t of_parts = Crc32c(0, std::as_bytes(std::span(&ahead_.parts, 1)));
    checksum = JoinedCrc32c(of_parts, checksum, header.length);
    header.magic = kJoinedMagic;
    header.length += sizeof ahead_.parts;
    begin += ahead_.bytes;
  }
  const uint64_t end = begin + sizeof header + header.length;
  // A long record leaves this to the next one: writing the zeros would make it longer still.
  if (end > size_ && end - position_ < kGrowth) {
    const auto fail = [&] { return SystemFailure(errno, "cannot write " + file_); };
    const uint64_t size = (end + kGrowth - 1) / kGrowth * kGrowth;
    if (StoreTruncate(fd_, static_cast<off_t>(size)) != 0) return fail();
    // Writes zeros rather than a hole: then the syncs of later commits need not write the places of
    // blocks.
    if (StorePwriteZeros(fd_, size - end, static_cast<off_t>(end)) < 0) return fail();
    size_ = size;
  }
  TN_RETURN_IF_ERROR(Put(header, pieces, checksum, begin));
  ahead_ = {};
  bytes_appended_ += end - position_;
  position_ = end;
  return Status::Ok();
}

Status RedoLog::Put(RecordHeader& header, std::span<const std::string_view> pieces,
                    uint32_t checksum, uint64_t at) {
  const uint64_t length = header.length;
  header.checksum = ChecksumOf(header, sizeof header, checksum);
  buffer_.assign(reinterpret_cast<const char*>(&header), sizeof header);
  std::vector<std::string_view> written;
  if (length <= kLongestCopied) {
    for (const std::string_view piece : pieces) buffer_.append(piece);
  } else {
    written.assign(pieces.begin(), pieces.end());
  }
  written.insert(written.begin(), buffer_);
  const auto begin = static_cast<off_t>(at);
  const auto count = static_cast<off_t>(sizeof header + length);
  if (StorePwritePieces(fd_, written, begin) < 0) {
    return SystemFailure(errno, "cannot write " + file_);
  }
  size_ = std::max(size_, at + sizeof header + length);
  // A hint: a failure of the disk is found by the sync.
  if (length >= kWorthStarting) {
    static_cast<void>(sync_file_range(fd_, begin, count, SYNC_FILE_RANGE_WRITE));
  }
  return Status::Ok();
}

Status RedoLog::SyncName() { return named_ ? Status::Ok() : Sync(); }

Status RedoLog::Sync() {
  if (StoreSync(fd_) != 0) return SystemFailure(errno, "cannot write " + file_);
  return named_ ? Status::Ok() : GiveName();
}

// The file has no name before its header is durable: damage never looks like an empty log.
Status RedoLog::GiveName() {
  const MutexLock lock(name_mutex_);
  if (named_) return Status::Ok();
  if (StoreRename(ReplacementFile(file_).c_str(), file_.c_str()) != 0 ||
      StoreSyncDirectory(directory_.c_str()) != 0) {
    return SystemFailure(errno, "cannot name " + file_);
  }
  named_ = true;
  return Status::Ok();
}

void RedoLog::Reset() {
  position_ = sizeof(FileHeader);
  ahead_ = {};
}

uint64_t RedoLog::bytes() const { return fd_ < 0 ? 0 : position_ - sizeof(FileHeader); }

void RedoLog::Close() {
  // No commit went to this replacement. If the removal fails the next opening removes it.
  if (fd_ >= 0 && !named_) static_cast<void>(StoreUnlink(ReplacementFile(file_).c_str()));
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

}  // namespace tenure::store
