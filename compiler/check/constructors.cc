// Set, array and record constructors, and NEW (docs/language.md 18).
#include "compiler/check/constructors.h"

#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

// Constant arrays longer than this stay constructors with a repeated last element.
constexpr int64_t kLongestConstantArray = int64_t{1} << 22;

// Compares two constants of this type; the rows within each have one shape.
bool HaveSameShape(const Constant* a, const Constant* b, const Type* type) {
  for (const auto* open = As<OpenArrayType>(type); open != nullptr;
       open = As<OpenArrayType>(open->element)) {
    if (a->components.size() != b->components.size()) return false;
    if (a->components.empty()) return true;
    a = a->components[0];
    b = b->components[0];
  }
  return true;
}

}  // namespace

Expr* ConstructorChecker::CheckConstructor(const ast::ConstructorExpr* tree) {
  Type* type = c_.ResolveType(tree->type);
  auto check_elements_only = [&] {
    for (const ast::ConstructorElement& element : tree->elements) {
      c_.CheckOperand(element.value);
      if (element.high != nullptr) c_.CheckOperand(element.high);
    }
    return c_.MakeError(tree->span);
  };
  if (c_.IsError(type)) return check_elements_only();
  c_.SettleFor({type});
  Type* stripped = StripPacked(type);
  const bool makes =
      c_.SeeThrough(stripped)->kind == TypeKind::kRef || c_.KnownObject(stripped) != nullptr;
  if (makes) {
    auto error = c_.Error(MessageId::kNoConstructor, tree->type->span, TypeToString(type));
    advisor_.Advise(error, advisor_.ConstructorAdvice(tree, type));
    return check_elements_only();
  }
  for (const ast::ConstructorElement& element : tree->elements) {
    if (element.keyword.name && stripped->kind != TypeKind::kRecord) {
      c_.Error(MessageId::kConstructorKeyword, element.span).Hint("write only the value");
      return check_elements_only();
    }
    if (element.high != nullptr && stripped->kind != TypeKind::kSet) {
      c_.Error(MessageId::kConstructorRange, element.span)
          .Hint(stripped->kind == TypeKind::kArray
                    ? "the elements of an array are written one by one; "
                      "', ..' repeats the last one"
                    : "write each value");
      return check_elements_only();
    }
  }
  if (tree->has_trailing_dots && stripped->kind != TypeKind::kArray) {
    c_.Error(MessageId::kConstructorDots, tree->dots_span)
        .Hint(stripped->kind == TypeKind::kOpenArray
                  ? "give the type its bounds: ARRAY [0..9] OF T{x, ..}"
                  : "write all elements");
    return check_elements_only();
  }
  if (auto* set = As<SetType>(stripped)) return CheckSetConstructor(tree, type, set);
  if (auto* record = As<RecordType>(stripped)) return CheckRecordConstructor(tree, type, record);
  if (stripped->kind == TypeKind::kArray || stripped->kind == TypeKind::kOpenArray) {
    return CheckArrayConstructor(tree, type, stripped);
  }
  c_.Error(MessageId::kNoConstructor, tree->type->span, TypeToString(type))
      .Hint("records, arrays and sets have constructors");
  return check_elements_only();
}

