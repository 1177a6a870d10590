// The syntax tree: plain structs, one per production of language.md section 2. An Arena owns all
// nodes; pointers between nodes are never null unless a comment says so. Nothing here is resolved:
// names are as written, and the checker decides whether `A.B` selects a field or names an imported
// type.
//
// Trees of files with syntax errors contain kError nodes. They were reported already: treat them as
// silently wrong. The parser bounds the depth of every tree (kMaxDepth), so recursion over it is
// safe.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "compiler/source/interner.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler::ast {

// Deepest chain of nested expressions and types, and of nested statements and procedures.
inline constexpr int kMaxDepth = 2000;

struct Expr;
struct TypeExpr;
struct Stmt;
struct Decl;
struct ProcedureDecl;

using StmtList = std::vector<Stmt*>;

// An identifier as written.
struct Ident {
  Name name;
  SourceSpan span;
};

// QualId = Id ["." Id].
struct QualId {
  Ident qualifier;  // qualifier.name is "no name" in the short form.
  Ident name;
  SourceSpan span;

  bool is_qualified() const { return static_cast<bool>(qualifier.name); }
};

// The node of type T if it is one, null otherwise (also for a null node).
template <typename T, typename Node>
T* DynAs(Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}
template <typename T, typename Node>
const T* DynAs(const Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}
// The node as a T. The caller must know that it is one.
template <typename T, typename Node>
T* As(Node* node) {
  return static_cast<T*>(node);
}
template <typename T, typename Node>
const T* As(const Node* node) {
  return static_cast<const T*>(node);
}

// --- Expressions (2.5) ---

// Parentheses leave no node.

enum class ExprKind : uint8_t {
  kError,
  kName,
  kNumber,
  kCharLiteral,
  kTextLiteral,
  kConstructor,
  kUnary,
  kBinary,
  kDeref,
  kSelect,
  kSubscript,
  kCall,
  kType,
};

struct Expr {
  ExprKind kind;
  uint16_t depth = 1;  // 1 + that of the deepest expression or type inside; at most kMaxDepth.
  SourceSpan span;

 protected:
  explicit Expr(ExprKind k) : kind(k) {}
};

// Stands for what could not be parsed; already reported.
struct ErrorExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kError;
  ErrorExpr() : Expr(kKind) {}
};

// Id. TRUE, FALSE, NIL, FIRST and the like are names too. May turn out to name a type.
struct NameExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kName;
  NameExpr() : Expr(kKind) {}
  Name name;
};

enum class NumberKind : uint8_t { kInteger, kLongint, kReal, kLongreal, kExtended };

// Number. The lexer has checked the range (1.8, 1.9).
struct NumberExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kNumber;
  NumberExpr() : Expr(kKind) {}
  NumberKind number_kind = NumberKind::kInteger;
  bool is_based =
      false;  // `16_FF`: `value` is the two's complement word, so it may mean a negative number.
  uint64_t value = 0;  // kInteger, kLongint; at most LAST(INTEGER) unless is_based.
  Name real_text;      // Real kinds: in the form that strtod reads, e.g. "1.5e-3", whatever the
                       // exponent letter was.
};

// 'c', W'c'.
struct CharLiteralExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kCharLiteral;
  CharLiteralExpr() : Expr(kKind) {}
  uint32_t value = 0;  // Latin-1 code, or code point if wide.
  bool is_wide = false;
};

// "...", W"...". Escapes are decoded.
struct TextLiteralExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTextLiteral;
  TextLiteralExpr() : Expr(kKind) {}
  std::u32string value;  // Code points; all at most 255 unless is_wide.
  bool is_wide = false;
};

// SetElt | RecordElt | the elements of ArrayCons.
struct ConstructorElement {
  Ident keyword;  // `f := value`; "no name" if positional.
  Expr* value = nullptr;
  Expr* high = nullptr;  // `value .. high`; null if no range.
  SourceSpan span;
};

// Type "{" ... "}".
struct ConstructorExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kConstructor;
  ConstructorExpr() : Expr(kKind) {}
  TypeExpr* type = nullptr;
  std::vector<ConstructorElement> elements;
  bool has_trailing_dots = false;  // `, ..` at the end, or `..` alone is a syntax error.
  SourceSpan dots_span;
};

enum class UnaryOp : uint8_t { kPlus, kMinus, kNot };

struct UnaryExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kUnary;
  UnaryExpr() : Expr(kKind) {}
  UnaryOp op = UnaryOp::kPlus;
  Expr* operand = nullptr;
  SourceSpan op_span;
};

