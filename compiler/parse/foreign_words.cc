// Words of other languages that begin statements, types and sections, each with what Modula-3 has
// instead; and small forms inside expressions and headings.
#include <algorithm>

#include "compiler/parse/foreign_spelling.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {
namespace {

// A word, and the text behind "'WORD' is not Modula-3: ".
struct Word {
  std::string_view word, ours;
};

std::string_view Find(std::string_view word, const Word* begin, const Word* end) {
  const Word* found = std::find_if(begin, end, [&](const Word& w) { return w.word == word; });
  return found == end ? std::string_view() : found->ours;
}

// Followed by another word, a number or a text on the same line.
constexpr Word kStatementWords[] = {
    {"DEFER", "what is done at the end stands behind FINALLY: TRY ... FINALLY ... END"},
    {"GO",
     "a thread begins by Thread.Fork(NEW(Closure)), where Closure is a subtype of "
     "Thread.Closure with a method apply"},
    {"SPAWN",
     "a thread begins by Thread.Fork(NEW(Closure)), where Closure is a subtype of "
     "Thread.Closure with a method apply"},
    {"ASYNC", "a thread begins by Thread.Fork(closure), and Thread.Join waits for its result"},
    {"AWAIT", "Thread.Join(t) waits for the result of a thread"},
    {"YIELD",
     "there are no generators: make an object with a method next() that returns FALSE "
     "at the end"},
    {"INHERITED", "a supertype's method is called by the supertype: Animal.speak(self)"},
    {"DELETE", "there is no such statement: the collector frees what nothing refers to"},
    {"DEL", "there is no such statement: the collector frees what nothing refers to"},
    {"FREE", "there is no such statement: the collector frees what nothing refers to"},
    {"GLOBAL", "a procedure sees the variables of its module without a declaration"},
    {"NONLOCAL", "a nested procedure sees the variables around it without a declaration"},
    {"CALL", "a call is the procedure's name and its values: P(x)"},
    {"PERFORM", "a call is the procedure's name and its values: P(x)"},
    {"ASSERT", "an assertion is a pragma: <*ASSERT condition*>"},
    {"PRINT", "IO.Put(t) writes a text, IO.PutInt(n) a number, IO.Put(\"\\n\") ends the line"},
    {"ECHO", "IO.Put(t) writes a text, IO.PutInt(n) a number, IO.Put(\"\\n\") ends the line"},
    {"PUTS", "IO.Put(t & \"\\n\") writes a line"},
    {"USING", "what is closed at the end stands behind FINALLY: TRY ... FINALLY ... END"},
    {"ON", "handlers follow EXCEPT: TRY ... EXCEPT E => ... END"},
};

// In the place of a type, followed by more of it.
constexpr Word kTypeWords[] = {
    {"PACKED", "only BITS n FOR T packs: leave the word out"},
    {"FILE",
     "files are read through Rd.T (FileRd.Open) and written through Wr.T (FileWr.Open); "
     "objects live on in a Database"},
    {"UNION",
     "one of several types is an object type with a subtype for each, told apart by "
     "TYPECASE"},
    {"VARIANT",
     "one of several types is an object type with a subtype for each, told apart by "
     "TYPECASE"},
    {"FN", "a procedure type is PROCEDURE (x: INTEGER): INTEGER"},
    {"FUNC", "a procedure type is PROCEDURE (x: INTEGER): INTEGER"},
    {"FUNCTION", "a procedure type is PROCEDURE (x: INTEGER): INTEGER"},
    {"CONSTANT", "a constant is declared in its own section: CONST n = 3"},
    {"CHAN", "threads share a variable under LOCK, and wait by Thread.Wait(mutex, condition)"},
};

// Generic types, with their parameters in brackets behind.
constexpr Word kGenericWords[] = {
    {"OPTION", "an absent value is NIL of a reference: REF T"},
    {"OPTIONAL", "an absent value is NIL of a reference: REF T"},
    {"MAYBE", "an absent value is NIL of a reference: REF T"},
    {"BOX", "a reference is REF T; the collector frees what it refers to"},
    {"RC", "a reference is REF T; the collector frees what it refers to"},
    {"ARC", "a reference is REF T; the collector frees what it refers to"},
    {"VEC", "a list that grows is an instance of Sequence, such as IntSeq.T or TextSeq.T"},
    {"LIST", "a list is an instance of List or Sequence, such as TextList.T or IntSeq.T"},
    {"ARRAYLIST", "a list that grows is an instance of Sequence, such as IntSeq.T or TextSeq.T"},
    {"VECTOR", "a list that grows is an instance of Sequence, such as IntSeq.T or TextSeq.T"},
    {"MAP", "a table is an instance of Table, such as TextIntTbl.T or TextRefTbl.T"},
    {"HASHMAP", "a table is an instance of Table, such as TextIntTbl.T or TextRefTbl.T"},
    {"DICT", "a table is an instance of Table, such as TextIntTbl.T or TextRefTbl.T"},
    {"DICTIONARY", "a table is an instance of Table, such as TextIntTbl.T or TextRefTbl.T"},
    {"TUPLE", "values of several types together are a RECORD: RECORD a: INTEGER; b: TEXT END"},
};

constexpr std::string_view kGenericAdvice =
    "a generic type is an instance of a generic unit: INTERFACE IntSeq = Sequence(Integer) END "
    "IntSeq. in IntSeq.i3, and then IntSeq.T";

// Before a declaration.
constexpr Word kSectionWords[] = {
    {"LABEL", "there are no labels or jumps: EXIT leaves a loop, RETURN a procedure"},
    {"EXPORT",
     "what others use is declared in an INTERFACE, and the module exports it: MODULE M "
     "EXPORTS I"},
    {"FORWARD", "no procedure is announced: those of a unit see each other in any order"},
    {"TYPEDEF", "a type is declared by TYPE T = ..."},
    {"ENUM", "an enumeration is TYPE Color = {Red, Green, Blue}"},
    {"UNION",
     "one of several types is an object type with a subtype for each, told apart by "
     "TYPECASE"},
    {"SUBTYPE",
     "a subrange is TYPE Digit = [0..9]; an object type extends another: TYPE B = A "
     "OBJECT ... END"},
    {"IMPL",
     "methods stand in the object type: TYPE T = OBJECT METHODS m() := P END, with "
     "PROCEDURE P(self: T)"},
    {"TRAIT",
     "methods for several types are those of a supertype: TYPE Shape = OBJECT METHODS "
     "area(): REAL END"},
    {"NAMESPACE", "names are grouped by interfaces and modules, one in a file"},
    {"PACKAGE", "names are grouped by interfaces and modules, one in a file"},
    {"TEMPLATE",
     "generic units are GENERIC INTERFACE G(Elem) in G.ig and GENERIC MODULE G(Elem) "
     "in G.mg"},
    {"EXTERN",
     "a procedure of C is declared <*EXTERNAL*> PROCEDURE f(x: INTEGER): INTEGER, in an "
     "UNSAFE interface"},
};

template <size_t N>
std::string_view In(const Word (&words)[N], std::string_view word) {
  return Find(word, words, words + N);
}

}  // namespace

