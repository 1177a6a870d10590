// The end of a store's log, to which the leader appends: records get their positions in the order
// in which they are put, and one of the waiting threads appends all records that have been put
// meanwhile. Any thread.
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

  // Waits until the record at `position` and all records before it are durable. Not ok: this and
  // every later call fails. Only another attachment can find out which of the other records exist.
  Status AwaitDurable(uint64_t position);
  uint64_t durable() const;
  // Not ok: an append has failed, or FailWith was called.
  Status failed() const;
  // After a failure: none of the records that are not durable exists or ever will.
  bool failed_whole() const;
  void FailWith(Status status);

  // Appends that had commits among their records; the most commits of one.
  uint64_t appends() const;
  uint64_t largest_group() const;

 private:
  // Appends the records that have been put. Called with `lock`, which is released during the
  // append.
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
