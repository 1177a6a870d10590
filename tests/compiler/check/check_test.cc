// The typed program that lowering reads: symbols, bodies, calls, conversions.
#include "compiler/check/check.h"

#include <gtest/gtest.h>

#include "compiler/types/describe.h"
#include "tests/compiler/check/checked_strings.h"

namespace tenure::compiler {
namespace {

// A program of one module Main with these declarations and statements.
class CheckTest : public testing::Test {
 protected:
  const CheckedUnit* Main(const std::string& declarations, const std::string& statements,
                          bool unsafe = false) {
    source.Basics();
    source.Package("Main.m3", std::string(unsafe ? "UNSAFE " : "") + "MODULE Main;\n" +
                                  declarations + "\nBEGIN\n" + statements + "\nEND Main.\n");
    program = source.Check();
    EXPECT_NE(program, nullptr) << source.Messages();
    if (program == nullptr) return nullptr;
    return FindUnit(*program, "Main");
  }
  // The value that the body's last statement assigns.
  template <typename T>
  const T* LastValue(const CheckedUnit* unit) {
    const auto* assign = StmtAs<const AssignStmt>(static_cast<const Stmt*>(unit->body.back()));
    return assign == nullptr ? nullptr : ExprAs<const T>(static_cast<const Expr*>(assign->value));
  }

  StringSource source;
  std::unique_ptr<Program> program;
};

TEST_F(CheckTest, EmptyModuleIsAProgram) {
  const CheckedUnit* main = Main("", "");
  ASSERT_NE(main, nullptr);
  EXPECT_FALSE(main->is_interface);
  EXPECT_EQ(program->units.back(), main);
}

TEST_F(CheckTest, NoModuleExportsMain) {
  source.Basics().Package("A.i3", "INTERFACE A; END A.");
  EXPECT_EQ(source.Check(), nullptr);
  EXPECT_NE(source.Messages().find("M0319"), std::string::npos) << source.Messages();
  StringSource library;
  library.Package("A.i3", "INTERFACE A; END A.");
  EXPECT_NE(library.Check(/*needs_main=*/false), nullptr);
}

TEST_F(CheckTest, TextsNeedTheLibrary) {
  source.Library("Main.i3", "INTERFACE Main; END Main.");
  source.Package("Main.m3", "MODULE Main; VAR t := \"a\"; BEGIN t := t & \"b\" END Main.");
  EXPECT_EQ(source.Check(), nullptr);
  EXPECT_NE(source.Messages().find("M0321"), std::string::npos) << source.Messages();
}

TEST_F(CheckTest, SymbolsNameUnitAndNesting) {
  source.Library(
      "A.i3",
      "INTERFACE A; VAR v: INTEGER; PROCEDURE P(); <*EXTERNAL \"c_name\"*> PROCEDURE Q(); "
      "<*EXTERNAL*> PROCEDURE R(); EXCEPTION E; END A.");
  source.Library("A.m3",
                 "MODULE A; VAR w: INTEGER; PROCEDURE P() = PROCEDURE In() = BEGIN END In; BEGIN "
                 "In(); Own() END P; "
                 "PROCEDURE Own() = BEGIN w := 1 END Own; BEGIN END A.");
  ASSERT_NE(Main("IMPORT A;", "A.P()"), nullptr);
  const CheckedUnit* a = FindUnit(*program, "A");
  const CheckedUnit* interface = FindUnit(*program, "A", true);
  EXPECT_EQ(FindProcedure(a, "A.P")->symbol, "A.P");
  EXPECT_TRUE(FindProcedure(a, "A.P")->exported);
  EXPECT_EQ(FindProcedure(a, "A.P.In")->symbol, "A.P.In");
  EXPECT_EQ(FindProcedure(a, "A.P.In")->parent, FindProcedure(a, "A.P"));
  EXPECT_EQ(FindProcedure(a, "A.Own")->symbol, "A.m3.Own");
  EXPECT_EQ(FindProcedure(interface, "A.Q")->symbol, "c_name");
  EXPECT_EQ(FindProcedure(interface, "A.R")->symbol, "R");
  EXPECT_TRUE(FindProcedure(interface, "A.R")->external);
  EXPECT_EQ(FindVariable(interface, "v")->symbol, "A.v");
  EXPECT_EQ(FindVariable(a, "w")->symbol, "A.m3.w");
  ASSERT_EQ(interface->exceptions.size(), 1u);
  EXPECT_EQ(interface->exceptions[0]->name, "A.E");
}

TEST_F(CheckTest, NestedProceduresOfOneNameHaveDistinctSymbols) {
  const CheckedUnit* main = Main(
      "PROCEDURE P() = BEGIN "
      "PROCEDURE In() = BEGIN END In; BEGIN In() END; "
      "PROCEDURE In() = BEGIN END In; BEGIN In() END; END P;",
      "P()");
  ASSERT_NE(main, nullptr);
  ASSERT_EQ(main->procedures.size(), 3u);
  EXPECT_EQ(main->procedures[0]->full_name, "Main.P");  // parents come first
  EXPECT_NE(main->procedures[1]->symbol, main->procedures[2]->symbol);
}

TEST_F(CheckTest, InitialValuesComeFirstInTheBody) {
  const CheckedUnit* main = Main("VAR a := 1; b: INTEGER; c: [3..4];", "b := 2");
  ASSERT_NE(main, nullptr);
  // a := 1; c begins as FIRST; then the statements. b is zero as static data are.
  ASSERT_EQ(main->body.size(), 3u);
  EXPECT_EQ(main->body[0]->kind, StmtKind::kAssign);
  EXPECT_EQ(main->body[1]->kind, StmtKind::kInitialize);
  EXPECT_EQ(main->body[2]->kind, StmtKind::kAssign);
}

TEST_F(CheckTest, LocalVariablesAreInitialised) {
  const CheckedUnit* main = Main("PROCEDURE P() = VAR a: INTEGER; BEGIN a := 1 END P;", "P()");
  const Procedure* p = FindProcedure(main, "Main.P");
  ASSERT_EQ(p->body.size(), 2u);
  EXPECT_EQ(p->body[0]->kind, StmtKind::kInitialize);
  ASSERT_EQ(p->locals.size(), 1u);
  EXPECT_EQ(p->locals[0]->owner, p);
}

TEST_F(CheckTest, ConstantsAreFoldedAndConverted) {
  const CheckedUnit* main = Main("TYPE D = [0..9]; CONST C = 2 + 3; VAR d: D;", "d := C");
  const auto* value = LastValue<ConstantExpr>(main);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->value->ordinal, 5);
  EXPECT_EQ(TypeToString(value->type), "Main.D");
}

TEST_F(CheckTest, NarrowingAssignmentIsRangeChecked) {
  const auto* check = LastValue<ConvertExpr>(Main("VAR n: INTEGER; d: [0..9];", "d := n"));
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->conversion, Conversion::kRange);
}

