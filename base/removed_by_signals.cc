#include "base/removed_by_signals.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>

namespace tenure {

namespace {

constexpr int kMostPaths = 16;
constexpr int kDeepest = 64;

// The handler reads them: a text is never changed or freed while it is here.
std::atomic<char*> paths[kMostPaths];
std::atomic<pid_t> owner{0};

constexpr int kMostGroups = 64;
std::atomic<pid_t> groups[kMostGroups];  // 0: free

// The system's form of an entry of a directory.
struct DirectoryEntry {
  uint64_t inode;
  int64_t next;
  uint16_t bytes;
  uint8_t type;
  char name[1];
};

// Only system calls: a handler may interrupt malloc. An entry that cannot be removed stays.
void RemoveTree(int parent, const char* name, int depth) {
  if (unlinkat(parent, name, 0) == 0 || depth == kDeepest) return;
  const int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  // Removing entries may make the system leave others out, so the directory is read again.
  for (int round = 0; round < kMostPaths; ++round) {
    bool any = false;
    lseek(directory, 0, SEEK_SET);
    alignas(DirectoryEntry) char buffer[2048];
    for (long bytes; (bytes = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0;) {
      for (long at = 0; at < bytes;) {
        const auto* const entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
        at += entry->bytes;
        if (std::strcmp(entry->name, ".") == 0 || std::strcmp(entry->name, "..") == 0) continue;
        any = true;
        RemoveTree(directory, entry->name, depth + 1);
      }
    }
    if (!any || unlinkat(parent, name, AT_REMOVEDIR) == 0) break;
  }
  close(directory);
  unlinkat(parent, name, AT_REMOVEDIR);
}

// Whether a process of the group is left. Reaps the leader.
bool IsRunning(pid_t group) {
  while (waitpid(group, nullptr, WNOHANG) > 0) {
  }
  return kill(-group, 0) == 0;
}

void EndGroups() {
  for (const auto& place : groups) {
    if (const pid_t group = place; group != 0) kill(-group, SIGTERM);
  }
  for (const auto& place : groups) {
    const pid_t group = place;
    if (group == 0) continue;
    constexpr timespec kPause{0, 10'000'000};
    for (int pauses = 0; IsRunning(group); ++pauses) {
      if (pauses == 200) kill(-group, SIGKILL);
      if (pauses == 300) break;
      nanosleep(&kPause, nullptr);
    }
  }
}

void RemoveAndEnd(int signal) {
  RemovedBySignals::RemoveAll();
  // The signal is blocked until the handler returns.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

RemovedBySignals::RemovedBySignals(const std::string& path) {
  owner = getpid();
  char* const text = new char[path.size() + 1];
  std::memcpy(text, path.c_str(), path.size() + 1);
  for (int i = 0; i < kMostPaths; ++i) {
    char* none = nullptr;
    if (!paths[i].compare_exchange_strong(none, text)) continue;
    place_ = i;
    return;
  }
  delete[] text;
}

RemovedBySignals::~RemovedBySignals() {
  if (place_ >= 0) delete[] paths[place_].exchange(nullptr);
}

EndedBySignals::EndedBySignals(pid_t leader) {
  owner = getpid();
  for (int i = 0; i < kMostGroups; ++i) {
    pid_t none = 0;
    if (!groups[i].compare_exchange_strong(none, leader)) continue;
    place_ = i;
    return;
  }
}

EndedBySignals::~EndedBySignals() {
  if (place_ >= 0) groups[place_] = 0;
}

void RemovedBySignals::HandleEnd() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before;
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = RemoveAndEnd;
    sigaction(signal, &action, nullptr);
  }
}

void RemovedBySignals::RemoveAll() {
  const int error = errno;
  if (getpid() == owner) {
    EndGroups();
    for (const auto& path : paths) {
      if (const char* const text = path; text != nullptr) RemoveTree(AT_FDCWD, text, 0);
    }
  }
  errno = error;
}

}  // namespace tenure
