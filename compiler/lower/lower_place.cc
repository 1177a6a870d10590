// Designators, and values that are handled by their address.

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "abi/heap_constants.h"
#include "compiler/lower/function_lowering.h"
#include "compiler/lower/value_descriptors.h"

namespace tenure::compiler {

namespace {

// An access this far behind a reference is still caught by the hardware when the reference is NIL.
constexpr int64_t kReachOfNil = abi::kNilGuardBytes - 4096;

// The local variable that holds the reference, if the expression is one.
const Variable* LocalReference(const Expr* expr, const Activation& activation) {
  while (const auto* convert = ExprAs<const ConvertExpr>(expr)) expr = convert->operand;
  const auto* variable = ExprAs<const VariableExpr>(expr);
  if (variable == nullptr || variable->variable->kind == Variable::Kind::kGlobal ||
      variable->variable->alias || variable->variable->owner != activation.procedure ||
      activation.IsCaptured(variable->variable)) {
    return nullptr;
  }
  return variable->variable;
}

int64_t BytesOfBits(int64_t bits) { return (bits + 7) / 8; }

void MakePacked(Place& place, llvm::Value* bit_offset, int64_t bit_size, int64_t word_bytes) {
  place.bit_offset = bit_offset;
  place.bit_size = bit_size;
  place.word_bytes = word_bytes;
}

}  // namespace

Place FunctionLowering::EmitPlace(const Expr* expr) { return EmitDesignator(expr, false); }

Place FunctionLowering::EmitAliasPlace(const Expr* expr) { return EmitDesignator(expr, true); }

Place FunctionLowering::EmitDesignator(const Expr* expr, bool check_nil) {
  switch (expr->kind) {
    case ExprKind::kVariable: return PlaceOf(ExprAs<const VariableExpr>(expr)->variable);
    case ExprKind::kDeref: return EmitDeref(ExprAs<const DerefExpr>(expr), check_nil);
    case ExprKind::kField: {
      const auto* field = ExprAs<const FieldExpr>(expr);
      const FieldPlace where = PlaceOfField(field->record, field->field);
      DereferenceExtent extent = ExtentOf(expr, BytesOfBits(where.bit_size));
      extent.offset += where.bit_offset / 8;
      wanted_ = {field->operand, extent};
      const Place record = field->operand->designator ? EmitDesignator(field->operand, check_nil)
                                                      : EmitLocation(field->operand);
      return EmitField(record, field->record, field->field);
    }
    case ExprKind::kObjectField:
      return EmitObjectField(ExprAs<const ObjectFieldExpr>(expr), check_nil);
    case ExprKind::kSubscript: return EmitSubscript(ExprAs<const SubscriptExpr>(expr), check_nil);
    case ExprKind::kSubarray: return EmitSubarray(ExprAs<const SubarrayExpr>(expr));
    case ExprKind::kConvert: {
      const auto* convert = ExprAs<const ConvertExpr>(expr);
      const Place place = convert->operand->designator ? EmitDesignator(convert->operand, check_nil)
                                                       : EmitLocation(convert->operand);
      return AdaptShape(place, convert->operand->type, convert->type);
    }
    case ExprKind::kBuiltin: {
      const auto* builtin = ExprAs<const BuiltinExpr>(expr);
      if (builtin->builtin != Builtin::kLoophole) break;
      const Expr* operand = builtin->arguments[0];
      Place place =
          operand->designator ? EmitDesignator(operand, check_nil) : EmitLocation(operand);
      place.region = Region::kUnknown;
      place.lengths.clear();
      if (const auto* open = As<OpenArrayType>(Bare(builtin->type))) {
        place.lengths.push_back(u_.Int(BitSizeOf(operand->type) / ElementBits(open)));
      }
      return place;
    }
    default: break;
  }
  return EmitLocation(expr);
}

Place FunctionLowering::EmitLocation(const Expr* expr) {
  if (expr->designator) return EmitDesignator(expr, false);
  const Type* type = Bare(expr->type);
  if (IsScalar(type)) {
    Place place = Temporary(type);
    StoreRaw(place, type, EmitValue(expr));
    return place;
  }
  switch (expr->kind) {
    case ExprKind::kConstant: {
      const Constant* value = ExprAs<const ConstantExpr>(expr)->value;
      Place place;
      place.address = u_.Static(u_.Image(*value, type), LayoutOf(type).alignment);
      place.region = Region::kGlobal;
      for (const Type* t = type; t->kind == TypeKind::kOpenArray;
           t = As<OpenArrayType>(t)->element) {
        place.lengths.push_back(
            u_.Int(value == nullptr ? 0 : static_cast<int64_t>(value->components.size())));
        value = value == nullptr || value->components.empty() ? nullptr : value->components[0];
      }
      return place;
    }
    case ExprKind::kField:
    case ExprKind::kSubscript:
    case ExprKind::kSubarray:
    case ExprKind::kVariable:
    case ExprKind::kDeref:
    case ExprKind::kObjectField:
    case ExprKind::kConvert: return EmitDesignator(expr, false);
    case ExprKind::kBuiltin:
      if (ExprAs<const BuiltinExpr>(expr)->builtin == Builtin::kLoophole)
        return EmitDesignator(expr, false);
      break;
    case ExprKind::kArrayConstructor:
      if (const auto* open = As<OpenArrayType>(type)) {
        // If the elements of an open array constructor are arrays, all have the shape of the first.
        const auto* constructor = ExprAs<const ArrayConstructorExpr>(expr);
        const size_t count = constructor->elements.size();
        const uint32_t inner = OpenDimensions(open->element);
        std::vector<Place> elements;
        Place place;
        place.region = Region::kStack;
        place.lengths.push_back(u_.Int(static_cast<int64_t>(count)));
        if (inner == 0) {
          const Layout layout = LayoutOf(open);
          place.address =
              Alloca(u_.BytesType(layout.bytes * static_cast<int64_t>(std::max<size_t>(count, 1))),
                     layout.alignment);
          EmitConstructor(expr, place);
          return place;
        }
        for (const Expr* element : constructor->elements) {
          elements.push_back(AdaptShape(EmitLocation(element), element->type, open->element));
        }
        for (uint32_t i = 0; i < inner; ++i) {
          place.lengths.push_back(elements.empty() ? u_.Int(0) : elements[0].lengths[i]);
        }
        ++stack_constructors_;
        llvm::AllocaInst* on_stack = b_.CreateAlloca(u_.i8, BytesOf(place, type));
        on_stack->setAlignment(llvm::Align(8));
        place.address = on_stack;
        for (size_t i = 0; i < count; ++i) {
          Place element = EmitElement(place, type, u_.Int(static_cast<int64_t>(i)));
          CheckSameShape(element, open->element, elements[i], open->element);
          Copy(element, elements[i], open->element, false);
        }
        return place;
      }
      break;
    default: break;
  }
  Place place = Temporary(type);
  EmitInto(expr, place);
  return place;
}

void FunctionLowering::EmitInto(const Expr* expr, const Place& to) {
  const Type* type = Bare(expr->type);
  if (IsScalar(type)) {
    StoreRaw(to, type, EmitValue(expr));
    return;
  }
  switch (expr->kind) {
    case ExprKind::kRecordConstructor:
    case ExprKind::kArrayConstructor:
    case ExprKind::kSetConstructor:
      if (type->kind != TypeKind::kOpenArray) {
        EmitConstructor(expr, to);
        return;
      }
      break;
    case ExprKind::kCall: {
      if (to.bit_offset != nullptr) break;
      Place result = to;
      EmitCall(ExprAs<const CallExpr>(expr), &result);
      return;
    }
    case ExprKind::kBinary: LargeSetOperation(ExprAs<const BinaryExpr>(expr), to); return;
    default: break;
  }
  Copy(to, EmitLocation(expr), type, false);
}

// --- components ---

llvm::LoadInst* FunctionLowering::LoadLength(llvm::Value* reference, const Type* array,
                                             uint32_t dimension, bool traced) {
  llvm::LoadInst* length =
      b_.CreateAlignedLoad(u_.i64, Offset(reference, 8 * int64_t{dimension}), llvm::Align(8));
  length->setMetadata(llvm::LLVMContext::MD_range, u_.LengthRange(array));
  u_.Annotate(length, AccessClass::kLength);
  if (traced) u_.NeverChanges(length);
  return length;
}

// The bytes that an access through the designator touches; `bytes` if unknown.
DereferenceExtent FunctionLowering::ExtentOf(const Expr* designator, int64_t bytes) const {
  return wanted_.designator == designator ? wanted_.extent : DereferenceExtent{0, bytes, false};
}

Place FunctionLowering::EmitDeref(const DerefExpr* expr, bool check) {
  const auto* ref = As<RefType>(Bare(expr->operand->type));
  // Computed before the operand is emitted: the operand may be a designator itself.
  const DereferenceExtent extent = ExtentOf(expr, LayoutOf(Bare(ref->referent)).bytes);
  llvm::Value* reference = EmitValue(expr->operand);
  const Type* referent = Bare(ref->referent);
  const uint32_t dimensions = OpenDimensions(referent);
  if (check || (dimensions == 0 && LayoutOf(referent).bytes > kReachOfNil)) {
    CheckNotNil(reference, expr->operand);
  } else {
    // The lengths of an open array are loaded first.
    NoteDereference(expr->operand, dimensions == 0
                                       ? extent
                                       : DereferenceExtent{0, 8 * int64_t{dimensions}, false});
  }
  Place place;
  place.address = reference;
  place.region = ref->traced ? Region::kHeap : Region::kUntraced;
  if (ref->traced) {
    place.base = reference;
    place.base_variable = LocalReference(expr->operand, *frame_.activation);
  }
  for (uint32_t i = 0; i < dimensions; ++i) {
    place.lengths.push_back(LoadLength(reference, referent, i, ref->traced));
  }
  place.address = Offset(reference, 8 * int64_t{dimensions});
  return place;
}

// From a bit aggregate to the component at `bit`. A component that is known to lie within a word is
// accessed in that word.
void FunctionLowering::EnterBits(Place& place, llvm::Value* bit, int64_t bit_size) {
  place.bit_offset = b_.CreateAdd(place.bit_offset, bit);
  place.bit_size = bit_size;
  if (place.word_bytes != 0) return;
  place.address =
      b_.CreateInBoundsGEP(u_.i8, place.address, b_.CreateLShr(place.bit_offset, u_.Int(3)));
  place.bit_offset = b_.CreateAnd(place.bit_offset, u_.Int(7));
}

Place FunctionLowering::EmitField(const Place& record_place, const RecordType* record,
                                  size_t field) {
  const FieldPlace where = PlaceOfField(record, field);
  Place place = record_place;
  place.lengths.clear();
  if (!where.packed && place.bit_offset == nullptr) {
    place.address = Offset(place.address, where.bit_offset / 8);
    return place;
  }
  if (place.bit_offset != nullptr) {
    EnterBits(place, u_.Int(where.bit_offset), where.bit_size);
    return place;
  }
  place.address = Offset(place.address, where.bit_offset / 8);
  MakePacked(place, u_.Int(where.bit_offset % 8), where.bit_size,
             (where.bit_offset % 8 + where.bit_size + 7) / 8);
  return place;
}

Place FunctionLowering::EmitObjectField(const ObjectFieldExpr* expr, bool check) {
  const FieldPlace where = PlaceOfField(expr->object_type, expr->field);
  DereferenceExtent extent = ExtentOf(expr, BytesOfBits(where.bit_size));
  extent.offset += where.bit_offset / 8;
  llvm::Value* reference = EmitValue(expr->operand);
  if (check || (where.bit_offset + where.bit_size) / 8 > kReachOfNil) {
    CheckNotNil(reference, expr->operand);
  } else {
    NoteDereference(expr->operand, extent);
  }
  Place place = FieldOfPayload(reference, expr->object_type, expr->field);
  place.region = expr->object_type->traced ? Region::kHeap : Region::kUntraced;
  if (expr->object_type->traced) {
    place.base = reference;
    place.base_variable = LocalReference(expr->operand, *frame_.activation);
  }
  return place;
}

Place FunctionLowering::FieldOfPayload(llvm::Value* payload, const ObjectType* object,
                                       size_t field) {
  const FieldPlace where = PlaceOfField(object, field);
  Place place;
  place.address = Offset(payload, where.bit_offset / 8);
  place.region = Region::kFresh;
  if (where.packed) {
    MakePacked(place, u_.Int(where.bit_offset % 8), where.bit_size,
               (where.bit_offset % 8 + where.bit_size + 7) / 8);
  }
  return place;
}

Place FunctionLowering::EmitElement(const Place& array, const Type* array_type,
                                    llvm::Value* index) {
  array_type = Bare(array_type);
  const auto* open = As<OpenArrayType>(array_type);
  const Type* element = open != nullptr ? open->element : As<ArrayType>(array_type)->element;
  Place place = array;
  if (open != nullptr) place.lengths.erase(place.lengths.begin());
  if (!llvm::isa<llvm::ConstantInt>(index)) place.indexed = true;
  if (place.bit_offset != nullptr) {
    const int64_t bits = ElementBits(array_type);
    EnterBits(place, b_.CreateMul(index, u_.Int(bits)), bits);
    return place;
  }
  if (element->kind == TypeKind::kPacked &&
      BitSizeOf(element) != LayoutOf(Bare(element)).bytes * 8) {
    const int64_t bits = ElementBits(array_type);
    llvm::Value* bit = b_.CreateMul(index, u_.Int(bits));
    llvm::Value* byte = b_.CreateLShr(bit, u_.Int(3));
    int64_t window = (bits + 14) / 8;
    if (bits % 8 == 0) {
      window = bits / 8;
    } else if (bits != 0 && 8 % bits == 0) {
      window = 1;  // elements of 1, 2, 4 bits do not straddle a byte
    } else {
      // No byte behind the array may be accessed: the window ends at the array's end at the latest.
      llvm::Value* last;
      if (open == nullptr) {
        const int64_t total = LayoutOf(array_type).bytes;
        window = std::clamp<int64_t>(total, 1, window);
        last = u_.Int(std::max<int64_t>(total - window, 0));
      } else {
        llvm::Value* total = b_.CreateAdd(b_.CreateMul(array.lengths[0], u_.Int(bits)), u_.Int(7));
        last = b_.CreateSub(b_.CreateLShr(total, u_.Int(3)), u_.Int(window));
        last = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, last, u_.Int(0));
      }
      byte = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, byte, last);
    }
    place.address = b_.CreateInBoundsGEP(u_.i8, place.address, byte);
    MakePacked(place, b_.CreateSub(bit, b_.CreateShl(byte, u_.Int(3))), bits, window);
    return place;
  }
  const int64_t stride = ElementStride(array_type);
  if (place.lengths.empty()) {
    place.address = b_.CreateInBoundsGEP(u_.BytesType(stride), place.address, index);
  } else {
    llvm::Value* bytes = OpenArrayBytes(element, place.lengths, /*is_row=*/true);
    place.address = b_.CreateInBoundsGEP(u_.i8, place.address, b_.CreateMul(index, bytes));
  }
  return place;
}

