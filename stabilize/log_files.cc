#include "stabilize/log_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include "stabilize/descriptor.h"
#include "stabilize/recovery.h"
#include "stabilize/status_text.h"
#include "stabilize/store_io.h"
#include "stabilize/tree_checksum.h"

namespace tenure::stabilize {

namespace {

constexpr std::string_view kLogPrefix = "log.";
constexpr std::string_view kNewLogPrefix = "newlog.";
constexpr size_t kNumberDigits = 10;
// Of the last log file, behind its end: so much has blocks, and zeros in them.
constexpr off_t kReserve = 256 << 10;

bool IsNumbered(std::string_view name, std::string_view prefix) {
  return name.size() == prefix.size() + kNumberDigits && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

}  // namespace

bool IsLogFile(std::string_view name) { return IsNumbered(name, kLogPrefix); }

bool IsNewLogFile(std::string_view name) { return IsNumbered(name, kNewLogPrefix); }

namespace {

// Opens the log file with the highest number. -1 with *status ok if there is none.
int OpenLastLog(const std::string& path, std::string* file, Status* status) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) {
    *status = names.status();
    return -1;
  }
  std::string last;
  for (const std::string& name : *names) {
    if (IsLogFile(name)) last = std::max(last, name);
  }
  if (last.empty()) return -1;
  *file = path + "/" + last;
  const int fd = StoreOpen(file->c_str(), O_RDWR);
  if (fd < 0) *status = SystemFailure(errno, "cannot open " + *file);
  return fd;
}

// Whether these bytes of the file are zeros; a hole is, without reading it.
bool IsZeros(int fd, off_t begin, off_t end) {
  const off_t data = lseek(fd, begin, SEEK_DATA);
  if (data < 0 ? errno == ENXIO : data >= end) return true;
  char buffer[64 << 10];
  while (begin < end) {
    const auto wanted = std::min(static_cast<size_t>(end - begin), sizeof buffer);
    const ssize_t count = pread(fd, buffer, wanted, begin);
    if (count <= 0 || buffer[0] != 0 ||
        std::memcmp(buffer, buffer + 1, static_cast<size_t>(count) - 1) != 0) {
      return false;
    }
    begin += count;
  }
  return true;
}

// No record ends in more zeros than this: none is much longer than a page of a tree.
constexpr off_t kMargin = 128 << 10;
// After a clean end the last one is a checkpoint's.
constexpr off_t kMarginClosed = 8 << 10;

// The parts of the file that are no holes, in order; the whole file where the file system does not
// know. Berkeley DB writes the last byte of a file, and then from its beginning on.
std::vector<std::pair<off_t, off_t>> PartsWithData(int fd, off_t size) {
  std::vector<std::pair<off_t, off_t>> parts;
  for (off_t at = 0; at < size;) {
    const off_t data = lseek(fd, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    at = data < 0 ? -1 : lseek(fd, data, SEEK_HOLE);
    if (at < 0) return {{0, size}};
    parts.emplace_back(data, at);
  }
  return parts;
}

// Where everything that a log file may hold ends.
off_t EndOfRecords(int fd, off_t size, off_t margin) {
  constexpr off_t kStep = 8 << 10;
  std::vector<std::pair<off_t, off_t>> parts = PartsWithData(fd, size);
  off_t end = 0;
  for (; end == 0 && !parts.empty(); parts.pop_back()) {
    const off_t begin = parts.back().first;
    end = parts.back().second;
    while (end > begin && IsZeros(fd, std::max(end - kStep, begin), end)) {
      end = std::max(end - kStep, begin);
    }
    if (end == begin) end = 0;
  }
  if (end == 0) return size;
  // Behind the blocks that were written there is no part of a record either.
  const off_t hole = lseek(fd, end - 1, SEEK_HOLE);
  return std::min({size, end + margin, hole < 0 ? size : hole});
}

// Blocks around what EndOfRecords says, for an opening on a disk that is full meanwhile. Not all
// file systems can do that, and where there is no space there is none.
void ReserveBlocks(int fd, off_t end) {
  static_cast<void>(
      fallocate(fd, FALLOC_FL_KEEP_SIZE, std::max<off_t>(end - kReserve, 0), 2 * kReserve));
}

}  // namespace

Status CheckLogHeaders(const std::string& path) {
  // The previous record's place, the length, the checksum; then magic number, version, size.
  constexpr uint32_t kHeaderBytes = 28;
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (!IsLogFile(name)) continue;
    const std::string file = path + "/" + name;
    const Descriptor descriptor(StoreOpen(file.c_str(), O_RDONLY));
    uint32_t words[kHeaderBytes / 4];
    if (descriptor.get() < 0) continue;  // Berkeley DB says why.
    // A crash may leave one without contents, or with zeros.
    if (pread(descriptor.get(), words, sizeof words, 0) != sizeof words) continue;
    const bool empty =
        std::all_of(std::begin(words), std::end(words), [](uint32_t word) { return word == 0; });
    if (!empty && words[1] != kHeaderBytes) {
      return Failure(StatusCode::kCorrupt, file + " is damaged (it begins with a record of " +
                                               std::to_string(words[1]) + " bytes)");
    }
  }
  return Status::Ok();
}

