// One LLVM function while it is made: a procedure, the body of a TRY, or the body of a module. Its
// parts are in lower_function.cc (frames, variables), lower_memory.cc, lower_place.cc,
// lower_expr.cc, lower_arith.cc, lower_sets.cc, lower_builtin.cc, lower_call.cc, lower_new.cc,
// lower_stmt.cc, lower_assert.cc, exceptions.cc, barriers.cc and type_tests.cc.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "abi/check_site.h"
#include "abi/program.h"
#include "compiler/lower/unit_lowering.h"

namespace tenure::compiler {

using abi::CheckForm;
using abi::RuntimeErrorCode;

// The report of a failed check.
struct Failure {
  Failure(RuntimeErrorCode code_in)  // NOLINT(google-explicit-constructor): most have no values
      : code(code_in) {}
  Failure(RuntimeErrorCode code_in, CheckForm form_in, llvm::Constant* detail_in,
          std::vector<llvm::Value*> values_in = {})
      : code(code_in), form(form_in), detail(detail_in), values(std::move(values_in)) {}

  RuntimeErrorCode code;
  CheckForm form = CheckForm::kNone;
  llvm::Constant* detail = nullptr;  // as the form says; null: none
  std::vector<llvm::Value*> values;  // at most three, which the checked code computes anyway
};

// The kind of memory in which a variable lies, as far as it is known.
enum class Region : uint8_t {
  kStack,     // a local or a temporary
  kGlobal,    // a variable of a unit, or static data
  kFresh,     // an object that no other code can reach yet
  kHeap,      // the traced heap, or a database
  kUntraced,  // the untraced heap, or wherever an ADDRESS points
  kUnknown,   // behind a VAR parameter or an alias
};

// Place::word_bytes of an alias of a packed component that may also name a whole variable. Only the
// run time knows its bytes, and which it is: bit_offset is negative for a whole variable, whose
// unused bits count, else 0 to 7.
inline constexpr int64_t kUndecided = 0;

// The name of the function that gives an object of this type its first values.
std::string InitializerSymbol(uint64_t fingerprint);

// A location.
struct Place {
  llvm::Value* address = nullptr;
  // For an open array `address` is the address of its first element.
  std::vector<llvm::Value*> lengths;
  Region region = Region::kUnknown;
  // The traced reference from which the address was computed, if there is one; `indexed`: the
  // computation used an index that is not constant.
  llvm::Value* base = nullptr;
  const Variable* base_variable = nullptr;  // the local variable that holds `base`, if one does
  bool indexed = false;
  bool is_volatile = false;
  // A packed component: its first bit, counted from the address (which is aligned to word_bytes,
  // the unit in which it is read and written), and its size. Null: whole bytes.
  llvm::Value* bit_offset = nullptr;
  int64_t bit_size = 0;
  int64_t word_bytes = 8;
};

class FunctionLowering {
 public:
  // Lowers a procedure with its nested functions into `function`; a null procedure means the unit's
  // body.
  static void LowerProcedure(UnitLowering& unit, const Procedure* procedure);
  // Lowers a procedure of another unit, to be inlined (imported_bodies.h).
  static void LowerImportedProcedure(UnitLowering& unit, const Procedure* procedure);
  static llvm::Function* LowerBody(UnitLowering& unit);
  // tn_init.<fingerprint>: applies defaults to a payload (abi::TypeDescriptor::initialize).
  static llvm::Function* LowerInitializer(UnitLowering& unit, const Type* type,
                                          uint64_t fingerprint);

 private:
  // The outcome of a TRY body's function, which tells its caller about a RETURN or EXIT.
  enum Outcome : uint32_t { kNormal = 0, kReturned = 1, kExited = 2 };

  // Everything that the functions of one activation share.
  struct Frame {
    const Activation* activation = nullptr;
    const Signature* signature = nullptr;  // null for a module body
    std::vector<int64_t> offsets;          // of the captured variables
    int64_t result_offset = -1;  // the value of a RETURN in a TRY body, or the pointer to it
    int64_t bytes = 0;           // 0: no record
    std::string symbol;          // of the procedure
    std::string name;            // for people
    SourceSpan span;
    int functions = 0;  // TRY bodies so far
  };

