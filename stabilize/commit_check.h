#pragma once

// What every page server asks of a commit request before it touches anything.

#include "base/result.h"
#include "stabilize/page_ids.h"
#include "stabilize/page_server.h"

namespace tenure::stabilize {

// kInvalidArgument, with a text that says what is wrong, unless the part of a request is well formed:
// each page once and handed out by `ids`; contents or regions; regions ascending, apart, inside the
// page; the root NIL or in a page that was handed out.
Status CheckDatabaseCommit(const DatabaseCommit& commit, const PageIds& ids);

// Whether it changes anything.
bool WritesSomething(const CommitRequest& request);

}  // namespace tenure::stabilize
