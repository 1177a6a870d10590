// The stored objects of a database, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dbtool/stored/stored_types.h"
#include "store/server/page_server.h"
#include "store/server/store_faults.h"

namespace tenure::dbtool {

struct StoredObject {
  store::PersistentRef at;
  const StoredType* type = nullptr;
  std::span<const std::byte> payload;  // its whole length

  uint64_t Word(uint64_t offset) const;
};

// A store that is open for reading, and its types.
struct OpenedStore {
  std::unique_ptr<store::PageServer> server;
  StoredTypes types;
};
// For a served store: with `gives_way` programs that use the store meanwhile come first, and the
// caller begins again when its transaction was refused (kConflict).
Result<OpenedStore> OpenForReading(const std::string& path, bool gives_way = true);
// Stores that OpenForReading opens from now on have these faults.
void PlanFailure(std::shared_ptr<const store::StoreFaults> faults);
// OpenForReading, for commands that must be the only user of the store: kInUse while it is served.
Result<OpenedStore> OpenAlone(const std::string& path);
// The failure of OpenAlone for a store that is served, or for a cluster's.
Status NotAlone(const std::string& path);
// The databases whose files are gone, in a store at `path` that is not served.
Result<std::vector<std::string>> LostDatabases(store::PageServer& server, const std::string& path);
// Begins a read-only use of a store: if the store is served, no other program changes it until it
// is closed.
Status BeginReadOnly(store::PageServer& server);

// The counts of a walk.
struct WalkTotals {
  uint64_t pages = 0;
  uint64_t free_bytes = 0;  // of pages that hold ordinary objects
};

// Calls visit for each object on the page, which has no part of a larger object. False: visit has
// returned false. The failure names the first damage. `*free_bytes` grows by the page's free
// places.
Result<bool> ForEachObjectOn(store::PageId page, const std::byte* contents,
                             const StoredTypes& types, uint64_t* free_bytes,
                             const std::function<bool(const StoredObject&)>& visit);
// The failure that no object is at the place.
Status NoObject(store::PersistentRef at);

// Called once for each damaged place.
using ProblemSink = std::function<void(const Status&)>;

// Calls visit for every object, in order of pages, until it returns false. With a `problem`,
// unreadable objects are reported to it and left out; else the walk ends with the first damage,
// which the Status names.
Status ForEachObject(store::PageServer& server, store::DatabaseId database,
                     const StoredTypes& types, WalkTotals* totals,
                     const std::function<bool(const StoredObject&)>& visit,
                     const ProblemSink& problem = {});

// "PAGE:OFFSET", as all commands write a reference to an object.
std::string Show(store::PersistentRef reference);
// The inverse; NIL if the text is not a reference.
store::PersistentRef ParseReference(std::string_view text);

}  // namespace tenure::dbtool
