#include "compiler/lower/debug_types.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

constexpr uint64_t kWordBits = 64;
// More enumerators than this help nobody and make the program large.
constexpr int64_t kMaxNames = 4096;

uint64_t BitsOf(const Type* type) { return static_cast<uint64_t>(LayoutOf(type).bytes) * 8; }

const Type* Unpacked(const Type* type) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  return type;
}

const EnumerationType* EnumerationOf(const Type* type) {
  return As<EnumerationType>(BaseType(const_cast<Type*>(type)));
}

}  // namespace

llvm::DIType* DebugTypes::Of(const Type* type) {
  type = Concrete(Unpacked(type));
  const auto found = made_.find(type);
  const std::string name = TypeToString(type);
  if (found != made_.end())
    return found->second != nullptr ? found->second : Pointer(nullptr, name);
  made_.emplace(type, nullptr);
  llvm::DIType* made = Make(type, name);
  made_[type] = made;
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
        return Pointer(OpenArray(referent, lengths, false, 0), name);
      }
      return Pointer(Of(referent), name);
    }
    case TypeKind::kObject: {
      const auto* object = As<ObjectType>(type);
      if (object->brand.has_value() && *object->brand == "Text-2.0") return Text();
      return Pointer(Payload(object), name);
    }
    default: break;
  }
  if (IsOrdinal(type)) return Ordinal(type, name);
  return Pointer(nullptr, name);
}

llvm::DIType* DebugTypes::Ordinal(const Type* type, const std::string& name) {
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
      return builder_.createEnumerationType(unit_, name, unit_->getFile(), 0, BitsOf(type), 0,
                                            builder_.getOrCreateArray(names), nullptr);
    }
  }
  return builder_.createBasicType(name, BitsOf(type), encoding);
}

// As an enumeration of powers of two: gdb prints such a value as the names joined by `|`.
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
    if (array->element->kind == TypeKind::kPacked && ElementBits(array) % 8 != 0) {
      return Unspecified(TypeToString(type));
    }
    ranges.push_back(Range(array));
    element = Unpacked(array->element);
  }
  return builder_.createArrayType(bits, 0, Of(element), builder_.getOrCreateArray(ranges));
}

llvm::DIType* DebugTypes::OpenArray(const Type* type, uint64_t elements_offset,
                                    bool elements_by_pointer, uint64_t lengths_offset) {
  using namespace llvm::dwarf;  // DW_OP_...
  llvm::SmallVector<llvm::Metadata*> ranges;
  const Type* element = type;
  for (uint64_t offset = lengths_offset; element->kind == TypeKind::kOpenArray; offset += 8) {
    llvm::DIExpression* count = builder_.createExpression(
        {DW_OP_push_object_address, DW_OP_plus_uconst, offset, DW_OP_deref});
    ranges.push_back(builder_.getOrCreateSubrange(count, Constant(0), nullptr, nullptr));
    element = Unpacked(As<OpenArrayType>(element)->element);
  }
  while (const auto* array = As<ArrayType>(element)) {
    ranges.push_back(Range(array));
    element = Unpacked(array->element);
  }
  llvm::DIExpression* data =
      elements_by_pointer ? builder_.createExpression({DW_OP_push_object_address, DW_OP_deref})
                          : builder_.createExpression(
                                {DW_OP_push_object_address, DW_OP_plus_uconst, elements_offset});
  return builder_.createArrayType(0, 0, Of(element), builder_.getOrCreateArray(ranges), data);
}

