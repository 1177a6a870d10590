#include "tests/support/crashing_page_server.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "stabilize/store.h"

namespace tenure::testing {

void Acknowledgements::Report(uint8_t number) { TN_CHECK(write(fd_, &number, 1) == 1); }

CrashRun RunWithFault(stabilize::IoFault fault, uint64_t at,
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
    stabilize::SetIoFault(fault, at, 5 /* EIO */);
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
  run.crashed = run.status == stabilize::kCrashStatus;
  return run;
}

TemporaryDirectory::TemporaryDirectory() {
  const char* const base = getenv("TMPDIR");
  parent_ = std::string(base != nullptr ? base : "/tmp") + "/tenure-test-XXXXXX";
  TN_CHECK(mkdtemp(parent_.data()) != nullptr);
  path_ = parent_ + "/store";
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code error;
  std::filesystem::remove_all(parent_, error);
}

void TemporaryDirectory::Clear() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

void TemporaryDirectory::CopyFrom(const std::string& from) {
  Clear();
  std::error_code error;
  std::filesystem::copy(from, path_, std::filesystem::copy_options::recursive, error);
  TN_CHECK(!error);
}

std::unique_ptr<stabilize::PageServer> OpenForCrash(const std::string& path,
                                                    stabilize::OpenMode mode) {
  stabilize::StoreOptions options;
  options.mode = mode;
  options.bdb.checkpoint_thread = false;
  options.bdb.cache_bytes = 4 << 20;
  Result<std::unique_ptr<stabilize::PageServer>> server = stabilize::OpenStore(path, options);
  if (!server.ok()) {
    fprintf(stderr, "%s: %s\n", path.c_str(), server.status().text());
    return nullptr;
  }
  return *std::move(server);
}

}  // namespace tenure::testing
