// What a commit asks of a page server, and the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "store/format/ids.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"

namespace tenure::store {

// Bytes of a page that a commit changes. The caller's memory, read during Commit only.
struct ChangedRegion {
  uint32_t offset = 0;               // from the page's start; regions ascend and do not overlap
  std::span<const std::byte> bytes;  // not empty; inside the page
};

// A commit's change of one page: new `contents`, or `regions` of an existing page, or both (the log
// gets the regions, the server keeps the contents), or its removal. The memory is the caller's and
// is read during Commit only, except contents that the caller gives away.
struct PageWrite {
  PageId page;
  uint64_t expected_version = 0;  // as read; 0: the page must not exist yet
  // The page's number is free for new pages afterwards; there need not be a page (version 0).
  // Nothing that is left may refer to it. With neither contents nor regions.
  bool remove = false;
  // PageChecksum of the page as it will be; it is checked. None: the server sums the page, when it
  // has one that was whole before (only where capabilities().sums_pages says so).
  std::optional<uint32_t> checksum = {};
  LargeRun run = {};                    // with `contents` only; regions do not change it
  const std::byte* contents = nullptr;  // kPageBytes, or null
  // Null, or `contents` given away: its new owner may use and change it after Commit too.
  std::shared_ptr<std::byte> given = {};
  std::span<const ChangedRegion> regions = {};  // neither: a new version only
};

// A reference to an object of another database is stored as the number of an entry in this
// database's import table, which names an entry of the other's export table. Entries are numbered
// from 1, never changed and never reused.
struct ImportEntry {
  Uuid database;
  std::string
      store;  // path hint: relative to the importing store's directory; empty: the same store
  std::string name;  // of the database in it
  uint64_t export_number = 0;
  uint64_t export_tag = 0;  // of that entry
  uint64_t lineage = 0;     // PageServer::lineage of the store then; 0: not known

  friend bool operator==(const ImportEntry&, const ImportEntry&) = default;
};

// An object to which other databases refer. After the database has been restored from an older
// copy, or in a copy, the number of an entry may be given out again. The tag, drawn at random,
// tells such entries apart. 0: of format version 1, which has no tags.
struct ExportEntry {
  PersistentRef object;
  uint64_t tag = 0;

  friend bool operator==(const ExportEntry&, const ExportEntry&) = default;
};

// A commit of a store. No other commit has its version and id, even in a copy of the store.
struct CommitMark {
  CommitId id;
  uint64_t version = 0;  // 0: none

  friend constexpr bool operator==(const CommitMark&, const CommitMark&) = default;
};

struct DatabaseCommit {
  DatabaseId database;
  std::span<const PageWrite> pages;   // each page at most once; any order, ascending is fastest
  std::optional<PersistentRef> root;  // the new root, if it changes
  // New entries at the ends of the tables. kConflict unless the tables are as long as expected.
  uint64_t imports_before = 0, exports_before = 0;
  std::span<const ImportEntry> imports = {};
  std::span<const ExportEntry> exports = {};
};

// Who may ask for the outcome of a commit later.
struct CommitAsker {
  // Tells programs that use a server from each other. 0: nobody asks once the store was closed.
  uint64_t place = 0;
  // This program does not ask for its commits up to this version: it knows what became of them.
  uint64_t settled = 0;
};
// The asker of commits from before the store was opened: any program of that time.
inline constexpr uint64_t kEarlierAsker = ~uint64_t{0};

struct OutcomeQuestion {
  CommitId id;
  // A version of the store at which the commit had not taken place; 0: none is known. The higher,
  // the better: a commit above it may be remembered where one above a lower version is not.
  uint64_t above = 0;
  // The program's commits had a CommitAsker, and the store has known the program ever since.
  bool kept = false;
};

// A store remembers at most this many commits beyond the latest ones.
inline constexpr uint32_t kOlderOutcomesMost = 16384;

// A commit: it changes all its databases, or none.
struct CommitRequest {
  CommitId id;
  std::span<const DatabaseCommit> databases;
  // Stores that have prepared their parts of the same commit: that it took place is remembered
  // (Decided) until each of them has acknowledged it.
  std::span<const Uuid> participants = {};
  CommitAsker asker = {};
};

enum class CommitOutcome : uint8_t {
  kCommitted,  // durable: survives any crash (if the server is durable at all)
  kConflict,   // did not happen: a page's version is not the expected one
  kFailed,     // did not happen: see the status
  kUnknown,    // may have happened: ask Outcome, possibly after opening the store again
};

struct CommitAnswer {
  CommitOutcome outcome = CommitOutcome::kFailed;
  // When committed: the new version of every page written. When unknown: OutcomeQuestion::above.
  uint64_t version = 0;
  Status status;  // ok exactly when committed
};

}  // namespace tenure::store
