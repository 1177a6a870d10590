// Entry points of compiled code for the store barrier: stores to objects that may be persistent.

#include <cstdint>

#include "abi/entry_points.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/sessions/persistence.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/traps/traps.h"
#include "stabilize/frames/block_table.h"
#include "stabilize/session/session.h"

namespace tenure::runtime {
namespace {

// Asks the session under its lock, which a stopped thread must not hold. An answer's exception is
// raised after the lock and the holds are released. On return stops are held if `hold`.
template <typename Ask>
void AskAboutStore(const void* code, bool hold, Ask&& ask) {
  // No session: the store goes to the heap.
  stabilize::Session* const session = ExistingSession();
  if (session == nullptr || InForkedChild()) {
    if (hold) HoldStops();
    return;
  }
  RequireStackRoom(code);
  HoldStops();
  const FaultAnswer answer = AnswerOf(ask(*session));
  if (answer.kind != FaultAnswer::Kind::kRaise) {
    if (!hold) ReleaseStops();
    return;
  }
  ReleaseStops();
  FinishAbortedTransaction();
  RaiseWithText(*answer.exception, answer.text, {nullptr, 0, code});
}

}  // namespace
}  // namespace tenure::runtime

using namespace tenure::runtime;

extern "C" void tn_open_for_store(void* address) {
  AskAboutStore(__builtin_return_address(0), /*hold=*/false, [&](auto& session) {
    return session.HandleFault(address, /*is_write=*/true, OwnTransaction());
  });
}

extern "C" void tn_mark_store(void* address, uint64_t value, uint32_t bytes, uint64_t before) {
  AskAboutStore(__builtin_return_address(0), /*hold=*/false, [&](auto& session) {
    // Another thread may have stored to the block since this one has read `before`.
    const void* const known = Mutator::IsAlone() ? &before : nullptr;
    return session.MarkStored(address, bytes, &value, OwnTransaction(), known);
  });
}

extern "C" void tn_begin_marked(void* address, uint64_t bytes) {
  // Marks stay while stops are held, since no commit comes in between. A frame whose barrier does
  // not call is marked, or a store to the frame traps.
  HoldStops();
  if (!tenure::stabilize::BlockTable::AnyCalls(address, bytes)) return;
  ReleaseStops();
  AskAboutStore(__builtin_return_address(0), /*hold=*/true, [&](auto& session) {
    return session.MarkStored(address, bytes, nullptr, OwnTransaction());
  });
}

extern "C" void tn_end_marked() { ReleaseStops(); }

extern "C" uint32_t tn_any_block_calls(void* address, uint64_t bytes) {
  return tenure::stabilize::BlockTable::AnyCalls(address, bytes) ? 1 : 0;
}

extern "C" uint32_t tn_in_no_frame(void* address, uint64_t bytes) {
  tenure::stabilize::Session* const session = ExistingSession();
  // A frame of a database that another thread opens meanwhile lies at addresses that were not in
  // use.
  if (session == nullptr || InForkedChild()) return 1;
  const StopsHeld held;
  return session->TouchesFrames(address, bytes) ? 0 : 1;
}

extern "C" void tn_protect_for_c(void* address) {
  AskAboutStore(__builtin_return_address(0), /*hold=*/false,
                [&](auto& session) { return session.ProtectForOthers(address); });
}
