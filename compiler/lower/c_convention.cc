#include "compiler/lower/c_convention.h"

#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

constexpr int64_t kMaxInRegisters = 16;  // bytes

// Marks the 8-byte pieces of an aggregate at `offset` that hold something besides REAL and
// LONGREAL.
void MarkIntegers(const Type* type, int64_t offset, bool* integer) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  if (const auto* record = As<RecordType>(type)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      MarkIntegers(record->fields[i].type, offset + PlaceOfField(record, i).bit_offset / 8,
                   integer);
  } else if (const auto* array = As<ArrayType>(type)) {
    if (array->element->kind == TypeKind::kPacked) {
      const int64_t last = offset + std::max<int64_t>(LayoutOf(array).bytes, 1) - 1;
      for (int64_t piece = offset / 8; piece <= last / 8; ++piece) integer[piece] = true;
      return;
    }
    const int64_t stride = ElementStride(array);
    // Elements without bytes: their number has no bound, so do not loop over them.
    for (int64_t at = 0; stride > 0 && at < LayoutOf(array).bytes; at += stride)
      MarkIntegers(array->element, offset + at, integer);
  } else if (!IsFloat(type) && offset < kMaxInRegisters) {
    integer[offset / 8] = true;
  }
}

}  // namespace

void CRegisters::Take(const llvm::Type* scalar) {
  --(scalar->isFloatingPointTy() || scalar->isVectorTy() ? floating : integer);
}

void CRegisters::Take(CAggregate& aggregate) {
  CRegisters left = *this;
  for (const llvm::Type* piece : aggregate.pieces) left.Take(piece);
  if (left.integer < std::min(integer, 0) || left.floating < std::min(floating, 0)) {
    aggregate.pieces.clear();
  } else {
    *this = left;
  }
}

CAggregate ClassifyForC(llvm::LLVMContext& context, const Type* type) {
  CAggregate result;
  const int64_t bytes = LayoutOf(type).bytes;
  if (bytes == 0 || bytes > kMaxInRegisters) return result;
  bool integer[kMaxInRegisters / 8] = {};
  MarkIntegers(type, 0, integer);
  for (int64_t at = 0; at < bytes; at += 8) {
    const int64_t left = std::min<int64_t>(bytes - at, 8);
    llvm::Type* real = llvm::Type::getFloatTy(context);
    if (integer[at / 8]) {
      result.pieces.push_back(llvm::IntegerType::get(context, static_cast<unsigned>(left * 8)));
    } else if (left == 4) {
      result.pieces.push_back(real);
    } else {
      // Two REALs share one register, like the two halves of a LONGREAL.
      result.pieces.push_back(llvm::Type::getDoubleTy(context));
    }
  }
  return result;
}

}  // namespace tenure::compiler
