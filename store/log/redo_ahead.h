// Pages of a commit that is still being prepared, on their way to the redo log: they are summed and
// written by a thread meanwhile, so that the commit itself finds most of its bytes at the disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "base/worker_thread.h"
#include "store/log/redo_log.h"
#include "store/server/commit_image.h"

namespace tenure::store {

// One thread at a time uses it, and the log, too, between Begin and Finish or Drop only through it.
class RedoAhead {
 public:
  explicit RedoAhead(RedoLog& log) : log_(log) {}
  ~RedoAhead() { Drop(); }
  RedoAhead(const RedoAhead&) = delete;
  RedoAhead& operator=(const RedoAhead&) = delete;

  // Pages of this commit follow, of which there are none yet. Without a thread, or when there is
  // none to be had, Add writes them itself.
  void Begin(uint64_t version, CommitId id, bool thread);
  bool IsFor(CommitId id) const { return begun_ && id_ == id; }
  // kPageBytes each, which stay as they are until Finish or Drop returns.
  void Add(std::span<const std::byte* const> pages);
  uint64_t bytes() const { return bytes_; }
  // Something else that is to be done before the commit, behind what was added. When it is false
  // no page counts as written.
  void Do(std::function<bool()> work);

  // All of them are written, though not durable: those of the commit with this version and id. No
  // pages if they were another's, or one could not be written.
  PagesAhead Finish(uint64_t version, CommitId id);
  // Whatever was written counts for nothing.
  void Drop();

 private:
  void Run();
  void Wait();

  RedoLog& log_;
  bool begun_ = false;
  uint64_t version_ = 0;
  CommitId id_;
  uint64_t bytes_ = 0;
  PagesAhead places_;
  bool failed_ = false;  // the thread's while it runs

  WorkerThread thread_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::vector<std::function<bool()>> waiting_;
  bool last_ = false;  // nothing follows what is waiting
};

}  // namespace tenure::store
