// Values in memory: loads, stores, fields of bits, and the first values of variables and objects.

#include <llvm/IR/InlineAsm.h>
#include <llvm/Support/ModRef.h>

#include <algorithm>

#include "compiler/emit/keep_traps.h"
#include "compiler/emit/llvm_versions.h"
#include "compiler/lower/function_lowering.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

// An image of defaults up to this long is copied; longer ones are made by loops and field by field.
constexpr int64_t kImageBytesMax = 256;
// An object type with more new fields than this is also initialized by copying an image, unless
// most of it is large fields: LLVM is slow on many thousand stores in a row.
constexpr int64_t kFieldStoresMax = 64;
constexpr int64_t kImageBytesPerFieldMax = 64;
// LLVM may keep a cleared array of up to this size in registers.
constexpr int64_t kClearedArrayBytesMax = 64;

}  // namespace

// --- loads and stores ---

llvm::Value* FunctionLowering::Offset(llvm::Value* address, int64_t bytes) {
  if (bytes == 0) return address;
  return b_.CreateInBoundsGEP(u_.i8, address, u_.Int(bytes));
}

llvm::Value* FunctionLowering::LoadWord(llvm::Value* address, llvm::Type* type, bool is_volatile) {
  return b_.CreateAlignedLoad(type, address, llvm::Align(8), is_volatile);
}

void FunctionLowering::StoreWord(llvm::Value* address, llvm::Value* value, bool is_volatile) {
  b_.CreateAlignedStore(value, address, llvm::Align(8), is_volatile);
}

namespace {

llvm::Align AlignmentOf(const Place& place, const Type* type) {
  // An address from ADDRESS arithmetic need not be aligned.
  if (place.region == Region::kUntraced) return llvm::Align(1);
  return llvm::Align(static_cast<uint64_t>(std::max<int64_t>(LayoutOf(type).alignment, 1)));
}

void MarkMayTrap(llvm::LoadInst* load, const Place& place) {
  if (place.region != Region::kHeap && place.region != Region::kUntraced) return;
  compiler::MarkMayTrap(*load);
}

bool IsSigned(const Type* type) { return IsOrdinal(type) && FirstOf(type) < 0; }

bool IsUndecided(const Place& place) {
  return place.bit_offset != nullptr && place.word_bytes == kUndecided;
}

}  // namespace

llvm::Value* FunctionLowering::LoadBits(const Place& place) {
  auto load = [&](int64_t bytes) {
    auto* word = llvm::IntegerType::get(u_.context, static_cast<unsigned>(bytes * 8));
    llvm::LoadInst* unit = b_.CreateAlignedLoad(word, place.address, llvm::Align(1));
    MarkMayTrap(unit, place);
    llvm::Value* value = b_.CreateLShr(unit, b_.CreateZExtOrTrunc(place.bit_offset, word));
    return b_.CreateTrunc(
        value, llvm::IntegerType::get(u_.context, static_cast<unsigned>(place.bit_size)));
  };
  if (!IsUndecided(place)) return load(place.word_bytes);
  llvm::PHINode* either = nullptr;
  ForEachWindow(place, [&](int64_t bytes) {
    llvm::Value* value = load(bytes);
    if (either == nullptr) either = llvm::PHINode::Create(value->getType(), 2);
    either->addIncoming(value, b_.GetInsertBlock());
  });
  b_.Insert(either);
  return either;
}

void FunctionLowering::StoreBits(const Place& place, llvm::Value* value) {
  auto store = [&](int64_t bytes) {
    auto* word = llvm::IntegerType::get(u_.context, static_cast<unsigned>(bytes * 8));
    auto* field = llvm::IntegerType::get(u_.context, static_cast<unsigned>(place.bit_size));
    llvm::Value* shift = b_.CreateZExtOrTrunc(place.bit_offset, word);
    llvm::Value* mask =
        b_.CreateShl(b_.CreateZExt(llvm::Constant::getAllOnesValue(field), word), shift);
    llvm::Value* bits =
        b_.CreateShl(b_.CreateZExt(b_.CreateZExtOrTrunc(value, field), word), shift);
    WithStoreBarrier(place, u_.Int(bytes), /*repeatable=*/true, [&] {
      llvm::Value* old = b_.CreateAlignedLoad(word, place.address, llvm::Align(1));
      b_.CreateAlignedStore(b_.CreateOr(b_.CreateAnd(old, b_.CreateNot(mask)), bits), place.address,
                            llvm::Align(1), place.is_volatile);
    });
  };
  if (!IsUndecided(place)) {
    store(place.word_bytes);
  } else {
    ForEachWindow(place, store);
  }
}

