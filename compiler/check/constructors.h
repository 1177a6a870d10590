// Constructors and NEW (docs/language.md 18). Internal to compiler/check.
#pragma once

#include "compiler/check/checked_unit.h"
#include "compiler/check/checker.h"

namespace tenure::compiler {

class ConstructorChecker {
 public:
  explicit ConstructorChecker(Checker& checker) : c_(checker), advisor_(*checker.advisor_) {}

  Expr* CheckConstructor(const ast::ConstructorExpr* tree);
  Operand CheckNew(const ast::CallExpr* tree);

 private:
  Expr* CheckSetConstructor(const ast::ConstructorExpr* tree, Type* type, SetType* set);
  Expr* CheckArrayConstructor(const ast::ConstructorExpr* tree, Type* type, Type* array);
  Expr* CheckRecordConstructor(const ast::ConstructorExpr* tree, Type* type, RecordType* record);
  void ReportPositional(const ast::Actual& actual, size_t at, Type* type);
  void CheckNewRecord(const ast::CallExpr* tree, RecordType* record, NewExpr* node);
  void CheckNewObject(const ast::CallExpr* tree, Type* type, NewExpr* node);
  void CheckNewArray(const ast::CallExpr* tree, Type* array, NewExpr* node);

  Checker& c_;
  Advisor& advisor_;
};

}  // namespace tenure::compiler
