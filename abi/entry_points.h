// Prototypes of entry_points.def. The run time implements them; the compiler derives LLVM
// declarations from these types, so that the two cannot differ.
#pragma once

#include <cstdint>

#include "abi/check_site.h"
#include "abi/object_header.h"
#include "abi/program.h"
#include "abi/type_descriptor.h"

namespace tenure::abi {

enum EntryEffects : uint32_t {
  kLeaf = 0,
  kMayCollect = 1u << 0,
  kMayRaise = 1u << 1,
  kNoReturn = 1u << 2,
};

extern "C" {
#define TN_ENTRY(result, name, parameters, effects) result name parameters;
#include "abi/entry_points.def"
#undef TN_ENTRY
}

// The personality routine of every compiled procedure: Itanium tables as LLVM writes them, types
// are ExceptionDescriptor addresses, null catches all. See platform notes in docs/exceptions.md.
extern "C" int tn_personality(int version, int actions, uint64_t exception_class, void* exception,
                              void* context);

}  // namespace tenure::abi
