// References between databases (docs/design.md, "Between databases").
//
// A database stores such a reference as the number of an entry of its import table. The entry has
// the other database's uuid, a hint where its store is, and a number in the other's export table,
// which leads to the object and is never used again for another. In memory the reference is an
// address like any other. Decoding a page that refers to a database which is not open opens that
// database, by the hint. An object that is not available (no such store, another uuid, no such
// export) gets an address of MissingTargets; encoding that address gives the same entry again.
#pragma once

#include "abi/object_header.h"
#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// The address of the object that entry `number` of the import table of `from` names, or one of
// MissingTargets. kCorrupt: the table has no such entry. Sets *refers_to_heap when the object lives
// in the transient heap.
Result<abi::Ref> ImportToMemory(SessionState& session, Database& from, uint64_t number,
                                bool* refers_to_heap);
// The number of the entry of `from` for an object of another database, or for a missing one; 0 for
// other addresses.
uint64_t ImportOf(SessionState& session, Database& from, abi::Ref object);

}  // namespace tenure::stabilize
