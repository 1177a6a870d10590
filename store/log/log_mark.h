// The file MARK of a store: what must be known of Berkeley DB's log before it is read
// (docs/recovery.md, "The log's mark").
//
//   from which file on the log is needed: what is before is in the trees, synced, since the store
//   was closed cleanly. Written and synced when it is closed.
//   how far the log has been synced, and the last commit that has been acknowledged. Written after
//   each sync, and not synced for it: whatever it says has happened, but more may have.
//
// Each has a checksum of its own, and a sector of its own.

#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/log/log_scan.h"
#include "store/server/page_server.h"

namespace tenure::store {

struct LogMarks {
  uint32_t first_file = 0;  // 0: not known, all of the log may be needed
  LogPlace synced;          // zero: not known
  uint64_t version = 0;     // of the last commit acknowledged; 0: not known
};

// Reads the marks of the store in `directory`. A file that is not there, a part that is damaged or
// another store's say nothing; a file that cannot be read is an error.
Result<LogMarks> ReadLogMarks(const std::string& directory, const Uuid& store);

// Writes them. Any thread.
class LogMarkFile {
 public:
  LogMarkFile(std::string directory, const Uuid& store);
  ~LogMarkFile();
  LogMarkFile(const LogMarkFile&) = delete;
  LogMarkFile& operator=(const LogMarkFile&) = delete;

  // The log has been synced up to here, and commits up to `version` acknowledged; at least, of both
  // as of earlier calls. A failure is none: the file says less than it could.
  void Note(LogPlace synced, uint64_t version);
  // Puts on the disk what was noted, if it can be.
  void Sync();
  // Durably: nothing before file `first` is needed any more.
  Status NoteClosed(uint32_t first);

 private:
  bool Open();

  const std::string file_;
  const Uuid store_;
  std::mutex mutex_;
  int fd_ = -1;  // once it is open it stays so
  LogPlace synced_;
  uint64_t version_ = 0;
  bool unsynced_ = false;
};

}  // namespace tenure::store
