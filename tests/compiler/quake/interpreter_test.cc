#include "compiler/quake/interpreter.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler::quake {
namespace {

class QuakeTest : public testing::Test {
 protected:
  QuakeTest() {
    interpreter.set_working_directory(here / "work");
    interpreter.Define("note", {0, kAnyNumber, [this](const Call& call) {
                                  for (size_t i = 0; i < call.arguments.size(); ++i) {
                                    for (const std::string& text : call.Texts(i))
                                      notes += text + ";";
                                  }
                                  return Value();
                                }});
  }

  // The texts that the statements noted, or the errors.
  std::string Run(const std::string& text) {
    notes.clear();
    here.Write("m3makefile", text);
    if (interpreter.Run(here / "m3makefile")) return notes;
    std::string errors;
    for (const Diagnostic* diagnostic : diagnostics.Sorted()) {
      errors += std::to_string(diagnostic->span.line()) + ": " + diagnostic->text;
    }
    return errors;
  }

  TemporaryDirectory here;
  Diagnostics diagnostics;
  Interpreter interpreter{diagnostics};
  std::string notes;
};

TEST_F(QuakeTest, CallsAndComments) {
  EXPECT_EQ(Run("% a comment note(\"no\")\nnote(\"a\") /* note(\"b\") */ note ( \"c\" , \"d\" )"),
            "a;c;d;");
}

TEST_F(QuakeTest, EscapesInTexts) {
  EXPECT_EQ(Run(R"(note("a\tb\n\"\\\c"))"), "a\tb\n\"\\c;");
  EXPECT_EQ(Run("note(\"one \\\ntwo\")"), "one two;");
}

TEST_F(QuakeTest, Assignments) {
  EXPECT_EQ(Run("x = \"a\" y = x & \"b\" note(y) x += \"c\" note(x)"), "ab;a c;");
  EXPECT_EQ(Run("l = [\"a\", \"b\"] l += \"c\" l += [\"d\", \"e\"] note(l)"), "a;b;c;d;e;");
  EXPECT_EQ(Run("t = {\"k\" : \"v\", \"only\"} t{\"n\"} = \"w\" note(t{\"k\"} & t{\"n\"}) note(t)"),
            "vw;k;n;only;");
}

TEST_F(QuakeTest, EntriesOfTablesGrow) {
  EXPECT_EQ(Run("t = {\"k\" : [\"a\"], \"w\" : \"b\"} t{\"k\"} += \"c\" t{\"k\"} += [\"d\"] "
                "t{\"w\"} += \"e\" note(t{\"k\"}) note(t{\"w\"})"),
            "a;c;d;b e;");
  EXPECT_EQ(Run("t = {} t{\"k\"} += \"c\""), "1: t has no entry 'k'");
}

TEST_F(QuakeTest, OnlyTablesHaveEntriesThatGrow) {
  EXPECT_EQ(Run("l = [] l{\"k\"} += \"c\""), "1: l is not a table");
}

TEST_F(QuakeTest, CommandsTakeArraysInArrays) {
  EXPECT_EQ(Run("note(q_exec_get(\"echo a\")) note(exec(\"@test\", [\"x\", [\"=\", [\"x\"]]]))"),
            "0;a\n;0;");
}

TEST_F(QuakeTest, AFileThatMayNotBeReadIsNotReadable) {
  EXPECT_EQ(Run("note(fs_readable(\"m3makefile\") & fs_readable(\"nothing\"))"), "TRUE;");
}

TEST_F(QuakeTest, DirectoriesToWorkInAreNotMade) {
  EXPECT_EQ(
      Run("cd(\"..\") pushd(\"work\") exec(\"@touch made\") popd() note(exists(\"work/made\"))"),
      "TRUE;");
  EXPECT_EQ(Run("cd(\"nowhere\") exec(\"@true\")"),
            "1: cannot change to '" + (here / "nowhere") + "': No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(here / "nowhere"));
}

TEST_F(QuakeTest, ElementsHaveNumbers) {
  EXPECT_EQ(Run("a = [\"x\", \"y\"] note(a[1], a[\"0\"])"), "y;x;");
  EXPECT_EQ(Run("a = [\"x\"] note(a[\"b\"])"), "1: the array has no element 'b'");
}

TEST_F(QuakeTest, ArraysAreShared) {
  EXPECT_EQ(Run("a = [\"x\"] b = a b += \"y\" note(a)"), "x;y;");
  EXPECT_EQ(Run("a = [\"x\"] a += a note(a)"), "x;x;");
}

TEST_F(QuakeTest, Conditions) {
  const char* choose = R"(
    proc choose(a, b) is
      if a and b return "both" elsif a or b return "one" else return "none" end
    end
    note(choose(TRUE, TRUE), choose(FALSE, TRUE), choose("", FALSE)))";
  EXPECT_EQ(Run(choose), "both;one;none;");
  EXPECT_EQ(Run("if not equal(\"a\", \"b\") note(\"differ\") end"), "differ;");
  EXPECT_EQ(Run("if not FALSE and not (TRUE and FALSE) note(\"yes\") end"), "yes;");
}