Place FunctionLowering::EmitSubscript(const SubscriptExpr* expr, bool check) {
  const Type* type = Bare(expr->operand->type);
  const Place array = expr->operand->designator ? EmitDesignator(expr->operand, check)
                                                : EmitLocation(expr->operand);
  llvm::Value* index = EmitValue(expr->index);
  llvm::Value* count;
  bool known = false;
  if (const auto* fixed = As<ArrayType>(type)) {
    const int64_t first = FirstOf(fixed->index);
    count = u_.Int(ElementCountOf(fixed));
    known =
        FirstOf(expr->index->type) >= first && LastOf(expr->index->type) <= LastOf(fixed->index);
    if (first != 0) index = b_.CreateSub(index, u_.Int(first));
  } else {
    count = array.lengths[0];
  }
  if (u_.checks() && !known) {
    const auto* fixed = As<ArrayType>(type);
    const Failure failure = fixed != nullptr ? Failure{RuntimeErrorCode::kSubscriptOutOfRange,
                                                       CheckForm::kFixedSubscript,
                                                       ValueDescriptorOf(u_, fixed->index),
                                                       {index}}
                                             : Failure{RuntimeErrorCode::kSubscriptOutOfRange,
                                                       CheckForm::kOpenSubscript,
                                                       nullptr,
                                                       {index, count}};
    ErrorIf(b_.CreateICmpUGE(index, count), failure);
  }
  return EmitElement(array, type, index);
}

