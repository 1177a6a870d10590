// Proposals for an expression whose type does not fit.
#include <algorithm>
#include <cctype>

#include "compiler/check/advice.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

SourceSpan Before(SourceSpan span) { return {span.file, span.begin, span.begin}; }
SourceSpan Behind(SourceSpan span) { return {span.file, span.end, span.end}; }

bool IsCharacter(const Type* type) {
  const auto* enumeration = As<EnumerationType>(type);
  return enumeration != nullptr && (enumeration->builtin == EnumerationType::Builtin::kChar ||
                                    enumeration->builtin == EnumerationType::Builtin::kWidechar);
}

bool IsInteger(const Type* type) {
  return type->kind == TypeKind::kInteger || type->kind == TypeKind::kLongint;
}

// Whether the expression can be followed by a suffix such as `^`.
bool IsPrimary(std::string_view source) {
  int depth = 0;
  for (const char c : source) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (depth == 0 && !word && std::string_view(".^)]}").find(c) == std::string_view::npos)
      return false;
  }
  return true;
}

// The number of the type that the literal becomes; empty if the literal has another form.
std::string AsLiteralOf(std::string_view literal, const Type* from, const Type* to) {
  std::string text(literal);
  if (text.find('_') != std::string::npos) return {};
  const char* exponent = to->kind == TypeKind::kReal       ? ""
                         : to->kind == TypeKind::kLongreal ? "D0"
                                                           : "X0";
  if (IsInteger(from)) {
    if (from->kind == TypeKind::kLongint) text.pop_back();
    if (IsFloat(to)) return text + ".0" + exponent;
    return to->kind == TypeKind::kLongint ? text + "L" : text;
  }
  const size_t letter = text.find_first_of("eEdDxX");
  if (IsFloat(to)) {
    if (letter == std::string::npos) return text + exponent;
    const std::string power = text.substr(letter + 1);
    text.resize(letter);
    if (to->kind == TypeKind::kReal) return power == "0" ? text : text + "E" + power;
    return text + exponent[0] + power;
  }
  const size_t point = text.find('.');
  if (letter != std::string::npos || point == std::string::npos ||
      text.find_first_not_of('0', point + 1) != std::string::npos) {
    return {};
  }
  text.resize(point);
  return to->kind == TypeKind::kLongint ? text + "L" : text;
}

// "x" for 'x', and 'x' for "x"; empty if the text has not one character.
std::string Requoted(std::string_view literal, char quote) {
  if (literal.size() < 3 || literal.back() == quote) return {};
  const std::string_view inside = literal.substr(1, literal.size() - 2);
  if (inside.size() > 1 && inside[0] != '\\') return {};
  if (inside[0] == '\\') {
    const bool octal = inside.size() == 4 && std::isdigit(static_cast<unsigned char>(inside[1]));
    if (inside.size() != 2 && !octal) return {};
  }
  std::string text(inside);
  if (text[0] == quote) text = "\\" + text;
  if (text == "\\'" && quote == '"') text = "'";
  if (text == "\\\"" && quote == '\'') text = "\"";
  return quote + text + quote;
}

const char* FloatName(const Type* type) {
  return type->kind == TypeKind::kReal       ? "REAL"
         : type->kind == TypeKind::kLongreal ? "LONGREAL"
                                             : "EXTENDED";
}

// The part of the names of Fmt and Scan: Fmt.LongReal, Scan.LongReal.
const char* WordOf(const Type* type) {
  switch (type->kind) {
    case TypeKind::kInteger: return "Int";
    case TypeKind::kLongint: return "LongInt";
    case TypeKind::kReal: return "Real";
    case TypeKind::kLongreal: return "LongReal";
    case TypeKind::kExtended: return "Extended";
    default: return nullptr;
  }
}

Advice Words(std::string text) { return {std::move(text), {}}; }

}  // namespace

DiagnosticBuilder& Advisor::Advise(DiagnosticBuilder& builder, const Advice& advice) {
  if (advice) builder.Hint(advice.text);
  for (const DiagnosticFix& fix : advice.fixes) builder.Fix(fix.span, fix.replacement);
  return builder;
}