TEST_F(QuakeTest, TheRightOperandIsOnlyEvaluatedWhenNeeded) {
  EXPECT_EQ(Run("if defined(\"NOPE\") and NOPE note(\"a\") end if TRUE or NOPE note(\"b\") end"),
            "b;");
}

TEST_F(QuakeTest, Contains) {
  EXPECT_EQ(Run("t = {\"a\"} if t contains \"a\" and not t contains \"b\" note(\"table\") end"),
            "table;");
  EXPECT_EQ(Run("if [\"a\", \"b\"] contains \"b\" note(\"array\") end"), "array;");
}

TEST_F(QuakeTest, ForeachHasItsOwnVariable) {
  EXPECT_EQ(Run("x = \"out\" foreach x in [\"a\", \"b\"] note(x) end note(x)"), "a;b;out;");
  EXPECT_EQ(Run("foreach k in {\"p\" : \"1\", \"q\" : \"2\"} note(k) end"), "p;q;");
  EXPECT_EQ(Run("foreach x in [] note(x) end"), "");
}

TEST_F(QuakeTest, Procedures) {
  EXPECT_EQ(Run("readonly proc p(a) is local v = a & a return v end note(p(\"x\"))"), "xx;");
  EXPECT_EQ(Run("proc q() is note(\"in\") end q()"), "in;");
  EXPECT_EQ(Run("proc first(l) is foreach x in l return x end return \"none\" end "
                "note(first([\"a\", \"b\"]), first([]))"),
            "a;none;");
  EXPECT_EQ(
      Run("proc f(n) is if equal(n, \"xxx\") return n end return f(n & \"x\") end note(f(\"\"))"),
      "xxx;");
}

TEST_F(QuakeTest, LocalsAreThoseOfTheirProcedure) {
  EXPECT_EQ(Run("g = \"old\" proc p() is local g = \"new\" note(g) end p() note(g)"), "new;old;");
  EXPECT_EQ(Run("g = \"old\" proc p() is g = \"new\" end p() note(g)"), "new;");
  EXPECT_EQ(
      Run("proc p(secret) is q() end proc q() is if defined(\"secret\") note(\"seen\") end end "
          "p(\"x\")"),
      "");
}

TEST_F(QuakeTest, StandardProcedures) {
  EXPECT_EQ(Run("note(arglist(\"-I\", [\"a\", \"b\"]))"), "-Ia;-Ib;");
  EXPECT_EQ(Run("note(split(\"a:b:c\", \":\"))"), "a;b;c;");
  EXPECT_EQ(Run("note(format(\"%s-%s\", \"a\", \"b\"), len([\"x\", \"y\"]))"), "a-b;2;");
  EXPECT_EQ(Run("if empty(\"\") and empty([]) and not empty([\"\"]) note(\"empty\") end"),
            "empty;");
  EXPECT_EQ(Run("note(escape(\"a\\\\b\"))"), "a\\\\b;");
  EXPECT_EQ(Run("note(normalize(\"/a\", \"/a/b/c\"))"), "b/c;");
}

TEST_F(QuakeTest, ListsAndTablesAreTrueIfTheyAreNotEmpty) {
  EXPECT_EQ(Run("foreach x in [[], [\"a\"], {}, {\"k\"}] if x note(\"yes\") else note(\"no\") "
                "end end"),
            "no;yes;no;yes;");
}

TEST_F(QuakeTest, CallsThatSomebodyElseDealsWith) {
  interpreter.set_unknown_call([](const Call& call) {
    call.interpreter.Warn(call.span, "no " + call.name);
    return call.name == "mine";
  });
  EXPECT_EQ(Run("mine(\"a\") note(\"b\")"), "b;");
  EXPECT_FALSE(interpreter.failed());
  EXPECT_TRUE(Run("yours()").find("unknown Quake procedure 'yours'") != std::string::npos);
  EXPECT_TRUE(interpreter.failed());
}

