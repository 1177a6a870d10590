#include "dbtool/stored/copies.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dbtool/stored/stored_objects.h"
#include "store/directory/recovery.h"
#include "store/directory/store_directory.h"
#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/network/cluster_name.h"
#include "store/open.h"

namespace tenure::dbtool {

using store::Descriptor;
using store::SystemFailure;

namespace {

// Gives the copy the original's owner, as far as this process may: when root copies another user's
// store, that user can use the copy and put it back, and others cannot read it.
Status KeepOwner(int from, int to, const std::string& name) {
  struct stat info;
  if (store::StoreInfo(from, &info) != 0)
    return SystemFailure(errno, "cannot examine the original of " + name);
  if (fchown(to, info.st_uid, info.st_gid) != 0 && geteuid() == 0) {
    return SystemFailure(errno, "cannot give " + name + " to the owner of its original");
  }
  const mode_t owners = S_ISDIR(info.st_mode) ? 0700 : 0600;
  const bool given_away = geteuid() == 0 && info.st_uid != 0;
  if (fchmod(to, given_away ? (info.st_mode & 0777) | owners : owners) != 0) {
    return SystemFailure(errno, "cannot set the mode of " + name);
  }
  return Status::Ok();
}

// Collects the parts of a file that cannot be read: a text for each, neighbours together.
class UnreadableParts {
 public:
  UnreadableParts(std::string file, std::vector<std::string>* parts)
      : file_(std::move(file)), parts_(parts) {}
  ~UnreadableParts() { Tell(); }
  UnreadableParts(const UnreadableParts&) = delete;
  UnreadableParts& operator=(const UnreadableParts&) = delete;

  void Add(off_t at, off_t bytes, int error) {
    if (begin_ + bytes_ != at) Tell();
    if (bytes_ == 0) begin_ = at;
    bytes_ += bytes;
    error_ = error;
  }

 private:
  void Tell() {
    if (bytes_ != 0) {
      const Status why =
          SystemFailure(error_, file_ + ": " + std::to_string(bytes_) + " bytes at " +
                                    std::to_string(begin_) + " cannot be read");
      parts_->emplace_back(why.text());
    }
    bytes_ = 0;
  }

  const std::string file_;
  std::vector<std::string>* const parts_;
  off_t begin_ = 0, bytes_ = 0;
  int error_ = 0;
};

constexpr off_t kCopied = 256 << 10;  // bytes at a time
constexpr off_t kSector = 4096;       // the least that a disk reads

Status CopyFile(const std::string& from, const std::string& to,
                std::vector<std::string>* unreadable) {
  const Descriptor in(store::StoreOpen(from.c_str(), O_RDONLY));
  if (in.get() < 0) return SystemFailure(errno, "cannot read " + from);
  const Descriptor out(store::StoreOpen(to.c_str(), O_WRONLY | O_CREAT | O_EXCL));
  if (out.get() < 0) return SystemFailure(errno, "cannot write " + to);
  TN_RETURN_IF_ERROR(KeepOwner(in.get(), out.get(), to));
  const off_t size = lseek(in.get(), 0, SEEK_END);
  std::vector<char> buffer(kCopied);  // a stack may be smaller
  UnreadableParts parts(std::filesystem::path(from).filename(), unreadable);
  off_t small_until = 0;  // sector by sector up to there: a longer read has failed
  for (off_t at = 0; at < size;) {
    const off_t data = lseek(in.get(), at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    if (data < 0 && unreadable == nullptr) return SystemFailure(errno, "cannot read " + from);
    if (data >= 0) at = data;
    const off_t wanted = std::min(size - at, at < small_until ? kSector - at % kSector : kCopied);
    const ssize_t count =
        store::StoreRead(in.get(), buffer.data(), static_cast<size_t>(wanted), at);
    if (count < 0) {
      if (unreadable == nullptr) return SystemFailure(errno, "cannot read " + from);
      if (at < small_until) {
        parts.Add(at, wanted, errno);
        at += wanted;
      } else {
        small_until = at + kCopied;
      }
      continue;
    }
    if (count == 0) break;
    if (store::StorePwrite(out.get(), buffer.data(), static_cast<size_t>(count), at) < 0) {
      return SystemFailure(errno, "cannot write " + to);
    }
    at += count;
  }
  if (store::StoreTruncate(out.get(), size) != 0 || store::StoreSync(out.get()) != 0) {
    return SystemFailure(errno, "cannot write " + to);
  }
  return Status::Ok();
}

Status SyncDirectory(const std::string& path) {
  if (store::StoreSyncDirectory(path.c_str()) == 0) return Status::Ok();
  return SystemFailure(errno, "cannot write " + path);
}

// The descriptor of the directory or file, locked while it is open; -1: another process has locked
// it.
int OpenLocked(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(fd);
    return -1;
  }
  return fd;
}

// Detects also a process in another container, which cannot be seen from here.
bool IsInUse(const std::filesystem::path& part) {
  if (Descriptor(OpenLocked(part)).get() < 0) return true;
  const std::filesystem::path lock = part / "LOCK";
  struct stat info;
  return lstat(lock.c_str(), &info) == 0 && Descriptor(OpenLocked(lock)).get() < 0;
}

// Removes what processes that have ended left unfinished.
void RemoveParts(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::filesystem::path parent = whole.parent_path().empty() ? "." : whole.parent_path();
  std::vector<std::filesystem::path> left;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    for (const std::string kind : {kPartial, kCopy}) {
      const std::string begin = whole.filename().string() + kind;
      pid_t process = 0;
      const char* const end = name.data() + name.size();
      if (name.starts_with(begin) &&
          std::from_chars(name.data() + begin.size(), end, process).ptr == end && process > 0 &&
          kill(process, 0) != 0 && errno == ESRCH && !IsInUse(entry.path())) {
        left.push_back(entry.path());
      }
    }
  }
  for (const std::filesystem::path& part : left) {
    std::filesystem::remove_all(part, error);
    fprintf(stderr, "tenure db: note: %s %s, which a command that was ended has left\n",
            error ? "cannot remove" : "removed", part.c_str());
  }
}

}  // namespace

