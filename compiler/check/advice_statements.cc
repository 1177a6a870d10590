// Reasons and advice for statements: targets of assignments, FOR, CASE.
#include <algorithm>
#include <cctype>

#include "compiler/check/advice.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

// The variable whose memory the designator is a part of; null if a reference leads there.
const Variable* RootOf(const Expr* designator) {
  while (designator != nullptr) {
    if (const auto* variable = ExprAs<const VariableExpr>(designator)) return variable->variable;
    if (const auto* field = ExprAs<const FieldExpr>(designator)) {
      designator = field->operand;
    } else if (const auto* subscript = ExprAs<const SubscriptExpr>(designator)) {
      designator = subscript->operand;
    } else if (const auto* subarray = ExprAs<const SubarrayExpr>(designator)) {
      designator = subarray->operand;
    } else if (const auto* convert = ExprAs<const ConvertExpr>(designator)) {
      designator = convert->operand;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

}  // namespace

std::string Advisor::NotVariableReason(const Expr* target, SourceSpan span) {
  const std::string source = ShortSource(span);
  if (target->kind == ExprKind::kProcedure) return source + " is a procedure";
  if (target->kind == ExprKind::kConstant) {
    const bool is_name = std::isalpha(static_cast<unsigned char>(source[0])) != 0;
    return is_name ? source + " is a constant" : source + " is a value";
  }
  if (target->kind == ExprKind::kCall) return "a call's result is a value";
  return source + " is a value";
}

Advice Advisor::NotVariableAdvice(const Expr* target, SourceSpan span) {
  if (const auto* procedure = ExprAs<const ProcedureExpr>(target)) {
    const bool own = c_.body_ != nullptr && c_.body_->procedure == procedure->procedure &&
                     c_.body_->signature != nullptr && c_.body_->signature->result != nullptr;
    if (!own) return {"only variables can be assigned to", {}};
    // As in Pascal.
    const size_t assign = span.file->text().find(":=", span.end);
    if (assign == std::string_view::npos) return {};
    return {"RETURN gives the result of a procedure, and ends the procedure",
            {{{span.file, span.begin, static_cast<uint32_t>(assign + 2)}, "RETURN"}}};
  }
  if (target->kind == ExprKind::kConstant) {
    return {
        "only variables can be assigned to; VAR declares one: VAR " + ShortSource(span) + " := ...",
        {}};
  }
  return {"only variables can be assigned to", {}};
}

std::pair<std::string, std::string> Advisor::ReadonlyReason(const Expr* target) {
  const Variable* root = RootOf(target);
  if (root == nullptr) return {};
  switch (root->kind) {
    case Variable::Kind::kFor:
      return {": " + root->name + " is the variable of FOR",
              "FOR counts by itself, also BY 2 or BY -1; WHILE lets its statements change the "
              "variable"};
    case Variable::Kind::kFormal:
      return {
          ": " + root->name + " is a READONLY formal",
          "VAR lets the procedure change the caller's variable; VALUE gives the procedure a copy"};
    case Variable::Kind::kWith:
      return {": WITH " + root->name + " names a value, not a variable",
              "a copy can be changed: VAR " + root->name + " := ... BEGIN ... END"};
    default: return {};
  }
}

Advice Advisor::BoundAdvice(const Expr* bound, bool is_first, const Expr* other) {
  Type* type = c_.SeeThrough(bound->type);
  const SourceSpan span = bound->span;
  const bool array = type->kind == TypeKind::kArray || type->kind == TypeKind::kOpenArray;
  if (array) return Wrapped(span, is_first ? "FIRST(" : "LAST(", ")");
  if (IsFloat(type)) {
    return {"FOR counts through ordinals; WHILE can step a " + TypeToString(bound->type) +
                ": WHILE x <= limit DO ... x := x + step END",
            {}};
  }
  if (type == c_.types().text || StripPacked(bound->type) == c_.types().text) {
    return Called(span, "Text", "Length", ") - 1");
  }
  Advice advice =
      WayTo(bound, span, IsOrdinal(other->type) ? BaseType(other->type) : c_.types().integer);
  return advice;
}

Advice Advisor::SelectorAdvice(const Expr* selector, const ast::CaseStmt* tree) {
  Type* type = StripPacked(selector->type);
  const SourceSpan word{tree->span.file, tree->span.begin, tree->span.begin + 4};
  if (type == c_.types().text) {
    return {"CASE has no texts; write IF Text.Equal(" + ShortSource(selector->span) +
                ", \"...\") THEN ... ELSIF",
            {}};
  }
  if (const auto* procedure = As<ProcedureType>(type);
      procedure != nullptr && procedure->signature.result != nullptr) {
    return CallIt(procedure, selector->span);
  }
  if (IsTracedReference(type) || c_.KnownObject(type) != nullptr) {
    Advice advice{"TYPECASE chooses by the type of an object or reference", {}};
    const bool types_only = std::ranges::all_of(tree->arms, [](const ast::CaseArm& arm) {
      return std::ranges::all_of(arm.labels, [](const ast::CaseLabel& label) {
        return label.high == nullptr && (label.low->kind == ast::ExprKind::kName ||
                                         label.low->kind == ast::ExprKind::kSelect);
      });
    });
    if (types_only && word.text() == "CASE") advice.fixes.push_back({word, "TYPECASE"});
    return advice;
  }
  if (IsFloat(type))
    return {
        "CASE needs ordinals; write IF " + ShortSource(selector->span) + " < ... THEN ... ELSIF",
        {}};
  return {"CASE needs a value of an ordinal type; write IF ... THEN ... ELSIF", {}};
}

std::string Advisor::MissingLabels(const CaseStmt& statement, const Type* type) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const CaseStmt::Arm& arm : statement.arms)
    ranges.insert(ranges.end(), arm.ranges.begin(), arm.ranges.end());
  std::ranges::sort(ranges);
  std::vector<std::pair<int64_t, int64_t>> gaps;
  const int64_t last = LastOf(type);
  int64_t next = FirstOf(type);
  bool covered = false;
  for (const auto& [low, high] : ranges) {
    if (covered) break;
    if (low > next) gaps.emplace_back(next, low - 1);
    covered = high >= last;
    if (!covered) next = std::max(next, high + 1);
  }
  if (!covered) gaps.emplace_back(next, last);
  constexpr size_t kShown = 5;
  size_t shown = 0;
  std::string out;
  const auto add = [&](const std::string& text) {
    if (shown++ < kShown) out += (out.empty() ? "" : ", ") + text;
  };
  Type* base = BaseType(const_cast<Type*>(type));
  const std::string qualifier = TypeHere(base);
  const auto* enumeration = As<EnumerationType>(base);
  const bool named = enumeration != nullptr && !enumeration->elements.empty();
  const auto name_of = [&](int64_t value) { return ElementToString(base, value, qualifier); };
  for (const auto& [low, high] : gaps) {
    if (named && high - low < static_cast<int64_t>(kShown)) {
      for (int64_t value = low; value <= high; ++value) add(name_of(value));
    } else if (low == high) {
      add(name_of(low));
    } else {
      add(name_of(low) + ".." + name_of(high));
    }
  }
  return shown > kShown ? out + ", ..." : out;
}

}  // namespace tenure::compiler
