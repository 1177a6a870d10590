// Where two types differ that do not fit, for messages.
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

const char* ModeWord(ParameterMode mode) {
  switch (mode) {
    case ParameterMode::kValue: return "VALUE ";
    case ParameterMode::kVar: return "VAR ";
    case ParameterMode::kReadonly: return "READONLY ";
  }
  return "";
}

const Type* ElementOf(const Type* type) {
  if (const auto* array = As<ArrayType>(type)) return array->element;
  if (const auto* open = As<OpenArrayType>(type)) return open->element;
  return nullptr;
}

std::string Count(size_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

std::string Advisor::SignatureDifference(const Signature& wanted, const Signature& found,
                                         bool skip_first) {
  const size_t skip = skip_first ? 1 : 0;
  const size_t given = found.formals.size() - std::min(skip, found.formals.size());
  if (wanted.formals.size() != given) {
    return "expected " + Count(wanted.formals.size(), "formal") + ", found " +
           std::to_string(given) + (skip_first ? " behind the one for the object" : "");
  }
  for (size_t i = 0; i < wanted.formals.size(); ++i) {
    const Formal &want = wanted.formals[i], &have = found.formals[i + skip];
    const bool modes = want.mode != have.mode;
    if (!modes && SameTypeIn(*c_.unit_, want.type, have.type)) continue;
    const auto describe = [&](const Formal& formal) {
      return (modes ? ModeWord(formal.mode) : "") + formal.name + ": " + TypeToString(formal.type);
    };
    return "formal " + std::to_string(i + skip + 1) + " differs: expected " + describe(want) +
           ", found " + describe(have);
  }
  const auto result_of = [](const Signature& signature) {
    return signature.result == nullptr ? std::string("no result") : TypeToString(signature.result);
  };
  if ((wanted.result == nullptr) != (found.result == nullptr) ||
      (wanted.result != nullptr && !SameTypeIn(*c_.unit_, wanted.result, found.result))) {
    return "the results differ: expected " + result_of(wanted) + ", found " + result_of(found);
  }
  if (found.raises_any) return "it RAISES ANY, which is not expected here";
  for (const Exception* exception : found.raises) {
    if (exception->implicit || std::ranges::find(wanted.raises, exception) != wanted.raises.end())
      continue;
    return "it may raise " + exception->name + ", which is not expected here: handle it inside";
  }
  return {};
}

std::string Advisor::Difference(Type* from, Type* to) {
  const Type *from_element = ElementOf(from), *to_element = ElementOf(to);
  if (from_element != nullptr && to_element != nullptr) {
    const auto *a = As<ArrayType>(from), *b = As<ArrayType>(to);
    if (!SameTypeIn(*c_.unit_, const_cast<Type*>(from_element), const_cast<Type*>(to_element))) {
      const bool rows = ElementOf(from_element) != nullptr || ElementOf(to_element) != nullptr;
      if (rows) return {};
      return "arrays need elements of the same type, and " + TypeToString(from_element) + " and " +
             TypeToString(to_element) + " are different types; assign each element";
    }
    if (a != nullptr && b != nullptr) {
      return "the lengths differ: expected " + std::to_string(ElementCountOf(b)) + ", found " +
             std::to_string(ElementCountOf(a)) +
             "; SUBARRAY(x, 0, n) := SUBARRAY(y, 0, n) copies n elements";
    }
    return {};
  }
  if (from_element != nullptr || to_element != nullptr) {
    const Type* element = from_element != nullptr ? from_element : to_element;
    Type* other = from_element != nullptr ? to : from;
    if (ask_.Assignable(const_cast<Type*>(element), other) == Assignability::kNo) return {};
    return from_element != nullptr ? "an element is written with its subscript: a[i]"
                                   : "an element of the array takes it: a[i] := ...";
  }
  if (const auto *a = As<RecordType>(from), *b = As<RecordType>(to); a != nullptr && b != nullptr) {
    if (a->fields.size() != b->fields.size()) {
      return "records need the same fields: expected " + Count(b->fields.size(), "field") +
             ", found " + std::to_string(a->fields.size());
    }
    for (size_t i = 0; i < a->fields.size(); ++i) {
      const Field &have = a->fields[i], &want = b->fields[i];
      if (have.name == want.name && SameTypeIn(*c_.unit_, have.type, want.type)) continue;
      return "records need the same fields, and field " + std::to_string(i + 1) +
             " differs: expected " + want.name + ": " + TypeToString(want.type) + ", found " +
             have.name + ": " + TypeToString(have.type);
    }
    return "records need the same defaults and field types";
  }
  if (const auto *a = As<ProcedureType>(from), *b = As<ProcedureType>(to);
      a != nullptr && b != nullptr) {
    return SignatureDifference(b->signature, a->signature, false);
  }
  if (const auto *a = As<SetType>(from), *b = As<SetType>(to); a != nullptr && b != nullptr) {
    return "the element types differ: expected " + TypeToString(b->element) + ", found " +
           TypeToString(a->element);
  }
  if (IsOrdinal(from) && IsOrdinal(to)) {
    if (ask_.Same(BaseType(from), BaseType(to))) return "no value is in both ranges";
    return {};
  }
  if (IsReference(from) && IsReference(to)) {
    if (IsTracedReference(from) != IsTracedReference(to) && from->kind != TypeKind::kNull)
      return "one is traced, and the other UNTRACED or ADDRESS";
    const auto *a = As<RefType>(c_.SeeThrough(from)), *b = As<RefType>(c_.SeeThrough(to));
    if (a != nullptr && b != nullptr && a->referent != nullptr && b->referent != nullptr &&
        !SameTypeIn(*c_.unit_, a->referent, b->referent)) {
      return "they refer to different types: expected REF " + TypeToString(b->referent) +
             ", found REF " + TypeToString(a->referent);
    }
    return "neither type is a subtype of the other";
  }
  return {};
}

}  // namespace tenure::compiler
