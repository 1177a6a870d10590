// The disk collector: marks the objects that can be reached from a database's root or its exports,
// and frees the rest. Pages with nothing left on them are removed, and later commits use their
// numbers; on others the dead objects become free places.
//
// It works in commits of a few megabytes. Whatever ends it between two of them, the database is
// whole: dead objects lose their references first, so that none ever leads to a place that is free.
// What was freed stays free, and the next collection does the rest.
//
// Programs may use the database meanwhile if its store is served (dbtool/collect/collect_shared.h).
#pragma once

#include <string>

#include "dbtool/collect/collection.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

// kCorrupt if the database is damaged; then nothing has been changed.
Result<CollectTotals> Collect(OpenedStore& store, const std::string& database,
                              const CollectOptions& options);

}  // namespace tenure::dbtool