// --- words ---

void Parser::SkipToEnd(bool case_opens) {
  int depth = 1;
  for (; !At(TokenKind::kEndOfFile); Advance()) {
    switch (kind()) {
      case TokenKind::kCase: depth += case_opens ? 1 : 0; break;
      case TokenKind::kBegin:
      case TokenKind::kIf:
      case TokenKind::kFor:
      case TokenKind::kWhile:
      case TokenKind::kLoop:
      case TokenKind::kTry:
      case TokenKind::kLock:
      case TokenKind::kTypecase:
      case TokenKind::kRecord:
      case TokenKind::kObject: ++depth; break;
      case TokenKind::kEnd:
        if (AtOuterEnd()) {
          last_error_ = position_;
          return;
        }
        if (--depth == 0) {
          Advance();
          last_error_ = position_;
          return;
        }
        break;
      default: break;
    }
  }
}

ast::Stmt* Parser::ParseStatementWord() {
  const TokenKind next = PeekKind(1);
  const bool same_line =
      file_.PhysicalLine(token().begin) ==
      file_.PhysicalLine(tokens_[std::min(position_ + 1, tokens_.size() - 1)].begin);
  const bool has_operand = next == TokenKind::kIdentifier || next == TokenKind::kNumber ||
                           next == TokenKind::kTextLiteral || next == TokenKind::kNot;
  if (!same_line || !has_operand) return nullptr;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const std::string_view ours = In(kStatementWords, upper);
  // `print "x"` and its like are calls without parentheses.
  if (ours.empty() || (next == TokenKind::kTextLiteral && upper != "ASSERT")) return nullptr;
  const uint32_t begin = token().begin;
  const SourceSpan span = TokenSpan();
  if (upper == "ASSERT") {
    DiagnosticBuilder error =
        RepairForeign(ForeignForm::kStatementWord, span, {word, std::string(ours)});
    Advance();
    ast::AssertStmt* stmt = New<ast::AssertStmt>();
    stmt->condition = ParseExpr();
    if (At(TokenKind::kComma)) {
      Advance();
      stmt->message = ParseExpr();
    }
    error.Fix(span, "<*ASSERT").Fix(AfterPrevious(), "*>");
    if (At(TokenKind::kSemicolon)) {
      error.Fix(TokenSpan(), "");
      Advance();
    }
    return Finish(stmt, begin);
  }
  ReportForeign(ForeignForm::kStatementWord, span, {word, std::string(ours)});
  return SkipForeignStatement();
}

