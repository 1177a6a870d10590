#pragma once

// What a crash may leave in a store's directory, and what is done about it at the next opening.
// docs/recovery.md has the whole argument. The pages themselves are Berkeley DB's to recover
// (BdbEnvironment::Open); here is what lies around them.

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tenure::store {

enum class StoreState {
  kAbsent,         // nothing there
  kEmpty,          // a directory with nothing in it
  kHalfCreated,    // files of a store, but no FORMAT: its creation was interrupted
  kWithoutFormat,  // the same, but it was complete: FORMAT has been lost
  kComplete,       // a FORMAT is there; whether it is good, its reader sees
  kForeign,        // something else: not a directory, or a directory with other files
};

// Looks only. Fails if the directory cannot be read.
Result<StoreState> ExamineStore(const std::string& path);

// Removes what an interrupted creation left, except LOCK. The caller holds the lock.
Status RemoveHalfCreatedStore(const std::string& path);

// Removes temporary files of our own writes that were interrupted, in a complete store.
Status RemoveTemporaryFiles(const std::string& path);

// Puts the replacements of these databases' files in their places: all, or none when it fails
// before the file SWITCH is written; what a crash interrupts then FinishReplacing completes. The
// store is closed, but locked.
Status ReplaceDatabases(const std::string& path, const std::vector<std::string>& files);

// Before anything else is done with the store's files.
Status FinishReplacing(const std::string& path);

// Whether there are replacements: after recovery, those that it has made anew. Berkeley DB may
// still want to write and sync such a file, so that the environment has to be closed before it is
// removed.
Result<bool> HasReplacements(const std::string& path);

// Removes the temporary files that Berkeley DB's recovery leaves of creations of databases that
// were interrupted, and replacements that it has made anew. After recovery, when no transaction is
// open.
Status RemoveRemains(const std::string& path);

// CheckIsFile for all files of the store there, by their names; kCorrupt for files that Berkeley DB
// would obey.
Status CheckStoreFiles(const std::string& path, bool writes);

}  // namespace tenure::store
