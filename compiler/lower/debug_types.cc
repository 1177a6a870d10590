#include "compiler/lower/debug_types.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

constexpr uint64_t kWordBits = 64;
// More enumerators than this are of no use and make the program large.
constexpr int64_t kMaxNames = 4096;
constexpr int64_t kMaxMembers = 4096;  // the same for the elements of packed arrays

uint64_t BitsOf(const Type* type) { return static_cast<uint64_t>(LayoutOf(type).bytes) * 8; }

const Type* Unpacked(const Type* type) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  return type;
}

const EnumerationType* EnumerationOf(const Type* type) {
  return As<EnumerationType>(BaseType(const_cast<Type*>(type)));
}

bool IsText(const Type* type) {
  const auto* object = As<ObjectType>(type);
  return object != nullptr && object->brand.has_value() && *object->brand == "Text-2.0";
}

}  // namespace

llvm::DIType* DebugTypes::OfValue(const Type* type) {
  Known* const before = std::exchange(known_, &values_);
  llvm::DIType* made = Of(type);
  known_ = before;
  return made;
}

llvm::DIType* DebugTypes::Of(const Type* type) {
  type = Concrete(Unpacked(type));
  // The target of a reference has an address.
  const bool is_reference =
      type->kind == TypeKind::kRef || (type->kind == TypeKind::kObject && !IsText(type));
  Known* const before = known_;
  if (is_reference) known_ = &variables_;
  const auto found = known_->made.find(type);
  const std::string name = TypeToString(type);
  llvm::DIType* made;
  if (found != known_->made.end()) {
    made = found->second != nullptr ? found->second : Pointer(nullptr, name);
  } else {
    known_->made.emplace(type, nullptr);
    made = Make(type, name);
    known_->made[type] = made;
  }
  known_ = before;
  return made;
}

llvm::DIType* DebugTypes::Make(const Type* type, const std::string& name) {
  switch (type->kind) {
    case TypeKind::kReal:
    case TypeKind::kLongreal:
    case TypeKind::kExtended:
      return builder_.createBasicType(name, BitsOf(type), llvm::dwarf::DW_ATE_float);
    case TypeKind::kSet: return Set(As<SetType>(type), name);
    case TypeKind::kArray: return FixedArray(type);
    case TypeKind::kOpenArray: return OpenArray(type, 0, true, 8);
    case TypeKind::kRecord: return Record(As<RecordType>(type));
    case TypeKind::kProcedure:
      return Pointer(builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), name);
    case TypeKind::kRef: {
      const Type* referent = Unpacked(As<RefType>(type)->referent);
      if (referent->kind == TypeKind::kOpenArray) {
        const uint64_t lengths = 8 * uint64_t{OpenDimensions(referent)};
        return Pointer(OpenArray(referent, lengths, false, 0), name, As<RefType>(type)->traced);
      }
      const auto* record = As<RecordType>(Concrete(referent));
      if (record != nullptr && known_->structures.count(record) == 0) {
        // Made before the fields, so that a field of this very type finds the type.
        llvm::DICompositeType* made = RecordWithoutFields(record);
        llvm::DIType* pointer = Pointer(made, name, As<RefType>(type)->traced);
        known_->made[type] = pointer;
        AddFields(made, record);
        return pointer;
      }
      return Pointer(Of(referent), name, As<RefType>(type)->traced);
    }
    case TypeKind::kObject: {
      const auto* object = As<ObjectType>(type);
      if (IsText(object)) return known_ == &values_ ? Pointer(nullptr, "TEXT") : Text();
      return Pointer(Payload(object), name, object->traced);
    }
    case TypeKind::kAddress: return Pointer(nullptr, name, false);
    default: break;
  }
  if (IsOrdinal(type)) return Ordinal(type, name, BitsOf(type));
  return Pointer(nullptr, name);
}

llvm::DIType* DebugTypes::Ordinal(const Type* type, const std::string& name, uint64_t bits) {
  const EnumerationType* enumeration = EnumerationOf(type);
  unsigned encoding = FirstOf(type) < 0 ? llvm::dwarf::DW_ATE_signed : llvm::dwarf::DW_ATE_unsigned;
  if (enumeration != nullptr) {
    using Builtin = EnumerationType::Builtin;
    if (enumeration->builtin == Builtin::kBoolean) encoding = llvm::dwarf::DW_ATE_boolean;
    if (enumeration->builtin == Builtin::kChar) encoding = llvm::dwarf::DW_ATE_unsigned_char;
    if (enumeration->builtin == Builtin::kWidechar) encoding = llvm::dwarf::DW_ATE_UTF;
    if (enumeration->builtin == Builtin::kNone && enumeration->count <= kMaxNames) {
      llvm::SmallVector<llvm::Metadata*> names;
      for (size_t i = 0; i < enumeration->elements.size(); ++i) {
        names.push_back(builder_.createEnumerator(enumeration->elements[i], i, true));
      }
      return builder_.createEnumerationType(unit_, name, unit_->getFile(), 0, bits, 0,
                                            builder_.getOrCreateArray(names), nullptr);
    }
  }
  return builder_.createBasicType(name, bits, encoding);
}

