// The LLVM module of one unit (or of the program's tables) while it is made: types, symbols,
// constants.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/check/checked_unit.h"
#include "compiler/lower/c_convention.h"
#include "compiler/lower/captures.h"
#include "compiler/lower/coverage.h"
#include "compiler/lower/debug_info.h"
#include "compiler/lower/dereferences.h"
#include "compiler/lower/lower_options.h"
#include "compiler/lower/program_layout.h"
#include "compiler/lower/runtime_calls.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

// The type itself, below BITS n FOR and opaque names.
inline const Type* Bare(const Type* type) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  return Concrete(type);
}

// Whether values of the type are LLVM values (see UnitLowering::ValueType). Others, "aggregates",
// are handled by their address: records, arrays, sets of more than 64 elements.
bool IsScalar(const Type* type);

// How a formal is passed (docs/calling_convention.md).
enum class Passing : uint8_t {
  kValue,      // the LLVM value
  kAddress,    // a pointer
  kOpenArray,  // a pointer to the first element, then one length for each open dimension
};
Passing PassingOf(const Type* type, ParameterMode mode);

// The kind of memory that an access touches, for LLVM's alias analysis.
enum class AccessClass : uint8_t {
  kData,       // a variable: its own class follows from its type
  kAnyData,    // variables of any types
  kHeader,     // an object's header
  kLength,     // the lengths of an open array
  kCard,       // the card table, and the table of blocks
  kMutator,    // the thread's abi::MutatorState
  kImmutable,  // a type descriptor
};

class UnitLowering {
 public:
  // `unit` is null for the program's tables.
  UnitLowering(const Program& program, const ProgramLayout& layout, const CheckedUnit* unit,
               const LowerOptions& options, llvm::LLVMContext& context,
               llvm::TargetMachine& machine);

  // --- types ---

  // The type in memory: iN, float, double, ptr; aggregates as bytes.
  llvm::Type* MemoryType(const Type* type);
  // The type in computations: ordinals and small sets i64, float, double, ptr.
  llvm::Type* ValueType(const Type* type);
  llvm::Type* BytesType(int64_t bytes) {
    return llvm::ArrayType::get(i8, static_cast<uint64_t>(bytes));
  }
  // `with_self`: a method, the first parameter is the object. The last parameter is the static link
  // when `with_link` (calls through values, and procedures that have one).
  llvm::FunctionType* FunctionTypeOf(const Signature& signature, bool with_self, bool with_link);

  // --- symbols ---

  // A procedure with the Modula-3 convention, declared when first asked for. Not for EXTERNAL
  // procedures.
  llvm::Function* FunctionOf(const Procedure* procedure);
  // An EXTERNAL procedure with C types.
  // A function of C as an interface declares it.
  struct External {
    llvm::FunctionType* type = nullptr;
    llvm::AttributeList attributes;
    llvm::Function* function = nullptr;  // of the type of its first declaration
  };
  const External& ExternalOf(const Procedure* procedure);
  // Calls an EXTERNAL procedure with arguments, and gives the result, in the Modula-3 convention.
  llvm::Value* CallExternal(llvm::IRBuilder<>& builder, const Procedure* procedure,
                            const std::vector<llvm::Value*>& arguments);
  // The code of a top-level procedure as a value; for an EXTERNAL one, the code of a small
  // procedure that calls it.
  llvm::Constant* CodeOf(const Procedure* procedure);
  llvm::GlobalVariable* GlobalOf(const Variable* variable);
  // Pointer and lengths of a captured alias of the module body (Captures::IsStaticAlias).
  llvm::GlobalVariable* StaticAliasOf(const Variable* variable, size_t words);
  llvm::Constant* ExceptionOf(const Exception* exception);
  llvm::Constant* TypeDescriptorOf(const Type* type);
  // Sets the attributes that all compiled code has in common.
  void SetAttributes(llvm::Function& function);
  // Tells LLVM the ranges of the result, of the parameters and of the lengths of open arrays:
  // callers have checked them.
  void SetRanges(llvm::Function& function, const Signature& signature);
  static bool NeedsLink(const Procedure* procedure) { return procedure->parent != nullptr; }

  // --- constants ---

