// Checks that references lead to objects of a fitting type.
//
// A page of a store is not trusted: a reference may lead into the middle of an array, where the
// store's maker chose words that look like a header, or to an object of another type. So each
// reference of a page is checked when the page is read, if the target's page is resident. Otherwise
// the frame of the target's page notes the expected object, and the page is checked for it when it
// is read.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Checks the references in `session.found`, which DecodePage has found on the page that is about to
// be published, and what resident pages expect of the page. kCorrupt: one leads to no object, or to
// an object of a type that the slot may not hold.
Status CheckFound(SessionState& session, Database& database, PageId page, const std::byte* image,
                  const LargeRun& run);
// Checks a reference to an object of the database; `required` null: any type.
Status CheckReference(SessionState& session, Database& database, PersistentRef object,
                      const RequiredType* required);
// Checks what resident pages expect of the page, and forgets it. kCorrupt as for CheckFound.
Status CheckExpected(SessionState& session, Database& database, PageId page, const std::byte* image,
                     const LargeRun& run);
// Before a resident page of a shared store is dropped: expects the page to come back with the same
// objects, since resident pages may refer to them.
void ExpectSame(SessionState& session, Database& database, PageId page);

}  // namespace tenure::stabilize