std::string Advisor::InterfaceHere(std::string_view interface, Advice* advice) {
  for (const auto& [name, entry] : c_.unit_->scope->in_order()) {
    if (entry->symbol->kind == SymbolKind::kInterface && entry->symbol->interface != nullptr &&
        entry->symbol->interface->name == interface && c_.scope_->Find(name) == entry) {
      entry->used = true;
      return name.str();
    }
  }
  advice->text += ", with IMPORT " + std::string(interface);
  const ast::Unit& tree = *c_.unit_->tree;
  SourceSpan header = tree.exports.empty() ? tree.name.span : tree.exports.back().span;
  if (c_.unit_->instance != nullptr || header.file == nullptr || c_.unit_->name == interface ||
      c_.scope_->Find(ask_.interner_.Intern(interface)) != nullptr ||
      c_.FindInterface(interface, c_.unit_->file) == nullptr) {
    advice->fixes.clear();
    advice->no_fix = true;
    return std::string(interface);
  }
  for (const ast::Import& import : tree.imports) {
    if (import.is_from || import.span.file != header.file) continue;
    advice->fixes.push_back({Behind(import.span), ", " + std::string(interface)});
    return std::string(interface);
  }
  const size_t semicolon = header.file->text().find(';', header.end);
  if (semicolon == std::string_view::npos) {
    advice->no_fix = true;
    return std::string(interface);
  }
  const auto place = static_cast<uint32_t>(semicolon + 1);
  advice->fixes.push_back(
      {header.file->Span(place, place), " IMPORT " + std::string(interface) + ";"});
  return std::string(interface);
}

std::string Advisor::TypeHere(const Type* type) {
  const size_t point = type->name.find('.');
  if (type->name.empty()) {
    if (const auto* ref = As<RefType>(type); ref != nullptr && !ref->brand && !ref->transient) {
      if (ref->referent == nullptr) return {};  // in its own declaration
      const std::string referent = TypeHere(ref->referent);
      return referent.empty() ? referent : (ref->traced ? "REF " : "UNTRACED REF ") + referent;
    }
    // Names in the description are not written as this unit writes them.
    const std::string text = TypeToString(type);
    for (size_t i = 1; i + 1 < text.size(); ++i) {
      if (text[i] == '.' && text[i - 1] != '.' && text[i + 1] != '.') return {};
    }
    return text.find("OBJECT") == std::string::npos ? text : std::string();
  }
  if (point == std::string::npos) return type->name;
  const std::string unit = type->name.substr(0, point);
  std::string own = type->name.substr(point + 1);
  if (const Scope::Entry* entry = c_.scope_->Find(ask_.interner_.Intern(own));
      entry != nullptr && entry->symbol->type == type && entry->symbol->kind == SymbolKind::kType) {
    return own;
  }
  for (const auto& [name, entry] : c_.unit_->scope->in_order()) {
    if (entry->symbol->kind == SymbolKind::kInterface && entry->symbol->interface != nullptr &&
        entry->symbol->interface->name == unit) {
      return name.str() + "." + own;
    }
  }
  return {};
}

Advice Advisor::Wrapped(SourceSpan span, std::string_view before, std::string_view behind) {
  Advice advice;
  advice.text = "write " + std::string(before) + ShortSource(span) + std::string(behind);
  if (!before.empty()) advice.fixes.push_back({Before(span), std::string(before)});
  if (!behind.empty()) advice.fixes.push_back({Behind(span), std::string(behind)});
  return advice;
}

Advice Advisor::Replaced(SourceSpan span, const std::string& replacement) {
  return {"write " + replacement + " instead of " + ShortSource(span), {{span, replacement}}};
}

// `before` and `behind` around the expression, with the interface's name in front.
Advice Advisor::Called(SourceSpan span, std::string_view interface, std::string_view procedure,
                       std::string_view behind) {
  Advice import;
  const std::string name = InterfaceHere(interface, &import);
  Advice advice = Wrapped(span, name + "." + std::string(procedure) + "(", behind);
  advice.text += import.text;
  if (import.no_fix) {
    advice.fixes.clear();
  } else {
    advice.fixes.insert(advice.fixes.end(), import.fixes.begin(), import.fixes.end());
  }
  return advice;
}

Advice Advisor::CallIt(const ProcedureType* procedure, SourceSpan span) {
  ask_.Complete(const_cast<ProcedureType*>(procedure));
  return CallIt(procedure->signature, span);
}

Advice Advisor::CallIt(const Signature& signature, SourceSpan span) {
  const std::string source = ShortSource(span);
  std::string formals;
  bool needs_values = false;
  for (const Formal& formal : signature.formals) {
    needs_values |= formal.default_value == nullptr;
    formals += (formals.empty() ? "" : ", ") + formal.name;
  }
  if (needs_values) return Words("call it: " + source + "(" + formals + ")");
  return {"call it with (): " + source + "()", {{Behind(span), "()"}}};
}