// Only the bytes that contain the bits may be accessed: as few bytes as possible, or one more.
void FunctionLowering::ForEachWindow(const Place& place,
                                     const std::function<void(int64_t)>& access) {
  const int64_t bytes = (place.bit_size + 7) / 8;
  llvm::BasicBlock *fewer = Block("fewer"), *more = Block("more"), *done = Block("accessed");
  llvm::Value* end = b_.CreateAdd(place.bit_offset, u_.Int(place.bit_size));
  b_.CreateCondBr(b_.CreateICmpSLE(end, u_.Int(bytes * 8)), fewer, more);
  b_.SetInsertPoint(fewer);
  access(bytes);
  b_.CreateBr(done);
  b_.SetInsertPoint(more);
  access(bytes + 1);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void FunctionLowering::ForWholeAndBits(const Place& place,
                                       const std::function<void(const Place*)>& access) {
  llvm::BasicBlock *whole = Block("whole"), *bits = Block("bits"), *done = Block("accessed");
  b_.CreateCondBr(b_.CreateICmpSLT(place.bit_offset, u_.Int(0)), whole, bits);
  b_.SetInsertPoint(bits);
  access(nullptr);
  b_.CreateBr(done);
  b_.SetInsertPoint(whole);
  Place all = place;
  all.bit_offset = nullptr;
  access(&all);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

llvm::Value* FunctionLowering::Load(const Place& place, const Type* type) {
  type = Bare(type);
  auto bits_of = [&] {
    llvm::Value* bits = LoadBits(place);
    return IsSigned(type) ? b_.CreateSExt(bits, u_.i64) : b_.CreateZExt(bits, u_.i64);
  };
  if (place.bit_offset != nullptr && place.bit_size == 0) return u_.Int(0);  // a set of no elements
  if (IsUndecided(place)) {
    llvm::PHINode* either = llvm::PHINode::Create(u_.i64, 2);
    ForWholeAndBits(place, [&](const Place* whole) {
      llvm::Value* value = whole != nullptr ? Load(*whole, type) : bits_of();
      either->addIncoming(value, b_.GetInsertBlock());
    });
    b_.Insert(either);
    return either;
  }
  if (place.bit_offset != nullptr) return bits_of();
  llvm::Type* memory = u_.MemoryType(type);
  llvm::LoadInst* load = b_.CreateAlignedLoad(memory, place.address, AlignmentOf(place, type));
  u_.Annotate(load, AccessClass::kData, memory);
  MarkMayTrap(load, place);
  if (in_idle_loop_ && place.region != Region::kStack) load->setVolatile(true);
  llvm::Value* value = load;
  if (memory->isIntegerTy() && memory != u_.i64) {
    value = IsSigned(type) ? b_.CreateSExt(value, u_.i64) : b_.CreateZExt(value, u_.i64);
  }
  KeepAlive(place);
  return value;
}

void FunctionLowering::StoreRaw(const Place& place, const Type* type, llvm::Value* value) {
  type = Bare(type);
  if (place.bit_offset != nullptr && place.bit_size == 0) return;
  if (IsUndecided(place)) {
    ForWholeAndBits(place, [&](const Place* whole) {
      whole != nullptr ? StoreRaw(*whole, type, value) : StoreBits(place, value);
    });
    return;
  }
  if (place.bit_offset != nullptr) {
    StoreBits(place, value);
    return;
  }
  llvm::Type* memory = u_.MemoryType(type);
  if (memory->isIntegerTy()) value = b_.CreateTrunc(value, memory);
  const llvm::Align alignment = AlignmentOf(place, type);
  const auto store = [&] {
    u_.Annotate(b_.CreateAlignedStore(value, place.address, alignment, place.is_volatile),
                AccessClass::kData, memory);
  };
  if (static_cast<int64_t>(alignment.value()) >= LayoutOf(type).bytes) {
    OpenForStore(place);
    llvm::Value* const before = ReadBeforeStore(place, memory, alignment);
    store();
    MarkStore(place, value, before);
  } else {
    WithStoreBarrier(place, u_.Int(LayoutOf(type).bytes), /*repeatable=*/true, store);
  }
  KeepAlive(place);
}

void FunctionLowering::Store(const Place& place, const Type* type, llvm::Value* value) {
  StoreRaw(place, type, value);
  if (IsTracedReference(Bare(type)) || Bare(type)->kind == TypeKind::kNull) Barrier(place, value);
}

llvm::Value* FunctionLowering::BytesOf(const Place& place, const Type* type) {
  type = Bare(type);
  if (place.lengths.empty()) return u_.Int(LayoutOf(type).bytes);
  return OpenArrayBytes(type, place.lengths, /*is_row=*/false);
}

llvm::Value* FunctionLowering::OpenArrayBytes(const Type* type,
                                              const std::vector<llvm::Value*>& lengths,
                                              bool is_row) {
  const int64_t bits = ElementBits(type);
  llvm::Value* bytes = u_.Int(bits / 8);
  size_t outer = lengths.size();
  if (HasPackedElements(type)) {
    llvm::Value* row = b_.CreateMul(lengths[--outer], u_.Int(bits));
    bytes = b_.CreateLShr(b_.CreateAdd(row, u_.Int(7)), u_.Int(3));
    if (is_row || outer > 0) {
      // PackedRowBytes.
      llvm::Value* mask = u_.Int(7);
      for (const int64_t word : {4, 2, 1}) {
        mask = b_.CreateSelect(b_.CreateICmpULE(row, u_.Int(word * 8)), u_.Int(word - 1), mask);
      }
      bytes = b_.CreateAnd(b_.CreateAdd(bytes, mask), b_.CreateNot(mask));
    }
  }
  for (size_t i = 0; i < outer; ++i) bytes = b_.CreateMul(lengths[i], bytes);
  return bytes;
}

void FunctionLowering::Copy(const Place& to, const Place& from, const Type* type,
                            bool may_overlap) {
  if (to.bit_offset != nullptr || from.bit_offset != nullptr) {
    auto bits_of = [&](Place place) {
      if (place.bit_offset != nullptr) return place;
      place.bit_offset = u_.Int(0);
      place.word_bytes = LayoutOf(type).bytes;
      place.bit_size = place.word_bytes * 8;
      return place;
    };
    if (LayoutOf(type).bytes != 0) StoreBits(bits_of(to), LoadBits(bits_of(from)));
    return;
  }
  llvm::Value* bytes = BytesOf(to, type);
  const bool is_volatile = to.is_volatile;
  if ((to.region == Region::kStack || to.region == Region::kGlobal) && !from.indexed &&
      llvm::isa<llvm::ConstantInt>(bytes) && !llvm::cast<llvm::ConstantInt>(bytes)->isZero()) {
    // The optimiser may remove the copy, but a dereference of NIL must still be an error.
    MarkMayTrap(b_.CreateAlignedLoad(u_.i8, from.address, llvm::Align(1)), from);
  }
  BeginCopy(to, bytes, type);
  WithStoreBarrier(to, bytes, /*repeatable=*/!may_overlap, [&] {
    llvm::CallInst* copy;
    if (may_overlap) {
      copy = b_.CreateMemMove(to.address, AlignmentOf(to, type), from.address,
                              AlignmentOf(from, type), bytes, is_volatile);
    } else {
      copy = b_.CreateMemCpy(to.address, AlignmentOf(to, type), from.address,
                             AlignmentOf(from, type), bytes, is_volatile);
    }
    // Gives a fault in the C library's loop the line of the copy.
    copy->setTailCallKind(llvm::CallInst::TCK_NoTail);
  });
  BarrierForBytes(to, bytes, type);
  KeepAlive(from);
  KeepAlive(to);
}

Place FunctionLowering::InBytes(const Place& place, const Type* type) {
  if (place.bit_offset == nullptr) return place;
  Place copy = Temporary(Bare(type));
  if (IsScalar(type)) {
    StoreRaw(copy, Bare(type), Load(place, type));
  } else {
    Copy(copy, place, type, false);
  }
  return copy;
}

// --- defaults ---

void FunctionLowering::InitializeElements(llvm::Value* address, llvm::Value* count,
                                          const Type* element) {
  const int64_t stride = LayoutOf(element).bytes;
  CountedLoop(count, [&](llvm::Value* index) {
    Place place;
    place.address = b_.CreateInBoundsGEP(u_.BytesType(stride), address, index);
    place.region = Region::kFresh;
    Initialize(place, element, true);
  });
}

// To LLVM a variable that was never written is undefined: each read of the same element may give
// another value, so that a check of an index does not bind its use, and a branch may do anything.
// So LLVM is told that an assembler statement, which has no instructions, has written it.
void FunctionLowering::InitializeLocal(const Place& place, const Type* type) {
  type = Bare(type);
  const int64_t bytes = LayoutOf(type).bytes;
  if (bytes <= kClearedArrayBytesMax || !MayHoldAnyBits(type))
    return Initialize(place, type, false);
  auto* const shape = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, /*isVarArg=*/false);
  llvm::CallInst* const written = b_.CreateCall(
      llvm::InlineAsm::get(shape, "", "=*m", /*hasSideEffects=*/false), {place.address});
  written->addParamAttr(
      0, llvm::Attribute::get(b_.getContext(), llvm::Attribute::ElementType, u_.BytesType(bytes)));
  written->addParamAttr(0, NoCaptureAttribute(b_.getContext()));
  written->addParamAttr(0, llvm::Attribute::WriteOnly);
  written->setDoesNotThrow();
  written->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod));
}

