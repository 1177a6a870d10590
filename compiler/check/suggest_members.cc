// Suggestions for fields, methods and elements that a type does not have.
#include <algorithm>
#include <string>
#include <vector>

#include "base/near_names.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/check/suggest_names.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

std::vector<std::string> Advisor::MemberNames(Type* type, bool methods_only) {
  std::vector<std::string> names;
  type = c_.SeeThrough(type);
  if (auto* ref = As<RefType>(type); ref != nullptr && ref->referent != nullptr) {
    ask_.Complete(ref);
    type = StripPacked(ref->referent);
  }
  if (const auto* enumeration = As<EnumerationType>(BaseType(type))) return enumeration->elements;
  if (const auto* record = As<RecordType>(type)) {
    for (const Field& field : record->fields) names.push_back(field.name);
    return names;
  }
  for (int steps = 0; steps < 10000 && type != nullptr; ++steps) {
    type = StripPacked(type);
    if (auto* opaque = As<OpaqueType>(type)) {
      type = c_.unit_->KnownSuper(opaque);
      continue;
    }
    auto* object = As<ObjectType>(type);
    if (object == nullptr) break;
    ask_.Complete(object);
    for (const Field& field : object->fields) {
      if (!methods_only) names.push_back(field.name);
    }
    for (const Method& method : object->methods) names.push_back(method.name);
    type = object->super;
  }
  return names;
}

// The unit whose revelation, which the present unit does not see, shows a member of the type; null
// if none does.
const UnitInfo* Advisor::RevealerOf(Type* type, std::string_view name) {
  const auto has = [&](Type* revealed) {
    for (int steps = 0; steps < 10000 && revealed != nullptr; ++steps) {
      revealed = StripPacked(revealed);
      if (const auto* ref = As<RefType>(revealed)) {
        revealed = ref->referent;
        continue;
      }
      if (const auto* record = As<RecordType>(revealed)) {
        return std::ranges::find(record->fields, name, &Field::name) != record->fields.end();
      }
      const auto* object = As<ObjectType>(revealed);
      if (object == nullptr) return false;
      if (std::ranges::find(object->fields, name, &Field::name) != object->fields.end() ||
          std::ranges::find(object->methods, name, &Method::name) != object->methods.end()) {
        return true;
      }
      revealed = object->super;
    }
    return false;
  };
  const UnitInfo* module = nullptr;
  for (int steps = 0; steps < 10000 && type != nullptr; ++steps) {
    type = StripPacked(type);
    if (const auto* object = As<ObjectType>(type)) {
      type = object->super;
      continue;
    }
    auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr) break;
    for (const UnitInfo& unit : c_.units_) {
      for (Revelation* revelation : unit.revelations) {
        if (revelation->target == nullptr || revelation->target->type != opaque ||
            revelation->state != ResolveState::kDone || revelation->type == nullptr ||
            !has(revelation->type)) {
          continue;
        }
        if (unit.is_interface) return &unit;
        module = &unit;
      }
    }
    type = c_.unit_->KnownSuper(opaque);
  }
  return module;
}

std::string Advisor::SuggestMember(Type* type, const ast::Ident& ident, const ast::Expr* object,
                                   DiagnosticBuilder& error, bool methods_only) {
  const std::string_view name = ident.name.view();
  NearNames near(name);
  const std::vector<std::string> members = MemberNames(type, methods_only);
  for (const std::string& member : members) near.Consider(member);
  if (near.is_sure()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return near.best();
  }
  if (SuggestRevealer(type, name, error)) return "";
  if (object != nullptr && SuggestProcedure(ident, object, error)) return "";
  if (!near.best().empty()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return "";
  }
  const std::string lower = Lower(name);
  if (type->name == "Database.T" &&
      (lower == "begin" || lower == "commit" || lower == "abort" || lower == "transaction")) {
    error.Hint("a transaction does: tr := NEW(Transaction.T); tr.begin(); ... tr.commit()");
    return "";
  }
  if (ask_.Assignable(type, c_.types().mutex) != Assignability::kNo &&
      (lower == "lock" || lower == "unlock" || lower == "acquire" || lower == "release")) {
    error.Hint("LOCK m DO ... END holds a mutex");
    return "";
  }
  HintAtNames(error, near, members);
  return "";
}