// Describes a set as an enumeration of powers of two: gdb prints such a value as the names joined
// by `|`.
llvm::DIType* DebugTypes::Set(const SetType* set, const std::string& name) {
  const uint64_t bits = BitsOf(set);
  const int64_t first = FirstOf(set->element), last = LastOf(set->element);
  if (bits > kWordBits) {
    llvm::DIType* word = builder_.createBasicType("WORD", kWordBits, llvm::dwarf::DW_ATE_unsigned);
    llvm::Metadata* range = builder_.getOrCreateSubrange(0, static_cast<int64_t>(bits / kWordBits));
    return builder_.createArrayType(bits, 0, word, builder_.getOrCreateArray({range}));
  }
  const EnumerationType* enumeration = EnumerationOf(set->element);
  llvm::SmallVector<llvm::Metadata*> names;
  for (int64_t i = first; i <= last; ++i) {
    std::string element = std::to_string(i);
    if (enumeration != nullptr && static_cast<size_t>(i) < enumeration->elements.size()) {
      element = enumeration->elements[static_cast<size_t>(i)];
    }
    names.push_back(builder_.createEnumerator(element, uint64_t{1} << (i - first), true));
  }
  return builder_.createEnumerationType(unit_, name, unit_->getFile(), 0, bits, 0,
                                        builder_.getOrCreateArray(names), nullptr);
}

llvm::Metadata* DebugTypes::Constant(int64_t value) {
  return llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(unit_->getContext()), value));
}

// DWARF's default for the lower bound in Modula-3 is 1, but gdb takes 0: the bound must not look
// like the default.
llvm::Metadata* DebugTypes::Range(const ArrayType* array) {
  const int64_t first = IsEmptyType(array->index) ? 0 : FirstOf(array->index);
  llvm::Metadata* bound = Constant(first);
  if (first == 1) bound = builder_.createExpression({llvm::dwarf::DW_OP_constu, 1});
  return builder_.getOrCreateSubrange(Constant(ElementCountOf(array)), bound, nullptr, nullptr);
}

llvm::DIType* DebugTypes::FixedArray(const Type* type) {
  llvm::SmallVector<llvm::Metadata*> ranges;
  const uint64_t bits = BitsOf(type);
  const Type* element = type;
  while (const auto* array = As<ArrayType>(element)) {
    if (HasPackedElements(array)) {
      if (llvm::DIType* word = PackedElement(array)) {
        ranges.push_back(Range(array));
        return builder_.createArrayType(bits, 0, word, builder_.getOrCreateArray(ranges));
      }
      if (ranges.empty()) return BitArray(array);
      break;
    }
    ranges.push_back(Range(array));
    element = Unpacked(array->element);
  }
  return builder_.createArrayType(bits, 0, OfValue(element), builder_.getOrCreateArray(ranges));
}

