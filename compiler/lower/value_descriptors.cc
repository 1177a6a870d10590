#include "compiler/lower/value_descriptors.h"

#include "abi/value_descriptor.h"

namespace tenure::compiler {

namespace {

using abi::ValueKind;

struct Description {
  ValueKind kind;
  int64_t bits = 64;
  int64_t first = 0, last = 0;
  llvm::Constant* names = nullptr;  // null: none, as for the others
  llvm::Constant* parts = nullptr;
  llvm::Constant* bit_offsets = nullptr;
  uint32_t part_count = 0;
  int64_t element_bits = 0;
};

llvm::Constant* Emit(UnitLowering& u, const Description& d) {
  const auto pointer = [&](llvm::Constant* constant) {
    return constant == nullptr ? u.Null() : constant;
  };
  return u.Static(
      llvm::ConstantStruct::getAnon(
          u.context, {u.Int32(static_cast<uint32_t>(d.kind)),
                      u.Int32(static_cast<uint32_t>(d.bits)), u.Int(d.first), u.Int(d.last),
                      pointer(d.names), pointer(d.parts), pointer(d.bit_offsets),
                      u.Int32(d.part_count), u.Int32(static_cast<uint32_t>(d.element_bits))}),
      8);
}

Description DescribeOrdinal(UnitLowering& u, const Type* type, int64_t first, int64_t last) {
  Description d{ValueKind::kInteger};
  d.first = first;
  d.last = last;
  const Type* base = BaseType(const_cast<Type*>(type));
  if (const auto* enumeration = As<EnumerationType>(base)) {
    d.kind = enumeration->elements.empty() ? ValueKind::kCharacter : ValueKind::kEnumeration;
    std::string names;
    for (const std::string& name : enumeration->elements) {
      if (!names.empty()) names += ",";
      names += name;
    }
    if (!names.empty()) d.names = u.CString(names);
  }
  return d;
}

Description Describe(UnitLowering& u, const Type* type);

void DescribeRecord(UnitLowering& u, const RecordType& record, Description& d) {
  std::string names;
  std::vector<llvm::Constant*> parts, offsets;
  for (size_t i = 0; i < record.fields.size(); ++i) {
    const FieldPlace place = PlaceOfField(&record, i);
    Description part = Describe(u, record.fields[i].type);
    part.bits = place.bit_size;
    parts.push_back(Emit(u, part));
    offsets.push_back(u.Int32(static_cast<uint32_t>(place.bit_offset)));
    if (i > 0) names += ",";
    names += record.fields[i].name;
  }
  d.names = u.CString(names);
  d.parts = u.Table(u.ptr, parts);
  d.bit_offsets = u.Table(u.i32, offsets);
  d.part_count = static_cast<uint32_t>(parts.size());
}

Description DescribeComposite(UnitLowering& u, const Type* type) {
  if (const auto* record = As<RecordType>(type)) {
    Description d{ValueKind::kRecord};
    DescribeRecord(u, *record, d);
    return d;
  }
  if (const auto* set = As<SetType>(type)) {
    Description d{ValueKind::kSet};
    d.first = FirstOf(set->element);
    d.last = LastOf(set->element);
    d.parts = u.Table(u.ptr, {ValueDescriptorOf(u, set->element)});
    d.part_count = 1;
    return d;
  }
  const auto* array = As<ArrayType>(type);
  Description d{ValueKind::kArray};
  d.first = FirstOf(array->index);
  d.last = LastOf(array->index);
  Description element = Describe(u, array->element);
  d.element_bits = ElementBits(type);
  element.bits = std::min(BitSizeOf(array->element), d.element_bits);
  d.parts = u.Table(u.ptr, {Emit(u, element)});
  d.part_count = 1;
  return d;
}

// Describes a type that is not an open array.
Description Describe(UnitLowering& u, const Type* type) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  if (type == u.program.types.text) return {ValueKind::kText};
  type = Bare(type);
  Description d{ValueKind::kAddress};
  if (IsOrdinal(type)) {
    d = DescribeOrdinal(u, type, FirstOf(type), LastOf(type));
  } else if (IsFloat(type)) {
    d.kind = type->kind == TypeKind::kReal ? ValueKind::kReal : ValueKind::kLongreal;
  } else if (IsProcedure(type)) {
    d.kind = ValueKind::kProcedure;
  } else if (IsTracedReference(type)) {
    d.kind = ValueKind::kReference;
  } else if (!IsReference(type)) {
    d = DescribeComposite(u, type);
  }
  d.bits = BitSizeOf(type);
  return d;
}

}  // namespace

llvm::Constant* ValueDescriptorOf(UnitLowering& unit, const Type* type) {
  if (Bare(type)->kind == TypeKind::kOpenArray) return unit.Null();
  return Emit(unit, Describe(unit, type));
}

llvm::Constant* RangeDescriptorOf(UnitLowering& unit, const Type* type, int64_t first,
                                  int64_t last) {
  Description d = DescribeOrdinal(unit, type, first, last);
  return Emit(unit, d);
}

}  // namespace tenure::compiler