  // Variables whose values must be in the frame record when an exception leaves a function, since
  // other code of the activation uses them then.
  using Kept = std::unordered_set<const Variable*>;

  FunctionLowering(UnitLowering& unit, Frame& frame, llvm::Function* function, bool outlined);

  // --- lower_function.cc
  static Frame MakeFrame(UnitLowering& unit, const Procedure* procedure);
  void EnterProcedure(const Procedure* procedure);
  void EnterBody();
  void FinishFunction();
  llvm::AllocaInst* Alloca(llvm::Type* type, int64_t alignment, const llvm::Twine& name = "");
  Place Temporary(const Type* type);
  llvm::Value* FrameOf(const Procedure* procedure);
  // Whether this function keeps a captured variable outside of the frame record, for instance in a
  // register. Then the record has the variable's value only while another function of the
  // activation runs.
  bool IsOutsideRecord(const Variable* variable) const;
  llvm::Value* SlotOf(const Variable* variable);  // in this activation's record
  enum class CopyDirection : uint8_t { kToRecord, kFromRecord };
  // At the beginning and at the ends of this function, if it is that of the TRY or LOCK body; else
  // around a call of the body: copies the variables that occur in the body and are outside of the
  // record.
  void CopyVariables(const StmtList& body, CopyDirection direction);
  llvm::Value* StorageOf(const Variable* variable, bool* in_frame);
  Place PlaceOf(const Variable* variable);
  void BindAlias(const Variable* variable, const Place& place);

  // --- lower_memory.cc
  llvm::Value* Offset(llvm::Value* address, int64_t bytes);
  llvm::Value* LoadWord(llvm::Value* address, llvm::Type* type, bool is_volatile = false);
  void StoreWord(llvm::Value* address, llvm::Value* value, bool is_volatile = false);
  llvm::Value* Load(const Place& place, const Type* type);
  // Without a write barrier.
  void StoreRaw(const Place& place, const Type* type, llvm::Value* value);
  void Store(const Place& place, const Type* type, llvm::Value* value);
  // The bits of a packed component, in an integer of that size.
  llvm::Value* LoadBits(const Place& place);
  void StoreBits(const Place& place, llvm::Value* value);
  void ForEachWindow(const Place& place, const std::function<void(int64_t)>& access);
  // For an alias that may name a whole variable: calls `access` with the whole variable, and with
  // null for the case of bits.
  void ForWholeAndBits(const Place& place, const std::function<void(const Place*)>& access);
  // The place itself, or a copy if it has no address of its own.
  Place InBytes(const Place& place, const Type* type);
  // Copies an aggregate; `may_overlap` for arrays that may be parts of one. With a barrier when
  // needed.
  void Copy(const Place& to, const Place& from, const Type* type, bool may_overlap);
  llvm::Value* BytesOf(const Place& place, const Type* type);
  // For an open array with these lengths, which may be a row of another array.
  llvm::Value* OpenArrayBytes(const Type* type, const std::vector<llvm::Value*>& lengths,
                              bool is_row);
  // Stores defaults, into zeroed memory or (not `zeroed`) into any memory.
  void Initialize(const Place& place, const Type* type, bool zeroed);
  void InitializeElements(llvm::Value* address, llvm::Value* count, const Type* element);
  // Initialize for a local variable. A long array that may hold any bits keeps what its memory
  // holds.
  void InitializeLocal(const Place& place, const Type* type);
  void InitializePayload(llvm::Value* address, const ObjectType* object);

  // --- lower_function.cc: blocks
  llvm::BasicBlock* Block(const char* name);
  void Jump(llvm::BasicBlock* block);
  bool Terminated() { return b_.GetInsertBlock()->getTerminator() != nullptr; }
  void At(SourceSpan span);
  // -g: variables that others may need find their places through the frame record.
  void DeclareCaptured();

