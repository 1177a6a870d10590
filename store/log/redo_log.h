// The redo log of a store: the file REDO, to which commits append what they change before the trees
// have the changes (docs/recovery.md). A header, and records one behind the other, each with its
// checksum and the version of its commit. Versions rise, by one but for commits that only the trees
// have. Pages of a long commit may come before its record, in parts that have checksums too:
// without the record, or if one is missing, none counts.
//
// Records are written before the records before them are durable. So a crash may leave any of the
// records that were not durable: record N missing and record N+1 whole. Each record therefore has
// the highest version that was durable when the record was written. The log ends before the first
// commit that is missing; and if a whole record behind the gap says that the missing commit was
// durable, the log is damaged. Older records behind the end are of an earlier use of the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

struct RedoRecord {
  uint64_t version = 0;
  CommitId id;
  std::string body;
  std::string pages;  // that were written before it
};

struct RedoContents {
  std::vector<RedoRecord> records;  // in order
  Status damage;  // not ok (kCorrupt, the text names the place): more commits had become durable
};

// Reads the records of commits after version `after`; none if the store has no log. kCorrupt if the
// file is another store's log, or not a log at all.
Result<RedoContents> ReadRedoLog(const std::string& directory, const Uuid& store, uint64_t after);

// The uuid of the store whose log is in the directory; none when there is no log, or no good one.
std::optional<Uuid> StoreOfRedoLog(const std::string& directory);

// Removes the log, durably; all its commits are in the trees for certain.
Status RemoveRedoLog(const std::string& directory);

// One thread at a time, but for Sync and SyncName, which other threads may call while records are
// written. After a failure the log must not be used any more.
class RedoLog {
 public:
  RedoLog() = default;
  ~RedoLog();
  RedoLog(const RedoLog&) = delete;
  RedoLog& operator=(const RedoLog&) = delete;

  // Overwrites the file, whose commits are in the trees for certain. If there is no file a new one
  // is begun, which gets its name at the latest with the first Sync.
  Status Open(const std::string& directory, const Uuid& store);
  bool is_open() const { return fd_ >= 0; }
  // Appends a record with one write, or with several if the body is long. Commits up to the version
  // `durable` are durable. The body is the concatenation of the pieces, and `checksum` is its
  // Crc32c. The disk begins with a long record at once, but only Sync makes it durable.
  Status Write(uint64_t version, uint64_t durable, CommitId id,
               std::span<const std::string_view> pieces, uint32_t checksum);
  // Writes pages, kPageBytes each, before the record of their commit. They belong to it if Write
  // follows with this version and id; until then they can be taken back. A failure does no harm.
  Status WritePrewritten(uint64_t version, CommitId id, std::span<const std::byte* const> pages);
  void DropAhead() { ahead_ = {}; }
  // Gives a new file its name, durably, so that the first Sync need not.
  Status SyncName();
  // Makes the records durable that were appended before the call.
  Status Sync();
  // All that was appended is in the trees for certain; the next record overwrites the first.
  void Reset();
  void Close();

  // The bytes of the records since Reset.
  uint64_t bytes() const;
  // Ever written by this object.
  uint64_t bytes_appended() const { return bytes_appended_; }

 private:
  Status OpenFile(const std::string& directory, const Uuid& store);
  Status GiveName();
  Status Put(struct RecordHeader& header, std::span<const std::string_view> pieces,
             uint32_t checksum, uint64_t at);

  std::string directory_, file_;
  int fd_ = -1;
  Mutex name_mutex_;
  std::atomic<bool> named_{false};  // set with name_mutex_
  uint64_t size_ = 0;               // of the file
  uint64_t position_ = 0;           // of the next record
  uint64_t bytes_appended_ = 0;
  std::string buffer_;
  // The pages that WritePrewritten has written behind `position_`.
  struct {
    uint64_t parts = 0, bytes = 0;
    uint64_t version = 0;
    CommitId id;
  } ahead_;
};

}  // namespace tenure::store
