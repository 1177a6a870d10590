#include "compiler/lex/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tenure::compiler {
namespace {

class LexerTest : public ::testing::Test {
 protected:
  // The tokens without the end of the file, each as its spelling or description.
  std::string Spell(const std::string& text) {
    LexText(text);
    std::string result;
    for (const Token& token : list.tokens) {
      if (token.kind == TokenKind::kEndOfFile) break;
      if (!result.empty()) result += ' ';
      result += IsPragma(token.kind) ? "<*" + std::string(TokenSpelling(token.kind))
                                     : text.substr(token.begin, token.end - token.begin);
    }
    return result;
  }
  const Token& LexOne(const std::string& text) {
    LexText(text);
    EXPECT_EQ(list.tokens.size(), 2u) << text;
    return list.tokens[0];
  }
  void LexText(const std::string& text) {
    file = std::make_unique<SourceFile>("Test.m3", text);
    diagnostics = std::make_unique<Diagnostics>();
    list = Lex(*file, interner, *diagnostics);
    ASSERT_FALSE(list.tokens.empty());
    EXPECT_EQ(list.tokens.back().kind, TokenKind::kEndOfFile);
    EXPECT_EQ(list.has_errors, diagnostics->error_count() > 0);
  }
  // The codes of the messages, in order.
  std::string Codes() const {
    std::string codes;
    for (const Diagnostic* diagnostic : diagnostics->Sorted()) {
      if (!codes.empty()) codes += ' ';
      codes += GetMessageInfo(diagnostic->id).code;
    }
    return codes;
  }

