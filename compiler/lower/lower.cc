#include "compiler/lower/lower.h"

#include "compiler/lower/function_lowering.h"
#include "compiler/lower/program_layout.h"
#include "compiler/lower/type_info.h"
#include "compiler/lower/unit_tables.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

// The object types that the unit names, for debuggers.
void RetainObjectTypes(UnitLowering& unit) {
  const std::string prefix = unit.unit->name + ".";
  for (const Type* type : unit.program.types.all()) {
    const auto* object = As<ObjectType>(type);
    if (object != nullptr && object->name.starts_with(prefix)) unit.debug.Retain(object);
  }
}

// From now on types are complete.
struct WithKeptLayouts : ProgramLayout {
  using ProgramLayout::ProgramLayout;
  KeptLayouts kept;
};

}  // namespace

std::unique_ptr<ProgramLayout, void (*)(ProgramLayout*)> MakeProgramLayout(const Program& program) {
  return {new WithKeptLayouts(program),
          [](ProgramLayout* layout) { delete static_cast<WithKeptLayouts*>(layout); }};
}

std::unique_ptr<llvm::Module> LowerUnit(const Program& program, const ProgramLayout& layout,
                                        const CheckedUnit& checked, const LowerOptions& options,
                                        llvm::LLVMContext& context, llvm::TargetMachine& machine) {
  UnitLowering unit(program, layout, &checked, options, context, machine);
  if (unit.IsFirstPart()) EmitExceptions(unit);
  for (const Procedure* procedure : checked.procedures) {
    if (procedure->has_body && !procedure->external && unit.IsInPart(procedure))
      FunctionLowering::LowerProcedure(unit, procedure);
  }
  if (options.part != 0) {
    for (const Procedure* procedure : checked.procedures) SetPersonality(unit, procedure);
    if (unit.coverage != nullptr) unit.coverage->Finish();
    unit.dereferences.Finish(*unit.module);
    unit.debug.Finish();
    return std::move(unit.module);
  }
  if (options.optimize) {
    for (const Procedure* procedure : layout.imported_bodies().Of(checked)) {
      // A unit counts its own statements, not those of its procedures' copies in other units.
      if (unit.coverage != nullptr && !procedure->unit->is_standard) continue;
      FunctionLowering::LowerImportedProcedure(unit, procedure);
    }
  }
  EmitUnitInfo(unit, FunctionLowering::LowerBody(unit));
  if (unit.debug.variables()) RetainObjectTypes(unit);
  if (unit.coverage != nullptr) unit.coverage->Finish();
  unit.dereferences.Finish(*unit.module);
  unit.debug.Finish();
  return std::move(unit.module);
}

std::unique_ptr<llvm::Module> LowerProgram(const Program& program, const ProgramLayout& layout,
                                           const LowerOptions& options, llvm::LLVMContext& context,
                                           llvm::TargetMachine& machine) {
  UnitLowering unit(program, layout, nullptr, options, context, machine);
  EmitProgramInfo(unit, EmitTypeDescriptors(unit));
  return std::move(unit.module);
}

}  // namespace tenure::compiler