enum class BinaryOp : uint8_t {
  kOr,
  kAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kAdd,
  kSubtract,
  kConcat,    // &
  kMultiply,  // Also set intersection.
  kDivide,    // /, also set symmetric difference.
  kDiv,
  kMod,
};

struct BinaryExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kBinary;
  BinaryExpr() : Expr(kKind) {}
  BinaryOp op = BinaryOp::kOr;
  Expr* left = nullptr;
  Expr* right = nullptr;
  SourceSpan op_span;
};

// operand^.
struct DerefExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kDeref;
  DerefExpr() : Expr(kKind) {}
  Expr* operand = nullptr;
};

// operand.selector. Also a qualified name, an enumeration element, a method constant T.m.
struct SelectExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kSelect;
  SelectExpr() : Expr(kKind) {}
  Expr* operand = nullptr;
  Ident selector;
};

// operand[index, ...]: at least one index.
struct SubscriptExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kSubscript;
  SubscriptExpr() : Expr(kKind) {}
  Expr* operand = nullptr;
  std::vector<Expr*> indices;
};

// Actual = Type | [Id ":="] Expr. A type that does not look like an expression is a TypeAsExpr.
struct Actual {
  Ident keyword;  // "no name" if positional.
  Expr* value = nullptr;
  SourceSpan span;
};

// callee(actuals).
struct CallExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kCall;
  CallExpr() : Expr(kKind) {}
  Expr* callee = nullptr;
  std::vector<Actual> actuals;
  // A name alone where a statement stands. The parser did not report this, because only the checker
  // knows whether the name is a procedure's.
  bool lacks_parentheses = false;
};

// An actual that is visibly a type, like REF INTEGER. A type that is a mere name comes as NameExpr
// or SelectExpr. Occurs only as the value of a positional Actual.
struct TypeAsExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kType;
  TypeAsExpr() : Expr(kKind) {}
  TypeExpr* type = nullptr;
};

// --- Types (2.4) ---

// Parentheses leave no node.

enum class TypeKind : uint8_t {
  kError,
  kNamed,
  kArray,
  kPacked,
  kEnumeration,
  kObject,
  kProcedure,
  kRecord,
  kRef,
  kSet,
  kSubrange,
};

struct TypeExpr {
  TypeKind kind;
  uint16_t depth = 1;  // As in Expr.
  bool is_transient =
      false;        // Marked <*TRANSIENT*> itself (section 27); never set where 27.1 forbids it.
  SourceSpan span;  // Includes the mark.

 protected:
  explicit TypeExpr(TypeKind k) : kind(k) {}
};

// Stands for what could not be parsed; already reported.
struct ErrorType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kError;
  ErrorType() : TypeExpr(kKind) {}
};

// TypeName = QualId | ROOT | UNTRACED ROOT. Marked transient only if it is REFANY or ROOT.
struct NamedType : TypeExpr {
  enum class Form : uint8_t { kQualId, kRoot, kUntracedRoot };
  static constexpr TypeKind kKind = TypeKind::kNamed;
  NamedType() : TypeExpr(kKind) {}
  Form form = Form::kQualId;
  QualId id;  // kQualId only.
};

// ARRAY [Type {"," Type}] OF Type.
struct ArrayType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kArray;
  ArrayType() : TypeExpr(kKind) {}
  std::vector<TypeExpr*> indices;  // Empty: an open array.
  TypeExpr* element = nullptr;
};

// BITS bits FOR base.
struct PackedType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kPacked;
  PackedType() : TypeExpr(kKind) {}
  Expr* bits = nullptr;
  TypeExpr* base = nullptr;
};

// "{" [IdList] "}".
struct EnumerationType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kEnumeration;
  EnumerationType() : TypeExpr(kKind) {}
  std::vector<Ident> elements;
};

// Brand = BRANDED [ConstExpr].
struct Brand {
  bool is_branded = false;
  Expr* text = nullptr;  // Null: the compiler invents one.
  SourceSpan span;
};

// Field = IdList (":" Type & ":=" ConstExpr): one group of names that share type and default.
struct FieldGroup {
  bool is_transient = false;  // <*TRANSIENT*> before the group.
  std::vector<Ident> names;
  TypeExpr* type = nullptr;       // Null: the type of default_value.
  Expr* default_value = nullptr;  // Null: none. Not both null.
  SourceSpan span;
};

// RECORD Fields END.
struct RecordType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kRecord;
  RecordType() : TypeExpr(kKind) {}
  std::vector<FieldGroup> fields;
};