// `t.m(x)` for `m(t, x)`.
bool Advisor::SuggestProcedure(const ast::Ident& ident, const ast::Expr* object,
                               DiagnosticBuilder& error) {
  NearNames near(ident.name.view());
  for (Scope* scope = c_.scope_; scope != nullptr; scope = scope->parent) {
    if (Scope::Entry* entry = scope->FindHere(ident.name);
        entry != nullptr && entry->symbol->kind == SymbolKind::kProcedure) {
      SuggestProcedureCall(ident.name.str(), ident, object, error);
      return true;
    }
    for (const auto& [candidate, entry] : scope->in_order()) {
      if (entry->symbol->kind == SymbolKind::kProcedure &&
          HasSameLetters(candidate.view(), ident.name.view())) {
        SuggestProcedureCall(candidate.str(), ident, object, error);
        return true;
      }
    }
  }
  return false;
}

void Advisor::SuggestProcedureCall(const std::string& procedure, const ast::Ident& ident,
                                   const ast::Expr* object, DiagnosticBuilder& error) {
  const std::string_view text = ident.span.file->text();
  uint32_t at = ident.span.end;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
  const bool is_call = at < text.size() && text[at] == '(';
  const std::string first(object->span.text());
  if (!is_call) {
    error.Hint(MessageId::kIsProcedure, procedure, procedure + "(" + first + ")");
    return;
  }
  uint32_t inner = at + 1;
  while (inner < text.size() && (text[inner] == ' ' || text[inner] == '\n')) ++inner;
  const bool is_alone = inner < text.size() && text[inner] == ')';
  const std::string written = procedure + "(" + first + (is_alone ? "" : ", ");
  error.Hint(MessageId::kIsProcedure, procedure, written + (is_alone ? ")" : "...)"));
  error.Fix(ident.span.file->Span(object->span.begin, at + 1), written);
}

bool Advisor::SuggestRevealer(Type* type, std::string_view name, DiagnosticBuilder& error) {
  const UnitInfo* revealer = RevealerOf(type, name);
  if (revealer == nullptr) return false;
  if (revealer->is_interface) {
    error.Hint(MessageId::kRevealedInInterface, revealer->name);
    FixImport(error, revealer->name);
  } else {
    error.Hint(MessageId::kRevealedInModule, revealer->name, TypeToString(type),
               revealer->exports.empty() ? revealer->name : revealer->exports.front()->name);
  }
  return true;
}

// A value that can have no members, such as a number or a text.
void Advisor::SuggestForMemberless(Type* type, const ast::SelectExpr* tree,
                                   DiagnosticBuilder& error) {
  const std::string_view name = tree->selector.name.view();
  const std::string lower = Lower(name);
  const std::string object(tree->operand->span.text());
  if (SuggestRevealer(type, name, error)) return;
  if (SuggestProcedure(tree->selector, tree->operand, error)) return;
  Type* base = StripPacked(type);
  const bool asks_length = lower == "length" || lower == "len" || lower == "size" ||
                           lower == "count" || lower == "number";
  if (base->kind == TypeKind::kArray || base->kind == TypeKind::kOpenArray) {
    if (asks_length) {
      error.Hint(MessageId::kDidYouMean, "NUMBER(" + object + ")");
      if (tree->span.file->text()[tree->span.end] != '(')
        error.Fix(tree->span, "NUMBER(" + object + ")");
    } else {
      error.Hint(MessageId::kAdvice, "an array has elements, a[i]; NUMBER(a) is their number");
    }
    return;
  }
  if (IsOrdinal(base) || base->kind == TypeKind::kReal || base->kind == TypeKind::kLongreal) {
    if (lower.find("str") != std::string::npos || lower.find("text") != std::string::npos) {
      const char* maker = base->kind == TypeKind::kReal          ? "Fmt.Real("
                          : base->kind == TypeKind::kLongreal    ? "Fmt.LongReal("
                          : BaseType(base) == c_.types().boolean ? "Fmt.Bool("
                                                                 : "Fmt.Int(";
      error.Hint(MessageId::kDidYouMean, maker + object + ")");
    } else {
      error.Hint(MessageId::kAdvice, "operations on it are procedures: write P(" + object + ")");
    }
    return;
  }
  // The interface that declares an opaque type has its procedures.
  std::string interface = type == c_.types().text ? "Text" : "";
  if (interface.empty() && type->name.ends_with(".T")) {
    interface = type->name.substr(0, type->name.size() - 2);
  }
  const InterfaceSummary* summary =
      interface.empty() ? nullptr : Index(c_.unit_->file).Find(interface);
  if (summary != nullptr) {
    NearNames near(name);
    for (const std::string& candidate : summary->names) near.Consider(candidate);
    if (asks_length && interface == "Text") near = NearNames("");
    const std::string procedure = asks_length && interface == "Text" ? "Length" : near.best();
    const std::string local = ImportedName(interface);
    const std::string qualifier = local.empty() ? interface : local;
    if (!procedure.empty()) {
      error.Hint(MessageId::kDidYouMean, qualifier + "." + procedure + "(" + object + ")");
    } else {
      error.Hint(MessageId::kAdvice, "operations on it are procedures of interface " + interface +
                                         ": " + interface + "." + "P(" + object + ")");
    }
    return;
  }
  error.Hint(MessageId::kAdvice, "operations on it are procedures: write P(" + object + ")");
}

