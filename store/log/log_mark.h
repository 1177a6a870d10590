// The file MARK of a store: facts about Berkeley DB's log that an opening needs before it reads the
// log (docs/recovery.md, "The log's mark").
//
// The first log file that is needed: the trees have everything before it, synced, since the store
// was closed cleanly. Written and synced at each closing.
//
// How far the log has been synced, and the last commit that has been acknowledged. Written after
// each sync, and not synced itself: the log may be synced further than the file says, never less.
// Each fact has a checksum and a sector of its own.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"
#include "store/log/log_scan.h"
#include "store/server/page_server.h"

namespace tenure::store {

struct LogMarks {
  uint32_t first_file = 0;  // 0: not known, all of the log may be needed
  LogPlace synced;          // zero: not known
  uint64_t version = 0;     // of the last commit acknowledged; 0: not known
};

// Reads the marks of the store in `directory`. A missing file, and a part that is damaged or
// another store's, give no marks; a file that cannot be read is an error.
Result<LogMarks> ReadLogMarks(const std::string& directory, const Uuid& store);

// Whether the file says of any store that it was closed, or that a commit has been acknowledged.
Result<bool> HasBeenUsed(const std::string& directory);

// Writes them. Any thread.
class LogMarkFile {
 public:
  LogMarkFile(std::string directory, const Uuid& store);
  ~LogMarkFile();
  LogMarkFile(const LogMarkFile&) = delete;
  LogMarkFile& operator=(const LogMarkFile&) = delete;

  // Notes that the log has been synced at least up to here, and that commits at least up to
  // `version` have been acknowledged. A failure is ignored: the file then says less than is true.
  void Note(LogPlace synced, uint64_t version);
  // Whether the file, or what could not be written to it, says that the log has been synced behind
  // this place.
  Result<bool> SaysBehind(LogPlace place);
  // Syncs the notes, if that is possible.
  void Sync();
  // Notes durably that nothing before file `first` is needed any more.
  Status NoteClosed(uint32_t first);

 private:
  bool Open() TN_REQUIRES(mutex_);

  const std::string directory_, file_;
  const Uuid store_;
  Mutex mutex_;
  int fd_ TN_GUARDED_BY(mutex_) = -1;  // once it is open it stays so
  LogPlace synced_ TN_GUARDED_BY(mutex_);
  uint64_t version_ TN_GUARDED_BY(mutex_) = 0;
  bool unsynced_ TN_GUARDED_BY(mutex_) = false;
};

}  // namespace tenure::store
