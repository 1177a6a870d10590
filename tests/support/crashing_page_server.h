#pragma once

// Runs a function in a child process that ends, or whose I/O fails, at a chosen operation on a
// store's files, and tells how far it got. With it a test goes through every such operation in
// turn.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stabilize/page_server.h"
#include "stabilize/store_io.h"

namespace tenure::testing {

// The child's way to tell what has happened for certain: it outlives the child.
class Acknowledgements {
 public:
  explicit Acknowledgements(int fd) : fd_(fd) {}
  void Report(uint8_t number);

 private:
  int fd_;
};

struct CrashRun {
  bool crashed = false;           // by the planned fault
  int status = 0;                 // exit status otherwise; -1: a signal
  std::vector<uint8_t> reported;  // in order
};

// Forks; in the child plans `fault` for the `at`th operation from now and calls `body`, whose
// result is the exit status. The calling process must have one thread only. A child that is not
// done in a minute counts as killed by a signal.
CrashRun RunWithFault(stabilize::IoFault fault, uint64_t at,
                      const std::function<int(Acknowledgements&)>& body);

// A fresh directory's name, under $TMPDIR, /dev/shm or /tmp; removed with all in it at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  // Does not exist at first.
  const std::string& path() const { return path_; }
  // Removes `path` and makes it a copy of the directory `from`.
  void CopyFrom(const std::string& from);
  void Clear();

 private:
  std::string parent_;
  std::string path_;
};

// A store under Berkeley DB without background work, so that every run does the same operations.
std::unique_ptr<stabilize::PageServer> OpenForCrash(const std::string& path,
                                                    stabilize::OpenMode mode);

}  // namespace tenure::testing