llvm::DIType* DebugTypes::PackedElement(const Type* array) {
  const uint64_t bits = static_cast<uint64_t>(ElementBits(array));
  const auto* fixed = As<ArrayType>(array);
  const Type* element = fixed != nullptr ? fixed->element : InnermostElement(array);
  element = Concrete(Unpacked(element));
  if (!IsOrdinal(element) || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return nullptr;
  return Ordinal(element, TypeToString(element), bits);
}

llvm::DIType* DebugTypes::BitArray(const ArrayType* array) {
  llvm::DICompositeType* made =
      builder_.createStructType(unit_, TypeToString(array), unit_->getFile(), 0, BitsOf(array), 0,
                                llvm::DINode::FlagZero, nullptr, {});
  Members members;
  AddBits(members, made, "", array, 0, static_cast<int64_t>(BitsOf(array)));
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
  return made;
}

void DebugTypes::AddBits(Members& members, llvm::DICompositeType* of, const std::string& name,
                         const Type* type, int64_t bit_offset, int64_t bit_size) {
  if (members.size() >= static_cast<size_t>(kMaxMembers)) return;
  type = Concrete(Unpacked(type));
  if (const auto* array = As<ArrayType>(type)) {
    const int64_t first = IsEmptyType(array->index) ? 0 : FirstOf(array->index);
    const int64_t stride = ElementBits(array);
    const int64_t count = std::min<int64_t>(ElementCountOf(array), kMaxMembers);
    for (int64_t i = 0; i < count; ++i) {
      AddBits(members, of, name + "[" + std::to_string(first + i) + "]", array->element,
              bit_offset + i * stride, stride);
    }
  } else if (const auto* record = As<RecordType>(type)) {
    for (size_t i = 0; i < record->fields.size(); ++i) {
      const FieldPlace place = PlaceOfField(record, i);
      AddBits(members, of, name + "." + record->fields[i].name, record->fields[i].type,
              bit_offset + place.bit_offset, place.bit_size);
    }
  } else {
    const auto offset = static_cast<uint64_t>(bit_offset);
    members.push_back(builder_.createBitFieldMemberType(
        of, name, unit_->getFile(), 0, static_cast<uint64_t>(bit_size), offset, offset / 8 * 8,
        llvm::DINode::FlagZero, Of(type)));
  }
}

llvm::DIType* DebugTypes::OpenArray(const Type* type, uint64_t elements_offset,
                                    bool elements_by_pointer, uint64_t lengths_offset) {
  using namespace llvm::dwarf;  // DW_OP_...
  llvm::SmallVector<llvm::Metadata*> ranges;
  const Type* element = type;
  llvm::DIType* element_type = nullptr;
  if (HasPackedElements(type)) {
    element_type = PackedElement(type);
    if (element_type == nullptr) return Unspecified(TypeToString(type));
  }
  for (uint64_t offset = lengths_offset; element->kind == TypeKind::kOpenArray; offset += 8) {
    llvm::DIExpression* count = builder_.createExpression(
        {DW_OP_push_object_address, DW_OP_plus_uconst, offset, DW_OP_deref});
    ranges.push_back(builder_.getOrCreateSubrange(count, Constant(0), nullptr, nullptr));
    element = Unpacked(As<OpenArrayType>(element)->element);
  }
  llvm::DIExpression* data =
      elements_by_pointer ? builder_.createExpression({DW_OP_push_object_address, DW_OP_deref})
                          : builder_.createExpression(
                                {DW_OP_push_object_address, DW_OP_plus_uconst, elements_offset});
  return builder_.createArrayType(0, 0, element_type != nullptr ? element_type : OfValue(element),
                                  builder_.getOrCreateArray(ranges), data);
}

// Describes a TEXT as the array of its characters: the value is a reference to a flat text, whose
// first word is the number of characters with the zero behind them. NIL and texts of other
// representations are <not allocated>. LLVM has no jumps for such expressions, so where a reference
// or a descriptor is null the expression reads the variable instead.
llvm::DIType* DebugTypes::Text() {
  using namespace llvm::dwarf;
  llvm::DIType* character = builder_.createBasicType("CHAR", 8, DW_ATE_unsigned_char);
  llvm::DIExpression* count = builder_.createExpression(
      {DW_OP_push_object_address, DW_OP_deref, DW_OP_deref, DW_OP_constu, 1, DW_OP_minus});
  llvm::DIExpression* data =
      builder_.createExpression({DW_OP_push_object_address, DW_OP_deref, DW_OP_plus_uconst, 8});
  constexpr uint64_t kDescriptorMask = 0xfffffff0;  // abi::ObjectHeader::type
  // Offsets of two words of the descriptor: `flags` is the lower half of one, `element_bytes` the
  // upper half of the other.
  constexpr uint64_t kFlags = offsetof(abi::TypeDescriptor, flags);
  constexpr uint64_t kElementBytes = offsetof(abi::TypeDescriptor, element_bytes) - 4;
  const auto is_null = [](std::vector<uint64_t>& to) {
    to.insert(to.end(), {DW_OP_constu, 0, DW_OP_eq});
  };
  // The header's address, or the variable's.
  std::vector<uint64_t> code = {DW_OP_push_object_address,
                                DW_OP_deref,
                                DW_OP_push_object_address,
                                DW_OP_plus_uconst,
                                abi::kHeaderBytes,
                                DW_OP_push_object_address,
                                DW_OP_deref};
  is_null(code);
  code.insert(code.end(), {DW_OP_mul, DW_OP_plus, DW_OP_constu, abi::kHeaderBytes, DW_OP_minus});
  // The descriptor's address, or the variable's.
  code.insert(code.end(), {DW_OP_deref, DW_OP_constu, kDescriptorMask, DW_OP_and, DW_OP_dup});
  is_null(code);
  code.insert(code.end(), {DW_OP_push_object_address, DW_OP_mul, DW_OP_plus});
  // A flat text, and one byte for each character, and not NIL.
  code.insert(code.end(), {DW_OP_dup, DW_OP_plus_uconst, kFlags, DW_OP_deref, DW_OP_constu,
                           uint64_t{abi::kTypeText}, DW_OP_and});
  code.insert(code.end(), {DW_OP_over, DW_OP_plus_uconst, kElementBytes, DW_OP_deref, DW_OP_constu,
                           32, DW_OP_shr, DW_OP_constu, 1, DW_OP_eq, DW_OP_mul});
  code.insert(code.end(),
              {DW_OP_push_object_address, DW_OP_deref, DW_OP_constu, 0, DW_OP_ne, DW_OP_mul});
  llvm::DIExpression* allocated = builder_.createExpression(code);
  llvm::Metadata* range = builder_.getOrCreateSubrange(count, Constant(0), nullptr, nullptr);
  return builder_.createArrayType(kWordBits, 0, character, builder_.getOrCreateArray({range}), data,
                                  nullptr, allocated);
}

llvm::DICompositeType* DebugTypes::RecordOfParts(const std::string& name,
                                                 std::vector<Part>& parts) {
  uint64_t offset = 0;
  for (Part& part : parts) {
    part.bits = BitsOf(part.type);
    offset += part.bits;
  }
  llvm::DICompositeType* made = builder_.createStructType(unit_, name, unit_->getFile(), 0, offset,
                                                          0, llvm::DINode::FlagZero, nullptr, {});
  Members members;
  offset = 0;
  for (const Part& part : parts) {
    if (part.bits == 0) continue;
    llvm::DIType* type = OfValue(part.type);
    members.push_back(builder_.createMemberType(made, part.name, unit_->getFile(), 0, part.bits, 0,
                                                offset, llvm::DINode::FlagZero, type));
    offset += part.bits;
  }
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
  return made;
}

llvm::DIType* DebugTypes::Pointer(llvm::DIType* target, const std::string& name, bool traced) {
  llvm::DIType* pointer = builder_.createPointerType(target, kWordBits);
  // Marks the pointer: its referent has no header.
  if (!traced) pointer = builder_.createTypedef(pointer, "UNTRACED", unit_->getFile(), 0, unit_);
  return builder_.createTypedef(pointer, name, unit_->getFile(), 0, unit_);
}

llvm::DIType* DebugTypes::Unspecified(const std::string& name) {
  return builder_.createUnspecifiedType(name);
}

void DebugTypes::AddMember(Members& members, llvm::DICompositeType* of, const Field& field,
                           const FieldPlace& place) {
  if (place.packed) {
    AddBits(members, of, field.name, field.type, place.bit_offset, place.bit_size);
    return;
  }
  members.push_back(builder_.createMemberType(
      of, field.name, unit_->getFile(), 0, static_cast<uint64_t>(place.bit_size), 0,
      static_cast<uint64_t>(place.bit_offset), llvm::DINode::FlagZero, Of(field.type)));
}

llvm::DICompositeType* DebugTypes::Record(const RecordType* record) {
  const auto found = known_->structures.find(record);
  if (found != known_->structures.end()) return found->second;
  llvm::DICompositeType* made = RecordWithoutFields(record);
  AddFields(made, record);
  return made;
}

llvm::DICompositeType* DebugTypes::RecordWithoutFields(const RecordType* record) {
  llvm::DICompositeType* made =
      builder_.createStructType(unit_, TypeToString(record), unit_->getFile(), 0, BitsOf(record), 0,
                                llvm::DINode::FlagZero, nullptr, {});
  known_->structures[record] = made;
  known_->made[record] = made;
  return made;
}

void DebugTypes::AddFields(llvm::DICompositeType* made, const RecordType* record) {
  Members members;
  for (size_t i = 0; i < record->fields.size(); ++i) {
    AddMember(members, made, record->fields[i], PlaceOfField(record, i));
  }
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
}

llvm::DICompositeType* DebugTypes::Payload(const ObjectType* object) {
  // Only in variables_: references lead to payloads.
  llvm::DICompositeType*& structure = variables_.structures[object];
  if (structure != nullptr) return structure;
  const auto bits = static_cast<uint64_t>(PayloadOf(object).bytes) * 8;
  llvm::DICompositeType* made =
      builder_.createStructType(unit_, TypeToString(object), unit_->getFile(), 0, bits, 0,
                                llvm::DINode::FlagZero, nullptr, {});
  structure = made;
  // So a field of the object's own type finds this pointer, not the placeholder without a target.
  variables_.made[object] = Pointer(made, TypeToString(object), object->traced);
  Members members;
  const ObjectType* super = SuperOf(object);
  if (super != nullptr && PayloadOf(super).bytes != 0) {
    members.push_back(
        builder_.createInheritance(made, Payload(super), 0, 0, llvm::DINode::FlagPublic));
  }
  for (size_t i = 0; i < object->fields.size(); ++i) {
    AddMember(members, made, object->fields[i], PlaceOfField(object, i));
  }
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
  return made;
}

}  // namespace tenure::compiler
