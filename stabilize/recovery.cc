#include "stabilize/recovery.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "stabilize/double_write.h"
#include "stabilize/held_directory.h"
#include "stabilize/log_files.h"
#include "stabilize/redo_log.h"
#include "stabilize/status_text.h"
#include "stabilize/store_io.h"

namespace tenure::stabilize {

namespace {

constexpr std::string_view kTemporarySuffix = ".new";
constexpr std::string_view kSwitchFile = "SWITCH";
constexpr std::string_view kSwitchEnd = "end\n";

Status Remove(const std::string& file) {
  if (StoreUnlink(file.c_str()) != 0 && errno != ENOENT) {
    return SystemFailure(errno, "cannot remove " + file);
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<std::string>> EntriesOf(const std::string& path) {
  std::vector<std::string> names;
  if (StoreList(path.c_str(), &names) != 0) {
    return SystemFailure(errno, "cannot read directory " + path);
  }
  return names;
}

Result<std::string> ReadWholeFile(const std::string& file) {
  const int fd = StoreOpen(file.c_str(), O_RDONLY);
  if (fd < 0) return SystemFailure(errno, "cannot open " + file);
  Status status;
  std::string text;
  char buffer[4096];
  ssize_t count = 0;
  while (status.ok() &&
         (count = StoreRead(fd, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0) {
    text.append(buffer, static_cast<size_t>(count));
  }
  if (count < 0) status = SystemFailure(errno, "cannot read " + file);
  close(fd);
  if (!status.ok()) return status;
  return text;
}

namespace {

const char* KindOf(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFLNK: return "a symbolic link";
    case S_IFDIR: return "a directory";
    case S_IFIFO: return "a pipe";
    case S_IFSOCK: return "a socket";
    default: return "a device";
  }
}

}  // namespace

Status CheckIsFile(const struct stat& info, const std::string& file, bool writes) {
  if (!S_ISREG(info.st_mode)) {
    return Failure(StatusCode::kCorrupt,
                   file + " is " + KindOf(info.st_mode) +
                       " and not a file: a store's files are never reached through anything else");
  }
  if (!writes || info.st_nlink <= 1) return Status::Ok();
  return Failure(StatusCode::kInvalidArgument,
                 file + " has " + std::to_string(info.st_nlink) +
                     " names (hard links), and the files of those would be written, too: put a "
                     "copy in its place");
}

Status CheckStoreFiles(const std::string& path, bool writes) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    const std::string file = path + "/" + name;
    // Berkeley DB would do whatever that says, with whatever files.
    if (name == "DB_CONFIG") {
      return Failure(StatusCode::kCorrupt, file + " is no file of a store: take it away");
    }
    if (!IsStoreFile(name)) continue;
    struct stat info;
    if (StoreStat(file.c_str(), &info) != 0) {
      if (errno == ENOENT) continue;  // Whoever has the store has removed it.
      return SystemFailure(errno, "cannot examine " + file);
    }
    TN_RETURN_IF_ERROR(CheckIsFile(info, file, writes));
  }
  return Status::Ok();
}

bool IsStoreFile(std::string_view name) {
  return name == "LOCK" || name == "FORMAT" || name == kSwitchFile || name == kRedoFile ||
         name == kDoubleWriteFile || name == kMarkFile || IsLogFile(name) || IsNewLogFile(name) ||
         name.ends_with(".db") || name.starts_with("__db.") || name.ends_with(kTemporarySuffix);
}

Result<StoreState> ExamineStore(const std::string& path) {
  struct stat info;
  if (!IsHeld(path)) {
    if (stat(path.c_str(), &info) != 0) {
      if (errno == ENOENT && lstat(path.c_str(), &info) == 0) {
        return Failure(StatusCode::kIo, path + " is a symbolic link that leads nowhere", ENOENT);
      }
      if (errno == ENOENT || errno == ENOTDIR) return StoreState::kAbsent;
      return SystemFailure(errno, "cannot examine " + path);
    }
    if (!S_ISDIR(info.st_mode)) return StoreState::kForeign;
  }
  if (StoreStat((path + "/FORMAT").c_str(), &info) == 0) return StoreState::kComplete;
  if (errno != ENOENT) return SystemFailure(errno, "cannot examine " + path + "/FORMAT");

  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  if (names->empty()) return StoreState::kEmpty;
  // LOCK is made first, so a directory of other people's files that happen to be named like ours is
  // not taken for half a store.
  bool lock_found = false;
  for (const std::string& name : *names) {
    if (!IsStoreFile(name)) return StoreState::kForeign;
    lock_found |= name == "LOCK";
  }
  if (!lock_found) return StoreState::kForeign;
  if (names->size() == 1) return StoreState::kHalfCreated;
  const Result<std::string> lock = ReadWholeFile(path + "/LOCK");
  if (!lock.ok()) return lock.status();
  // Power may have failed before the system had written it, or all of it.
  return lock->empty() || lock->front() == kCreatingMark.front() ? StoreState::kHalfCreated
                                                                 : StoreState::kWithoutFormat;
}

Status RemoveHalfCreatedStore(const std::string& path) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (name != "LOCK" && IsStoreFile(name)) TN_RETURN_IF_ERROR(Remove(path + "/" + name));
  }
  return Status::Ok();
}

Status RemoveTemporaryFiles(const std::string& path) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (name.ends_with(kTemporarySuffix)) TN_RETURN_IF_ERROR(Remove(path + "/" + name));
  }
  return Status::Ok();
}