std::string PlaceOfPart(const std::string& path, const char* kind) {
  return path + kind + std::to_string(getpid());
}

Status CheckTarget(const std::string& from, const std::string& to) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::absolute(to, error).lexically_normal();
  for (std::filesystem::path above = target.parent_path();; above = above.parent_path()) {
    if (std::filesystem::equivalent(above, from, error)) {
      return store::Failure(StatusCode::kInvalidArgument,
                            to + " lies within the store " + from + ": choose a place outside");
    }
    if (above == above.parent_path()) break;
  }
  RemoveParts(to);
  struct stat info;
  if (lstat(to.c_str(), &info) != 0) {
    return errno == ENOENT ? Status::Ok() : SystemFailure(errno, "cannot make " + to);
  }
  return store::Failure(StatusCode::kExists, to + " exists already");
}

Status MakeWhole(const std::string& path,
                 const std::function<Status(const std::string& directory)>& make) {
  const std::string directory = PlaceOfPart(path, kPartial);
  Status status = make(directory);
  if (status.ok() && store::StoreRename(directory.c_str(), path.c_str()) != 0) {
    status = SystemFailure(errno, "cannot make " + path);
  }
  if (!status.ok()) {
    std::error_code error;
    std::filesystem::remove_all(directory, error);
    return status;
  }
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return SyncDirectory(parent.empty() ? "." : parent);
}

Status MakeDirectoryLike(const std::string& from, const std::string& to) {
  if (store::StoreMkdir(to.c_str()) != 0) return SystemFailure(errno, "cannot make " + to);
  const Descriptor original(store::StoreOpenDirectory(from.c_str()));
  if (original.get() < 0) return SystemFailure(errno, "cannot read " + from);
  const Descriptor made(store::StoreOpenDirectory(to.c_str(), O_NOFOLLOW));
  if (made.get() < 0) return SystemFailure(errno, "cannot open " + to);
  return KeepOwner(original.get(), made.get(), to);
}

Status CopyFiles(const std::string& from, const std::string& to,
                 std::vector<std::string>* unreadable) {
  TN_RETURN_IF_ERROR(MakeDirectoryLike(from, to));
  const Descriptor in_use(OpenLocked(to));
  TN_RETURN_IF_ERROR(store::StoreFiles(from).Check(/*writes=*/false));
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, store::EntriesOf(from));
  for (const std::string& name : names) {
    if (!store::IsStoreFile(name) || name == "LOCK") continue;
    TN_RETURN_IF_ERROR(CopyFile(from + "/" + name, to + "/" + name, unreadable));
  }
  return SyncDirectory(to);
}

Status CopyStore(const std::string& from, const std::string& to) {
  for (const std::string& place : {from, to}) {
    if (store::IsClusterStore(place)) return NotAlone(place);
  }
  TN_RETURN_IF_ERROR(CheckTarget(from, to));
  {
    // Recovery, and a checkpoint when it is closed: the copy needs neither.
    store::StoreOptions options;
    options.mode = store::OpenMode::kOpen;
    TN_ASSIGN_OR_RETURN(std::unique_ptr<store::PageServer> server, store::OpenStore(from, options));
    if (server->capabilities().shared) {
      return NotAlone(from);
    }
    // Lost databases are reported now: later, only the copy may be left to show that they are
    // missing.
    TN_ASSIGN_OR_RETURN(const std::vector<std::string> lost, LostDatabases(*server, from));
    if (!lost.empty()) {
      const auto opened = server->OpenDatabase(lost.front(), store::OpenMode::kOpen);
      return store::Failure(StatusCode::kCorrupt,
                            std::string(opened.status().text()) + "; nothing has been copied");
    }
    // Nor does a copy of a database that cannot be opened take the place of a good backup.
    TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, server->ListDatabases());
    for (const std::string& name : names) {
      const auto opened = server->OpenDatabase(name, store::OpenMode::kOpen);
      if (opened.status().code() != StatusCode::kCorrupt) continue;
      return store::Failure(StatusCode::kCorrupt,
                            std::string(opened.status().text()) + "; nothing has been copied");
    }
    TN_RETURN_IF_ERROR(server->Close());
  }
  TN_ASSIGN_OR_RETURN(store::StoreDirectory lock,
                      store::StoreDirectory::Lock(from, store::OpenMode::kOpen));
  TN_RETURN_IF_ERROR(
      MakeWhole(to, [&](const std::string& directory) { return CopyFiles(from, directory); }));
  lock.Unlock(/*clean=*/true);
  return Status::Ok();
}

}  // namespace tenure::dbtool
