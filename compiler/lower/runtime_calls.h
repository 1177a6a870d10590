// LLVM declarations of the run time's entry points, derived from the C++ prototypes of
// abi/entry_points.h, so that the two sides cannot differ.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <array>

#include "abi/entry_points.h"

namespace tenure::compiler {

enum class Entry : uint8_t {
#define TN_ENTRY(result, name, parameters, effects) name,
#include "abi/entry_points.def"
#undef TN_ENTRY
  kCount,
};

// The declarations in one module, made when first asked for.
class RuntimeCalls {
 public:
  explicit RuntimeCalls(llvm::Module& module) : module_(module) {}

  llvm::Function* Get(Entry entry);
  llvm::Function* Personality();
  // The thread's abi::MutatorState.
  llvm::GlobalVariable* Mutator();
  // The thread's abi::BiasedLock.
  llvm::GlobalVariable* BiasedLock();

 private:
  // A thread-local variable of the run time, of `bytes` bytes.
  llvm::GlobalVariable* ThreadLocal(const char* name, size_t bytes, size_t alignment);

  llvm::Module& module_;
  std::array<llvm::Function*, static_cast<size_t>(Entry::kCount)> functions_{};
  llvm::Function* personality_ = nullptr;
  llvm::GlobalVariable* mutator_ = nullptr;
  llvm::GlobalVariable* biased_lock_ = nullptr;
};

}  // namespace tenure::compiler