  Interner interner;
  std::unique_ptr<SourceFile> file;
  std::unique_ptr<Diagnostics> diagnostics;
  TokenList list;
};

TEST_F(LexerTest, LongestTokenWins) {
  EXPECT_EQ(Spell("a<=b<:c:=d=>e..f>=g"), "a <= b <: c := d => e .. f >= g");
  EXPECT_EQ(Spell("1..5"), "1 .. 5");
  EXPECT_EQ(Spell("a^.b[1,2].c&d"), "a ^ . b [ 1 , 2 ] . c & d");
  EXPECT_EQ(Spell("w:='x'"), "w := 'x'");
  EXPECT_EQ(Spell("W'x' w\"y\" Wide"), "W'x' w\"y\" Wide");
  EXPECT_EQ(Spell("1.0ELSE 2.0DO"), "1.0 ELSE 2.0 DO");
  EXPECT_EQ(Codes(), "");
}

TEST_F(LexerTest, AMarkOfUtf8IsSkippedAtTheBeginningOnly) {
  EXPECT_EQ(Spell("\xEF\xBB\xBFMODULE"), "MODULE");
  EXPECT_EQ(Codes(), "");
  LexText(" \xEF\xBB\xBFMODULE");
  EXPECT_NE(Codes(), "");
}

TEST_F(LexerTest, KeywordsAreCaseSensitive) {
  EXPECT_EQ(LexOne("WHILE").kind, TokenKind::kWhile);
  EXPECT_EQ(LexOne("While").kind, TokenKind::kIdentifier);
  EXPECT_EQ(LexOne("WHILE_").kind, TokenKind::kIdentifier);
  EXPECT_EQ(LexOne("ROOT").kind, TokenKind::kRoot);
  EXPECT_EQ(LexOne("a_b9").name, interner.Intern("a_b9"));
}

TEST_F(LexerTest, CommentsNestAndIgnoreQuotes) {
  EXPECT_EQ(Spell("a (* ' (* \" *) *) b (* don't *) c"), "a b c");
  // The comment ends at the first `*)`; the rest is an unclosed text.
  EXPECT_EQ(Spell("a (* \"*)\" *) b"), "a \" *) b");
  EXPECT_EQ(Codes(), "M0117");
  EXPECT_EQ(Spell("a (* b (* c *)"), "a");
  EXPECT_EQ(Codes(), "M0102");
  EXPECT_TRUE(list.tokens.back().is_damaged);
}

TEST_F(LexerTest, CommentsAreKept) {
  LexText("(* a (* b *) *) x (**)<*NOWARN (* c *)*>(* open");
  ASSERT_EQ(list.comments.size(), 3u);
  EXPECT_EQ(list.comments[0].begin, 0u);
  EXPECT_EQ(list.comments[0].end, 15u);
  EXPECT_EQ(list.comments[1].begin, 18u);
  EXPECT_EQ(list.comments[1].end, 22u);
  EXPECT_EQ(list.comments[2].begin, 40u);
  EXPECT_EQ(list.comments[2].end, 47u);
}

TEST_F(LexerTest, IntegerValues) {
  EXPECT_EQ(LexOne("9223372036854775807").value, 9223372036854775807u);
  EXPECT_EQ(LexOne("16_FFFFFFFFFFFFFFFF").value, UINT64_MAX);
  EXPECT_TRUE(LexOne("16_ff").is_based);
  EXPECT_EQ(LexOne("2_1010").value, 10u);
  EXPECT_EQ(LexOne("12L").number_form, NumberForm::kLongint);
  EXPECT_EQ(LexOne("16_fl").value, 15u);
  EXPECT_EQ(list.tokens[0].number_form, NumberForm::kLongint);
  EXPECT_EQ(Codes(), "");
  EXPECT_EQ(LexOne("9223372036854775808").value, 0u);
  EXPECT_EQ(Codes(), "M0107");
}

TEST_F(LexerTest, RealsKeepATextThatStrtodReads) {
  EXPECT_EQ(LexOne("1.50").name.view(), "1.50");
  EXPECT_EQ(LexOne("1.5d+3").name.view(), "1.5e+3");
  EXPECT_EQ(list.tokens[0].number_form, NumberForm::kLongreal);
  EXPECT_EQ(LexOne("1.5X3").number_form, NumberForm::kExtended);
  EXPECT_EQ(LexOne("1.0e-99").number_form, NumberForm::kReal);  // Underflow is not an error.
  EXPECT_EQ(Codes(), "");
}

TEST_F(LexerTest, CharactersAndEscapes) {
  EXPECT_EQ(LexOne("'\"'").value, '"');
  EXPECT_EQ(LexOne("'\\''").value, '\'');
  EXPECT_EQ(LexOne("'\\377'").value, 255u);
  EXPECT_EQ(LexOne("'\xE4'").value, 0xE4u);  // Source is Latin-1.
  EXPECT_EQ(LexOne("W'\\U01F600'").value, 0x1F600u);
  EXPECT_TRUE(list.tokens[0].is_wide);
  EXPECT_EQ(Codes(), "");
}

TEST_F(LexerTest, TextsAreDecoded) {
  LexText("\"a'\\n\\x41\\101\" W\"\\x0022\\000103\" \"\"");
  EXPECT_EQ(Codes(), "");
  ASSERT_EQ(list.texts.size(), 3u);
  EXPECT_EQ(list.texts[0], U"a'\nAA");
  EXPECT_EQ(list.texts[1], U"\"C");
  EXPECT_EQ(list.texts[2], U"");
}

TEST_F(LexerTest, AnErrorInALiteralLeavesItsToken) {
  EXPECT_EQ(Spell("x := 'ab'; y := \"\\q\"; z := 16_; u := 8_9;"),
            "x := 'ab' ; y := \"\\q\" ; z := 16_ ; u := 8_9 ;");
  EXPECT_EQ(Codes(), "M0119 M0120 M0110 M0111");
}

TEST_F(LexerTest, NoTokenCrossesALineEnd) {
  EXPECT_EQ(Spell("\"abc\nd 'e\nf '\n"), "\"abc d 'e f '");
  EXPECT_EQ(Codes(), "M0117 M0116 M0116");
}

TEST_F(LexerTest, KnownPragmasAreTokens) {
  EXPECT_EQ(Spell("<*ASSERT a > 0*> <* UNUSED *>"), "<*ASSERT a > 0 *> <*UNUSED *>");
  EXPECT_EQ(Spell("<*TRANSIENT*> ROOT"), "<*TRANSIENT *> ROOT");
  EXPECT_EQ(Codes(), "");
}

TEST_F(LexerTest, OtherPragmasAreSkippedByCounting) {
  EXPECT_EQ(Spell("a <*LL.sup < x 'y*> b <*SPEC \" <*c*> *> d"), "a b d");
  EXPECT_EQ(Codes(), "");
  EXPECT_EQ(Spell("a <*Frob x*> b"), "a b");
  EXPECT_EQ(Codes(), "W0101");
  EXPECT_EQ(Spell("<*PRAGMA Frob, Grob*> a <*Frob x*> <*Grob*> b"), "a b");
  EXPECT_EQ(Codes(), "");
  EXPECT_EQ(Spell("a <*Frob x b"), "a");
  EXPECT_EQ(Codes(), "W0101 M0104");
}

TEST_F(LexerTest, LineAndNowarnPragmas) {
  LexText("<*LINE 100 \"Gen.src\"*>\n\"a\tb\"\n<*NOWARN*> \"a\tb\"");
  ASSERT_EQ(list.tokens.size(), 3u);
  const SourcePosition position = file->Span(list.tokens[0].begin, 0).start();
  EXPECT_EQ(position.line(), 100u);
  EXPECT_EQ(position.path(), "Gen.src");
  EXPECT_EQ(Codes(), "W0103");
}

TEST_F(LexerTest, BinaryGarbageIsAnErrorAndNotMore) {
  std::string text;
  for (int i = 0; i < 512; ++i) text += static_cast<char>(i * 7);
  LexText(text);
  EXPECT_TRUE(list.has_errors);
  LexText(std::string("a\0b", 3));
  EXPECT_EQ(Codes(), "M0101");
  EXPECT_EQ(list.tokens.size(), 3u);
}

}  // namespace
}  // namespace tenure::compiler
