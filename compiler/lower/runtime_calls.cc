#include "compiler/lower/runtime_calls.h"

#include <llvm/IR/DerivedTypes.h>

#include <type_traits>

#include "abi/biased_lock.h"
#include "abi/mutator_state.h"

namespace tenure::compiler {

namespace {

template <typename T>
llvm::Type* TypeOf(llvm::LLVMContext& context) {
  if constexpr (std::is_void_v<T>) {
    return llvm::Type::getVoidTy(context);
  } else if constexpr (std::is_pointer_v<T>) {
    return llvm::PointerType::get(context, 0);
  } else {
    static_assert(std::is_integral_v<T>);
    return llvm::Type::getIntNTy(context, sizeof(T) * 8);
  }
}

template <typename Prototype>
struct Signature;
template <typename Result, typename... Parameters>
struct Signature<Result(Parameters...)> {
  static llvm::FunctionType* Type(llvm::LLVMContext& context) {
    return llvm::FunctionType::get(TypeOf<Result>(context), {TypeOf<Parameters>(context)...},
                                   false);
  }
};

struct Declaration {
  const char* name;
  llvm::FunctionType* (*type)(llvm::LLVMContext&);
  uint32_t effects;
};

using namespace abi;

constexpr Declaration kDeclarations[] = {
#define TN_ENTRY(result, name, parameters, effects) \
  {#name, &Signature<std::remove_pointer_t<decltype(&abi::name)>>::Type, effects},
#include "abi/entry_points.def"
#undef TN_ENTRY
};

}  // namespace

llvm::Function* RuntimeCalls::Get(Entry entry) {
  llvm::Function*& function = functions_[static_cast<size_t>(entry)];
  if (function != nullptr) return function;
  const Declaration& declaration = kDeclarations[static_cast<size_t>(entry)];
  function = llvm::Function::Create(declaration.type(module_.getContext()),
                                    llvm::Function::ExternalLinkage, declaration.name, module_);
  if ((declaration.effects & kNoReturn) != 0) {
    function->addFnAttr(llvm::Attribute::NoReturn);
    function->addFnAttr(llvm::Attribute::Cold);
  }
  if ((declaration.effects & kMayRaise) == 0) function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

llvm::Function* RuntimeCalls::Personality() {
  if (personality_ == nullptr) {
    personality_ = llvm::Function::Create(
        Signature<std::remove_pointer_t<decltype(&abi::tn_personality)>>::Type(
            module_.getContext()),
        llvm::Function::ExternalLinkage, "tn_personality", module_);
  }
  return personality_;
}

llvm::GlobalVariable* RuntimeCalls::Mutator() {
  if (mutator_ == nullptr) {
    mutator_ = ThreadLocal("tn_mutator", sizeof(abi::MutatorState), alignof(abi::MutatorState));
  }
  return mutator_;
}

llvm::GlobalVariable* RuntimeCalls::BiasedLock() {
  if (biased_lock_ == nullptr) {
    biased_lock_ = ThreadLocal("tn_biased", sizeof(abi::BiasedLock), alignof(abi::BiasedLock));
  }
  return biased_lock_;
}

llvm::GlobalVariable* RuntimeCalls::ThreadLocal(const char* name, size_t bytes, size_t alignment) {
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), bytes);
  auto* variable =
      new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                               name, nullptr, llvm::GlobalValue::LocalExecTLSModel);
  variable->setAlignment(llvm::Align(alignment));
  return variable;
}

}  // namespace tenure::compiler
