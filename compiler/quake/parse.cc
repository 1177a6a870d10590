#include <cctype>
#include <optional>

#include "compiler/quake/tree.h"

namespace tenure::compiler::quake {

namespace {

// Greatest depth of nesting; deeper ones would exhaust the stack.
constexpr int kMaxDepth = 500;

enum class Token : unsigned char { kEnd, kName, kText, kEnvironment, kSymbol };

class Parser {
 public:
  Parser(const SourceFile& file, Diagnostics& diagnostics)
      : file_(file), text_(file.text()), diagnostics_(diagnostics) {
    if (text_.starts_with(kByteOrderMark)) end_ = kByteOrderMark.size();
    Next();
  }

  Statements ParseFile() {
    Statements statements = ParseStatements();
    if (!failed_ && token_ != Token::kEnd)
      Fail("'" + std::string(Current()) + "' begins no statement");
    return statements;
  }

 private:
  // --- tokens ---
  std::string_view Current() const { return text_.substr(begin_, end_ - begin_); }
  SourceSpan Span() const { return {&file_, begin_, end_}; }

  DiagnosticBuilder Fail(const std::string& what) { return FailAt(Span(), what); }
  DiagnosticBuilder FailAt(SourceSpan span, const std::string& what) {
    DiagnosticBuilder error;
    if (!failed_) error = diagnostics_.Error(MessageId::kBuildFile, span, what);
    failed_ = true;
    token_ = Token::kEnd;
    return error;
  }

  char At(size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  static bool IsNamePart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  }

