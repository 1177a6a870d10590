// Types, declarations and signatures in the forms of other languages.
#include "compiler/parse/foreign_spelling.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// --- types ---

// At the beginning of a type: a type of another language, or null.
ast::TypeExpr* Parser::ParseForeignType() {
  if (grammar_only_) return nullptr;
  const uint32_t begin = token().begin;
  const SourceSpan span = TokenSpan();
  const auto reference = [&](const std::string& form, size_t tokens) -> ast::TypeExpr* {
    const SourceSpan mark = file_.Span(begin, tokens_[position_ + tokens - 1].end);
    const bool needs_space = tokens_[position_ + tokens].begin == mark.end;
    RepairForeign(ForeignForm::kPointer, mark, {form}).Fix(mark, needs_space ? "REF " : "REF");
    for (size_t i = 0; i < tokens; ++i) Advance();
    ast::RefType* type = New<ast::RefType>();
    type->referent = ParseType();
    return Finish(type, begin);
  };
  if (At(TokenKind::kCaret)) return reference("^T", 1);
  if (At(TokenKind::kStar)) return reference("*T", 1);
  if (At(TokenKind::kAmpersand)) return reference("&T", 1);
  if (At(TokenKind::kLeftParen) && PeekKind(1) == TokenKind::kIdentifier &&
      PeekKind(2) == TokenKind::kComma && Helps(2)) {
    const size_t behind = BehindBrackets(position_);
    const SourceSpan closing = file_.Span(tokens_[behind - 1].begin, tokens_[behind - 1].end);
    const std::string elements(file_.Span(span.end, closing.begin).text());
    RepairForeign(ForeignForm::kEnumeration, file_.Span(begin, closing.end),
                  {"(" + elements + ")", "{" + elements + "}"})
        .Fix(span, "{")
        .Fix(closing, "}");
    Advance();
    ast::EnumerationType* type = New<ast::EnumerationType>();
    type->elements = ParseIdList("an element's name", "2.4");
    CloseBracket(TokenKind::kRightParen, "',' or ')'", span);
    return Finish(type, begin);
  }
  if (At(TokenKind::kNumber) || At(TokenKind::kCharLiteral) || At(TokenKind::kMinus)) {
    // `0..9`.
    size_t i = position_ + (At(TokenKind::kMinus) ? 2 : 1);
    if (i >= tokens_.size() || tokens_[i].kind != TokenKind::kDotDot) return nullptr;
    ast::SubrangeType* type = New<ast::SubrangeType>();
    const size_t before = last_error_;
    type->low = ParseExpr();
    Advance();
    type->high = ParseExpr();
    last_error_ = before;
    const SourceSpan whole = SpanFrom(begin);
    has_repairs_ = true;
    ShowForeign(ForeignForm::kBareSubrange, whole, {std::string(whole.text())})
        .Fix(file_.Span(whole.begin, whole.begin), "[")
        .Fix(file_.Span(whole.end, whole.end), "]");
    return Finish(type, begin);
  }
  if (ast::TypeExpr* type = ParseForeignObject()) return type;
  // All others are a name that no type goes on behind.
  if (!AtIdent() || !Helps(1)) return nullptr;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  if (ast::TypeExpr* type = ParseTypeWord()) return type;
  if (upper == "POINTER" && PeekKind(1) == TokenKind::kTo) return reference(word + " TO T", 2);
  if (upper == "POINTER" && IsWord(1, "TO")) return reference(word + " to T", 2);
  if (upper == "ACCESS" && PeekKind(1) == TokenKind::kIdentifier) return reference(word + " T", 1);
  const TokenKind next = PeekKind(1);
  const bool has_members = next == TokenKind::kIdentifier || next == TokenKind::kLeftBrace;
  if ((upper == "CLASS" || upper == "STRUCT") && has_members) {
    const bool is_class = upper == "CLASS";
    const std::string ours = is_class ? "OBJECT" : "RECORD";
    DiagnosticBuilder error = ReportForeign(
        ForeignForm::kStruct, span,
        {word, is_class ? "OBJECT fields METHODS ... OVERRIDES ... END" : "RECORD fields END"});
    if (next != TokenKind::kIdentifier) {
      Advance();
      SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
      SkipBalanced(TokenKind::kLeftBrace, TokenKind::kRightBrace);
      last_error_ = position_;
      return Finish(New<ast::ErrorType>(), begin);
    }
    error.Fix(span, ours);
    Rewrite(position_).kind = is_class ? TokenKind::kObject : TokenKind::kRecord;
    return ParsePrimaryType();
  }
  if (upper == "ENUM" && next == TokenKind::kLeftBrace) {
    const size_t behind = BehindBrackets(position_ + 1);
    const SourceSpan inner = file_.Span(tokens_[position_ + 1].end, tokens_[behind - 1].begin);
    const std::string ours = "{" + std::string(inner.text()) + "}";
    RepairForeign(ForeignForm::kEnumeration, span, {word, ours})
        .Fix(file_.Span(begin, tokens_[behind - 1].end), ours);
    Advance();
    Advance();
    ast::EnumerationType* type = New<ast::EnumerationType>();
    type->elements = ParseIdList("an element's name", "2.4");
    while (position_ < behind) Advance();
    return Finish(type, begin);
  }
  if (next == TokenKind::kLeftBracket && FixMisspelling({TokenKind::kArray}, "2.4")) {
    return ParsePrimaryType();
  }
  if (next == TokenKind::kLeftBracket) {
    // `STRING[20]`, `INTEGER[10]`.
    const size_t behind = BehindBrackets(position_ + 1);
    const SourceSpan whole = file_.Span(begin, tokens_[behind - 1].end);
    const std::string_view inner =
        file_.Span(tokens_[position_ + 1].end, tokens_[behind - 1].begin).text();
    const std::string_view element = TypeOfWord(upper);
    const std::string element_text = element.empty() ? word : std::string(element);
    ast::TypeExpr* type = New<ast::ErrorType>();
    if (upper == "STRING" || upper == "TEXT") {
      RepairForeign(ForeignForm::kTextLength, whole, {std::string(whole.text())})
          .Fix(whole, "TEXT");
      ast::NamedType* named = New<ast::NamedType>();
      named->id.name = {interner_.Intern("TEXT"), span};
      named->id.span = span;
      type = named;
    } else {
      const std::string ours = (inner.empty() ? std::string("ARRAY OF ")
                                              : (inner.find("..") != std::string_view::npos
                                                     ? "ARRAY [" + std::string(inner) + "] OF "
                                                     : "ARRAY [0.." + OneLess(inner) + "] OF ")) +
                               element_text;
      RepairForeign(ForeignForm::kArraySuffix, whole, {std::string(whole.text()), ours})
          .Fix(whole, ours);
    }
    while (position_ < behind) Advance();
    return Finish(type, begin);
  }
  return nullptr;
}