TEST_F(QuakeTest, IncludedFilesAreRelativeToTheOneThatIncludes) {
  here.Write("sub/more", "note(\"more\") include(\"deeper\") proc made() is return \"made\" end");
  here.Write("sub/deeper", "if equal(path(), path_of(\"\")) end note(\"deeper\")");
  EXPECT_EQ(Run("include(\"sub/more\") note(made())"), "more;deeper;made;");
}

TEST_F(QuakeTest, WrittenTextsGoToTheFile) {
  EXPECT_EQ(
      Run("> \"made.txt\" in write(\"hello\\n\") end >> \"made.txt\" in write(\"you\\n\") end "
          "exec(\"@cp made.txt copy.txt\")"),
      "");
  std::string text;
  EXPECT_EQ(ReadWholeFile(here / "work/copy.txt", text), 0);
  EXPECT_EQ(text, "hello\nyou\n");
}

TEST_F(QuakeTest, CommandsThatFail) {
  EXPECT_EQ(Run("exec(\"@false\")"), "1: the command ended with status 1");
}

TEST_F(QuakeTest, TheMarksOfACommandMayBeWordsOfTheirOwn) {
  EXPECT_EQ(Run("note(exec(\"@\", \"true\"), exec(\"@ -\", \"false\"))"), "0;0;");
}

TEST_F(QuakeTest, CommandsThatMayFail) {
  EXPECT_EQ(Run("note(try_exec(\"@exit 3\")) exec(\"@-false\")"), "3;");
}

TEST_F(QuakeTest, CommandsWhoseInputAndOutputAreTexts) {
  EXPECT_EQ(Run("r = q_exec_get(\"@echo a; echo b; exit 4\") note(r[0], r[1]) "
                "note(q_exec_put(\"@tr a b > made\", \"xay\"), fs_contents(\"made\"))"),
            "4;a\nb\n;0;xby;");
  EXPECT_EQ(Run("make_dir(\"d/e\") fs_rmrec(\"d\") if fs_exists(\"d\") note(\"still\") end"), "");
}

struct Wrong {
  const char* text;
  const char* complaint;
};

class QuakeErrors : public QuakeTest, public testing::WithParamInterface<Wrong> {};

TEST_P(QuakeErrors, AreReportedWithTheirLine) {
  EXPECT_EQ(Run(GetParam().text), GetParam().complaint);
}

INSTANTIATE_TEST_SUITE_P(
    All, QuakeErrors,
    testing::Values(
        Wrong{"note(\"a\")\nfrobnicate(\"x\")",
              "2: unknown Quake procedure 'frobnicate': import the package whose template "
              "defines it, or define it with proc"},
        Wrong{"note(\"a\")\nnote_(\"x\")",
              "2: unknown Quake procedure 'note_'; did you mean note?"},
        Wrong{"x = y", "1: y is not defined; a text stands in quotes: \"y\""},
        Wrong{"name = \"a\" x = names", "1: names is not defined; did you mean name?"},
        Wrong{"readonly x = \"a\" x = \"b\"", "1: x is readonly"},
        Wrong{"x += \"a\"", "1: x is not defined"},
        Wrong{"x = \"a\" x{\"k\"} = \"v\"", "1: x is not a table"},
        Wrong{"t = {} note(t{\"k\"})", "1: the table has no entry 'k'"},
        Wrong{"foreach x in \"text\" end", "1: foreach goes through an array or a table"},
        Wrong{"proc p(a) is end p()", "1: p takes 1 argument, not 0"},
        Wrong{"equal(\"a\")", "1: equal takes 2 arguments, not 1"},
        Wrong{"proc p() is p() end p()", "1: procedures call each other without end"},
        Wrong{"include(\"m3makefile\")", "1: files include each other without end"},
        Wrong{"if len end", "1: a condition must be TRUE or FALSE"},
        Wrong{"error(\"stop\", \"here\")", "1: stop here"},
        Wrong{"note(\"open)", "1: this text is not closed in its line"},
        Wrong{"/* open", "1: this comment is not closed"},
        Wrong{"if TRUE\nnote(\"a\")", "1: this 'if' has no 'end'"},
        Wrong{"end", "1: 'end' begins no statement"},
        Wrong{"note(,)", "1: expected an expression, found ','"},
        Wrong{"x y", "1: expected '(', '=', '+=' or '{' after x, found 'y'"},
        Wrong{"= \"a\"", "1: expected a statement, found '='"}));

