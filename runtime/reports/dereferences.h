// Finds an access behind NIL, which the hardware has trapped, in the program's table of
// dereferences (abi/dereferences.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/reports/stack_trace.h"

namespace tenure::runtime {

// The text of the error, without a designator; compared by its characters.
inline constexpr char kNilText[] = "dereference of NIL";

// Remembers the calling thread's latest access behind NIL: the instruction, the address, whether
// the access is a store. May be called in a signal handler.
void NoteNilAccess(uintptr_t code, uintptr_t address, bool is_store);

struct NilDereference {
  // "dereference of NIL: node.next"; or "dereference of NIL: p or q" if the table leaves two
  // possibilities; kNilText if it has none.
  std::string text;
  // The index of the frame that made the access. Earlier frames are of procedures inlined there,
  // whose code the optimiser has joined with the access.
  size_t frame = 0;
};

// `code` is the instruction that trapped, in the calling thread; `frames` are those of the program,
// from that instruction outwards.
NilDereference DescribeNil(const void* code, const std::vector<StackFrame>& frames);

}  // namespace tenure::runtime