// --- from one type to another ---

Advice Advisor::WayToText(const Expr* value, SourceSpan span) {
  Type* from = BaseType(value->type);
  if (const char* word = WordOf(from)) return Called(span, "Fmt", word, ")");
  if (ask_.Same(from, c_.types().boolean)) return Called(span, "Fmt", "Bool", ")");
  if (IsCharacter(from)) {
    const std::string literal = Requoted(span.text(), '"');
    if (!literal.empty() && span.text()[0] == '\'') return Replaced(span, literal);
    return Called(span, "Text", from == c_.types().character ? "FromChar" : "FromWideChar", ")");
  }
  if (from->kind == TypeKind::kEnumeration) {
    return Words("the names of elements are not in the program; Fmt.Int(ORD(" + ShortSource(span) +
                 ")) is the number, and an array of texts with this index can give names");
  }
  const Type* array = from;
  const char* suffix = ")";
  if (const auto* ref = As<RefType>(c_.SeeThrough(from))) {
    array = ref->referent;
    suffix = "^)";
  }
  const Type* element = As<ArrayType>(array) != nullptr       ? As<ArrayType>(array)->element
                        : As<OpenArrayType>(array) != nullptr ? As<OpenArrayType>(array)->element
                                                              : nullptr;
  if (element == c_.types().character && IsPrimary(span.text()))
    return Called(span, "Text", "FromChars", suffix);
  return {};
}

Advice Advisor::WayFromText(SourceSpan span, Type* to) {
  const std::string_view source = span.text();
  Type* base = BaseType(to);
  if (const char* word = WordOf(base)) {
    if (source.size() > 2 && source[0] == '"') {
      const SourceSpan inside = span.file->Span(span.begin + 1, span.end - 1);
      const bool whole = inside.text().find_first_not_of("-0123456789") == std::string_view::npos;
      if (IsNumberLiteral(inside) && whole) {
        const std::string number = AsLiteralOf(inside.text(), c_.types().integer, base);
        if (!number.empty()) return Replaced(span, number);
      }
    }
    return Words(std::string("Scan.") + word + "(" + ShortSource(span) +
                 ") reads a number from a text, and raises Lex.Error if there is none");
  }
  if (ask_.Same(base, c_.types().boolean))
    return Words("Scan.Bool(" + ShortSource(span) + ") reads TRUE or FALSE from a text");
  if (IsCharacter(base)) {
    const std::string literal = source[0] == '"' ? Requoted(source, '\'') : "";
    if (!literal.empty() && base == c_.types().character) return Replaced(span, literal);
    Advice advice =
        Called(span, "Text", base == c_.types().character ? "GetChar" : "GetWideChar", ", 0)");
    advice.text += ", for the first character";
    return advice;
  }
  const Type* array = StripPacked(to);
  if (array->kind == TypeKind::kArray || array->kind == TypeKind::kOpenArray)
    return Words("Text.SetChars(a, " + ShortSource(span) + ") copies the characters into array a");
  return {};
}

