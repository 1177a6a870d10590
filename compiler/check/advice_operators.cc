// Proposals for operators and conditions whose operands do not fit.
#include "compiler/check/advice.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

SourceSpan Before(SourceSpan span) { return {span.file, span.begin, span.begin}; }
SourceSpan Behind(SourceSpan span) { return {span.file, span.end, span.end}; }
SourceSpan Between(SourceSpan left, SourceSpan right) { return {left.file, left.end, right.begin}; }

bool IsEnumeration(const Type* base) { return base->kind == TypeKind::kEnumeration; }

// The order in which one number type takes the values of another; 0 for other types.
int NumberRank(const Type* base) {
  switch (base->kind) {
    case TypeKind::kInteger: return 1;
    case TypeKind::kLongint: return 2;
    case TypeKind::kReal: return 3;
    case TypeKind::kLongreal: return 4;
    case TypeKind::kExtended: return 5;
    default: return 0;
  }
}

const char* ZeroOf(const Type* base) {
  switch (base->kind) {
    case TypeKind::kLongint: return "0L";
    case TypeKind::kReal: return "0.0";
    case TypeKind::kLongreal: return "0.0D0";
    case TypeKind::kExtended: return "0.0X0";
    default: return "0";
  }
}

// Whether only spaces and the word stand in the span: no bracket that would lose its partner.
bool IsOnly(SourceSpan span, std::string_view word) {
  std::string_view text = span.text();
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text == word;
}

void Append(Advice* advice, const Advice& other) {
  advice->fixes.insert(advice->fixes.end(), other.fixes.begin(), other.fixes.end());
}

}  // namespace

Advice Advisor::ConditionAdvice(const Expr* value, SourceSpan span, bool negated) {
  Type* type = StripPacked(value->type);
  if (const auto* procedure = As<ProcedureType>(type)) {
    Type* result = procedure->signature.result;
    if (result == nullptr || !ask_.Same(BaseType(result), c_.types().boolean)) return {};
    return CallIt(procedure, span);
  }
  if (type == c_.types().text) {
    Advice advice = Called(span, "Text", "Empty", ")");
    if (negated || !advice) return advice;
    advice.text.insert(std::string_view("write ").size(), "NOT ");
    for (DiagnosticFix& fix : advice.fixes) {
      if (fix.span == Before(span)) fix.replacement = "NOT " + fix.replacement;
    }
    return advice;
  }
  const std::string op = negated ? " = " : " # ";
  if (NumberRank(BaseType(type)) > 0) return Wrapped(span, "", op + ZeroOf(BaseType(type)));
  if (IsReference(type)) return Wrapped(span, "", op + "NIL");
  return {};
}

Advice Advisor::NotAdvice(const ast::UnaryExpr* tree, const Expr* operand) {
  const SourceSpan inner = tree->operand->span;
  if (As<ProcedureType>(StripPacked(operand->type)) != nullptr)
    return ConditionAdvice(operand, inner, true);
  Advice advice = ConditionAdvice(operand, inner, true);
  if (NumberRank(BaseType(operand->type)) > 0) {
    // Which of the two was meant is not known.
    advice.text += ", or Word.Not(" + ShortSource(inner) + ") to turn all bits over";
    advice.fixes.clear();
    return advice;
  }
  const SourceSpan word{tree->span.file, tree->span.begin, inner.begin};
  if (!IsOnly(word, "NOT")) {
    advice.fixes.clear();
  } else if (!advice.fixes.empty()) {
    advice.fixes.insert(advice.fixes.begin(), {word, ""});
  }
  return advice;
}

