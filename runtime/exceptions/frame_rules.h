// How to get from a frame of the program to its caller, remembered by return address.
#pragma once

#include <cstdint>

#include "abi/program.h"

namespace tenure::runtime {

// The registers that calls preserve, which a frame's caller, and a landing pad in the frame, need.
// runtime/exceptions/frame_switch.S relies on the order.
struct FrameRegisters {
  uintptr_t rbx;
  uintptr_t rbp;
  uintptr_t r12;
  uintptr_t r13;
  uintptr_t r14;
  uintptr_t r15;
  uintptr_t rsp;
  uintptr_t rip;  // the return address: where the frame goes on
};

// The unwind table's rule for one return address, if it has the simple form that compilers write
// for procedures: the frame ends at a fixed distance from rsp or rbp, and registers are saved at
// fixed distances from its end.
struct FrameRule {
  uintptr_t code;       // the return address
  uintptr_t function;   // where the procedure begins
  const uint8_t* lsda;  // of a procedure compiled by us, if a landing pad is for this address
  const abi::RaisesEntry* raises;  // of a procedure compiled by us; null: all may leave it
  bool from_rbp;                   // the frame ends at rbp + end, else at rsp + end
  int32_t end;
  int32_t return_address;  // where it is, from the frame's end
  // Where each register is saved, from the frame's end; 0: it has not changed. In the order of
  // FrameRegisters: rbx, rbp, r12 to r15.
  int32_t saved[6];
};

// The rule of a return address; null: the code is not in the program's own file, or its table is
// not of the simple form. The result is never freed. Threads: any. Takes locks and may call malloc,
// so not in a signal handler.
const FrameRule* FrameRuleOf(uintptr_t code);

// The registers of the caller of a frame with these registers and this rule.
FrameRegisters CallerOf(const FrameRegisters& frame, const FrameRule& rule);

}  // namespace tenure::runtime
