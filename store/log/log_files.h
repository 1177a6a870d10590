// The files of Berkeley DB's log, while it does not have them open.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/log/log_mark.h"

namespace tenure::store {

// What an opening finds before Berkeley DB looks at the log.
struct LogOpening {
  bool recover = false;  // the log has what the trees may not have
  LogMarks marks;
};

// Makes the log one that Berkeley DB may read, before it does. Where the store was closed cleanly
// (log_mark.h) files of before are removed, and the log begins with an empty one: whatever they
// hold is not read. Else all of it is read; kCorrupt if it does not reach as far as it was synced,
// with the place, unless `until_damage`; and what is behind its end is cut off. Changes nothing if
// it fails, but for what an earlier opening or closing had begun.
Result<LogOpening> PrepareLog(const std::string& path, const Uuid& store, uint32_t file_bytes,
                              bool until_damage);

// Whether the trees have everything: nothing is in the log that they may not have, nor waits in
// another file. Changes nothing.
Result<bool> NothingToRecover(const std::string& path, const Uuid& store);

// After the store has been closed, all of it in the trees and synced: if there is anything in the
// log, `mark` notes durably that it is not needed any more, and an empty file takes its place.
// Where this cannot be done the log stays as it is, for the next opening to recover. Whether the
// directory is to be synced.
bool EndLog(const std::string& path, uint32_t file_bytes, LogMarkFile& mark);

// Berkeley DB makes a log file as long as it may become, without blocks. While the store is open
// ExtendLog makes the last one `bytes` long, because a sync that need not write a new length is
// faster: with zeros in the blocks that are taken next, so that it need not write their places
// either, and then a hole that reads as zeros.
Status ExtendLog(const std::string& path, uint64_t bytes);

// When the store is at rest: cuts the zeros off, and keeps some blocks for what the log takes next,
// so that the next opening succeeds on a full disk.
void ShortenLog(const std::string& path);

}  // namespace tenure::store
