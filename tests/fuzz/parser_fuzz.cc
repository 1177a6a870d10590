// Does any text crash the lexer or the parser, or keep them busy? Usage: parser_fuzz SEED
// [ITERATIONS]
//
// Takes the golden sources and the library, mutates them (bytes, tokens, pieces of other files),
// and parses the result. Checked: the parser returns, the tree prints, spans lie in the file, an
// incomplete tree has been reported.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/ast/print.h"
#include "compiler/parse/parser.h"
#include "tests/support/random.h"

namespace {

using tenure::compiler::Diagnostics;
using tenure::compiler::Interner;
using tenure::compiler::SourceFile;
namespace ast = tenure::compiler::ast;

constexpr int kDefaultIterations = 2000;
constexpr double kMaxSecondsPerFile = 5;

constexpr const char* kPieces[] = {"(*",
                                   "*)",
                                   "<*",
                                   "*>",
                                   "<*ASSERT ",
                                   "<*FATAL ANY*>",
                                   "<*TRANSIENT*>",
                                   "<*UNUSED*>",
                                   "<*LINE 3*>",
                                   "\"",
                                   "'",
                                   "\\",
                                   "W'",
                                   "16_",
                                   "1.",
                                   "..",
                                   ".",
                                   ":=",
                                   "=>",
                                   "<:",
                                   "{",
                                   "}",
                                   "[",
                                   "]",
                                   "(",
                                   ")",
                                   "|",
                                   ";",
                                   ";;",
                                   ",",
                                   "BEGIN",
                                   "END",
                                   "END;",
                                   "END Main.",
                                   "PROCEDURE P() =",
                                   "RECORD",
                                   "OBJECT",
                                   "METHODS",
                                   "OVERRIDES",
                                   "TRY",
                                   "EXCEPT",
                                   "FINALLY",
                                   "CASE x OF",
                                   "IF",
                                   "THEN",
                                   "ELSIF",
                                   "ELSE",
                                   "WHILE",
                                   "DO",
                                   "LOOP",
                                   "REPEAT",
                                   "UNTIL",
                                   "TYPECASE",
                                   "WITH",
                                   "LOCK",
                                   "VAR",
                                   "CONST",
                                   "TYPE",
                                   "REVEAL",
                                   "IMPORT",
                                   "FROM",
                                   "INTERFACE",
                                   "MODULE",
                                   "GENERIC",
                                   "UNSAFE",
                                   "EXPORTS",
                                   "NOT",
                                   "-",
                                   "REF",
                                   "BRANDED",
                                   "ROOT",
                                   "UNTRACED",
                                   "ARRAY",
                                   "SET OF",
                                   "BITS 3 FOR",
                                   "RAISES {",
                                   "File",
                                   "Union",
                                   "Packed OBJECT",
                                   "struct {",
                                   "class T {",
                                   "enum {",
                                   "CLASS (T)",
                                   "NEW T",
                                   "new T()",
                                   "Vec<T>",
                                   "int x;",
                                   "let mut x = 1;",
                                   "x: OUT T",
                                   "switch (x) {",
                                   "case 1:",
                                   "default:",
                                   "WHEN 1 =>",
                                   "for (i = 0; i < 3; i++) {",
                                   "for i in range(3):",
                                   "do {",
                                   "while (x) {",
                                   "if x == 1 && y != 2 {",
                                   "else if",
                                   "elif",
                                   "ENDIF",
                                   "catch (E)",
                                   "throw E",
                                   "print \"x\"",
                                   "x += 1",
                                   "x++",
                                   "--x",
                                   "a->b",
                                   "a::b",
                                   "*p",
                                   "&x",
                                   "x NOT IN s",
                                   "x IS NIL",
                                   "x IN 1..9",
                                   "[1, 2]",
                                   "a[1:2]",
                                   "f\"{x}\"",
                                   "lambda x: y",
                                   "RETURN a, b",
                                   "PROCEDURE (t: T) P",
                                   "x*",
                                   "IMPL T",
                                   "OBJECT EXTENDS T",
                                   "POINTER TO T",
                                   "WITH f AS y DO",
                                   "println!(",
                                   "Day'Last",
                                   "0xFF",
                                   "// x\n",
                                   "while",
                                   "end",
                                   "\0",
                                   "\xFF\xFE"};

std::vector<std::string> ReadCorpus() {
  std::vector<std::string> corpus = {"MODULE Main; VAR x: INTEGER; BEGIN x := 1 END Main."};
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"tests/golden", "stdlib", "examples"}) {
    std::error_code error;
    std::filesystem::recursive_directory_iterator it(folder, error), end;
    for (; !error && it != end; it.increment(error)) {
      const std::string extension = it->path().extension();
      if (extension == ".m3" || extension == ".i3" || extension == ".mg" || extension == ".ig") {
        paths.push_back(it->path());
      }
    }
  }
  std::sort(paths.begin(), paths.end());  // The same corpus for the same seed.
  for (const std::filesystem::path& path : paths) {
    std::string text;
    if (tenure::compiler::ReadWholeFile(path, text) == 0) corpus.push_back(std::move(text));
  }
  return corpus;
}