  // --- checks (barriers.cc)
  // The constant for a check at the current place.
  llvm::Constant* CheckSiteOf(RuntimeErrorCode code, CheckForm form, llvm::Constant* detail);
  // A value in the form in which it is passed to the run time: 64 bits.
  llvm::Value* PassedToReport(llvm::Value* value);
  llvm::BasicBlock* ErrorBlock(const Failure& failure);
  void ErrorIf(llvm::Value* condition, const Failure& failure);
  // Like ErrorIf; `failure` emits code that runs only in the case of failure.
  void FailIf(llvm::Value* condition, const std::function<Failure()>& failure);
  void Fail(const Failure& failure);
  // `expr`: what has the value, for the report.
  void CheckNotNil(llvm::Value* reference, const Expr* expr);
  // The code for the current place accesses the extent behind the value of `expr`, without a check.
  DereferenceExtent ExtentOf(const Expr* designator, int64_t bytes) const;
  void NoteDereference(const Expr* expr, const DereferenceExtent& extent);
  void Barrier(const Place& place, llvm::Value* stored);
  void BarrierForBytes(const Place& place, llvm::Value* bytes, const Type* type);
  // Call before a copy that BarrierForBytes ends.
  void BeginCopy(const Place& place, llvm::Value* bytes, const Type* type);
  bool NeedsBarrier(const Place& place) const;
  // `value`, a pointer, as the optimiser sees it only when stores to `address` so far have been
  // done; of type `as` if that is not null. Emits no instruction.
  llvm::Value* StoredBefore(llvm::Value* value, llvm::Value* address, llvm::Type* as = nullptr);
  // Call after an access through the place (platform.md 4).
  void KeepAlive(const Place& place);
  void KeepAliveNow(llvm::Value* reference);
  // The same value, a byte, after its load: the instructions that use it do not load it again.
  llvm::Value* InRegister(llvm::Value* value);
  // Keeps the value in a register at this point. Emits no instruction.
  void UseNow(llvm::Value* value);

  // --- store_barriers.cc
  // Whether a store to the place may reach a persistent object, in a program with store barriers.
  bool NeedsStoreBarrier(const Place& place) const;
  // The byte of an address's block; the address is a number.
  llvm::LoadInst* LoadBlock(llvm::Value* address);
  // Continues behind `then`, which is emitted for the unlikely case.
  void IfUnlikely(llvm::Value* condition, const std::function<void()>& then);
  void IfBlockCalls(llvm::Value* address, const std::function<void()>& then);
  // Emits `store`, which stores `bytes` bytes at the place's address, with the place's store
  // barrier. A `repeatable` store may be emitted twice: to store again changes nothing.
  void WithStoreBarrier(const Place& place, llvm::Value* bytes, bool repeatable,
                        const std::function<void()>& store);
  // OpenForStore precedes the store of an aligned scalar, in its form in memory; MarkStore follows.
  void OpenForStore(const Place& place);
  // The value at the place before a store, for MarkStore; null where MarkStore needs none.
  llvm::Value* ReadBeforeStore(const Place& place, llvm::Type* memory, llvm::Align alignment);
  void MarkStore(const Place& place, llvm::Value* value, llvm::Value* before);
  // Call before a call of a C function that may store to the address.
  void ProtectForC(llvm::Value* address);

  // --- lower_place.cc
  Place EmitPlace(const Expr* expr);     // a designator's location
  Place EmitLocation(const Expr* expr);  // of any value: a designator's own, or a temporary
  // The address is passed on (VAR, WITH), so NIL is detected here.
  Place EmitAliasPlace(const Expr* expr);
  void EmitInto(const Expr* expr,
                const Place& to);  // into memory that the expression cannot refer to
  // The length of a dimension of the open array that the reference refers to.
  llvm::LoadInst* LoadLength(llvm::Value* reference, const Type* array, uint32_t dimension,
                             bool traced);
  Place EmitDeref(const DerefExpr* expr, bool check);
  void EnterBits(Place& place, llvm::Value* bit, int64_t bit_size);
  Place EmitField(const Place& record_place, const RecordType* record, size_t field);
  Place EmitObjectField(const ObjectFieldExpr* expr, bool check);
  // The place of a field in the payload of a fresh object.
  Place FieldOfPayload(llvm::Value* payload, const ObjectType* object, size_t field);
  Place EmitSubscript(const SubscriptExpr* expr, bool check);
  Place EmitElement(const Place& array, const Type* array_type, llvm::Value* index);
  Place EmitSubarray(const SubarrayExpr* expr);
  Place EmitDesignator(const Expr* expr, bool check_nil);
  // The same array as a value of another array type: other openness; lengths compared.
  Place AdaptShape(const Place& place, const Type* from, const Type* to);
  std::vector<llvm::Value*> LengthsOf(const Place& place, const Type* type, size_t dimensions);
  void CheckSameShape(const Place& a, const Type* a_type, const Place& b, const Type* b_type);

