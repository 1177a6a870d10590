// The checker's state and its functions, by file. Internal to compiler/check.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "compiler/check/advice.h"
#include "compiler/check/checked_unit.h"
#include "compiler/check/name_use.h"
#include "compiler/check/scope.h"
#include "compiler/check/unit_info.h"
#include "compiler/check/unit_source.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/types/assignability.h"

namespace tenure::compiler {

// The entity that an expression of the tree denotes.
struct Operand {
  enum class Kind : uint8_t {
    kError,      // reported
    kValue,      // `value`
    kNoValue,    // a call of a proper procedure: `value` is the CallExpr
    kType,       // `type`
    kInterface,  // `symbol`
    kBuiltin,    // `symbol`
    kException,  // `symbol`
    kMethod,     // object.m: `value` is the object
    kStatement,  // a call of a built-in that is a statement, INC and its like: `statement`
  };
  Kind kind = Kind::kError;
  Expr* value = nullptr;
  Type* type = nullptr;
  Symbol* symbol = nullptr;  // of procedures too, when named directly
  ObjectType* method_type = nullptr;
  size_t method = 0;
  Stmt* statement = nullptr;
};

// A field or method found by name (12.3).
struct Member {
  enum class Kind : uint8_t { kNone, kField, kMethod } kind = Kind::kNone;
  ObjectType* object = nullptr;
  size_t index = 0;
};

// The destination of a value, which decides its run-time checks.
enum class Destination : uint8_t {
  kStore,  // variable, component, result, RAISE argument: no local procedures (8.2)
  kPass,   // VALUE or READONLY formal
};

class Advisor;
class ConstructorChecker;
class BuiltinChecker;

class Checker {
 public:
  Checker(UnitSource& source, const CheckOptions& options, Diagnostics& diagnostics);
  ~Checker();
  std::unique_ptr<Program> Run();

  // --- revelations.cc, for UnitInfo
  Type* TypeOfRevelation(Revelation* revelation);
  void EnsureBound(const OpaqueType* opaque);
  // Finds the entity that the name denotes. check_decl.cc
  void Resolve(Symbol* symbol);
  // Resolves the symbol, or of an opaque type only what it is, and not its bound: a revelation may
  // be looked up while a type is resolved that another opaque type has as its bound.
  void Identify(Symbol* symbol);

  std::unordered_map<const OpaqueType*, std::vector<Revelation*>> all_revelations;

 private:
  friend class Advisor;
  friend class ConstructorChecker;
  friend class BuiltinChecker;

  // Saves and restores where the checker is.
  class ContextScope {
   public:
    explicit ContextScope(Checker& checker)
        : checker_(checker), unit_(checker.unit_), scope_(checker.scope_), body_(checker.body_) {}
    ~ContextScope() {
      checker_.unit_ = unit_;
      checker_.scope_ = scope_;
      checker_.body_ = body_;
    }

   private:
    Checker& checker_;
    UnitInfo* unit_;
    Scope* scope_;
    BodyContext* body_;
  };

  // --- check.cc: the order of work
  void CheckUnits(size_t from);
  void FinishProgram();
  void CheckBodies(UnitInfo* unit);
  void RunVerifications();

  // --- stored_types.cc: types that a database cannot keep
  void NoteRoot(const CallExpr& call);
  void WarnNotKept();

  // --- interfaces.cc: units, imports, exports, generics
  UnitInfo* LoadFile(const SourceFile* file);
  // The importer is the file of the span or, without a span, the compiler.
  UnitInfo* LoadInterface(std::string_view name, SourceSpan span, bool required);
  const SourceFile* FindInterface(std::string_view name, const SourceFile* importer) const;
  UnitInfo* MisnamedInterface(std::string_view name);
  void ReportNoInterface(const ast::Ident& module);
  // The unit that LoadInterface found; null if it found none or was not called.
  UnitInfo* LoadedInterface(std::string_view name, const SourceFile* importer) const;
  // A unit that the compiler itself needs; null if the program does not need it.
  UnitInfo* OwnInterface(std::string_view name) const { return LoadedInterface(name, nullptr); }
  std::vector<UnitInfo*> ExportersOfMain();
  // The interface that a clause names: FROM looks among the names of the other clauses first,
  // wherever they stand (20.2).
  static ast::Ident InterfaceOf(const ast::Import& import, const ast::Unit* tree);
  UnitInfo* NewUnit(const ast::Unit* tree, const SourceFile* file);
  const ast::Unit* ParseFile(const SourceFile* file);
  bool Instantiate(UnitInfo* unit);
  void LoadImports(UnitInfo* unit);
  void LoadExporters();
  void LoadNeeded();
  void DeclareUnit(UnitInfo* unit);
  void DeclareImports(UnitInfo* unit);
  void DeclareExports(UnitInfo* unit);
  void AddImport(UnitInfo* unit, UnitInfo* interface, bool reveals);
  uint64_t ContentKey(UnitInfo* unit);