class Fuzzer {
 public:
  Fuzzer(uint64_t seed, std::vector<std::string> corpus)
      : random_(seed), corpus_(std::move(corpus)) {}

  std::string NextText() {
    std::string text = corpus_[Below(corpus_.size())];
    // A long file makes the test slow; a window of it is as good.
    if (text.size() > 8000 && Below(4) != 0) {
      text = text.substr(Below(text.size() - 4000), 4000);
    }
    for (uint64_t count = 1 + Below(8); count > 0; --count) Mutate(text);
    return text;
  }

 private:
  uint64_t Below(uint64_t limit) { return limit == 0 ? 0 : random_.Below(limit); }

  void Mutate(std::string& text) {
    const size_t at = Below(text.size() + 1);
    const size_t length = std::min<size_t>(1 + Below(40), text.size() - at);
    switch (Below(9)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, std::string(1, static_cast<char>(Below(256)))); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << Below(8)));
        break;
      case 4: {
        const std::string& other = corpus_[Below(corpus_.size())];
        text.insert(at, other.substr(Below(other.size() + 1), Below(200)));
        break;
      }
      case 5: text.resize(at); break;
      case 6: {
        // Nesting and chains: a piece many times over.
        std::string piece = Piece();
        std::string many;
        for (uint64_t n = Below(Below(8) == 0 ? 3000 : 20); n > 0; --n) many += piece + " ";
        text.insert(at, many);
        break;
      }
      default: text.insert(at, std::string(" ") + Piece() + " ");
    }
  }

  std::string Piece() { return kPieces[Below(std::size(kPieces))]; }

  tenure::Random random_;
  std::vector<std::string> corpus_;
};

// The error in the parser's result, or null.
const char* Try(const std::string& text) {
  const SourceFile file("Fuzz.m3", text);
  Interner interner;
  tenure::Arena arena;
  Diagnostics diagnostics;
  const ast::Unit* unit = tenure::compiler::Parse(file, arena, interner, diagnostics);
  if (unit == nullptr && !diagnostics.has_errors()) return "no unit and no error";
  if (unit != nullptr) {
    const std::string printed = ast::Print(*unit);
    const bool reported = unit->has_errors || unit->has_repairs;
    if (reported != diagnostics.has_errors()) return "has_errors or has_repairs is wrong";
    if (!reported && printed.find("<error>") != std::string::npos) {
      return "an error node, but no error";
    }
  }
  for (const auto* diagnostic : diagnostics.Sorted()) {
    const auto& span = diagnostic->span;
    if (span.file != &file || span.begin > span.end || span.end > file.size()) {
      return "a message outside the file";
    }
  }
  diagnostics.Render(tenure::compiler::DiagnosticFormat::kText);
  diagnostics.Render(tenure::compiler::DiagnosticFormat::kJson);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const int iterations = argc > 2 ? std::atoi(argv[2]) : kDefaultIterations;
  Fuzzer fuzzer(seed, ReadCorpus());
  for (int i = 0; i < iterations; ++i) {
    const std::string text = fuzzer.NextText();
    const std::clock_t start = std::clock();
    const char* wrong = Try(text);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (wrong == nullptr && seconds > kMaxSecondsPerFile) wrong = "too slow";
    if (wrong != nullptr) {
      std::printf("seed %llu, iteration %d: %s\n%s\n", static_cast<unsigned long long>(seed), i,
                  wrong, text.c_str());
      return 1;
    }
  }
  std::printf("seed %llu: %d texts parsed\n", static_cast<unsigned long long>(seed), iterations);
  return 0;
}
