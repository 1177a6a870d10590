#include "store/directory/recovery.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "abi/heap_constants.h"
#include "store/files/file_operations.h"
#include "store/files/held_directory.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/log/log_files.h"
#include "store/log/log_mark.h"
#include "store/log/log_scan.h"
#include "store/log/redo_log.h"
#include "store/trees/double_write.h"
#include "store/trees/tree_memory.h"

namespace tenure::store {

namespace {

constexpr std::string_view kSwitchEnd = "end\n";

Status Remove(const std::string& file) {
  if (StoreUnlink(file.c_str()) != 0 && errno != ENOENT) {
    return SystemFailure(errno, "cannot remove " + file);
  }
  return Status::Ok();
}

// Creation makes two trees of two pages at most, and logs these pages and some hundred bytes more;
// what it writes behind these bytes is zero. The first commit to a database logs a page of objects.
constexpr off_t kBytesOfEmptyTree = 2 * kTreePageBytes;
constexpr size_t kBytesOfEmptyLog = 4 * kTreePageBytes + (4 << 10);
static_assert(abi::kPageBytes > (4 << 10));

// Whether the store with these files may have commits, or had any. False only if the files are what
// a creation leaves of them, however it is interrupted.
Result<bool> MayHaveCommits(const std::string& path, const std::vector<std::string>& names) {
  int databases = 0;
  for (const std::string& name : names) {
    const std::string file = path + "/" + name;
    if (name == kMarkFile) {
      TN_ASSIGN_OR_RETURN(const bool used, HasBeenUsed(path));
      if (used) return true;
    } else if (name == LogName(1)) {
      TN_ASSIGN_OR_RETURN(const std::string log, ReadWholeFile(file));
      if (log.size() > kBytesOfEmptyLog &&
          log.find_first_not_of('\0', kBytesOfEmptyLog) != std::string::npos) {
        return true;
      }
    } else if (name == kRedoFile || name == kSwitchFile || IsServersFile(name) || IsLogFile(name) ||
               IsNewLogFile(name) || IsReplacementFile(name)) {
      return true;
    } else if (name.ends_with(".db") && name != kStoreTreeFile) {
      struct stat info;
      if (StoreStat(file.c_str(), &info) != 0)
        return SystemFailure(errno, "cannot examine " + file);
      if (++databases > 1 || info.st_size > kBytesOfEmptyTree) return true;
    }
  }
  return false;
}

}  // namespace

Status StoreFiles::Check(bool writes) const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  for (const std::string& name : names) {
    const std::string file = path_ + "/" + name;
    // Berkeley DB would execute the commands in this file.
    if (name == "DB_CONFIG") {
      return Failure(StatusCode::kCorrupt, file + " is not a file of a store: take it away");
    }
    if (!IsStoreFile(name)) continue;
    struct stat info;
    if (StoreStat(file.c_str(), &info) != 0) {
      if (errno == ENOENT) continue;  // the process that holds the store has removed the file
      return SystemFailure(errno, "cannot examine " + file);
    }
    TN_RETURN_IF_ERROR(CheckIsFile(info, file, writes));
  }
  return Status::Ok();
}

Result<StoreState> StoreFiles::Examine() const {
  struct stat info;
  if (!IsHeld(path_)) {
    if (stat(path_.c_str(), &info) != 0) {
      if (errno == ENOENT && lstat(path_.c_str(), &info) == 0) {
        return Failure(StatusCode::kIo, path_ + " is a symbolic link that leads nowhere", ENOENT);
      }
      if (errno == ENOENT || errno == ENOTDIR) return StoreState::kAbsent;
      return SystemFailure(errno, "cannot examine " + path_);
    }
    if (!S_ISDIR(info.st_mode)) return StoreState::kForeign;
  }
  if (StoreStat((path_ + "/FORMAT").c_str(), &info) == 0) return StoreState::kComplete;
  if (errno != ENOENT) return SystemFailure(errno, "cannot examine " + path_ + "/FORMAT");

  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  if (names.empty()) return StoreState::kEmpty;
  bool is_ours = false;
  for (const std::string& name : names) {
    if (!IsStoreFile(name) && !IsServersFile(name)) return StoreState::kForeign;
    is_ours = is_ours || name == kLockFile || name == kStoreTreeFile || name == kDoubleWriteFile;
  }
  // Other programs that use Berkeley DB have files like our other ones.
  if (!is_ours) return StoreState::kNamedLikeStore;
  if (HasLock()) {
    TN_ASSIGN_OR_RETURN(const std::string lock, ReadWholeFile(path_ + "/LOCK"));
    // If the power fails, LOCK may be empty, or have its length and zeros, or not be there.
    const size_t text = lock.find_first_not_of('\0');
    if (text != std::string::npos) {
      // Commits before a store is complete, as those of an import, count only once FORMAT is there.
      return lock.starts_with(kCreatingMark) ? StoreState::kHalfCreated
                                             : StoreState::kWithoutFormat;
    }
  }
  TN_ASSIGN_OR_RETURN(const bool commits, MayHaveCommits(path_, names));
  return commits ? StoreState::kWithoutFormat : StoreState::kHalfCreated;
}

