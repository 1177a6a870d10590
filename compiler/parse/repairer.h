// Forms of other languages, where reading by the grammar alone has failed (grammar.cc): each is
// reported with what Modula-3 has instead, and read as that where its meaning is clear.
//
// The parser asks at the place of the form, and goes on by the grammar if the answer is null or
// false. The productions of the parser and these functions call each other, so the class is
// declared beside the productions; compiler/foreign has its functions.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/foreign/tables/forms.h"
#include "compiler/foreign/tables/words.h"
#include "compiler/lex/token.h"

namespace tenure::compiler {

class Parser;

class Repairer {
 public:
  explicit Repairer(Parser& parser);

  // --- statements.cc
  // At the first token of a statement.
  ast::Stmt* ParseForeignStatement();
  // At labels and then `=>` or, as in Pascal, `:` where the arm before has no `|` behind it.
  bool AtArmWithoutBar() const;
  // At `default:`, `otherwise` or `others =>`.
  bool AtDefaultArm() const;
  // At an arm of CASE that begins with WHEN. FixWhenArm makes it ours.
  bool AtWhenArm() const;
  bool FixWhenArm();
  // Behind IF: does a `;` stand before THEN?
  bool IsStatementBeforeCondition() const;
  // `WITH f(x) AS y DO`: reads up to DO.
  bool SkipWithAs(SourceSpan opening);

  // Skips to behind the END of a construct whose first word was skipped. CASE may begin an arm.
  void SkipToEnd(bool case_opens);

  // --- assignments.cc
  // Behind the target of an assignment that is not written ':=', or behind a procedure whose values
  // stand without parentheses.
  ast::Stmt* ParseForeignAssignment(ast::Expr* target, uint32_t begin);

  // --- for_headings.cc
  // Behind FOR: is the heading another language's?
  bool AtForeignFor() const;
  // False if the heading was not understood; then it is skipped.
  bool ParseForeignFor(ast::ForStmt& stmt, SourceSpan opening);

  // --- expressions.cc
  // The binary operator of another language at the cursor: its tokens and the operator meant.
  struct ForeignOperator {
    size_t tokens = 0;  // 0: none
    TokenKind meant = TokenKind::kEndOfFile;
    ForeignForm form{};
    std::string fix;  // Empty: no change makes it right.
    std::vector<std::string> args;
  };
  ForeignOperator FindForeignOperator();
  void ReportOperator(const ForeignOperator& found, SourceSpan span);
  // `and`, `or`, `mod`, `div`, `in` behind an operand.
  bool FixLowerCaseOperator();
  // `x NOT IN s`: reports it, and stops at IN. The expression begins at `begin`.
  bool FixNotIn(uint32_t begin);
  // `x AS T`, `x IS T`, `x IS NIL`, at the word.
  ast::Expr* ParseTypeTest(int operand_level);
  // `x IN 1..9`, `x IN [1..9]`, behind the right operand.
  bool FixInRange(const ast::Expr* left, ast::Expr* right, uint32_t begin);
  // `new T()`, `NEW T`.
  ast::Expr* ParseForeignNew();
  // `*p`, `^p`, `&x` at the beginning of an operand.
  ast::Expr* ParsePrefixOperator();
  // At `[` where an expression stands: is it a list of values, not a subrange?
  bool AtArrayValue() const;
  ast::Expr* ParseArrayValue();
  // `a[1:3]`, at the colon or the dots.
  ast::Expr* ParseSlice(const ast::Expr* operand, const ast::Expr* low, uint32_t begin);
  // `f"..."`.
  ast::Expr* ParsePrefixedText();
  // `P(x: 3)`, at the colon.
  void FixNamedActual(const ast::Expr* callee, ast::Actual& actual);
  // `WriteLn(x:8:2)`, behind the actuals.
  bool SkipPrintWidth(const ast::CallExpr& call);
  // `P(VAR x)`.
  void SkipActualMode();
  // `x => x + 1`, `lambda x: x + 1` in the place of an actual.
  bool SkipLambda();
  // Behind an expression in parentheses, and behind these.
  bool SkipInParens(SourceSpan opening);
  bool SkipBehindParens(const ast::Expr* expr, SourceSpan opening);
  // `a[i++]`, behind the variable.
  bool SkipStepValue(const ast::Expr* variable, uint32_t begin);
  // `OTHERS => 0` in a constructor.
  bool SkipOtherElements();

  // --- types.cc
  // At the first token of a type.
  ast::TypeExpr* ParseForeignType();
  // `Sequence(INTEGER)` in the place of a type, behind the name, which begins at `begin`.
  void SkipGenericActuals(uint32_t begin);
  // `[1..3, 1..3]` behind ARRAY; sets the index types.
  bool FixIndexList(ast::ArrayType& type);
  // The type of a result; other languages have several.
  ast::TypeExpr* ParseResultType();

