// Runs a function in a child process that ends, or whose I/O fails, at a chosen operation on a
// store's files, and reports how far it got. With this a test tries every such operation in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/sanitizers.h"
#include "store/faults/io_faults.h"
#include "store/server/page_server.h"

namespace tenure::testing {

// Shared memory in which the child records completed steps; it outlives the child.
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
CrashRun RunWithFault(store::IoFault fault, uint64_t at,
                      const std::function<int(Acknowledgements&)>& body);

// Every operation is tried; in a sanitizer build, where a fork copies the page tables of shadow
// memory too, every fifth.
inline constexpr uint64_t kFaultStep = kAddressSanitizer || kThreadSanitizer ? 5 : 1;

// The crash loop: for operation `first` and every `step`th behind it calls `prepare`, runs `body`
// with the fault there, and hands `check` the outcome; until a run in which the fault's place was
// not reached, or a fatal failure in `check`. Returns the number of operations tried.
struct CrashLoop {
  store::IoFault fault;
  uint64_t first = 1;
  uint64_t step = kFaultStep;
};
uint64_t CrashAtEach(const CrashLoop& loop, const std::function<void()>& prepare,
                     const std::function<int(Acknowledgements&)>& body,
                     const std::function<void(const CrashRun&, uint64_t at)>& check);

// "Crash", "TornWrite", ...: for names of tests.
const char* FaultText(store::IoFault fault);

// The name of a new directory under $TMPDIR, /dev/shm or /tmp; it is removed with its contents at
// the end.
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

// A store under Berkeley DB without background work, so that every run does the same operations;
// with `redo`, commits go to the redo log, and every few of them to the trees.
std::unique_ptr<store::PageServer> OpenForCrash(const std::string& path, store::OpenMode mode,
                                                bool redo = false);
// The size of the redo log at which a commit empties it in these tests.
inline constexpr uint64_t kRedoLagForCrash = 24 << 10;

}  // namespace tenure::testing