// As if it were the array of its characters: the value is the reference to a flat text, whose first
// word counts the characters and the zero behind them. NIL prints as <not allocated>; of other
// representations only the address is right.
llvm::DIType* DebugTypes::Text() {
  using namespace llvm::dwarf;
  llvm::DIType* character = builder_.createBasicType("CHAR", 8, DW_ATE_unsigned_char);
  llvm::DIExpression* count = builder_.createExpression(
      {DW_OP_push_object_address, DW_OP_deref, DW_OP_deref, DW_OP_constu, 1, DW_OP_minus});
  llvm::DIExpression* data =
      builder_.createExpression({DW_OP_push_object_address, DW_OP_deref, DW_OP_plus_uconst, 8});
  llvm::DIExpression* allocated = builder_.createExpression(
      {DW_OP_push_object_address, DW_OP_deref, DW_OP_constu, 0, DW_OP_ne});
  llvm::Metadata* range = builder_.getOrCreateSubrange(count, Constant(0), nullptr, nullptr);
  return builder_.createArrayType(kWordBits, 0, character, builder_.getOrCreateArray({range}), data,
                                  nullptr, allocated);
}

llvm::DIType* DebugTypes::Pointer(llvm::DIType* target, const std::string& name) {
  llvm::DIType* pointer = builder_.createPointerType(target, kWordBits);
  return builder_.createTypedef(pointer, name, unit_->getFile(), 0, unit_);
}

llvm::DIType* DebugTypes::Unspecified(const std::string& name) {
  return builder_.createUnspecifiedType(name);
}

llvm::Metadata* DebugTypes::Member(llvm::DICompositeType* of, const Field& field,
                                   int64_t bit_offset, int64_t bit_size, bool packed) {
  llvm::DIFile* file = unit_->getFile();
  llvm::DIType* type = Of(field.type);
  const auto offset = static_cast<uint64_t>(bit_offset), size = static_cast<uint64_t>(bit_size);
  if (packed && IsBitAggregate(field.type)) type = Unspecified(TypeToString(field.type));
  if (packed) {
    return builder_.createBitFieldMemberType(of, field.name, file, 0, size, offset, offset / 8 * 8,
                                             llvm::DINode::FlagZero, type);
  }
  return builder_.createMemberType(of, field.name, file, 0, size, 0, offset, llvm::DINode::FlagZero,
                                   type);
}

llvm::DICompositeType* DebugTypes::Record(const RecordType* record) {
  llvm::DICompositeType*& structure = structures_[record];
  if (structure != nullptr) return structure;
  llvm::DICompositeType* made =
      builder_.createStructType(unit_, TypeToString(record), unit_->getFile(), 0, BitsOf(record), 0,
                                llvm::DINode::FlagZero, nullptr, {});
  structure = made;
  made_[record] = made;
  llvm::SmallVector<llvm::Metadata*> members;
  for (size_t i = 0; i < record->fields.size(); ++i) {
    const FieldPlace place = PlaceOfField(record, i);
    members.push_back(
        Member(made, record->fields[i], place.bit_offset, place.bit_size, place.packed));
  }
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
  return made;
}

llvm::DICompositeType* DebugTypes::Payload(const ObjectType* object) {
  llvm::DICompositeType*& structure = structures_[object];
  if (structure != nullptr) return structure;
  const auto bits = static_cast<uint64_t>(PayloadOf(object).bytes) * 8;
  llvm::DICompositeType* made =
      builder_.createStructType(unit_, TypeToString(object), unit_->getFile(), 0, bits, 0,
                                llvm::DINode::FlagZero, nullptr, {});
  structure = made;
  // A field of the object's own type finds the pointer, not the placeholder without a target.
  made_[object] = Pointer(made, TypeToString(object));
  llvm::SmallVector<llvm::Metadata*> members;
  const ObjectType* super = SuperOf(object);
  if (super != nullptr && PayloadOf(super).bytes != 0) {
    members.push_back(
        builder_.createInheritance(made, Payload(super), 0, 0, llvm::DINode::FlagPublic));
  }
  for (size_t i = 0; i < object->fields.size(); ++i) {
    const FieldPlace place = PlaceOfField(object, i);
    members.push_back(
        Member(made, object->fields[i], place.bit_offset, place.bit_size, place.packed));
  }
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
  return made;
}

}  // namespace tenure::compiler
