// The typed program: the result of Check, and the only input of lowering. Everything implicit in
// the source is explicit here: which entity a name means, dereferences, conversions that need a
// run-time check, the order and mode of actuals, defaults, folded constants. Lowering looks at
// types and at these nodes only.
//
// Ownership: a Program owns everything (arena style, freed together). Pointers are never null
// unless a comment says so. Nothing here exists for a unit with errors: lowering runs only when
// there were none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "compiler/source/source_file.h"
#include "compiler/types/entity.h"
#include "compiler/types/type.h"

namespace tenure::compiler {

// --- expressions ---

enum class ExprKind : uint8_t {
  kConstant,
  kVariable,     // a designator
  kProcedure,    // a procedure as a value; nested ones make a closure
  kDeref,        // operand^: REF; NIL is a run-time error. A designator
  kField,        // operand is a record (designator or value)
  kObjectField,  // operand is an object reference, `field` of ObjectType `object_type`; NIL check.
                 // A designator
  kSubscript,    // operand is an array (designator or value), index already converted: an index
                 // EXPRESSION of the array's index type base; lowering subtracts FirstOf and checks
                 // bounds unless known
  kSubarray,     // operand, from, count; a designator if operand is; type is an open array
  kUnary,
  kBinary,   // arithmetic and set operations, see Op
  kCompare,  // relations, see Op and Operands
  kAnd,
  kOr,
  kNot,
  kIn,  // left IN right
  kCall,
  kConvert,  // see Conversion
  kBuiltin,  // see Builtin
  kNew,
  kRecordConstructor,  // all fields present, in order (defaults filled in)
  kArrayConstructor,
  kSetConstructor,
};

struct Expr {
  ExprKind kind;
  Type* type = nullptr;  // null only for calls of proper procedures
  SourceSpan span;
  bool designator = false;  // denotes a location: lowering may ask for its address
  bool writable = false;

