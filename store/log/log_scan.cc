#include "store/log/log_scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/trees/tree_checksum.h"

namespace tenure::store {

namespace {

constexpr uint32_t kLogMagic = 0x040988;
constexpr uint32_t kLogVersion = 19;
constexpr size_t kNumberDigits = 10;
constexpr std::string_view kLogPrefix = "log.";

// Before the contents of each record, headers of files included.
struct RecordHeader {
  uint32_t previous;  // where the record before it is
  uint32_t length;    // with this header
  uint32_t checksum;
};
static_assert(sizeof(RecordHeader) == 12);

// The beginning of a record's contents; for a checkpoint also the place from which on unfinished
// transactions may begin.
struct RecordStart {
  uint32_t type;
  uint32_t transaction;
  LogPlace previous_of_transaction;
  LogPlace unfinished;
};
static_assert(sizeof(RecordStart) == 24);
constexpr uint32_t kCheckpoint = 11;

// Records of any other type are changes: a file's being opened or closed, a transaction's end, and
// that numbers of transactions begin anew.
bool IsChange(uint32_t type) {
  return type != 2 && type != 10 && type != kCheckpoint && type != 14;
}

uint32_t ChecksumOf(const RecordHeader& header, const void* contents) {
  return TreeChecksum(contents, header.length - sizeof header) ^ header.previous ^ header.length;
}

struct FreeMemory {
  void operator()(char* memory) const { std::free(memory); }
};

// A file's bytes; holes are not read, and take no memory.
class FileBytes {
 public:
  Status Read(int fd, const std::string& file) {
    const auto failed = [&] { return SystemFailure(errno, "cannot read " + file); };
    const off_t size = lseek(fd, 0, SEEK_END);
    if (size < 0) return failed();
    if (size > off_t{UINT32_MAX}) return Failure(StatusCode::kCorrupt, file + " is too long");
    size_ = static_cast<size_t>(size);
    bytes_.reset(static_cast<char*>(std::calloc(size_ + 1, 1)));
    if (bytes_ == nullptr) return SystemFailure(ENOMEM, "cannot read " + file);
    for (off_t at = 0; at < size;) {
      const off_t data = lseek(fd, at, SEEK_DATA);
      if (data < 0 && errno == ENXIO) break;
      // On a file system without holes the whole file counts as data.
      off_t end = data < 0 ? size : lseek(fd, data, SEEK_HOLE);
      if (end < 0) end = size;
      at = std::max<off_t>(data, at);
      const ssize_t got = StoreRead(fd, bytes_.get() + at, static_cast<size_t>(end - at), at);
      if (got < 0) return failed();
      at = end;
    }
    return Status::Ok();
  }

  size_t size() const { return size_; }
  const char* at(size_t offset) const { return bytes_.get() + offset; }
  bool IsZero(size_t begin, size_t end) const {
    return std::all_of(at(begin), at(end), [](char byte) { return byte == 0; });
  }

