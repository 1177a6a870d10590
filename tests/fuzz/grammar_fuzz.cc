// Does the parser refuse any text of the grammar? Usage: grammar_fuzz SEED [ITERATIONS]
//
// Makes random sentences of the grammar (docs/language.md 2), with the words of other languages
// that the parser knows, keywords in small letters and names of the library as their names, and
// with line ends and indentation anywhere. The parser must accept each of them, and report nothing:
// the generator is the grammar written a second time, in the other direction. Then one wrong
// declaration is put before the others: that error must be the only one.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "compiler/lex/token.h"
#include "compiler/parse/parser.h"
#include "tests/support/random.h"

namespace {

using tenure::compiler::SourceFile;

constexpr int kDefaultIterations = 1000;
constexpr int kDepth = 5;  // of nested statements, types and expressions

// The words in quotes in the files that know other languages, and our own keywords, each in three
// spellings that are no keywords; and names of the library's interfaces.
std::vector<std::string> ReadNames() {
  std::set<std::string> words;
  const auto add = [&](std::string word) {
    if (word.empty() || std::isalpha(static_cast<unsigned char>(word[0])) == 0) return;
    const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (!std::all_of(word.begin(), word.end(), is_letter)) return;
    std::string lower, upper;
    for (const unsigned char c : word) {
      lower += static_cast<char>(std::tolower(c));
      upper += static_cast<char>(std::toupper(c));
    }
    std::string capital = lower;
    capital[0] = upper[0];
    for (const std::string& spelling : {lower, upper, capital, word}) {
      if (tenure::compiler::FindKeyword(spelling) == tenure::compiler::TokenKind::kIdentifier) {
        words.insert(spelling);
      }
    }
  };
  const auto add_quoted = [&](const std::filesystem::path& path) {
    std::string text;
    if (tenure::compiler::ReadWholeFile(path, text) != 0) return;
    for (size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
      const size_t end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      add(text.substr(at + 1, end - at - 1));
      at = end;
    }
  };
  for (const char* folder : {"compiler/parse", "compiler/lex", "compiler/check"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().filename().string().find("foreign") != std::string::npos) {
        add_quoted(entry.path());
      }
    }
  }
  add_quoted("compiler/lex/tokens.def");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("stdlib")) {
    if (entry.path().extension() == ".i3") words.insert(entry.path().stem().string());
  }
  for (const char* word : {"x", "y", "T", "i", "P", "W", "w", "f", "u8"}) words.insert(word);
  return {words.begin(), words.end()};
}

class Sentences {
 public:
  explicit Sentences(uint64_t seed) : random_(seed), names_(ReadNames()) {}

  size_t name_count() const { return names_.size(); }

  std::string Next() {
    tokens_.clear();
    first_declaration_ = 0;
    Unit();
    return Layout(0, tokens_.size());
  }

  // The last text with a wrong declaration at the beginning, or empty if it has no place for one.
  std::string WithError() {
    if (first_declaration_ == 0) return "";
    return Layout(0, first_declaration_) + kWrongDeclaration +
           Layout(first_declaration_, tokens_.size());
  }
  static constexpr const char* kWrongDeclaration = "CONST wrong = ;\n";

 private:
  uint64_t Below(uint64_t limit) { return random_.Below(limit); }
  bool Maybe() { return Below(2) == 0; }
  bool OneIn(uint64_t times) { return random_.OneIn(times); }

  void Put(std::string token) { tokens_.push_back(std::move(token)); }
  template <typename... Tokens>
  void Put(std::string first, Tokens... rest) {
    Put(std::move(first));
    Put(rest...);
  }
  std::string Name() { return names_[Below(names_.size())]; }
  void PutName() { Put(Name()); }
  void QualId() {
    PutName();
    if (OneIn(3)) {
      Put(".");
      PutName();
    }
  }
  template <typename Item>
  void List(const char* separator, uint64_t most, Item item) {
    for (uint64_t n = 1 + Below(most); n > 0; --n) {
      item();
      if (n > 1) Put(separator);
    }
  }
  // Any number of items, each but perhaps the last with a semicolon.
  template <typename Item>
  void Items(uint64_t most, Item item) {
    const uint64_t count = Below(most + 1);
    for (uint64_t i = 0; i < count; ++i) {
      item();
      if (i + 1 < count || Maybe()) Put(";");
    }
  }
  void IdList() {
    List(",", 3, [&] { PutName(); });
  }