  void ReportLackingBody(const Symbol* symbol);

  // --- order.cc
  void OrderUnits();

  // --- revelations.cc
  void IndexRevelations(UnitInfo* unit);
  void CheckRevelations(UnitInfo* unit);
  void CompleteOpaqueTypes(bool all_units);
  void CheckBrands();
  struct BrandUse {
    Type* type;
    SourceSpan span;
    const UnitInfo* unit;
  };
  bool Clash(const BrandUse& a, const BrandUse& b) const;
  Type* SeeThrough(Type* type) const;  // packed stripped; opaque types revealed completely here
  ObjectType* KnownObject(Type* type) const;  // the most specific object type known, null if none

  // --- declare.cc
  void DeclareDecls(const std::vector<ast::Decl*>& decls, Scope* scope,
                    std::vector<Symbol*>* symbols);
  Symbol* DeclareName(const ast::Ident& ident, SymbolKind kind, const ast::Decl* decl, Scope* scope,
                      Scope::Origin origin);
  void ReportDuplicate(Name name, SourceSpan span, const Scope::Entry& first);
  Symbol* Use(Scope::Entry* entry, SourceSpan span);
  Symbol* LookUp(const ast::Ident& ident, NameUse use);
  Symbol* LookUpQualified(const ast::QualId& id, NameUse use);
  // Stands for a name that was not found, so that the mistake is reported once. Later uses get the
  // same fix.
  Symbol* MakeMissing(const ast::Ident& ident, DiagnosticBuilder error, std::string replacement);
  Symbol* LookUpIn(UnitInfo* interface, const ast::Ident& ident);
  Exception* LookUpException(const ast::QualId& id);

  // --- check_decl.cc
  void ResolveConstant(Symbol* symbol);
  void ResolveTypeDecl(Symbol* symbol);
  void MakeOpaque(Symbol* symbol);
  void ResolveException(Symbol* symbol);
  void ResolveVariable(Symbol* symbol);
  Type* TypeBeforeOperands(const ast::Expr* tree);
  void ResolveProcedure(Symbol* symbol);
  void CheckSignature(const ast::Signature& signature, Signature* out);
  std::string UniqueSymbol(const std::string& symbol);
  std::string Qualified(Name name) const;
  void CheckVariableType(Type* type, SourceSpan span, std::string_view what);
  std::string UnitSymbol() const;

  // --- check_body.cc
  void CheckProcedureBody(Symbol* symbol);
  void CheckBlock(const ast::Block& block, Scope* scope, StmtList* out,
                  std::vector<Symbol*>* symbols);
  void CheckFatal(const ast::Block& block);
  void AddInitializations(const std::vector<Symbol*>& symbols, StmtList* out, bool globals);
  Variable* NewLocal(const ast::Ident& ident, Variable::Kind kind, Type* type);
  Symbol* DeclareLocal(Scope* scope, const ast::Ident& ident, Variable* variable,
                       Scope::Origin origin);
  void WarnUnused(Scope* scope);
  Scope* NewScope();

