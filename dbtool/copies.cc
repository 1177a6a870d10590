#include "dbtool/copies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "stabilize/descriptor.h"
#include "stabilize/recovery.h"
#include "stabilize/status_text.h"
#include "stabilize/store.h"
#include "stabilize/store_directory.h"
#include "stabilize/store_io.h"

namespace tenure::dbtool {

using stabilize::Descriptor;
using stabilize::SystemFailure;

namespace {

Status CopyFile(const std::string& from, const std::string& to) {
  const Descriptor in(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) return SystemFailure(errno, "cannot read " + from);
  const Descriptor out(stabilize::StoreOpen(to.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600));
  if (out.get() < 0) return SystemFailure(errno, "cannot write " + to);
  const off_t size = lseek(in.get(), 0, SEEK_END);
  std::vector<char> buffer(256 << 10);  // a stack may be smaller
  for (off_t at = 0; at < size;) {
    at = lseek(in.get(), at, SEEK_DATA);
    if (at < 0) {
      if (errno == ENXIO) break;
      return SystemFailure(errno, "cannot read " + from);
    }
    const ssize_t count = pread(in.get(), buffer.data(), buffer.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemFailure(errno, "cannot read " + from);
    if (count == 0) break;
    if (stabilize::StorePwrite(out.get(), buffer.data(), static_cast<size_t>(count), at) < 0) {
      return SystemFailure(errno, "cannot write " + to);
    }
    at += count;
  }
  if (stabilize::StoreTruncate(out.get(), size) != 0 || stabilize::StoreSync(out.get()) != 0) {
    return SystemFailure(errno, "cannot write " + to);
  }
  return Status::Ok();
}

Status SyncDirectory(const std::string& path) {
  if (stabilize::StoreSyncDirectory(path.c_str()) == 0) return Status::Ok();
  return SystemFailure(errno, "cannot write " + path);
}

}  // namespace

Status CheckAbsent(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return Status::Ok();
  return stabilize::Failure(StatusCode::kExists, path + " exists already");
}

Status MakeWhole(const std::string& path,
                 const std::function<Status(const std::string& directory)>& make) {
  const std::string directory = path + ".partial." + std::to_string(getpid());
  Status status = make(directory);
  if (status.ok() && stabilize::StoreRename(directory.c_str(), path.c_str()) != 0) {
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

Status CopyFiles(const std::string& from, const std::string& to) {
  if (stabilize::StoreMkdir(to.c_str()) != 0 || chmod(to.c_str(), 0700) != 0)
    return SystemFailure(errno, "cannot make " + to);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(from, error)) {
    const std::string name = entry.path().filename().string();
    if (!stabilize::IsStoreFile(name) || name == "LOCK") continue;
    TN_RETURN_IF_ERROR(CopyFile(entry.path().string(), to + "/" + name));
  }
  if (error) return SystemFailure(error.value(), "cannot read " + from);
  return SyncDirectory(to);
}

Status CopyStore(const std::string& from, const std::string& to) {
  TN_RETURN_IF_ERROR(CheckAbsent(to));
  {
    // Recovery, and a checkpoint when it is closed: the copy needs neither.
    stabilize::StoreOptions options;
    options.mode = stabilize::OpenMode::kOpen;
    Result<std::unique_ptr<stabilize::PageServer>> server = stabilize::OpenStore(from, options);
    if (!server.ok()) return server.status();
    if ((*server)->capabilities().shared) {
      return stabilize::Failure(StatusCode::kInUse,
                                "store " + from + " is being served: stop the server first");
    }
    TN_RETURN_IF_ERROR((*server)->Close());
  }
  Result<stabilize::StoreDirectory> lock =
      stabilize::StoreDirectory::Lock(from, stabilize::OpenMode::kOpen);
  if (!lock.ok()) return lock.status();
  TN_RETURN_IF_ERROR(
      MakeWhole(to, [&](const std::string& directory) { return CopyFiles(from, directory); }));
  lock->Unlock(/*clean=*/true);
  return Status::Ok();
}

}  // namespace tenure::dbtool