Place FunctionLowering::EmitSubarray(const SubarrayExpr* expr) {
  const Type* type = Bare(expr->operand->type);
  Place array = EmitLocation(expr->operand);
  llvm::Value* from = EmitValue(expr->from);
  llvm::Value* count = EmitValue(expr->count);
  llvm::Value* length;
  if (const auto* fixed = As<ArrayType>(type)) {
    length = u_.Int(ElementCountOf(fixed));
  } else {
    length = array.lengths[0];
  }
  if (u_.checks()) {
    // 0 <= from <= length and 0 <= count <= length - from, with one unsigned comparison each.
    llvm::Value* bad = b_.CreateOr(b_.CreateICmpUGT(from, length),
                                   b_.CreateICmpUGT(count, b_.CreateSub(length, from)));
    ErrorIf(
        bad,
        {RuntimeErrorCode::kValueOutOfRange, CheckForm::kSubarray, nullptr, {from, count, length}});
  }
  Place place = EmitElement(array, type, from);
  // Packed elements begin at bytes here; the new place is a place of many elements, not of one.
  place.bit_offset = nullptr;
  place.lengths.insert(place.lengths.begin(), count);
  return place;
}

// --- shapes ---

std::vector<llvm::Value*> FunctionLowering::LengthsOf(const Place& place, const Type* type,
                                                      size_t dimensions) {
  std::vector<llvm::Value*> lengths;
  size_t open_seen = 0;
  type = Bare(type);
  while (lengths.size() < dimensions) {
    if (const auto* open = As<OpenArrayType>(type)) {
      lengths.push_back(place.lengths[open_seen++]);
      type = Bare(open->element);
    } else if (const auto* fixed = As<ArrayType>(type)) {
      lengths.push_back(u_.Int(ElementCountOf(fixed)));
      type = Bare(fixed->element);
    } else {
      break;
    }
  }
  return lengths;
}