// --- declarations ---

// Where a declaration is expected and none begins. False if nothing of another language is
// recognised. Otherwise it is reported, and skipped or made ours.
bool Parser::FixForeignSection(ast::Block& block) {
  if (!Helps(1)) return false;
  if (At(TokenKind::kLeftBrace)) {
    // A comment of Pascal.
    const size_t behind = BehindBrackets(position_);
    RepairForeign(ForeignForm::kBraceComment, TokenSpan())
        .Fix(TokenSpan(), "(*")
        .Fix(file_.Span(tokens_[behind - 1].begin, tokens_[behind - 1].end), "*)");
    while (position_ < behind) Advance();
    return true;
  }
  if (!AtIdent()) return false;
  const uint32_t begin = token().begin;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const TokenKind next = PeekKind(1);
  const SourceSpan span = TokenSpan();
  const auto skip = [&](ForeignForm form, const std::vector<std::string>& args) {
    ReportForeign(form, span, args);
    SkipForeignStatement();
    Accept(TokenKind::kSemicolon);
    while (!At(TokenKind::kEndOfFile) && !AtDeclarationStart() && !At(TokenKind::kEnd)) Advance();
    last_error_ = position_;
    return true;
  };
  if (upper == "FUNCTION" || upper == "FUNC" || upper == "SUB" || upper == "METHOD" ||
      upper == "PROC") {
    if (next != TokenKind::kIdentifier) return false;
    const size_t behind =
        PeekKind(2) == TokenKind::kLeftParen ? BehindBrackets(position_ + 2) : position_ + 2;
    bool has_brace = false;
    for (size_t i = behind; i < behind + 3 && i < tokens_.size(); ++i) {
      has_brace |= tokens_[i].kind == TokenKind::kLeftBrace;
    }
    if (has_brace) return skip(ForeignForm::kFunctionWord, {word});
    RepairForeign(ForeignForm::kFunctionWord, span, {word}).Fix(span, "PROCEDURE");
    Rewrite(position_).kind = TokenKind::kProcedure;
    return true;
  }
  if (SkipSectionWord()) return true;
  if ((upper == "DEF" || upper == "FN" || upper == "VOID") && next == TokenKind::kIdentifier) {
    const size_t behind =
        PeekKind(2) == TokenKind::kLeftParen ? BehindBrackets(position_ + 2) : position_;
    if (tokens_[behind].kind == TokenKind::kEqual ||
        (behind > position_ && IsPascalStyle(tokens_[position_ + 1].name))) {
      // Only the word is another language's.
      RepairForeign(ForeignForm::kFunctionWord, span, {word}).Fix(span, "PROCEDURE");
      Rewrite(position_).kind = TokenKind::kProcedure;
      return true;
    }
    return skip(ForeignForm::kFunctionWord, {word});
  }
  if (next == TokenKind::kIdentifier && PeekKind(2) == TokenKind::kLeftParen) {
    return skip(ForeignForm::kFunctionWord,
                {word + " " + std::string(tokens_[position_ + 1].name.view()) + "(...)"});
  }
  if ((upper == "CLASS" || upper == "STRUCT") && next == TokenKind::kIdentifier) {
    return skip(ForeignForm::kClassDeclaration, {word});
  }
  if (upper == "USES" || upper == "USING" || upper == "REQUIRE" || upper == "WITH" ||
      upper == "USE" || upper == "INCLUDE") {
    if (next != TokenKind::kIdentifier) return false;
    // `USES IO, Fmt;` is our import with another word.
    bool is_list = true;
    size_t i = position_ + 1;
    for (; i < tokens_.size() && tokens_[i].kind != TokenKind::kSemicolon; ++i) {
      is_list = is_list &&
                (tokens_[i].kind == TokenKind::kIdentifier || tokens_[i].kind == TokenKind::kComma);
    }
    if (!is_list || upper == "USING" || !block.declarations.empty()) {
      return skip(ForeignForm::kOtherImport, {word});
    }
    RepairForeign(ForeignForm::kOtherImport, span, {word}).Fix(span, "IMPORT");
    Rewrite(position_).kind = TokenKind::kImport;
    ParseImports();
    return true;
  }
  // `int x;`, `INTEGER x;`
  if (next == TokenKind::kIdentifier &&
      (PeekKind(2) == TokenKind::kSemicolon || PeekKind(2) == TokenKind::kEqual ||
       PeekKind(2) == TokenKind::kAssign) &&
      FindKeyword(upper) == TokenKind::kIdentifier) {
    const std::string name(tokens_[position_ + 1].name.view());
    const std::string type(TypeOfWord(upper).empty() ? std::string_view(word) : TypeOfWord(upper));
    const std::string written =
        IsDeclaringWord(upper) ? "VAR " + name : "VAR " + name + ": " + type;
    const SourceSpan whole = file_.Span(begin, tokens_[position_ + 1].end);
    RepairForeign(ForeignForm::kVarMissing, whole, {word + " " + name, written})
        .Fix(whole, written);
    ast::VariableDecl* decl = New<ast::VariableDecl>();
    Advance();
    decl->names = {{token().name, TokenSpan()}};
    Advance();
    ast::TypeExpr* none = nullptr;
    ast::Expr* value = nullptr;
    if (!At(TokenKind::kSemicolon)) {
      ParseTypeAndValue(none, value, "a variable", "an initial value", decl->names[0].span);
    }
    decl->type = New<ast::ErrorType>();
    decl->type->span = whole;
    decl->span = SpanFrom(begin);
    ExpectSemicolon("the variable", "2.2");
    block.declarations.push_back(decl);
    return true;
  }
  // `x: INTEGER;` without VAR.
  if (next == TokenKind::kColon ||
      (next == TokenKind::kComma && PeekKind(2) == TokenKind::kIdentifier)) {
    RepairForeign(ForeignForm::kVarMissing, span, {word + ": ...", "VAR " + word + ": ..."})
        .Fix(file_.Span(begin, begin), "VAR ");
    ast::VariableDecl* decl = ast::As<ast::VariableDecl>(ParseVariableDecl());
    decl->span = SpanFrom(begin);
    ExpectSemicolon("the variable", "2.2");
    block.declarations.push_back(decl);
    return true;
  }
  if (next == TokenKind::kLeftParen || next == TokenKind::kDot || next == TokenKind::kAssign) {
    // Statements without BEGIN: they go on to an END, or BEGIN follows later.
    size_t behind = position_;
    while (behind + 1 < tokens_.size() && tokens_[behind].kind != TokenKind::kSemicolon) ++behind;
    ReportForeign(ForeignForm::kStatementOutside, file_.Span(begin, tokens_[position_ + 1].end),
                  {word + std::string(TokenSpelling(next)) + "..."});
    SkipToDeclaration();
    last_error_ = position_;
    return true;
  }
  return false;
}

