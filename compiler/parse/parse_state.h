// The parser's class: cursor, error recovery, and one function per production. Internal to this
// folder.
//
// Recovery. A function that does not find what it needs reports it and returns an error node
// without consuming anything; a second error at the same token is not reported. Lists
// (declarations, statements, elements) skip to a token where they can go on. Each loop consumes a
// token per turn or ends.

#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "compiler/ast/ast.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/foreign/tables/forms.h"
#include "compiler/lex/lexer.h"
#include "compiler/parse/repairer.h"
#include "compiler/source/interner.h"

namespace tenure::compiler {

// The tokens besides END that may end the statement lists around the cursor. Counts the constructs
// that wait for each.
struct Followers {
  int bar = 0, else_part = 0, elsif = 0, until = 0, handler = 0, pragma = 0, brace = 0,
      finally_part = 0;
};

// The variables that a block declares, as far as it has been read.
class VariableNames {
 public:
  explicit VariableNames(const ast::Block& block) : block_(block) {}

  bool Has(Name name) {
    for (; taken_ < block_.declarations.size(); ++taken_) {
      const auto* variable = ast::DynAs<ast::VariableDecl>(block_.declarations[taken_]);
      if (variable == nullptr) continue;
      for (const ast::Ident& ident : variable->names) names_.insert(ident.name);
    }
    return names_.contains(name);
  }

 private:
  const ast::Block& block_;
  size_t taken_ = 0;  // of the block's declarations
  std::unordered_set<Name> names_;
};

// What changes while the parser reads, apart from the tokens and what was reported: a copy brings
// the parser back to where it was.
struct ReadingState {
  ast::Unit* unit_ = nullptr;
  size_t position_ = 0;
  uint32_t previous_end_ = 0;     // End of the last token consumed.
  size_t last_error_ = SIZE_MAX;  // Position of the last error that was reported at the cursor.
  bool grammar_only_ = false;     // An error ends the reading, and is not reported.
  bool unit_has_errors_ = false;
  bool in_header_ = false;           // In ParseHeaderExpr, not in brackets.
  bool in_function_ = false;         // In the body of a procedure with a result.
  bool in_return_ = false;           // Behind RETURN, at a parenthesis.
  bool in_statement_block_ = false;  // In the declarations of a block among statements.
  bool has_repairs_ = false;
  bool has_damaged_body_ = false;
  bool structure_damaged_ = false;  // It is not certain which declarations the unit has.
  size_t after_brace_ = SIZE_MAX;   // The position behind a `}` that needs no semicolon.
  int indent_limit_ =
      -1;  // An indented body ends at a line that begins at this column or left of it.
  int next_procedure_column_ = -1;  // Of the procedure whose body is about to be parsed.
  int procedure_column_ = -1;       // Of the heading of the procedure whose statements are parsed.
  SourceSpan else_if_;              // Of the IF that is about to be parsed, directly behind ELSE.
  bool gave_up_ = false;
  bool type_allowed_ = false;  // In an actual: OBJECT and BRANDED may follow a name.
  int nesting_ = 0;
  int depth_ = 0;  // Greatest depth among the nodes finished since the current type began.
  Followers followers_;
  std::vector<Name> open_names_;     // Names of the procedures and the unit around the cursor.
  std::vector<Token> decl_pragmas_;  // Pragmas that wait for their declaration.
  ast::DeclPragmas pragmas_;         // The attributes that these pragmas set.
};

class Parser : private ReadingState {
 public:
  Parser(const TokenList& tokens, Arena& arena, Interner& interner, Diagnostics& diagnostics);

  ast::Unit* ParseUnit();

 private:
  // Nested statements, types, and bracketed expressions. Bounds this parser's own recursion; the
  // depth of left-recursive chains, which it does not recurse over, is bounded by ast::kMaxDepth.
  static constexpr int kMaxNesting = 250;
  // The depth at which a chain is given up. It leaves room for the constructs around the chain,
  // each of which deepens the tree by at least one node per level.
  static constexpr int kMaxChain = ast::kMaxDepth - 2 * kMaxNesting;

  // Counts one level of nesting while it lives.
  class Nesting {
   public:
    Nesting(Parser& parser, std::string_view what);
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // Reads other languages' forms at the cursor, where reading by the grammar has failed.
  friend class Repairer;