TEST_F(QuakeTest, ProceduresForTexts) {
  EXPECT_EQ(Run(R"(note(skipl("  a "), skipr(" a  "), compress(" a "), squeeze("a  b")))"),
            "a ; a;a;a b;");
  EXPECT_EQ(Run(R"(note(subst("aXbXc", "X", "--"), subst("aXbX", "X", "", "1")))"), "a--b--c;abX;");
  EXPECT_EQ(
      Run(R"(note(sub("abcd", 1, 2), sub("abcd", 9, 1), pos("abcd", "cd"), pos(["a"], "b")))"),
      "bc;;2;-1;");
  EXPECT_EQ(
      Run(R"(note(add_prefix(["a", "b"], "-l"), add_suffix("a", ".o"), del_chars("a.b", ".")))"),
      "-la;-lb;a.o;ab;");
  EXPECT_EQ(Run("a = [\"x\", \"y\"] note(a[1] & upper(\"u\"))"), "yU;");
  EXPECT_EQ(Run("note(sub(\"a\", \"b\", 1))"), "1: 'b' is not a number");
}

TEST_F(QuakeTest, ProceduresForNamesOfFiles) {
  EXPECT_EQ(Run(R"(note(pn_parent("a/b.c"), pn_last("a/b.c"), pn_base("a/b.c")))"), "a;b.c;a/b;");
  EXPECT_EQ(Run(R"(note(pn_lastbase("a/b.c"), pn_lastext("a/b.c"), pn_lastext("a")))"), "b;c;;");
  EXPECT_EQ(Run(R"(note(pn_join("a", "b", "c"), pn_replace_ext("a.b", "c")))"), "a/b/c;a.c;");
}

TEST_F(QuakeTest, PartsOfNamesOfFiles) {
  EXPECT_EQ(Run("note(pn_join2(\"d\", \"b\", \"c\"), pn_join2(\"d\", \"b\", \"\"))"), "d/b.c;d/b;");
  EXPECT_EQ(Run("note(pn_decompose(\"/a/b\"), \"|\", pn_decompose(\"a/b\"))"), "/;a;b;|;;a;b;");
  EXPECT_EQ(Run("note(pn_compose(pn_decompose(\"/a/b\")), pn_compose([\"\", \"a\"]))"), "/a/b;a;");
}

TEST_F(QuakeTest, ProceduresCalledByTheirNames) {
  EXPECT_EQ(Run("proc twice(x) is return x & x end\n"
                "note(eval_func(\"twice\", \"a\"), eval_func(\"pn_last\", \"a/b\"))"),
            "aa;b;");
  EXPECT_EQ(
      Run("\neval_proc(\"nothing\")"),
      "2: unknown Quake procedure 'nothing': import the package whose template defines it, or "
      "define it with proc");
}

TEST_F(QuakeTest, LinksToFiles) {
  here.Write("text", "linked");
  EXPECT_EQ(Run("link_file(\"text\", \"link\") link_file(\"text\", \"link\") "
                "note(fs_contents(\"link\"))"),
            "linked;");
  EXPECT_TRUE(std::filesystem::is_symlink(here / "work/link"));
}

TEST_F(QuakeTest, CopiesOfFiles) {
  here.Write("text", "copied");
  EXPECT_EQ(Run("cp_if(\"text\", \"a/copy\") cp_if(\"text\", \"a/copy\") "
                "note(fs_contents(\"a/copy\"))"),
            "copied;");
}

TEST_F(QuakeTest, FilesAreReadBesideTheBuildFileOrWhereTheyAreMade) {
  here.Write("beside", "B");
  EXPECT_EQ(Run("fs_mkdir(\".\") fs_putfile(\"made\", \"M\") note(fs_contents(\"made\"), "
                "fs_contents(\"beside\")) cp_if(\"beside\", \"d/copy\") note(fs_lsfiles(\"d\"))"),
            "M;B;copy;");
  EXPECT_EQ(Run("fs_contents(\"none\")"), "1: cannot read 'none'");
}

TEST_F(QuakeTest, FallbacksAreNotDefined) {
  interpreter.SetFallback("SOFT", Value("soft"));
  EXPECT_EQ(Run("note(SOFT) if not defined(\"SOFT\") note(\"undefined\") end SOFT = \"hard\" "
                "note(SOFT) if defined(\"SOFT\") note(\"defined\") end"),
            "soft;undefined;hard;defined;");
}