// `INTEGER x`, `int x`, `x INTEGER`, `IN x: T`: takes one formal. False if it is ours.
bool Parser::FixForeignFormal(ast::FormalGroup& formal) {
  if (!Helps(1)) return false;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const uint32_t begin = token().begin;
  if ((upper == "OUT" || upper == "INOUT" || upper == "REF" || upper == "CONST") &&
      PeekKind(1) == TokenKind::kIdentifier && PeekKind(2) == TokenKind::kColon) {
    const SourceSpan span = TokenSpan();
    RepairForeign(ForeignForm::kFormalMode, span, {word + " x: T"})
        .Fix(span, upper == "CONST" ? "READONLY" : "VAR");
    formal.mode = upper == "CONST" ? ast::Mode::kReadonly : ast::Mode::kVar;
    Advance();
    formal.names = ParseIdList("a formal's name", "2.2");
    ParseTypeAndValue(formal.type, formal.default_value, "a formal", "a default",
                      formal.names.back().span);
    return true;
  }
  if (PeekKind(1) != TokenKind::kIdentifier || TypeOfWord(upper).empty()) return false;
  const std::string name(tokens_[position_ + 1].name.view());
  const SourceSpan whole = file_.Span(begin, tokens_[position_ + 1].end);
  const std::string ours = name + ": " + std::string(TypeOfWord(upper));
  RepairForeign(ForeignForm::kTypeBeforeName, whole, {word + " " + name, ours}).Fix(whole, ours);
  ast::NamedType* type = New<ast::NamedType>();
  type->id.name = {interner_.Intern(TypeOfWord(upper)), TokenSpan()};
  type->id.span = type->span = TokenSpan();
  Advance();
  formal.names = {{token().name, TokenSpan()}};
  Advance();
  formal.type = type;
  return true;
}

