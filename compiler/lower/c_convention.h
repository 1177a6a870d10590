// How records travel between Modula-3 and C by value: the classification of the x86-64 ABI.
#pragma once

#include <llvm/IR/Type.h>

#include <cstdint>
#include <vector>

#include "compiler/types/type.h"

namespace tenure::compiler {

// A record (or, as a result, an array) as C passes it by value.
struct CAggregate {
  // One for each 8 bytes, in this order: each goes into a register of its kind. Empty: passed in
  // memory, that is by a byval parameter; a result by the address of its place.
  std::vector<llvm::Type*> pieces;
  bool in_memory() const { return pieces.empty(); }
};

// The registers that the earlier formals have left free.
struct CRegisters {
  int integer = 6;
  int floating = 8;

  // Takes the registers that a scalar parameter of the type needs.
  void Take(const llvm::Type* scalar);
  // Takes the registers of all the pieces, or none: then the aggregate goes into memory.
  void Take(CAggregate& aggregate);
};

CAggregate ClassifyForC(llvm::LLVMContext& context, const Type* type);

}  // namespace tenure::compiler