Expr* ConstructorChecker::CheckSetConstructor(const ast::ConstructorExpr* tree, Type* type,
                                              SetType* set) {
  auto* node = c_.Node<SetConstructorExpr>(tree->span, type);
  Constant* constant = c_.Make<Constant>();
  constant->kind = Constant::Kind::kSet;
  const int64_t first = FirstOf(set->element), last = LastOf(set->element);
  const int64_t count = last < first ? 0 : last - first + 1;
  constant->set_words.resize(static_cast<size_t>((count + 63) / 64));
  bool is_constant = true, ok = true;
  for (const ast::ConstructorElement& element : tree->elements) {
    SetConstructorExpr::Element checked;
    checked.low = c_.Convert(c_.CheckExpr(element.value), set->element, Destination::kStore,
                             element.value->span, {.kind = Receiver::Kind::kElement, .type = type});
    if (element.high != nullptr) {
      checked.high =
          c_.Convert(c_.CheckExpr(element.high), set->element, Destination::kStore,
                     element.high->span, {.kind = Receiver::Kind::kElement, .type = type});
    }
    ok = ok && !c_.IsError(checked.low) && (checked.high == nullptr || !c_.IsError(checked.high));
    node->elements.push_back(checked);
    const Constant* low = c_.OrdinalConstant(checked.low);
    const Constant* high = checked.high == nullptr ? low : c_.OrdinalConstant(checked.high);
    if (low == nullptr || high == nullptr) {
      is_constant = false;
      continue;
    }
    if (!ok) continue;
    if (low->ordinal > high->ordinal) continue;
    // Counts bits, since the ordinal after LAST(INTEGER) does not exist.
    for (int64_t bit = low->ordinal - first; bit <= high->ordinal - first; ++bit) {
      constant->set_words[static_cast<size_t>(bit / 64)] |= uint64_t{1} << (bit % 64);
    }
  }
  if (!ok) return c_.MakeError(tree->span);
  if (is_constant) return c_.MakeConstant(constant, type, tree->span);
  return node;
}

Expr* ConstructorChecker::CheckArrayConstructor(const ast::ConstructorExpr* tree, Type* type,
                                                Type* array) {
  auto* fixed = As<ArrayType>(array);
  Type* element_type = fixed != nullptr ? fixed->element : As<OpenArrayType>(array)->element;
  auto* node = c_.Node<ArrayConstructorExpr>(tree->span, type);
  bool is_constant = true, ok = true;
  for (const ast::ConstructorElement& element : tree->elements) {
    Expr* value = c_.CheckExpr(element.value);
    if (!c_.IsError(value)) {
      const bool open = StripPacked(element_type)->kind == TypeKind::kOpenArray;
      if (!open || c_.Assignable(value->type, element_type) != Assignability::kYes) {
        value = c_.Convert(value, element_type, Destination::kStore, element.value->span,
                           {.kind = Receiver::Kind::kElement, .type = type});
      }
    }
    ok = ok && !c_.IsError(value);
    is_constant = is_constant && c_.ConstantOf(value) != nullptr;
    node->elements.push_back(value);
  }
  if (!ok) return c_.MakeError(tree->span);
  const auto given = static_cast<int64_t>(node->elements.size());
  int64_t count = given;
  if (fixed != nullptr) {
    count = ElementCountOf(fixed);
    const bool repeats = tree->has_trailing_dots && given > 0;
    if (given > count || (given < count && !repeats)) {
      auto error =
          c_.Error(MessageId::kArrayElementCount, tree->span, TypeToString(type), count, given);
      advisor_.NoteDeclaration(error, type);
      const SourceSpan end{tree->span.file, tree->span.end - 1, tree->span.end - 1};
      if (given > count) {
        error.Hint("leave " + std::to_string(given - count) +
                   (given - count == 1 ? " element out" : " elements out") +
                   ", or give the array more elements");
      } else if (given > 0) {
        error.Hint("write the other " + std::to_string(count - given) +
                   " too, or ', ..' at the end to repeat the last one: " +
                   ShortSource({end.file, tree->span.begin, end.begin}) + ", ..}");
      } else {
        error.Hint("write the elements");
      }
      return c_.MakeError(tree->span);
    }
    node->repeat_last = given < count;
  }
  // Rows of different lengths are an error at run time.
  is_constant =
      is_constant && std::all_of(node->elements.begin(), node->elements.end(), [&](Expr* element) {
        return HaveSameShape(c_.ConstantOf(node->elements[0]), c_.ConstantOf(element),
                             element_type);
      });
  if (!is_constant || count > kLongestConstantArray) return node;
  Constant* constant = c_.Make<Constant>();
  constant->kind = Constant::Kind::kArray;
  constant->components.reserve(static_cast<size_t>(count));
  for (Expr* element : node->elements) constant->components.push_back(c_.ConstantOf(element));
  if (fixed != nullptr && given > 0)
    constant->components.resize(static_cast<size_t>(count), constant->components.back());
  return c_.MakeConstant(constant, type, tree->span);
}

