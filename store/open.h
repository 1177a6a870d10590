// Opens a store with the page server that the options ask for.

#pragma once

#include <memory>
#include <string>

#include "store/bdb/bdb_environment.h"
#include "store/server/page_server.h"
#include "store/server/store_faults.h"

namespace tenure::store {

enum class PageServerKind : uint8_t { kBdb, kMemory };  // @M3pageserver=

struct StoreOptions {
  PageServerKind kind = PageServerKind::kBdb;
  OpenMode mode = OpenMode::kOpen;
  BdbOptions bdb;
  // For tests; null: no fault. Faults of files do nothing to a store in memory.
  std::shared_ptr<const StoreFaults> fail;
};

// The failures of the servers' Open: kNotFound, kExists, kInUse (text: who holds it), kFormat, ...
Result<std::unique_ptr<PageServer>> OpenStore(const std::string& path, const StoreOptions& options);

// Makes a durable store with an empty database, completely or not at all. The store is not held
// afterwards. The failures are those of OpenStore with kCreate.
Status CreateStore(const std::string& path, const std::string& database,
                   const StoreOptions& options);

}  // namespace tenure::store