void FunctionLowering::Initialize(const Place& place, const Type* type, bool zeroed) {
  type = Bare(type);
  const Layout layout = LayoutOf(type);
  const bool is_default_zero = !NeedsInitialization(type);
  if (place.bit_offset != nullptr && !IsScalar(type)) {
    Place first = Temporary(type);
    Initialize(first, type, false);
    Copy(place, first, type, false);
    return;
  }
  if (IsScalar(type)) {
    if (zeroed && is_default_zero) return;
    llvm::Type* value = u_.ValueType(type);
    StoreRaw(place, type,
             is_default_zero ? llvm::Constant::getNullValue(value) : u_.Int(FirstOf(type)));
    return;
  }
  if (!zeroed) {
    llvm::Value* bytes = BytesOf(place, type);
    b_.CreateMemSet(place.address, llvm::ConstantInt::get(u_.i8, 0), bytes,
                    llvm::Align(static_cast<uint64_t>(layout.alignment)), place.is_volatile);
  }
  if (is_default_zero) return;
  if (const auto* open = As<OpenArrayType>(type); open != nullptr && HasPackedElements(open)) {
    CountedLoop(place.lengths[0], [&](llvm::Value* index) {
      Initialize(EmitElement(place, open, index), open->element, true);
    });
    return;
  }
  if (const auto* open = As<OpenArrayType>(type)) {
    llvm::Value* count = u_.Int(1);
    for (llvm::Value* length : place.lengths) count = b_.CreateMul(count, length);
    InitializeElements(place.address, count, InnermostElement(open));
    return;
  }
  const auto* array = As<ArrayType>(type);
  if (array != nullptr && layout.bytes > kImageBytesMax &&
      array->element->kind != TypeKind::kPacked) {
    InitializeElements(place.address, u_.Int(ElementCountOf(array)), array->element);
    return;
  }
  const llvm::Align alignment(static_cast<uint64_t>(std::max<int64_t>(layout.alignment, 1)));
  b_.CreateMemCpy(place.address, alignment, u_.Static(u_.DefaultImage(type), layout.alignment),
                  alignment, static_cast<uint64_t>(layout.bytes), place.is_volatile);
}