ast::TypeExpr* Parser::ParseTypeWord() {
  const uint32_t begin = token().begin;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const TokenKind next = PeekKind(1);
  const SourceSpan span = TokenSpan();
  const auto error_type = [&] {
    last_error_ = position_;
    return Finish(New<ast::ErrorType>(), begin);
  };
  if ((upper == "UNSIGNED" || upper == "SIGNED" || upper == "LONG" || upper == "SHORT") &&
      next == TokenKind::kIdentifier) {
    // `unsigned int`
    const std::string second = Upper(tokens_[position_ + 1].name.view());
    if (second == "INT" || second == "LONG" || second == "SHORT" || second == "CHAR" ||
        second == "INTEGER" || second == "DOUBLE") {
      const std::string ours = upper == "UNSIGNED"  ? (second == "CHAR" ? "[0..255]" : "CARDINAL")
                               : second == "DOUBLE" ? "LONGREAL"
                                                    : "INTEGER";
      const SourceSpan both = file_.Span(begin, tokens_[position_ + 1].end);
      RepairForeign(ForeignForm::kTypeWord, both, {std::string(both.text()), "write " + ours})
          .Fix(both, ours);
      Advance();
      Advance();
      return error_type();
    }
  }
  if (upper == "NEW" && (next == TokenKind::kIdentifier || StartsType(next))) {
    // `TYPE Meters IS NEW INTEGER`
    const SourceSpan with_space = file_.Span(begin, tokens_[position_ + 1].begin);
    RepairForeign(ForeignForm::kTypeWord, span,
                  {word,
                   "a type has no copies: TYPE T = INTEGER is another name for INTEGER; a "
                   "RECORD of one field, or a BRANDED reference, is a type of its own"})
        .Fix(with_space, "");
    Advance();
    return ParseType();
  }
  if (upper == "PACKED" &&
      (next == TokenKind::kArray || next == TokenKind::kRecord || next == TokenKind::kSet)) {
    RepairForeign(ForeignForm::kTypeWord, span, {word, std::string(In(kTypeWords, upper))})
        .Fix(file_.Span(begin, tokens_[position_ + 1].begin), "");
    Advance();
    return ParseType();
  }
  if (upper == "RANGE" && (next == TokenKind::kNumber || next == TokenKind::kMinus)) {
    // `RANGE 1 .. 9`
    Advance();
    const uint32_t low = token().begin;
    ast::SubrangeType* type = New<ast::SubrangeType>();
    type->low = ParseExpr();
    type->high = Expect(TokenKind::kDotDot, "2.4") ? ParseExpr() : MakeErrorExpr();
    const std::string ours = "[" + std::string(SpanFrom(low).text()) + "]";
    has_repairs_ = true;
    ShowForeign(ForeignForm::kTypeWord, span, {word, "a subrange is " + ours})
        .Fix(SpanFrom(begin), ours);
    return Finish(type, begin);
  }
  const bool more = next == TokenKind::kOf || next == TokenKind::kIdentifier ||
                    next == TokenKind::kLeftParen || next == TokenKind::kRecord ||
                    next == TokenKind::kObject;
  const std::string_view type_word = In(kTypeWords, upper);
  if (!type_word.empty() && more) {
    ReportForeign(ForeignForm::kTypeWord, span, {word, std::string(type_word)});
    Advance();
    if (next == TokenKind::kOf) {
      Advance();
      ParseType();
    } else if (upper == "UNION" || upper == "VARIANT") {
      SkipToEnd(/*case_opens=*/true);
    } else {
      SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
      while (!At(TokenKind::kSemicolon) && !AtDeclarationStart() && !At(TokenKind::kEnd) &&
             !At(TokenKind::kRightParen) && !At(TokenKind::kEqual) && !At(TokenKind::kAssign) &&
             !At(TokenKind::kEndOfFile)) {
        Advance();
      }
    }
    return error_type();
  }
  const std::string_view generic_word = In(kGenericWords, upper);
  if (next == TokenKind::kLess || (next == TokenKind::kLeftBracket && !generic_word.empty())) {
    // `Vec<T>`, `map[K]V`, `list[T]`.
    const bool is_angle = next == TokenKind::kLess;
    Advance();
    if (is_angle) {
      int depth = 0;
      do {
        if (At(TokenKind::kLess)) ++depth;
        if (At(TokenKind::kGreater)) --depth;
        Advance();
      } while (depth > 0 && !At(TokenKind::kSemicolon) && !At(TokenKind::kEndOfFile) &&
               !AtDeclarationStart());
    } else {
      SkipBalanced(TokenKind::kLeftBracket, TokenKind::kRightBracket);
      if (AtIdent() || StartsType(kind())) ParseType();
    }
    const SourceSpan whole = SpanFrom(begin);
    ReportForeign(ForeignForm::kTypeWord, whole,
                  {std::string(whole.text()),
                   generic_word.empty() ? std::string(kGenericAdvice) : std::string(generic_word)});
    return error_type();
  }
  return nullptr;
}

