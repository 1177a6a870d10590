// Proposals for selections, subscripts and calls of things that have no parts or are not
// procedures.
#include <algorithm>
#include <cctype>

#include "compiler/check/advice.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/check/suggest_names.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

SourceSpan Before(SourceSpan span) { return {span.file, span.begin, span.begin}; }
SourceSpan Between(SourceSpan left, SourceSpan right) { return {left.file, left.end, right.begin}; }

struct TextMember {
  std::string_view name;  // as other languages write it, in small letters
  std::string_view procedure;
  bool same_actuals;  // a call means the same with the text in front of its actuals
};
constexpr TextMember kTextMembers[] = {
    {"length", "Length", true},     {"len", "Length", true},      {"size", "Length", true},
    {"count", "Length", true},      {"charat", "GetChar", true},  {"at", "GetChar", true},
    {"getchar", "GetChar", true},   {"equals", "Equal", true},    {"equal", "Equal", true},
    {"compareto", "Compare", true}, {"compare", "Compare", true}, {"isempty", "Empty", true},
    {"is_empty", "Empty", true},    {"empty", "Empty", true},     {"concat", "Cat", true},
    {"hashcode", "Hash", true},     {"hash", "Hash", true},       {"substring", "Sub", false},
    {"substr", "Sub", false},       {"sub", "Sub", false},        {"slice", "Sub", false},
    {"indexof", "FindChar", false}, {"find", "FindChar", false},  {"index", "FindChar", false},
};

bool IsLengthName(const std::string& name) {
  return name == "length" || name == "len" || name == "size" || name == "count" ||
         name == "number" || name == "high";
}

const Type* ElementOf(const Type* type) {
  if (const auto* array = As<ArrayType>(type)) return array->element;
  if (const auto* open = As<OpenArrayType>(type)) return open->element;
  return nullptr;
}

// The span of the bracket that opens the call's actuals.
SourceSpan OpeningBracket(const ast::CallExpr* call) {
  const SourceSpan callee = call->callee->span;
  const size_t at = callee.file->text().find('(', callee.end);
  const auto begin = static_cast<uint32_t>(at);
  return callee.file->Span(begin, begin + 1);
}

}  // namespace

// Puts `before` in front of the selected value. The selector becomes `behind`, or the beginning of
// the actuals if the selection is called.
Advice Advisor::SelectionAsCall(const ast::SelectExpr* tree, const std::string& before,
                                const Advice& import) {
  const SourceSpan operand = tree->operand->span;
  Advice advice;
  advice.fixes.push_back({Before(operand), before});
  if (c_.called_ != nullptr && c_.called_->callee == tree) {
    const SourceSpan bracket = OpeningBracket(c_.called_);
    const bool none = c_.called_->actuals.empty();
    advice.fixes.push_back({{operand.file, operand.end, bracket.end}, none ? "" : ", "});
    std::string actuals;
    for (const ast::Actual& actual : c_.called_->actuals)
      actuals += ", " + ShortSource(actual.span);
    advice.text = "write " + before + ShortSource(operand) + actuals + ")" + import.text;
  } else {
    advice.fixes.push_back({{operand.file, operand.end, tree->span.end}, ")"});
    advice.text = "write " + before + ShortSource(operand) + ")" + import.text;
  }
  advice.fixes.insert(advice.fixes.end(), import.fixes.begin(), import.fixes.end());
  return advice;
}

