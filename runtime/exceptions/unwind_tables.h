// Reads the language-specific data area that LLVM writes for a procedure with landing pads: the
// format of the Itanium C++ ABI, as every user of `invoke` gets it.
#pragma once

#include <cstdint>

namespace tenure::runtime {

// Where a frame goes on when an exception passes it.
struct LandingPad {
  enum class Kind { kNone, kCleanup, kHandler };
  Kind kind = Kind::kNone;
  uintptr_t address = 0;  // unless kNone
  int64_t selector = 0;   // of the catch clause that matches; 0 for a cleanup
};

// Says whether a catch clause takes the exception; `type` is the address in its clause, null
// catches all.
using ClauseMatcher = bool (*)(const void* type, void* context);

// Searches the table at `lsda` of the function that begins at `function` for the call site that
// contains `code`, an address inside an instruction. `matches` null: only cleanups count. An
// address in no call site has no landing pad. An unknown encoding ends the process, since our
// compiler wrote the table.
LandingPad FindLandingPad(const uint8_t* lsda, uintptr_t function, uintptr_t code,
                          ClauseMatcher matches, void* context);

}  // namespace tenure::runtime