ast::TypeExpr* Parser::ParseForeignObject() {
  const uint32_t begin = token().begin;
  if (At(TokenKind::kInterface) && Helps()) {
    ReportForeign(ForeignForm::kTypeWord, TokenSpan(),
                  {"INTERFACE",
                   "an interface is a unit; methods for several types are those of a supertype: "
                   "OBJECT METHODS area(): REAL END"});
    Advance();
    SkipToEnd(/*case_opens=*/true);
    return Finish(New<ast::ErrorType>(), begin);
  }
  if (!At(TokenKind::kObject) && !AtWord("CLASS")) return nullptr;
  size_t name = 0;
  if (IsWord(1, "EXTENDS") && PeekKind(2) == TokenKind::kIdentifier) name = 2;
  if (PeekKind(1) == TokenKind::kLeftParen && PeekKind(2) == TokenKind::kIdentifier &&
      PeekKind(3) == TokenKind::kRightParen) {
    name = 2;
  }
  if (name == 0 || !Helps(name)) return nullptr;
  const size_t last = position_ + name + (PeekKind(1) == TokenKind::kLeftParen ? 1 : 0);
  const SourceSpan heading = file_.Span(begin, tokens_[last].end);
  const Token supertype = tokens_[position_ + name];
  const std::string ours = supertype.name.str() + " OBJECT";
  RepairForeign(ForeignForm::kSupertype, heading, {std::string(heading.text()), ours})
      .Fix(heading, ours);
  // Puts the tokens into Modula-3's order; ParseObjectSuffixes takes OBJECT.
  Rewrite(position_) = supertype;
  tokens_[position_ + 1].kind = TokenKind::kObject;
  tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(position_) + 2,
                tokens_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  return ParseNamedType();
}

bool Parser::SkipSectionWord() {
  const std::string word(token().name.view());
  const std::string_view ours = In(kSectionWords, Upper(word));
  const TokenKind next = PeekKind(1);
  const bool more = next == TokenKind::kIdentifier || next == TokenKind::kNumber ||
                    next == TokenKind::kSemicolon || IsKeyword(next);
  if (ours.empty() || !more) return false;
  ReportForeign(ForeignForm::kSectionWord, TokenSpan(), {word, std::string(ours)});
  Advance();
  // `IMPL T ... END T;`
  for (size_t i = position_ + 1; i + 2 < tokens_.size() && AtIdent(); ++i) {
    if (tokens_[i].kind != TokenKind::kEnd || tokens_[i + 1].name != token().name ||
        tokens_[i + 1].kind != TokenKind::kIdentifier ||
        tokens_[i + 2].kind != TokenKind::kSemicolon) {
      continue;
    }
    unit_has_errors_ = true;
    while (position_ < i + 3) Advance();
    last_error_ = position_;
    return true;
  }
  while (!At(TokenKind::kSemicolon) && !AtDeclarationStart() && !At(TokenKind::kEnd) &&
         !At(TokenKind::kBegin) && !At(TokenKind::kEndOfFile)) {
    if (At(TokenKind::kLeftBrace)) {
      SkipBalanced(TokenKind::kLeftBrace, TokenKind::kRightBrace);
    } else {
      Advance();
    }
  }
  Accept(TokenKind::kSemicolon);
  last_error_ = position_;
  return true;
}

void Parser::SkipFieldWord(ast::FieldGroup& field) {
  if (!AtIdent() || !Helps(1) || PeekKind(1) != TokenKind::kIdentifier ||
      (PeekKind(2) != TokenKind::kColon && PeekKind(2) != TokenKind::kComma)) {
    return;
  }
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const SourceSpan with_space = file_.Span(token().begin, tokens_[position_ + 1].begin);
  if (upper == "TRANSIENT") {
    RepairForeign(ForeignForm::kTypeWord, TokenSpan(),
                  {word, "a field that is not stored is marked by a pragma: <*TRANSIENT*>"})
        .Fix(TokenSpan(), "<*TRANSIENT*>");
    field.is_transient = true;
  } else if (upper == "PRIVATE" || upper == "PUBLIC" || upper == "PROTECTED") {
    RepairForeign(ForeignForm::kTypeWord, TokenSpan(),
                  {word,
                   "who sees a type sees its fields; what only a module knows is the rest of "
                   "an opaque type: TYPE T <: Public"})
        .Fix(with_space, "");
  } else if (upper == "STATIC" || upper == "CLASS") {
    RepairForeign(ForeignForm::kTypeWord, TokenSpan(),
                  {word, "what all objects share is a variable of the module"})
        .Fix(with_space, "");
  } else if (upper == "FINAL" || upper == "IMMUTABLE" || upper == "MUT" || upper == "MUTABLE") {
    RepairForeign(ForeignForm::kTypeWord, TokenSpan(), {word, "each field can be assigned to"})
        .Fix(with_space, "");
  } else {
    return;
  }
  Advance();
}