Expr* ConstructorChecker::CheckRecordConstructor(const ast::ConstructorExpr* tree, Type* type,
                                                 RecordType* record) {
  const size_t count = record->fields.size();
  std::vector<Expr*> values(count, nullptr);
  bool ok = true, keyword_seen = false;
  for (size_t i = 0; i < tree->elements.size(); ++i) {
    const ast::ConstructorElement& element = tree->elements[i];
    Expr* value = c_.CheckExpr(element.value);
    size_t at = count;
    if (element.keyword.name) {
      keyword_seen = true;
      for (size_t f = 0; f < count; ++f) {
        if (element.keyword.name == record->fields[f].name) at = f;
      }
      if (at == count) {
        c_.ReportMissing(MessageId::kNoSuchField, type, element.keyword);
      } else if (values[at] != nullptr) {
        c_.Error(MessageId::kBoundTwice, element.span, element.keyword.name);
      }
    } else if (keyword_seen) {
      c_.Error(MessageId::kPositionalAfterKeyword, element.span);
    } else if (i >= count) {
      auto error = c_.Error(MessageId::kTooManyFields, element.span, TypeToString(type), count);
      advisor_.NoteDeclaration(error, type);
      error.Hint("leave this value out");
    } else {
      at = i;
    }
    if (at == count) {
      ok = false;
      continue;
    }
    values[at] =
        c_.Convert(value, record->fields[at].type, Destination::kStore, element.value->span,
                   {.kind = Receiver::Kind::kField, .name = record->fields[at].name, .type = type});
    ok = ok && !c_.IsError(values[at]);
  }
  auto* node = c_.Node<RecordConstructorExpr>(tree->span, type);
  bool is_constant = true;
  for (size_t f = 0; f < count; ++f) {
    if (values[f] == nullptr) {
      if (c_.IsError(record->fields[f].type)) {
        ok = false;
        continue;
      }
      if (record->fields[f].default_value == nullptr) {
        if (ok) {
          auto error = c_.Error(MessageId::kFieldUnbound, tree->span, record->fields[f].name,
                                TypeToString(type));
          advisor_.NoteDeclaration(error, type);
          error.Hint("add " + record->fields[f].name + " := ... with a value of type " +
                     TypeToString(record->fields[f].type));
        }
        ok = false;
        continue;
      }
      values[f] =
          c_.MakeConstant(record->fields[f].default_value, record->fields[f].type, tree->span);
    }
    is_constant = is_constant && c_.ConstantOf(values[f]) != nullptr;
    node->fields.push_back(values[f]);
  }
  if (!ok) return c_.MakeError(tree->span);
  if (!is_constant) return node;
  Constant* constant = c_.Make<Constant>();
  constant->kind = Constant::Kind::kRecord;
  for (Expr* field : node->fields) constant->components.push_back(c_.ConstantOf(field));
  return c_.MakeConstant(constant, type, tree->span);
}

// --- NEW ---