  // --- cursor.cc
  const Token& token() const { return tokens_[position_]; }
  TokenKind kind() const { return token().kind; }
  bool At(TokenKind k) const { return token().kind == k; }
  TokenKind PeekKind(size_t ahead) const;
  void Advance();
  // Advances if the next token is of this kind.
  bool Accept(TokenKind k);
  SourceSpan TokenSpan() const { return file_.Span(token().begin, token().end); }
  // From `begin` to the end of the last token consumed.
  SourceSpan SpanFrom(uint32_t begin) const;
  SourceSpan AfterPrevious() const { return file_.Span(previous_end_, previous_end_); }

  // How the statements of a construct are delimited: by END; in other languages' ways, which were
  // reported, by `}`, or by indentation behind `:`.
  enum class Body : uint8_t { kEnd, kBrace, kIndented };

  // A construct whose END is indented like that of a construct around it.
  struct Suspect {
    std::string what;
    SourceSpan opening;
    SourceSpan end;  // The END that was taken for it.
    bool is_else_if = false;
    SourceSpan else_if;  // From ELSE to the IF.
  };

  // --- grammar.cc: reading by the grammar alone, and where it fails
  // Ends a reading by the grammar alone: the text at the cursor is not Modula-3.
  DiagnosticBuilder Fail();
  // May forms of other languages, misspelt keywords and keywords in small letters be looked for at
  // the cursor? Only where a reading by the grammar alone has failed, at most `ahead` tokens
  // behind the cursor.
  bool Helps(size_t ahead = 0) const;
  // As Helps, up to and including the token at position `last`.
  bool HelpsUpTo(size_t last) const { return last >= position_ && Helps(last - position_); }
  // The tokens from the cursor on were changed, or were read as a form of another language: what a
  // reading by the grammar found out about them is no longer true.
  void ForgetReading();
  // The token at the position, to be changed.
  Token& Rewrite(size_t position);
  // At the first token of an item of a list (a statement, a declaration, a field): if it is not
  // known yet whether it is Modula-3, reads it by the grammar alone with `read`, which calls Fail
  // where it is not, and returns to the first token.
  template <typename Read>
  void TryItem(Read read) {
    if (!BeginTrial()) return;
    const ReadingState before = *this;
    std::vector<Suspect> suspects = std::exchange(suspects_, {});
    grammar_only_ = true;
    indent_limit_ = -1;
    read();
    if (!gave_up_) read_until_ = position_;
    suspects_ = std::move(suspects);
    static_cast<ReadingState&>(*this) = before;
  }
  bool BeginTrial();
  // The tokens that may stand behind an item of a list; any other makes it fail.
  void RequireNext(std::initializer_list<TokenKind> kinds);

  // --- parser.cc: errors
  template <typename... Args>
  DiagnosticBuilder Report(MessageId id, SourceSpan span, const Args&... args) {
    if (grammar_only_) return Fail();
    unit_has_errors_ = true;
    return diagnostics_.Error(id, span, args...);
  }
  // As Report, for an error whose tree is as if the source were right.
  template <typename... Args>
  DiagnosticBuilder Repair(MessageId id, SourceSpan span, const Args&... args) {
    if (grammar_only_) return Fail();
    has_repairs_ = true;
    return diagnostics_.Error(id, span, args...);
  }
  // Reports the form of another language as one that the tree shows as ours. Null builder if
  // nothing may be reported.
  DiagnosticBuilder RepairForeign(ForeignForm form, SourceSpan span,
                                  const std::vector<std::string>& args = {});
  // Reports the form even if an error was reported at the cursor.
  DiagnosticBuilder ShowForeign(ForeignForm form, SourceSpan span,
                                const std::vector<std::string>& args = {});
  // As RepairForeign, but the tree is damaged.
  DiagnosticBuilder ReportForeign(ForeignForm form, SourceSpan span,
                                  const std::vector<std::string>& args = {});
  // May a repair at the cursor be reported? As MayReport, but the tree counts as whole.
  bool MayRepair();
  // May an error at the cursor be reported? At most once per token, and not where the lexer
  // reported one.
  bool MayReport();
  std::string DescribeToken() const;
  // "expected WHAT, found ..." at the cursor.
  void ReportExpected(std::string_view what, std::string_view rule);
  // True if the next token, an identifier, is a keyword in small letters; reports it and makes it
  // the keyword.
  bool FixLowerCase();
  // Takes a name that is nearly one of the keywords for that, and reports it.
  bool FixMisspelling(std::initializer_list<TokenKind> keywords, std::string_view rule);
  // As FixMisspelling, for the keywords that begin or go on with a statement.
  bool FixMisspelledStatement();
  void GiveUp(std::string_view what);