void Parser::SkipGenericActuals(uint32_t begin) {
  if (!At(TokenKind::kLeftParen) || !Helps() || previous_end_ == begin ||
      file_.PhysicalLine(previous_end_) != file_.PhysicalLine(token().begin)) {
    return;
  }
  SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
  const SourceSpan whole = SpanFrom(begin);
  unit_has_errors_ = true;
  ShowForeign(ForeignForm::kTypeWord, whole,
              {std::string(whole.text()), std::string(kGenericAdvice)});
  last_error_ = position_;
}

// --- expressions ---

bool Parser::FixNotIn(uint32_t begin) {
  const bool is_not = At(TokenKind::kNot) || AtWord("NOT");
  if (!is_not || !Helps() || (PeekKind(1) != TokenKind::kIn && !IsWord(1, "IN"))) return false;
  const SourceSpan both = file_.Span(token().begin, tokens_[position_ + 1].end);
  const std::string operand(SpanFrom(begin).text());
  RepairForeign(ForeignForm::kNotIn, both, {"NOT " + operand + " IN ..."})
      .Fix(file_.Span(begin, begin), "NOT ")
      .Fix(both, "IN");
  Advance();
  Rewrite(position_).kind = TokenKind::kIn;
  return true;
}

bool Parser::FixNilTest() {
  const size_t word = position_ + (PeekKind(1) == TokenKind::kNot || IsWord(1, "NOT") ? 2 : 1);
  if (word >= tokens_.size() || tokens_[word].kind != TokenKind::kIdentifier) return false;
  const std::string upper = Upper(tokens_[word].name.view());
  if (upper != "NIL" && upper != "NONE" && upper != "NULL" && upper != "NOTHING") return false;
  const SourceSpan whole = file_.Span(token().begin, tokens_[word].end);
  const std::string ours = word == position_ + 2 ? "# NIL" : "= NIL";
  RepairForeign(ForeignForm::kNilTest, whole, {std::string(whole.text()), ours}).Fix(whole, ours);
  while (position_ <= word) Advance();
  return true;
}

bool Parser::FixInRange(const ast::Expr* left, ast::Expr* right, uint32_t begin) {
  if (!Helps()) return false;
  const auto* in_brackets = ast::DynAs<ast::TypeAsExpr>(static_cast<const ast::Expr*>(right));
  const auto* subrange =
      in_brackets == nullptr
          ? nullptr
          : ast::DynAs<ast::SubrangeType>(static_cast<const ast::TypeExpr*>(in_brackets->type));
  std::string low, high;
  if (subrange != nullptr) {
    low = subrange->low->span.text();
    high = subrange->high->span.text();
  } else if (At(TokenKind::kDotDot)) {
    low = right->span.text();
    Advance();
    high = ParseSign()->span.text();
  } else {
    return false;
  }
  const std::string value(left->span.text());
  const std::string ours = "(" + low + " <= " + value + ") AND (" + value + " <= " + high + ")";
  const SourceSpan whole = SpanFrom(begin);
  has_repairs_ = true;
  DiagnosticBuilder error = ShowForeign(ForeignForm::kInRange, whole, {low + ".." + high, ours});
  // A call would be evaluated twice.
  if (left->kind == ast::ExprKind::kName || left->kind == ast::ExprKind::kSelect) {
    error.Fix(whole, ours);
  }
  return true;
}

