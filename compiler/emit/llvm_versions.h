// What the supported versions of LLVM, 19 to 22, write differently. Code that needs it calls these
// functions; no other file asks for the version. tools/system_packages.py has the list of the
// versions.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ModRef.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace tenure::compiler {

static_assert(LLVM_VERSION_MAJOR >= 19, "this version of LLVM is too old");

// Computes values of `evolution` before or in a loop of a function. `name` begins the names of what
// it adds.
inline llvm::SCEVExpander MakeExpander(llvm::ScalarEvolution& evolution,
                                       [[maybe_unused]] const llvm::DataLayout& layout,
                                       const char* name) {
#if LLVM_VERSION_MAJOR >= 22
  return llvm::SCEVExpander(evolution, name);
#else
  return llvm::SCEVExpander(evolution, layout, name);
#endif
}

// The instruction before this one, or null. From version 22 on, no instruction is there for
// debugging alone.
inline const llvm::Instruction* PreviousInstruction(const llvm::Instruction& instruction) {
#if LLVM_VERSION_MAJOR >= 22
  return instruction.getPrevNode();
#else
  return instruction.getPrevNonDebugInstruction();
#endif
}

// Sets an option of LLVM's command line, some of which no interface sets. Does nothing if this
// version has none of this name.
inline void SetCommandLineOption(llvm::StringRef name, bool value) {
  auto& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find(name);
  if (found == options.end()) return;
  llvm::cl::Option& option = *found->second;
  option.addOccurrence(0, option.ArgStr, value ? "true" : "false", /*MultiArg=*/true);
}

// The intrinsic function of these types, declared in the module.
inline llvm::Function* DeclareIntrinsic(llvm::Module& module, llvm::Intrinsic::ID id,
                                        llvm::ArrayRef<llvm::Type*> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, types);
#endif
}

// Of a parameter: the callee does not keep the address.
inline llvm::Attribute NoCaptureAttribute(llvm::LLVMContext& context) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none());
#else
  return llvm::Attribute::get(context, llvm::Attribute::NoCapture);
#endif
}

inline void SetTriple(llvm::Module& module, const llvm::Triple& triple) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(triple);
#else
  module.setTargetTriple(triple.str());
#endif
}

// The triple as createTargetMachine takes it; valid as long as `triple`.
#if LLVM_VERSION_MAJOR >= 21
inline const llvm::Triple& TripleOfMachine(const llvm::Triple& triple) { return triple; }
#else
inline llvm::StringRef TripleOfMachine(const llvm::Triple& triple) { return triple.str(); }
#endif

}  // namespace tenure::compiler