enum class Mode : uint8_t { kValue, kVar, kReadonly };

// Formal = [Mode] IdList (":" Type & ":=" ConstExpr).
struct FormalGroup {
  Mode mode = Mode::kValue;
  bool is_unused = false;  // <*UNUSED*> before the group.
  std::vector<Ident> names;
  TypeExpr* type = nullptr;       // Null: the type of default_value.
  Expr* default_value = nullptr;  // Null: none. Not both null.
  Expr* trace = nullptr;          // The procedure of <*TRACE p*>; null: none.
  SourceSpan span;
};

enum class RaisesKind : uint8_t { kOmitted, kSet, kAny };

enum class CallingConvention : uint8_t { kModula3, kC, kStdcall };

// Signature = "(" Formals ")" [":" Type] [RAISES Raises].
struct Signature {
  std::vector<FormalGroup> formals;
  TypeExpr* result = nullptr;                     // Null: a proper procedure.
  RaisesKind raises_kind = RaisesKind::kOmitted;  // Omitted means the empty set (5.9).
  std::vector<QualId> raises;                     // kSet only.
  SourceSpan span;
  SourceSpan raises_span;
};

// PROCEDURE Signature.
struct ProcedureType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kProcedure;
  ProcedureType() : TypeExpr(kKind) {}
  CallingConvention convention = CallingConvention::kModula3;
  Signature signature;
};

// Method = Id Signature [":=" ConstExpr].
struct Method {
  Ident name;
  Signature signature;
  Expr* default_value = nullptr;  // Null: none.
  SourceSpan span;
};

// Override = Id ":=" ConstExpr.
struct Override {
  Ident name;
  Expr* value = nullptr;
  SourceSpan span;
};

// [supertype] [Brand] OBJECT Fields [METHODS Methods] [OVERRIDES Overrides] END.
// `<*TRANSIENT*> ROOT OBJECT ... END` marks the supertype, from which the object inherits (27.2).
struct ObjectType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kObject;
  ObjectType() : TypeExpr(kKind) {}
  TypeExpr* supertype = nullptr;  // Null: ROOT. Otherwise NamedType, ObjectType or ErrorType.
  Brand brand;
  std::vector<FieldGroup> fields;
  std::vector<Method> methods;
  std::vector<Override> overrides;
};

// [UNTRACED] [Brand] REF Type.
struct RefType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kRef;
  RefType() : TypeExpr(kKind) {}
  bool is_untraced = false;
  Brand brand;
  TypeExpr* referent = nullptr;
};

// SET OF Type.
struct SetType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kSet;
  SetType() : TypeExpr(kKind) {}
  TypeExpr* element = nullptr;
};

// "[" low ".." high "]".
struct SubrangeType : TypeExpr {
  static constexpr TypeKind kKind = TypeKind::kSubrange;
  SubrangeType() : TypeExpr(kKind) {}
  Expr* low = nullptr;
  Expr* high = nullptr;
};

// --- Statements (2.3) ---

enum class StmtKind : uint8_t {
  kError,
  kAssign,
  kBlock,
  kCall,
  kCase,
  kExit,
  kEval,
  kFor,
  kIf,
  kLock,
  kLoop,
  kRaise,
  kRepeat,
  kReturn,
  kTypecase,
  kTryExcept,
  kTryFinally,
  kWhile,
  kWith,
  kAssert,
  kDebug,
};

struct Stmt {
  StmtKind kind;
  SourceSpan span;

 protected:
  explicit Stmt(StmtKind k) : kind(k) {}
};

// Stands for what could not be parsed; already reported.
struct ErrorStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kError;
  ErrorStmt() : Stmt(kKind) {}
};

// target := value.
struct AssignStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kAssign;
  AssignStmt() : Stmt(kKind) {}
  Expr* target = nullptr;
  Expr* value = nullptr;
};

// <*FATAL E1, E2*> or <*FATAL ANY*> among a block's declarations.
struct FatalPragma {
  bool is_any = false;
  std::vector<QualId> exceptions;
  SourceSpan span;
};

// Block = {Decl} BEGIN S END. The body of procedures and modules, and a statement.
struct Block {
  std::vector<Decl*> declarations;
  std::vector<FatalPragma> fatal;
  StmtList body;
  StmtList trace;  // <*TRACE ...*> behind BEGIN: to be done after each statement of the body.
  SourceSpan span;
  SourceSpan begin_span;    // Of BEGIN.
  SourceSpan end_span;      // Of END.
  bool has_errors = false;  // Of a procedure or module: syntax errors, so parts may be missing.
};