TEST_F(QuakeTest, WhatARunDependsOnIsKnown) {
  setenv("QUAKE_TEST", "value", 1);
  EXPECT_EQ(Run("note($QUAKE_TEST) if exists(\"other\") end"), "value;");
  EXPECT_TRUE(interpreter.inputs().contains(here / "m3makefile"));
  EXPECT_TRUE(interpreter.inputs().contains(here / "other"));
  EXPECT_EQ(interpreter.environment().at("QUAKE_TEST"), "value");
  EXPECT_FALSE(interpreter.had_effects());
  EXPECT_EQ(Run("exec(\"@true\")"), "");
  EXPECT_TRUE(interpreter.had_effects());
}

TEST_F(QuakeTest, DeepNestingIsRefused) {
  const std::string deep(100000, '(');
  EXPECT_EQ(Run("x = " + deep), "1: nested too deeply");
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST_F(QuakeTest, BytesThatAreNoTextAreRefused) {
  std::string bytes;
  for (int i = 1; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_NE(Run(bytes), "");
}

// --- long and deep ---

constexpr size_t kMany = 200'000;

std::string Repeat(size_t times, const std::string& text) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_F(QuakeTest, ChainsOfAnyLength) {
  EXPECT_EQ(Run("x = " + Repeat(kMany, "\"a\" & ") + "\"b\" note(x)"), Repeat(kMany, "a") + "b;");
  EXPECT_EQ(Run("if " + Repeat(kMany, "\"\" or ") + "TRUE note(\"or\") end"), "or;");
  EXPECT_EQ(Run("if " + Repeat(kMany, "TRUE and ") + "\"\" note(\"and\") else note(\"no\") end"),
            "no;");
  EXPECT_EQ(
      Run("if \"a\"" + Repeat(kMany, " contains \"a\"") + " note(\"all\") else note(\"no\") end"),
      "no;");
  EXPECT_EQ(Run("note([" + Repeat(kMany, "\"a\", ") + "])"), Repeat(kMany, "a;"));
  EXPECT_EQ(Run(Repeat(kMany, "x = \"a\" ") + "note(x)"), "a;");
  EXPECT_EQ(Run("if FALSE " + Repeat(kMany, "elsif FALSE ") + "else note(\"else\") end"), "else;");
  EXPECT_EQ(Run("t = {\"a\" : \"b\"} note(t" + Repeat(kMany, "{\"a\"}") + ")"),
            "1: only tables and arrays have elements");
}

TEST_F(QuakeTest, NestingIsCounted) {
  const std::vector<std::pair<std::string, std::string>> forms = {{"(", "\"a\")"},
                                                                  {"[", "]"},
                                                                  {"{", "}"},
                                                                  {"not ", "TRUE"},
                                                                  {"f(", ")"},
                                                                  {"if TRUE ", "end "},
                                                                  {"x{", "}"},
                                                                  {"> \"f\" in ", "end "},
                                                                  {"proc f() is ", "end "},
                                                                  {"foreach i in [] ", "end "}};
  for (const auto& [begin, end] : forms) {
    const bool is_statement = end == "end ";
    const std::string text = Repeat(kMany, begin) + Repeat(kMany, end);
    Diagnostics own;
    Interpreter one{own};
    here.Write("m3makefile", is_statement ? text : "x = " + text);
    EXPECT_FALSE(one.Run(here / "m3makefile")) << begin;
    ASSERT_EQ(own.Sorted().size(), 1u) << begin;
    EXPECT_EQ(own.Sorted()[0]->text, "nested too deeply") << begin;
  }
}

// Calls that are not too many by themselves, each deep in an expression.
TEST_F(QuakeTest, CallsAndExpressionsTogetherAreTooDeep) {
  const std::string deep = "proc f (x) is return " + Repeat(240, "[[") + "f(x)" + Repeat(240, "]]");
  EXPECT_EQ(Run(deep + " end f(\"a\")"), "1: nested too deeply");
}

// A value is as deep as a loop makes it.
TEST_F(QuakeTest, ValuesOfAnyDepth) {
  const std::string hundred = "[" + Repeat(100, "\"a\", ") + "]";
  const std::string loop = "foreach i in " + hundred + " foreach j in " + hundred +
                           " foreach k in [" + Repeat(20, "\"a\", ") + "] ";
  EXPECT_EQ(Run("x = [] " + loop + "x = [x] end end end x = \"\" note(\"gone\")"), "gone;");
  EXPECT_EQ(Run("x = {} " + loop + "x = {\"a\" : x} end end end x = \"\" note(\"gone\")"), "gone;");
  EXPECT_EQ(Run("x = [] " + loop + "x = [x] end end end note(x & \"\")"), "1: nested too deeply");
}

}  // namespace
}  // namespace tenure::compiler::quake