  // --- lower_expr.cc
  llvm::Value* EmitValue(const Expr* expr);    // scalars
  llvm::Value* EmitBoolean(const Expr* expr);  // i1
  void EmitBranch(const Expr* condition, llvm::BasicBlock* when_true, llvm::BasicBlock* when_false);
  llvm::Value* EmitConvert(const ConvertExpr* expr);
  // A sum or difference of two values that are never negative, converted to a range of such values;
  // null: the expression is something else.
  llvm::Value* EmitRangeOfSum(const ConvertExpr* expr);
  llvm::Value* EmitProcedureValue(const Procedure* procedure);
  llvm::Value* FromBoolean(llvm::Value* flag) { return b_.CreateZExt(flag, u_.i64); }
  // A type that surely contains the value: ORD, VAL and operators change the type and not the
  // value.
  static const Type* RangeOf(const Expr* expr);
  // `type`: an ordinal type whose values are shown as those of the range.
  llvm::Value* CheckRange(llvm::Value* value, const Type* from, const Type* type, int64_t low,
                          int64_t high);
  void EmitConstructor(const Expr* expr, const Place& to);

  // --- lower_arith.cc, lower_sets.cc
  llvm::Value* EmitUnary(const UnaryExpr* expr);
  llvm::Value* EmitBinary(const BinaryExpr* expr);
  // A value that the code before has computed.
  struct KnownValue {
    const Expr* expr;
    llvm::Value* value;
  };
  // Adds the operands to `known`, if it is not null and they are scalars.
  llvm::Value* EmitCompare(const CompareExpr* expr, std::vector<KnownValue>* known = nullptr);
  llvm::Value* Divide(llvm::Value* a, const Type* range_of_a, llvm::Value* d,
                      const Type* range_of_d, bool modulo);
  // `value` is that of `expr`.
  bool IsNeverNegative(const Expr* expr, llvm::Value* value);
  // The report about a result, which may have wrapped around.
  using OutOfRange = std::function<Failure(llvm::Value* result)>;
  // a + b, checked to be no more than `last`; a - b, checked to be no less than `first`. The
  // operands and the limits are not negative.
  llvm::Value* CheckedSum(llvm::Value* a, llvm::Value* b, int64_t last,
                          const OutOfRange& out_of_range);
  llvm::Value* CheckedDifference(llvm::Value* a, llvm::Value* b, int64_t first,
                                 const OutOfRange& out_of_range);
  llvm::Value* FloatMod(llvm::Value* a, llvm::Value* d);
  llvm::Value* EqualAggregates(const Place& a, const Type* a_type, const Place& b,
                               const Type* b_type);
  void BranchUnlessEqual(const Place& a, const Type* a_type, const Place& b, const Type* b_type,
                         llvm::BasicBlock* differ);
  llvm::Value* SmallSetCompare(Op op, llvm::Value* a, llvm::Value* b);
  llvm::Value* LargeSetCompare(Op op, const Expr* left, const Expr* right);
  void LargeSetOperation(const BinaryExpr* expr, const Place& to);
  llvm::Value* EmitIn(const InExpr* expr);
  llvm::Value* EmitSmallSet(const SetConstructorExpr* expr);
  void EmitLargeSet(const SetConstructorExpr* expr, const Place& to);
  // for i in [0, count): body(i). The body may make blocks.
  void CountedLoop(llvm::Value* count, const std::function<void(llvm::Value*)>& body);

