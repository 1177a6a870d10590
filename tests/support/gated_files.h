// Files whose logs are synced when the test says so.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <string>

#include "store/files/file_system.h"

namespace tenure::testing {

// Files of which the syncs of logs wait at a gate while it is shut, or fail.
class GatedFiles final : public store::FileSystem {
 public:
  int Sync(int fd) override {
    if (!IsLog(fd)) return store::FileSystem::Sync(fd);
    std::unique_lock lock(mutex_);
    ++syncs_;
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !shut_; });
    --waiting_;
    if (fails_) {
      errno = EIO;
      return -1;
    }
    return 0;
  }

  void Shut() {
    const std::lock_guard lock(mutex_);
    shut_ = true;
  }
  void Open(bool fails = false) {
    const std::lock_guard lock(mutex_);
    shut_ = false;
    fails_ = fails;
    changed_.notify_all();
  }
  // Waits until a sync is at the gate.
  void AwaitSync() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ != 0; });
  }
  // Only these log files have a gate: "REDO" or "log.", or both ("").
  void Only(const std::string& prefix) {
    const std::lock_guard lock(mutex_);
    prefix_ = prefix;
  }
  int syncs() {
    const std::lock_guard lock(mutex_);
    return syncs_;
  }

 private:
  bool IsLog(int fd) {
    char path[4096];
    const ssize_t length =
        readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path);
    const std::string text(path, length < 0 ? 0 : static_cast<size_t>(length));
    const std::string name = text.substr(text.rfind('/') + 1);
    const std::lock_guard lock(mutex_);
    return (name.starts_with("REDO") || name.starts_with("log.")) && name.starts_with(prefix_);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string prefix_;
  int syncs_ = 0, waiting_ = 0;
  bool shut_ = false, fails_ = false;
};

}  // namespace tenure::testing