Advice Advisor::MemberAdvice(const Expr* value, const ast::SelectExpr* tree) {
  Type* type = c_.SeeThrough(value->type);
  const std::string name = Lower(tree->selector.name.view());
  const std::string source = ShortSource(tree->operand->span);
  if (name == "tostring" || name == "to_string" || name == "string" || name == "str") {
    Advice advice = WayToText(value, tree->operand->span);
    if (advice.fixes.size() < 2) return {};
    SourceSpan rest{tree->span.file, tree->operand->span.end, tree->span.end};
    if (c_.called_ != nullptr && c_.called_->callee == tree) {
      if (!c_.called_->actuals.empty()) return {};
      rest.end = c_.called_->span.end;
    }
    advice.fixes[1] = {rest, ")"};
    return advice;
  }
  if (StripPacked(value->type) == c_.types().text) {
    for (const TextMember& member : kTextMembers) {
      if (member.name != name) continue;
      Advice import;
      const std::string call =
          InterfaceHere("Text", &import) + "." + std::string(member.procedure) + "(";
      Advice advice = SelectionAsCall(tree, call, import);
      if (!member.same_actuals) {
        advice.text = "the library has Text." + std::string(member.procedure) +
                      (member.procedure == "Sub" ? "(t, start, length)" : "(t, char, start)");
      }
      if (!member.same_actuals || import.no_fix) advice.fixes.clear();
      return advice;
    }
    return {"a TEXT has no fields or methods; interface Text has procedures for texts", {}};
  }
  const auto* ref = As<RefType>(type);
  Type* array = ref != nullptr ? StripPacked(ref->referent) : type;
  if (const Type* element = ElementOf(array)) {
    if (IsLengthName(name)) {
      if (ref == nullptr) return SelectionAsCall(tree, "NUMBER(", {});
      return {"write NUMBER(" + source + "^)", {}};
    }
    Type* base = StripPacked(const_cast<Type*>(element));
    const auto* record = As<RecordType>(base);
    const bool has =
        record != nullptr && std::ranges::any_of(record->fields, [&](const Field& field) {
          return field.name == tree->selector.name.view();
        });
    if (has || ask_.FindMember(base, tree->selector.name.view()).kind != Member::Kind::kNone) {
      return {"an element has it: " + source + "[i]." + tree->selector.name.str(), {}};
    }
    return {};
  }
  if (type->kind == TypeKind::kRefany || type == c_.types().root) {
    return {"NARROW(" + source + ", T)." + tree->selector.name.str() +
                " looks at it as a T; TYPECASE asks which type it has",
            {}};
  }
  return {};
}

Advice Advisor::SubscriptAdvice(const Expr* array, const ast::SubscriptExpr* tree) {
  Type* type = c_.SeeThrough(array->type);
  const SourceSpan whole = tree->span;
  const std::string source = ShortSource(tree->operand->span);
  if (StripPacked(array->type) == c_.types().text) {
    if (c_.assigned_ == tree) {
      return {"a TEXT does not change; make a new one: Text.Sub(" + source +
                  ", 0, i) & \"x\" & Text.Sub(" + source + ", i + 1)",
              {}};
    }
    if (tree->indices.size() != 1) return {};
    const SourceSpan index = tree->indices[0]->span;
    Advice import;
    const std::string call = InterfaceHere("Text", &import) + ".GetChar(";
    Advice advice{"write " + call + source + ", " + ShortSource(index) + ")" + import.text, {}};
    if (import.no_fix) return advice;
    advice.fixes = {{Before(whole), call},
                    {Between(tree->operand->span, index), ", "},
                    {{whole.file, index.end, whole.end}, ")"}};
    advice.fixes.insert(advice.fixes.end(), import.fixes.begin(), import.fixes.end());
    return advice;
  }
  if (array->kind == ExprKind::kSubscript && ElementOf(type) == nullptr)
    return {"the array has fewer dimensions than subscripts are written here", {}};
  const auto* ref = As<RefType>(type);
  const auto* record = As<RecordType>(ref != nullptr ? StripPacked(ref->referent) : type);
  if (record != nullptr && !record->fields.empty())
    return {"a field is selected by its name: " + source + "." + record->fields[0].name, {}};
  if (As<ProcedureType>(type) != nullptr)
    return {"a procedure is called with ( ): " + source + "(...)", {}};
  return {};
}

Advice Advisor::NotProcedureAdvice(const Expr* value, const ast::CallExpr* tree) {
  const std::string source = ShortSource(tree->callee->span);
  const Type* type = c_.SeeThrough(value->type);
  const auto* ref = As<RefType>(type);
  if (ElementOf(ref != nullptr ? StripPacked(ref->referent) : type) != nullptr &&
      !tree->actuals.empty()) {
    const SourceSpan last{tree->span.file, tree->span.end - 1, tree->span.end};
    return {"a subscript stands in [ ]: " + source + "[" + ShortSource(tree->actuals[0].span) + "]",
            {{OpeningBracket(tree), "["}, {last, "]"}}};
  }
  if (IsReference(value->type) && tree->actuals.size() == 1) {
    // `a(B).n`, the type guard of Oberon.
    const std::string_view actual = tree->actuals[0].span.text();
    if (!actual.empty() && std::isupper(static_cast<unsigned char>(actual[0])) != 0 &&
        actual.find_first_of(" ()[]{}") == std::string_view::npos) {
      const std::string ours = "NARROW(" + source + ", " + std::string(actual) + ")";
      return {source + " is a value, not a procedure; a value whose type is known to be " +
                  std::string(actual) + " is written " + ours,
              {{tree->span, ours}}};
    }
  }
  return {source + " is a value of type " + TypeToString(value->type) + ", not a procedure", {}};
}

