#include "compiler/source/source_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "compiler/source/interner.h"

namespace tenure::compiler {
namespace {

TEST(SourceFileTest, EveryKindOfLineEndSeparatesLines) {
  const SourceFile file("A.m3", "one\ntwo\r\nthree\rfour");
  EXPECT_EQ(file.line_count(), 4u);
  EXPECT_EQ(file.LineText(1), "one");
  EXPECT_EQ(file.LineText(2), "two");
  EXPECT_EQ(file.LineText(3), "three");
  EXPECT_EQ(file.LineText(4), "four");
  const SourcePosition u{&file, 17};
  EXPECT_EQ(u.line(), 4u);
  EXPECT_EQ(u.column(), 3u);
}

TEST(SourceFileTest, EndOfTextIsAPosition) {
  const SourceFile file("A.m3", "ab\n");
  const SourcePosition end{&file, 3};
  EXPECT_EQ(end.line(), 2u);
  EXPECT_EQ(end.column(), 1u);
  EXPECT_EQ(file.LineText(2), "");
  EXPECT_EQ(SourceFile("B.m3", "").line_count(), 1u);
}

TEST(SourceFileTest, LineMarksRenameTheFollowingLines) {
  const SourceFile file("A.m3", "first\nmark\nthird\nfourth\nmark\nsixth\n");
  file.AddLineMark(10, 100, "Other.m3");
  file.AddLineMark(28, 7, "");
  EXPECT_EQ((SourcePosition{&file, 7}.line()), 2u);
  EXPECT_EQ((SourcePosition{&file, 11}.line()), 100u);
  EXPECT_EQ((SourcePosition{&file, 18}.line()), 101u);
  EXPECT_EQ((SourcePosition{&file, 11}.path()), "Other.m3");
  EXPECT_EQ((SourcePosition{&file, 30}.line()), 7u);
  EXPECT_EQ((SourcePosition{&file, 30}.path()), "Other.m3");
  EXPECT_EQ((SourcePosition{&file, 2}.path()), "A.m3");
  // Reading the file again changes nothing.
  file.AddLineMark(10, 500, "Third.m3");
  EXPECT_EQ((SourcePosition{&file, 11}.line()), 100u);
}

TEST(SourceFileTest, SpansJoinAndGiveTheirText) {
  const SourceFile file("A.m3", "alpha beta gamma");
  const SourceSpan alpha = file.Span(0, 5), beta = file.Span(6, 10);
  EXPECT_EQ(Join(beta, alpha).text(), "alpha beta");
  EXPECT_EQ(Join(SourceSpan(), beta), beta);
  EXPECT_EQ(Join(beta, SourceSpan()), beta);
  EXPECT_EQ(SourceSpan().text(), "");
  EXPECT_EQ(file.Span(6, 99).text(), "beta gamma");
}

TEST(SourceFileTest, ReadingTellsWhyItFails) {
  std::string text;
  EXPECT_EQ(ReadWholeFile("/no/such/file", text), ENOENT);
  EXPECT_EQ(ReadWholeFile("/", text), EISDIR);
  char path[] = "/tmp/source_file_testXXXXXX";
  const int descriptor = mkstemp(path);
  ASSERT_GE(descriptor, 0);
  std::FILE* file = fdopen(descriptor, "wb");
  std::fwrite("a\0b", 1, 3, file);
  std::fclose(file);
  EXPECT_EQ(ReadWholeFile(path, text), 0);
  EXPECT_EQ(text, std::string("a\0b", 3));
  std::remove(path);
}

TEST(InternerTest, EqualSpellingsAreOneName) {
  Interner interner;
  const Name a = interner.Intern("alpha"), b = interner.Intern("beta");
  EXPECT_EQ(a, interner.Intern("alpha"));
  EXPECT_NE(a, b);
  EXPECT_EQ(a.view(), "alpha");
  EXPECT_FALSE(Name());
  EXPECT_TRUE(a == "alpha");
  EXPECT_NE(Name(), interner.Intern(""));
}

}  // namespace
}  // namespace tenure::compiler
