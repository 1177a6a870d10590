#include "store/log/log_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

// Bytes behind the end of the last log file that have blocks on the disk, and hold zeros.
constexpr off_t kReserve = 256 << 10;

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

// Reserves blocks around the log's end, for an opening on a disk that is full then. Has no effect
// on file systems without fallocate, or on a full disk.
void ReserveBlocks(int fd, off_t end) {
  static_cast<void>(
      fallocate(fd, FALLOC_FL_KEEP_SIZE, std::max<off_t>(end - kReserve, 0), 2 * kReserve));
}

Status CutAt(const std::string& path, LogPlace end) {
  const std::string file = path + "/" + LogName(end.file);
  const Descriptor log(StoreOpen(file.c_str(), O_RDWR));
  const off_t size = log.get() < 0 ? -1 : lseek(log.get(), 0, SEEK_END);
  if (size < 0) return SystemFailure(errno, "cannot open " + file);
  if (size > off_t{end.offset} && StoreTruncate(log.get(), end.offset) != 0) {
    return SystemFailure(errno, "cannot cut " + file);
  }
  ReserveBlocks(log.get(), end.offset);
  return Status::Ok();
}

// Begins an empty log, of this file only.
Status BeginLog(const std::string& path, uint32_t number, uint32_t file_bytes) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path));
  for (const std::string& name : names) {
    if (!IsLogFile(name) || LogNumber(name) == number) continue;
    if (StoreUnlink((path + "/" + name).c_str()) != 0 && errno != ENOENT) {
      return SystemFailure(errno, "cannot remove " + name + " in " + path);
    }
  }
  const std::string file = path + "/" + LogName(number);
  const auto failed = [&] { return SystemFailure(errno, "cannot make " + file); };
  const Descriptor log(StoreOpen(file.c_str(), O_RDWR | O_CREAT));
  if (log.get() < 0) return failed();
  const LogHeader header = FirstLogHeader(file_bytes);
  LogHeader there{};
  const ssize_t got = StoreRead(log.get(), &there, sizeof there, 0);
  if (got < 0) return failed();
  const off_t size = lseek(log.get(), 0, SEEK_END);
  if (got != sizeof there || std::memcmp(&there, &header, sizeof header) != 0) {
    if (StorePwrite(log.get(), &header, sizeof header, 0) < 0) return failed();
  }
  if (size > off_t{sizeof header} && StoreTruncate(log.get(), sizeof header) != 0) return failed();
  ReserveBlocks(log.get(), sizeof header);
  return Status::Ok();
}

// For stores of older versions, which began a new log in three steps.
Status FinishNewLog(const std::string& path, const std::vector<std::string>& names) {
  const auto decided = std::find_if(names.begin(), names.end(),
                                    [](const std::string& name) { return IsNewLogFile(name); });
  if (decided == names.end()) return Status::Ok();
  const auto failed = [&](const std::string& what) {
    return SystemFailure(errno, "cannot " + what + " in " + path);
  };
  // The old and the new log must never both exist: recovery would look for a checkpoint in the old.
  for (const std::string& name : names) {
    if (!IsLogFile(name)) continue;
    if (StoreUnlink((path + "/" + name).c_str()) != 0) return failed("remove " + name);
  }
  if (StoreSyncDirectory(path.c_str()) != 0) return failed("remove log files");
  const std::string name = decided->substr(std::string_view("new").size());
  if (StoreRename((path + "/" + *decided).c_str(), (path + "/" + name).c_str()) != 0 ||
      StoreSyncDirectory(path.c_str()) != 0) {
    return failed("rename " + *decided);
  }
  return Status::Ok();
}

// Whether the log is as a clean close has left it: nothing was written since.
bool IsAsClosed(const LogMarks& marks, const LogContents& log) {
  return marks.first_file != 0 && !log.has_changes && log.damage.ok() &&
         marks.synced <= LogPlace{marks.first_file, sizeof(LogHeader)};
}

// Ok if the log reaches as far as it must.
Status CheckReach(const std::string& path, const LogMarks& marks, const LogContents& log) {
  if (!log.damage.ok()) return log.damage;
  if (log.end.offset == 0) {
    return Failure(StatusCode::kCorrupt, "store " + path + " has lost its log files");
  }
  if (log.end >= marks.synced) return Status::Ok();
  return Failure(StatusCode::kCorrupt,
                 path + "/" + LogName(log.end.file) + " is damaged at byte " +
                     std::to_string(log.end.offset) + ": the log was synced up to byte " +
                     std::to_string(marks.synced.offset) +
                     (marks.synced.file == log.end.file ? std::string()
                                                        : " of " + LogName(marks.synced.file)));
}

}  // namespace