  // --- parser.cc: expectations
  bool Expect(TokenKind k, std::string_view rule);
  // The token that other languages, or other statements, have in the place of `k`.
  bool AtSubstitute(TokenKind k) const;
  // If `k` is not next: takes that token for `k`, or skips to `k` within this statement.
  bool ExpectSkipping(TokenKind k, std::string_view rule);
  // The `;` after a `what` in a list of declarations or members. Skips to a token where the list
  // can go on.
  void ExpectSemicolon(std::string_view what, std::string_view rule);
  // The END of the construct that begins at `opening`.
  void ExpectEnd(std::string_view what, SourceSpan opening);
  // The closing bracket; `what` is "')'" or "',' or ')'".
  void CloseBracket(TokenKind k, std::string_view what, SourceSpan opening);
  void ClosePragma(SourceSpan opening);
  void SkipMisplacedPragma();
  void SkipMisplacedPragmas();
  ast::Ident ExpectIdent(std::string_view what, std::string_view rule);
  bool AtIdent() const { return At(TokenKind::kIdentifier); }
  // An identifier, or a keyword that is clearly meant as one.
  bool AtName() const;
  std::vector<ast::Ident> ParseIdList(std::string_view what, std::string_view rule);
  ast::QualId ParseQualId(std::string_view what, std::string_view rule);
  bool IsOpenName(Name name) const;
  // Whether the cursor is at an END that belongs to a procedure or unit around this construct.
  bool AtOuterEnd() const;

  // --- cursor.cc: several tokens
  // Whether the next two tokens are these, without a space between them.
  bool AtJoined(TokenKind first, TokenKind second) const;
  // Whether the next token is the identifier in small or capital letters.
  bool AtWord(std::string_view upper) const { return IsWord(0, upper); }
  bool IsWord(size_t ahead, std::string_view upper) const;
  // From the cursor to the token `ahead` of it.
  SourceSpan SpanTo(size_t ahead) const {
    return file_.Span(token().begin, tokens_[position_ + ahead].end);
  }
  bool IsFirstInLine(const Token& token) const;
  uint32_t ColumnOf(const Token& token) const;
  // 1 for a bracket that opens, -1 for one that closes, else 0.
  static int BracketStep(TokenKind k);
  // At the opening bracket: skips to behind the closing one.
  void SkipBalanced(TokenKind open, TokenKind close);
  // The position behind the bracket that closes the one at `from`.
  size_t BehindBrackets(size_t from) const;
  const Token& Peek(size_t ahead) const { return tokens_[position_ + ahead]; }
  // From the beginning of one token to the end of the other, by their positions.
  SourceSpan SpanOf(size_t first, size_t last) const {
    return file_.Span(tokens_[first].begin, tokens_[last].end);
  }
  bool AtAny(std::initializer_list<TokenKind> kinds) const;
  // Advances to the next of these, or to the end of the file.
  void SkipTo(std::initializer_list<TokenKind> kinds);
  // Takes the tokens up to this position.
  void AdvanceTo(size_t position) {
    while (position_ < position) Advance();
  }

  // --- bodies.cc: where statements begin and end
  Body OpenBody(TokenKind opener);
  void CloseBody(Body body, std::string_view what, SourceSpan opening);
  // The statements of a body that OpenBody began.
  ast::StmtList ParseBody(Body body, SourceSpan opening);
  bool AtElseOfBody(Body body, SourceSpan opening);
  bool AtIndentedEnd() const;
  // Whether the cursor is at a declaration, or a BEGIN, whose indentation shows that the procedure
  // around it has ended.
  bool AtNextDeclaration() const;
  bool AtNextDeclarationBehind(const ast::Ident& procedure) const;
  void CheckIndentation(std::string_view what, SourceSpan opening);
  bool ReportSuspect(SourceSpan opening);

  // --- parser.cc: recovery
  bool AtStatementStop() const;
  bool AtDeclarationStart() const;
  void SkipToStatementStop();
  void SkipToDeclaration();