TEST_F(CheckTest, WideningAssignmentIsNot) {
  const auto* check = LastValue<ConvertExpr>(Main("VAR n: INTEGER; d: [0..9];", "n := d"));
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->conversion, Conversion::kNone);
}

TEST_F(CheckTest, DownwardReferenceAssignmentNarrows) {
  const auto* check = LastValue<ConvertExpr>(Main("VAR a: REFANY; r: REF INTEGER;", "r := a"));
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->conversion, Conversion::kNarrow);
}

TEST_F(CheckTest, ArraysOfOtherOpennessAreShapeChecked) {
  const auto* check = LastValue<ConvertExpr>(
      Main("VAR a: ARRAY [0..3] OF INTEGER; r: REF ARRAY OF INTEGER;", "a := r^"));
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->conversion, Conversion::kShape);
}

TEST_F(CheckTest, ProcedureFormalsMayBeLocalWhenStored) {
  const CheckedUnit* main = Main(
      "TYPE T = PROCEDURE (); VAR g: T; "
      "PROCEDURE P(f: T) = BEGIN f(); g := f END P; PROCEDURE Q() = BEGIN END Q;",
      "P(Q); g := Q");
  const auto* assign =
      StmtAs<const AssignStmt>(static_cast<const Stmt*>(FindProcedure(main, "Main.P")->body[1]));
  const auto* check = ExprAs<const ConvertExpr>(static_cast<const Expr*>(assign->value));
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->conversion, Conversion::kNotLocal);
  EXPECT_NE(LastValue<ProcedureExpr>(main), nullptr);  // known to be top-level: no check
  EXPECT_TRUE(FindProcedure(main, "Main.Q")->address_taken);
}

TEST_F(CheckTest, ArgumentsComeInTheOrderOfFormalsWithDefaults) {
  const CheckedUnit* main = Main(
      "VAR n: INTEGER; PROCEDURE P(a: INTEGER; VAR b: INTEGER; READONLY c: INTEGER; d := 4) = "
      "BEGIN b := a + c + d END P;",
      "P(c := n, b := n, a := 1)");
  const auto* call = StmtAs<const CallStmt>(static_cast<const Stmt*>(main->body.back()))->call;
  ASSERT_EQ(call->arguments.size(), 4u);
  EXPECT_EQ(call->procedure, FindProcedure(main, "Main.P"));
  EXPECT_EQ(call->arguments[0].pass, Argument::Pass::kValue);
  EXPECT_EQ(call->arguments[1].pass, Argument::Pass::kReference);
  EXPECT_EQ(call->arguments[2].pass, Argument::Pass::kReference);
  EXPECT_EQ(ExprAs<const ConstantExpr>(static_cast<const Expr*>(call->arguments[3].value))
                ->value->ordinal,
            4);
}

