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

namespace tenure::stabilize {

enum class StoreState {
  kAbsent,         // nothing there
  kEmpty,          // a directory with nothing in it
  kHalfCreated,    // files of a store, but no FORMAT: its creation was interrupted
  kWithoutFormat,  // the same, but it was complete: FORMAT has been lost
  kComplete,       // a FORMAT is there; whether it is good, its reader sees
  kForeign,        // something else: not a directory, or a directory with other files
};

// LOCK begins with this before anything else is made, until FORMAT is there.
inline constexpr std::string_view kCreatingMark = "creating ";

// Looks only. Fails if the directory cannot be read.
Result<StoreState> ExamineStore(const std::string& path);

// Removes what an interrupted creation left, except LOCK. The caller holds the lock.
Status RemoveHalfCreatedStore(const std::string& path);

// Removes temporary files of our own writes that were interrupted, in a complete store.
Status RemoveTemporaryFiles(const std::string& path);

// The file of a database that may take the place of the one with this file.
std::string ReplacementFile(const std::string& file);

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

// Makes `path` have these contents durably, or leaves it as it was: writes a temporary file beside
// it, syncs, renames, syncs the directory.
Status ReplaceFile(const std::string& directory, std::string_view name, std::string_view contents);
// The same with contents that depend on the file, which `contents_of` is given.
Status ReplaceFile(const std::string& directory, std::string_view name,
                   const std::function<std::string(int fd)>& contents_of);

// All that is in the file, which no link leads to.
Result<std::string> ReadWholeFile(const std::string& file);

// kCorrupt if what has that name is a link, a pipe, a directory or the like; kInvalidArgument if it
// is to be written and has other names.
Status CheckIsFile(const struct stat& info, const std::string& file, bool writes);

// The same of all files of the store there, by their names, and of files that Berkeley DB would
// obey.
Status CheckStoreFiles(const std::string& path, bool writes);

// The names of all that is in the directory.
Result<std::vector<std::string>> EntriesOf(const std::string& path);

// Whether the store itself puts files of this name into its directory.
bool IsStoreFile(std::string_view name);

}  // namespace tenure::stabilize
