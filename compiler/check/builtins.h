// Calls of the built-in operations (docs/language.md 17). Internal to compiler/check.
#pragma once

#include "compiler/check/checked_unit.h"
#include "compiler/check/checker.h"

namespace tenure::compiler {

class BuiltinChecker {
 public:
  explicit BuiltinChecker(Checker& checker) : c_(checker), advisor_(*checker.advisor_) {}

  Operand CheckBuiltin(Symbol* symbol, const ast::CallExpr* tree);

 private:
  bool ReportTypeFirst(const ast::CallExpr* tree, BuiltinName name);
  bool NamesType(const ast::Expr* tree);
  bool CheckArity(const ast::CallExpr* tree, BuiltinName name, size_t least, size_t most);
  Operand CheckAbs(const ast::CallExpr* tree);
  Operand CheckMinMax(const ast::CallExpr* tree, bool max);
  Operand CheckFloat(const ast::CallExpr* tree);
  Operand CheckRounding(const ast::CallExpr* tree, BuiltinName name);
  Operand CheckOrd(const ast::CallExpr* tree);
  Operand CheckVal(const ast::CallExpr* tree);
  Operand CheckBounds(const ast::CallExpr* tree, BuiltinName name);
  Operand CheckSize(const ast::CallExpr* tree, BuiltinName name);
  Operand CheckTypeTest(const ast::CallExpr* tree, bool narrow);
  Operand CheckTypecode(const ast::CallExpr* tree);
  Operand CheckSubarray(const ast::CallExpr* tree);
  Operand CheckIncDec(const ast::CallExpr* tree, bool decrement);
  Operand CheckDispose(const ast::CallExpr* tree);
  Operand CheckAdr(const ast::CallExpr* tree);
  Operand CheckLoophole(const ast::CallExpr* tree);

  Checker& c_;
  Advisor& advisor_;
};

}  // namespace tenure::compiler