  // --- check_type.cc
  Type* ResolveType(const ast::TypeExpr* type);
  Type* ResolveNamedType(const ast::NamedType* type);
  Type* ResolveArray(const ast::ArrayType* type);
  Type* ResolvePacked(const ast::PackedType* type);
  Type* ResolveEnumeration(const ast::EnumerationType* type);
  Type* ResolveRecord(const ast::RecordType* type);
  Type* ResolveSet(const ast::SetType* type);
  Type* ResolveSubrange(const ast::SubrangeType* type);
  Type* ResolveRef(const ast::RefType* type);
  Type* ResolveObject(const ast::ObjectType* type);
  Type* ResolveProcedureType(const ast::ProcedureType* type);
  void FillObject(const ast::ObjectType* tree, ObjectType* object);
  void FillMethods(const ast::ObjectType* tree, ObjectType* object,
                   std::map<std::string_view, SourceSpan>& names);
  void FillOverrides(const ast::ObjectType* tree, ObjectType* object,
                     std::map<std::string_view, SourceSpan>& names);
  void FillFields(const std::vector<ast::FieldGroup>& groups, std::vector<Field>* out,
                  std::map<std::string_view, SourceSpan>& names);
  std::string SelfType(const ObjectType* object);
  void VerifyMethodValue(ObjectType* object, const Signature* signature, Procedure* procedure,
                         Type* procedure_type, SourceSpan span, Name method);
  std::optional<std::string> ResolveBrand(const ast::Brand& brand);
  Type* WithDefault(const ast::TypeExpr* type, const ast::Expr* default_value,
                    const Constant** value, std::string_view what);
  void Defer(Type* type, std::function<void()> fill);
  void Complete(const Type* type);  // runs the type's deferred fill
  void Settle();                    // runs all deferred fills, unless a type is being resolved
  // As Settle. But while a constant is being resolved, it runs only the fills that these types
  // reach, because other fills may use the constant.
  void SettleFor(std::vector<Type*> reached);
  void Verify(std::function<void()> check);

  // --- relations, seen from this unit (convert.cc)
  bool Same(Type* a, Type* b);
  bool Subtype(Type* a, Type* b);
  Assignability Assignable(Type* from, Type* to);
  Expr* Convert(Expr* value, Type* to, Destination destination, SourceSpan span,
                const Receiver& receiver = {});
  Expr* ToBase(Expr* value);
  bool RequireUnsafe(SourceSpan span, std::string_view what);
  Expr* Retype(Expr* value, Type* to, Conversion conversion);
  bool MayBeLocalProcedure(const Expr* value);
  // The constant if it is a member of the type; else reports and returns null (8.4).
  const Constant* RequireMember(const Constant* value, Type* from, Type* to, SourceSpan span,
                                std::string_view what);

  // --- locations.cc
  bool IsByteAligned(Expr* designator);
  // Whether the location, of a packed type, has bytes of its own, as a variable of that type has.
  bool IsWholeVariable(Expr* designator);

  // --- constants.cc
  Expr* MakeConstant(const Constant* value, Type* type, SourceSpan span);
  Expr* MakeOrdinal(int64_t value, Type* type, SourceSpan span);
  Expr* MakeReal(double value, Type* type, SourceSpan span);
  Expr* MakeBoolean(bool value, SourceSpan span);
  Expr* MakeText(std::u32string text, bool wide, SourceSpan span);
  Expr* MakeError(SourceSpan span);
  // The expression's value if it is constant, else null.
  const Constant* ConstantOf(Expr* value);
  const Constant* OrdinalConstant(Expr* value);
  // Checks a constant expression; reports and returns null if it is not constant. `type` is always
  // set.
  const Constant* CheckConstant(const ast::Expr* tree, Type** type, std::string_view what);
  // Whether the expression is not constant because an operation on constants has no value or no
  // finite value; reports this.
  bool ReportUnfoldable(const Expr* value);
  // Warns that the value is not in the range (an empty range: of a division by zero), which is a
  // run-time error. No warning where the value was reported as an error because a constant is
  // needed.
  void WarnUnlessReported(const Expr* value, std::string_view range);
  Expr* FoldUnary(UnaryExpr* node);
  Expr* FoldBinary(BinaryExpr* node);
  Expr* FoldCompare(CompareExpr* node);
  std::optional<int64_t> FoldWord(Builtin builtin, const std::vector<int64_t>& arguments);
  std::optional<bool> EqualConstants(const Constant* a, const Constant* b, Type* type);