  // --- units

  void Unit() {
    const std::string name = Name();
    if (OneIn(8)) Put("UNSAFE");
    switch (Below(6)) {
      case 0:
        Put("INTERFACE", name, ";");
        Imports();
        first_declaration_ = tokens_.size();
        Declarations(3, /*interface=*/true);
        break;
      case 1:
        Put(Maybe() ? "INTERFACE" : "MODULE", name, "=");
        PutName();
        Generic();
        break;
      case 2:
        Put("GENERIC", "INTERFACE", name);
        Generic();
        Put(";");
        Imports();
        first_declaration_ = tokens_.size();
        Declarations(3, /*interface=*/true);
        break;
      case 3:
        Put("GENERIC", "MODULE", name);
        Generic();
        Put(";");
        Imports();
        first_declaration_ = tokens_.size();
        Block();
        Put(name, ".");
        return;
      default:
        Put("MODULE", name);
        if (OneIn(3)) {
          Put("EXPORTS");
          IdList();
        }
        Put(";");
        Imports();
        first_declaration_ = tokens_.size();
        Block();
        Put(name, ".");
        return;
    }
    Put("END", name, ".");
  }
  void Generic() {
    Put("(");
    if (Maybe()) IdList();
    Put(")");
  }
  void Imports() {
    for (uint64_t n = Below(4); n > 0; --n) {
      if (Maybe()) {
        Put("IMPORT");
        List(",", 3, [&] {
          PutName();
          if (OneIn(3)) {
            Put("AS");
            PutName();
          }
        });
      } else {
        Put("FROM");
        PutName();
        Put("IMPORT");
        IdList();
      }
      Put(";");
    }
  }

  // --- declarations

  void Block(bool declares = true) {
    if (declares) Declarations(3, /*interface=*/false);
    Put("BEGIN");
    Statements();
    Put("END");
  }
  void Declarations(uint64_t most, bool interface) {
    for (uint64_t n = Below(most + 1); n > 0; --n) {
      if (OneIn(8)) Fatal();
      switch (Below(6)) {
        case 0: Section("CONST", [&] { Constant(); }); break;
        case 1:
          Section("TYPE", [&] {
            PutName();
            Put(Maybe() ? "=" : "<:");
            Type();
          });
          break;
        case 2:
          Section("EXCEPTION", [&] {
            PutName();
            if (Maybe()) {
              Put("(");
              Type();
              Put(")");
            }
          });
          break;
        case 3: Variables(); break;
        case 4:
          Section("REVEAL", [&] {
            QualId();
            Put(Maybe() ? "=" : "<:");
            Type();
          });
          break;
        default: Procedure(interface); break;
      }
    }
  }
  void Fatal() {
    Put("<*FATAL");
    if (Maybe()) {
      Put("ANY");
    } else {
      List(",", 2, [&] { QualId(); });
    }
    Put("*>");
  }
  void TraceOfVariable() {
    if (!OneIn(12)) return;
    Put("<*TRACE");
    Expr();
    Put("*>");
  }
  template <typename Item>
  void Section(const char* word, Item item) {
    if (OneIn(8)) Put(Maybe() ? "<*UNUSED*>" : "<*OBSOLETE*>");
    Put(word);
    for (uint64_t n = Below(4); n > 0; --n) {
      if (OneIn(8)) Put("<*UNUSED*>");
      item();
      Put(";");
    }
  }
  void Constant() {
    PutName();
    if (Maybe()) {
      Put(":");
      Type();
    }
    Put("=");
    Expr();
  }
  // The names of one section differ: a name that is declared twice is an error in any grammar.
  void Variables() {
    Put("VAR");
    std::set<std::string> used;
    for (uint64_t n = Below(4); n > 0; --n) {
      List(",", 3, [&] {
        std::string name = Name();
        while (!used.insert(name).second) name = Name();
        Put(name);
      });
      TraceOfVariable();
      TypeAndValue();
      Put(";");
    }
  }
  void TypeAndValue() {
    const uint64_t form = Below(3);
    if (form != 0) {
      Put(":");
      Type();
    }
    if (form != 1) {
      Put(":=");
      Expr();
    }
  }
  void Procedure(bool interface) {
    const std::string name = Name();
    if (OneIn(6)) Put(Maybe() ? "<*INLINE*>" : "<*CALLBACK*>");
    if (interface && OneIn(4)) {
      Put("<*EXTERNAL");
      if (Maybe()) PutName();
      Put("*>");
    }
    Put("PROCEDURE", name);
    Signature();
    if (!interface) {
      Put("=");
      Block();
      Put(name);
    }
    Put(";");
  }
  void Signature() {
    Put("(");
    Items(3, [&] {
      if (OneIn(8)) Put("<*UNUSED*>");
      switch (Below(6)) {
        case 0: Put("VAR"); break;
        case 1: Put("VALUE"); break;
        case 2: Put("READONLY"); break;
        default: break;
      }
      IdList();
      TypeAndValue();
    });
    Put(")");
    if (Maybe()) {
      Put(":");
      // What follows binds to the nearest PROCEDURE.
      if (OneIn(4)) {
        Put("(");
        Type();
        Put(")");
      } else {
        QualId();
      }
    }
    if (OneIn(3)) {
      Put("RAISES");
      if (OneIn(3)) {
        Put("ANY");
      } else {
        Put("{");
        if (Maybe()) List(",", 3, [&] { QualId(); });
        Put("}");
      }
    }
  }

