#include "compiler/parse/parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "compiler/ast/print.h"

namespace tenure::compiler {
namespace {

class ParserTest : public ::testing::Test {
 protected:
  const ast::Unit* ParseText(const std::string& text) {
    arena = std::make_unique<Arena>();
    diagnostics = std::make_unique<Diagnostics>();
    file = std::make_unique<SourceFile>("Test.m3", text);
    return Parse(*file, *arena, interner, *diagnostics);
  }
  // The tree of a unit without errors.
  std::string PrintUnit(const std::string& text) {
    const ast::Unit* unit = ParseText(text);
    EXPECT_EQ(diagnostics->Render(DiagnosticFormat::kText), "");
    EXPECT_TRUE(unit != nullptr && !unit->has_errors);
    return unit == nullptr ? "" : ast::Print(*unit);
  }
  std::string PrintDecl(const std::string& text) {
    const ast::Unit* unit = ParseText("INTERFACE I; " + text + " END I.");
    EXPECT_EQ(diagnostics->Render(DiagnosticFormat::kText), "");
    if (unit == nullptr || unit->block.declarations.empty()) return "nothing";
    return ast::Print(*unit->block.declarations.front());
  }
  std::string PrintType(const std::string& text) {
    const std::string decl = PrintDecl("TYPE T = " + text + ";");
    return decl.size() > 9 ? decl.substr(8, decl.size() - 9) : decl;
  }
  std::string PrintExpr(const std::string& text) {
    const std::string decl = PrintDecl("CONST c = " + text + ";");
    return decl.size() > 12 ? decl.substr(11, decl.size() - 12) : decl;
  }
  std::string PrintStmt(const std::string& text) {
    const ast::Unit* unit = ParseText("MODULE M; BEGIN " + text + " END M.");
    EXPECT_EQ(diagnostics->Render(DiagnosticFormat::kText), "");
    if (unit == nullptr || unit->block.body.empty()) return "nothing";
    // One line is easier to read in a test.
    std::string line;
    for (const char c : ast::Print(*unit->block.body.front())) {
      if (c == '\n') {
        line += ' ';
      } else if (c != ' ' || line.empty() || line.back() != ' ') {
        line += c;
      }
    }
    return line;
  }
  // "LINE:COLUMN CODE" of each message.
  std::string Errors(const std::string& text) {
    ParseText(text);
    std::string result;
    for (const Diagnostic* diagnostic : diagnostics->Sorted()) {
      if (!result.empty()) result += ", ";
      result += std::to_string(diagnostic->span.line()) + ":" +
                std::to_string(diagnostic->span.column()) + " " +
                GetMessageInfo(diagnostic->id).code;
    }
    return result;
  }