void FunctionLowering::InitializePayload(llvm::Value* address, const ObjectType* object) {
  const Layout layout = PayloadOf(object);
  const auto fields = static_cast<int64_t>(object->fields.size());
  const bool is_dense = fields > kFieldStoresMax && layout.bytes <= fields * kImageBytesPerFieldMax;
  if (layout.bytes <= kImageBytesMax || is_dense) {
    b_.CreateMemCpy(address, llvm::Align(8), u_.Static(u_.DefaultImageOfPayload(object), 8),
                    llvm::Align(8), static_cast<uint64_t>(layout.bytes));
    return;
  }
  for (const ObjectType* at = object; at != nullptr; at = SuperOf(at)) {
    if (at != object && PayloadOf(at).bytes > kImageBytesMax) {
      // In a long chain of types, each initializer handles only the fields that its own type adds.
      llvm::Function* inherited =
          u_.module->getFunction(InitializerSymbol(u_.layout.FingerprintOf(at)));
      if (inherited != nullptr) {
        b_.CreateCall(inherited, {address});
        return;
      }
    }
    for (size_t i = 0; i < at->fields.size(); ++i) {
      const Field& field = at->fields[i];
      const Place place = FieldOfPayload(address, at, i);
      if (field.default_value == nullptr) {
        if (NeedsInitialization(field.type)) Initialize(place, field.type, true);
      } else if (!IsZero(*field.default_value)) {
        if (IsScalar(field.type)) {
          StoreRaw(place, field.type, u_.ScalarConstant(*field.default_value, field.type));
        } else {
          llvm::Constant* image = u_.Image(*field.default_value, field.type);
          const Layout field_layout = LayoutOf(field.type);
          Place value;
          value.address = u_.Static(image, field_layout.alignment);
          value.region = Region::kGlobal;
          if (place.bit_offset != nullptr) {
            Copy(place, value, field.type, false);
            continue;
          }
          b_.CreateMemCpy(place.address, llvm::Align(1), value.address, llvm::Align(1),
                          static_cast<uint64_t>(field_layout.bytes));
        }
      }
    }
  }
}

}  // namespace tenure::compiler