  // --- check_expr.cc
  Operand CheckOperand(const ast::Expr* tree);
  Expr* CheckExpr(const ast::Expr* tree);  // a value; never null
  Expr* ValueOf(const Operand& operand, SourceSpan span);
  // Null if it is not a type. `new_call`: the NEW whose first actual it is.
  Type* CheckTypeOperand(const ast::Expr* tree, const ast::CallExpr* new_call = nullptr);
  Operand Value(Expr* value);
  Operand CheckName(const ast::NameExpr* tree, NameUse use);
  Operand OperandOf(Symbol* symbol, SourceSpan span);
  Operand CheckSelect(const ast::SelectExpr* tree);
  Operand SelectFromType(Type* type, const ast::SelectExpr* tree);
  Operand SelectFromValue(Expr* value, const ast::SelectExpr* tree);
  Member FindMember(Type* type, std::string_view name);
  // Whether this is the unit's first use of a name that `owner`, an interface or a type, does not
  // have: each missing name is reported once in a unit. All instances of a generic count as one
  // unit.
  bool IsFirstMiss(const void* owner, Name name);
  // The type has no such field, member or element (`id`).
  void ReportMissing(MessageId id, Type* type, const ast::Ident& ident,
                     const ast::Expr* object = nullptr);
  Operand MethodConstant(Type* type, const Member& member, SourceSpan span);
  // Null: NIL. No value if the type is being resolved and asks for its own method.
  std::optional<Procedure*> StaticMethod(Type* type, ObjectType* method_type, size_t method);
  // The type that any unit of the program reveals; if none does, the type as this unit knows it.
  Type* WhateverRevealed(OpaqueType* opaque);
  // The object types that the type is made of in this program, itself first.
  std::vector<ObjectType*> LayersOf(Type* type);
  Expr* Deref(Expr* operand, SourceSpan span);
  Operand CheckSubscript(const ast::SubscriptExpr* tree);
  Expr* Subscript(Expr* array, Expr* index, SourceSpan span, const ast::SubscriptExpr* tree);
  Expr* CheckNumber(const ast::NumberExpr* tree);

  // --- check_operators.cc
  Expr* CheckUnary(const ast::UnaryExpr* tree);
  Expr* CheckBinary(const ast::BinaryExpr* tree);
  // Checks a binary operator other than AND, OR and &. Its left operand is checked already.
  Expr* CheckOperator(const ast::BinaryExpr* tree, Expr* left);
  // Checks a chain of AND or of OR, innermost first.
  Expr* CheckAndOr(const std::vector<const ast::BinaryExpr*>& chain, Expr* first);
  // `a + b + c` of texts, behind the `+` that was reported: the message gets this operator's fix.
  void GoOnWithTextSum(const ast::BinaryExpr* tree, const Expr* right);
  Expr* CheckConcat(const std::vector<const ast::BinaryExpr*>& chain, Expr* first);
  Expr* CheckArithmetic(const ast::BinaryExpr* tree, Expr* left, Expr* right);
  Expr* CheckComparison(const ast::BinaryExpr* tree, Expr* left, Expr* right);
  Expr* CheckIn(const ast::BinaryExpr* tree, Expr* left, Expr* right);
  Expr* CheckCondition(const ast::Expr* tree, std::string_view what);
  Expr* AsCondition(Expr* value, std::string_view what);
  std::optional<Operands> ArithmeticClass(Type* type);

  // --- seen_values.cc
  // Makes a call of Test.T.check or Test.T.require pass the source of its condition, and note the
  // values in the condition; leaves other calls alone.
  void NoteCheckedValues(CallExpr* call);
  void NoteOperands(Expr* condition, UnitInfo& seen, bool* first);
  // The value, by way of a procedure that notes it. `first`: whether it is the condition's first.
  Expr* NoteValue(Expr* value, UnitInfo& seen, bool* first);

  // --- check_call.cc
  Operand CheckCall(const ast::CallExpr* tree);
  bool MatchActuals(const Signature& signature, const ast::CallExpr* tree, bool no_self_keyword,
                    std::vector<Argument>* out);
  // `procedure`: the source that names it, for messages.
  Argument PassActual(const Formal& formal, Expr* value, SourceSpan span, SourceSpan procedure);
  Expr* CheckVarActual(const Formal& formal, const ast::Expr* tree, SourceSpan procedure);
  bool ReportSwapped(const Signature& signature, const std::vector<const ast::Actual*>& bound,
                     const std::vector<Expr*>& values, SourceSpan procedure);
  Operand CheckWordCall(const ProcedureType* type, const ast::CallExpr* tree, Builtin builtin);
  std::optional<Builtin> WordFunction(const Procedure* procedure);
  Operand CheckCompilerCall(const ast::CallExpr* tree);
  void NoteRaises(const Signature& signature, SourceSpan span);
  void NoteRaise(Exception* exception, SourceSpan span);  // null: any
  bool FatalHere(Exception* exception);

