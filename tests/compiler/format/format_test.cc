#include "compiler/format/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/format/source_items.h"
#include "compiler/lex/lexer.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;
using Kept = FormattedSource::Kept;

fs::path Root() {
  for (fs::path root = fs::current_path(); root != root.root_path(); root = root.parent_path()) {
    if (fs::exists(root / "stdlib") && fs::exists(root / "tests/compiler/format")) return root;
  }
  ADD_FAILURE() << "run the test in the tree of sources";
  return {};
}

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> SourcesBelow(const std::vector<const char*>& folders) {
  std::vector<fs::path> paths;
  for (const char* folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(Root() / folder)) {
      const std::string extension = entry.path().extension().string();
      const bool is_source =
          extension == ".i3" || extension == ".m3" || extension == ".ig" || extension == ".mg";
      if (is_source && entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

FormattedSource Format(const std::string& text, std::string* messages = nullptr) {
  const SourceFile source("Main.m3", text);
  Diagnostics diagnostics;
  diagnostics.set_no_warnings(true);
  FormattedSource formatted = FormatSource(source, diagnostics);
  if (messages != nullptr) *messages = diagnostics.Render(DiagnosticFormat::kText);
  return formatted;
}

// Keeps what SourceItems points to.
struct ReadItems {
  explicit ReadItems(const std::string& text) : file("Main.m3", text) {
    Diagnostics diagnostics;
    tokens = Lex(file, interner, diagnostics);
    source = FindItems(tokens);
  }
  SourceFile file;
  Interner interner;
  TokenList tokens;
  SourceItems source;
};

// Tokens, comments and pragmas in their order, each in a line, without the blanks in comments.
std::string Sequence(const std::string& text) {
  const ReadItems read(text);
  std::string out;
  for (const Item& item : read.source.items) {
    const std::string_view part = read.source.TextOf(item);
    for (const char c : part) {
      const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (item.item_class != ItemClass::kComment || !is_blank) out += c;
    }
    out += '\n';
  }
  return out;
}

// The same tokens with random blanks, line ends and comments between them.
std::string WithRandomLayout(const std::string& text, std::mt19937& random) {
  static const std::vector<std::string> kGaps = {
      " ",        "  ",        "   ",     "      ",          "\t", "\n", "\r\n", "\n  ", "\n    ",
      "\n      ", "\n\n\n   ", "(* c *)", " (* d\n   e *)  "};
  const ReadItems read(text);
  std::string out;
  uint32_t last = 0;
  for (const Item& item : read.source.items) {
    const bool is_needed = item.begin > last && last > 0;
    if (is_needed || random() % 4 == 0) out += kGaps[random() % kGaps.size()];
    out += read.source.TextOf(item);
    last = item.end;
  }
  return out;
}

// tests/compiler/format/layouts.txt: "== TITLE", the source, "-- becomes" with the result or "--
// stays"; parts of sources that are no units stand in a unit that is added to them.
TEST(FormatTest, LayoutsAreAsWritten) {
  std::istringstream stream(Read(Root() / "tests/compiler/format/layouts.txt"));
  std::string title, before, after, line;
  std::string* part = nullptr;
  int count = 0;
  const auto check = [&] {
    if (title.empty()) return;
    ++count;
    if (after.empty()) after = before;
    const FormattedSource formatted = Format(before);
    EXPECT_EQ(formatted.kept, Kept::kNo) << title;
    EXPECT_EQ(formatted.text, after) << title;
    EXPECT_EQ(Format(after).text, after) << title << ", again";
  };
  while (std::getline(stream, line)) {
    if (line.starts_with("== ")) {
      check();
      title = line.substr(3);
      before.clear();
      after.clear();
      part = &before;
    } else if (line == "-- becomes") {
      part = &after;
    } else if (part != nullptr) {
      for (size_t at = 0; (at = line.find("\\t", at)) != std::string::npos;)
        line.replace(at, 2, "\t");
      *part += line + "\n";
    }
  }
  check();
  EXPECT_GT(count, 15);
}

// What `tenure fmt` makes of these sources is what they are.
TEST(FormatTest, SourcesOfTheTreeAreFormatted) {
  for (const fs::path& path : SourcesBelow({"stdlib", "examples", "bench", "lab"})) {
    const std::string text = Read(path);
    const FormattedSource formatted = Format(text);
    EXPECT_EQ(formatted.kept, Kept::kNo) << path;
    EXPECT_EQ(formatted.text, text) << path << ": run `tenure fmt " << path.string() << "`";
  }
}

void CheckFormatted(const std::string& text, const std::string& what) {
  const FormattedSource once = Format(text);
  if (once.kept == Kept::kErrors || once.kept == Kept::kLineMarks) {
    EXPECT_EQ(once.text, text) << what;
    return;
  }
  ASSERT_EQ(once.kept, Kept::kNo) << what;
  EXPECT_EQ(Sequence(once.text), Sequence(text)) << what;
  EXPECT_EQ(Format(once.text).text, once.text) << what << ", again";
  EXPECT_EQ(once.text.find(" \n"), std::string::npos) << what;
  EXPECT_EQ(once.text.find("\n\n\n"), std::string::npos) << what;
  EXPECT_TRUE(once.text.ends_with('\n') && !once.text.ends_with("\n\n")) << what;
}

TEST(FormatTest, NoTokenChangesAndASecondTimeNothing) {
  size_t count = 0;
  for (const fs::path& path : SourcesBelow({"stdlib", "examples", "bench", "lab", "tests"})) {
    CheckFormatted(Read(path), path.string());
    ++count;
  }
  EXPECT_GT(count, 1000u);
}

TEST(FormatTest, RandomLayoutsKeepTokensAndPlacesOfComments) {
  unsigned seed = 1;
  for (const fs::path& path :
       SourcesBelow({"stdlib", "examples", "bench", "tests/packages", "tests/golden/run"})) {
    const std::string text = Read(path);
    if (Format(text).kept != Kept::kNo) continue;
    std::mt19937 random(++seed);
    const std::string mixed = WithRandomLayout(text, random);
    const std::string what = path.string() + ", seed " + std::to_string(seed);
    ASSERT_EQ(Format(mixed).kept, Kept::kNo) << what;
    CheckFormatted(mixed, what);
  }
}

TEST(FormatTest, WhatDoesNotParseStaysAndIsReported) {
  const std::string wrong = "MODULE Main;\nBEGIN\n    x := ;\nEND Main.\n";
  std::string messages;
  const FormattedSource formatted = Format(wrong, &messages);
  EXPECT_EQ(formatted.kept, Kept::kErrors);
  EXPECT_EQ(formatted.text, wrong);
  EXPECT_TRUE(messages.starts_with("Main.m3:3:10: error[")) << messages;
}

TEST(FormatTest, ALineOfAnyLengthBreaks) {
  std::string numbers, statements;
  for (int i = 0; i < 20000; ++i) {
    numbers += (i == 0 ? "" : ", ") + std::to_string(i);
    statements += "x := " + std::to_string(i) + "; ";
  }
  const std::string text = "MODULE Main; CONST A = ARRAY OF INTEGER{" + numbers + "}; BEGIN " +
                           statements + "END Main.\n";
  CheckFormatted(text, "long lines");
  std::istringstream lines(Format(text).text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(FormatTest, LinesThatAnotherProgramCountsStay) {
  const std::string made = "MODULE Main;\n<*LINE 7 \"Main.src\"*>\n      BEGIN\nEND Main.\n";
  const FormattedSource formatted = Format(made);
  EXPECT_EQ(formatted.kept, Kept::kLineMarks);
  EXPECT_EQ(formatted.text, made);
}

TEST(FormatTest, LineEndsAreOneByteAndAMarkOfUtf8Stays) {
  EXPECT_EQ(Format("\xEF\xBB\xBFMODULE Main; (* a  \r\n  b *)\r\nBEGIN\rEND Main.").text,
            "\xEF\xBB\xBFMODULE Main; (* a\n  b *)\nBEGIN\nEND Main.\n");
}

TEST(FormatTest, ARangeTakesOnlyItsLines) {
  const std::string before = "a\nb\nc d\ne\nf\n";
  EXPECT_EQ(TakeLines(before, " a\n b\n c d\n e\n f\n", 2, 3), "a\n b\n c d\ne\nf\n");
  EXPECT_EQ(TakeLines(before, "a\nb\nc\nd\ne\n f\n", 3, 3), "a\nb\nc\nd\ne\nf\n");
  EXPECT_EQ(TakeLines(before, "a\nb\nc\nd\ne\n f\n", 5, 9), "a\nb\nc d\ne\n f\n");
  // What leaves a line comes with the line that it enters.
  EXPECT_EQ(TakeLines(before, "a\nb c\nd\ne\nf\n", 3, 3), "a\nb c\nd\ne\nf\n");
  EXPECT_EQ(TakeLines("a\n\n\n  b\n  c\n", "a\n\nb\nc\n", 4, 4), "a\n\n\nb\n  c\n");
}

}  // namespace
}  // namespace tenure::compiler