 protected:
  explicit Expr(ExprKind k) : kind(k) {}
};

template <typename T, typename Node>
T* ExprAs(Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}

#define TN_EXPR(Name, Kind)                         \
  static constexpr ExprKind kKind = ExprKind::Kind; \
  Name() : Expr(kKind) {}

// A folded constant, whatever expression the source has. Texts, sets, records and arrays become
// static data.
struct ConstantExpr : Expr {
  TN_EXPR(ConstantExpr, kConstant) const Constant* value = nullptr;
};
struct VariableExpr : Expr {
  TN_EXPR(VariableExpr, kVariable) Variable* variable = nullptr;
};
struct ProcedureExpr : Expr {
  TN_EXPR(ProcedureExpr, kProcedure) Procedure* procedure = nullptr;
};
struct DerefExpr : Expr {
  TN_EXPR(DerefExpr, kDeref) Expr* operand = nullptr;
};
struct FieldExpr : Expr {
  TN_EXPR(FieldExpr, kField)
  Expr* operand = nullptr;
  RecordType* record = nullptr;
  size_t field = 0;
};
struct ObjectFieldExpr : Expr {
  TN_EXPR(ObjectFieldExpr, kObjectField)
  Expr* operand = nullptr;
  ObjectType* object_type = nullptr;  // the type that declares the field
  size_t field = 0;                   // among its new fields
};
struct SubscriptExpr : Expr {
  TN_EXPR(SubscriptExpr, kSubscript)
  Expr* operand = nullptr;  // type kArray or kOpenArray (packed stripped)
  Expr* index = nullptr;
};
struct SubarrayExpr : Expr {
  TN_EXPR(SubarrayExpr, kSubarray)
  Expr* operand = nullptr;
  Expr* from = nullptr;
  Expr* count = nullptr;
};

enum class Op : uint8_t {
  kPlus,
  kMinus,  // prefix
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kDiv,
  kMod,  // binary; kDivide on sets is symmetric difference
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

// The class of the operands, with packed and subrange types seen through. Both operands have this
// class.
enum class Operands : uint8_t {
  kInteger,  // INTEGER, LONGINT: 64 bits, signed
  kOrdinal,  // enumerations (compare as numbers)
  kReal,
  kLongreal,  // EXTENDED is kLongreal
  kSet,
  kAddress,    // ADDRESS arithmetic and order (unsafe): ADDRESS +- INTEGER, ADDRESS - ADDRESS,
               // comparisons
  kReference,  // = and #
  kProcedure,  // = and #: same body and same environment
  kRecord,
  kArray,  // = and #: componentwise
};

struct UnaryExpr : Expr {
  TN_EXPR(UnaryExpr, kUnary) Op op = Op::kMinus;
  Operands operands{};
  Expr* operand = nullptr;
};
struct BinaryExpr : Expr {
  TN_EXPR(BinaryExpr, kBinary)
  Op op = Op::kAdd;
  Operands operands{};
  Expr* left = nullptr;
  Expr* right = nullptr;
};
struct CompareExpr : Expr {
  TN_EXPR(CompareExpr, kCompare)
  Op op = Op::kEqual;
  Operands operands{};
  Expr* left = nullptr;
  Expr* right = nullptr;
};
struct AndExpr : Expr {
  TN_EXPR(AndExpr, kAnd) Expr* left = nullptr;
  Expr* right = nullptr;
};
struct OrExpr : Expr {
  TN_EXPR(OrExpr, kOr) Expr* left = nullptr;
  Expr* right = nullptr;
};
struct NotExpr : Expr {
  TN_EXPR(NotExpr, kNot) Expr* operand = nullptr;
};
struct InExpr : Expr {
  TN_EXPR(InExpr, kIn) Expr* element = nullptr;
  Expr* set = nullptr;
};  // never faults (29.58)

// How one actual is passed.
struct Argument {
  enum class Pass : uint8_t {
    // VALUE: scalars (ordinals, floats, references, procedure values, sets up to 64 bits) by value;
    // records, arrays and
    // large sets by the address of the value, which the callee copies; `value` may be any
    // expression.
    kValue,
    // VAR, and READONLY where it aliases: the address of the designator `value`. Open array formals
    // of any mode
    // get the address of the first element and the lengths.
    kReference,
    // READONLY of a value that is not a designator or has another type: address of a fresh
    // temporary.
    kTemporary,
  };
  Pass pass = Pass::kValue;
  Expr* value = nullptr;
  Type* formal_type = nullptr;
};

struct CallExpr : Expr {
  TN_EXPR(CallExpr, kCall)
  // Exactly one of: a known procedure; a method of an object; a procedure value.
  Procedure* procedure = nullptr;
  Expr* object = nullptr;  // o.m(...): evaluated once, becomes the first parameter; NIL check
  ObjectType* method_type = nullptr;     // declares the method
  size_t method = 0;                     // among its new methods
  Expr* callee = nullptr;                // value of a procedure type; NIL check; may be a closure
  const Signature* signature = nullptr;  // signature of the callee, without self for methods
  std::vector<Argument> arguments;  // one per formal, in order of formals; without self for methods
  bool returns_first = false;       // of the checker's own making: the result is the first argument
};

enum class Conversion : uint8_t {
  kNone,  // same representation after load, another type (INTEGER <-> subrange known to fit, REF to
          // REFANY)
  kRange,     // ordinal: ValueOutOfRange unless FirstOf(type) <= v <= LastOf(type)
  kNarrow,    // reference: NarrowFailed unless NIL or a member of `type`
  kNotLocal,  // procedure value: NarrowFailed if it is a closure of a local procedure
  kShape,     // array to array type of other openness; lengths compared: IncompatibleArrayShape
};
struct ConvertExpr : Expr {
  TN_EXPR(ConvertExpr, kConvert)
  Conversion conversion = Conversion::kNone;
  Expr* operand = nullptr;  // `type` is the target
};

enum class Builtin : uint8_t {
  kAbs,
  kMin,
  kMax,    // operands as `operands` says
  kFloat,  // INTEGER, LONGINT or a float to the float `type`
  kFloor,
  kCeiling,
  kRound,
  kTrunc,  // float to INTEGER or LONGINT `type`; ValueOutOfRange when it does not fit
  kOrd,
  kVal,  // no code: VAL's check is a kRange conversion around it
  kFirst,
  kLast,
  kNumber,           // of an open array (designator or value): 0, n-1, n
  kSizeOfOpenArray,  // BYTESIZE/ADRSIZE (scale 1) or BITSIZE (scale 8) of an open array: `scale`
  kIsType,           // arguments[0], `tested`
  kTypecodeOf,       // of a reference value; NIL gives 0
  kTypecode,         // of `tested`
  kAdr,              // arguments[0] is a designator
  kLoophole,         // reinterpret arguments[0] as `type`; a designator if the operand is
  kConcat,           // TEXT & TEXT: call of Text.Cat
  // Word and Long functions, in line (library.md). LT.. give BOOLEAN.
  kWordPlus,
  kWordTimes,
  kWordMinus,
  kWordDivide,
  kWordMod,
  kWordLT,
  kWordLE,
  kWordGT,
  kWordGE,
  kWordAnd,
  kWordOr,
  kWordXor,
  kWordNot,
  kWordShift,
  kWordLeftShift,
  kWordRightShift,
  kWordRotate,
  kWordLeftRotate,
  kWordRightRotate,
  kWordExtract,
  kWordInsert,
};
struct BuiltinExpr : Expr {
  TN_EXPR(BuiltinExpr, kBuiltin)
  Builtin builtin{};
  Operands operands{};  // of the first argument, where it matters
  std::vector<Expr*> arguments;
  Type* tested = nullptr;  // kIsType, kTypecode
  int scale = 1;
};

// NEW(T, ...): `type` is the reference type asked for. For an object with method overrides the
// checker has made the anonymous subtype, and `allocated` is it.
struct NewExpr : Expr {
  TN_EXPR(NewExpr, kNew)
  Type* allocated = nullptr;   // kRef or kObject or kOpaque (lowering takes Concrete)
  std::vector<Expr*> lengths;  // open dimensions; negative: ValueOutOfRange
  struct Binding {
    RecordType* record = nullptr;  // REF RECORD: the record; else null
    ObjectType* object = nullptr;  // the object type that declares the field
    size_t field = 0;
    Expr* value = nullptr;
  };
  std::vector<Binding> bindings;  // evaluated in order; other fields get defaults
};

struct RecordConstructorExpr : Expr {
  TN_EXPR(RecordConstructorExpr, kRecordConstructor) std::vector<Expr*> fields;
};
// Fixed: either exactly the number of elements, or fewer with repeat_last. Open: n elements, type
// kOpenArray.
struct ArrayConstructorExpr : Expr {
  TN_EXPR(ArrayConstructorExpr, kArrayConstructor)
  std::vector<Expr*> elements;
  bool repeat_last = false;
};
struct SetConstructorExpr : Expr {
  TN_EXPR(SetConstructorExpr, kSetConstructor)
  struct Element {
    Expr* low = nullptr;
    Expr* high = nullptr;
  };  // high null: one element
  std::vector<Element> elements;  // values already range checked against the element type
};
#undef TN_EXPR

// --- statements ---

enum class StmtKind : uint8_t {
  kAssign,
  kCall,
  kEval,
  kBlock,
  kIf,
  kLoop,
  kWhile,
  kRepeat,
  kFor,
  kCase,
  kTypecase,
  kExit,
  kReturn,
  kRaise,
  kTryExcept,
  kTryFinally,
  kLock,
  kWith,
  kIncDec,
  kAssert,
  kDispose,
  kInitialize,
};

struct Stmt {
  StmtKind kind;
  SourceSpan span;