struct BlockStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kBlock;
  BlockStmt() : Stmt(kKind) {}
  Block block;
};

// A call as a statement.
struct CallStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kCall;
  CallStmt() : Stmt(kKind) {}
  CallExpr* call = nullptr;
};

// ConstExpr [".." ConstExpr].
struct CaseLabel {
  Expr* low = nullptr;
  Expr* high = nullptr;  // Null: a single value.
  SourceSpan span;
};

struct CaseArm {
  std::vector<CaseLabel> labels;
  StmtList body;
  SourceSpan span;
};

struct CaseStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kCase;
  CaseStmt() : Stmt(kKind) {}
  Expr* selector = nullptr;
  std::vector<CaseArm> arms;
  bool has_else = false;
  StmtList else_body;
};

struct ExitStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kExit;
  ExitStmt() : Stmt(kKind) {}
};

struct EvalStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kEval;
  EvalStmt() : Stmt(kKind) {}
  Expr* value = nullptr;
};

// FOR index := from TO to [BY by] DO body END.
struct ForStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kFor;
  ForStmt() : Stmt(kKind) {}
  Ident index;
  Expr* trace =
      nullptr;  // <*TRACE p*>; null: none. The same holds for `trace` in the statements below.
  Expr* from = nullptr;
  Expr* to = nullptr;
  Expr* by = nullptr;  // Null: 1.
  StmtList body;
};

struct IfArm {
  Expr* condition = nullptr;
  StmtList body;
  SourceSpan span;
};

// The first arm is IF, the others ELSIF.
struct IfStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kIf;
  IfStmt() : Stmt(kKind) {}
  std::vector<IfArm> arms;
  bool has_else = false;
  StmtList else_body;
};

struct LockStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kLock;
  LockStmt() : Stmt(kKind) {}
  Expr* mutex = nullptr;
  StmtList body;
};

struct LoopStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kLoop;
  LoopStmt() : Stmt(kKind) {}
  StmtList body;
};

struct RaiseStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kRaise;
  RaiseStmt() : Stmt(kKind) {}
  QualId exception;
  Expr* argument = nullptr;  // Null: none.
};

struct RepeatStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kRepeat;
  RepeatStmt() : Stmt(kKind) {}
  StmtList body;
  Expr* condition = nullptr;
};

struct ReturnStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kReturn;
  ReturnStmt() : Stmt(kKind) {}
  Expr* value = nullptr;  // Null: none.
};

struct TypecaseArm {
  std::vector<TypeExpr*> types;
  Ident variable;  // "no name" if none.
  Expr* trace = nullptr;
  StmtList body;
  SourceSpan span;
};

struct TypecaseStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kTypecase;
  TypecaseStmt() : Stmt(kKind) {}
  Expr* selector = nullptr;
  std::vector<TypecaseArm> arms;
  bool has_else = false;
  StmtList else_body;
};

struct Handler {
  std::vector<QualId> exceptions;
  Ident variable;  // "no name" if none.
  Expr* trace = nullptr;
  StmtList body;
  SourceSpan span;
};

struct TryExceptStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kTryExcept;
  TryExceptStmt() : Stmt(kKind) {}
  StmtList body;
  std::vector<Handler> handlers;
  bool has_else = false;
  StmtList else_body;
};

struct TryFinallyStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kTryFinally;
  TryFinallyStmt() : Stmt(kKind) {}
  StmtList body;
  StmtList finally_body;
};

struct WhileStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kWhile;
  WhileStmt() : Stmt(kKind) {}
  Expr* condition = nullptr;
  StmtList body;
};

// Binding = Id "=" Expr.
struct Binding {
  Ident name;
  Expr* trace = nullptr;
  Expr* value = nullptr;
};

struct WithStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kWith;
  WithStmt() : Stmt(kKind) {}
  std::vector<Binding> bindings;
  StmtList body;
};

// <*ASSERT condition*>, <*ASSERT condition WITH message*>.
struct AssertStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kAssert;
  AssertStmt() : Stmt(kKind) {}
  Expr* condition = nullptr;
  Expr* message = nullptr;  // Null: none.
};

// <*DEBUG texts*>, <*DEBUG condition WITH texts*>.
struct DebugStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kDebug;
  DebugStmt() : Stmt(kKind) {}
  Expr* condition = nullptr;  // Null: always.
  std::vector<Expr*> texts;
};

