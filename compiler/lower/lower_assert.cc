// ASSERT: the condition, and the values that a failed one reports (language.md 26).
//
// Nothing is kept for the report while the condition holds. Each operand whose value decides has a
// way of its own to a report; there the values that the condition has computed are still known, and
// variables and designators that the condition has read are read once more.

#include <algorithm>
#include <set>

#include "compiler/check/walk.h"
#include "compiler/lower/function_lowering.h"
#include "compiler/lower/source_words.h"
#include "compiler/lower/value_descriptors.h"

namespace tenure::compiler {

namespace {

constexpr size_t kMostValues = 12;

const Expr* WithoutConversion(const Expr* expr) {
  while (const auto* convert = ExprAs<const ConvertExpr>(expr)) expr = convert->operand;
  return expr;
}

bool CanBeShown(const Expr* expr) {
  return expr->type != nullptr && Bare(expr->type)->kind != TypeKind::kOpenArray &&
         (IsScalar(expr->type) || expr->designator);
}

// Whether to evaluate the expression again has no effect, and does not fail, right after it was
// evaluated.
bool CanBeRepeated(const Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kConstant:
    case ExprKind::kVariable: return true;
    case ExprKind::kDeref:
    case ExprKind::kField:
    case ExprKind::kObjectField:
    case ExprKind::kSubscript: break;
    case ExprKind::kConvert:
      if (ExprAs<const ConvertExpr>(expr)->conversion == Conversion::kShape) return false;
      break;
    default: return false;
  }
  bool good = true;
  ForEachOperand(expr, [&](const Expr* operand) { good = good && CanBeRepeated(operand); });
  return good;
}

// The designators in an expression that was evaluated, the outermost of each.
void CollectDesignators(const Expr* expr, std::vector<const Expr*>& found) {
  if (expr->designator && CanBeRepeated(expr) && CanBeShown(expr)) found.push_back(expr);
  if (ExprAs<const FieldExpr>(expr) != nullptr || ExprAs<const ObjectFieldExpr>(expr) != nullptr ||
      ExprAs<const DerefExpr>(expr) != nullptr) {
    // The whole value says less than the part, but it may have subscripts.
    ForEachOperand(expr, [&](const Expr* operand) {
      if (ExprAs<const VariableExpr>(operand) == nullptr) CollectDesignators(operand, found);
    });
    return;
  }
  if (const auto* subscript = ExprAs<const SubscriptExpr>(expr)) {
    if (ExprAs<const VariableExpr>(subscript->operand) == nullptr) {
      CollectDesignators(subscript->operand, found);
    }
    CollectDesignators(subscript->index, found);
    return;
  }
  // The right operand may not have been evaluated.
  if (expr->kind == ExprKind::kAnd || expr->kind == ExprKind::kOr) return;
  ForEachOperandOfChain(expr, [&](const Expr* operand) { CollectDesignators(operand, found); });
}

// All variables in a condition: to read one never fails.
void CollectVariables(const Expr* expr, std::vector<const Expr*>& found) {
  if (ExprAs<const VariableExpr>(expr) != nullptr) {
    if (IsScalar(expr->type)) found.push_back(expr);
    return;
  }
  if (expr->designator && expr->kind != ExprKind::kSubscript) return;
  ForEachOperandOfChain(expr, [&](const Expr* operand) { CollectVariables(operand, found); });
}

}  // namespace

void FunctionLowering::EmitAssert(const AssertStmt* stmt) {
  std::vector<KnownValue> known;
  EmitAssertion(stmt, stmt->condition, known);
}