Place FunctionLowering::AdaptShape(const Place& place, const Type* from, const Type* to) {
  from = Bare(from);
  to = Bare(to);
  const bool arrays = from->kind == TypeKind::kArray || from->kind == TypeKind::kOpenArray;
  if (!arrays || (to->kind != TypeKind::kArray && to->kind != TypeKind::kOpenArray)) return place;
  const uint32_t open_to = OpenDimensions(to);
  const uint32_t open_from = OpenDimensions(from);
  Place adapted = place;
  adapted.lengths = LengthsOf(place, from, open_to);
  if (open_from > open_to) {
    // Dimensions that are fixed in the new type.
    const std::vector<llvm::Value*> lengths = LengthsOf(place, from, open_from);
    const Type* rest = to;
    for (size_t i = 0; i < lengths.size(); ++i) {
      if (const auto* fixed = As<ArrayType>(rest)) {
        llvm::Value* wanted = u_.Int(ElementCountOf(fixed));
        ErrorIf(b_.CreateICmpNE(lengths[i], wanted), {RuntimeErrorCode::kIncompatibleArrayShape,
                                                      CheckForm::kShape,
                                                      nullptr,
                                                      {wanted, lengths[i]}});
        rest = Bare(fixed->element);
      } else if (const auto* open = As<OpenArrayType>(rest)) {
        rest = Bare(open->element);
      }
    }
  }
  return adapted;
}

void FunctionLowering::CheckSameShape(const Place& a, const Type* a_type, const Place& b,
                                      const Type* b_type) {
  const size_t dimensions = std::max(OpenDimensions(Bare(a_type)), OpenDimensions(Bare(b_type)));
  const std::vector<llvm::Value*> a_lengths = LengthsOf(a, a_type, dimensions);
  const std::vector<llvm::Value*> b_lengths = LengthsOf(b, b_type, dimensions);
  for (size_t i = 0; i < a_lengths.size() && i < b_lengths.size(); ++i) {
    ErrorIf(b_.CreateICmpNE(a_lengths[i], b_lengths[i]), {RuntimeErrorCode::kIncompatibleArrayShape,
                                                          CheckForm::kShape,
                                                          nullptr,
                                                          {a_lengths[i], b_lengths[i]}});
  }
}

}  // namespace tenure::compiler