Advice Advisor::ConvertOperand(const ast::BinaryExpr* tree, const Expr* left, const Expr* right) {
  const SourceSpan left_span = tree->left->span, right_span = tree->right->span;
  const auto literal = [](const Expr* value, SourceSpan span) {
    const std::string_view text = span.text();
    return IsNumberLiteral(span) || (!text.empty() && (text[0] == '"' || text[0] == '\'')) ||
           value->type->kind == TypeKind::kNull;
  };
  if (literal(left, left_span) != literal(right, right_span)) {
    const bool is_left = literal(left, left_span);
    Advice advice = is_left ? WayTo(left, left_span, BaseType(right->type))
                            : WayTo(right, right_span, BaseType(left->type));
    // A fix that replaces the literal; other fixes compute.
    if (advice.fixes.size() == 1) return advice;
  }
  Type *a = BaseType(left->type), *b = BaseType(right->type);
  const int a_rank = NumberRank(a), b_rank = NumberRank(b);
  if (a_rank > 0 && b_rank > 0) {
    if (a_rank == b_rank) return {};
    return a_rank < b_rank ? WayTo(left, left_span, b) : WayTo(right, right_span, a);
  }
  if (As<RefType>(c_.SeeThrough(a)) != nullptr) {
    Advice advice = WayTo(left, left_span, right->type);
    if (!advice.fixes.empty()) return advice;
  }
  if (As<RefType>(c_.SeeThrough(b)) != nullptr) {
    Advice advice = WayTo(right, right_span, left->type);
    if (!advice.fixes.empty()) return advice;
  }
  return {};
}

Advice Advisor::OperatorAdvice(const ast::BinaryExpr* tree, const Expr* left, const Expr* right) {
  const SourceSpan left_span = tree->left->span, right_span = tree->right->span;
  for (const auto& [operand, span] : {std::pair{left, left_span}, std::pair{right, right_span}}) {
    const auto* procedure = As<ProcedureType>(StripPacked(operand->type));
    if (procedure != nullptr && procedure->signature.result != nullptr)
      return CallIt(procedure, span);
  }
  Type *a = BaseType(left->type), *b = BaseType(right->type);
  const bool left_text = a == c_.types().text, right_text = b == c_.types().text;
  const std::string l = ShortSource(left_span), r = ShortSource(right_span);
  if (tree->op == ast::BinaryOp::kAdd && (left_text || right_text)) {
    Advice advice;
    if (left_text && right_text) {
      advice.text = "texts are joined by &: " + l + " & " + r;
    } else {
      const Advice way = left_text ? WayToText(right, right_span) : WayToText(left, left_span);
      if (way.fixes.empty())
        return {"texts are joined by &, and " + TypeToString(left_text ? b : a) + " is not a TEXT",
                {}};
      advice.text = "texts are joined by &: " + way.text;
      Append(&advice, way);
    }
    advice.fixes.push_back({tree->op_span, "&"});
    return advice;
  }
  if (tree->op == ast::BinaryOp::kMultiply && (left_text || right_text)) {
    // `"-" * 20` of Python.
    const std::string& text = left_text ? l : r;
    const std::string& count = left_text ? r : l;
    const bool is_one_character = text.size() == 3 && text.front() == '"' && text[1] != '\'';
    return {"a text is repeated by a loop that joins it with &" +
                (is_one_character
                     ? ", a character by Fmt.Pad(\"\", " + count + ", '" + text.substr(1, 1) + "')"
                     : std::string()),
            {}};
  }
  const bool numbers = NumberRank(a) > 0 && NumberRank(b) > 0;
  if (tree->op == ast::BinaryOp::kDivide && !IsFloat(a) && numbers && ask_.Same(a, b)) {
    return {"DIV divides integers: " + l + " DIV " + r + "; FLOAT(" + l + ") / FLOAT(" + r +
                ") keeps the fraction",
            {}};
  }
  if (tree->op == ast::BinaryOp::kDiv && numbers && (IsFloat(a) || IsFloat(b))) {
    const bool same = ask_.Same(a, b);
    Advice advice = same ? Advice() : ConvertOperand(tree, left, right);
    if (!same && advice.fixes.empty()) return {};
    advice.text = advice ? "/ divides floating numbers; " + advice.text
                         : "/ divides floating numbers: " + l + " / " + r;
    advice.fixes.push_back({tree->op_span, "/"});
    return advice;
  }
  if (tree->op == ast::BinaryOp::kSubtract && IsEnumeration(a) && ask_.Same(a, b)) {
    return {"the distance is ORD(" + l + ") - ORD(" + r + ")",
            {{Before(left_span), "ORD("},
             {Behind(left_span), ")"},
             {Before(right_span), "ORD("},
             {Behind(right_span), ")"}}};
  }
  const bool adds = tree->op == ast::BinaryOp::kAdd || tree->op == ast::BinaryOp::kSubtract;
  if (adds && IsEnumeration(a) && b->kind == TypeKind::kInteger) {
    const std::string type = TypeHere(a);
    if (type.empty() || a == c_.types().boolean) return {};
    const char* op = tree->op == ast::BinaryOp::kAdd ? " + " : " - ";
    return {"write VAL(ORD(" + l + ")" + op + r + ", " + type + ")",
            {{Before(left_span), "VAL(ORD("},
             {Behind(left_span), ")"},
             {Behind(right_span), ", " + type + ")"}}};
  }
  for (const bool is_left : {true, false}) {
    const auto* set = As<SetType>(is_left ? a : b);
    const Expr* element = is_left ? right : left;
    if (set == nullptr || ask_.Assignable(element->type, set->element) == Assignability::kNo)
      continue;
    return WayTo(element, is_left ? right_span : left_span, is_left ? left->type : right->type);
  }
  if (numbers || As<RefType>(c_.SeeThrough(a)) != nullptr ||
      As<RefType>(c_.SeeThrough(b)) != nullptr)
    return ConvertOperand(tree, left, right);
  if (NumberRank(a) + NumberRank(b) > 0 && (IsEnumeration(a) || IsEnumeration(b))) {
    const bool is_left = IsEnumeration(a);
    return WayTo(is_left ? left : right, is_left ? left_span : right_span, is_left ? b : a);
  }
  if (left_text != right_text)
    return WayFromText(left_text ? left_span : right_span, left_text ? b : a);
  return {};
}

