// The checks of @M3paranoiddb beyond DecodePage when a page is read: each reference to an object of
// the database must lead to an object's start, and a part of a large object must belong to the
// object that begins before it. Slow: the pages of the targets are read as well.
#pragma once

#include "base/result.h"
#include "stabilize/frames/store_names.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"

namespace tenure::stabilize {

class Database;

// kCorrupt names the page, and the place that a reference leads to; else a failure of reading.
Status CheckReferencesOfPage(Database& database, PageId page, const PageRecord& record);

// The same for the database's root; NIL is good.
Status CheckRootReference(Database& database, PersistentRef root);

}  // namespace tenure::stabilize
