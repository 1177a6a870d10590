// The program's type descriptors as constants (abi/type_descriptor.h).
#pragma once

#include "compiler/lower/unit_lowering.h"

namespace tenure::compiler {

// Defines tn_type.<fingerprint> for every type of the program, with their initialisers. Returns
// them by typecode.
std::vector<llvm::Constant*> EmitTypeDescriptors(UnitLowering& unit);

// A pointer to a table of abi::SlotRun; null when there are none.
llvm::Constant* EmitSlotRuns(UnitLowering& unit, const std::vector<abi::SlotRun>& runs);

}  // namespace tenure::compiler