  // --- types

  void Type() {
    if (depth_ >= kDepth) {
      QualId();
      return;
    }
    ++depth_;
    switch (Below(14)) {
      case 0:
        Put("ARRAY");
        if (Maybe()) List(",", 2, [&] { Type(); });
        Put("OF");
        Type();
        break;
      case 1:
        Put("BITS");
        Expr();
        Put("FOR");
        Type();
        break;
      case 2:
        Put("{");
        if (!OneIn(6)) IdList();
        Put("}");
        break;
      case 3:
      case 4:
        if (Maybe()) QualId();
        do {
          Object();
        } while (OneIn(8));
        break;
      case 5:
        Put("PROCEDURE");
        Signature();
        break;
      case 6:
        Put("RECORD");
        Fields();
        Put("END");
        break;
      case 7:
        if (OneIn(3)) Put("UNTRACED");
        Brand();
        Put("REF");
        Type();
        break;
      case 8:
        if (OneIn(4)) {
          Put("<*TRANSIENT*>", Maybe() ? "ROOT" : "REFANY");
          break;
        }
        Put("SET", "OF");
        Type();
        break;
      case 9:
        Put("[");
        Expr();
        Put("..");
        Expr();
        Put("]");
        break;
      case 10:
        if (OneIn(3)) Put("UNTRACED");
        Put("ROOT");
        break;
      case 11:
        Put("(");
        Type();
        Put(")");
        break;
      default: QualId(); break;
    }
    --depth_;
  }
  void Brand() {
    if (!OneIn(5)) return;
    Put("BRANDED");
    if (Maybe()) Put("\"brand\"");
  }
  void Object() {
    Brand();
    Put("OBJECT");
    Fields();
    if (Maybe()) {
      Put("METHODS");
      Items(3, [&] {
        PutName();
        Signature();
        if (Maybe()) {
          Put(":=");
          Expr();
        }
      });
    }
    if (Maybe()) {
      Put("OVERRIDES");
      Items(3, [&] {
        PutName();
        Put(":=");
        Expr();
      });
    }
    Put("END");
  }
  void Fields() {
    Items(3, [&] {
      if (OneIn(8)) Put(Maybe() ? "<*TRANSIENT*>" : "<*UNUSED*>");
      IdList();
      TypeAndValue();
    });
  }

  // --- statements

