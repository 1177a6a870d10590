#pragma once

// What every page server asks of a commit request before it touches anything.

#include "base/result.h"
#include "store/server/page_ids.h"
#include "store/server/page_server.h"

namespace tenure::store {

// kInvalidArgument, with a text that says what is wrong, unless the part of a request is well
// formed: each page once and handed out by `ids`; contents or regions; regions ascending, apart,
// inside the page; the checksums of whole pages right; the root NIL or in a page that was handed
// out.
Status CheckDatabaseCommit(const DatabaseCommit& commit, const PageIds& ids);

// Makes `record`, the page as it is stored, what `write` (regions or contents) wants it to be, with
// this version. kInvalidArgument, with the record in no state at all, if the checksum is not that
// of the result: then the client's idea of the page is another than ours. Without a checksum the
// record gets that of the result; kCorrupt if it was not whole before.
Status ApplyWrite(const PageWrite& write, uint64_t version, PageRecord* record);

// The checksum of a write of a whole page.
uint32_t ChecksumOfWhole(const PageWrite& write);

// Bytes of its record that a write changes, header included.
uint64_t BytesWritten(const PageWrite& write);

// Whether it changes anything.
bool WritesSomething(const CommitRequest& request);

}  // namespace tenure::store