Advice Advisor::TypeCalledAdvice(Type* type, const ast::CallExpr* tree, const Expr* value) {
  const std::string source = ShortSource(tree->callee->span);
  Type* stripped = StripPacked(type);
  const SourceSpan last{tree->span.file, tree->span.end - 1, tree->span.end};
  const SourceSpan bracket = OpeningBracket(tree);
  const bool positional = std::ranges::none_of(
      tree->actuals, [](const ast::Actual& actual) { return bool(actual.keyword.name); });
  if (stripped->kind == TypeKind::kRecord || ElementOf(stripped) != nullptr ||
      stripped->kind == TypeKind::kSet) {
    return {"a value of type " + source + " is written " + source + "{...}",
            {{bracket, "{"}, {last, "}"}}};
  }
  const std::vector<std::string> names = FieldNames(type);
  const auto* ref = As<RefType>(c_.SeeThrough(type));
  if (c_.KnownObject(type) != nullptr || ref != nullptr) {
    Advice advice{"NEW makes one: NEW(" + source, {}};
    advice.fixes.push_back({Before(tree->span), "NEW("});
    advice.fixes.push_back({bracket, tree->actuals.empty() ? "" : ", "});
    bool named = true;
    for (size_t i = 0; i < tree->actuals.size(); ++i) {
      advice.text += ", ";
      if (positional && i < names.size()) {
        advice.text += names[i] + " := ";
        advice.fixes.push_back({Before(tree->actuals[i].span), names[i] + " := "});
      } else {
        named = named && !positional;
      }
      advice.text += ShortSource(tree->actuals[i].span);
    }
    advice.text += ")";
    if (!named) return {"NEW makes one: NEW(" + source + ", field := value)", {}};
    return advice;
  }
  if (value == nullptr || c_.IsError(value) || tree->actuals.size() != 1 || !positional) return {};
  const SourceSpan operand = tree->actuals[0].value->span;
  Advice advice;
  if (IsFloat(value->type) && BaseType(type)->kind == TypeKind::kInteger) {
    advice = Wrapped(operand, "TRUNC(", ")");
    advice.text += " to cut the fraction off, or ROUND(" + ShortSource(operand) + ")";
  } else if (ask_.Assignable(value->type, type) != Assignability::kNo) {
    advice = {"no conversion is needed: write " + ShortSource(operand), {}};
  } else {
    advice = WayTo(value, operand, type);
    if (advice.fixes.empty()) return advice;
  }
  advice.fixes.push_back({{operand.file, tree->span.begin, operand.begin}, ""});
  advice.fixes.push_back({{operand.file, operand.end, tree->span.end}, ""});
  // The fixes are applied from left to right: first those that remove text in front, last those
  // that remove text behind.
  std::stable_sort(
      advice.fixes.begin(), advice.fixes.end(),
      [](const DiagnosticFix& a, const DiagnosticFix& b) { return a.span.begin < b.span.begin; });
  return advice;
}

// The fields of a record, or of an object with those of its supertypes first.
std::vector<std::string> Advisor::FieldNames(Type* type) {
  std::vector<std::string> names;
  Type* seen = c_.SeeThrough(type);
  if (auto* ref = As<RefType>(seen)) {
    ask_.Complete(ref);
    seen = ref->referent == nullptr ? nullptr : StripPacked(ref->referent);
  }
  if (const auto* record = As<RecordType>(seen)) {
    for (const Field& field : record->fields) names.push_back(field.name);
    return names;
  }
  std::vector<const ObjectType*> layers;
  for (Type* t = type; t != nullptr && layers.size() < 100;) {
    ObjectType* object = c_.KnownObject(t);
    if (object == nullptr) break;
    ask_.Complete(object);
    layers.push_back(object);
    t = object->super;
  }
  std::ranges::reverse(layers);
  for (const ObjectType* object : layers) {
    for (const Field& field : object->fields) names.push_back(field.name);
  }
  return names;
}

Advice Advisor::TypeAsValueAdvice(Type* type, SourceSpan span) {
  const std::string source = ShortSource(span);
  Type* stripped = StripPacked(type);
  if (c_.KnownObject(type) != nullptr || As<RefType>(c_.SeeThrough(type)) != nullptr)
    return {"NEW makes one: NEW(" + source + ")", {}};
  if (stripped->kind == TypeKind::kRecord || stripped->kind == TypeKind::kSet ||
      ElementOf(stripped) != nullptr) {
    return {"a value of the type is written " + source + "{...}", {}};
  }
  const auto* enumeration = As<EnumerationType>(BaseType(type));
  if (enumeration != nullptr && !enumeration->elements.empty() &&
      enumeration->builtin == EnumerationType::Builtin::kNone) {
    return {"name an element: " + source + "." + enumeration->elements[0], {}};
  }
  return {"a value of type " + source + " is needed here", {}};
}