ast::Expr* Parser::ParseSlice(const ast::Expr* operand, const ast::Expr* low, uint32_t begin) {
  const bool is_inclusive = At(TokenKind::kDotDot);
  Advance();
  const ast::Expr* high = At(TokenKind::kRightBracket) ? nullptr : ParseExpr();
  Accept(TokenKind::kRightBracket);
  const std::string first = low == nullptr ? "0" : std::string(low->span.text());
  const auto* low_number = low == nullptr ? nullptr : ast::DynAs<ast::NumberExpr>(low);
  const auto* high_number = high == nullptr ? nullptr : ast::DynAs<ast::NumberExpr>(high);
  std::string count;
  if (high == nullptr) {
    count =
        "NUMBER(" + std::string(operand->span.text()) + ")" + (first == "0" ? "" : " - " + first);
  } else if (high_number != nullptr && (low_number != nullptr || low == nullptr)) {
    const uint64_t from = low_number == nullptr ? 0 : low_number->value;
    const uint64_t to = high_number->value + (is_inclusive ? 1 : 0);
    count = std::to_string(to < from ? 0 : to - from);
  } else {
    count = std::string(high->span.text()) + (first == "0" ? "" : " - " + first) +
            (is_inclusive ? " + 1" : "");
  }
  const SourceSpan whole = SpanFrom(begin);
  unit_has_errors_ = true;
  ShowForeign(ForeignForm::kSlice, whole,
              {std::string(whole.text()), "SUBARRAY(" + std::string(operand->span.text()) + ", " +
                                              first + ", " + count + ")"});
  last_error_ = position_;
  return Finish(New<ast::ErrorExpr>(), begin);
}

ast::Expr* Parser::ParsePrefixedText() {
  const std::string_view prefix = token().name.view();
  if (prefix.size() > 2 || !Helps(1) || PeekKind(1) != TokenKind::kTextLiteral ||
      tokens_[position_ + 1].begin != token().end) {
    return nullptr;
  }
  const uint32_t begin = token().begin;
  const SourceSpan mark = TokenSpan();
  const bool has_places =
      file_.Span(tokens_[position_ + 1].begin, tokens_[position_ + 1].end).text().find('{') !=
      std::string_view::npos;
  DiagnosticBuilder error = RepairForeign(ForeignForm::kTextPrefix, mark, {std::string(prefix)});
  if (!has_places) error.Fix(mark, "");
  if (has_places) unit_has_errors_ = true;
  Advance();
  ast::Expr* text = ParsePrimary();
  return has_places ? Finish(MakeErrorExpr(), begin) : text;
}

// --- CASE ---

bool Parser::AtWhenArm() const {
  if (followers_.bar == 0 || !Helps(1) || !AtWord("WHEN")) return false;
  switch (PeekKind(1)) {
    case TokenKind::kNumber:
    case TokenKind::kCharLiteral:
    case TokenKind::kIdentifier:
    case TokenKind::kMinus: return true;
    default: return false;
  }
}

bool Parser::FixWhenArm() {
  if (!AtWhenArm()) return false;
  const SourceSpan word = TokenSpan();
  if (IsWord(1, "OTHERS") && PeekKind(2) == TokenKind::kArrow) {
    const SourceSpan heading = file_.Span(word.begin, tokens_[position_ + 2].end);
    RepairForeign(ForeignForm::kDefault, heading, {std::string(heading.text())})
        .Fix(heading, "ELSE");
    Advance();
    Advance();
    Rewrite(position_).kind = TokenKind::kElse;
    return true;
  }
  RepairForeign(ForeignForm::kCaseWord, word, {std::string(word.text())}).Fix(word, "|");
  Advance();
  return true;
}

// --- headings ---

bool Parser::SkipReceiver() {
  const size_t name = position_ + (PeekKind(1) == TokenKind::kVar ? 2 : 1);
  if (!At(TokenKind::kLeftParen) || !Helps() || name + 1 >= tokens_.size() ||
      tokens_[name].kind != TokenKind::kIdentifier || tokens_[name + 1].kind != TokenKind::kColon) {
    return false;
  }
  const size_t behind = BehindBrackets(position_);
  if (tokens_[behind].kind != TokenKind::kIdentifier) return false;
  while (position_ < behind) Advance();
  return true;
}

void Parser::ReportReceiver(size_t receiver, const ast::Ident& name) {
  const size_t behind = BehindBrackets(receiver);
  const SourceSpan whole = file_.Span(tokens_[receiver].begin, tokens_[behind - 1].end);
  const std::string formal(file_.Span(tokens_[receiver].end, tokens_[behind - 1].begin).text());
  // The body uses the formal.
  unit_has_errors_ = true;
  DiagnosticBuilder error =
      ShowForeign(ForeignForm::kReceiver, whole, {formal, name.name ? name.name.str() : "P"});
  if (At(TokenKind::kLeftParen)) {
    error.Fix(file_.Span(whole.begin, name.span.begin), "")
        .Fix(file_.Span(token().end, token().end),
             formal + (PeekKind(1) == TokenKind::kRightParen ? "" : "; "));
  }
}