bool Advisor::SuggestTwoComparisons(const ast::BinaryExpr* tree, DiagnosticBuilder& error) {
  const auto* first = ast::DynAs<ast::BinaryExpr>(static_cast<const ast::Expr*>(tree->left));
  if (first == nullptr) return false;
  switch (first->op) {
    case ast::BinaryOp::kLess:
    case ast::BinaryOp::kLessEqual:
    case ast::BinaryOp::kGreater:
    case ast::BinaryOp::kGreaterEqual: break;
    default: return false;
  }
  const std::string middle(first->right->span.text());
  error.Hint(MessageId::kTwoComparisons, std::string(first->span.text()) + " AND " + middle + " " +
                                             std::string(tree->op_span.text()) + " " +
                                             std::string(tree->right->span.text()));
  error.Fix(tree->span.file->Span(first->span.end, first->span.end), " AND " + middle);
  return true;
}

void Advisor::SuggestMaker(Type* type, DiagnosticBuilder& error) {
  const size_t dot = type->name.rfind('.');
  const std::string interface = dot == std::string::npos ? "" : type->name.substr(0, dot);
  std::vector<std::string> makers;
  for (const UnitInfo& unit : c_.units_) {
    if (!unit.is_interface || unit.name != interface) continue;
    for (const ast::Decl* decl : unit.tree->block.declarations) {
      const auto* procedure = ast::DynAs<ast::ProcedureDecl>(decl);
      if (procedure == nullptr || procedure->signature.result == nullptr) continue;
      const std::string_view result = procedure->signature.result->span.text();
      if (result == type->name || result == type->name.substr(dot + 1)) {
        makers.push_back(interface + "." + procedure->name.name.str());
      }
    }
  }
  if (makers.size() > kShownNames) makers.resize(kShownNames);
  if (!makers.empty()) {
    error.Hint(MessageId::kMadeBy, JoinNames(makers, "or"));
    return;
  }
  error.Hint(
      "call a procedure of its interface that makes one, or import the interface that reveals the "
      "type");
}

// `m(t)` for `t.m()`: `name` is not declared, and the first actual is an object that has it.
bool Advisor::SuggestMethod(const ast::CallExpr* call, const ast::Ident& ident) {
  if (call->actuals.empty() || call->actuals[0].keyword.name) return false;
  const ast::Expr* first = call->actuals[0].value;
  if (first->kind != ast::ExprKind::kName && first->kind != ast::ExprKind::kSelect) return false;
  const Operand operand = ask_.CheckOperand(first);
  if (operand.kind != Operand::Kind::kValue || c_.IsError(operand.value)) return false;
  Type* type = operand.value->type;
  if (c_.KnownObject(type) == nullptr ||
      ask_.FindMember(type, ident.name.view()).kind != Member::Kind::kMethod) {
    return false;
  }
  const std::string object(first->span.text());
  const std::string method = object + "." + ident.name.str() + "(";
  DiagnosticBuilder error = ask_.Error(MessageId::kUndeclared, ident.span, ident.name);
  const bool is_alone = call->actuals.size() == 1;
  error.Hint(MessageId::kIsMethodOf, TypeToString(type), method + (is_alone ? ")" : "...)"));
  const uint32_t end = is_alone ? first->span.end : call->actuals[1].span.begin;
  error.Fix(ident.span.file->Span(ident.span.begin, end), method);
  return true;
}

}  // namespace tenure::compiler
