#include "dbtool/copies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
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
  struct stat status;
  if (lstat(to.c_str(), &status) == 0) {
    return stabilize::Failure(StatusCode::kExists, to + " exists already");
  }
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
  const std::string temporary = to + ".partial." + std::to_string(getpid());
  Status result = CopyFiles(from, temporary);
  if (result.ok() && stabilize::StoreRename(temporary.c_str(), to.c_str()) != 0) {
    result = SystemFailure(errno, "cannot make " + to);
  }
  if (!result.ok()) {
    std::error_code error;
    std::filesystem::remove_all(temporary, error);
    return result;
  }
  lock->Unlock(/*clean=*/true);
  const std::string parent = std::filesystem::path(to).parent_path().string();
  return SyncDirectory(parent.empty() ? "." : parent);
}

}  // namespace tenure::dbtool