  // --- lower_builtin.cc
  llvm::Value* EmitBuiltin(const BuiltinExpr* expr);
  llvm::Value* EmitWord(const BuiltinExpr* expr);
  llvm::Value* EmitFloatToInteger(const BuiltinExpr* expr);
  llvm::Value* EmitLoophole(const BuiltinExpr* expr);
  llvm::Value* SizeOfOpenArray(const BuiltinExpr* expr);

  // --- lower_call.cc
  // `result` receives an aggregate result; else a temporary is made and returned through it.
  llvm::Value* EmitCall(const CallExpr* call, Place* result);
  void EmitArgument(const Argument& argument, ParameterMode mode, std::vector<llvm::Value*>& values,
                    std::vector<Place>& keep);
  llvm::CallInst* CallEntry(Entry entry, std::vector<llvm::Value*> arguments);
  llvm::Value* CallExternal(const CallExpr* call, Place* result);
  // --- biased_sections.cc
  // A field of the thread's abi::BiasedLock.
  llvm::Value* LoadOfBiasedLock(size_t offset, llvm::Type* type);
  // RTThread.EnterBiased of the lock word at this address, and RTThread.LeaveBiased.
  llvm::Value* EnterBiased(llvm::Value* word);
  void LeaveBiased();

  // A value of the type in a register in which C code has set only the bits of the type.
  llvm::Value* ExtendFromC(llvm::Value* value, const Type* type);

  // --- lower_new.cc
  llvm::Value* EmitNew(const NewExpr* expr);
  // Stores the first values of a fresh object that are not zero, in code without blocks. Null: all
  // are zero.
  using FirstValues = std::function<void(llvm::Value* payload)>;
  llvm::Value* AllocateFixed(llvm::Constant* descriptor, int64_t payload_bytes,
                             const FirstValues& first_values);
  llvm::Value* AllocateOpenArray(llvm::Constant* descriptor, int64_t element_bytes,
                                 const std::vector<llvm::Value*>& lengths);
  llvm::Value* AllocateInline(llvm::Constant* descriptor, llvm::Value* whole_bytes,
                              llvm::Value* length, llvm::Value* never,
                              const FirstValues& first_values,
                              const std::function<llvm::Value*()>& slow);

  // --- type_tests.cc
  llvm::Value* LoadDescriptor(llvm::Value* reference);
  // The reference must not be NIL.
  llvm::Value* IsMember(llvm::Value* descriptor, const Type* type);
  llvm::Value* IsTypeOrNil(llvm::Value* reference, const Type* type);
  llvm::Value* DescriptorField(llvm::Value* descriptor, size_t offset, llvm::Type* type);

  // --- lower_stmt.cc
  void EmitList(const StmtList& list);
  void EmitStmt(const Stmt* stmt);
  // For coverage: counts the nth way out of the choice at the span, here or in a new block that
  // leads to `to`. Without coverage does nothing, and returns `to` itself.
  void CountBranch(SourceSpan span, size_t n);
  llvm::BasicBlock* CountedWay(llvm::BasicBlock* to, SourceSpan span, size_t n);
  void EmitAssign(const AssignStmt* stmt);
  void EmitIf(const IfStmt* stmt);
  void EmitLoopBody(const StmtList& body, llvm::BasicBlock* next, llvm::BasicBlock* exit);
  void EmitLoop(const LoopStmt* stmt);
  void EmitWhile(const WhileStmt* stmt);
  void EmitRepeat(const RepeatStmt* stmt);
  void EmitFor(const ForStmt* stmt);
  void EmitCase(const CaseStmt* stmt);
  void EmitTypecase(const TypecaseStmt* stmt);
  // The end of both statements: the code for the case that no arm was chosen; continues at `join`.
  template <typename Choice>
  void EmitElse(const Choice& stmt, llvm::BasicBlock* otherwise, llvm::BasicBlock* join,
                const Failure& unhandled);
  void EmitExit();
  void EmitReturn(const ReturnStmt* stmt);
  void EmitWith(const WithStmt* stmt);
  void EmitIncDec(const IncDecStmt* stmt);
  void EmitDispose(const DisposeStmt* stmt);
  void ReturnFromFunction();

