// What messages propose: the advice for types that do not fit, and near names for those that are
// not found. Internal to compiler/check.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/check/advice.h"
#include "compiler/check/checked_unit.h"
#include "compiler/check/interface_index.h"
#include "compiler/check/name_use.h"
#include "compiler/check/scope.h"
#include "compiler/check/unit_info.h"
#include "compiler/diagnostics/diagnostics.h"

namespace tenure::compiler {

class Checker;

// Sees the checker where it is now, and changes nothing there: c_ is what the checker knows, ask_
// the same checker, for questions that it may have to find out first (whether two types are the
// same, what a name denotes).
class Advisor {
 public:
  explicit Advisor(Checker& checker) : c_(checker), ask_(checker) {}

  // --- advice_values.cc: what to write instead
  DiagnosticBuilder& Advise(DiagnosticBuilder& builder, const Advice& advice);
  // Adds a note: where the program declares the type, if it has a name.
  void NoteDeclaration(DiagnosticBuilder& builder, const Type* type);
  void NoteDeclaration(DiagnosticBuilder& builder, const ast::QualId& exception);
  // The name by which this unit refers to the interface. If the unit does not import the interface,
  // the advice gets the IMPORT, or no_fix because the name means something else here.
  std::string InterfaceHere(std::string_view interface, Advice* advice);
  // The type as this unit writes it; empty if the unit has no name for it.
  std::string TypeHere(const Type* type);
  static Advice Wrapped(SourceSpan span, std::string_view before, std::string_view behind);
  Advice CallIt(const ProcedureType* procedure, SourceSpan span);
  Advice CallIt(const Signature& signature, SourceSpan span);
  // How to make a value of type `to` of the expression. No advice if there is no usual way.
  // `variable`: the source of the variable that takes the value, if there is one.
  Advice WayTo(const Expr* value, SourceSpan span, Type* to, std::string_view variable = "ref");
  Advice WayToText(const Expr* value, SourceSpan span);
  Advice WayFromText(SourceSpan span, Type* to);

  // --- advice_operators.cc
  Advice ConditionAdvice(const Expr* value, SourceSpan span, bool negated);
  Advice NotAdvice(const ast::UnaryExpr* tree, const Expr* operand);
  // How to give both operands one type.
  Advice ConvertOperand(const ast::BinaryExpr* tree, const Expr* left, const Expr* right);
  Advice OperatorAdvice(const ast::BinaryExpr* tree, const Expr* left, const Expr* right);
  Advice CompareAdvice(const ast::BinaryExpr* tree, const Expr* left, const Expr* right);
  Advice TextComparison(const ast::BinaryExpr* tree);

  // --- advice_statements.cc
  std::string NotVariableReason(const Expr* target, SourceSpan span);
  Advice NotVariableAdvice(const Expr* target, SourceSpan span);
  // Why the designator is readonly, and what to do.
  std::pair<std::string, std::string> ReadonlyReason(const Expr* target);
  Advice BoundAdvice(const Expr* bound, bool is_first, const Expr* other);
  Advice SelectorAdvice(const Expr* selector, const ast::CaseStmt* tree);
  // The values that have no label, in words.
  std::string MissingLabels(const CaseStmt& statement, const Type* type);

  // --- advice_calls.cc
  Advice MemberAdvice(const Expr* value, const ast::SelectExpr* tree);
  Advice SubscriptAdvice(const Expr* array, const ast::SubscriptExpr* tree);
  Advice NotProcedureAdvice(const Expr* value, const ast::CallExpr* tree);
  // `value`: of the first actual; null if there is none.
  Advice TypeCalledAdvice(Type* type, const ast::CallExpr* tree, const Expr* value);
  std::vector<std::string> FieldNames(Type* type);
  Advice TypeAsValueAdvice(Type* type, SourceSpan span);
  Advice NotTypeAdvice(Symbol* symbol, SourceSpan span);
  Advice VarAdvice(const Formal& formal, const Expr* value, SourceSpan span);
  Advice ConstructorAdvice(const ast::ConstructorExpr* tree, Type* type);
  Advice NewAdvice(const ast::CallExpr* tree, Type* type);
  void ReportNotAssignable(const Expr* value, Type* to, SourceSpan span, const Receiver& receiver);