  void SkipSpace() {
    for (;;) {
      const char c = At(end_);
      // Control-Z (26) marks the end of a file on old systems.
      if (end_ < text_.size() &&
          (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0' || c == '\x1A')) {
        ++end_;
      } else if (c == '%') {
        while (end_ < text_.size() && At(end_) != '\n') ++end_;
      } else if (c == '/' && At(end_ + 1) == '*') {
        const size_t close = text_.find("*/", end_ + 2);
        if (close == std::string_view::npos) {
          const uint32_t begin = end_;
          end_ = file_.size();
          FailAt({&file_, begin, begin + 2}, "this comment is not closed");
          return;
        }
        end_ = static_cast<uint32_t>(close + 2);
      } else {
        return;
      }
    }
  }

  void Next() {
    if (failed_) return;
    previous_end_ = end_;
    SkipSpace();
    if (failed_) return;
    begin_ = end_;
    if (begin_ >= text_.size()) {
      token_ = Token::kEnd;
      return;
    }
    const char c = text_[begin_];
    if (c == '"') return NextText();
    ++end_;
    if (IsNamePart(c) && c != '-') {
      while (IsNamePart(At(end_))) ++end_;
      token_ = Token::kName;
    } else if (c == '$') {
      while (IsNamePart(At(end_))) ++end_;
      token_ = Token::kEnvironment;
      if (end_ == begin_ + 1) Fail("$ needs the name of an environment variable");
    } else {
      token_ = Token::kSymbol;
      if ((c == '+' && At(end_) == '=') || (c == '>' && At(end_) == '>')) ++end_;
    }
  }

  void NextText() {
    token_ = Token::kText;
    value_.clear();
    for (++end_;; ++end_) {
      if (end_ >= text_.size() || text_[end_] == '\n') {
        end_ = std::min(end_, file_.size());
        Fail("this text is not closed in its line");
        return;
      }
      char c = text_[end_];
      if (c == '"') break;
      if (c == '\\') {
        c = At(++end_);
        switch (c) {
          case 'n': c = '\n'; break;
          case 't': c = '\t'; break;
          case 'r': c = '\r'; break;
          case 'f': c = '\f'; break;
          case 'b': c = '\b'; break;
          case '\n': continue;  // the text goes on in the next line
          default: break;       // the character itself
        }
        if (end_ >= text_.size()) continue;
      }
      value_ += c;
    }
    ++end_;
  }

  bool Is(std::string_view word) const {
    return (token_ == Token::kName || token_ == Token::kSymbol) && Current() == word;
  }
  bool Take(std::string_view word) {
    if (!Is(word)) return false;
    Next();
    return true;
  }
  void Expect(std::string_view word) {
    if (Take(word)) return;
    const bool closes = word == ")" || word == "]" || word == "}";
    if (closes && !failed_ && (token_ == Token::kEnd || IsNextLine())) {
      const SourceSpan place{&file_, previous_end_, previous_end_};
      FailAt(place, "expected '" + std::string(word) + "'" + Found()).Fix(place, word);
      return;
    }
    Fail("expected '" + std::string(word) + "'" + Found());
  }
  bool IsNextLine() const {
    return text_.substr(previous_end_, begin_ - previous_end_).find('\n') != std::string_view::npos;
  }
  // The `end` of what begins at `begin` with `word`.
  void ExpectEnd(std::string_view word, uint32_t begin) {
    if (Take("end")) return;
    if (token_ != Token::kEnd || failed_) {
      Fail("expected 'end'" + Found());
      return;
    }
    const std::string_view before = text_.substr(0, file_.size());
    FailAt({&file_, begin, static_cast<uint32_t>(begin + word.size())},
           "this '" + std::string(word) + "' has no 'end'")
        .Fix({&file_, file_.size(), file_.size()}, before.ends_with('\n') ? "end\n" : "\nend\n");
  }
  std::string Found() const {
    return token_ == Token::kEnd ? ", found the end of the file"
                                 : ", found '" + std::string(Current()) + "'";
  }
  std::string ExpectName() {
    if (token_ != Token::kName) {
      Fail("expected a name" + Found());
      return "";
    }
    std::string name(Current());
    Next();
    return name;
  }
  bool IsKeyword() const {
    if (token_ != Token::kName) return false;
    for (const std::string_view word :
         {"if", "elsif", "else", "end", "foreach", "in", "proc", "is", "return", "local",
          "readonly", "and", "or", "not", "contains"}) {
      if (Current() == word) return true;
    }
    return false;
  }

  struct Nested {
    explicit Nested(Parser& p) : parser(p) {
      if (++parser.depth_ > kMaxDepth) parser.Fail("nested too deeply");
    }
    ~Nested() { --parser.depth_; }
    Parser& parser;
  };

  // --- statements ---
  Statements ParseStatements() {
    Statements statements;
    const Nested nested(*this);
    while (!failed_ && token_ != Token::kEnd && !Is("end") && !Is("else") && !Is("elsif")) {
      if (Take(";")) continue;
      std::unique_ptr<Statement> statement = ParseStatement();
      if (failed_) break;
      statements.push_back(std::move(statement));
    }
    return statements;
  }

  std::unique_ptr<Statement> ParseStatement() {
    auto statement = std::make_unique<Statement>();
    const uint32_t begin = begin_;
    while (Is("local") || Is("readonly")) {
      (Is("local") ? statement->local : statement->readonly) = true;
      Next();
    }
    if (Take("if")) {
      ParseIf(*statement, begin);
    } else if (Take("foreach")) {
      statement->kind = Statement::Kind::kForeach;
      statement->name = ExpectName();
      Expect("in");
      statement->value = ParseExpression();
      statement->body = ParseStatements();
      ExpectEnd("foreach", begin);
    } else if (Take("proc")) {
      ParseProcedure(*statement, begin);
    } else if (Take("return")) {
      statement->kind = Statement::Kind::kReturn;
      if (!(IsKeyword() && !Is("not")) && token_ != Token::kEnd && BeginsExpression()) {
        statement->value = ParseExpression();
      }
    } else if (Is(">") || Is(">>")) {
      statement->kind = Statement::Kind::kRedirect;
      statement->append = Is(">>");
      Next();
      statement->value = ParseExpression();
      Expect("in");
      statement->body = ParseStatements();
      Expect("end");
    } else {
      ParseSimple(*statement);
    }
    statement->span = {&file_, begin, std::max(begin, previous_end_)};
    return statement;
  }

  void ParseIf(Statement& statement, uint32_t begin) {
    statement.kind = Statement::Kind::kIf;
    do {
      Statement::Arm arm;
      arm.condition = ParseExpression();
      if (Is("=") || Is("!")) {
        Fail("values are compared by equal(a, b), also in 'not equal(a, b)'");
      }
      arm.body = ParseStatements();
      statement.arms.push_back(std::move(arm));
    } while (Take("elsif"));
    if (Take("else")) statement.arms.push_back({nullptr, ParseStatements()});
    ExpectEnd("if", begin);
  }

  void ParseProcedure(Statement& statement, uint32_t begin) {
    statement.kind = Statement::Kind::kProcedure;
    auto procedure = std::make_unique<ProcedureDefinition>();
    procedure->name = statement.name = ExpectName();
    if (Take("(")) {
      while (!failed_ && !Is(")")) {
        procedure->formals.push_back(ExpectName());
        if (!Take(",")) break;
      }
      Expect(")");
    }
    Expect("is");
    procedure->body = ParseStatements();
    ExpectEnd("proc", begin);
    statement.procedure = std::move(procedure);
  }

  void ParseSimple(Statement& statement) {
    const uint32_t begin = begin_;
    const bool is_name = token_ == Token::kName && !IsKeyword();
    statement.name = std::string(Current());
    if (!is_name) {
      FailAtNoStatement();
      return;
    }
    if (FailAtForeignWord()) return;
    Next();
    if (Is("(")) {
      statement.value = ParseCall(begin, statement.name);
    } else if (Take("=")) {
      statement.kind = Statement::Kind::kAssign;
      statement.value = ParseExpression();
    } else if (Take("+=")) {
      statement.kind = Statement::Kind::kAppend;
      statement.value = ParseExpression();
    } else if (Take("{")) {
      statement.key = ParseExpression();
      Expect("}");
      statement.kind = Is("+=") ? Statement::Kind::kAppendEntry : Statement::Kind::kAssignEntry;
      if (!Take("+=")) Expect("=");
      statement.value = ParseExpression();
    } else if (statement.local) {
      statement.kind = Statement::Kind::kAssign;  // `local x`: the empty text
      statement.value = Make(Expression::Kind::kText, begin);
    } else {
      FailBehindName(statement.name, begin);
    }
  }

  // --- other languages ---
  void FailAtNoStatement() {
    const bool slashes = Is("/") && At(end_) == '/';
    if (slashes || Is("#") || (Is("(") && At(end_) == '*')) {
      const SourceSpan mark{&file_, begin_, Is("#") ? end_ : end_ + 1};
      const bool is_line = !Is("(");
      DiagnosticBuilder error =
          FailAt(mark, "a comment is % ... to the end of the line, or /* ... */");
      if (is_line) error.Fix(mark, "%");
      return;
    }
    if (Is("+") && At(end_) != '=') {
      FailAt(Span(), "texts are joined by '&'").Fix(Span(), "&");
      return;
    }
    Fail("expected a statement" + Found());
  }

  // At a word that begins a statement in other languages, and that is not a call or assignment
  // here.
  bool FailAtForeignWord() {
    struct Word {
      std::string_view word, ours, fix;
    };
    static constexpr Word kWords[] = {
        {"for", "a loop is foreach NAME in [\"a\", \"b\"] ... end", ""},
        {"while", "there is no such loop: foreach NAME in [\"a\", \"b\"] ... end", ""},
        {"then", "the statements follow the condition at once, without 'then'", " "},
        {"do", "the statements follow at once, without 'do'", " "},
        {"elif", "the word is elsif", "elsif"},
        {"elseif", "the word is elsif", "elsif"},
        {"endif", "the word is end", "end"},
        {"fi", "the word is end", "end"},
        {"endfor", "the word is end", "end"},
        {"done", "the word is end", "end"},
        {"function", "a procedure is proc NAME (a, b) is ... end", ""},
        {"def", "a procedure is proc NAME (a, b) is ... end", ""},
        {"var", "a variable is NAME = VALUE, local NAME = VALUE in a procedure", ""},
        {"let", "a variable is NAME = VALUE, local NAME = VALUE in a procedure", ""},
        {"set", "a variable is NAME = VALUE, local NAME = VALUE in a procedure", ""}};
    for (const Word& known : kWords) {
      if (!Is(known.word)) continue;
      size_t next = end_;
      while (At(next) == ' ') ++next;
      if (At(next) == '(' || At(next) == '=' || At(next) == '{' || At(next) == '+') return false;
      const SourceSpan word = Span();
      DiagnosticBuilder error = FailAt(word, std::string(known.ours));
      if (!known.fix.empty()) error.Fix(word, known.fix == " " ? "" : known.fix);
      return true;
    }
    return false;
  }

  // Behind the name that begins a statement, where no statement can go on.
  void FailBehindName(const std::string& name, uint32_t begin) {
    if (Is(":") && At(end_) == '=') {
      const SourceSpan mark{&file_, begin_, end_ + 1};
      FailAt(mark, "a variable gets its value by '=': " + name + " = ...").Fix(mark, "=");
      return;
    }
    if (token_ == Token::kText && !IsNextLine()) {
      const SourceSpan text = Span();
      FailAt({&file_, begin, text.end},
             "the values stand in parentheses: " + name + "(" + std::string(Current()) + ")")
          .Fix({&file_, previous_end_, text.begin}, "(")
          .Fix({&file_, text.end, text.end}, ")");
      return;
    }
    if (Is(":") && !IsNextLine()) {
      FailAt({&file_, begin, end_},
             "a build file has no rules as make's has: implementation(\"Main\") names a module, "
             "program(\"" +
                 name + "\") the program");
      return;
    }
    Fail("expected '(', '=', '+=' or '{' after " + name + Found());
  }

  void FailAtNoExpression() {
    const size_t close = Is("'") ? text_.find_first_of("'\n", end_) : std::string_view::npos;
    if (close != std::string_view::npos && text_[close] == '\'') {
      const SourceSpan text{&file_, begin_, static_cast<uint32_t>(close + 1)};
      const std::string ours = "\"" + std::string(text_.substr(end_, close - end_)) + "\"";
      FailAt(text, "a text stands in double quotes: " + ours).Fix(text, ours);
      return;
    }
    Fail("expected an expression" + Found());
  }

  // --- expressions ---
  std::unique_ptr<Expression> Make(Expression::Kind kind, uint32_t begin, std::string text = "") {
    auto expression = std::make_unique<Expression>();
    expression->kind = kind;
    expression->span = {&file_, begin, std::max(begin, previous_end_)};
    expression->text = std::move(text);
    return expression;
  }

  bool BeginsExpression() const {
    return token_ != Token::kSymbol || Is("[") || Is("{") || Is("(") || Is("@");
  }

  using Level = std::unique_ptr<Expression> (Parser::*)();
  // A chain of any length is one node.
  std::unique_ptr<Expression> ParseBinary(std::string_view word, Expression::Kind kind,
                                          Level next) {
    const uint32_t begin = begin_;
    std::unique_ptr<Expression> first = (this->*next)();
    if (failed_ || !Is(word)) return first;
    std::vector<std::unique_ptr<Expression>> operands;
    operands.push_back(std::move(first));
    while (!failed_ && Take(word)) operands.push_back((this->*next)());
    std::unique_ptr<Expression> whole = Make(kind, begin);
    whole->operands = std::move(operands);
    return whole;
  }

  std::unique_ptr<Expression> ParseExpression() {
    const Nested nested(*this);
    return ParseBinary("or", Expression::Kind::kOr, &Parser::ParseConjunction);
  }
  std::unique_ptr<Expression> ParseConjunction() {
    return ParseBinary("and", Expression::Kind::kAnd, &Parser::ParseNegation);
  }
  std::unique_ptr<Expression> ParseNegation() {
    const Nested nested(*this);
    const uint32_t begin = begin_;
    if (failed_ || !Take("not")) return ParseMembership();
    std::unique_ptr<Expression> operand = ParseNegation();
    std::unique_ptr<Expression> whole = Make(Expression::Kind::kNot, begin);
    whole->operands.push_back(std::move(operand));
    return whole;
  }
  std::unique_ptr<Expression> ParseMembership() {
    return ParseBinary("contains", Expression::Kind::kContains, &Parser::ParseConcatenation);
  }
  std::unique_ptr<Expression> ParseConcatenation() {
    return ParseBinary("&", Expression::Kind::kConcatenate, &Parser::ParsePrimary);
  }

  std::unique_ptr<Expression> ParseCall(uint32_t begin, const std::string& name) {
    std::vector<std::unique_ptr<Expression>> arguments;
    Expect("(");
    while (!failed_ && !Is(")")) {
      arguments.push_back(ParseExpression());
      if (!Take(",")) break;
    }
    Expect(")");
    std::unique_ptr<Expression> call = Make(Expression::Kind::kCall, begin, name);
    call->operands = std::move(arguments);
    return call;
  }

  std::unique_ptr<Expression> ParsePrimary() {
    const uint32_t begin = begin_;
    std::unique_ptr<Expression> primary;
    Take("@");
    if (token_ == Token::kText) {
      std::string text = value_;
      Next();
      primary = Make(Expression::Kind::kText, begin, std::move(text));
    } else if (token_ == Token::kEnvironment) {
      std::string name(Current().substr(1));
      Next();
      primary = Make(Expression::Kind::kEnvironment, begin, std::move(name));
    } else if (token_ == Token::kName && !IsKeyword()) {
      std::string name(Current());
      Next();
      if (Is("(")) {
        primary = ParseCall(begin, name);
      } else if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
        primary = Make(Expression::Kind::kText, begin, std::move(name));
      } else {
        primary = Make(Expression::Kind::kName, begin, std::move(name));
      }
    } else if (Take("(")) {
      primary = ParseExpression();
      Expect(")");
    } else if (Take("[")) {
      std::vector<std::unique_ptr<Expression>> elements;
      while (!failed_ && !Is("]")) {
        elements.push_back(ParseExpression());
        if (!Take(",")) break;
      }
      Expect("]");
      primary = Make(Expression::Kind::kArray, begin);
      primary->operands = std::move(elements);
    } else if (Take("{")) {
      primary = ParseTable(begin);
    } else {
      FailAtNoExpression();
    }
    if (!failed_ && (Is("{") || Is("["))) {
      std::vector<std::unique_ptr<Expression>> operands;
      operands.push_back(std::move(primary));
      while (!failed_ && (Is("{") || Is("["))) {
        const std::string_view close = Is("{") ? "}" : "]";
        Next();
        operands.push_back(ParseExpression());
        Expect(close);
      }
      primary = Make(Expression::Kind::kIndex, begin);
      primary->operands = std::move(operands);
    }
    return primary != nullptr ? std::move(primary) : Make(Expression::Kind::kText, begin);
  }

  std::unique_ptr<Expression> ParseTable(uint32_t begin) {
    std::vector<std::unique_ptr<Expression>> entries;
    while (!failed_ && !Is("}")) {
      entries.push_back(ParseExpression());
      if (Take(":")) {
        entries.push_back(ParseExpression());
      } else {
        entries.push_back(Make(Expression::Kind::kText, begin_));  // a set: keys without values
      }
      if (!Take(",")) break;
    }
    Expect("}");
    std::unique_ptr<Expression> table = Make(Expression::Kind::kTable, begin);
    table->operands = std::move(entries);
    return table;
  }

  const SourceFile& file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  Token token_ = Token::kEnd;
  uint32_t begin_ = 0, end_ = 0, previous_end_ = 0;
  std::string value_;  // of a kText
  bool failed_ = false;
  int depth_ = 0;
};

}  // namespace

Statements Parse(const SourceFile& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).ParseFile();
}

}  // namespace tenure::compiler::quake