Result<LogOpening> PrepareLog(const std::string& path, const Uuid& store, uint32_t file_bytes,
                              bool until_damage) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path));
  TN_RETURN_IF_ERROR(FinishNewLog(path, names));
  TN_ASSIGN_OR_RETURN(const LogMarks marks, ReadLogMarks(path, store));
  TN_ASSIGN_OR_RETURN(const LogContents log, ScanLog(path, marks.first_file, marks.synced));
  if (IsAsClosed(marks, log)) {
    TN_RETURN_IF_ERROR(BeginLog(path, marks.first_file, file_bytes));
    return LogOpening{false, marks};
  }
  if (const Status reach = CheckReach(path, marks, log); !reach.ok() && !until_damage) {
    return Failure(reach.code(), std::string(reach.text()) +
                                     "; 'tenure db salvage' gets out what was committed before");
  }
  // Removes the files that a closing has left, and files behind the log's end: neither may be taken
  // for a part of the log.
  for (const std::string& name : names) {
    const uint32_t number = LogNumber(name);
    const bool old = number != 0 && number < marks.first_file;
    const bool behind = number > log.end.file;
    if (!old && !behind) continue;
    if (StoreUnlink((path + "/" + name).c_str()) != 0 && errno != ENOENT) {
      return SystemFailure(errno, "cannot remove " + name + " in " + path);
    }
  }
  if (log.end.file != 0) TN_RETURN_IF_ERROR(CutAt(path, log.end));
  return LogOpening{true, marks};
}

Result<bool> NothingToRecover(const std::string& path, const Uuid& store) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path));
  for (const std::string& name : names) {
    if (name == kRedoFile || name == "SWITCH" || IsNewLogFile(name) || name.ends_with(".new")) {
      return false;
    }
  }
  struct stat info;
  if (StoreStat((path + "/" + std::string(kDoubleWriteFile)).c_str(), &info) == 0) {
    if (info.st_size != 0) return false;
  } else if (errno != ENOENT) {
    return SystemFailure(errno, "cannot examine " + std::string(kDoubleWriteFile) + " in " + path);
  }
  TN_ASSIGN_OR_RETURN(const LogMarks marks, ReadLogMarks(path, store));
  TN_ASSIGN_OR_RETURN(const LogContents log, ScanLog(path, marks.first_file, marks.synced));
  return IsAsClosed(marks, log) || (log.finished && CheckReach(path, marks, log).ok());
}

namespace {

// Whether the log may have changes; looks only at the beginning of a log of one file.
Result<bool> IsUsed(const std::string& path, const std::vector<uint32_t>& files) {
  if (files.size() != 1) return true;
  const std::string file = path + "/" + LogName(files.front());
  const Descriptor log(StoreOpen(file.c_str(), O_RDONLY));
  char bytes[8 << 10];
  const ssize_t got = log.get() < 0 ? -1 : StoreRead(log.get(), bytes, sizeof bytes, 0);
  if (got < 0) return SystemFailure(errno, "cannot read " + file);
  return MayHaveChanges(std::string_view(bytes, static_cast<size_t>(got)));
}

}  // namespace

bool EndLog(const std::string& path, uint32_t file_bytes, LogMarkFile& mark) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return false;
  std::vector<uint32_t> files;
  for (const std::string& name : *names) {
    if (IsLogFile(name)) files.push_back(LogNumber(name));
  }
  if (files.empty()) return false;
  const Result<bool> used = IsUsed(path, files);
  if (!used.ok()) return false;
  const uint32_t last = *std::max_element(files.begin(), files.end());
  // A log of which MARK tells more than a header may not be cut, even if it has no change.
  const Result<bool> told = mark.SaysBehind({last, sizeof(LogHeader)});
  if (!told.ok()) return false;
  if (!*used && !*told) {
    static_cast<void>(CutAt(path, {last, sizeof(LogHeader)}));
    return false;
  }
  if (last >= INT32_MAX || !mark.NoteClosed(last + 1).ok()) return false;
  // The closing is decided: the next opening repeats any step that fails here.
  static_cast<void>(BeginLog(path, last + 1, file_bytes));
  return true;
}

Status ExtendLog(const std::string& path, uint64_t bytes) {
  std::string file;
  Status status;
  const Descriptor log(OpenLastLog(path, &file, &status));
  const int fd = log.get();
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
  return status;
}

Result<bool> ReserveLogBlocks(const std::string& path, uint32_t number, uint64_t begin,
                              uint64_t end) {
  const std::string file = path + "/" + LogName(number);
  const Descriptor log(StoreOpen(file.c_str(), O_RDWR));
  if (log.get() < 0) {
    if (errno == ENOENT) return false;
    return SystemFailure(errno, "cannot open " + file);
  }
  const int code = fallocate(log.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                             static_cast<off_t>(end - begin));
  if (code != 0 && IsLackOfSpace(errno)) return SystemFailure(errno, "cannot extend " + file);
  return true;
}

Result<bool> ReserveSpareLog(const std::string& path, uint64_t bytes) {
  const std::string file = path + "/" + std::string(kSpareLogFile);
  const Descriptor spare(StoreOpen(file.c_str(), O_RDWR | O_CREAT));
  if (spare.get() < 0) return SystemFailure(errno, "cannot make " + file);
  if (fallocate(spare.get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return true;
  if (IsLackOfSpace(errno)) return SystemFailure(errno, "cannot extend the log of " + path);
  return false;
}

void RemoveSpareLog(const std::string& path) {
  static_cast<void>(StoreUnlink((path + "/" + std::string(kSpareLogFile)).c_str()));
}

void ShortenLog(const std::string& path) {
  const Result<LogContents> log = ScanLog(path, 0, LogPlace());
  if (!log.ok() || !log->damage.ok() || log->files.empty()) return;
  if (log->end.file != log->files.back()) return;
  // Where it fails the next opening does it.
  static_cast<void>(CutAt(path, log->end));
}

}  // namespace tenure::store