  // --- differences.cc: for messages; empty if there is nothing to say
  std::string SignatureDifference(const Signature& wanted, const Signature& found, bool skip_first);

  // --- suggest.cc, suggest_members.cc: each adds a guess to the message, as a hint and perhaps as
  // a fix. The returned text, not empty, replaces the name; the caller adds that fix.
  std::string SuggestFor(const ast::Ident& ident, NameUse use, DiagnosticBuilder& error);
  std::string SuggestIn(UnitInfo* interface, const ast::Ident& ident, DiagnosticBuilder& error);
  void SuggestInterface(std::string_view name, SourceSpan span, DiagnosticBuilder& error);
  // `object` is the value whose member is selected, or null.
  std::string SuggestMember(Type* type, const ast::Ident& ident, const ast::Expr* object,
                            DiagnosticBuilder& error, bool methods_only = false);
  void SuggestForMemberless(Type* type, const ast::SelectExpr* tree, DiagnosticBuilder& error);
  // Reports the undeclared name of the callee if it is a method of the first actual.
  bool SuggestMethod(const ast::CallExpr* call, const ast::Ident& ident);
  // `a <= b <= c` for `a <= b AND b <= c`. False: the comparison is no such one.
  bool SuggestTwoComparisons(const ast::BinaryExpr* tree, DiagnosticBuilder& error);
  // Names the procedures of its interface that return a value of the opaque type.
  void SuggestMaker(Type* type, DiagnosticBuilder& error);
  bool PackageHasMain() const;

 private:
  // --- advice_values.cc
  static Advice Replaced(SourceSpan span, const std::string& replacement);
  // A call of the interface's procedure with the expression as its first actual; `behind` ends it.
  Advice Called(SourceSpan span, std::string_view interface, std::string_view procedure,
                std::string_view behind);
  Advice WayFromNumber(const Expr* value, SourceSpan span, Type* to);

  // --- advice_calls.cc
  Advice SelectionAsCall(const ast::SelectExpr* tree, const std::string& before,
                         const Advice& import);

  // --- differences.cc
  std::string Difference(Type* from, Type* to);

  // --- suggest.cc, suggest_members.cc
  const InterfaceIndex& Index(const SourceFile* importer);
  void FixImport(DiagnosticBuilder& error, std::string_view interface);
  // The name under which the unit imports the interface; empty if the unit does not import it.
  std::string ImportedName(std::string_view interface);
  bool SuggestForeignName(const ast::Ident& ident, char use, DiagnosticBuilder& error,
                          std::string* replacement);
  bool SuggestProcedure(const ast::Ident& ident, const ast::Expr* object, DiagnosticBuilder& error);
  void SuggestProcedureCall(const std::string& procedure, const ast::Ident& ident,
                            const ast::Expr* object, DiagnosticBuilder& error);
  // `Transaction.Commit(tr)` for `tr.commit()`.
  bool SuggestMethodOf(UnitInfo* interface, std::string_view name, DiagnosticBuilder& error);
  // Names the unit that reveals a member of this name. False: none does.
  bool SuggestRevealer(Type* type, std::string_view name, DiagnosticBuilder& error);
  std::vector<std::string> MemberNames(Type* type, bool methods_only);
  const UnitInfo* RevealerOf(Type* type, std::string_view name);
  bool SuggestOutOfScope(std::string_view name, DiagnosticBuilder& error);

  const Checker& c_;
  Checker& ask_;
  std::unordered_map<const void*, InterfaceIndex> indices_;  // by package
};

}  // namespace tenure::compiler