 private:
  std::unique_ptr<char, FreeMemory> bytes_;
  size_t size_ = 0;
};

// The record at `offset`, if one is there and whole.
bool RecordAt(const FileBytes& bytes, size_t offset, RecordHeader* header) {
  if (bytes.size() < offset + sizeof *header) return false;
  std::memcpy(header, bytes.at(offset), sizeof *header);
  return header->length > sizeof *header && header->length <= bytes.size() - offset &&
         header->checksum == ChecksumOf(*header, bytes.at(offset + sizeof *header));
}

bool IsFileHeader(const FileBytes& bytes, LogHeader* header) {
  if (bytes.size() < sizeof *header) return false;
  std::memcpy(header, bytes.at(0), sizeof *header);
  RecordHeader record;
  // Other lengths are not to be summed.
  return header->length == sizeof *header && RecordAt(bytes, 0, &record) &&
         header->description.magic == kLogMagic;
}

// Reads the records of one file, and adds their facts to those of the whole log. `may_lack_header`:
// nothing of the file has been synced as far as is known.
Status ScanFile(const std::string& file, uint32_t number, bool may_lack_header, LogContents* log,
                uint32_t* last_record, LogPlace& last_change) {
  const Descriptor descriptor(StoreOpen(file.c_str(), O_RDONLY));
  if (descriptor.get() < 0) return SystemFailure(errno, "cannot open " + file);
  FileBytes bytes;
  TN_RETURN_IF_ERROR(bytes.Read(descriptor.get(), file));
  LogHeader header{};
  if (!IsFileHeader(bytes, &header)) {
    // A crash may leave a file without contents, or with a part of its header, and of what was
    // written before the first sync the records without the header.
    const bool begun = !may_lack_header && bytes.size() > sizeof header &&
                       !bytes.IsZero(sizeof header, bytes.size());
    if (begun || (log->end.file != 0 && log->end.file + 1 != number)) {
      log->damage = Failure(StatusCode::kCorrupt, file + " is damaged at byte 0");
    } else if (log->end.file == 0) {
      log->end = {number, 0};
    }
    return Status::Ok();
  }
  if (header.description.version != kLogVersion) {
    return Failure(StatusCode::kFormat,
                   file + " has format version " + std::to_string(header.description.version) +
                       "; this program knows version " + std::to_string(kLogVersion),
                   header.description.version);
  }
  // The file before it was synced, whole, before this one was begun.
  if (log->end.file != 0 && (log->end.file + 1 != number || header.previous != *last_record)) {
    log->damage = Failure(
        StatusCode::kCorrupt,
        log->end.file + 1 != number
            ? "log files between " + LogName(log->end.file) + " and " + file + " are missing"
            : file.substr(0, file.size() - LogName(number).size()) + LogName(log->end.file) +
                  " is damaged at byte " + std::to_string(log->end.offset) +
                  ": its last record is at byte " + std::to_string(header.previous));
    return Status::Ok();
  }
  size_t at = sizeof header;
  *last_record = 0;
  RecordHeader record;
  while (RecordAt(bytes, at, &record)) {
    RecordStart start{};
    std::memcpy(&start, bytes.at(at + sizeof record),
                std::min(sizeof start, record.length - sizeof record));
    log->has_changes |= IsChange(start.type);
    if (start.transaction != 0) {
      log->finished = false;
      last_change = {number, static_cast<uint32_t>(at)};
    } else if (start.type == kCheckpoint) {
      log->finished = last_change < start.unfinished;
    }
    *last_record = static_cast<uint32_t>(at);
    at += record.length;
  }
  log->end = {number, static_cast<uint32_t>(at)};
  return Status::Ok();
}

}  // namespace

LogHeader FirstLogHeader(uint32_t file_bytes) {
  LogHeader header{0, sizeof header, 0, {kLogMagic, kLogVersion, file_bytes, 0}};
  header.checksum = ChecksumOf({header.previous, header.length, 0}, &header.description);
  return header;
}

uint32_t LogNumber(std::string_view name) {
  if (!IsLogFile(name)) return 0;
  uint32_t number = 0;
  name.remove_prefix(kLogPrefix.size());
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  return parsed.ec == std::errc() ? number : 0;
}

std::string LogName(uint32_t number) {
  const std::string digits = std::to_string(number);
  return std::string(kLogPrefix) + std::string(kNumberDigits - digits.size(), '0') + digits;
}

bool MayHaveChanges(std::string_view beginning) {
  size_t at = sizeof(LogHeader);
  RecordHeader record;
  while (beginning.size() >= at + sizeof record + sizeof(uint32_t)) {
    std::memcpy(&record, beginning.data() + at, sizeof record);
    if (record.length == 0) return false;
    uint32_t type;
    std::memcpy(&type, beginning.data() + at + sizeof record, sizeof type);
    if (IsChange(type) || record.length < sizeof record) return true;
    at += record.length;
  }
  return at != beginning.size();
}

Result<LogContents> ScanLog(const std::string& directory, uint32_t first, LogPlace synced) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(directory));
  LogContents log;
  for (const std::string& name : names) {
    const uint32_t number = LogNumber(name);
    if (number != 0 && number >= first) log.files.push_back(number);
  }
  std::sort(log.files.begin(), log.files.end());
  uint32_t last_record = 0;
  LogPlace last_change;  // the last record of a transaction
  for (const uint32_t number : log.files) {
    const bool may_lack_header = synced.file != 0 && synced < LogPlace{number, sizeof(LogHeader)};
    TN_RETURN_IF_ERROR(ScanFile(directory + "/" + LogName(number), number, may_lack_header, &log,
                                &last_record, last_change));
    if (!log.damage.ok()) break;
  }
  return log;
}

}  // namespace tenure::store