  // --- check_stmt.cc
  // `trace`: statements to follow each of these, or null.
  void CheckStatements(const ast::StmtList& trees, StmtList* out,
                       const ast::StmtList* trace = nullptr);
  Stmt* CheckStatement(const ast::Stmt* tree);
  Stmt* CheckAssign(const ast::AssignStmt* tree);
  Stmt* CheckCallStatement(const ast::CallStmt* tree);
  void ReportNameAlone(const ast::Expr* tree);
  Stmt* CheckBlockStatement(const ast::BlockStmt* tree);
  Stmt* CheckIf(const ast::IfStmt* tree);
  Stmt* CheckFor(const ast::ForStmt* tree);
  Stmt* CheckCase(const ast::CaseStmt* tree);
  Stmt* CheckTypecase(const ast::TypecaseStmt* tree);
  Stmt* CheckReturn(const ast::ReturnStmt* tree);
  Stmt* CheckExit(const ast::ExitStmt* tree);
  Stmt* CheckRaise(const ast::RaiseStmt* tree);
  Stmt* CheckTryExcept(const ast::TryExceptStmt* tree);
  Stmt* CheckTryFinally(const ast::TryFinallyStmt* tree);
  Stmt* CheckLock(const ast::LockStmt* tree);
  Stmt* CheckWith(const ast::WithStmt* tree);
  Stmt* CheckAssert(const ast::AssertStmt* tree);
  Stmt* CheckDebug(const ast::DebugStmt* tree);
  bool CheckWritable(Expr* target, SourceSpan span);
  // --- trace.cc: TRACE
  void SetTrace(const Variable* variable, Name name, ast::Expr* procedure, Scope* scope);
  void NoteWrite(const Expr* target);  // traced variables are called for behind the statement
  void AddTrace(const Variable* variable, StmtList* out);
  void AddTraces(const Stmt* statement, const ast::StmtList* trace, StmtList* out);
  // --- flow.cc
  bool FallsThrough(const StmtList& statements);
  bool FallsThrough(const Stmt* statement, bool* exits);
  void WarnUnreachable(const StmtList& statements);
  // The variables of the module that no procedure uses.
  std::vector<const Variable*> GlobalsOfBody(const CheckedUnit& unit);
  void WarnValueFlow(const StmtList& body, const std::vector<const Variable*>& globals);

  template <typename T, typename... Args>
  T* Make(Args&&... args) {
    return program_->Make<T>(static_cast<Args&&>(args)...);
  }
  template <typename T>
  T* Node(SourceSpan span, Type* type) {
    T* node = program_->Make<T>();
    node->span = span;
    node->type = type;
    return node;
  }
  template <typename T>
  T* Statement(SourceSpan span) {
    T* node = program_->Make<T>();
    node->span = span;
    return node;
  }
  template <typename... Args>
  DiagnosticBuilder Error(MessageId id, SourceSpan span, const Args&... args) {
    if (IsMuted(span)) return muted_.Error(id, span, args...);
    DiagnosticBuilder error = diagnostics_.Error(id, span, args...);
    NoteInstance(error, span);
    return error;
  }
  // For a message about the text of a generic: adds a note that names the instance.
  void NoteInstance(DiagnosticBuilder& builder, SourceSpan span);
  // Declarations or a body with syntax errors are understood only in part: other errors in them may
  // only follow from the syntax errors.
  bool IsMuted(SourceSpan span) const {
    if (unit_ == nullptr || unit_->tree == nullptr) return false;
    const bool damaged =
        unit_->tree->has_errors || (body_ != nullptr && body_->unit == unit_ && body_->damaged);
    return damaged && span.file != nullptr &&
           (span.file == unit_->file || span.file == unit_->tree->file);
  }
  template <typename... Args>
  DiagnosticBuilder Warn(MessageId id, SourceSpan span, const Args&... args) {
    if (unit_ != nullptr && unit_->warns && span.file == unit_->file && !IsMuted(span))
      return diagnostics_.Warning(id, span, args...);
    return DiagnosticBuilder::Dropped();
  }
  TypeTable& types() const { return program_->types; }
  static bool IsError(const Expr* value) {
    return value->type != nullptr && value->type->kind == TypeKind::kError;
  }
  static bool IsError(const Type* type) { return type->kind == TypeKind::kError; }

  UnitSource& source_;
  const CheckOptions& options_;
  Diagnostics& diagnostics_;
  Diagnostics muted_;  // takes messages that are discarded
  std::unique_ptr<Program> program_;
  Interner interner_;
  Arena arena_;
  Scope universe_;