  llvm::ConstantInt* Int(int64_t value) { return llvm::ConstantInt::getSigned(i64, value); }
  llvm::ConstantInt* Int32(uint32_t value) { return llvm::ConstantInt::get(i32, value); }
  llvm::Constant* Null() { return llvm::ConstantPointerNull::get(ptr); }
  llvm::Constant* CString(const std::string& text);
  llvm::Constant* TextLiteral(const std::u32string& text, bool wide);
  // The reference, set or number itself.
  llvm::Constant* ScalarConstant(const Constant& value, const Type* type);
  // The bytes of the value in memory, and of a fresh variable (zeroes, first values, field
  // defaults).
  llvm::Constant* Image(const Constant& value, const Type* type);
  llvm::Constant* DefaultImage(const Type* type);
  llvm::Constant* DefaultImageOfPayload(const ObjectType* object);
  // A private read-only variable with these contents; equal contents share one.
  llvm::GlobalVariable* Static(llvm::Constant* contents, int64_t alignment);
  // A pointer to `elements` as a private constant array; null when there are none.
  llvm::Constant* Table(llvm::Type* element, const std::vector<llvm::Constant*>& elements);

  // Attaches alias information. `type` is the LLVM type in memory; only for kData does it matter.
  template <typename Instruction>
  Instruction* Annotate(Instruction* access, AccessClass access_class, llvm::Type* type = nullptr) {
    if (llvm::MDNode* tag = AccessTag(access_class, type))
      access->setMetadata(llvm::LLVMContext::MD_tbaa, tag);
    if (access_class == AccessClass::kImmutable) {
      access->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    }
    return access;
  }

  // Marks a load from a traced object whose value does not change while the object lives: calls do
  // not change it. The optimiser sees no store of this value into a new object
  // (FunctionLowering::AllocateInline).
  void NeverChanges(llvm::LoadInst* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  }

  // The limit of the lengths of an open array, which are unsigned numbers below it. An array whose
  // elements take room has fewer elements than the address space has bits. In an array with several
  // dimensions each length may be anything, if another one is 0.
  static uint64_t LengthLimit(const Type* array) {
    constexpr uint64_t kBitsOfAddressSpace = uint64_t{1} << 50;
    return OpenDimensions(array) == 1 && LayoutOf(array).bytes > 0 ? kBitsOfAddressSpace
                                                                   : uint64_t{1} << 63;
  }
  llvm::MDNode* LengthRange(const Type* array) {
    return llvm::MDBuilder(context).createRange(Int(0),
                                                Int(static_cast<int64_t>(LengthLimit(array))));
  }

  // Procedure values equal as closures (language.md 16.4): i1 (ptr, ptr).
  llvm::Function* ProcedureEqual();
  // An i1 function of the module that other units may have too; its body is null when it is new.
  llvm::Function* Helper(const std::string& name, llvm::FunctionType* type);

  bool checks() const { return options.checks; }
  // Whether this module is the part of the unit that has the procedure; whether it is the part that
  // has everything except procedures.
  bool IsInPart(const Procedure* procedure) const;
  bool IsFirstPart() const { return options.part == 0; }

  const Program& program;
  const ProgramLayout& layout;
  const CheckedUnit* unit;
  const LowerOptions& options;
  llvm::LLVMContext& context;
  std::unique_ptr<llvm::Module> module;
  llvm::IntegerType *i1, *i8, *i32, *i64;
  llvm::PointerType* ptr;
  llvm::Type* void_type;
  RuntimeCalls runtime;
  DebugInfo debug;
  bool in_unsafe_body = false;         // the procedure of another unit, an unsafe one, is lowered
  std::unique_ptr<Captures> captures;  // null for the program's tables
  std::unique_ptr<CoverageCounters> coverage;  // null: no counters
  DereferenceTable dereferences;               // those that the hardware checks

 private:
  class ImageBuilder;  // constants.cc
  llvm::MDNode* AccessTag(AccessClass access_class, llvm::Type* type);
  llvm::Type* ExternalType(const Type* type);
  // How C sees the result, if that is an aggregate, and the formals that are records by value.
  struct ExternalShape {
    CAggregate result;
    std::vector<std::optional<CAggregate>> formals;
  };
  ExternalShape ExternalShapeOf(const Signature& signature);
  void AddFormalTypes(const Type* type, ParameterMode mode, bool external,
                      std::vector<llvm::Type*>& types);

  std::unordered_map<const Procedure*, llvm::Function*> functions_;
  std::unordered_map<const Procedure*, External> externals_;
  std::unordered_map<const Procedure*, llvm::Function*> thunks_;
  std::unordered_map<const Variable*, llvm::GlobalVariable*> globals_;
  std::map<std::string, llvm::Constant*> strings_;
  std::map<std::pair<std::u32string, bool>, llvm::Constant*> texts_;
  std::unordered_map<llvm::Constant*, llvm::GlobalVariable*> statics_;
  llvm::MDNode* access_root_ = nullptr;
  std::map<std::string, llvm::MDNode*> access_tags_;
};

}  // namespace tenure::compiler
