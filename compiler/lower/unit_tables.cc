#include "compiler/lower/unit_tables.h"

#include "abi/program.h"
#include "compiler/lower/type_info.h"
#include "compiler/lower/value_descriptors.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

std::string UnitSymbol(const CheckedUnit& unit) {
  return "tn_unit." + unit.link_name + (unit.is_interface ? ".i3" : ".m3");
}

namespace {

void Define(UnitLowering& u, llvm::Constant* contents, const std::string& symbol) {
  auto* global = new llvm::GlobalVariable(*u.module, contents->getType(), true,
                                          llvm::GlobalValue::ExternalLinkage, contents, symbol);
  global->setAlignment(llvm::Align(8));
}

llvm::ConstantInt* Count(UnitLowering& u, size_t count) {
  return u.Int32(static_cast<uint32_t>(count));
}

}  // namespace

void EmitExceptions(UnitLowering& u) {
  for (const Exception* exception : u.unit->exceptions) {
    uint32_t flags = exception->implicit ? uint32_t{abi::kExceptionImplicit} : 0;
    std::vector<abi::SlotRun> runs;
    int64_t bytes = 0;
    if (exception->argument != nullptr) {
      bytes = LayoutOf(exception->argument).bytes;
      runs = SlotRunsOf(exception->argument);
      if (exception->argument == u.program.types.text) flags |= abi::kExceptionHasText;
    }
    Define(u,
           llvm::ConstantStruct::getAnon(
               u.context,
               {u.CString(exception->name), u.Int32(static_cast<uint32_t>(bytes)), u.Int32(flags),
                EmitSlotRuns(u, runs), Count(u, runs.size()), u.Int32(0),
                exception->argument == nullptr ? u.Null()
                                               : ValueDescriptorOf(u, exception->argument)}),
           exception->symbol);
  }
}

void SetPersonality(UnitLowering& u, const Procedure* procedure) {
  if (procedure->external || !procedure->has_body || !u.IsInPart(procedure) ||
      !procedure->may_violate_raises || procedure->type->signature.raises_any)
    return;
  u.FunctionOf(procedure)->setPersonalityFn(u.runtime.Personality());
}

void EmitUnitInfo(UnitLowering& u, llvm::Function* initialize) {
  const CheckedUnit& unit = *u.unit;
  std::vector<llvm::Constant*> roots;
  auto* root_type = llvm::StructType::get(u.context, {u.ptr, u.ptr, u.i32, u.i32});
  for (const Variable* variable : unit.variables) {
    llvm::GlobalVariable* global = u.GlobalOf(variable);
    if (variable->external || !ContainsTraced(variable->type)) continue;
    const std::vector<abi::SlotRun> runs = SlotRunsOf(variable->type);
    roots.push_back(llvm::ConstantStruct::get(
        root_type, {global, EmitSlotRuns(u, runs), Count(u, runs.size()), u.Int32(0)}));
  }

  std::vector<llvm::Constant*> raises;
  std::vector<llvm::Constant*> procedures;
  auto* raises_type = llvm::StructType::get(u.context, {u.ptr, u.ptr, u.i32, u.i32});
  auto* procedure_type = llvm::StructType::get(u.context, {u.ptr, u.ptr, u.i64, u.i32, u.i32});
  for (const Procedure* procedure : unit.procedures) {
    if (procedure->external || !procedure->has_body) continue;
    const Signature& signature = procedure->type->signature;
    if (procedure->may_violate_raises && !signature.raises_any) {
      SetPersonality(u, procedure);
      std::vector<llvm::Constant*> allowed;
      for (const Exception* exception : signature.raises)
        allowed.push_back(u.ExceptionOf(exception));
      raises.push_back(
          llvm::ConstantStruct::get(raises_type, {u.FunctionOf(procedure), u.Table(u.ptr, allowed),
                                                  Count(u, allowed.size()), u.Int32(0)}));
    }
    if (procedure->parent != nullptr) continue;
    procedures.push_back(llvm::ConstantStruct::get(
        procedure_type, {u.FunctionOf(procedure), u.CString(procedure->full_name),
                         llvm::ConstantInt::get(u.i64, u.layout.FingerprintOf(procedure->type)),
                         u.Int32(u.layout.ShapeOf(procedure->type)), u.Int32(0)}));
  }

  Define(u,
         llvm::ConstantStruct::getAnon(
             u.context,
             {u.CString(unit.name), u.CString(std::string(unit.file->path())),
              initialize == nullptr ? u.Null() : static_cast<llvm::Constant*>(initialize),
              u.Table(root_type, roots), u.Table(raises_type, raises),
              u.Table(procedure_type, procedures), Count(u, roots.size()), Count(u, raises.size()),
              Count(u, procedures.size()), u.Int32(unit.is_interface ? 1 : 0)}),
         UnitSymbol(unit));
}

void EmitProgramInfo(UnitLowering& u, const std::vector<llvm::Constant*>& descriptors) {
  std::vector<llvm::Constant*> units;
  for (const CheckedUnit* unit : u.program.units) {
    units.push_back(new llvm::GlobalVariable(*u.module, u.BytesType(sizeof(abi::UnitInfo)), true,
                                             llvm::GlobalValue::ExternalLinkage, nullptr,
                                             UnitSymbol(*unit)));
  }
  auto text_type = [&](const ObjectType* type) {
    return type == nullptr ? u.Null() : u.TypeDescriptorOf(type);
  };
  Define(u,
         llvm::ConstantStruct::getAnon(
             u.context,
             {u.Int32(abi::kAbiVersion), Count(u, units.size()), u.Table(u.ptr, units),
              u.Table(u.ptr, descriptors), Count(u, descriptors.size()),
              u.Int32(static_cast<uint32_t>(u.options.barriers)), text_type(u.program.text8_type),
              text_type(u.program.text16_type), u.CString(u.program.name)}),
         "tn_program");
}

}  // namespace tenure::compiler
