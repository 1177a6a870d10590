// The conditions of Test.T.check and Test.T.require: code that notes the values of a condition's
// operands, for the report of a check that fails (stdlib/test/TestSeen.i3).
#include "compiler/check/checker.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

// The source with each run of blanks and new lines as one blank.
std::u32string OneLine(std::string_view source) {
  std::u32string line;
  for (const char c : source) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) {
      line.push_back(static_cast<unsigned char>(c));
    } else if (!line.empty() && line.back() != U' ') {
      line.push_back(U' ');
    }
  }
  return line;
}

// The names of the elements, with a blank behind each; empty for other ordinal types.
std::u32string NamesOf(const Type* type) {
  constexpr size_t kMostNames = 512;
  std::u32string names;
  const auto* enumeration = As<EnumerationType>(type);
  if (enumeration == nullptr || enumeration->elements.size() > kMostNames) return names;
  for (const std::string& element : enumeration->elements) {
    names.append(element.begin(), element.end());
    names.push_back(U' ');
  }
  return names;
}

}  // namespace

void Checker::NoteCheckedValues(CallExpr* call) {
  if (call->method_type == nullptr || call->arguments.size() != 3) return;
  const std::string& name = call->method_type->methods[call->method].name;
  if (name != "check" && name != "require") return;
  // Only the library's own interfaces have these link names.
  const auto test = interfaces_.find("Test"), seen = interfaces_.find("TestSeen");
  if (test == interfaces_.end() || seen == interfaces_.end() || test->second == nullptr ||
      seen->second == nullptr) {
    return;
  }
  const Scope::Entry* type = test->second->scope->FindHere(interner_.Intern("Public"));
  if (type == nullptr || type->symbol->type != call->method_type) return;
  Expr* condition = call->arguments[0].value;
  if (IsError(condition) || IsError(call->arguments[2].value)) return;
  call->arguments[2].value = MakeText(OneLine(condition->span.text()), false, condition->span);
  bool first = true;
  NoteOperands(condition, *seen->second, &first);
}

void Checker::NoteOperands(Expr* condition, UnitInfo& seen, bool* first) {
  switch (condition->kind) {
    case ExprKind::kCompare: {
      auto* compare = ExprAs<CompareExpr>(condition);
      compare->left = NoteValue(compare->left, seen, first);
      compare->right = NoteValue(compare->right, seen, first);
      break;
    }
    case ExprKind::kAnd: {
      auto* both = ExprAs<AndExpr>(condition);
      NoteOperands(both->left, seen, first);
      NoteOperands(both->right, seen, first);
      break;
    }
    case ExprKind::kOr: {
      auto* either = ExprAs<OrExpr>(condition);
      NoteOperands(either->left, seen, first);
      NoteOperands(either->right, seen, first);
      break;
    }
    case ExprKind::kNot: NoteOperands(ExprAs<NotExpr>(condition)->operand, seen, first); break;
    case ExprKind::kIn: {
      auto* in = ExprAs<InExpr>(condition);
      in->element = NoteValue(in->element, seen, first);
      break;
    }
    case ExprKind::kConvert:
      NoteOperands(ExprAs<ConvertExpr>(condition)->operand, seen, first);
      break;
    case ExprKind::kCall:
      for (Argument& argument : ExprAs<CallExpr>(condition)->arguments) {
        if (argument.pass != Argument::Pass::kValue) continue;
        argument.value = NoteValue(argument.value, seen, first);
      }
      break;
    default: break;
  }
}

Expr* Checker::NoteValue(Expr* value, UnitInfo& seen, bool* first) {
  if (ConstantOf(value) != nullptr || IsError(value) || !value->span.valid()) return value;
  if (auto* convert = ExprAs<ConvertExpr>(value);
      convert != nullptr && convert->conversion != Conversion::kShape && !convert->designator) {
    convert->operand = NoteValue(convert->operand, seen, first);
    return value;
  }
  Type* type = SeeThrough(value->type);
  const char* procedure = nullptr;
  std::u32string names;
  if (type->kind == TypeKind::kReal) {
    procedure = "Float";
  } else if (type->kind == TypeKind::kLongreal || type->kind == TypeKind::kExtended) {
    procedure = "LongFloat";
  } else if (IsOrdinal(type)) {
    procedure = "Ordinal";
    const auto* enumeration = As<EnumerationType>(BaseType(type));
    using Builtin = EnumerationType::Builtin;
    if (enumeration != nullptr && enumeration->builtin == Builtin::kBoolean) {
      names = U"FALSE TRUE ";
    } else if (enumeration != nullptr && (enumeration->builtin == Builtin::kChar ||
                                          enumeration->builtin == Builtin::kWidechar)) {
      procedure = "Character";
    } else if (enumeration != nullptr) {
      names = NamesOf(enumeration);
    }
  } else if (Same(value->type, types().text)) {
    procedure = "Characters";
  } else if (Subtype(value->type, types().refany)) {
    procedure = "Reference";
  } else {
    return value;
  }
  Scope::Entry* entry = seen.scope->FindHere(interner_.Intern(procedure));
  if (entry == nullptr) return value;
  Resolve(entry->symbol);
  const auto* signature_type = As<ProcedureType>(entry->symbol->type);
  if (entry->symbol->procedure == nullptr || signature_type == nullptr) return value;
  const Signature& signature = signature_type->signature;
  auto* call = Node<CallExpr>(value->span, signature.result);
  call->procedure = entry->symbol->procedure;
  call->signature = &signature;
  call->returns_first = true;
  const SourceSpan span = value->span;
  Expr* arguments[] = {Retype(value, signature.formals[0].type, Conversion::kNone),
                       MakeText(OneLine(span.text()), false, span), MakeText(names, false, span),
                       MakeBoolean(*first, span)};
  for (size_t i = 0; i < signature.formals.size() && i < std::size(arguments); ++i) {
    Argument argument;
    argument.value = arguments[i];
    argument.formal_type = signature.formals[i].type;
    call->arguments.push_back(argument);
  }
  *first = false;
  return Retype(call, value->type, Conversion::kNone);
}

}  // namespace tenure::compiler
