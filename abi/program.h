// A linked program's description for the run time: its units, types, global roots, raises sets and
// procedures. The compiler emits one UnitInfo for each interface and module that has variables or a
// body, in that unit's object file, and one ProgramInfo, `tn_program`, in the object file that it
// makes for the whole program (with all type descriptors, numbered for the program).
#pragma once

#include <cstdint>

#include "abi/type_descriptor.h"
#include "abi/value_descriptor.h"

namespace tenure::abi {

// The order is that of RuntimeError.T (language.md 23); some programs use ORD.
enum class RuntimeErrorCode : uint32_t {
  kAssertFailed,
  kValueOutOfRange,
  kSubscriptOutOfRange,
  kIncompatibleArrayShape,
  kBadMemoryReference,
  kNarrowFailed,
  kNoReturnValue,
  kUnhandledCase,
  kUnhandledTypecase,
  kStackOverflow,
  kOutOfMemory,
  kUnalignedAddress,
  kUnhandledException,
  kBlockedException,
  kIntegerOverflow,
  kIntegerDivideByZero,
  kFloatDivideByZero,
  kFloatOverflow,
  kFloatUnderflow,
  kFloatInexact,
  kFloatInvalid,
  kDuplicateBrand,
  kMissingType,
  kSupertypeCycle,
  kOpaqueTypeRedefined,
  kInconsistentRevelation,
  kUndefinedMethod,
  kPrivilegedInstruction,
  kSystemError,
  kUnknown,
};

enum ExceptionFlags : uint32_t {
  kExceptionImplicit = 1u << 0,  // in every raises set (language.md 26)
  kExceptionHasText = 1u << 1,   // its argument is one TEXT: printed when unhandled
};

// One per EXCEPTION declaration; identity is the address. Symbol: "Interface.Name".
struct ExceptionDescriptor {
  const char* name;         // "Interface.Name"
  uint32_t argument_bytes;  // 0 without an argument
  uint32_t flags;
  const SlotRun* argument_runs;  // where references lie in the argument
  uint32_t argument_run_count;
  uint32_t reserved;
  const ValueDescriptor* argument;  // how to show the argument; null: not, or there is none
};
static_assert(sizeof(ExceptionDescriptor) == 40);

// Variables of a unit that hold traced references: roots, exact. Offsets of the runs are from
// `address`.
struct GlobalRoot {
  void* address;
  const SlotRun* runs;
  uint32_t run_count;
  uint32_t reserved;
};
static_assert(sizeof(GlobalRoot) == 24);

// A procedure whose body may raise what its raises set does not allow. Such a procedure is never
// inlined, and the exception stops at its boundary as BlockedException (language.md 13.3). The
// others cannot, and are not listed.
struct RaisesEntry {
  const void* code;
  const ExceptionDescriptor* const* allowed;
  uint32_t allowed_count;
  uint32_t reserved;
};
static_assert(sizeof(RaisesEntry) == 24);

// A top-level procedure, so that procedure values can be stored by name.
struct ProcedureInfo {
  const void* code;
  const char* name;  // "Interface.Proc" or "Module.Proc"
  uint64_t signature_fingerprint;
  // Hash of what a caller must know to call the procedure: modes and types of the parameters, type
  // of the result. Procedures with the same shape can replace each other in a call; names and
  // defaults of parameters, and raises sets, may differ. Never 0.
  uint32_t shape;
  uint32_t reserved;
};
static_assert(sizeof(ProcedureInfo) == 32);

struct UnitInfo {
  const char* name;         // "Text"
  const char* source_path;  // as given to the compiler
  void (*initialize)();     // module body; null for interfaces and empty bodies
  const GlobalRoot* roots;
  const RaisesEntry* raises;
  const ProcedureInfo* procedures;
  uint32_t root_count;
  uint32_t raises_count;
  uint32_t procedure_count;
  uint32_t is_interface;
};
static_assert(sizeof(UnitInfo) == 64);

// How a store to a persistent object is noticed (tenure build --barriers).
enum class StoreBarriers : uint32_t {
  kTrap,      // the page is protected, and the first store to the page traps
  kHybrid,    // the same, and compiled code opens the page before the store would trap
  kSoftware,  // compiled code marks what it has stored to; such a page needs no protection
};

struct ProgramInfo {
  uint32_t abi_version;  // kAbiVersion
  uint32_t unit_count;
  const UnitInfo* const* units;  // in initialisation order (language.md 22.2); Main is last
  const TypeDescriptor* const*
      types;  // indexed by typecode; entries 0 (NULL) and 1 (REFANY) are descriptors too
  uint32_t type_count;
  StoreBarriers barriers;            // of all units of the program
  const TypeDescriptor* text8_type;  // flat Latin-1 text, TextFlat.T8; null when no unit uses texts
  const TypeDescriptor* text16_type;  // flat wide text, TextFlat.T16
  const char* program_name;
};
static_assert(sizeof(ProgramInfo) == 56);

inline constexpr uint32_t kAbiVersion = 3;

}  // namespace tenure::abi

extern "C" const tenure::abi::ProgramInfo tn_program;