  void Statements() {
    const uint64_t count = depth_ >= kDepth ? Below(2) : Below(4);
    for (uint64_t i = 0; i < count; ++i) {
      if (OneIn(10)) {
        // A pragma needs no semicolon, and none before it.
        Put(Maybe() ? "<*ASSERT" : "<*DEBUG");
        Expr();
        Put("*>");
        if (i + 1 < count && Maybe()) Put(";");
        continue;
      }
      Statement();
      if (i + 1 < count || Maybe()) Put(";");
    }
  }
  void Statement() {
    ++depth_;
    switch (depth_ > kDepth ? Below(6) : Below(20)) {
      case 0: Put("EXIT"); break;
      case 1:
        Put("EVAL");
        Expr();
        break;
      case 2:
        Put("RAISE");
        QualId();
        if (Maybe()) {
          Put("(");
          Expr();
          Put(")");
        }
        break;
      case 3:
        Put("RETURN");
        if (Maybe()) Expr();
        break;
      case 4:
      case 5:
      case 6:
        Designator();
        Put(":=");
        Expr();
        break;
      case 7:
      case 8:
        Designator();
        Actuals();
        break;
      case 9: Block(Maybe()); break;
      case 10:
        Put("CASE");
        Expr();
        Put("OF");
        Arms([&] {
          List(",", 3, [&] {
            Expr();
            if (OneIn(4)) {
              Put("..");
              Expr();
            }
          });
        });
        break;
      case 11:
        Put("FOR");
        PutName();
        Put(":=");
        Expr();
        Put("TO");
        Expr();
        if (OneIn(3)) {
          Put("BY");
          Expr();
        }
        Body("DO");
        break;
      case 12:
        Put("IF");
        Expr();
        Put("THEN");
        Statements();
        for (uint64_t n = Below(3); n > 0; --n) {
          Put("ELSIF");
          Expr();
          Put("THEN");
          Statements();
        }
        Else();
        Put("END");
        break;
      case 13:
        Put("LOCK");
        Expr();
        Body("DO");
        break;
      case 14: Body("LOOP"); break;
      case 15:
        Put("REPEAT");
        Statements();
        Put("UNTIL");
        Expr();
        break;
      case 16:
        Put("TYPECASE");
        Expr();
        Put("OF");
        Arms([&] {
          List(",", 2, [&] { Type(); });
          ArmVariable();
        });
        break;
      case 17:
        Put("TRY");
        Statements();
        if (Maybe()) {
          Put("FINALLY");
          Statements();
          Put("END");
          break;
        }
        Put("EXCEPT");
        Arms([&] {
          List(",", 2, [&] { QualId(); });
          ArmVariable();
        });
        break;
      case 18:
        Put("WHILE");
        Expr();
        Body("DO");
        break;
      default:
        Put("WITH");
        List(",", 3, [&] {
          PutName();
          Put("=");
          Expr();
        });
        Body("DO");
        break;
    }
    --depth_;
  }
  void Body(const char* word) {
    Put(word);
    Statements();
    Put("END");
  }
  void Else() {
    if (!OneIn(3)) return;
    Put("ELSE");
    Statements();
  }
  void ArmVariable() {
    if (!Maybe()) return;
    Put("(");
    PutName();
    Put(")");
  }
  template <typename Labels>
  void Arms(Labels labels) {
    const uint64_t count = Below(4);
    for (uint64_t i = 0; i < count; ++i) {
      if (i > 0 || Maybe()) Put("|");
      labels();
      Put("=>");
      Statements();
    }
    Else();
    Put("END");
  }

  // --- expressions

  // What may be assigned to or called: it begins with a name or a parenthesis.
  void Designator() {
    if (OneIn(10)) {
      Put("(");
      Expr();
      Put(")");
      Selector();
    } else {
      PutName();
    }
    while (OneIn(3)) Selector();
  }
  void Selector() {
    switch (Below(4)) {
      case 0: Put("^"); break;
      case 1:
        Put(".");
        PutName();
        break;
      case 2:
        Put("[");
        List(",", 2, [&] { Expr(); });
        Put("]");
        break;
      default: Actuals(); break;
    }
  }
  void Actuals() {
    Put("(");
    if (!OneIn(3)) {
      List(",", 3, [&] {
        switch (Below(6)) {
          case 0: Type(); break;
          case 1:
            PutName();
            Put(":=");
            Expr();
            break;
          default: Expr(); break;
        }
      });
    }
    Put(")");
  }
  void Expr() { Level(0); }
  void Level(int level) {
    static const std::vector<std::vector<const char*>> kOperators = {
        {"OR"},
        {"AND"},
        {},
        {"=", "#", "<", "<=", ">", ">=", "IN"},
        {"+", "-", "&"},
        {"*", "/", "DIV", "MOD"}};
    if (level == 2) {
      while (OneIn(12)) Put("NOT");
      Level(3);
      return;
    }
    if (level == 6) {
      while (OneIn(12)) Put(Maybe() ? "+" : "-");
      Operand();
      while (OneIn(5)) Selector();
      return;
    }
    Level(level + 1);
    while (depth_ < kDepth && OneIn(8)) {
      const auto& operators = kOperators[static_cast<size_t>(level)];
      Put(operators[Below(operators.size())]);
      Level(level + 1);
    }
  }
  void Operand() {
    ++depth_;
    switch (depth_ > kDepth ? Below(8) : Below(12)) {
      case 0: Put(std::to_string(Below(1000))); break;
      case 1: Put(OneIn(4) ? "16_FF" : OneIn(3) ? "1.5d0" : "2.5"); break;
      case 2: Put(OneIn(4) ? "W'x'" : "'\\n'"); break;
      case 3: Put(OneIn(4) ? "W\"x\"" : "\"// text {\""); break;
      case 8:
        Put("(");
        Expr();
        Put(")");
        break;
      case 9:
      case 10: Constructor(); break;
      default: PutName(); break;
    }
    --depth_;
  }
  void Constructor() {
    switch (Below(4)) {
      case 0:
        Put("ARRAY");
        if (Maybe()) QualId();
        Put("OF");
        QualId();
        break;
      case 1:
        Put("SET", "OF");
        QualId();
        break;
      default: QualId(); break;
    }
    Put("{");
    if (!OneIn(3)) {
      List(",", 3, [&] {
        switch (Below(5)) {
          case 0:
            PutName();
            Put(":=");
            Expr();
            break;
          case 1:
            Expr();
            Put("..");
            Expr();
            break;
          default: Expr(); break;
        }
      });
      if (OneIn(5)) Put(",", "..");
    }
    Put("}");
  }

