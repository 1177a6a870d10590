// The raises sets of the procedures that may be left by an exception that they do not allow
// (language.md 13.3); the others are not listed.
#pragma once

#include <cstdint>

#include "abi/program.h"

namespace tenure::runtime {

// Collects the entries of all units. Once, before the first exception.
void InstallRaisesTable(const abi::ProgramInfo& program);

// The entry of the procedure that begins at this address, or null: it lets everything pass.
const abi::RaisesEntry* FindRaisesEntry(uintptr_t function);

// True when an exception may leave a procedure with this entry: it is in the set, or implicit.
bool Allows(const abi::RaisesEntry& entry, const abi::ExceptionDescriptor& exception);

}  // namespace tenure::runtime
