// Writes pages of a commit that is still being prepared to the redo log: a thread computes their
// checksums and writes them, so that the disk has most bytes before the commit itself begins.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/log/redo_log.h"
#include "store/server/commit_image.h"

namespace tenure::store {

// One thread at a time. Between Begin and Finish or Drop nobody else uses the log.
class RedoPrewriter {
 public:
  explicit RedoPrewriter(RedoLog& log) : log_(log) {}
  ~RedoPrewriter() { Drop(); }
  RedoPrewriter(const RedoPrewriter&) = delete;
  RedoPrewriter& operator=(const RedoPrewriter&) = delete;

  // Begins with a commit that has no pages yet. If `thread` is false, or no thread can be started,
  // Add itself writes the pages.
  void Begin(uint64_t version, CommitId id, bool thread);
  bool IsFor(CommitId id) const { return begun_ && id_ == id; }
  // The pages have kPageBytes each and do not change until Finish or Drop returns.
  void Add(std::span<const std::byte* const> pages);
  uint64_t bytes() const { return bytes_; }
  // Does other work before the commit, after the pages that were added. If `work` returns false no
  // page counts as written.
  void Do(std::function<bool()> work);

  // Waits until all pages are written, not durably, and returns their places. Returns none if the
  // pages belong to a commit with another version or id, or if one could not be written.
  PrewrittenPages Finish(uint64_t version, CommitId id);
  // Forgets the pages: none counts as written.
  void Drop();

 private:
  void Run();
  void Wait();

  RedoLog& log_;
  bool begun_ = false;
  uint64_t version_ = 0;
  CommitId id_;
  uint64_t bytes_ = 0;
  PrewrittenPages places_;
  bool failed_ = false;  // the thread's while it runs

  WorkerThread thread_;
  Mutex mutex_;
  CondVar more_;
  std::vector<std::function<bool()>> waiting_;
  bool last_ TN_GUARDED_BY(mutex_) = false;  // no page follows the waiting ones
};

}  // namespace tenure::store
