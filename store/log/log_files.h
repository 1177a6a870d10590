// The files of Berkeley DB's log, while it does not have them open.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/log/log_mark.h"

namespace tenure::store {

// The state of the log before Berkeley DB reads it.
struct LogOpening {
  bool recover = false;  // the log may have commits that the trees lack
  LogMarks marks;
};

// Prepares the log for Berkeley DB. If the store was closed cleanly (log_mark.h), removes the old
// files unread and begins the log with an empty file. Otherwise reads the whole log and cuts off
// the part behind its end; kCorrupt, with the place, if the log ends before the last synced record,
// unless `until_damage`. If it fails it has changed nothing, except to finish steps that an earlier
// opening or closing had begun.
Result<LogOpening> PrepareLog(const std::string& path, const Uuid& store, uint32_t file_bytes,
                              bool until_damage);

// Whether the trees have everything: neither the log nor any other file has changes that the trees
// may lack. Changes nothing.
Result<bool> NothingToRecover(const std::string& path, const Uuid& store);

// Called after the store has been closed, when the trees have everything and are synced. If the log
// has any record, `mark` notes durably that the log is not needed any more, and an empty file
// replaces it. If that fails the log stays, for the next opening to recover. Returns whether the
// directory needs a sync.
bool EndLog(const std::string& path, uint32_t file_bytes, LogMarkFile& mark);

// Berkeley DB makes a log file as long as it may become, without blocks. While the store is open
// ExtendLog makes the last one `bytes` long, because a sync that need not write a new length is
// faster: with zeros in the blocks that are taken next, so that it need not write their places
// either, and then a hole that reads as zeros.
Status ExtendLog(const std::string& path, uint64_t bytes);

// Takes blocks on the disk for a part of a log file, which may be open elsewhere; kNoSpace if there
// are none. False if the file is not there yet: Berkeley DB makes the next one with its first
// write. Has no effect on file systems without fallocate.
Result<bool> ReserveLogBlocks(const std::string& path, uint32_t number, uint64_t begin,
                              uint64_t end);

// Takes the first `bytes` of blocks on the disk for the next log file, which is not there yet: in
// the file kSpareLogFile, which becomes that log file when Berkeley DB makes it (TreeOpen).
// kNoSpace if there are none. False on file systems without fallocate.
Result<bool> ReserveSpareLog(const std::string& path, uint64_t bytes);
// Gives these blocks back, when a store is closed. If that fails the next opening does it.
void RemoveSpareLog(const std::string& path);

// For a store at rest: cuts the zeros off the log, and keeps some blocks for its next records, so
// that the next opening succeeds on a full disk.
void ShortenLog(const std::string& path);

}  // namespace tenure::store
