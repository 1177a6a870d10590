#pragma once

// The files of Berkeley DB's log, while it does not have them open.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tenure::stabilize {

// log.NNNNNNNNNN
bool IsLogFile(std::string_view name);
// newlog.NNNNNNNNNN: what StartNewLog has decided and not finished.
bool IsNewLogFile(std::string_view name);

// Berkeley DB makes a log file as long as it may become, without blocks, and recovery fills all
// that is behind the last record with zeros: 16 MB to write and sync at every opening. Instead
// TrimLog, before recovery, cuts the zeros off the last log file, but for some that may belong to a
// record; during recovery zeros behind the end are not written (SkipZerosAtEnd); and ExtendLog,
// after it, makes the file `bytes` long again, because a sync that need not write a new length is
// faster: with zeros in the blocks that are taken next, so that it need not write their places
// either, and then a hole that reads as zeros. A file that is shorter than `full` has been cut
// already.
Status TrimLog(const std::string& path, uint64_t full);
// Berkeley DB sums as many bytes of a log file's first record as that says it has, wherever they
// end: a record with another length than it gives them is damage.
Status CheckLogHeaders(const std::string& path);
Status ExtendLog(const std::string& path, uint64_t bytes);

// When the store has been closed cleanly: cuts the zeros off, so that the next opening need not
// look for them, and keeps some blocks for what the log takes then, so that it succeeds on a full
// disk. TrimLog keeps them.
void ShortenLog(const std::string& path);

// Recovery reads the last log file from its beginning to find its end. When the store has been
// closed cleanly, so that nothing in the log is needed any more, and that file is longer than
// `longest`, the log goes on in a new file without records, and the others are removed. Positions
// in the log, which pages of trees have, go on rising. Where this cannot be done the log stays as
// it is.
void StartNewLog(const std::string& path, uint64_t longest);

// Completes what StartNewLog had decided when it was interrupted. Before TrimLog.
Status FinishNewLog(const std::string& path);

}  // namespace tenure::stabilize
