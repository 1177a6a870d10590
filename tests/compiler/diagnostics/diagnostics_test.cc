#include "compiler/diagnostics/diagnostics.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "compiler/diagnostics/print.h"

namespace tenure::compiler {
namespace {

class DiagnosticsTest : public ::testing::Test {
 protected:
  std::string Text() const { return diagnostics.Render(DiagnosticFormat::kText); }

  SourceFile file{"Main.m3", "MODULE Main;\n\tx := 'ab';\nEND Main.\n"};
  Diagnostics diagnostics;
};

TEST(MessagesTest, CodesAndNamesAreUniqueAndFitTheirSeverity) {
  std::set<std::string> codes, names;
  for (int i = 0; i < MessageCount(); ++i) {
    const MessageInfo& info = GetMessageInfo(static_cast<MessageId>(i));
    const std::string code = info.code;
    EXPECT_TRUE(codes.insert(code).second) << code << " is there twice";
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    ASSERT_EQ(code.size(), 5u) << code;
    const char letter = info.severity == Severity::kError     ? 'M'
                        : info.severity == Severity::kWarning ? 'W'
                                                              : 'N';
    EXPECT_EQ(code[0], letter) << code;
    for (int k = 1; k < 5; ++k) EXPECT_TRUE(std::isdigit(code[k])) << code;
    EXPECT_NE(std::string(info.format), "") << code;
  }
}

TEST(MessagesTest, ArgumentsReplaceTheirNumbers) {
  EXPECT_EQ(FormatMessage("{1} then {0}, T{...} {2}", {"a", "b"}), "b then a, T{...} {2}");
  EXPECT_EQ(FormatMessage("{0", {"a"}), "{0");
}

TEST(MessagesTest, LongArgumentsAreShownInPart) {
  EXPECT_EQ(FormatMessage("{0} is not declared", {std::string(1'000'000, 'x')}),
            std::string(500, 'x') + "... is not declared");
}

TEST_F(DiagnosticsTest, PrintsPlaceLineAndCaret) {
  diagnostics.Error(MessageId::kLongChar, file.Span(19, 23));
  EXPECT_EQ(
      Text(),
      "Main.m3:2:7: error[M0119]: a character literal has one character; a text stands in double "
      "quotes (1.10)\n"
      "  \tx := 'ab';\n"
      "  \t     ^~~~\n");
}

TEST_F(DiagnosticsTest, NotesAndFixesFollow) {
  Interner interner;
  diagnostics.Error(MessageId::kWrongEndName, file.Span(29, 33), "Mane", "module", "Main")
      .Note(MessageId::kNamedHere, file.Span(7, 11), "module", interner.Intern("Main"))
      .Fix(file.Span(29, 33), "Mane");
  EXPECT_EQ(Text(),
            "Main.m3:3:5: error[M0204]: END Mane does not match module Main (2.2)\n"
            "  END Main.\n"
            "      ^~~~\n"
            "Main.m3:1:8: note: module Main is named here\n"
            "  MODULE Main;\n"
            "         ^~~~\n"
            "Main.m3:3:5: fix: replace \"Main\" by \"Mane\"\n");
}

TEST_F(DiagnosticsTest, SortedByPlaceAndSaidOnce) {
  const SourceFile other("Apple.m3", "x");
  diagnostics.Error(MessageId::kEmptyStatement, file.Span(14, 15));
  diagnostics.Error(MessageId::kStraySemicolon, file.Span(0, 1));
  diagnostics.Error(MessageId::kEmptyStatement, file.Span(14, 15));
  diagnostics.Error(MessageId::kEmptyStatement, other.Span(0, 1));
  diagnostics.Error(MessageId::kFileTooLarge, SourceSpan());
  EXPECT_EQ(diagnostics.error_count(), 4);
  const auto sorted = diagnostics.Sorted();
  ASSERT_EQ(sorted.size(), 4u);
  EXPECT_EQ(sorted[0]->id, MessageId::kFileTooLarge);
  EXPECT_EQ(sorted[1]->span.file, &other);
  EXPECT_EQ(sorted[2]->id, MessageId::kStraySemicolon);
  EXPECT_EQ(sorted[3]->id, MessageId::kEmptyStatement);
  EXPECT_EQ(Text().substr(0, 22), "tenure: error[M0124]: ");
}

TEST_F(DiagnosticsTest, NoMoreThanTheLimitIsShown) {
  diagnostics.set_max_errors(2);
  for (uint32_t i = 0; i < 5; ++i) {
    diagnostics.Error(MessageId::kEmptyStatement, file.Span(i, i + 1));
  }
  EXPECT_EQ(diagnostics.Sorted().size(), 2u);
  EXPECT_EQ(diagnostics.error_count(), 5);
  EXPECT_NE(Text().find("tenure: 3 more errors are not shown; --max-errors N shows N\n"),
            std::string::npos);
}

TEST_F(DiagnosticsTest, NoMoreWarningsThanTheLimitAreShown) {
  for (uint32_t i = 5; i > 0; --i) {
    diagnostics.Warning(MessageId::kTabInLiteral, file.Span(i - 1, i));
  }
  diagnostics.Error(MessageId::kEmptyStatement, file.Span(8, 9));
  EXPECT_EQ(diagnostics.warning_count(), 5);
  const auto text = [&](int most) {
    return RenderDiagnostics(diagnostics, {.max_warnings = most}, false, 0);
  };
  // The first ones of the file, and each error.
  EXPECT_NE(text(2).find("Main.m3:1:1: warning"), std::string::npos);
  EXPECT_NE(text(2).find("Main.m3:1:2: warning"), std::string::npos);
  EXPECT_EQ(text(2).find("Main.m3:1:3: warning"), std::string::npos);
  EXPECT_NE(text(2).find("Main.m3:1:9: error"), std::string::npos);
  EXPECT_TRUE(
      text(2).ends_with("tenure: 3 more warnings are not shown; --max-warnings N shows N\n"));
  EXPECT_TRUE(text(4).ends_with("tenure: 1 more warning is not shown; --max-warnings N shows N\n"));
  EXPECT_EQ(text(5).find("not shown"), std::string::npos);
}

TEST_F(DiagnosticsTest, CaretsCountCellsOfTheTerminal) {
  const SourceFile wide("W.m3", "x := \"日本語\" & \"😀e\u0301\" + y;");
  const auto marks = [&](std::string_view part) {
    Diagnostics one;
    const auto begin = static_cast<uint32_t>(wide.text().find(part));
    one.Error(MessageId::kEmptyStatement,
              wide.Span(begin, begin + static_cast<uint32_t>(part.size())));
    const std::string text = one.Render(DiagnosticFormat::kText);
    const size_t line = text.find("\n  ", text.find("\n  ") + 1) + 3;
    return text.substr(line, text.find('\n', line) - line);
  };
  EXPECT_EQ(marks("\"日本語\""), std::string(5, ' ') + "^~~~~~~~");
  EXPECT_EQ(marks("本"), std::string(8, ' ') + "^~");
  EXPECT_EQ(marks("&"), std::string(14, ' ') + "^");
  EXPECT_EQ(marks("y"), std::string(24, ' ') + "^");
}

TEST_F(DiagnosticsTest, SourceLinesFitIntoANarrowTerminal) {
  const SourceFile longer("L.m3", std::string(60, 'a') + "+" + std::string(60, 'b'));
  for (const uint32_t at : {0u, 10u, 60u, 110u, 120u, 121u}) {
    Diagnostics one;
    one.Error(MessageId::kEmptyStatement, longer.Span(at, std::min(at + 1, 121u)));
    const std::string text = RenderDiagnostics(one, {}, false, 40);
    const size_t source = text.find('\n') + 1, marks = text.find('\n', source) + 1;
    EXPECT_LE(marks - 1 - source, 40u) << text;
    const size_t caret = text.find('^', marks) - marks;
    EXPECT_LT(caret, 40u) << text;
    if (at < 121) {
      EXPECT_EQ(text[source + caret], longer.text()[at]) << text;
    }
    EXPECT_NE(one.Render(DiagnosticFormat::kText).find(longer.text()), std::string::npos);
  }
}

TEST_F(DiagnosticsTest, SuppressedWarningsAreNotThere) {
  diagnostics.Warning(MessageId::kTabInLiteral, file.Span(14, 15));
  EXPECT_EQ(diagnostics.warning_count(), 1);
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.set_warnings_are_errors(true);
  EXPECT_TRUE(diagnostics.has_errors());
  diagnostics.SuppressWarnings(file, 2);
  EXPECT_EQ(diagnostics.warning_count(), 0);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(Text(), "");
}

TEST_F(DiagnosticsTest, JsonIsOneObjectPerLineInUtf8) {
  diagnostics.Error(MessageId::kKeywordAsName, file.Span(0, 6), "a\"b\\\n\xE4")
      .Fix(file.Span(0, 6), "Y");
  EXPECT_EQ(
      diagnostics.Render(DiagnosticFormat::kJson),
      "{\"file\":\"Main.m3\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":7,"
      "\"severity\":\"error\",\"code\":\"M0212\","
      "\"message\":\"a\\\"b\\\\\\n\xC3\xA4 is a keyword and cannot be a name\","
      "\"rule\":\"1.2\",\"notes\":[],"
      "\"fixes\":[{\"file\":\"Main.m3\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":7,"
      "\"replacement\":\"Y\"}]}\n");
}

TEST_F(DiagnosticsTest, LongAndStrangeLinesAreShownInPart) {
  const SourceFile longer("L.m3", std::string(500, 'a') + "\x01" + std::string(500, 'b'));
  diagnostics.Error(MessageId::kEmptyStatement, longer.Span(500, 900));
  const std::string text = Text();
  EXPECT_LT(text.size(), 500u);
  EXPECT_NE(text.find("...aaa"), std::string::npos);
  EXPECT_NE(text.find("a?b"), std::string::npos);
  EXPECT_NE(text.find("bbb...\n"), std::string::npos);
  EXPECT_NE(text.find(" ^~~~"), std::string::npos);
}

TEST_F(DiagnosticsTest, CaretBehindTheLastCharacter) {
  const SourceFile small("S.m3", "ab\nc");
  diagnostics.Error(MessageId::kMissingSemicolon, small.Span(2, 2), "it", "2.2");
  EXPECT_EQ(Text(), "S.m3:1:3: error[M0209]: expected ';' after it (2.2)\n  ab\n    ^\n");
}

}  // namespace
}  // namespace tenure::compiler