bool StoreFiles::HasLock() const {
  struct stat info;
  return StoreStat((path_ + "/LOCK").c_str(), &info) == 0 || errno != ENOENT;
}

Status StoreFiles::RemoveHalfCreated() const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  for (const std::string& name : names) {
    if (name != "LOCK" && IsStoreFile(name)) TN_RETURN_IF_ERROR(Remove(path_ + "/" + name));
  }
  return Status::Ok();
}

Status StoreFiles::RemoveTemporaryFiles() const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  for (const std::string& name : names) {
    if (name.ends_with(kTemporarySuffix)) TN_RETURN_IF_ERROR(Remove(path_ + "/" + name));
  }
  return Status::Ok();
}

Status StoreFiles::ReplaceDatabases(const std::vector<std::string>& files) const {
  std::string text;
  for (const std::string& file : files) text += file + "\n";
  text += kSwitchEnd;
  TN_RETURN_IF_ERROR(ReplaceFile(path_, kSwitchFile, text));
  return FinishReplacing();
}

Status StoreFiles::RemoveUnusedReplacements() const {
  struct stat info;
  const std::string file = path_ + "/" + std::string(kSwitchFile);
  if (StoreStat(file.c_str(), &info) == 0) return Status::Ok();
  if (errno != ENOENT) return SystemFailure(errno, "cannot examine " + file);
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  for (const std::string& name : names) {
    if (IsReplacementFile(name)) TN_RETURN_IF_ERROR(Remove(path_ + "/" + name));
  }
  return Status::Ok();
}

Status StoreFiles::FinishReplacing() const {
  const std::string file = path_ + "/" + std::string(kSwitchFile);
  Result<std::string> read = ReadWholeFile(file);
  if (!read.ok()) return read.status().number() == ENOENT ? Status::Ok() : read.status();
  std::string text = *std::move(read);
  if (!text.ends_with(kSwitchEnd)) {
    return Failure(StatusCode::kCorrupt, file + " is damaged");
  }
  text.resize(text.size() - kSwitchEnd.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string name = text.substr(at, end - at);
    at = end + 1;
    if (!name.ends_with(".db") || name.find('/') != std::string::npos) {
      return Failure(StatusCode::kCorrupt, file + " is damaged");
    }
    const std::string place = path_ + "/" + name;
    // An interrupted call may have renamed the file.
    if (StoreRename(ReplacementFile(place).c_str(), place.c_str()) != 0 && errno != ENOENT) {
      return SystemFailure(errno, "cannot replace " + place);
    }
  }
  if (StoreSyncDirectory(path_.c_str()) != 0) return SystemFailure(errno, "cannot write " + path_);
  TN_RETURN_IF_ERROR(Remove(file));
  if (StoreSyncDirectory(path_.c_str()) != 0) return SystemFailure(errno, "cannot write " + path_);
  return Status::Ok();
}

Result<bool> StoreFiles::HasReplacements() const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return IsReplacementFile(name); });
}

Status StoreFiles::RemoveRemains() const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  for (const std::string& name : names) {
    if (name.starts_with("__db.") || IsReplacementFile(name) || name == kSpareLogFile)
      TN_RETURN_IF_ERROR(Remove(path_ + "/" + name));
  }
  return Status::Ok();
}

}  // namespace tenure::store
