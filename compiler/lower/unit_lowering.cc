#include "compiler/lower/unit_lowering.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Verifier.h>

#include <functional>
#include <optional>

#include "compiler/emit/llvm_versions.h"

namespace tenure::compiler {

bool IsScalar(const Type* type) {
  type = Bare(type);
  switch (type->kind) {
    case TypeKind::kArray:
    case TypeKind::kOpenArray:
    case TypeKind::kRecord: return false;
    case TypeKind::kSet: return LayoutOf(type).bytes <= 8;
    default: return true;
  }
}

Passing PassingOf(const Type* type, ParameterMode mode) {
  if (Bare(type)->kind == TypeKind::kOpenArray) return Passing::kOpenArray;
  if (mode == ParameterMode::kValue && IsScalar(type)) return Passing::kValue;
  return Passing::kAddress;
}

UnitLowering::UnitLowering(const Program& program_in, const ProgramLayout& layout_in,
                           const CheckedUnit* unit_in, const LowerOptions& options_in,
                           llvm::LLVMContext& context_in, llvm::TargetMachine& machine)
    : program(program_in),
      layout(layout_in),
      unit(unit_in),
      options(options_in),
      context(context_in),
      module(std::make_unique<llvm::Module>(unit_in == nullptr ? program_in.name : unit_in->name,
                                            context_in)),
      i1(llvm::Type::getInt1Ty(context)),
      i8(llvm::Type::getInt8Ty(context)),
      i32(llvm::Type::getInt32Ty(context)),
      i64(llvm::Type::getInt64Ty(context)),
      ptr(llvm::PointerType::get(context, 0)),
      void_type(llvm::Type::getVoidTy(context)),
      runtime(*module),
      debug(*module, unit_in == nullptr ? nullptr : unit_in->file, options_in.debug,
            options_in.optimize) {
  SetTriple(*module, machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  if (unit != nullptr) {
    module->setSourceFileName(std::string(unit->file->path()));
    captures = std::make_unique<Captures>(*unit);
    if (options.coverage && !unit->is_standard) {
      coverage = std::make_unique<CoverageCounters>(*module);
    }
  }
}

// --- types ---

llvm::Type* UnitLowering::MemoryType(const Type* type) {
  type = Bare(type);
  switch (type->kind) {
    case TypeKind::kReal: return llvm::Type::getFloatTy(context);
    case TypeKind::kLongreal:
    case TypeKind::kExtended: return llvm::Type::getDoubleTy(context);
    case TypeKind::kInteger:
    case TypeKind::kLongint:
    case TypeKind::kEnumeration:
    case TypeKind::kSubrange:
      return llvm::IntegerType::get(context, static_cast<unsigned>(LayoutOf(type).bytes * 8));
    case TypeKind::kSet:
      if (IsScalar(type))
        return llvm::IntegerType::get(context, static_cast<unsigned>(LayoutOf(type).bytes * 8));
      return BytesType(LayoutOf(type).bytes);
    case TypeKind::kArray:
    case TypeKind::kOpenArray:
    case TypeKind::kRecord: return BytesType(LayoutOf(type).bytes);
    default: return ptr;
  }
}

llvm::Type* UnitLowering::ValueType(const Type* type) {
  llvm::Type* memory = MemoryType(type);
  if (memory->isIntegerTy()) return i64;
  return memory->isArrayTy() ? static_cast<llvm::Type*>(ptr) : memory;
}

llvm::Type* UnitLowering::ExternalType(const Type* type) {
  llvm::Type* memory = MemoryType(type);
  return memory->isArrayTy() ? static_cast<llvm::Type*>(ptr) : memory;
}

void UnitLowering::AddFormalTypes(const Type* type, ParameterMode mode, bool external,
                                  std::vector<llvm::Type*>& types) {
  switch (PassingOf(type, mode)) {
    case Passing::kValue: types.push_back(external ? ExternalType(type) : ValueType(type)); break;
    case Passing::kAddress: types.push_back(ptr); break;
    case Passing::kOpenArray:
      types.push_back(ptr);
      types.insert(types.end(), OpenDimensions(Bare(type)), i64);
      break;
  }
}

llvm::FunctionType* UnitLowering::FunctionTypeOf(const Signature& signature, bool with_self,
                                                 bool with_link) {
  std::vector<llvm::Type*> types;
  llvm::Type* result = void_type;
  if (signature.result != nullptr) {
    if (IsScalar(signature.result)) {
      result = ValueType(signature.result);
    } else {
      types.push_back(ptr);
    }
  }
  if (with_self) types.push_back(ptr);
  for (const Formal& formal : signature.formals)
    AddFormalTypes(formal.type, formal.mode, false, types);
  if (with_link) types.push_back(ptr);
  return llvm::FunctionType::get(result, types, false);
}

// --- symbols ---

namespace {

// The address of a global variable of the program. The program is linked as a whole, below 2 GB, so
// an instruction can contain the address and need not load it.
void PutIntoInstructions(llvm::GlobalVariable& global) { global.setDSOLocal(true); }

}  // namespace

void UnitLowering::SetAttributes(llvm::Function& function) {
  function.setUWTableKind(llvm::UWTableKind::Async);
  function.addFnAttr(llvm::Attribute::NullPointerIsValid);
  // A frame longer than a page touches each page, so that a full stack traps in the guard page.
  function.addFnAttr("probe-stack", "inline-asm");
  function.addFnAttr("stack-probe-size", "4096");
}

void UnitLowering::SetRanges(llvm::Function& function, const Signature& signature) {
  const auto range_of = [&](const Type* type) -> std::optional<llvm::Attribute> {
    type = Bare(type);
    if (!IsOrdinal(type) || FirstOf(type) > LastOf(type)) return std::nullopt;
    if (FirstOf(type) == INT64_MIN && LastOf(type) == INT64_MAX) return std::nullopt;
    const auto bound = [](int64_t value) { return llvm::APInt(64, static_cast<uint64_t>(value)); };
    // The upper bound is excluded; behind the last INTEGER comes the first.
    const llvm::ConstantRange range(bound(FirstOf(type)), bound(LastOf(type)) + 1);
    return llvm::Attribute::get(context, llvm::Attribute::Range, range);
  };
  const Type* result = signature.result;
  if (result != nullptr && IsScalar(result)) {
    if (const auto range = range_of(result)) function.addRetAttr(*range);
  }
  unsigned parameter = result != nullptr && !IsScalar(result) ? 1 : 0;
  for (const Formal& formal : signature.formals) {
    switch (PassingOf(formal.type, formal.mode)) {
      case Passing::kValue:
        if (const auto range = range_of(formal.type)) function.addParamAttr(parameter, *range);
        ++parameter;
        break;
      case Passing::kAddress: ++parameter; break;
      case Passing::kOpenArray: {
        ++parameter;
        const Type* const array = Bare(formal.type);
        const llvm::ConstantRange range(llvm::APInt(64, 0), llvm::APInt(64, LengthLimit(array)));
        for (uint32_t i = 0; i < OpenDimensions(array); ++i) {
          function.addParamAttr(parameter++,
                                llvm::Attribute::get(context, llvm::Attribute::Range, range));
        }
        break;
      }
    }
  }
}

bool UnitLowering::IsInPart(const Procedure* procedure) const {
  return options.parts == 1 ||
         std::hash<std::string>()(procedure->symbol) % options.parts == options.part;
}

llvm::Function* UnitLowering::FunctionOf(const Procedure* procedure) {
  llvm::Function*& function = functions_[procedure];
  if (function != nullptr) return function;
  const bool here = procedure->unit == unit && procedure->has_body && IsInPart(procedure);
  // LLVM must not conclude that a function that may trap cannot raise. It does not analyse a
  // definition that the linker may replace by another one (platform.md 6, rule 3). Names are
  // unique, so the linker never replaces one.
  const auto linkage = !here ? llvm::Function::ExternalLinkage
                       : procedure->exported || options.parts > 1
                           ? llvm::Function::WeakODRLinkage
                           : llvm::Function::LinkOnceODRLinkage;
  function = llvm::Function::Create(
      FunctionTypeOf(procedure->type->signature, false, NeedsLink(procedure)), linkage,
      procedure->symbol, *module);
  if (here && !procedure->exported) function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  if (NeedsLink(procedure)) function->addParamAttr(function->arg_size() - 1, llvm::Attribute::Nest);
  if (checks() && !procedure->type->c_convention) SetRanges(*function, procedure->type->signature);
  if (procedure->may_violate_raises && !procedure->type->signature.raises_any) {
    function->addFnAttr(llvm::Attribute::NoInline);
  } else if (procedure->is_inline) {
    function->addFnAttr(llvm::Attribute::InlineHint);
  }
  SetAttributes(*function);
  return function;
}

UnitLowering::ExternalShape UnitLowering::ExternalShapeOf(const Signature& signature) {
  ExternalShape shape;
  CRegisters registers;
  if (signature.result != nullptr && !IsScalar(signature.result)) {
    shape.result = ClassifyForC(context, Bare(signature.result));
    if (shape.result.in_memory()) registers.Take(ptr);
  }
  for (const Formal& formal : signature.formals) {
    shape.formals.emplace_back();
    if (formal.mode == ParameterMode::kValue && Bare(formal.type)->kind == TypeKind::kRecord) {
      shape.formals.back() = ClassifyForC(context, Bare(formal.type));
      registers.Take(*shape.formals.back());
      continue;
    }
    std::vector<llvm::Type*> types;
    AddFormalTypes(formal.type, formal.mode, true, types);
    for (const llvm::Type* type : types) registers.Take(type);
  }
  return shape;
}

const UnitLowering::External& UnitLowering::ExternalOf(const Procedure* procedure) {
  External& external = externals_[procedure];
  if (external.function != nullptr) return external;
  const Signature& signature = procedure->type->signature;
  const ExternalShape shape = ExternalShapeOf(signature);
  std::vector<llvm::Type*> types;
  std::vector<std::pair<unsigned, llvm::Attribute>> attributes;
  auto number = [&] { return static_cast<unsigned>(types.size()); };
  // C code extends small integers.
  auto is_small = [](const llvm::Type* type, const Type* t) {
    return type->isIntegerTy() && type->getIntegerBitWidth() < 32 && IsOrdinal(Bare(t));
  };
  auto extension = [&](const Type* t) {
    return llvm::Attribute::get(
        context, FirstOf(Bare(t)) < 0 ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
  };
  llvm::Type* result = void_type;
  if (signature.result != nullptr) {
    if (IsScalar(signature.result)) {
      result = ExternalType(signature.result);
    } else if (shape.result.in_memory()) {
      attributes.emplace_back(
          number(), llvm::Attribute::getWithStructRetType(context, MemoryType(signature.result)));
      types.push_back(ptr);
    } else if (shape.result.pieces.size() == 1) {
      result = shape.result.pieces[0];
    } else {
      result = llvm::StructType::get(context, shape.result.pieces);
    }
  }
  for (size_t i = 0; i < signature.formals.size(); ++i) {
    const Formal& formal = signature.formals[i];
    if (!shape.formals[i].has_value()) {
      const unsigned first = number();
      AddFormalTypes(formal.type, formal.mode, true, types);
      if (is_small(types[first], formal.type))
        attributes.emplace_back(first, extension(formal.type));
    } else if (shape.formals[i]->in_memory()) {
      attributes.emplace_back(number(),
                              llvm::Attribute::getWithByValType(context, MemoryType(formal.type)));
      attributes.emplace_back(number(), llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
      types.push_back(ptr);
    } else {
      types.insert(types.end(), shape.formals[i]->pieces.begin(), shape.formals[i]->pieces.end());
    }
  }
  external.type = llvm::FunctionType::get(result, types, false);
  // Interfaces may declare one function in several ways.
  llvm::Function* existing = module->getFunction(procedure->symbol);
  llvm::Function* function = llvm::Function::Create(external.type, llvm::Function::ExternalLinkage,
                                                    procedure->symbol, *module);
  for (const auto& [parameter, attribute] : attributes)
    function->addParamAttr(parameter, attribute);
  if (signature.result != nullptr && IsScalar(signature.result) &&
      is_small(result, signature.result))
    function->addRetAttr(extension(signature.result));
  // The library's own checks are then as good as those of the language: nothing comes behind them.
  if (procedure->symbol == "tn_raise_subscript") {
    function->setDoesNotReturn();
    function->addFnAttr(llvm::Attribute::Cold);
  }
  external.attributes = function->getAttributes();
  if (existing != nullptr) {
    function->eraseFromParent();
    function = existing;
  }
  external.function = function;
  return external;
}

namespace {

// C functions that LLVM knows and would compute for constants without regard to the rounding mode.
bool DependsOnRounding(std::string_view symbol) {
  for (const char* name : {"rint", "nearbyint", "lrint", "llrint"}) {
    if (!symbol.starts_with(name)) continue;
    const std::string_view rest = symbol.substr(std::string_view(name).size());
    if (rest.empty() || rest == "f" || rest == "l") return true;
  }
  return false;
}

}  // namespace

llvm::Value* UnitLowering::CallExternal(llvm::IRBuilder<>& builder, const Procedure* procedure,
                                        const std::vector<llvm::Value*>& arguments) {
  const External& callee = ExternalOf(procedure);
  const Signature& signature = procedure->type->signature;
  const ExternalShape shape = ExternalShapeOf(signature);
  const bool aggregate = signature.result != nullptr && !IsScalar(signature.result);
  auto piece_at = [&](llvm::Value* address, size_t piece) {
    return builder.CreateConstInBoundsGEP1_64(i8, address, 8 * piece);
  };
  std::vector<llvm::Value*> values;
  size_t next = aggregate ? 1 : 0;
  if (aggregate && shape.result.in_memory()) values.push_back(arguments[0]);
  for (size_t i = 0; i < signature.formals.size(); ++i) {
    const Formal& formal = signature.formals[i];
    if (shape.formals[i].has_value() && !shape.formals[i]->in_memory()) {
      const std::vector<llvm::Type*>& pieces = shape.formals[i]->pieces;
      for (size_t piece = 0; piece < pieces.size(); ++piece) {
        values.push_back(builder.CreateAlignedLoad(pieces[piece], piece_at(arguments[next], piece),
                                                   llvm::Align(1)));
      }
      ++next;
      continue;
    }
    const size_t words = PassingOf(formal.type, formal.mode) == Passing::kOpenArray
                             ? 1 + OpenDimensions(Bare(formal.type))
                             : 1;
    for (size_t word = 0; word < words; ++word) {
      llvm::Value* value = arguments[next++];
      llvm::Type* wanted = callee.type->getParamType(static_cast<unsigned>(values.size()));
      values.push_back(value->getType() == wanted ? value : builder.CreateTrunc(value, wanted));
    }
  }
  llvm::CallInst* call = builder.CreateCall(callee.type, callee.function, values);
  call->setAttributes(callee.attributes);
  if (DependsOnRounding(procedure->symbol)) call->addFnAttr(llvm::Attribute::NoBuiltin);
  if (signature.result == nullptr) return call;
  if (aggregate) {
    const size_t pieces = shape.result.pieces.size();
    for (size_t piece = 0; piece < pieces; ++piece) {
      llvm::Value* value =
          pieces == 1 ? call : builder.CreateExtractValue(call, static_cast<unsigned>(piece));
      builder.CreateAlignedStore(value, piece_at(arguments[0], piece), llvm::Align(1));
    }
    return arguments[0];
  }
  llvm::Type* wanted = ValueType(signature.result);
  if (call->getType() == wanted) return call;
  const Type* bare = Bare(signature.result);
  const bool is_signed = IsOrdinal(bare) && FirstOf(bare) < 0;
  return is_signed ? builder.CreateSExt(call, wanted) : builder.CreateZExt(call, wanted);
}

llvm::Constant* UnitLowering::CodeOf(const Procedure* procedure) {
  if (!procedure->external) return FunctionOf(procedure);
  llvm::Function*& thunk = thunks_[procedure];
  if (thunk != nullptr) return thunk;
  thunk = llvm::Function::Create(FunctionTypeOf(procedure->type->signature, false, false),
                                 llvm::Function::LinkOnceODRLinkage, "tn_call." + procedure->symbol,
                                 *module);
  thunk->setVisibility(llvm::GlobalValue::HiddenVisibility);
  SetAttributes(*thunk);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", thunk));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : thunk->args()) {
    arguments.push_back(&argument);
    // As FunctionLowering::ProtectForC.
    if (options.barriers == abi::StoreBarriers::kSoftware && argument.getType()->isPointerTy()) {
      builder.CreateCall(runtime.Get(Entry::tn_protect_for_c), {&argument});
    }
  }
  llvm::Value* result = CallExternal(builder, procedure, arguments);
  if (thunk->getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(result);
  }
  return thunk;
}

llvm::GlobalVariable* UnitLowering::GlobalOf(const Variable* variable) {
  llvm::GlobalVariable*& global = globals_[variable];
  if (global != nullptr) return global;
  const bool here = variable->unit == unit && !variable->external && IsFirstPart();
  llvm::Constant* initial = nullptr;
  if (here) {
    initial = variable->initial != nullptr ? Image(*variable->initial, variable->type)
                                           : DefaultImage(variable->type);
  }
  llvm::Type* type = here ? initial->getType() : BytesType(LayoutOf(variable->type).bytes);
  const bool of_module = !variable->unit->is_interface && !variable->external;
  const bool is_private =
      here && of_module && !layout.imported_bodies().IsShared(variable) && options.parts == 1;
  // Several interfaces may declare one variable of C.
  if (variable->external) global = module->getNamedGlobal(variable->symbol);
  if (global != nullptr) return global;
  global = new llvm::GlobalVariable(
      *module, type, false,
      is_private ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::ExternalLinkage, initial,
      variable->symbol);
  global->setAlignment(
      llvm::Align(static_cast<uint64_t>(std::max<int64_t>(LayoutOf(variable->type).alignment, 1))));
  if (of_module && !is_private) global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  if (!variable->external) PutIntoInstructions(*global);
  if (here) debug.DeclareGlobal(*global, *variable);
  return global;
}

llvm::GlobalVariable* UnitLowering::StaticAliasOf(const Variable* variable, size_t words) {
  llvm::GlobalVariable*& global = globals_[variable];
  if (global == nullptr) {
    auto* type = llvm::ArrayType::get(i64, words);
    std::string symbol = unit->link_name + ".alias." + variable->name;
    auto linkage = llvm::GlobalValue::InternalLinkage;
    if (options.parts > 1) {
      symbol += "." + std::to_string(variable->span.begin);
      linkage = llvm::GlobalValue::ExternalLinkage;
    }
    global = new llvm::GlobalVariable(*module, type, false, linkage,
                                      IsFirstPart() ? llvm::Constant::getNullValue(type) : nullptr,
                                      symbol);
    if (options.parts > 1) global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  return global;
}

llvm::Constant* UnitLowering::ExceptionOf(const Exception* exception) {
  llvm::GlobalVariable* global = module->getNamedGlobal(exception->symbol);
  if (global == nullptr) {
    global =
        new llvm::GlobalVariable(*module, BytesType(sizeof(abi::ExceptionDescriptor)), true,
                                 llvm::GlobalValue::ExternalLinkage, nullptr, exception->symbol);
    global->setAlignment(llvm::Align(8));
    PutIntoInstructions(*global);
  }
  return global;
}

llvm::Constant* UnitLowering::TypeDescriptorOf(const Type* type) {
  const std::string symbol = layout.SymbolOf(type);
  llvm::GlobalVariable* global = module->getNamedGlobal(symbol);
  if (global == nullptr) {
    global = new llvm::GlobalVariable(*module, BytesType(sizeof(abi::TypeDescriptor)), true,
                                      llvm::GlobalValue::ExternalLinkage, nullptr, symbol);
    global->setAlignment(llvm::Align(abi::kDescriptorAlignment));
    PutIntoInstructions(*global);
  }
  return global;
}

llvm::Function* UnitLowering::Helper(const std::string& name, llvm::FunctionType* type) {
  if (llvm::Function* function = module->getFunction(name)) return function;
  auto* function = llvm::Function::Create(type, llvm::Function::LinkOnceODRLinkage, name, *module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  SetAttributes(*function);
  return function;
}

llvm::Function* UnitLowering::ProcedureEqual() {
  llvm::Function* function =
      Helper("tn_procedure_equal", llvm::FunctionType::get(i1, {ptr, ptr}, false));
  if (!function->empty()) return function;
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, function); };
  llvm::IRBuilder<> b(block("entry"));
  llvm::Value* left = function->getArg(0);
  llvm::Value* right = function->getArg(1);
  auto* equal = block("equal");
  auto* test = block("test");
  auto* nil = block("nil");
  auto* words = block("words");
  auto* closures = block("closures");
  auto* differ = block("differ");
  b.CreateCondBr(b.CreateICmpEQ(left, right), equal, test);
  b.SetInsertPoint(test);
  b.CreateCondBr(b.CreateOr(b.CreateIsNull(left), b.CreateIsNull(right)), differ, nil);
  b.SetInsertPoint(nil);
  b.CreateBr(words);
  b.SetInsertPoint(words);
  auto word = [&](llvm::Value* p, int64_t offset) {
    return b.CreateAlignedLoad(i64, b.CreateConstGEP1_64(i8, p, static_cast<uint64_t>(offset)),
                               llvm::Align(1));
  };
  llvm::Value* both =
      b.CreateAnd(b.CreateICmpEQ(word(left, 0), Int(-1)), b.CreateICmpEQ(word(right, 0), Int(-1)));
  b.CreateCondBr(both, closures, differ);
  b.SetInsertPoint(closures);
  b.CreateRet(b.CreateAnd(b.CreateICmpEQ(word(left, 8), word(right, 8)),
                          b.CreateICmpEQ(word(left, 16), word(right, 16))));
  b.SetInsertPoint(equal);
  b.CreateRet(b.getTrue());
  b.SetInsertPoint(differ);
  b.CreateRet(b.getFalse());
  return function;
}

// --- alias analysis ---

llvm::MDNode* UnitLowering::AccessTag(AccessClass access_class, llvm::Type* type) {
  if (!options.optimize) return nullptr;
  std::string name;
  switch (access_class) {
    case AccessClass::kHeader: name = "header"; break;
    case AccessClass::kLength: name = "length"; break;
    case AccessClass::kCard: name = "card"; break;
    case AccessClass::kMutator: name = "mutator"; break;
    case AccessClass::kImmutable: name = "descriptor"; break;
    case AccessClass::kAnyData: name = "data"; break;
    case AccessClass::kData:
      // LOOPHOLE and ADR let one location be seen with several types.
      if (unit == nullptr || unit->is_unsafe || in_unsafe_body || type == nullptr) return nullptr;
      if (type->isPointerTy()) {
        name = "pointer";
      } else if (type->isIntegerTy()) {
        name = "i" + std::to_string(type->getIntegerBitWidth());
      } else if (type->isFloatTy()) {
        name = "float";
      } else if (type->isDoubleTy()) {
        name = "double";
      } else {
        return nullptr;
      }
      break;
  }
  if (llvm::MDNode* const known = access_tags_[name]) return known;
  llvm::MDBuilder builder(context);
  if (access_root_ == nullptr) access_root_ = builder.createTBAARoot("Tenure");
  llvm::MDNode* parent = access_root_;
  if (access_class == AccessClass::kData) {
    // The first operand of a tag is the accessed type.
    parent = llvm::cast<llvm::MDNode>(AccessTag(AccessClass::kAnyData, nullptr)->getOperand(0));
  }
  llvm::MDNode* node = builder.createTBAAScalarTypeNode(name, parent);
  llvm::MDNode* tag = builder.createTBAAStructTagNode(node, node, 0);
  access_tags_[name] = tag;
  return tag;
}

}  // namespace tenure::compiler
