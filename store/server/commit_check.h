// The checks that every page server makes of a commit request before it changes anything.

#pragma once

#include <functional>

#include "base/result.h"
#include "store/server/page_ids.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Ok if the part of a request is well formed, else kInvalidArgument with a text that says what is
// wrong. Well formed means: each page once and handed out by `ids`; contents or regions; regions
// ascending, apart, inside the page, and those of the contents if both are given; the checksums of
// whole pages right; the root NIL or in a page that was handed out.
Status CheckDatabaseCommit(const DatabaseCommit& commit, const PageIds& ids);

// The same for a whole request, which must not name a database twice. `ids_of` returns the page
// numbers of an open database, or why the database cannot be used.
Status CheckCommitRequest(const CommitRequest& request,
                          const std::function<Result<const PageIds*>(DatabaseId)>& ids_of);

// Applies `write` (regions or contents) to `record`, the page as it is stored, and sets its
// version. kInvalidArgument, with the record undefined, if the write's checksum differs from that
// of the result: then the client's copy of the page differs from the server's. A write without a
// checksum gets that of the result; kCorrupt if the record was damaged before.
Status ApplyWrite(const PageWrite& write, uint64_t version, PageRecord* record);

// The checksum of a write of a whole page.
uint32_t ChecksumOfWhole(const PageWrite& write);

// Whether the log gets the page: otherwise it gets the regions.
inline bool LogsWhole(const PageWrite& write) {
  return write.contents != nullptr && write.regions.empty();
}

// Bytes of its record that a write changes, header included.
uint64_t BytesWritten(const PageWrite& write);

// Whether the request changes anything.
bool WritesSomething(const CommitRequest& request);

}  // namespace tenure::store