TEST_F(CheckTest, ReadonlyCopiesWhenTypesDiffer) {
  const CheckedUnit* main =
      Main("VAR n: CARDINAL; PROCEDURE P(READONLY a: INTEGER) = BEGIN EVAL a END P;", "P(n)");
  const auto* call = StmtAs<const CallStmt>(static_cast<const Stmt*>(main->body.back()))->call;
  EXPECT_EQ(call->arguments[0].pass, Argument::Pass::kTemporary);
}

TEST_F(CheckTest, InterfaceAndModuleDefaultsDiffer) {
  source.Library("A.i3", "INTERFACE A; PROCEDURE P(n := 1); END A.");
  source.Library("A.m3", "MODULE A; PROCEDURE P(m := 2) = BEGIN EVAL m END P; BEGIN P() END A.");
  const CheckedUnit* main = Main("IMPORT A;", "A.P()");
  auto argument = [](const CheckedUnit* unit) {
    const auto* call = StmtAs<const CallStmt>(static_cast<const Stmt*>(unit->body.back()))->call;
    return ExprAs<const ConstantExpr>(static_cast<const Expr*>(call->arguments[0].value))
        ->value->ordinal;
  };
  EXPECT_EQ(argument(main), 1);
  EXPECT_EQ(argument(FindUnit(*program, "A")), 2);
}

TEST_F(CheckTest, MethodCallsNameTheDeclaringType) {
  const CheckedUnit* main = Main(
      "TYPE A = OBJECT METHODS m(n: INTEGER): INTEGER := M END; B = A OBJECT END; "
      "VAR b: B; n: INTEGER; PROCEDURE M(<*UNUSED*> a: A; n: INTEGER): INTEGER = "
      "BEGIN RETURN n END M;",
      "b := NIL; n := b.m(3)");
  const auto* call = LastValue<CallExpr>(main);
  ASSERT_NE(call, nullptr);
  EXPECT_NE(call->object, nullptr);
  EXPECT_EQ(TypeToString(call->method_type), "Main.A");
  EXPECT_EQ(call->arguments.size(), 1u);
}

TEST_F(CheckTest, SuperCallIsAStaticCall) {
  const CheckedUnit* main = Main(
      "TYPE A = OBJECT METHODS m() := M END; B = A OBJECT OVERRIDES m := N END; VAR b: B; "
      "PROCEDURE M(<*UNUSED*> a: A) = BEGIN END M; PROCEDURE N(b: B) = BEGIN A.m(b) END N;",
      "b := NEW(B); b.m()");
  const auto* call =
      StmtAs<const CallStmt>(static_cast<const Stmt*>(FindProcedure(main, "Main.N")->body[0]))
          ->call;
  EXPECT_EQ(call->procedure, FindProcedure(main, "Main.M"));
}

TEST_F(CheckTest, NewWithMethodMakesASubtype) {
  const CheckedUnit* main = Main(
      "TYPE A = OBJECT x: INTEGER METHODS m() END; VAR a: A; "
      "PROCEDURE M(<*UNUSED*> a: A) = BEGIN END M;",
      "a := NEW(A, x := 3, m := M)");
  const auto* node = LastValue<NewExpr>(main);
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(TypeToString(node->type), "Main.A");
  EXPECT_NE(node->allocated, node->type);
  EXPECT_EQ(As<ObjectType>(node->allocated)->super, node->type);
  EXPECT_EQ(node->bindings.size(), 1u);
}

TEST_F(CheckTest, WordFunctionsAreBuiltins) {
  source.Library("Word.i3",
                 "INTERFACE Word; TYPE T = INTEGER; PROCEDURE And(x, y: T): T; PROCEDURE Shift(x: "
                 "T; n: INTEGER): T; END Word.");
  const CheckedUnit* main =
      Main("IMPORT Word; FROM Word IMPORT Shift; CONST C = Shift(1, 10); VAR n := C;",
           "n := Word.And(n, C)");
  const auto* node = LastValue<BuiltinExpr>(main);
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->builtin, Builtin::kWordAnd);
  EXPECT_EQ(
      ExprAs<const ConstantExpr>(static_cast<const Expr*>(node->arguments[1]))->value->ordinal,
      1024);
}

TEST_F(CheckTest, NestedUseOfVariablesIsMarked) {
  const CheckedUnit* main = Main(
      "PROCEDURE P() = VAR a, b: INTEGER; PROCEDURE In() = BEGIN a := 1 END In; "
      "BEGIN In(); b := a END P;",
      "P()");
  const Procedure* p = FindProcedure(main, "Main.P");
  EXPECT_TRUE(p->locals[0]->used_by_nested);
  EXPECT_FALSE(p->locals[1]->used_by_nested);
}

