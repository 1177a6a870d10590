// A served store as the check of requests knows it.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "store/server/dead_objects.h"
#include "store/server/known_entries.h"
#include "store/server/known_objects.h"
#include "store/server/known_types.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
struct KnownStore {
  // `store` outlives it, and is at `at`, an absolute path or a URI. `open` opens one of its
  // databases for good.
  KnownStore(PageServer& store, std::string at,
             std::function<Result<DatabaseId>(const std::string& name)> open)
      : pages(store), place(std::move(at)), types(store), entries(store, std::move(open)) {}

  PageServer& pages;
  const std::string place;
  KnownTypes types;
  KnownEntries entries;
  DeadObjects dead;
  KnownObjects objects{dead};
};

}  // namespace tenure::store
