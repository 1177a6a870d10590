#include "runtime/exceptions/quick_unwind.h"

#include "runtime/exceptions/frame_rules.h"
#include "runtime/exceptions/raises_table.h"
#include "runtime/exceptions/unwind_tables.h"

extern "C" {
void tn_read_frame(tenure::runtime::FrameRegisters* registers);
[[noreturn]] void tn_enter_frame(const tenure::runtime::FrameRegisters* registers, void* exception,
                                 int64_t selector);
}

namespace tenure::runtime {
namespace {

// The sanitizers learn from libgcc's functions which frames are left.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kEnabled = false;
#else
constexpr bool kEnabled = true;
#endif

bool ClauseTakes(const void* type, void* context) {
  return type == nullptr || type == static_cast<ExceptionInFlight*>(context)->descriptor;
}

}  // namespace

void UnwindQuickly(const Mutator& mutator, ExceptionInFlight& exception) {
  // On the emergency stack only libgcc finds the way, by the trap's record.
  if (!kEnabled || mutator.interrupted_stack != 0) return;
  FrameRegisters frame;
  tn_read_frame(&frame);
  FrameRegisters first = {};  // with the first landing pad
  LandingPad landing;
  for (;;) {
    const FrameRule* rule = FrameRuleOf(frame.rip);
    if (rule == nullptr) return;
    if (rule->lsda != nullptr) {
      const LandingPad pad =
          FindLandingPad(rule->lsda, rule->function, frame.rip - 1, ClauseTakes, &exception);
      if (pad.kind != LandingPad::Kind::kNone && landing.kind == LandingPad::Kind::kNone) {
        first = frame;
        landing = pad;
      }
      if (pad.kind == LandingPad::Kind::kHandler) break;
    }
    if (rule->raises != nullptr && !Allows(*rule->raises, *exception.descriptor)) return;
    const FrameRegisters caller = CallerOf(frame, *rule);
    if (caller.rsp <= frame.rsp || caller.rsp > mutator.stack_high()) return;
    frame = caller;
  }
  // As after the search of libgcc, whose _Unwind_Resume knows the handler's frame by its stack
  // pointer.
  exception.unwind.private_1 = 0;
  exception.unwind.private_2 = frame.rsp;
  exception.landed_stack = first.rsp;
  first.rip = landing.address;
  tn_enter_frame(&first, &exception.unwind, landing.selector);
}

}  // namespace tenure::runtime