Advice Advisor::WayFromNumber(const Expr* value, SourceSpan span, Type* to) {
  Type *from = BaseType(value->type), *base = BaseType(to);
  const bool literal = IsNumberLiteral(span);
  if (literal && WordOf(base) != nullptr) {
    const std::string number = AsLiteralOf(span.text(), from, base);
    if (!number.empty()) return Replaced(span, number);
  }
  if (IsFloat(base)) {
    // FLOAT(n) for a LONGREAL: only the type is missing.
    const std::string_view source = span.text();
    if (base->kind != TypeKind::kReal && source.starts_with("FLOAT(") && source.ends_with(")") &&
        source.find_first_of(",()", 6) == source.size() - 1) {
      const std::string type = std::string(", ") + FloatName(base);
      const SourceSpan end = span.file->Span(span.end - 1, span.end - 1);
      return {"write " + std::string(source.substr(0, source.size() - 1)) + type + ")",
              {{end, type}}};
    }
    if (base->kind == TypeKind::kReal) return Wrapped(span, "FLOAT(", ")");
    return Wrapped(span, "FLOAT(", std::string(", ") + FloatName(base) + ")");
  }
  if (IsFloat(from)) {
    if (!IsInteger(base)) return {};
    const std::string type = base->kind == TypeKind::kLongint ? ", LONGINT)" : ")";
    const std::string source = ShortSource(span);
    return Words("TRUNC(" + source + type + " cuts the fraction off, ROUND(" + source + type +
                 " rounds");
  }
  if (IsInteger(base)) {
    return Wrapped(span, "VAL(", base->kind == TypeKind::kLongint ? ", LONGINT)" : ", INTEGER)");
  }
  const Constant* constant = ask_.OrdinalConstant(const_cast<Expr*>(value));
  const auto* enumeration = As<EnumerationType>(base);
  if (enumeration == nullptr) {
    if (IsReference(base) && constant != nullptr && constant->ordinal == 0)
      return Replaced(span, "NIL");
    return {};
  }
  if (enumeration->builtin == EnumerationType::Builtin::kBoolean) {
    if (constant == nullptr) return Wrapped(span, "", " # 0");
    if (constant->ordinal < 0 || constant->ordinal > 1) return {};
    return Replaced(span, constant->ordinal == 0 ? "FALSE" : "TRUE");
  }
  const std::string type = TypeHere(base);
  if (type.empty()) return {};
  if (literal && constant != nullptr && constant->ordinal >= 0 &&
      constant->ordinal < static_cast<int64_t>(enumeration->elements.size()) &&
      !enumeration->name.empty()) {
    return Replaced(span,
                    type + "." + enumeration->elements[static_cast<size_t>(constant->ordinal)]);
  }
  return Wrapped(span, "VAL(", ", " + type + ")");
}

Advice Advisor::WayTo(const Expr* value, SourceSpan span, Type* to, std::string_view variable) {
  if (!span.valid() || span.begin == span.end) return {};
  Type *from = StripPacked(value->type), *target = StripPacked(to);
  if (const auto* procedure = As<ProcedureType>(from)) {
    Type* result = procedure->signature.result;
    if (result != nullptr && ask_.Assignable(result, to) != Assignability::kNo)
      return CallIt(procedure, span);
    if (As<ObjectType>(target) != nullptr || As<OpaqueType>(target) != nullptr) {
      // Thread.Fork(P)
      const std::string type = TypeToString(to);
      const std::vector<std::string> methods = MemberNames(to, /*methods_only=*/true);
      if (methods.size() != 1) return Words("a procedure is not an object");
      return Words("a procedure is not an object: TYPE C = " + type + " OBJECT OVERRIDES " +
                   methods[0] + " := P END has the method, and NEW(C) makes the object");
    }
    return Words(Difference(from, target));
  }
  if (target->kind == TypeKind::kProcedure) {
    const auto* call = ExprAs<const CallExpr>(value);
    const size_t bracket = span.text().find('(');
    if (call != nullptr && call->procedure != nullptr && bracket != std::string_view::npos &&
        ask_.Assignable(call->procedure->type, to) != Assignability::kNo) {
      const auto begin = span.begin + static_cast<uint32_t>(bracket);
      return {"without (), the name is the procedure itself: " +
                  std::string(span.text().substr(0, bracket)),
              {{span.file->Span(begin, span.end), ""}}};
    }
    return Words(Difference(from, target));
  }
  const bool to_text = target == c_.types().text;
  if (from->kind == TypeKind::kRefany && !to_text && !IsReference(target)) {
    return Words("a reference to a value is narrowed first: NARROW(" + ShortSource(span) +
                 ", REF " + TypeToString(to) + ")^");
  }
  if (auto* ref = As<RefType>(c_.SeeThrough(from))) {
    ask_.Complete(ref);
    if (ref->referent != nullptr && !c_.IsError(ref->referent) &&
        ask_.Assignable(ref->referent, to) != Assignability::kNo) {
      if (IsPrimary(span.text())) return Wrapped(span, "", "^");
      return Wrapped(span, "(", ")^");
    }
  }
  if (to_text) return WayToText(value, span);
  if (from == c_.types().text) return WayFromText(span, to);
  const Type* base = BaseType(from);
  if (IsInteger(base) || IsFloat(base)) {
    Advice advice = WayFromNumber(value, span, to);
    if (advice) return advice;
  }
  if (base->kind == TypeKind::kEnumeration && IsOrdinal(target)) {
    const Type* target_base = BaseType(target);
    if (target_base->kind == TypeKind::kInteger) return Wrapped(span, "ORD(", ")");
    if (target_base->kind == TypeKind::kLongint) return Wrapped(span, "VAL(ORD(", "), LONGINT)");
  }
  if (from->kind == TypeKind::kNull) {
    return Words("only references and procedure values can be NIL; " + TypeToString(to) +
                 " always has a value");
  }
  if (const auto* set = As<SetType>(target);
      set != nullptr && ask_.Assignable(from, set->element) != Assignability::kNo) {
    const std::string type = TypeHere(to);
    if (!type.empty()) return Wrapped(span, type + "{", "}");
  }
  if (auto* ref = As<RefType>(c_.SeeThrough(target))) {
    ask_.Complete(ref);
    if (ref->referent != nullptr && !c_.IsError(ref->referent) && !IsReference(from) &&
        ask_.Assignable(from, ref->referent) != Assignability::kNo) {
      const std::string type = TypeHere(to), ref_name(variable);
      return Words("NEW makes the variable that a reference refers to, and ^ is that variable: " +
                   ref_name + " := NEW(" + (type.empty() ? TypeToString(to) : type) + "); " +
                   ref_name + "^ := " + ShortSource(span));
    }
  }
  if (c_.SeeThrough(target) == c_.types().refany && !IsReference(from)) {
    const std::string type = TypeToString(BaseType(from));
    return Words("a reference is needed: r := NEW(REF " + type + "); r^ := " + ShortSource(span));
  }
  return Words(Difference(from, target));
}