  // --- parse_unit.cc
  ast::Unit* ParseCompilation();
  void ParseUnitBody(ast::Unit& unit);
  void ParseInstance(ast::Unit& unit);
  void ParseUnitEnd(ast::Unit& unit);
  void ParseImports();
  void ParseAsImport();
  void ParseFromImport();
  std::vector<ast::Ident> ParseGenericList(std::string_view what);

  // --- parse_decl.cc
  void ParseDeclarations(ast::Block& block);
  // `variables`: of the block, for all of its sections.
  void ParseSection(ast::Block& block, VariableNames& variables);
  void ParseDeclPragma(ast::Block& block);
  // A name or a text literal in a pragma; "no name" after a report, which says `what` is expected.
  Name ParseLinkName(std::string_view what);
  void ParseExternalPragma(ast::ExternalPragma& external);
  void ParseLibraryPragma(ast::Unit& unit);
  void ParseFatalPragma(ast::Block& block);
  void CheckPragmasApply(TokenKind section);
  bool FixSection();
  // An item of the section, without its semicolon.
  ast::Decl* ParseItem(TokenKind section);
  bool ParseItemPragmas(ast::DeclPragmas& pragmas);
  ast::Decl* ParseConstDecl();
  ast::Decl* ParseTypeDecl();
  ast::Decl* ParseExceptionDecl();
  ast::Decl* ParseVariableDecl();
  ast::Decl* ParseRevealDecl();
  void ParseProcedureDecl(ast::Block& block, const ast::DeclPragmas& pragmas);
  bool IsPascalStyle(Name name) const;
  bool AtPascalBody(int column) const;
  void ReportUnusedValue(SourceSpan value);
  // Declarations, BEGIN, statements; up to, not including, the END. False if there is no BEGIN.
  bool ParseBlockToEnd(ast::Block& block, std::string_view what, bool has_name,
                       bool is_statement = false);
  // END and the name of the construct.
  void ParseNamedEnd(ast::Block& block, std::string_view what, const ast::Ident& name);
  bool AtSuperfluousEnd() const;
  ast::Signature ParseSignature();
  void ParseFormal(ast::Signature& signature);
  // <*TRACE p*> behind a variable, if present and not null already.
  void ParseVariableTrace(ast::Expr*& trace);
  // <*TRACE s1; s2*> behind BEGIN.
  void ParseBlockTrace(ast::StmtList& trace);
  void ParseRaises(ast::Signature& signature);
  // (":" Type & ":=" ConstExpr).
  void ParseTypeAndValue(ast::TypeExpr*& type, ast::Expr*& value, std::string_view what,
                         std::string_view value_word, SourceSpan name);

  // --- parse_type.cc
  static bool StartsType(TokenKind k);
  ast::TypeExpr* ParseType();
  ast::TypeExpr* ParseObjectSuffixes(ast::TypeExpr* type, uint32_t begin);
  ast::TypeExpr* ParsePrimaryType();
  ast::TypeExpr* ParseTransientType();
  ast::TypeExpr* ParseNamedType();
  ast::TypeExpr* ParseArrayType();
  ast::TypeExpr* ParsePackedType();
  ast::TypeExpr* ParseEnumerationType();
  ast::TypeExpr* ParseProcedureType();
  ast::TypeExpr* ParseRecordType();
  ast::TypeExpr* ParseRefOrObjectType();
  ast::TypeExpr* ParseSetType();
  ast::TypeExpr* ParseSubrangeType();
  ast::TypeExpr* ParseObjectType(ast::TypeExpr* supertype, ast::Brand brand, uint32_t begin);
  ast::Brand ParseBrand();
  void ParseFields(std::vector<ast::FieldGroup>& fields);
  ast::FieldGroup ParseField();
  bool AtPragmaOfField() const;
  // As RequireNext, behind a field, method or override.
  void RequireNextMember();
  ast::Method ParseMethod();
  ast::Override ParseOverride();
  void ParseMethods(std::vector<ast::Method>& methods);
  void ParseOverrides(std::vector<ast::Override>& overrides);
  bool ParseConvention(ast::CallingConvention& convention);
  static bool IsConventionPragma(TokenKind k);