Advice Advisor::NotTypeAdvice(Symbol* symbol, SourceSpan span) {
  const std::string source = ShortSource(span);
  switch (symbol->kind) {
    case SymbolKind::kVariable:
    case SymbolKind::kConstant: {
      const char* word = symbol->kind == SymbolKind::kVariable ? "variable" : "constant";
      const std::string type = symbol->state == ResolveState::kDone && symbol->type != nullptr &&
                                       !c_.IsError(symbol->type)
                                   ? TypeHere(symbol->type)
                                   : "";
      if (type.empty()) return {source + " is a " + word, {}};
      return {source + " is a " + word + " of type " + type + ": write " + type, {{span, type}}};
    }
    case SymbolKind::kInterface: {
      const Scope::Entry* entry =
          symbol->interface == nullptr
              ? nullptr
              : symbol->interface->scope->FindHere(ask_.interner_.Intern("T"));
      if (entry == nullptr || entry->symbol->kind != SymbolKind::kType)
        return {source + " is an interface", {}};
      return {source + " is an interface; its type is " + source + ".T",
              {{{span.file, span.end, span.end}, ".T"}}};
    }
    case SymbolKind::kProcedure:
      return {source + " is a procedure; a type of procedures is written PROCEDURE (...)", {}};
    case SymbolKind::kException: return {source + " is an exception", {}};
    default: return {};
  }
}

Advice Advisor::VarAdvice(const Formal& formal, const Expr* value, SourceSpan span) {
  Type *from = StripPacked(value->type), *to = StripPacked(formal.type);
  if (auto* ref = As<RefType>(c_.SeeThrough(from))) {
    ask_.Complete(ref);
    if (ref->referent != nullptr && ask_.Same(ref->referent, to)) return Wrapped(span, "", "^");
  }
  const std::string type = TypeHere(formal.type), source = ShortSource(span);
  const std::string declared = type.empty() ? TypeToString(formal.type) : type;
  if (ask_.Assignable(from, to) == Assignability::kNo) {
    const std::string difference = Difference(from, to);
    if (!difference.empty()) return {difference, {}};
    return {"give a variable of type " + declared, {}};
  }
  return {"declare " + source + " as " + declared + ", or give a variable of that type and copy " +
              "the value back: " + source + " := " + formal.name,
          {}};
}

// T{x := 1} for an object or a reference: NEW(T, x := 1).
Advice Advisor::ConstructorAdvice(const ast::ConstructorExpr* tree, Type* type) {
  const SourceSpan whole = tree->span, name = tree->type->span;
  const std::vector<std::string> names = FieldNames(type);
  const std::string source = ShortSource(name);
  Advice advice{"NEW makes one: NEW(" + source, {}};
  const size_t brace = whole.file->text().find('{', name.end);
  if (brace == std::string_view::npos || brace >= whole.end) return {};
  const auto open = static_cast<uint32_t>(brace);
  advice.fixes.push_back({Before(whole), "NEW("});
  advice.fixes.push_back({{whole.file, open, open + 1}, tree->elements.empty() ? "" : ", "});
  bool named = true;
  for (size_t i = 0; i < tree->elements.size(); ++i) {
    const ast::ConstructorElement& element = tree->elements[i];
    advice.text += ", ";
    if (!element.keyword.name) {
      if (i >= names.size()) {
        named = false;
        break;
      }
      advice.text += names[i] + " := ";
      advice.fixes.push_back({Before(element.span), names[i] + " := "});
    }
    advice.text += ShortSource(element.span);
  }
  if (!named) return {"NEW makes one: NEW(" + source + ", field := value)", {}};
  advice.text += ")";
  advice.fixes.push_back({{whole.file, whole.end - 1, whole.end}, ")"});
  return advice;
}

Advice Advisor::NewAdvice(const ast::CallExpr* tree, Type* type) {
  Type* stripped = StripPacked(type);
  const SourceSpan name = tree->actuals[0].value->span;
  const bool data = stripped->kind == TypeKind::kRecord || ElementOf(stripped) != nullptr;
  if (data || IsOrdinal(stripped) || IsFloat(stripped) || stripped->kind == TypeKind::kSet) {
    return {
        "NEW makes what a reference type refers to: NEW(REF " + ShortSource(name) + ")",
        data ? std::vector<DiagnosticFix>{{Before(name), "REF "}} : std::vector<DiagnosticFix>{}};
  }
  if (stripped->kind == TypeKind::kRefany || stripped->kind == TypeKind::kAddress)
    return {"write the type of what is made: NEW(REF T), or NEW of an object type", {}};
  return {};
}

}  // namespace tenure::compiler