void Advisor::NoteDeclaration(DiagnosticBuilder& builder, const Type* type) {
  const auto found = c_.type_spans_.find(type);
  if (found != c_.type_spans_.end())
    builder.Note(MessageId::kDeclaredHere, found->second, type->name);
}

void Advisor::NoteDeclaration(DiagnosticBuilder& builder, const ast::QualId& exception) {
  Scope::Entry* entry = nullptr;
  if (!exception.is_qualified()) {
    entry = c_.scope_->Find(exception.name.name);
  } else if (const Scope::Entry* qualifier = c_.scope_->Find(exception.qualifier.name);
             qualifier != nullptr && qualifier->symbol->interface != nullptr) {
    entry = qualifier->symbol->interface->scope->FindHere(exception.name.name);
  }
  if (entry == nullptr || entry->symbol->exception == nullptr) return;
  builder.Note(MessageId::kDeclaredHere, entry->symbol->span, entry->symbol->exception->name);
}

void Advisor::ReportNotAssignable(const Expr* value, Type* to, SourceSpan span,
                                  const Receiver& receiver) {
  std::string what;
  const std::string name(receiver.name);
  switch (receiver.kind) {
    case Receiver::Kind::kUnnamed: break;
    case Receiver::Kind::kFormal: {
      std::string procedure = ShortSource(receiver.owner);
      what = ", the type of formal " + name + " of " + procedure;
      break;
    }
    case Receiver::Kind::kVariable: what = ", the type of " + ShortSource(receiver.owner); break;
    case Receiver::Kind::kField:
      what = ", the type of field " + name + " of " + TypeToString(receiver.type);
      break;
    case Receiver::Kind::kResult: what = ", the result type of " + name; break;
    case Receiver::Kind::kException: what = ", the argument type of " + name; break;
    case Receiver::Kind::kElement:
      what = ", the element type of " + TypeToString(receiver.type);
      break;
    case Receiver::Kind::kIndex: what = ", the index type of " + ShortSource(receiver.owner); break;
  }
  auto error = ask_.Error(MessageId::kNotAssignable, span, TypeToString(value->type),
                          TypeToString(to), what);
  NoteDeclaration(error, value->type);
  if (value->type != to) NoteDeclaration(error, to);
  // Fmt.Int(x) of a REAL: another procedure of Fmt.
  const std::string_view callee = receiver.owner.valid() ? receiver.owner.text() : "";
  const char* word = WordOf(BaseType(value->type));
  if (receiver.kind == Receiver::Kind::kFormal && word != nullptr && name != "base" &&
      (callee == "Fmt.Int" || callee == "Fmt.LongInt" || callee == "Fmt.Real" ||
       callee == "Fmt.LongReal" || callee == "Fmt.Extended")) {
    error.Hint("write Fmt." + std::string(word) + "(" + ShortSource(span) + ")")
        .Fix(receiver.owner, "Fmt." + std::string(word));
    return;
  }
  const bool is_variable = receiver.kind == Receiver::Kind::kVariable;
  Advise(error, WayTo(value, span, to, is_variable ? ShortSource(receiver.owner) : "ref"));
}

}  // namespace tenure::compiler