void Parser::SkipExportMark() {
  if ((!At(TokenKind::kStar) && !At(TokenKind::kMinus)) || !Helps() ||
      token().begin != previous_end_) {
    return;
  }
  switch (PeekKind(1)) {
    case TokenKind::kEqual:
    case TokenKind::kColon:
    case TokenKind::kComma:
    case TokenKind::kLeftParen:
    case TokenKind::kSubtype:
    case TokenKind::kSemicolon: break;
    default: return;
  }
  if (!export_marks_reported_) {
    export_marks_ =
        RepairForeign(ForeignForm::kExportMark, TokenSpan(), {std::string(TokenSpan().text())});
  }
  export_marks_reported_ = true;
  export_marks_.Fix(TokenSpan(), "");
  Advance();
}

void Parser::FixModeBehindColon(ast::FormalGroup& formal) {
  if (!At(TokenKind::kColon) || !Helps(2)) return;
  const auto is_mode = [this](size_t ahead) {
    const TokenKind k = PeekKind(ahead);
    return k == TokenKind::kIn || k == TokenKind::kVar || k == TokenKind::kReadonly ||
           ((IsWord(ahead, "OUT") || IsWord(ahead, "INOUT")) &&
            (PeekKind(ahead + 1) == TokenKind::kIdentifier || StartsType(PeekKind(ahead + 1))));
  };
  size_t words = 0;
  bool changes = false;
  while (is_mode(words + 1)) {
    changes = changes || PeekKind(words + 1) == TokenKind::kVar ||
              PeekKind(words + 1) == TokenKind::kIdentifier;
    ++words;
  }
  if (words == 0) return;
  const Token &first = tokens_[position_ + 1], &last = tokens_[position_ + words];
  const SourceSpan mode = file_.Span(first.begin, last.end);
  const uint32_t begin = formal.names.front().span.begin;
  const std::string_view ours = changes ? "VAR " : "";
  DiagnosticBuilder error =
      RepairForeign(ForeignForm::kFormalMode, mode, {std::string(mode.text())});
  if (!ours.empty()) error.Fix(file_.Span(begin, begin), ours);
  error.Fix(file_.Span(first.begin, tokens_[position_ + words + 1].begin), "");
  if (changes) formal.mode = ast::Mode::kVar;
  tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(position_) + 1,
                tokens_.begin() + static_cast<std::ptrdiff_t>(position_ + words) + 1);
}

ast::TypeExpr* Parser::ParseResultType() {
  if (!At(TokenKind::kLeftParen)) return ParseType();
  const uint32_t begin = token().begin;
  const size_t behind = BehindBrackets(position_);
  const bool has_comma = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(position_),
                                     tokens_.begin() + static_cast<std::ptrdiff_t>(behind),
                                     [](const Token& t) { return t.kind == TokenKind::kComma; });
  if (!has_comma || !HelpsUpTo(behind)) return ParseType();
  while (position_ < behind) Advance();
  const SourceSpan whole = SpanFrom(begin);
  unit_has_errors_ = true;
  ShowForeign(ForeignForm::kSeveralResults, whole, {std::string(whole.text())});
  last_error_ = position_;
  return Finish(New<ast::ErrorType>(), begin);
}

// --- sections, names, constructors ---

bool Parser::AtSectionWord() const {
  return AtIdent() && Helps(1) && PeekKind(1) == TokenKind::kIdentifier &&
         !In(kSectionWords, Upper(token().name.view())).empty();
}

bool Parser::AtEndOfLine() const {
  const size_t next = std::min(position_ + 1, tokens_.size() - 1);
  return file_.PhysicalLine(token().begin) != file_.PhysicalLine(tokens_[next].begin);
}

bool Parser::FixLengthBehindName(ast::TypeExpr*& type, SourceSpan name) {
  if (!At(TokenKind::kLeftBracket) || !Helps()) return false;
  const size_t behind = BehindBrackets(position_);
  if (behind >= tokens_.size()) return false;
  const SourceSpan brackets = file_.Span(token().begin, tokens_[behind - 1].end);
  const std::string inner(file_.Span(token().end, tokens_[behind - 1].begin).text());
  const bool has_colon = tokens_[behind].kind == TokenKind::kColon;
  const bool is_range = inner.find("..") != std::string::npos;
  std::string index = is_range ? inner : "0.." + inner + " - 1";
  if (!is_range && PeekKind(1) == TokenKind::kNumber && PeekKind(2) == TokenKind::kRightBracket &&
      tokens_[position_ + 1].value > 0) {
    index = "0.." + std::to_string(tokens_[position_ + 1].value - 1);
  }
  while (position_ < behind) Advance();
  const uint32_t type_begin =
      has_colon ? tokens_[std::min(behind + 1, tokens_.size() - 1)].begin : token().begin;
  has_repairs_ = true;
  const bool may_report = MayRepair();
  if (has_colon) Advance();
  if (AtIdent() || StartsType(kind())) {
    ParseType();
  } else if (MayReport()) {
    ReportExpected("a type", "2.4");
  }
  type = New<ast::ErrorType>();
  type->span = brackets;
  const std::string ours = ": ARRAY [" + index + "] OF ";
  if (may_report) {
    ShowForeign(ForeignForm::kNameSuffix, file_.Span(name.begin, brackets.end),
                {std::string(file_.Span(name.begin, brackets.end).text()),
                 std::string(name.text()) + ours + "T"})
        .Fix(file_.Span(brackets.begin, type_begin), ours);
  }
  return true;
}