void FunctionLowering::EmitAssertion(const AssertStmt* stmt, const Expr* condition,
                                     std::vector<KnownValue>& known) {
  if (const auto* both = ExprAs<const AndExpr>(condition)) {
    EmitAssertion(stmt, both->left, known);
    EmitAssertion(stmt, both->right, known);
    return;
  }
  llvm::BasicBlock* good = Block("asserted");
  if (const auto* either = ExprAs<const OrExpr>(condition)) {
    llvm::BasicBlock* right = Block("or");
    std::vector<KnownValue> left = known;
    EmitTestedBranch(either->left, good, right, left);
    b_.SetInsertPoint(right);
    EmitAssertion(stmt, either->right, left);
    b_.CreateBr(good);
  } else {
    llvm::BasicBlock* bad = Block("failed");
    EmitTestedBranch(condition, good, bad, known);
    b_.SetInsertPoint(bad);
    EmitFailedAssertion(stmt, condition, known);
  }
  b_.SetInsertPoint(good);
}

void FunctionLowering::EmitTestedBranch(const Expr* condition, llvm::BasicBlock* when_true,
                                        llvm::BasicBlock* when_false,
                                        std::vector<KnownValue>& known) {
  if (const auto* compare = ExprAs<const CompareExpr>(condition)) {
    b_.CreateCondBr(EmitCompare(compare, &known), when_true, when_false);
    return;
  }
  EmitBranch(condition, when_true, when_false);
}

void FunctionLowering::EmitFailedAssertion(const AssertStmt* stmt, const Expr* failed,
                                           const std::vector<KnownValue>& known) {
  llvm::Value* message =
      stmt->message == nullptr ? static_cast<llvm::Value*>(u_.Null()) : EmitValue(stmt->message);
  const std::string condition = SourceText(stmt->condition->span);

  std::vector<KnownValue> shown;
  std::set<std::string> texts = {condition};
  const auto show = [&](const Expr* expr, llvm::Value* value) {
    if (shown.size() == kMostValues || WithoutConversion(expr)->kind == ExprKind::kConstant ||
        !CanBeShown(expr) || !texts.insert(SourceText(expr->span)).second) {
      return;
    }
    if (value == nullptr) {
      value = IsScalar(expr->type) ? EmitValue(expr)
                                   : InBytes(EmitDesignator(expr, false), expr->type).address;
    }
    shown.push_back({expr, value});
  };
  for (const KnownValue& value : known) show(value.expr, value.value);
  const bool is_compare = ExprAs<const CompareExpr>(failed) != nullptr;
  if (const auto* negation = ExprAs<const NotExpr>(failed)) {
    if (CanBeShown(negation->operand)) show(negation->operand, u_.Int(1));
  } else if (!is_compare) {
    show(failed, u_.Int(0));
  }
  std::vector<const Expr*> more;
  CollectDesignators(failed, more);
  CollectVariables(stmt->condition, more);
  for (const Expr* expr : more) show(expr, nullptr);
  std::stable_sort(shown.begin(), shown.end(), [](const KnownValue& a, const KnownValue& b) {
    return a.expr->span.begin < b.expr->span.begin;
  });

  At(stmt->span);
  auto* value_type = llvm::StructType::get(u_.context, {u_.ptr, u_.ptr});
  std::vector<llvm::Constant*> descriptions;
  llvm::Value* values = u_.Null();
  if (!shown.empty()) {
    values = Alloca(llvm::ArrayType::get(u_.i64, shown.size()), 8, "values");
  }
  for (size_t i = 0; i < shown.size(); ++i) {
    const Expr* expr = shown[i].expr;
    descriptions.push_back(llvm::ConstantStruct::get(
        value_type, {u_.CString(SourceText(expr->span)), ValueDescriptorOf(u_, expr->type)}));
    StoreWord(Offset(values, static_cast<int64_t>(8 * i)), PassedToReport(shown[i].value));
  }
  llvm::Constant* assertion =
      u_.Static(llvm::ConstantStruct::getAnon(
                    u_.context, {u_.CString(condition), u_.Table(value_type, descriptions),
                                 u_.Int(static_cast<int64_t>(shown.size()))}),
                8);
  CallEntry(Entry::tn_assertion_failed,
            {CheckSiteOf(RuntimeErrorCode::kAssertFailed, CheckForm::kAssertion, assertion),
             message, values});
  b_.CreateUnreachable();
}

}  // namespace tenure::compiler