 protected:
  explicit Stmt(StmtKind k) : kind(k) {}
};

#define TN_STMT(Name, Kind)                         \
  static constexpr StmtKind kKind = StmtKind::Kind; \
  Name() : Stmt(kKind) {}

// target := value. The whole value is computed before any part of target changes (14.1); arrays may
// overlap. Arrays of differing openness are compared in shape (the value is wrapped in kShape).
struct AssignStmt : Stmt {
  TN_STMT(AssignStmt, kAssign) Expr* target = nullptr;
  Expr* value = nullptr;
};
struct CallStmt : Stmt {
  TN_STMT(CallStmt, kCall) CallExpr* call = nullptr;
};
struct EvalStmt : Stmt {
  TN_STMT(EvalStmt, kEval) Expr* value = nullptr;
};
// A block with declarations. Its variables are in the owner's `locals`; each entry of the block
// begins with kInitialize for variables without an initial value and kAssign for the others.
struct BlockStmt : Stmt {
  TN_STMT(BlockStmt, kBlock) StmtList body;
};
// Gives the variable an arbitrary valid value: zero, NIL, FIRST(T), record field defaults (10.5).
struct InitializeStmt : Stmt {
  TN_STMT(InitializeStmt, kInitialize) Variable* variable = nullptr;
};
struct IfStmt : Stmt {
  TN_STMT(IfStmt, kIf)
  struct Arm {
    Expr* condition = nullptr;
    StmtList body;
  };
  std::vector<Arm> arms;
  StmtList else_body;
};
struct LoopStmt : Stmt {
  TN_STMT(LoopStmt, kLoop) StmtList body;
};
struct WhileStmt : Stmt {
  TN_STMT(WhileStmt, kWhile) Expr* condition = nullptr;
  StmtList body;
};
struct RepeatStmt : Stmt {
  TN_STMT(RepeatStmt, kRepeat) StmtList body;
  Expr* condition = nullptr;
};
// variable has the base type. Termination is tested before stepping, so LAST(INTEGER) works.
struct ForStmt : Stmt {
  TN_STMT(ForStmt, kFor)
  Variable* variable = nullptr;
  Expr* from = nullptr;
  Expr* to = nullptr;
  Expr* by = nullptr;  // null: 1
  StmtList body;
};
struct CaseStmt : Stmt {
  TN_STMT(CaseStmt, kCase)
  Expr* selector = nullptr;
  struct Arm {
    std::vector<std::pair<int64_t, int64_t>> ranges;
    StmtList body;
  };
  std::vector<Arm> arms;
  bool has_else = false;
  StmtList else_body;
};
struct TypecaseStmt : Stmt {
  TN_STMT(TypecaseStmt, kTypecase)
  Expr* selector = nullptr;
  struct Arm {
    std::vector<Type*> types;
    Variable* variable = nullptr;
    StmtList body;
  };  // variable may be null
  std::vector<Arm> arms;
  bool has_else = false;
  StmtList else_body;
};
struct ExitStmt : Stmt {
  TN_STMT(ExitStmt, kExit)
};
struct ReturnStmt : Stmt {
  TN_STMT(ReturnStmt, kReturn) Expr* value = nullptr;
};  // null: none
struct RaiseStmt : Stmt {
  TN_STMT(RaiseStmt, kRaise) Exception* exception = nullptr;
  Expr* argument = nullptr;
};
struct TryExceptStmt : Stmt {
  TN_STMT(TryExceptStmt, kTryExcept)
  StmtList body;
  struct Handler {
    std::vector<Exception*> exceptions;
    Variable* variable = nullptr;
    Variable* activation =
        nullptr;  // gets the activation of the exception; null: the handler does not use it
    StmtList body;
  };
  std::vector<Handler> handlers;
  bool has_else = false;                // catches EXIT and RETURN out of the body as well (14.8.3)
  Variable* else_activation = nullptr;  // as Handler::activation, NIL after an EXIT or RETURN
  StmtList else_body;
};
struct TryFinallyStmt : Stmt {
  TN_STMT(TryFinallyStmt, kTryFinally)
  StmtList body;
  Variable* activation = nullptr;  // as TryExceptStmt::else_activation
  StmtList finally_body;
};
struct LockStmt : Stmt {
  TN_STMT(LockStmt, kLock)
  Expr* mutex = nullptr;
  StmtList body;
  Procedure* acquire = nullptr;  // Thread.Acquire and Thread.Release
  Procedure* release = nullptr;
};
struct WithStmt : Stmt {
  TN_STMT(WithStmt, kWith)
  struct Binding {
    Variable* variable = nullptr;
    Expr* value = nullptr;
  };  // alias iff variable->alias
  std::vector<Binding> bindings;
  StmtList body;
};
// INC and DEC: target evaluated once; range checked against its own type.
struct IncDecStmt : Stmt {
  TN_STMT(IncDecStmt, kIncDec)
  Expr* target = nullptr;
  Expr* amount = nullptr;  // null: 1
  bool decrement = false;
};
struct AssertStmt : Stmt {
  TN_STMT(AssertStmt, kAssert) Expr* condition = nullptr;
  Expr* message = nullptr;
};
struct DisposeStmt : Stmt {
  TN_STMT(DisposeStmt, kDispose) Expr* target = nullptr;
};
#undef TN_STMT

template <typename T, typename Node>
T* StmtAs(Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}

// --- units ---

// A library of the system that a program is linked with (language.md 26, LIBRARY).
struct SystemLibrary {
  std::string name;     // as the linker finds it: -lNAME
  std::string package;  // that has it, for messages
};

struct CheckedUnit {
  std::string name;
  std::string link_name;  // of units of one kind, no two have the same: mostly equal to `name`
  const SourceFile* file = nullptr;
  bool is_interface = false;
  bool is_unsafe = false;
  bool is_standard = false;  // unit of the standard library; set by the driver
  std::vector<SystemLibrary> libraries;
  std::vector<Variable*> variables;  // globals declared here
  std::vector<Exception*> exceptions;
  std::vector<Procedure*> procedures;  // with bodies here, nested ones included (after their
                                       // parents); for interfaces: the EXTERNAL ones
  std::vector<Procedure*>
      nested_in_body;  // (unused for interfaces) procedures nested in blocks of the module body
  StmtList body;       // module body, with the assignments of initial values first
  std::vector<Variable*>
      body_locals;  // locals of blocks, FOR, WITH ... in the module body (owner is null)
  std::vector<CheckedUnit*> imports;  // directly imported or exported interfaces
  // A key that changes with everything on which another unit's object code may depend: a hash of
  // the source text and of the imports' keys. The driver adds the layouts that were used.
  uint64_t content_key = 0;
};

struct Program {
  std::string name;
  TypeTable types;
  std::vector<CheckedUnit*>
      units;  // in initialisation order (22.2); Main is last; interfaces before their modules
  // Procedures and types that lowering itself uses, found by name; null if the program does not use
  // them.
  Procedure* text_cat = nullptr;      // Text.Cat
  ObjectType* text8_type = nullptr;   // TextFlat.T8
  ObjectType* text16_type = nullptr;  // TextFlat.T16

  // Makes a node or entity owned by the program.
  template <typename T, typename... Args>
  T* Make(Args&&... args) {
    return arena_.New<T>(static_cast<Args&&>(args)...);
  }

 private:
  Arena arena_;
};

}  // namespace tenure::compiler