  // --- lower_assert.cc
  void EmitAssert(const AssertStmt* stmt);
  // Continues where the condition, a part of the statement's, holds.
  void EmitAssertion(const AssertStmt* stmt, const Expr* condition, std::vector<KnownValue>& known);
  // Adds the facts known on both ways.
  void EmitTestedBranch(const Expr* condition, llvm::BasicBlock* when_true,
                        llvm::BasicBlock* when_false, std::vector<KnownValue>& known);
  // Reports: `failed` is the part of the condition that does not hold.
  void EmitFailedAssertion(const AssertStmt* stmt, const Expr* failed,
                           const std::vector<KnownValue>& known);

  // --- exceptions.cc
  void EmitRaise(const RaiseStmt* stmt);
  void EmitTryExcept(const TryExceptStmt* stmt);
  void EmitTryFinally(const TryFinallyStmt* stmt);
  // Stores the exception's activation in `activation` (NIL without an exception); `activation` may
  // be null. `cleanup_list`: the statements of the clean-up, or null.
  void EmitProtected(const StmtList& body, bool handles, const Variable* activation,
                     const StmtList* cleanup_list, const std::function<void()>& cleanup);
  // Saves the value of a pending RETURN; the returned function restores it. Null: nothing was
  // saved.
  std::function<void()> KeepResult();
  void SetActivation(const Variable* variable, llvm::Value* thrown);
  void EmitLock(const LockStmt* stmt);
  // Makes the function of a TRY body and calls it with landing pad `pad`; returns the outcome.
  llvm::Value* InvokeBody(const StmtList& body, llvm::BasicBlock* pad, Kept kept);
  // What is kept for the body of a statement that may catch an exception.
  Kept KeptFor(const StmtList& body) const;
  // Returns from this function, that of a TRY body.
  void EndBody(Outcome outcome);
  void Continue(llvm::Value* outcome);

  // Loops around the current place in this function.
  struct Loop {
    llvm::BasicBlock* exit = nullptr;
    // References from which an access in the loop was indexed: they are kept alive until the end of
    // the loop.
    std::vector<const Variable*> kept;
  };
  // The stack that open constructors take in one iteration of a loop is given back before the next.
  struct StackMark {
    llvm::Instruction* saved = nullptr;
    llvm::Instruction* restored = nullptr;
    size_t constructors = 0;
  };
  StackMark MarkStack();               // before the loop
  void RestoreStack(StackMark& mark);  // where each turn begins
  void ForgetUnused(StackMark mark);   // behind the loop
  // Leaves the loop at its exit block.
  void FinishLoop();

  UnitLowering& u_;
  Frame& frame_;
  llvm::Function* function_;
  bool outlined_;                   // a TRY body
  const StmtList* body_ = nullptr;  // this TRY body
  Kept kept_;
  llvm::IRBuilder<> b_;
  llvm::IRBuilder<> entry_;        // where allocas go
  llvm::Value* record_ = nullptr;  // the frame record; null: none
  llvm::Value* link_ = nullptr;    // the static link; null: none, or in the record
  llvm::Value* result_pointer_ = nullptr;
  std::unordered_map<const Variable*, llvm::Value*> locals_;
  // The target of a WITH alias while it is bound in this function.
  struct AliasInfo {
    Region region;
    llvm::Value* base;
  };
  std::unordered_map<const Variable*, AliasInfo> alias_info_;
  std::vector<Loop> loops_;
  size_t stack_constructors_ = 0;  // whose stack size is known only at run time
  // A loop that only waits for a change: it reads shared variables at each iteration.
  bool in_idle_loop_ = false;
  // The bytes behind a designator that its access touches, as far as known.
  struct WantedAccess {
    const Expr* designator = nullptr;
    DereferenceExtent extent;
  };
  WantedAccess wanted_;
  SourceSpan span_;
  llvm::DIScope* scope_ = nullptr;  // the innermost in which names are declared; null: the function
};

}  // namespace tenure::compiler