  // Units: all that were loaded.
  std::deque<UnitInfo> units_;
  std::deque<Scope> scopes_;
  std::deque<Revelation> revelations_;
  using ImportKey = std::pair<const SourceFile*, std::string_view>;  // the text is the source's
  struct ImportKeyOrder {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      if (a.first != b.first) return std::less<const SourceFile*>()(a.first, b.first);
      return std::string_view(a.second) < std::string_view(b.second);
    }
  };
  // By importer and name; null if the unit does not exist, which was reported.
  std::map<std::pair<const SourceFile*, std::string>, UnitInfo*, ImportKeyOrder> imported_;
  std::set<std::string, std::less<>> unknown_interfaces_;  // reported
  // Names that are missing in an interface or a type and were reported in a unit.
  std::set<std::tuple<const UnitInfo*, const void*, std::string_view>> missing_names_;
  // The replacement of a missing name, and the message that proposed it.
  struct Guess {
    DiagnosticBuilder error;
    std::string replacement;
  };
  std::unordered_map<const Symbol*, Guess> guesses_;
  std::unordered_map<std::string, Guess> interface_guesses_;  // by the missing interface
  // The guesses in the present unit, by the interface or type and the missing name.
  std::map<std::pair<const void*, std::string_view>, Guess> member_guesses_;
  std::unordered_map<std::string_view, const Variable*> locals_;        // of the unit, so far
  std::map<std::string, UnitInfo*, std::less<>> interfaces_, modules_;  // by link name
  std::map<const SourceFile*, UnitInfo*> by_file_;
  std::vector<UnitInfo*> loading_;
  std::set<const SourceFile*> package_files_;
  std::unordered_map<const OpaqueType*, Symbol*> opaque_symbols_;
  std::unordered_map<const OpaqueType*, Revelation*> complete_revelations_;  // of indexed units
  size_t indexed_units_ = 0;
  std::vector<Symbol*> procedure_symbols_;  // of interfaces
  std::map<std::string, std::vector<BrandUse>> brands_;

  // The checker's current position.
  UnitInfo* unit_ = nullptr;
  Scope* scope_ = nullptr;
  BodyContext* body_ = nullptr;

  // <*TRACE p*> of variables: the call and where its names are known.
  struct Trace {
    const ast::CallExpr* call;
    Scope* scope;
  };
  std::unordered_map<const Variable*, Trace> traces_;
  std::vector<const Variable*>
      written_;  // variables with a trace that the present statement assigns to

  // Values that become the root of a database or are bound to a name in one.
  struct Root {
    UnitInfo* unit;
    SourceSpan span;
    const Type* type;
  };
  std::vector<Root> roots_;

  std::unordered_map<const Type*, std::function<void()>> fills_;
  std::deque<Type*> fill_order_;
  std::set<const Type*> filling_;
  std::vector<std::function<void()>> verifications_;
  static constexpr int kMaxResolveDepth = 1000;
  int resolve_depth_ = 0;
  int types_in_progress_ = 0;
  int constants_in_progress_ = 0;
  std::string
      type_name_hint_;  // the symbol that is being resolved, for brands that the compiler makes
  const Constant* error_constant_ = nullptr;
  std::set<const Variable*> whole_aliases_;  // WITH names for whole variables of packed types
  std::set<const Expr*> unfoldable_;         // as ReportUnfoldable said
  std::unordered_map<const Type*, SourceSpan> type_spans_;  // declarations of types that have names
  const ast::CallExpr* called_ = nullptr;  // the call whose callee is being checked
  const ast::Expr* assigned_ = nullptr;    // the target of the present assignment
  bool is_loading_ = true;  // units are read and declared; names are resolved when all are
  std::set<const Symbol*> redeclared_;  // opaque types that a module declares in place of revealing
  const ast::Expr* text_sum_ = nullptr;  // the last `+` of texts, which has been reported
  DiagnosticBuilder text_sum_error_;
  std::unique_ptr<Advisor> advisor_;  // what messages propose
  std::unique_ptr<ConstructorChecker> constructors_;
  std::unique_ptr<BuiltinChecker> builtins_;
};

inline Procedure* TopLevelProcedure(const Expr* value) {
  const auto* procedure = ExprAs<const ProcedureExpr>(value);
  return procedure != nullptr && procedure->procedure->parent == nullptr ? procedure->procedure
                                                                         : nullptr;
}

}  // namespace tenure::compiler
