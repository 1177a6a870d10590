// Lower: the typed program to LLVM IR, a unit at a time, and the tables of the whole program.
#pragma once

#include <memory>

#include "abi/program.h"
#include "compiler/check/checked_unit.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace tenure::compiler {

struct LowerOptions {
  bool checks = true;     // --no-checks: no range and subscript checks
  bool debug = false;     // -g: types and variables for debuggers
  bool optimize = true;   // emit for -O2 (false: -O0, still correct)
  bool coverage = false;  // count statements and branches, but in the standard library
  abi::StoreBarriers barriers = abi::StoreBarriers::kTrap;  // --barriers
  // A unit with very many procedures is made in parts that are linked to one object file. The first
  // part has everything except procedures.
  size_t part = 0;
  size_t parts = 1;
};

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
