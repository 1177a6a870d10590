// The states in which a crash may leave a store's directory, and the repair at the next opening.
// docs/recovery.md has the whole argument. Berkeley DB recovers the pages (BdbEnvironment::Open);
// this header is about the other files.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tenure::store {

enum class StoreState {
  kAbsent,          // nothing has the path
  kEmpty,           // a directory with nothing in it
  kHalfCreated,     // files of a store, but no FORMAT and no commits: its creation was interrupted
  kWithoutFormat,   // files of a store that was complete, but no FORMAT: FORMAT has been lost
  kComplete,        // there is a FORMAT, whose reader checks it
  kNamedLikeStore,  // files named as in a store, or as those of other programs
  kForeign,         // something else: not a directory, or a directory with other files
};

// The files in the directory of a store: what an opening checks, removes and completes before and
// after Berkeley DB's recovery. Functions but Examine need the store's lock. Any thread.
class StoreFiles {
 public:
  explicit StoreFiles(std::string path) : path_(std::move(path)) {}

  // Only looks. Fails if the directory cannot be read.
  Result<StoreState> Examine() const;

  // Whether there is a LOCK: the process that makes a store makes it first.
  bool HasLock() const;

  // CheckIsFile for all files of the store, by their names; kCorrupt for files that Berkeley DB
  // would obey. `writes`: the store will be written.
  Status Check(bool writes) const;

  // Removes the files of an interrupted creation, except LOCK.
  Status RemoveHalfCreated() const;

  // Removes temporary files of our own writes that were interrupted, in a complete store.
  Status RemoveTemporaryFiles() const;

  // Puts the replacements of these databases' files in their places. If the function fails before
  // the file SWITCH is written, it replaces none; after a crash FinishReplacing replaces the rest.
  // The store is closed, but locked.
  Status ReplaceDatabases(const std::vector<std::string>& files) const;

  // Removes the replacements if there is no decision to use them: they may have filled the disk.
  Status RemoveUnusedReplacements() const;

  // Completes an interrupted ReplaceDatabases. Call it before anything else that touches the
  // store's files.
  Status FinishReplacing() const;

  // Whether there are replacements. Call after Berkeley DB's recovery, which may make replacements
  // anew. Berkeley DB may still write and sync such a file, so the environment has to be closed
  // before the file is removed.
  Result<bool> HasReplacements() const;

  // Removes the temporary files that Berkeley DB's recovery leaves of interrupted creations of
  // databases, and replacements that the recovery has made anew. After recovery, when no
  // transaction is open.
  Status RemoveRemains() const;

 private:
  const std::string path_;
};

}  // namespace tenure::store