bool Parser::FixIndexList(ast::ArrayType& type) {
  const size_t behind = BehindBrackets(position_);
  if (behind >= tokens_.size() || tokens_[behind].kind != TokenKind::kOf || !HelpsUpTo(behind)) {
    return false;
  }
  std::vector<SourceSpan> commas;
  int depth = 0;
  for (size_t i = position_; i < behind; ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kLeftBracket:
      case TokenKind::kLeftParen: ++depth; break;
      case TokenKind::kRightBracket:
      case TokenKind::kRightParen: --depth; break;
      case TokenKind::kComma:
        if (depth == 1) commas.push_back(file_.Span(tokens_[i].begin, tokens_[i].end));
        break;
      default: break;
    }
  }
  if (commas.empty()) return false;
  const SourceSpan whole = file_.Span(token().begin, tokens_[behind - 1].end);
  std::string ours;
  uint32_t from = whole.begin;
  for (const SourceSpan& comma : commas) {
    ours += std::string(file_.Span(from, comma.begin).text()) + "], [";
    from = comma.end;
    while (from < whole.end && file_.text()[from] == ' ') ++from;
  }
  ours += file_.Span(from, whole.end).text();
  RepairForeign(ForeignForm::kIndexList, whole, {std::string(whole.text()), ours}).Fix(whole, ours);
  // The subscripts are two as well.
  unit_has_errors_ = true;
  while (position_ < behind) Advance();
  for (size_t i = 0; i <= commas.size(); ++i) {
    ast::ErrorType* index = New<ast::ErrorType>();
    index->span = whole;
    type.indices.push_back(index);
  }
  return true;
}

bool Parser::SkipOtherElements() {
  if (!AtWord("OTHERS") || !Helps(1) || PeekKind(1) != TokenKind::kArrow) return false;
  const uint32_t begin = token().begin;
  while (!At(TokenKind::kRightBrace) && !AtStatementStop()) Advance();
  const SourceSpan whole = SpanFrom(begin);
  const std::string_view text = whole.text();
  std::string value(text.substr(text.find("=>") + 2));
  value.erase(0, value.find_first_not_of(' '));
  RepairForeign(ForeignForm::kOtherElements, whole, {std::string(text), value + ", .."})
      .Fix(whole, value + ", ..");
  unit_has_errors_ = true;
  return true;
}

bool Parser::IsStatementBeforeCondition() const {
  for (size_t i = position_; i + 1 < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kSemicolon: return true;
      case TokenKind::kThen:
      case TokenKind::kDo:
      case TokenKind::kEnd:
      case TokenKind::kBegin: return false;
      default: break;
    }
  }
  return false;
}

bool Parser::SkipWithAs(SourceSpan opening) {
  if (!AtIdent() || !Helps(1) || PeekKind(1) == TokenKind::kEqual ||
      PeekKind(1) == TokenKind::kAssign) {
    return false;
  }
  size_t as = position_;
  while (as + 2 < tokens_.size() && tokens_[as].kind != TokenKind::kAs) {
    if (tokens_[as].kind == TokenKind::kDo || tokens_[as].kind == TokenKind::kSemicolon ||
        tokens_[as].kind == TokenKind::kEqual) {
      return false;
    }
    ++as;
  }
  if (as + 2 >= tokens_.size() || tokens_[as + 1].kind != TokenKind::kIdentifier ||
      (tokens_[as + 2].kind != TokenKind::kDo && tokens_[as + 2].kind != TokenKind::kColon)) {
    return false;
  }
  const SourceSpan value = file_.Span(token().begin, tokens_[as - 1].end);
  const SourceSpan whole = file_.Span(token().begin, tokens_[as + 1].end);
  const std::string ours = tokens_[as + 1].name.str() + " = " + std::string(value.text());
  // The body uses the name.
  unit_has_errors_ = true;
  DiagnosticBuilder error = RepairForeign(
      ForeignForm::kWithAs, file_.Span(opening.begin, whole.end),
      {std::string(file_.Span(opening.begin, whole.end).text()), "WITH " + ours + " DO ... END"});
  error.Fix(whole, ours);
  while (position_ <= as + 1) Advance();
  last_error_ = position_;
  return true;
}

}  // namespace tenure::compiler