  Interner interner;
  std::unique_ptr<Arena> arena;
  std::unique_ptr<Diagnostics> diagnostics;
  std::unique_ptr<SourceFile> file;
};

TEST_F(ParserTest, Units) {
  EXPECT_EQ(
      PrintUnit("UNSAFE MODULE M EXPORTS A, B; IMPORT C, D AS E; FROM F IMPORT g, h; BEGIN END M."),
      "(unsafe module M (exports (A B))\n"
      "  (import C)\n  (import D E)\n  (from F g)\n  (from F h)\n"
      "  (begin))\n");
  EXPECT_EQ(PrintUnit("INTERFACE I; END I."), "(interface I)\n");
  EXPECT_EQ(PrintUnit("INTERFACE I = G(A, B) END I."), "(interface I (instance G (A B)))\n");
  EXPECT_EQ(PrintUnit("MODULE I EXPORTS J = G() END I."),
            "(module I (exports (J)) (instance G ()))\n");
  EXPECT_EQ(PrintUnit("GENERIC INTERFACE G(A, B); END G."),
            "(generic interface G (formals (A B)))\n");
  EXPECT_EQ(PrintUnit("UNSAFE GENERIC MODULE G(); BEGIN END G."),
            "(unsafe generic module G (formals ())\n  (begin))\n");
  EXPECT_EQ(PrintUnit("<*EXTERNAL*> UNSAFE INTERFACE C; END C."),
            "(unsafe interface C (external))\n");
  EXPECT_EQ(PrintUnit("<*LIBRARY \"z\", \"zlib1g-dev\"*> <*LIBRARY \"m\", \"libc6-dev\"*>"
                      "INTERFACE C; END C."),
            "(interface C (library z zlib1g-dev) (library m libc6-dev))\n");
}

TEST_F(ParserTest, Declarations) {
  EXPECT_EQ(PrintDecl("CONST a: INTEGER = 1;"), "(const a INTEGER 1)");
  EXPECT_EQ(PrintDecl("CONST TYPE A = B.C;"), "(type A B.C)");
  EXPECT_EQ(PrintDecl("TYPE A <: REFANY;"), "(opaque A REFANY)");
  EXPECT_EQ(PrintDecl("EXCEPTION A(TEXT);"), "(exception A TEXT)");
  EXPECT_EQ(PrintDecl("VAR a, b: CHAR := 'x';"), "(var (a b) CHAR 'x')");
  EXPECT_EQ(PrintDecl("REVEAL A.B <: C;"), "(reveal-partly A.B C)");
  EXPECT_EQ(PrintDecl("REVEAL A = BRANDED REF B;"), "(reveal A (ref (branded) B))");
  EXPECT_EQ(PrintDecl("PROCEDURE P(VAR a: A; READONLY b, c := 1; VALUE d: D;): R RAISES {E, F.G};"),
            "(procedure P (var (a) A -) (readonly (b c) - 1) (value (d) D -) (result R) "
            "(raises (E F.G)))");
  EXPECT_EQ(PrintDecl("PROCEDURE P() RAISES ANY;"), "(procedure P (raises any))");
  EXPECT_EQ(PrintDecl("<*EXTERNAL \"foo\":C*> <*INLINE*> <*UNUSED*> <*OBSOLETE*> PROCEDURE P();"),
            "(procedure P (external foo:C) inline unused obsolete)");
  EXPECT_EQ(PrintDecl("<*EXTERNAL sin*> VAR v: INTEGER;"), "(var (v) INTEGER - (external sin))");
  EXPECT_EQ(PrintDecl("<*IMPLICIT*> EXCEPTION E;"), "(exception E - implicit)");
  EXPECT_EQ(PrintDecl("<*CALLBACK*> PROCEDURE P();"), "(procedure P stdcall)");
  EXPECT_EQ(PrintDecl("PROCEDURE P(<*UNUSED*> a: A);"), "(procedure P (value (a) A - unused))");
}

TEST_F(ParserTest, PragmasHoldForAllItemsOfASection) {
  const ast::Unit* unit = ParseText("INTERFACE I; <*UNUSED*> VAR a: A; b: B; VAR c: C; END I.");
  ASSERT_EQ(unit->block.declarations.size(), 3u);
  EXPECT_TRUE(unit->block.declarations[0]->pragmas.is_unused);
  EXPECT_TRUE(unit->block.declarations[1]->pragmas.is_unused);
  EXPECT_FALSE(unit->block.declarations[2]->pragmas.is_unused);
}

TEST_F(ParserTest, Types) {
  EXPECT_EQ(PrintType("ARRAY [0..9], Color OF ARRAY OF CHAR"),
            "(array ((range 0 9) Color) (array () CHAR))");
  EXPECT_EQ(PrintType("BITS 3 FOR [0..7]"), "(bits 3 (range 0 7))");
  EXPECT_EQ(PrintType("{red, green}"), "(enum (red green))");
  EXPECT_EQ(PrintType("{}"), "(enum ())");
  EXPECT_EQ(PrintType("RECORD a, b: A := 1; c := 2 END"),
            "(record (field (a b) A 1) (field (c) - 2))");
  EXPECT_EQ(PrintType("UNTRACED BRANDED \"x\" REF ((A))"), "(untraced-ref (branded \"x\") A)");
  EXPECT_EQ(PrintType("UNTRACED ROOT OBJECT END"), "(object UNTRACED-ROOT)");
  EXPECT_EQ(PrintType("BRANDED OBJECT END"), "(object - (branded))");
  EXPECT_EQ(PrintType("OBJECT a: A METHODS m(b: B) := P OVERRIDES n := Q END"),
            "(object - (field (a) A -) (method m (value (b) B -) := P) (override n Q))");
  EXPECT_EQ(PrintType("A.T OBJECT END BRANDED \"b\" & C.d OBJECT END"),
            "(object (object A.T) (branded (& \"b\" (. C d))))");
  EXPECT_EQ(PrintType("SET OF [A.b..c]"), "(set (range (. A b) c))");
  EXPECT_EQ(PrintType("<*CALLBACK*> PROCEDURE (a: A): PROCEDURE () RAISES {E}"),
            "(procedure stdcall (value (a) A -) (result (procedure (raises (E)))))");
  EXPECT_EQ(PrintType("PROCEDURE (): (PROCEDURE ()) RAISES {E}"),
            "(procedure (result (procedure)) (raises (E)))");
}

TEST_F(ParserTest, TransientTypes) {
  EXPECT_EQ(PrintType("<*TRANSIENT*> REFANY"), "(transient REFANY)");
  EXPECT_EQ(PrintType("<*TRANSIENT*> ROOT BRANDED \"x\" OBJECT END"),
            "(object (transient ROOT) (branded \"x\"))");
  EXPECT_EQ(PrintType("<*TRANSIENT*> BRANDED REF A"), "(transient (ref (branded) A))");
  EXPECT_EQ(PrintType("<*TRANSIENT*> RECORD <*TRANSIENT*> a: A; b: B END"),
            "(transient (record (transient-field (a) A -) (field (b) B -)))");
  EXPECT_EQ(PrintType("<*TRANSIENT*> ARRAY OF REF A"), "(transient (array () (ref A)))");
}

TEST_F(ParserTest, Precedence) {
  EXPECT_EQ(PrintExpr("a OR b AND NOT c = d"), "(OR a (AND b (NOT (= c d))))");
  EXPECT_EQ(PrintExpr("a = b = c"), "(= (= a b) c)");
  EXPECT_EQ(PrintExpr("a - b + c & d"), "(& (+ (- a b) c) d)");
  EXPECT_EQ(PrintExpr("-7 MOD 3"), "(MOD (- 7) 3)");
  EXPECT_EQ(PrintExpr("a * -b DIV c / d"), "(/ (DIV (* a (- b)) c) d)");
  EXPECT_EQ(PrintExpr("NOT NOT x IN s"), "(NOT (NOT (IN x s)))");
  EXPECT_EQ(PrintExpr("- + -a^.b"), "(- (+ (- (. (^ a) b))))");
  EXPECT_EQ(PrintExpr("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(PrintExpr("a # b AND c <= d OR e >= f"), "(OR (AND (# a b) (<= c d)) (>= e f))");
}

TEST_F(ParserTest, SelectorsAndConstructors) {
  EXPECT_EQ(PrintExpr("a.b[1, 2]^(x, n := 3).c"),
            "(. (call (^ (subscript (. a b) 1 2)) x n:=3) c)");
  EXPECT_EQ(PrintExpr("A.T{1, 2..3, ..}[i].f"), "(. (subscript (constructor A.T 1 2..3 ..) i) f)");
  EXPECT_EQ(PrintExpr("R{f := 1, 2}"), "(constructor R f:=1 2)");
  EXPECT_EQ(PrintExpr("SET OF {a, b}{a}"), "(constructor (set (enum (a b))) a)");
  EXPECT_EQ(PrintExpr("ARRAY OF A{}"), "(constructor (array () A))");
  EXPECT_EQ(PrintExpr("x IN SET OF [0..3]{1}"), "(IN x (constructor (set (range 0 3)) 1))");
}

TEST_F(ParserTest, TypesAsActuals) {
  EXPECT_EQ(PrintExpr("BYTESIZE(REF INTEGER)"), "(call BYTESIZE (type (ref INTEGER)))");
  EXPECT_EQ(PrintExpr("NEW(A.B OBJECT OVERRIDES m := P END, x := 1)"),
            "(call NEW (type (object A.B (override m P))) x:=1)");
  EXPECT_EQ(PrintExpr("VAL(1, [0..9])"), "(call VAL 1 (type (range 0 9)))");
  EXPECT_EQ(PrintExpr("F((ARRAY OF A), UNTRACED ROOT, {a})"),
            "(call F (type (array () A)) (type UNTRACED-ROOT) (type (enum (a))))");
  EXPECT_EQ(PrintExpr("NEW(<*TRANSIENT*> REF A)"), "(call NEW (type (transient (ref A))))");
  EXPECT_EQ(PrintExpr("F(ARRAY OF A{1})"), "(call F (constructor (array () A) 1))");
}

TEST_F(ParserTest, Literals) {
  EXPECT_EQ(PrintExpr("16_FF"), "based:255");
  EXPECT_EQ(PrintExpr("7L"), "7L");
  EXPECT_EQ(PrintExpr("1.5d3"), "longreal:1.5e3");
  EXPECT_EQ(PrintExpr("1.5x3"), "extended:1.5e3");
  EXPECT_EQ(PrintExpr("W\"a\\U01F600\""), "W\"a\\U1f600;\"");
  EXPECT_EQ(PrintExpr("'\\n'"), "'\\xa;'");
}

TEST_F(ParserTest, Statements) {
  EXPECT_EQ(PrintStmt("a[i] := b"), "(:= (subscript a i) b)");
  EXPECT_EQ(PrintStmt("f(x)"), "(call f x)");
  EXPECT_EQ(PrintStmt("CASE x OF | 1, 2..3 => a() | 4 => ELSE b() END"),
            "(case x (of 1 2..3 (call a)) (of 4) (else (call b)))");
  EXPECT_EQ(PrintStmt("CASE x OF END"), "(case x)");
  EXPECT_EQ(PrintStmt("EVAL f()"), "(eval (call f))");
  EXPECT_EQ(PrintStmt("FOR i := 1 TO n BY 2 DO a() END"), "(for i 1 n 2 (call a))");
  EXPECT_EQ(PrintStmt("IF a THEN b() ELSIF c THEN d(); ELSE END"),
            "(if (when a (call b)) (when c (call d)) (else))");
  EXPECT_EQ(PrintStmt("LOCK m DO LOOP EXIT END END"), "(lock m (loop (exit)))");
  EXPECT_EQ(PrintStmt("RAISE A.E(1)"), "(raise A.E 1)");
  EXPECT_EQ(PrintStmt("REPEAT a() UNTIL b"), "(repeat-until b (call a))");
  EXPECT_EQ(PrintStmt("RETURN"), "(return)");
  EXPECT_EQ(PrintStmt("RETURN -x"), "(return (- x))");
  EXPECT_EQ(PrintStmt("TYPECASE x OF NULL => | A, REF B (v) => a() ELSE END"),
            "(typecase x (of NULL) (of A (ref B) as v (call a)) (else))");
  EXPECT_EQ(PrintStmt("TRY a() EXCEPT E, F.G (v) => b() | H => ELSE c() END"),
            "(try (call a) (except (E F.G) as v (call b)) (except (H)) (else (call c)))");
  EXPECT_EQ(PrintStmt("TRY a() FINALLY b() END"), "(try (call a) (finally (call b)))");
  EXPECT_EQ(PrintStmt("WHILE a DO END"), "(while a)");
  EXPECT_EQ(PrintStmt("WITH a = b, c = d^ DO END"), "(with (a b) (c (^ d)))");
  EXPECT_EQ(PrintStmt("VAR a := 1; <*FATAL E*> BEGIN b() END"),
            "(block (fatal (E)) (var (a) - 1) (begin (call b)))");
}

TEST_F(ParserTest, Trace) {
  EXPECT_EQ(PrintStmt("VAR a: T <*TRACE p*>; b <*TRACE Q.p*> := 1; BEGIN END"),
            "(block (var (a) T - (trace p)) (var (b) - 1 (trace (. Q p))) (begin))");
  EXPECT_EQ(PrintStmt("BEGIN <*TRACE p(a); a := 1 *> b(); c() END"),
            "(block (begin (call b) (call c)) (trace (call p a) (:= a 1)))");
  EXPECT_EQ(PrintStmt("BEGIN <*TRACE IF a THEN LOOP b() END END *> END"),
            "(block (begin) (trace (if (when a (loop (call b))))))");
  EXPECT_EQ(PrintStmt("FOR i <*TRACE p*> := 1 TO 2 DO END"), "(for i (trace p) 1 2 -)");
  EXPECT_EQ(PrintStmt("WITH a <*TRACE p*> = b, c = d DO END"), "(with (a (trace p) b) (c d))");
  EXPECT_EQ(PrintStmt("TRY EXCEPT E (v <*TRACE p*>) => | F (u) <*TRACE p*> => END"),
            "(try (except (E) as v (trace p)) (except (F) as u (trace p)))");
  EXPECT_EQ(PrintStmt("TYPECASE a OF T (t <*TRACE p*>) => END"),
            "(typecase a (of T as t (trace p)))");
}

TEST_F(ParserTest, StatementPragmasNeedNoSemicolons) {
  const ast::Unit* unit = ParseText(
      "MODULE M; BEGIN a() <*ASSERT b WITH \"c\"*> <*DEBUG d WITH \"e\", f*> g(); <*ASSERT FALSE*> "
      "END M.");
  EXPECT_EQ(diagnostics->Render(DiagnosticFormat::kText), "");
  ASSERT_EQ(unit->block.body.size(), 5u);
  EXPECT_EQ(ast::Print(*unit->block.body[1]), "(assert b \"c\")");
  EXPECT_EQ(ast::Print(*unit->block.body[2]), "(debug d \"e\" f)");
  EXPECT_EQ(ast::Print(*unit->block.body[4]), "(assert FALSE)");
}

TEST_F(ParserTest, NodesKnowTheirSpans) {
  const ast::Unit* unit = ParseText("MODULE M; BEGIN x := (a + b) * c.d END M.");
  const auto* assign = ast::DynAs<ast::AssignStmt>(unit->block.body[0]);
  ASSERT_NE(assign, nullptr);
  EXPECT_EQ(assign->span.text(), "x := (a + b) * c.d");
  EXPECT_EQ(assign->value->span.text(), "(a + b) * c.d");
  const auto* product = ast::DynAs<ast::BinaryExpr>(assign->value);
  ASSERT_NE(product, nullptr);
  EXPECT_EQ(product->op_span.text(), "*");
  EXPECT_EQ(product->right->span.text(), "c.d");
  EXPECT_EQ(unit->block.end_span.text(), "END");
  EXPECT_EQ(unit->span.text(), "MODULE M; BEGIN x := (a + b) * c.d END M.");
}

TEST_F(ParserTest, NamesLikeKeywordsInSmallLettersAreNames) {
  EXPECT_EQ(
      Errors("MODULE type; IMPORT value, end;\n"
             "TYPE record = RECORD end, begin: INTEGER; of := 1 END;\n"
             "     object = OBJECT to: INTEGER; METHODS do(); end() OVERRIDES if := then END;\n"
             "VAR while, end: record; loop := 1;\n"
             "PROCEDURE raise(in, or: INTEGER) = BEGIN END raise;\n"
             "BEGIN end.end := 1; raise(in, or := loop); while[end]^ := not + mod; if := x;\n"
             "  for(end); WITH with = until DO EVAL with END;\n"
             "END type.\n"),
      "");
}

TEST_F(ParserTest, IndependentErrorsAreAllReportedOnce) {
  EXPECT_EQ(Errors("MODULE M;\n"
                   "CONST a = ;\n"
                   "TYPE T = REF ;\n"
                   "PROCEDURE P(x: ) =\n"
                   "BEGIN\n"
                   "  IF THEN x() END;\n"
                   "  y := 1 +;\n"
                   "END P;\n"
                   "BEGIN\n"
                   "  CASE x OF 1 x() END;\n"
                   "  z(1,);\n"
                   "END M.\n"),
            "2:11 M0201, 3:14 M0201, 4:16 M0201, 6:6 M0201, 7:11 M0201, 10:15 M0201, 11:7 M0201");
}

TEST_F(ParserTest, AnUnclosedLiteralHasNoConsequences) {
  EXPECT_EQ(Errors("MODULE M;\nBEGIN\n  IO.Put(\"abc);\n  x := 'ab;\n  y := 1;\nEND M.\n"),
            "3:10 M0117, 4:8 M0116");
  EXPECT_EQ(Errors("MODULE M;\nBEGIN\n  x(* y\nEND M.\n"), "3:4 M0102");
}

TEST_F(ParserTest, AnErrorOfTheLexerIsARepair) {
  for (const char* const body : {"x := 'ab'", "x := 1 // one", "x := 1 /* one */", "x := 0x10",
                                 "x := 1_000", "x := 1e3", "x := ?", "#define X 1"}) {
    const ast::Unit* unit = ParseText("MODULE M; BEGIN\n  " + std::string(body) + "\nEND M.");
    ASSERT_NE(unit, nullptr) << body;
    EXPECT_TRUE(unit->has_repairs || unit->has_errors) << body;
  }
}

TEST_F(ParserTest, AnErrorLeavesTheRestOfTheTree) {
  const ast::Unit* unit = ParseText("MODULE M; VAR a: ; b: B; BEGIN x := ; y() END M.");
  ASSERT_NE(unit, nullptr);
  EXPECT_TRUE(unit->has_errors);
  EXPECT_EQ(ast::Print(*unit),
            "(module M\n  (var (a) <error> -)\n  (var (b) B -)\n"
            "  (begin\n    (:= x <error>)\n    (call y)))\n");
}

TEST_F(ParserTest, NoUnitIsNull) {
  EXPECT_EQ(ParseText(""), nullptr);
  EXPECT_EQ(diagnostics->error_count(), 1);
  EXPECT_EQ(ParseText("CLASS x;"), nullptr);
  EXPECT_EQ(diagnostics->error_count(), 1);
}

TEST_F(ParserTest, DeepNestingIsAnErrorAndNotACrash) {
  const auto repeat = [](const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  constexpr int kMany = 100000;
  const std::string nested[] = {
      "x := " + repeat("(", kMany),
      "x := " + repeat("a[", kMany),
      "x := " + repeat("- ", kMany) + "1",
      "x := " + repeat("NOT ", kMany) + "a",
      "x := a" + repeat(".a", kMany),
      "x := a" + repeat("^", kMany),
      "x := F(" + repeat("REF ", kMany),
      "x := F(A " + repeat("OBJECT END ", kMany) + ")",
      repeat("IF a THEN ", kMany),
      "VAR a: " + repeat("ARRAY [0..BYTESIZE(RECORD b: PROCEDURE(c: ", kMany),
      repeat("PROCEDURE P() = BEGIN ", kMany),
      repeat("BEGIN ", kMany),
      repeat("T{", kMany),
  };
  for (const std::string& text : nested) {
    const ast::Unit* unit = ParseText("MODULE M; BEGIN " + text);
    EXPECT_EQ(diagnostics->error_count(), 1) << text.substr(0, 40);
    ASSERT_EQ(diagnostics->Sorted().size(), 1u);
    EXPECT_EQ(diagnostics->Sorted()[0]->id, MessageId::kTooDeep) << text.substr(0, 40);
    EXPECT_FALSE(ast::Print(*unit).empty());
  }
}

TEST_F(ParserTest, AllowedDepthIsWithinTheLimit) {
  std::string text = "a";
  for (int i = 0; i < 1000; ++i) text += "^";
  const ast::Unit* unit = ParseText("MODULE M; BEGIN x := " + text + " END M.");
  EXPECT_EQ(diagnostics->error_count(), 0);
  const auto* assign = ast::DynAs<ast::AssignStmt>(unit->block.body[0]);
  EXPECT_LE(assign->value->depth, ast::kMaxDepth);
  EXPECT_GT(assign->value->depth, 1000);
}

TEST_F(ParserTest, FlatChainsAreNotDeep) {
  for (const std::string op : {" & ", " + ", " * ", " AND ", " OR "}) {
    std::string text = "a";
    for (int i = 0; i < 100000; ++i) text += op + "a";
    const ast::Unit* unit = ParseText("MODULE M; BEGIN x := " + text + " END M.");
    EXPECT_EQ(diagnostics->error_count(), 0) << op;
    const auto* assign = ast::DynAs<ast::AssignStmt>(unit->block.body[0]);
    EXPECT_LT(assign->value->depth, 5) << op;
    EXPECT_FALSE(ast::Print(*unit).empty());
  }
}

}  // namespace
}  // namespace tenure::compiler
