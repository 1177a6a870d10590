// The tables by which a unit describes itself to the run time (abi/program.h).
#pragma once

#include "compiler/lower/unit_lowering.h"

namespace tenure::compiler {

std::string UnitSymbol(const CheckedUnit& unit);  // of its abi::UnitInfo

// For a procedure in this part of the unit that may raise an exception outside of its raises set:
// sets the personality routine, which asks for the raises set.
void SetPersonality(UnitLowering& unit, const Procedure* procedure);

// Defines the descriptors of the unit's exceptions.
void EmitExceptions(UnitLowering& unit);
// Defines the UnitInfo; `initialize` is the unit's body or null.
void EmitUnitInfo(UnitLowering& unit, llvm::Function* initialize);
// Defines tn_program.
void EmitProgramInfo(UnitLowering& unit, const std::vector<llvm::Constant*>& descriptors);

}  // namespace tenure::compiler
