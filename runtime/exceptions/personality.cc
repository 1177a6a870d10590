// The personality routine of compiled procedures. It differs from C++'s in three points: an address
// in no call site means "go on"; the landing pads of a frame in which a trap arose are ignored
// (register contents there are promised only at calls); and a raises set may stop the search.

#include <unwind.h>

#include <cstdint>

#include "abi/entry_points.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/exceptions/raises_table.h"
#include "runtime/exceptions/unwind_tables.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {
namespace {

bool ClauseTakes(const void* type, void* context) {
  return type == nullptr || type == static_cast<ExceptionInFlight*>(context)->descriptor;
}

_Unwind_Reason_Code Personality(int actions, ExceptionInFlight* exception,
                                _Unwind_Exception* unwind, _Unwind_Context* context) {
  int trapped_here = 0;
  const uintptr_t ip = _Unwind_GetIPInfo(context, &trapped_here);
  const uintptr_t function = _Unwind_GetRegionStart(context);
  const bool searching = (actions & _UA_SEARCH_PHASE) != 0;

  LandingPad pad;
  if (trapped_here == 0) {
    // A forced unwind (a thread is cancelled) and exceptions of other languages only pass cleanups.
    const bool may_catch = exception != nullptr && (actions & _UA_FORCE_UNWIND) == 0;
    const auto* lsda = reinterpret_cast<const uint8_t*>(_Unwind_GetLanguageSpecificData(context));
    pad = FindLandingPad(lsda, function, ip - 1, may_catch ? ClauseTakes : nullptr, exception);
  }

  if (searching) {
    if (pad.kind == LandingPad::Kind::kHandler) return _URC_HANDLER_FOUND;
    if (exception != nullptr) {
      const abi::RaisesEntry* entry = FindRaisesEntry(function);
      if (entry != nullptr && !Allows(*entry, *exception->descriptor)) {
        exception->blocked_by = reinterpret_cast<const void*>(function);
        return _URC_FATAL_PHASE1_ERROR;
      }
    }
    return _URC_CONTINUE_UNWIND;
  }

  if (pad.kind == LandingPad::Kind::kNone) return _URC_CONTINUE_UNWIND;
  const uintptr_t stack = _Unwind_GetCFA(context);
  if (exception != nullptr) exception->landed_stack = stack;
  if (Mutator* mutator = Mutator::Current()) {
    // Returns from the emergency stack to the thread's own.
    if (stack > mutator->stack_low() && stack <= mutator->stack_high()) {
      mutator->interrupted_stack = 0;
    }
  }
  _Unwind_SetGR(context, __builtin_eh_return_data_regno(0), reinterpret_cast<_Unwind_Word>(unwind));
  _Unwind_SetGR(context, __builtin_eh_return_data_regno(1),
                static_cast<_Unwind_Word>(pad.selector));
  _Unwind_SetIP(context, pad.address);
  return _URC_INSTALL_CONTEXT;
}

}  // namespace
}  // namespace tenure::runtime

extern "C" int tn_personality(int version, int actions, uint64_t exception_class, void* exception,
                              void* context) {
  using namespace tenure::runtime;
  if (version != 1) return _URC_FATAL_PHASE1_ERROR;
  auto* unwind = static_cast<_Unwind_Exception*>(exception);
  return Personality(actions,
                     exception_class == kExceptionClass ? ExceptionInFlight::Of(unwind) : nullptr,
                     unwind, static_cast<_Unwind_Context*>(context));
}