void Parser::ParseTypeWithoutColon(ast::TypeExpr*& type, SourceSpan name) {
  if (MayRepair()) {
    const std::string first(name.text());
    const std::string_view meant = TypeOfWord(Upper(first));
    if (!meant.empty() && AtIdent() && TypeOfWord(Upper(TokenSpan().text())).empty()) {
      // `int x`: the first word is the type. The name that is declared is the second word.
      unit_has_errors_ = true;
      const SourceSpan whole = file_.Span(name.begin, token().end);
      const std::string ours = std::string(TokenSpan().text()) + ": " + std::string(meant);
      ShowForeign(ForeignForm::kTypeBeforeName, whole, {std::string(whole.text()), ours})
          .Fix(whole, ours);
      Advance();
      type = New<ast::ErrorType>();
      type->span = whole;
      return;
    }
    Repair(MessageId::kExpected, TokenSpan(), "':'", DescribeToken(), "2.2")
        .Fix(AfterPrevious(), ":");
  }
  type = ParseType();
}

// Behind a procedure's signature: words of other languages before the body.
void Parser::ParseForeignHeading() {
  if (!Helps()) return;
  if (AtWord("THROWS") || AtWord("THROW")) {
    const uint32_t begin = token().begin, list = token().end;
    DiagnosticBuilder error =
        RepairForeign(ForeignForm::kThrows, TokenSpan(), {std::string(token().name.view())});
    unit_has_errors_ = true;
    while (!At(TokenKind::kEqual) && !At(TokenKind::kSemicolon) && !At(TokenKind::kBegin) &&
           !At(TokenKind::kEndOfFile)) {
      Advance();
    }
    std::string_view names = file_.Span(list, previous_end_).text();
    while (names.starts_with(' ')) names.remove_prefix(1);
    if (names.find_first_of("({") == std::string_view::npos) {
      error.Fix(SpanFrom(begin), "RAISES {" + std::string(names) + "}");
    }
    last_error_ = position_;
  }
  if (AtWord("IS") || At(TokenKind::kAs)) {
    const SourceSpan span = TokenSpan();
    RepairForeign(ForeignForm::kIs, span, {std::string(span.text())}).Fix(span, "=");
    Rewrite(position_).kind = TokenKind::kEqual;
  }
}

}  // namespace tenure::compiler
