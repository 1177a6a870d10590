// Our own reader of Berkeley DB's log files (version 5.3). It finds the end of the log before
// Berkeley DB's recovery runs, since that recovery takes the first unreadable record for the end.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tenure::store {

// The beginning of a log file: a record like all others, with the file's description.
struct LogHeader {
  uint32_t previous;  // where the record before is, in the file before; 0: there is none
  uint32_t length;    // of this record
  uint32_t checksum;
  struct {
    uint32_t magic;
    uint32_t version;
    uint32_t file_bytes;
    uint32_t unused;
  } description;
};
static_assert(sizeof(LogHeader) == 28);

// The header of the first file of a log.
LogHeader FirstLogHeader(uint32_t file_bytes);

// log.NNNNNNNNNN, and its number; 0 if the name is another one.
uint32_t LogNumber(std::string_view name);
std::string LogName(uint32_t number);

// A place in the log.
struct LogPlace {
  uint32_t file = 0;
  uint32_t offset = 0;
  friend auto operator<=>(const LogPlace&, const LogPlace&) = default;
};

struct LogContents {
  std::vector<uint32_t> files;  // the numbers of those that are there, ascending
  LogPlace end;                 // behind the last whole record
  bool has_changes = false;     // changes of trees, not only notes of open files
  bool finished = true;         // there is nothing of a transaction behind the last checkpoint
  // Ok, or kCorrupt if the log goes on behind `end`, as a later file tells, or a file is missing.
  Status damage;
};

// Whether the log file with these bytes at its beginning has changes of trees; true also if the
// bytes are too few to tell.
bool MayHaveChanges(std::string_view beginning);

// Reads the log files in `directory` with a number of at least `first`. `synced`: how far the log
// is known to have been synced, zero if that is not known; a file behind it whose header is not
// good had not been begun. A file whose read fails is an error, not the log's end. Memory for the
// longest of them.
Result<LogContents> ScanLog(const std::string& directory, uint32_t first, LogPlace synced);

}  // namespace tenure::store