TEST_F(CheckTest, BodyLocalsThatProceduresUseAreGlobal) {
  const CheckedUnit* main =
      Main("", "VAR a, b: INTEGER; PROCEDURE In() = BEGIN a := 1 END In; BEGIN In(); b := a END");
  EXPECT_NE(FindVariable(main, "a"), nullptr);
  EXPECT_EQ(FindVariable(main, "b"), nullptr);
  ASSERT_EQ(main->body_locals.size(), 1u);
  EXPECT_EQ(main->body_locals[0]->name, "b");
}

TEST_F(CheckTest, RaisesThatMayBeViolatedAreKnown) {
  const CheckedUnit* main = Main(
      "EXCEPTION E; F; <*IMPLICIT*> EXCEPTION I; <*FATAL ANY*>\n"
      "PROCEDURE Declared() RAISES {E} = BEGIN RAISE E END Declared;\n"
      "PROCEDURE Not() = BEGIN RAISE E END Not;\n"
      "PROCEDURE Handled() = BEGIN TRY Declared() EXCEPT E => END END Handled;\n"
      "PROCEDURE InHandler() = BEGIN TRY Declared() EXCEPT E => RAISE E END END InHandler;\n"
      "PROCEDURE Other() = BEGIN TRY Declared() EXCEPT F => END END Other;\n"
      "PROCEDURE Everything() = BEGIN TRY Declared() EXCEPT ELSE END END Everything;\n"
      "PROCEDURE Implicit() = BEGIN RAISE I END Implicit;\n"
      "PROCEDURE Calls() = BEGIN Not() END Calls;",
      "Not(); Handled(); InHandler(); Other(); Everything(); Implicit(); Calls()");
  ASSERT_NE(main, nullptr);
  auto violates = [&](const std::string& name) {
    return FindProcedure(main, "Main." + name)->may_violate_raises;
  };
  EXPECT_FALSE(violates("Declared"));
  EXPECT_TRUE(violates("Not"));
  EXPECT_FALSE(violates("Handled"));
  EXPECT_TRUE(violates("InHandler"));
  EXPECT_TRUE(violates("Other"));
  EXPECT_FALSE(violates("Everything"));
  EXPECT_FALSE(violates("Implicit"));
  EXPECT_FALSE(violates("Calls"));  // the exception that Not lets out is a run-time error there
}

TEST_F(CheckTest, WithOfADesignatorIsAnAlias) {
  const CheckedUnit* main =
      Main("VAR a: ARRAY [0..3] OF INTEGER;", "WITH x = a[1], y = x + 1 DO x := y END");
  const auto* with = StmtAs<const WithStmt>(static_cast<const Stmt*>(main->body.back()));
  ASSERT_NE(with, nullptr);
  EXPECT_TRUE(with->bindings[0].variable->alias);
  EXPECT_FALSE(with->bindings[1].variable->alias);
  EXPECT_FALSE(with->bindings[1].variable->writable);
}

TEST_F(CheckTest, EveryMessageOnce) {
  source.Basics().Package(
      "Main.m3",
      "MODULE Main; VAR a: Missing; b: Missing; c := a; BEGIN a := b; c := Missing END Main.");
  EXPECT_EQ(source.Check(), nullptr);
  EXPECT_EQ(source.diagnostics.error_count(), 1) << source.Messages();
}

TEST_F(CheckTest, SyntaxErrorsHideWhatMayFollowFromThem) {
  source.Basics().Package("Main.m3",
                          "MODULE Main; VAR a: INTEGER b: CHAR; BEGIN b := 1 + ; a := d END Main.");
  EXPECT_EQ(source.Check(), nullptr);
  EXPECT_EQ(source.Messages().find("M04"), std::string::npos) << source.Messages();
  EXPECT_EQ(source.Messages().find("M07"), std::string::npos) << source.Messages();
}

TEST_F(CheckTest, TextLiteralsBringTheirTypes) {
  const CheckedUnit* main = Main("VAR t: TEXT;", "t := \"a\" & \"b\"; t := t & t");
  ASSERT_NE(main, nullptr);
  EXPECT_NE(program->text_cat, nullptr);
  EXPECT_NE(program->text8_type, nullptr);
  EXPECT_NE(program->text16_type, nullptr);
  EXPECT_EQ(program->types.text->concrete->kind, TypeKind::kObject);
  EXPECT_EQ(LastValue<BuiltinExpr>(main)->builtin, Builtin::kConcat);
}

}  // namespace
}  // namespace tenure::compiler