// --- Declarations (2.2) ---

// A section like `VAR a: A; b: B;` becomes one node per item.

enum class DeclKind : uint8_t { kConst, kType, kException, kVariable, kProcedure, kReveal };

// <*EXTERNAL N:L*>.
struct ExternalPragma {
  bool is_external = false;
  Name link_name;  // "no name": the Modula-3 name.
  Name language;   // As written, e.g. C; "no name" if not given.
  SourceSpan span;
};

// The pragmas before a section's keyword; they apply to all its items (26, rule c).
struct DeclPragmas {
  ExternalPragma external;
  bool is_inline = false;
  bool is_unused = false;
  bool is_obsolete = false;
  bool is_implicit = false;
  CallingConvention convention = CallingConvention::kModula3;
};

struct Decl {
  DeclKind kind;
  DeclPragmas pragmas;
  SourceSpan span;

 protected:
  explicit Decl(DeclKind k) : kind(k) {}
};

// Id [":" Type] "=" ConstExpr.
struct ConstDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kConst;
  ConstDecl() : Decl(kKind) {}
  Ident name;
  TypeExpr* type = nullptr;  // Null: the type of value.
  Expr* value = nullptr;
};

// Id ("=" | "<:") Type.
struct TypeDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kType;
  TypeDecl() : Decl(kKind) {}
  Ident name;
  bool is_opaque = false;  // "<:".
  TypeExpr* type = nullptr;
};

// Id ["(" Type ")"].
struct ExceptionDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kException;
  ExceptionDecl() : Decl(kKind) {}
  Ident name;
  TypeExpr* argument = nullptr;  // Null: none.
};

// IdList (":" Type & ":=" Expr).
struct VariableDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kVariable;
  VariableDecl() : Decl(kKind) {}
  std::vector<Ident> names;
  TypeExpr* type = nullptr;  // Null: the type of initial.
  Expr* initial = nullptr;   // Null: none. Not both null. Evaluated once per name.
  Expr* trace = nullptr;     // <*TRACE p*>; null: none.
};

// ProcedureHead ["=" Block Id] ";".
struct ProcedureDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kProcedure;
  ProcedureDecl() : Decl(kKind) {}
  Ident name;
  Signature signature;
  Block* body = nullptr;  // Null: only the heading.
};

// QualId ("=" | "<:") Type.
struct RevealDecl : Decl {
  static constexpr DeclKind kKind = DeclKind::kReveal;
  RevealDecl() : Decl(kKind) {}
  QualId name;
  bool is_partial = false;  // "<:".
  TypeExpr* type = nullptr;
};

// --- Units (2.1) ---

enum class UnitKind : uint8_t { kInterface, kModule };

// One ImportItem, or one Id of a FromImport.
struct Import {
  bool is_from = false;
  Ident interface;  // The unit that is imported, or imported from.
  Ident local;      // Its local name: `Id`, or the name after AS; for FROM the imported item.
  SourceSpan span;
};

// One compilation unit. For an instance (`INTERFACE I = G (A, B) END I.`) there are no imports and
// no declarations; the checker parses the generic's source again and gives that unit the instance's
// name.
// <*LIBRARY "z", "zlib1g-dev"*>: what programs with the interface are linked with.
struct LibraryPragma {
  Name library;  // as the linker finds it: -lNAME
  Name package;  // the system's package that has it
  SourceSpan span;
};

struct Unit {
  UnitKind kind = UnitKind::kInterface;
  bool is_unsafe = false;
  bool is_generic = false;
  // Syntax errors outside of procedures were reported: the tree's declarations are incomplete. A
  // damaged body of a procedure has Block::has_errors.
  bool has_errors = false;
  // Syntax errors were reported, but the tree is as meant, outside of damaged bodies.
  bool has_repairs = false;
  ExternalPragma external;  // <*EXTERNAL*> INTERFACE: the whole interface.
  std::vector<LibraryPragma> libraries;
  Ident name;
  bool has_exports = false;  // Modules: an EXPORTS clause was written.
  std::vector<Ident> exports;
  std::vector<Ident> formals;  // Generics.
  bool is_instance = false;
  Ident generic;               // Instances: the generic's name,
  std::vector<Ident> actuals;  // and its actual interfaces.
  std::vector<Import> imports;
  SourceSpan heading_end;  // Empty, behind the `;` of the heading.
  Block block;             // Interfaces use only declarations and fatal.
  SourceSpan span;
  const SourceFile* file = nullptr;
};

}  // namespace tenure::compiler::ast
