// Standard output and standard error through a queue, so that a reader which does not read holds
// nothing up: a command goes on, and lets the store go.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/worker_thread.h"

namespace tenure::dbtool {

class PassedOutput {
 public:
  // From here on `stdout` and `stderr` are other streams: a thread writes what is printed to the
  // descriptors 1 and 2, in the order of printing. At most 4 MB that wait for a reader are in
  // memory, at most 256 MB in a nameless file; beyond that, a thread that prints waits. Null:
  // standard output is a file, or closed, or there is no thread; then all stays as it was.
  static std::unique_ptr<PassedOutput> Start();
  // As End, without its answer.
  ~PassedOutput();
  PassedOutput(const PassedOutput&) = delete;
  PassedOutput& operator=(const PassedOutput&) = delete;

  // Waits until everything that was printed is written, and puts the two streams back. False: it
  // could not all be written to standard output.
  bool End();

 private:
  struct Stream {
    PassedOutput* owner = nullptr;
    int descriptor = -1;
    FILE* before = nullptr;
    FILE* stream = nullptr;
    int error = 0;  // of writing; what is printed later fails, too
  };
  // In `bytes`, or in the file.
  struct Part {
    Stream* stream = nullptr;
    std::string bytes;
    uint64_t at = 0, length = 0;  // length 0: not in the file
  };

  PassedOutput() = default;
  static ssize_t Take(void* stream, const char* bytes, size_t count);
  void Open(Stream* stream, int descriptor, int buffering, FILE** standard);
  void Add(Stream* stream, std::string_view bytes) TN_REQUIRES(mutex_);
  bool AddToFile(Stream* stream, std::string_view bytes) TN_REQUIRES(mutex_);
  void PassOn();
  int Write(Part& part) const;

  Mutex mutex_;
  CondVar added_, written_;
  std::deque<Part> parts_
      TN_GUARDED_BY(mutex_);  // in the order of printing, without the one that is being written
  uint64_t in_memory_ TN_GUARDED_BY(mutex_) = 0;  // bytes
  int file_ = -1;
  uint64_t file_end_ TN_GUARDED_BY(mutex_) = 0;
  uint64_t in_file_ TN_GUARDED_BY(mutex_) = 0;  // bytes that wait for a reader
  bool is_ending_ TN_GUARDED_BY(mutex_) = false;
  Stream output_, error_;
  WorkerThread thread_;
};

}  // namespace tenure::dbtool
