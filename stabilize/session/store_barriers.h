// The functions that compiled code calls at stores, in programs with store barriers
// (docs/stabilization.md, "Store barriers").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "stabilize/session/faults.h"

namespace tenure::stabilize {

// Called with the session's lock. The answers are those of a trap; kNotOurs: the address lies in no
// database.

// Software barriers: the program has stored to [address, address + bytes), or is about to. The
// blocks are marked, unless a twin shows the change. If the answer is not kResolved, a store that
// has happened is undone, at once or with the transaction. The frame is in memory afterwards.
// `top`, `answers`: as for HandleFault.
FaultAnswer MarkStored(SessionState& session, const void* address, size_t bytes, uint64_t top,
                       const void* before, const PageAnswers& answers);
// The request that MarkStored has to send to a shared page server.
std::optional<PageRequest> RequestOfStore(SessionState& session, const void* address, size_t bytes,
                                          uint64_t top);
// Code without barriers is going to use the address: its page is protected from now on, so that the
// first store traps.
FaultAnswer ProtectForOthers(SessionState& session, const void* address);

// Reads a frame that ReadAgainLater has dropped, so that the program sees the committed state
// outside of transactions, too. If that is not possible, a later touch or begin reads it.
void ReadAgain(SessionState& session, Database& database, PageId page);

}  // namespace tenure::stabilize