Advice Advisor::CompareAdvice(const ast::BinaryExpr* tree, const Expr* left, const Expr* right) {
  const SourceSpan left_span = tree->left->span, right_span = tree->right->span;
  Type *a = BaseType(left->type), *b = BaseType(right->type);
  for (const auto& [operand, span, other] :
       {std::tuple{left, left_span, b}, std::tuple{right, right_span, a}}) {
    const auto* procedure = As<ProcedureType>(StripPacked(operand->type));
    if (procedure == nullptr || procedure->signature.result == nullptr) continue;
    if (other->kind != TypeKind::kProcedure) return CallIt(procedure, span);
  }
  const bool equality = tree->op == ast::BinaryOp::kEqual || tree->op == ast::BinaryOp::kNotEqual;
  if (a == c_.types().text && b == c_.types().text) return TextComparison(tree);
  Advice advice = ConvertOperand(tree, left, right);
  if (advice) return advice;
  for (const bool is_left : {true, false}) {
    Type *one = is_left ? a : b, *other = is_left ? b : a;
    const Expr* value = is_left ? left : right;
    const SourceSpan span = is_left ? left_span : right_span;
    if (IsEnumeration(one) && other->kind == TypeKind::kInteger) return WayTo(value, span, other);
    if (one->kind == TypeKind::kNull && !IsReference(other) && !IsProcedure(other))
      return WayTo(value, span, other);
    if (one == c_.types().text && other->kind != TypeKind::kOpaque) {
      Advice way = WayFromText(span, other);
      if (way) return way;
    }
  }
  if (!equality) {
    if (ask_.Same(a, b)) {
      return {TypeToString(left->type) + " has no order: only = and # compare its values" +
                  (a->kind == TypeKind::kRecord ? "; compare fields" : ""),
              {}};
    }
    return {};
  }
  return {Difference(a, b), {}};
}

Advice Advisor::TextComparison(const ast::BinaryExpr* tree) {
  const SourceSpan left_span = tree->left->span, right_span = tree->right->span;
  const std::string l = ShortSource(left_span), r = ShortSource(right_span);
  const bool equality = tree->op == ast::BinaryOp::kEqual || tree->op == ast::BinaryOp::kNotEqual;
  Advice import;
  const std::string text = InterfaceHere("Text", &import);
  const std::string behind = equality ? ")" : ") " + std::string(tree->op_span.text()) + " 0";
  const std::string call = (tree->op == ast::BinaryOp::kNotEqual ? "NOT " : "") + text +
                           (equality ? ".Equal(" : ".Compare(");
  Advice advice{"write " + call + l + ", " + r + behind + import.text, {}};
  if (import.no_fix || !IsOnly(Between(left_span, right_span), tree->op_span.text())) return advice;
  advice.fixes = {{Before(left_span), call},
                  {Between(left_span, right_span), ", "},
                  {Behind(right_span), behind}};
  Append(&advice, import);
  return advice;
}

}  // namespace tenure::compiler
