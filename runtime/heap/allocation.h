// Allocation as the run time's own code does it, and the slow paths of compiled code. All may
// collect: what the caller holds stays where it is, because its frame is an ambiguous root. Out of
// memory raises OutOfMemory at the caller's caller.
#pragma once

#include <cstdint>

#include "abi/object_header.h"

namespace tenure::runtime {

// A zeroed object with its header, of a type without an open array tail. `place` is for the report.
abi::Ref AllocateObject(const abi::TypeDescriptor& type,
                        const void* place = __builtin_return_address(0));

// The same for a type with an open array tail of these lengths. A negative length raises
// ValueOutOfRange; one that no memory can hold raises OutOfMemory.
abi::Ref AllocateArray(const abi::TypeDescriptor& type, const int64_t* lengths,
                       const void* place = __builtin_return_address(0));

// The same for the entry points of compiled code, which have called RecordCaller: their callers'
// frames hold all references that are in use. Without the short path for what there is room for.
abi::Ref AllocateObjectForCode(const abi::TypeDescriptor& type, uint64_t payload_bytes,
                               const void* place);
abi::Ref AllocateArrayForCode(const abi::TypeDescriptor& type, const int64_t* lengths,
                              const void* place);
// The short paths: null when the room at hand is too small, or they do not take such an array.
abi::Ref AllocateObjectAtOnce(const abi::TypeDescriptor& type, uint64_t payload_bytes);
abi::Ref AllocateArrayAtOnce(const abi::TypeDescriptor& type, const int64_t* lengths);

// Raises OutOfMemory for want of the limit of the heap: "WANTED is wanted, and the heap may have at
// most 50 MB: ...". `wanted` is words such as "an object of 64 bytes".
[[noreturn]] void RaiseOutOfMemory(const char* wanted, const void* place);

}  // namespace tenure::runtime