  // --- parse_stmt.cc
  ast::StmtList ParseStmtList();
  bool AtListEnd() const;
  bool AtStrayFollower() const;
  bool EndsWithoutSemicolon(const ast::Stmt& stmt) const;
  using StatementParser = ast::Stmt* (Parser::*)();
  // The production of the statement that begins with the token; null: no statement, or an
  // assignment or a call.
  static StatementParser StatementOf(TokenKind k);
  // Whether a statement may begin with the token.
  static bool StartsStatement(TokenKind k);
  ast::Stmt* ParseStmt();
  ast::Stmt* ParseExprStmt();
  ast::Stmt* ParseBlockStmt();
  ast::Stmt* ParseCase();
  ast::Stmt* ParseExit();
  ast::Stmt* ParseEval();
  ast::Stmt* ParseFor();
  ast::Stmt* ParseIf();
  ast::Stmt* ParseLock();
  ast::Stmt* ParseLoop();
  ast::Stmt* ParseRaise();
  ast::Stmt* ParseRepeat();
  ast::Stmt* ParseReturn();
  ast::Stmt* ParseTypecase();
  ast::Stmt* ParseTry();
  ast::Stmt* ParseWhile();
  ast::Stmt* ParseWith();
  ast::Stmt* ParseAssert();
  ast::Stmt* ParseDebug();
  void ExpectArrow();
  ast::CaseArm ParseCaseArm();
  ast::TypecaseArm ParseTypecaseArm();
  ast::Handler ParseHandler();
  ast::Ident ParseArmVariable(ast::Expr*& trace);
  bool ParseElse(ast::StmtList& body);
  // Arms up to ELSE or END: [Arm] {"|" Arm}.
  template <typename Arm>
  void ParseArms(std::vector<Arm>& arms, Arm (Parser::*parse_arm)());

  // --- parse_expr.cc
  ast::Expr* ParseExpr();
  // As ParseExpr, but a visible type is allowed and comes as TypeAsExpr.
  ast::Expr* ParseExprOrType(bool allow_type);
  ast::Expr* ParseLevel(int level);
  ast::Expr* ParseNot(int level);
  ast::Expr* ParseSign();
  ast::Expr* ParsePostfix();
  ast::Expr* ParsePrimary();
  ast::Expr* ParseNumber();
  ast::Expr* ParseParenthesized();
  ast::Expr* ParseTypeInExpr();
  ast::Expr* ParseConstructor(ast::TypeExpr* type, uint32_t begin);
  ast::Expr* ParseBareBraces();
  void ParseConstructorElements(ast::ConstructorExpr& constructor);
  ast::Expr* ParseCall(ast::Expr* callee, uint32_t begin);
  ast::Expr* ParseSubscript(ast::Expr* operand, uint32_t begin);
  ast::Expr* ParseSelect(ast::Expr* operand, uint32_t begin);
  ast::Actual ParseActual();
  bool StartsExpr(TokenKind k) const;
  // An expression before statements: `{` behind it may begin them, in the way of other languages.
  ast::Expr* ParseHeaderExpr();
  bool AtBraceOfStatements(const ast::Expr* before) const;
  static bool IsBinaryOperator(TokenKind k);
  // The expression, or an error node if it is a type.
  ast::Expr* RequireValue(ast::Expr* expr);
  // The type name that the expression spells, or null.
  ast::NamedType* ToTypeName(const ast::Expr* expr);
  ast::Expr* MakeErrorExpr();

  template <typename T>
  T* New() {
    return arena_.New<T>();
  }
  // Gives the node its span and its place in the depth count.
  template <typename T>
  T* Finish(T* node, uint32_t begin) {
    node->span = SpanFrom(begin);
    return node;
  }
  template <typename Child>
  void Deepen(ast::Expr* node, const Child* child) {
    if (child != nullptr && child->depth >= node->depth) {
      node->depth = static_cast<uint16_t>(child->depth + 1);
      if (node->depth >= kMaxChain) GiveUp("the expression");
    }
  }

  const SourceFile& file_;
  const TokenList& list_;
  std::vector<Token> tokens_;  // A copy: misspelt keywords are put right in it.
  Arena& arena_;
  Interner& interner_;
  Diagnostics& diagnostics_;
  const Name refany_;

  // What the last reading by the grammar alone found out: the tokens before read_until_ are
  // Modula-3; at failure_, if it is not SIZE_MAX, they are not.
  size_t read_until_ = 0, failure_ = SIZE_MAX;
  // The first brace or indented block that was reported; fixes of the others are added to it.
  DiagnosticBuilder braces_, indents_;
  bool braces_reported_ = false, indents_reported_ = false;
  std::vector<Suspect> suspects_;  // Of the innermost procedure.
  Repairer repairs_{*this};
};

}  // namespace tenure::compiler
