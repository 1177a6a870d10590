// What a commit changes, page by page.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "stabilize/frames/store_names.h"
#include "stabilize/state/database.h"
#include "stabilize/state/encode_arena.h"
#include "store/server/commit_request.h"

namespace tenure::stabilize {

// A commit's change of a page.
struct PageChange {
  bool fresh = false;  // the store has no such page yet
  LargeRun run;
  std::bitset<abi::kPageBytes / 8> changed;  // words that may differ from the store's
  // One of the changed words, of a dirty frame, may refer to an object that has no home yet.
  bool may_reference_heap = false;
  bool stays_open = false;  // its twin has the changed words already
  // The encoded page, if it is sent whole: set by TakeEncoded alone. With breadth-first order a
  // fresh page has it from the start, and an object is encoded there while its targets are
  // reached; Stabilizer::Encode makes all others.
  std::byte* encoded = nullptr;
  std::vector<ChangedRegion> regions;
  std::optional<uint32_t> checksum;
};

struct DatabaseChanges {
  Database* database = nullptr;
  std::map<uint64_t, PageChange> pages;  // by number
  OpenPages open_before;
  std::vector<PageRun> taken;  // fresh pages
  size_t fresh = 0;            // how many these are
  // New entries of the tables of references between databases; the Database has them already.
  size_t imports_before = 0, exports_before = 0;
  uint64_t connection = 0;  // of the database, when pages were taken
  std::vector<ImportEntry> imports;
  std::vector<ExportEntry> exports;
  uint64_t version = 0;  // that the server gave the commit
  bool root_changed = false;
  PersistentRef root;
};

// The changes of one commit, with the session's lock.
class ChangeSet {
 public:
  explicit ChangeSet(EncodeArena& arena) : arena_(arena) {}

  // The changes of the database, none at first.
  DatabaseChanges& Of(Database& database) {
    for (auto& changes : all_) {
      if (changes->database == &database) return *changes;
    }
    all_.push_back(std::make_unique<DatabaseChanges>());
    DatabaseChanges& changes = *all_.back();
    changes.database = &database;
    changes.open_before = database.open_pages();
    changes.imports_before = database.imports().size();
    changes.exports_before = database.exports().size();
    changes.connection = database.connection();
    return changes;
  }
  // The page's entry there, made if it is missing; until Stabilizer::Encode.
  PageChange& At(DatabaseChanges& changes, PageId page) {
    if (last_.change == nullptr || last_.changes != &changes || last_.page != page) {
      last_ = {&changes, page, &changes.pages[page.number]};
    }
    return *last_.change;
  }
  // Gives the encoded page, which has no memory yet, some of the arena.
  std::byte* TakeEncoded(PageChange& change) { return change.encoded = arena_.Take(); }

  size_t size() const { return all_.size(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  EncodeArena& arena_;
  std::vector<std::unique_ptr<DatabaseChanges>> all_;
  // The last answer of At: objects get their homes page by page.
  struct {
    const DatabaseChanges* changes = nullptr;
    PageId page;
    PageChange* change = nullptr;
  } last_;
};

}  // namespace tenure::stabilize