std::string ReplacementFile(const std::string& file) {
  return file + std::string(kTemporarySuffix);
}

Status ReplaceDatabases(const std::string& path, const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += file + "\n";
  text += kSwitchEnd;
  TN_RETURN_IF_ERROR(ReplaceFile(path, kSwitchFile, text));
  return FinishReplacing(path);
}

Status FinishReplacing(const std::string& path) {
  const std::string file = path + "/" + std::string(kSwitchFile);
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
    const std::string place = path + "/" + name;
    // It is not there when this was interrupted after it.
    if (StoreRename(ReplacementFile(place).c_str(), place.c_str()) != 0 && errno != ENOENT) {
      return SystemFailure(errno, "cannot replace " + place);
    }
  }
  if (StoreSyncDirectory(path.c_str()) != 0) return SystemFailure(errno, "cannot write " + path);
  TN_RETURN_IF_ERROR(Remove(file));
  if (StoreSyncDirectory(path.c_str()) != 0) return SystemFailure(errno, "cannot write " + path);
  return Status::Ok();
}

Result<bool> HasReplacements(const std::string& path) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  return std::any_of(names->begin(), names->end(), [](const std::string& name) {
    return name.ends_with(ReplacementFile(".db"));
  });
}

Status RemoveRemains(const std::string& path) {
  const Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (name.starts_with("__db.") || name.ends_with(ReplacementFile(".db")))
      TN_RETURN_IF_ERROR(Remove(path + "/" + name));
  }
  return Status::Ok();
}

Status ReplaceFile(const std::string& directory, std::string_view name, std::string_view contents) {
  return ReplaceFile(directory, name, [&](int) { return std::string(contents); });
}

Status ReplaceFile(const std::string& directory, std::string_view name,
                   const std::function<std::string(int fd)>& contents_of) {
  const std::string file = directory + "/" + std::string(name);
  const std::string temporary = file + std::string(kTemporarySuffix);
  const int fd = StoreOpenTemporary(temporary.c_str());
  if (fd < 0) return SystemFailure(errno, "cannot create " + temporary);
  const std::string contents = contents_of(fd);
  int error = StoreWrite(fd, contents.data(), contents.size()) < 0 ? errno : 0;
  if (error == 0 && StoreSync(fd) != 0) error = errno;
  close(fd);
  if (error == 0 && StoreRename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0 && StoreSyncDirectory(directory.c_str()) != 0) error = errno;
  return error == 0 ? Status::Ok() : SystemFailure(error, "cannot write " + file);
}

}  // namespace tenure::stabilize