Status TrimLog(const std::string& path, uint64_t full) {
  std::string file;
  Status status;
  const int fd = OpenLastLog(path, &file, &status);
  if (fd < 0) return status;
  const off_t size = lseek(fd, 0, SEEK_END);
  off_t end = size;
  if (size >= 0 && static_cast<uint64_t>(size) >= full) end = EndOfRecords(fd, size, kMargin);
  if (end < size && StoreTruncate(fd, end) != 0) {
    status = SystemFailure(errno, "cannot cut " + file);
  }
  ReserveBlocks(fd, end);
  close(fd);
  return status;
}

void ShortenLog(const std::string& path) {
  std::string file;
  Status status;
  const int fd = OpenLastLog(path, &file, &status);
  if (fd < 0) return;
  const off_t size = lseek(fd, 0, SEEK_END);
  const off_t end = EndOfRecords(fd, size, kMarginClosed);
  // Where it fails the next opening does it.
  if (end < size) static_cast<void>(StoreTruncate(fd, end));
  ReserveBlocks(fd, end);
  close(fd);
}

Status ExtendLog(const std::string& path, uint64_t bytes) {
  std::string file;
  Status status;
  const int fd = OpenLastLog(path, &file, &status);
  if (fd < 0) return status;
  const off_t size = lseek(fd, 0, SEEK_END);
  if (size >= 0 && static_cast<uint64_t>(size) + kReserve <= bytes) {
    // Where there is no space there is only the hole.
    static_cast<void>(StorePwriteZeros(fd, kReserve, size));
  }
  if (size >= 0 && static_cast<uint64_t>(size) < bytes &&
      StoreTruncate(fd, static_cast<off_t>(bytes)) != 0) {
    status = SystemFailure(errno, "cannot extend " + file);
  }
  close(fd);
  return status;
}

// --- A new log
// ----------------------------------------------------------------------------------------

namespace {

// What a log file begins with: a record like all others, with the file's description.
struct LogHeader {
  uint32_t previous;  // where the record before is, in the file before; 0: there is none
  uint32_t length;    // of this record
  uint32_t checksum;
  struct {
    uint32_t magic;
    uint32_t version;
    uint32_t file_bytes;
    uint32_t unused;
  } description;
};
static_assert(sizeof(LogHeader) == 28);

constexpr uint32_t kLogMagic = 0x040988;

uint32_t ChecksumOf(const LogHeader& header) {
  return TreeChecksum(&header.description, sizeof header.description) ^ header.previous ^
         header.length;
}

// Made from that of another file. False if it is not what Berkeley DB 5.3 makes on this machine.
bool HeaderLike(int fd, LogHeader* header) {
  if (pread(fd, header, sizeof *header, 0) != sizeof *header) return false;
  if (header->length != sizeof *header || header->description.magic != kLogMagic ||
      header->checksum != ChecksumOf(*header)) {
    return false;
  }
  header->previous = 0;
  header->checksum = ChecksumOf(*header);
  return true;
}

// The number of the file after this one, as its name has it; empty if there is none.
std::string NumberAfter(std::string_view log_name) {
  uint64_t number = 0;
  std::from_chars(log_name.data() + kLogPrefix.size(), log_name.data() + log_name.size(), number);
  const std::string digits = std::to_string(number + 1);
  if (number >= INT32_MAX) return {};
  return std::string(kNumberDigits - digits.size(), '0') + digits;
}

}  // namespace

void StartNewLog(const std::string& path, uint64_t longest) {
  std::string file;
  Status status;
  const int fd = OpenLastLog(path, &file, &status);
  if (fd < 0) return;
  LogHeader header;
  const bool wanted =
      EndOfRecords(fd, lseek(fd, 0, SEEK_END), kMargin) > static_cast<off_t>(longest) &&
      HeaderLike(fd, &header);
  close(fd);
  if (!wanted) return;
  const std::string number = NumberAfter(std::string_view(file).substr(path.size() + 1));
  if (number.empty()) return;
  const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
  if (!ReplaceFile(path, std::string(kNewLogPrefix) + number, bytes).ok()) return;
  // It is decided: what fails now is done at the next opening.
  static_cast<void>(FinishNewLog(path));
}

Status FinishNewLog(const std::string& path) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  const auto decided = std::find_if(names->begin(), names->end(),
                                    [](const std::string& name) { return IsNewLogFile(name); });
  if (decided == names->end()) return Status::Ok();
  const auto failed = [&](const std::string& what) {
    return SystemFailure(errno, "cannot " + what + " in " + path);
  };
  // Never both: recovery would look for a checkpoint in the file before.
  for (const std::string& name : *names) {
    if (!IsLogFile(name)) continue;
    if (StoreUnlink((path + "/" + name).c_str()) != 0) return failed("remove " + name);
  }
  if (StoreSyncDirectory(path.c_str()) != 0) return failed("remove log files");
  const std::string name = std::string(kLogPrefix) + decided->substr(kNewLogPrefix.size());
  if (StoreRename((path + "/" + *decided).c_str(), (path + "/" + name).c_str()) != 0 ||
      StoreSyncDirectory(path.c_str()) != 0) {
    return failed("rename " + *decided);
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