  // --- layout

  static bool IsWordEnd(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
  // May the tokens stand side by side?
  static bool MayTouch(const std::string& left, const std::string& right) {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (std::ranges::all_of(left, is_digit)) {
      // A keyword may follow a number directly.
      const auto kind = tenure::compiler::FindKeyword(right);
      if (kind != tenure::compiler::TokenKind::kIdentifier) return true;
    }
    if (IsWordEnd(left.back()) || left.back() == '_') {
      return std::string(";,)]}(^[{|=#+-*/&:").find(right[0]) != std::string::npos ||
             (right[0] == '.' && !is_digit(left[0]));  // a number takes a point with it
    }
    return std::string(")]}[;,^").find(left.back()) != std::string::npos &&
           std::string(";,)]}^[").find(right[0]) != std::string::npos;
  }
  std::string Layout(size_t begin, size_t end) {
    // One program is on one line, another has all kinds of indentation.
    const uint64_t lines = 1 + Below(12);
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      text += tokens_[i];
      if (i + 1 == end) break;
      if (MayTouch(tokens_[i], tokens_[i + 1]) && Maybe()) continue;
      if (OneIn(40)) {
        text += " (* a comment {else} // -- *) ";
      } else if (OneIn(lines)) {
        text += "\n" + std::string(Below(4) * 2, ' ');
      } else {
        text += ' ';
      }
    }
    return text + "\n";
  }

  tenure::Random random_;
  std::vector<std::string> names_;
  std::vector<std::string> tokens_;
  size_t first_declaration_ = 0;  // Position among the tokens; 0 if there is none.
  int depth_ = 0;
};

// The messages about the text.
std::string MessagesAbout(const std::string& text, int& count) {
  const SourceFile file("Legal.m3", text);
  tenure::compiler::Interner interner;
  tenure::Arena arena;
  tenure::compiler::Diagnostics diagnostics;
  const auto* unit = tenure::compiler::Parse(file, arena, interner, diagnostics);
  count = diagnostics.error_count();
  if (unit == nullptr && count == 0) count = 1;
  if (unit != nullptr && (unit->has_errors || unit->has_repairs) && count == 0) count = 1;
  return diagnostics.Render(tenure::compiler::DiagnosticFormat::kText);
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const int iterations = argc > 2 ? std::atoi(argv[2]) : kDefaultIterations;
  Sentences sentences(seed);
  if (sentences.name_count() < 500) {
    std::printf("only %zu names: run from the source directory\n", sentences.name_count());
    return 1;
  }
  for (int i = 0; i < iterations; ++i) {
    int count = 0;
    const std::string legal = sentences.Next();
    std::string messages = MessagesAbout(legal, count), text = legal;
    if (count == 0) {
      text = sentences.WithError();
      if (text.empty()) continue;
      messages = MessagesAbout(text, count);
      if (count == 1) continue;
    }
    std::printf("seed %llu, iteration %d: %s\n%s\n%s\n", static_cast<unsigned long long>(seed), i,
                text == legal ? "a legal text is refused" : "an error makes legal text wrong",
                messages.c_str(), text.c_str());
    return 1;
  }
  std::printf("seed %llu: %d legal texts parsed\n", static_cast<unsigned long long>(seed),
              iterations);
  return 0;
}
