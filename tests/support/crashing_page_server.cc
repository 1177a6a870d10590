#include "tests/support/crashing_page_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "store/open.h"

namespace tenure::testing {

void Acknowledgements::Report(uint8_t number) { TN_CHECK(write(fd_, &number, 1) == 1); }

CrashRun RunWithFault(store::IoFault fault, uint64_t at,
                      const std::function<int(Acknowledgements&)>& body) {
  int ends[2];
  TN_CHECK(pipe(ends) == 0);
  fflush(nullptr);
  const pid_t child = fork();
  TN_CHECK(child >= 0);
  if (child == 0) {
    close(ends[0]);
    alarm(60);
    Acknowledgements acknowledgements(ends[1]);
    store::SetIoFault(fault, at, 5 /* EIO */);
    const int status = body(acknowledgements);
    fflush(nullptr);
    _exit(status);
  }
  close(ends[1]);
  CrashRun run;
  uint8_t number;
  while (read(ends[0], &number, 1) == 1) run.reported.push_back(number);
  close(ends[0]);
  int status = 0;
  TN_CHECK(waitpid(child, &status, 0) == child);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.crashed = run.status == store::kCrashStatus;
  return run;
}

uint64_t CrashAtEach(const CrashLoop& loop, const std::function<void()>& prepare,
                     const std::function<int(Acknowledgements&)>& body,
                     const std::function<void(const CrashRun&, uint64_t at)>& check) {
  for (uint64_t at = loop.first;; at += loop.step) {
    prepare();
    const CrashRun run = RunWithFault(loop.fault, at, body);
    check(run, at);
    if (!run.crashed || ::testing::Test::HasFailure()) return at - loop.first;
  }
}

const char* FaultText(store::IoFault fault) {
  switch (fault) {
    case store::IoFault::kNone: return "None";
    case store::IoFault::kCrash: return "Crash";
    case store::IoFault::kCrashTorn: return "TornWrite";
    case store::IoFault::kCrashUnsynced: return "UnsyncedWritesLost";
    case store::IoFault::kCrashHalfSynced: return "UnsyncedWritesHalfLost";
    case store::IoFault::kCrashSomeSynced: return "UnsyncedSectorsLost";
    case store::IoFault::kCrashLied: return "SyncsLied";
    case store::IoFault::kCrashSomeLied: return "SectorsLostAfterLies";
    case store::IoFault::kError: return "Once";
    case store::IoFault::kErrorForever: return "FromThenOn";
    case store::IoFault::kWritesFail: return "NoSpaceFromThenOn";
  }
  return "?";
}

TemporaryDirectory::TemporaryDirectory() {
  const char* base = getenv("TMPDIR");
  // A directory in memory, if there is one: these tests sync thousands of times, and their files
  // need not survive the system.
  if (base == nullptr) base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  parent_ = std::string(base) + "/tenure-test-XXXXXX";
  TN_CHECK(mkdtemp(parent_.data()) != nullptr);
  path_ = parent_ + "/store";
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code error;
  std::filesystem::remove_all(parent_, error);
}

namespace {

// Keeps holes: log files are long and nearly empty.
void CopyFile(const std::string& from, const std::string& to) {
  const int in = open(from.c_str(), O_RDONLY | O_CLOEXEC);
  const int out = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  TN_CHECK(in >= 0 && out >= 0);
  const off_t size = lseek(in, 0, SEEK_END);
  char buffer[64 << 10];
  for (off_t at = 0; at < size && (at = lseek(in, at, SEEK_DATA)) >= 0;) {
    const ssize_t count = pread(in, buffer, sizeof buffer, at);
    TN_CHECK(count > 0 && pwrite(out, buffer, static_cast<size_t>(count), at) == count);
    at += count;
  }
  TN_CHECK(ftruncate(out, size) == 0);
  close(in);
  close(out);
}

void CopyDirectory(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::create_directory(to, error);
  for (const auto& entry : std::filesystem::directory_iterator(from, error)) {
    const std::string target = to + "/" + entry.path().filename().string();
    if (entry.is_directory()) {
      CopyDirectory(entry.path().string(), target);
    } else {
      CopyFile(entry.path().string(), target);
    }
  }
  TN_CHECK(!error);
}

}  // namespace

void TemporaryDirectory::CopyFrom(const std::string& from) {
  Clear();
  CopyDirectory(from, path_);
}

void TemporaryDirectory::Clear() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::unique_ptr<store::PageServer> OpenForCrash(const std::string& path, store::OpenMode mode,
                                                bool redo) {
  store::StoreOptions options;
  options.mode = mode;
  options.bdb.checkpoint_thread = false;
  options.bdb.cache_bytes = 4 << 20;
  options.bdb.redo = redo;
  options.bdb.redo_lag_bytes = kRedoLagForCrash;
  Result<std::unique_ptr<store::PageServer>> server = store::OpenStore(path, options);
  if (!server.ok()) {
    fprintf(stderr, "%s: %s\n", path.c_str(), server.status().text());
    return nullptr;
  }
  return *std::move(server);
}

}  // namespace tenure::testing
