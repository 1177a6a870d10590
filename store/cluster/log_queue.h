// The end of a store's log, as its leader appends to it: records get their positions in the order
// in which they are put, and one of the threads that wait appends all that have been put meanwhile.
//
// Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "store/cluster/engine.h"

namespace tenure::store {

class LogQueue {
 public:
  LogQueue(Engine& engine, const Uuid& store, uint64_t term, uint64_t last)
      : engine_(engine), store_(store), term_(term), put_(last), durable_(last) {}

  // The position of the record. It is durable when AwaitDurable says so.
  uint64_t Put(LogRecord record);
  // The position of the record that was put last.
  uint64_t put() const;

  // Waits until the record at `position` and all before it are durable. Not ok: this and every
  // later call fails. Which of the records that are not durable exist is told by another
  // attachment.
  Status AwaitDurable(uint64_t position);
  uint64_t durable() const;
  // Not ok: an append has failed, or FailWith was called.
  Status failed() const;
  // After a failure: none of the records that are not durable exists or ever will.
  bool failed_whole() const;
  void FailWith(Status status);

  uint64_t appends() const;
  uint64_t largest_group() const;  // records

 private:
  // Appends what has been put. Needs `lock`, and lets it go meanwhile.
  void AppendAll(std::unique_lock<std::mutex>& lock);

  Engine& engine_;
  const Uuid store_;
  const uint64_t term_;

  mutable std::mutex mutex_;
  std::condition_variable appended_;
  std::vector<LogRecord> waiting_;  // at the positions behind those that are being appended
  uint64_t put_;
  uint64_t durable_;
  bool appending_ = false;
  Status failed_;
  bool failed_whole_ = false;
  uint64_t appends_ = 0, largest_group_ = 0;
};

}  // namespace tenure::store
