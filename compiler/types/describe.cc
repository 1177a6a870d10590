#include "compiler/types/describe.h"

#include <limits>

#include "compiler/types/entity.h"

namespace tenure::compiler {

namespace {

std::string OrdinalToString(const Type* base, int64_t value) {
  if (const auto* enumeration = As<EnumerationType>(base)) {
    if (value >= 0 && value < static_cast<int64_t>(enumeration->elements.size())) {
      return enumeration->name.empty() ? enumeration->elements[value]
                                       : enumeration->name + "." + enumeration->elements[value];
    }
    if (enumeration->builtin == EnumerationType::Builtin::kChar && value >= 32 && value < 127) {
      return std::string("'") + static_cast<char>(value) + "'";
    }
  }
  if (value == std::numeric_limits<int64_t>::min()) return "FIRST(INTEGER)";
  if (value == std::numeric_limits<int64_t>::max()) return "LAST(INTEGER)";
  return std::to_string(value) + (base != nullptr && base->kind == TypeKind::kLongint ? "L" : "");
}

std::string Describe(const Type* type, int depth);

std::string DescribeSignature(const Signature& signature, int depth) {
  std::string out = "(";
  for (const Formal& formal : signature.formals) {
    if (out.size() > 1) out += "; ";
    if (formal.mode == ParameterMode::kVar) out += "VAR ";
    if (formal.mode == ParameterMode::kReadonly) out += "READONLY ";
    out += formal.name + ": " + Describe(formal.type, depth + 1);
  }
  out += ")";
  if (signature.result != nullptr) out += ": " + Describe(signature.result, depth + 1);
  if (signature.raises_any) {
    out += " RAISES ANY";
  } else if (!signature.raises.empty()) {
    out += " RAISES {";
    for (size_t i = 0; i < signature.raises.size(); ++i) {
      out += (i == 0 ? "" : ", ") + signature.raises[i]->name;
    }
    out += "}";
  }
  return out;
}

std::string DescribeFields(const std::vector<Field>& fields, int depth) {
  std::string out;
  for (const Field& field : fields) {
    out += (out.empty() ? " " : "; ") + field.name + ": " + Describe(field.type, depth + 1);
  }
  return out;
}

std::string Describe(const Type* type, int depth) {
  if (type == nullptr) return "?";
  if (!type->name.empty()) return type->name;
  if (depth > 3) return "...";
  switch (type->kind) {
    case TypeKind::kEnumeration: {
      const auto* enumeration = As<EnumerationType>(type);
      std::string out = "{";
      for (size_t i = 0; i < enumeration->elements.size(); ++i) {
        if (i == 6 && enumeration->elements.size() > 8) return out + ", ...}";
        out += (i == 0 ? "" : ", ") + enumeration->elements[i];
      }
      return out + "}";
    }
    case TypeKind::kSubrange: {
      const auto* subrange = As<SubrangeType>(type);
      return "[" + OrdinalToString(subrange->base, subrange->low) + ".." +
             OrdinalToString(subrange->base, subrange->high) + "]";
    }
    case TypeKind::kArray: {
      const auto* array = As<ArrayType>(type);
      return std::string(array->transient ? "<*TRANSIENT*> " : "") + "ARRAY " +
             Describe(array->index, depth + 1) + " OF " + Describe(array->element, depth + 1);
    }
    case TypeKind::kOpenArray:
      return std::string(As<OpenArrayType>(type)->transient ? "<*TRANSIENT*> " : "") + "ARRAY OF " +
             Describe(As<OpenArrayType>(type)->element, depth + 1);
    case TypeKind::kRecord:
      return std::string(As<RecordType>(type)->transient ? "<*TRANSIENT*> " : "") + "RECORD" +
             DescribeFields(As<RecordType>(type)->fields, depth) + " END";
    case TypeKind::kPacked:
      return "BITS " + std::to_string(As<PackedType>(type)->bits) + " FOR " +
             Describe(As<PackedType>(type)->base, depth + 1);
    case TypeKind::kSet: return "SET OF " + Describe(As<SetType>(type)->element, depth + 1);
    case TypeKind::kRef: {
      const auto* ref = As<RefType>(type);
      return std::string(ref->transient ? "<*TRANSIENT*> " : "") +
             (ref->traced ? "" : "UNTRACED ") +
             (ref->brand ? "BRANDED \"" + *ref->brand + "\" " : "") + "REF " +
             Describe(ref->referent, depth + 1);
    }
    case TypeKind::kObject: {
      const auto* object = As<ObjectType>(type);
      return Describe(object->super, depth + 1) +
             (object->brand ? " BRANDED \"" + *object->brand + "\"" : "") + " OBJECT" +
             DescribeFields(object->fields, depth) + " END";
    }
    case TypeKind::kProcedure:
      return "PROCEDURE " + DescribeSignature(As<ProcedureType>(type)->signature, depth);
    default: return "?";
  }
}

}  // namespace

std::string ElementToString(const Type* base, int64_t value, const std::string& name) {
  const auto* enumeration = As<EnumerationType>(base);
  if (enumeration != nullptr && value >= 0 &&
      value < static_cast<int64_t>(enumeration->elements.size())) {
    const std::string& element = enumeration->elements[static_cast<size_t>(value)];
    const bool plain = name.empty() || enumeration->builtin != EnumerationType::Builtin::kNone;
    return plain ? element : name + "." + element;
  }
  return OrdinalToString(base, value);
}

std::string SignatureToString(const Signature& signature) {
  return DescribeSignature(signature, 0);
}

std::string TypeToString(const Type* type) { return Describe(type, 0); }

std::string ValueToString(const Type* type) {
  if (const auto* enumeration = As<EnumerationType>(type)) {
    if (enumeration->builtin != EnumerationType::Builtin::kNone) return enumeration->name;
    std::string out;
    for (const std::string& element : enumeration->elements) {
      out += (out.empty() ? "{" : ", ") + element;
    }
    return out.empty() ? "{}" : out + "}";
  }
  if (const auto* subrange = As<SubrangeType>(type)) {
    if (subrange->is_cardinal) return subrange->name;
    const auto* base = As<EnumerationType>(subrange->base);
    if (base != nullptr && base->builtin == EnumerationType::Builtin::kNone) {
      return ValueToString(base) + " [" + std::to_string(subrange->low) + ".." +
             std::to_string(subrange->high) + "]";
    }
    const std::string low = OrdinalToString(subrange->base, subrange->low);
    const std::string high = OrdinalToString(subrange->base, subrange->high);
    // Characters whose bounds are written as numbers; BOOLEAN's elements have names.
    const bool characters = base != nullptr && low[0] != '\'' && high[0] != '\'' &&
                            base->builtin != EnumerationType::Builtin::kBoolean;
    return (characters ? base->name + " " : "") + "[" + low + ".." + high + "]";
  }
  if (const auto* array = As<ArrayType>(type)) {
    return "ARRAY " + ValueToString(array->index) + " OF " + ValueToString(array->element);
  }
  if (const auto* packed = As<PackedType>(type)) {
    return "BITS " + std::to_string(packed->bits) + " FOR " + ValueToString(packed->base);
  }
  if (const auto* set = As<SetType>(type)) return "SET OF " + ValueToString(set->element);
  if (const auto* procedure = As<ProcedureType>(type)) {
    return "PROCEDURE " + DescribeSignature(procedure->signature, 0);
  }
  const auto* record = As<RecordType>(type);
  if (record == nullptr) return TypeToString(type);
  std::string out;
  for (const Field& field : record->fields) {
    out += (out.empty() ? " " : "; ") + field.name + ": " + ValueToString(field.type);
  }
  return "RECORD" + out + " END";
}

}  // namespace tenure::compiler
