// Commit: names breadth-first what has become reachable, encodes the pages concerned, sends what
// changed, and leaves every object where it is (design.md section 5, "Commit names, the collector
// moves").
#pragma once

#include <bitset>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "base/result.h"
#include "stabilize/session.h"

namespace tenure::stabilize {

// One commit. Used once, with the session's lock and the world stopped (or one mutator).
class Stabilizer {
 public:
  explicit Stabilizer(Session& session) : session_(session) {}

  // Everything. When it fails, what it named is unnamed again; the transaction's writes are still
  // in memory, for the caller to take back.
  Status Commit();

 private:
  static constexpr size_t kWords = abi::kPageBytes / 8;

  // What this commit does to a page.
  struct PageChange {
    bool fresh = false;  // the store has no such page yet
    LargeRun run;
    std::bitset<kWords> changed;  // words that may differ from the store's
    std::unique_ptr<std::byte[]> encoded;
    std::vector<ChangedRegion> regions;
    uint32_t checksum = 0;
  };
  struct DatabaseChanges {
    Database* database = nullptr;
    std::map<uint64_t, PageChange> pages;  // by number
    Database::OpenPage open_page_before;
    std::vector<PageRun> taken;  // fresh pages
    bool root_changed = false;
    PersistentRef root;
  };
  struct Pending {
    abi::Ref object;
    Database* database;
  };

  DatabaseChanges& ChangesOf(Database& database);
  Status FindRoots();
  Status Name();
  // A reference that is about to be stored in `database`: names its target when it is transient.
  Status Reach(Database& database, abi::Ref target);
  Status NameObject(Database& database, abi::Ref object, size_t bytes);
  Status NameLiteral(Database& database, abi::Ref literal);
  // A slot of `bytes` on the open page or a fresh one.
  Result<PersistentRef> Place(Database& database, size_t bytes);
  Result<PersistentRef> PlaceLarge(Database& database, const abi::TypeDescriptor& type,
                                   size_t bytes);
  void FindChangedWords();
  Status Encode();
  void EncodeOne(Database& database, PageId page, PageChange& change);
  Status Send();
  Status Accept(uint64_t version);
  // `outcome_known`: it is certain that the server has none of this.
  void Undo(bool outcome_known);

  Session& session_;
  std::vector<std::unique_ptr<DatabaseChanges>> changes_;
  std::vector<Pending> queue_;  // named objects, breadth-first; next_ is the first not looked at
  size_t next_ = 0;
  std::vector<abi::Ref> named_;                              // displaced by this commit
  std::vector<std::pair<Database*, const void*>> literals_;  // copied by this commit
};

}  // namespace tenure::stabilize