Operand ConstructorChecker::CheckNew(const ast::CallExpr* tree) {
  if (tree->actuals.empty()) {
    c_.Error(MessageId::kBuiltinArity, tree->span, "NEW", "at least 1", 0)
        .Hint("the form is " + BuiltinForm(BuiltinName::kNew));
    return {};
  }
  Type* type =
      tree->actuals[0].keyword.name ? nullptr : c_.CheckTypeOperand(tree->actuals[0].value, tree);
  auto* node = c_.Node<NewExpr>(tree->span, type);
  auto check_bindings_only = [&] {
    for (size_t i = 1; i < tree->actuals.size(); ++i) c_.CheckOperand(tree->actuals[i].value);
    return Operand();
  };
  if (type == nullptr) {
    if (tree->actuals[0].keyword.name) {
      c_.Error(MessageId::kNewType, tree->actuals[0].span, "a value")
          .Hint("the form is " + BuiltinForm(BuiltinName::kNew));
    }
    return check_bindings_only();
  }
  c_.Settle();
  node->type = StripPacked(type);
  node->allocated = node->type;
  Type* seen = c_.SeeThrough(type);
  if (c_.IsError(seen)) return check_bindings_only();
  if (auto* ref = As<RefType>(seen)) {
    c_.Complete(ref);
    Type* referent = ref->referent;
    if (referent == nullptr || c_.IsError(referent)) return check_bindings_only();
    if (IsEmptyType(referent)) {
      c_.Error(MessageId::kEmptyType, tree->actuals[0].span, "the referent of NEW",
               TypeToString(referent));
      return check_bindings_only();
    }
    Type* stripped = StripPacked(referent);
    if (auto* record = As<RecordType>(stripped)) {
      CheckNewRecord(tree, record, node);
    } else if (stripped->kind == TypeKind::kOpenArray) {
      CheckNewArray(tree, stripped, node);
    } else if (tree->actuals.size() > 1) {
      auto error = c_.Error(MessageId::kNewArguments, tree->actuals[1].span, TypeToString(type));
      advisor_.NoteDeclaration(error, type);
      const std::string name = advisor_.TypeHere(type);
      if (stripped->kind == TypeKind::kArray) {
        error.Hint("the length of this array is fixed: write NEW(" + name + ")");
      } else {
        error.Hint("assign the value behind NEW: p := NEW(" + (name.empty() ? "T" : name) +
                   "); p^ := ...");
      }
      return check_bindings_only();
    }
  } else if (c_.KnownObject(type) != nullptr) {
    CheckNewObject(tree, type, node);
  } else if (StripPacked(type)->kind == TypeKind::kOpaque) {
    DiagnosticBuilder error =
        c_.Error(MessageId::kNewOpaque, tree->actuals[0].span, TypeToString(type));
    advisor_.NoteDeclaration(error, type);
    advisor_.SuggestMaker(type, error);
    return check_bindings_only();
  } else {
    auto error = c_.Error(MessageId::kNewType, tree->actuals[0].span, TypeToString(type));
    advisor_.NoteDeclaration(error, type);
    advisor_.Advise(error, advisor_.NewAdvice(tree, type));
    return check_bindings_only();
  }
  return c_.Value(node);
}

void ConstructorChecker::ReportPositional(const ast::Actual& actual, size_t at, Type* type) {
  auto error = c_.Error(MessageId::kNewPositional, actual.span);
  const std::vector<std::string> names = advisor_.FieldNames(type);
  if (at >= names.size()) return;
  const SourceSpan place{actual.span.file, actual.span.begin, actual.span.begin};
  error.Hint("write " + names[at] + " := " + ShortSource(actual.span))
      .Fix(place, names[at] + " := ");
}

void ConstructorChecker::CheckNewArray(const ast::CallExpr* tree, Type* array, NewExpr* node) {
  size_t dimensions = 0;
  for (Type* t = array; t->kind == TypeKind::kOpenArray;
       t = StripPacked(As<OpenArrayType>(t)->element))
    ++dimensions;
  if (tree->actuals.size() - 1 != dimensions) {
    const std::string name = ShortSource(tree->actuals[0].span);
    c_.Error(MessageId::kNewLengths, tree->span, dimensions, tree->actuals.size() - 1)
        .Hint("the lengths of the open dimensions follow the type: NEW(" + name +
              (dimensions == 1 ? ", n)" : ", n, m)"));
  }
  for (size_t i = 1; i < tree->actuals.size(); ++i) {
    const ast::Actual& actual = tree->actuals[i];
    if (actual.keyword.name)
      c_.Error(MessageId::kNewArguments, actual.span, TypeToString(node->type));
    Expr* length = c_.CheckExpr(actual.value);
    if (c_.IsError(length)) continue;
    if (BaseType(length->type)->kind != TypeKind::kInteger) {
      auto error =
          c_.Error(MessageId::kNotInteger, actual.span, "a length", TypeToString(length->type));
      advisor_.Advise(error, advisor_.WayTo(length, actual.value->span, c_.types().integer));
      continue;
    }
    length = c_.ToBase(length);
    const Constant* constant = c_.OrdinalConstant(length);
    if (constant != nullptr && constant->ordinal < 0)
      c_.Warn(MessageId::kConstantOutOfRange, actual.span, "CARDINAL");
    node->lengths.push_back(length);
  }
}

