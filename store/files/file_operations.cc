#include "store/files/file_operations.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

Result<std::vector<std::string>> EntriesOf(const std::string& path) {
  std::vector<std::string> names;
  if (StoreList(path.c_str(), &names) != 0) {
    return SystemFailure(errno, "cannot read directory " + path);
  }
  return names;
}

Result<std::vector<std::string>> DatabaseNames(const std::string& directory) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> entries, EntriesOf(directory));
  std::vector<std::string> names;
  for (std::string_view name : entries) {
    if (!name.ends_with(".db")) continue;
    name.remove_suffix(3);
    if (CheckDatabaseName(name).ok()) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
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

}  // namespace tenure::store