  // --- declarations.cc
  // Where a declaration is expected and none begins: reports what stands there, and skips it or
  // makes it ours.
  bool FixForeignSection(ast::Block& block);
  // At a word in front of a declaration, and a name: no item of a section begins so.
  bool AtSectionWord() const;
  // At the first token of a file that begins no unit.
  bool FixForeignUnit(ast::Unit& unit);

  // --- names.cc: names that are declared, and headings
  // `TRANSIENT cache: TEXT`, `private n: INTEGER`.
  void SkipFieldWord(ast::FieldGroup& field);
  // `a[10]: T` in the place of `a: ARRAY [0..9] OF T`; sets the type.
  bool FixLengthBehindName(ast::TypeExpr*& type, SourceSpan name);
  // `x INTEGER`, and `INTEGER x` whose names are exchanged.
  void ParseTypeWithoutColon(ast::TypeExpr*& type, SourceSpan name);
  // `T*`: the mark of an exported name.
  void SkipExportMark();
  // `INTEGER x`, `int x`, `x INTEGER`, `IN x: T`: takes one formal.
  bool FixForeignFormal(ast::FormalGroup& formal);
  // `x: OUT T`.
  void FixModeBehindColon(ast::FormalGroup& formal);
  // `PROCEDURE (t: T) Name(...)`: skips the parentheses, whose first token is at `receiver`.
  bool SkipReceiver();
  void ReportReceiver(size_t receiver, const ast::Ident& name);
  // Behind a procedure's signature: words before the body.
  void ParseForeignHeading();

 private:
  using enum TokenKind;

  bool FixNilTest();
  ast::Stmt* ParseBraces();
  ast::Stmt* ParsePrefixStep();
  ast::Stmt* ParseStepStatement(TokenKind sign, ast::Expr* target, uint32_t begin);
  ast::Stmt* ParseStatementWord(const ForeignWord& word);
  ast::Stmt* ParseAssertion(const ForeignWord& word);
  ast::Stmt* ParseOtherWord();
  ast::Stmt* ParseSwitch();
  bool FixCatch();
  ast::Stmt* ParseDeclarationInStatements();
  ast::Stmt* SkipForeignStatement();
  ast::Stmt* SkipDoWhile(const std::string& word);
  ast::Stmt* ParseCompoundAssignment(ast::Expr* target, uint32_t begin);
  ast::Stmt* ParseCallWithoutParentheses(ast::Expr* target, uint32_t begin);
  bool ParseForIn(ast::ForStmt& stmt, SourceSpan opening, bool has_paren);
  bool ParseForOfThree(ast::ForStmt& stmt, SourceSpan opening, bool has_paren);
  void ReportForEach(ast::ForStmt& stmt, SourceSpan opening);
  void ReportCounting(SourceSpan opening, const std::string& ours);
  // Is the token `ahead` of the cursor in the cursor's line?
  bool IsSameLine(size_t ahead) const;
  // Where the word at the cursor, which begins a statement, stands (WordPlace).
  WordPlaces PlacesOfStatement() const;
  ast::TypeExpr* ParseReference(const std::string& form, size_t tokens);
  ast::TypeExpr* ParseEnumeration(size_t behind);
  ast::TypeExpr* ParseBareSubrange();
  ast::TypeExpr* ParseStruct(bool is_class);
  ast::TypeExpr* ParseArraySuffix();
  ast::TypeExpr* ParseForeignObject();
  ast::TypeExpr* ParseTypeWord();
  ast::TypeExpr* ParseTypeBehindWord(std::string_view advice);
  ast::TypeExpr* ParseSizedType(std::string_view upper);
  ast::TypeExpr* SkipTypeWord(const ForeignWord& word);
  ast::TypeExpr* SkipGenericType(std::string_view advice);
  ast::TypeExpr* FinishErrorType(uint32_t begin);
  bool SkipSectionWord();
  bool SkipSection(ForeignForm form, const std::string& word);
  bool FixSectionWord(ForeignForm form, TokenKind ours);
  bool FixImportWord(bool may_import);
  bool FixVariableWithoutVar(ast::Block& block);
  void SkipBraceComment();

  Parser& p_;
  const SourceFile& file_;
  std::vector<Token>& tokens_;  // of the parser
  // The first export mark that was reported; fixes of the others are added to it.
  DiagnosticBuilder export_marks_;
  bool export_marks_reported_ = false;
};

}  // namespace tenure::compiler