void ConstructorChecker::CheckNewRecord(const ast::CallExpr* tree, RecordType* record,
                                        NewExpr* node) {
  std::set<size_t> bound;
  for (size_t i = 1; i < tree->actuals.size(); ++i) {
    const ast::Actual& actual = tree->actuals[i];
    Expr* value = c_.CheckExpr(actual.value);
    if (!actual.keyword.name) {
      ReportPositional(actual, i - 1, node->type);
      continue;
    }
    size_t at = 0;
    while (at < record->fields.size() && !(actual.keyword.name == record->fields[at].name)) ++at;
    if (at == record->fields.size()) {
      c_.ReportMissing(MessageId::kNoSuchField, record, actual.keyword);
      continue;
    }
    if (!bound.insert(at).second) {
      c_.Error(MessageId::kBoundTwice, actual.span, actual.keyword.name);
      continue;
    }
    NewExpr::Binding binding;
    binding.record = record;
    binding.field = at;
    binding.value = c_.Convert(
        value, record->fields[at].type, Destination::kStore, actual.value->span,
        {.kind = Receiver::Kind::kField, .name = record->fields[at].name, .type = node->type});
    node->bindings.push_back(binding);
  }
}

void ConstructorChecker::CheckNewObject(const ast::CallExpr* tree, Type* type, NewExpr* node) {
  std::set<std::string_view> bound;
  ObjectType* subtype = nullptr;
  for (size_t i = 1; i < tree->actuals.size(); ++i) {
    const ast::Actual& actual = tree->actuals[i];
    Expr* value = c_.CheckExpr(actual.value);
    if (!actual.keyword.name) {
      ReportPositional(actual, i - 1, type);
      continue;
    }
    const Member member = c_.FindMember(type, actual.keyword.name.view());
    if (member.kind == Member::Kind::kNone) {
      c_.ReportMissing(MessageId::kNoSuchMember, type, actual.keyword);
      continue;
    }
    if (!bound.insert(actual.keyword.name.view()).second) {
      c_.Error(MessageId::kBoundTwice, actual.span, actual.keyword.name);
      continue;
    }
    if (member.kind == Member::Kind::kField) {
      NewExpr::Binding binding;
      binding.object = member.object;
      binding.field = member.index;
      binding.value = c_.Convert(value, member.object->fields[member.index].type,
                                 Destination::kStore, actual.value->span,
                                 {.kind = Receiver::Kind::kField,
                                  .name = member.object->fields[member.index].name,
                                  .type = type});
      node->bindings.push_back(binding);
      continue;
    }
    // A method: NEW of an anonymous subtype (18.4.4).
    if (c_.IsError(value)) continue;
    const Constant* constant = c_.ConstantOf(value);
    if (constant == nullptr ||
        (constant->kind != Constant::Kind::kProcedure && constant->kind != Constant::Kind::kNil)) {
      c_.Error(MessageId::kMethodNotProcedure, actual.value->span,
               "a value of type " + TypeToString(value->type));
      continue;
    }
    if (subtype == nullptr) {
      subtype = c_.types().New<ObjectType>();
      const ObjectType* known = c_.KnownObject(type);
      subtype->super = StripPacked(type);
      subtype->traced = known->traced;
      subtype->transient = known->transient;
    }
    Override overriding;
    overriding.name = actual.keyword.name.str();
    overriding.method_type = member.object;
    overriding.method = member.index;
    if (constant->kind == Constant::Kind::kProcedure) {
      overriding.procedure = constant->procedure;
      constant->procedure->address_taken = true;
      Type* procedure_type = value->type;
      c_.Verify([this, subtype, member, constant, procedure_type, span = actual.value->span,
                 name = actual.keyword.name] {
        c_.VerifyMethodValue(subtype, &member.object->methods[member.index].signature,
                             constant->procedure, procedure_type, span, name);
      });
    }
    subtype->overrides.push_back(overriding);
  }
  if (subtype != nullptr) {
    std::sort(subtype->overrides.begin(), subtype->overrides.end(),
              [](const Override& a, const Override& b) { return a.name < b.name; });
    node->allocated = subtype;
  }
}

}  // namespace tenure::compiler
