// Constants that tell the run time how to show values of a type (abi/value_descriptor.h).
#pragma once

#include "compiler/lower/unit_lowering.h"

namespace tenure::compiler {

// The abi::ValueDescriptor of a type; null for open arrays, which are not values of their own.
llvm::Constant* ValueDescriptorOf(UnitLowering& unit, const Type* type);

// The same for the numbers [first, last] of an ordinal type.
llvm::Constant* RangeDescriptorOf(UnitLowering& unit, const Type* type, int64_t first,
                                  int64_t last);

}  // namespace tenure::compiler
