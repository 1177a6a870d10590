// Lower: the typed program to LLVM IR, a unit at a time, and the tables of the whole program.
#pragma once

#include <memory>

#include "compiler/check/checked_unit.h"
#include "compiler/lower/lower_options.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace tenure::compiler {

// The state that the lowering of all units shares: fingerprints, needed descriptors, and so on.
// Made once per program.
class ProgramLayout;
std::unique_ptr<ProgramLayout, void (*)(ProgramLayout*)> MakeProgramLayout(const Program& program);

// One unit: its globals, procedures, initialiser and UnitInfo (abi/program.h). The module verifies.
std::unique_ptr<llvm::Module> LowerUnit(const Program& program, const ProgramLayout& layout,
                                        const CheckedUnit& unit, const LowerOptions& options,
                                        llvm::LLVMContext& context, llvm::TargetMachine& machine);

// The program's own object: all type descriptors with their method tables and default initialisers,
// and tn_program.
std::unique_ptr<llvm::Module> LowerProgram(const Program& program, const ProgramLayout& layout,
                                           const LowerOptions& options, llvm::LLVMContext& context,
                                           llvm::TargetMachine& machine);

}  // namespace tenure::compiler
