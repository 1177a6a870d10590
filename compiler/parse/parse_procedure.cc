// Procedures, blocks and signatures (language.md 2.2, 11).

#include <utility>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// --- Procedures and blocks ---

// ProcedureHead ["=" Block Id] ";".
void Parser::ParseProcedureDecl(ast::Block& block, const ast::DeclPragmas& pragmas) {
  const Nesting nesting(*this, "the procedure");
  const uint32_t begin = token().begin;
  const int column = static_cast<int>(ColumnOf(token()));
  const bool first_in_line = IsFirstInLine(token());
  Advance();
  ast::ProcedureDecl* decl = New<ast::ProcedureDecl>();
  decl->pragmas = pragmas;
  const size_t receiver = position_;
  const bool has_receiver = repairs_.SkipReceiver();
  decl->name = ExpectIdent("the procedure's name", "2.2");
  repairs_.SkipExportMark();
  if (has_receiver) repairs_.ReportReceiver(receiver, decl->name);
  decl->signature = ParseSignature();
  repairs_.ParseForeignHeading();
  bool has_body = Accept(TokenKind::kEqual);
  if (grammar_only_ && At(TokenKind::kSemicolon) && !has_body &&
      unit_->kind == ast::UnitKind::kModule && !pragmas.external.is_external) {
    Fail();  // A body is missing, or stands behind the semicolon.
  }
  if (At(TokenKind::kSemicolon) && !has_body && Helps() &&
      (IsPascalStyle(decl->name.name) || AtPascalBody(column))) {
    if (MayRepair()) Repair(MessageId::kProcedureNeedsEquals, TokenSpan()).Fix(TokenSpan(), " =");
    Advance();
    has_body = true;
  } else if (At(TokenKind::kBegin) && !has_body) {
    Expect(TokenKind::kEqual, "2.2");
    has_body = true;
  }
  if (has_body) {
    const Followers outer = followers_;
    followers_ = {};
    const bool outer_function = std::exchange(in_function_, decl->signature.result != nullptr);
    decl->body = New<ast::Block>();
    if (decl->name.name) open_names_.push_back(decl->name.name);
    const bool outer_errors = std::exchange(unit_has_errors_, false);
    const int outer_column = std::exchange(procedure_column_, -1);
    const bool outer_block = std::exchange(in_statement_block_, false);
    const int outer_limit = std::exchange(indent_limit_, -1);
    std::vector<Suspect> outer_suspects = std::exchange(suspects_, {});
    next_procedure_column_ = first_in_line ? column : -1;
    ParseBlockToEnd(*decl->body, "the procedure", /*has_name=*/true);
    ParseNamedEnd(*decl->body, "procedure", decl->name);
    procedure_column_ = outer_column;
    in_statement_block_ = outer_block;
    indent_limit_ = outer_limit;
    suspects_ = std::move(outer_suspects);
    decl->body->has_errors = decl->body->has_errors || unit_has_errors_;
    has_damaged_body_ = has_damaged_body_ || unit_has_errors_;
    unit_has_errors_ = outer_errors;
    if (decl->name.name) open_names_.pop_back();
    in_function_ = outer_function;
    followers_ = outer;
  }
  decl->span = SpanFrom(begin);
  ExpectSemicolon(has_body ? "the procedure's body" : "the procedure's heading", "2.2");
  block.declarations.push_back(decl);
}

// At the `;` after a heading: does `END name` follow before another procedure begins? Then there is
// a body, in the style of Pascal.
bool Parser::IsPascalStyle(Name name) const {
  if (!name) return false;
  for (size_t i = position_; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind == TokenKind::kProcedure) return false;
    if (tokens_[i].kind == TokenKind::kEnd && tokens_[i + 1].kind == TokenKind::kIdentifier) {
      if (tokens_[i + 1].name == name) return !IsOpenName(name);
      if (IsOpenName(tokens_[i + 1].name)) return false;
    }
  }
  return false;
}

// At the `;` after a heading that begins in this column: does a body follow that ends in `END;`,
// without a name?
bool Parser::AtPascalBody(int column) const {
  size_t i = position_ + 1;
  while (i + 1 < tokens_.size() && tokens_[i].kind != TokenKind::kBegin) {
    if (tokens_[i].kind == TokenKind::kProcedure || tokens_[i].kind == TokenKind::kEnd)
      return false;
    ++i;
  }
  if (i + 1 >= tokens_.size()) return false;
  // The unit's own BEGIN is one that no other follows.
  size_t bodies = 1;
  bool ends_without_name = false;
  for (++i; i + 1 < tokens_.size(); ++i) {
    const bool ends = tokens_[i].kind == TokenKind::kEnd && IsFirstInLine(tokens_[i]) &&
                      static_cast<int>(ColumnOf(tokens_[i])) == column;
    if (ends && bodies == 1 && tokens_[i + 1].kind == TokenKind::kSemicolon)
      ends_without_name = true;
    if (tokens_[i].kind == TokenKind::kProcedure) break;
    if (tokens_[i].kind == TokenKind::kBegin) ++bodies;
  }
  return ends_without_name;
}

// {Decl} BEGIN S. False if there is no BEGIN.
bool Parser::ParseBlockToEnd(ast::Block& block, std::string_view what, bool has_name,
                             bool is_statement) {
  const uint32_t begin = token().begin;
  const SourceSpan first = TokenSpan();
  const int heading_column = std::exchange(next_procedure_column_, -1);
  ParseDeclarations(block);
  block.begin_span = TokenSpan();
  if (is_statement && !At(TokenKind::kBegin) && !gave_up_) {
    // Declarations among statements, as in C.
    unit_has_errors_ = true;
    last_error_ = position_;
    Report(MessageId::kBlockNeedsBegin, first);
  }
  bool has_begin = false;
  if (At(TokenKind::kEnd) && has_name && MayRepair()) {
    Repair(MessageId::kExpected, TokenSpan(), "BEGIN", DescribeToken(), "2.2")
        .Fix(file_.Span(token().begin, token().begin), "BEGIN\n");
    has_begin = true;
  } else {
    has_begin = Expect(TokenKind::kBegin, "2.2");
  }
  if (has_begin) {
    const bool outer_errors = has_name && std::exchange(unit_has_errors_, false);
    const int outer_column = procedure_column_;
    if (heading_column >= 0) procedure_column_ = heading_column;
    if (At(TokenKind::kPragmaTrace)) ParseBlockTrace(block.trace);
    block.body = ParseStmtList();
    while (has_name && AtSuperfluousEnd()) {
      if (MayReport()) Report(MessageId::kSuperfluousEnd, TokenSpan(), what);
      Advance();
      Accept(TokenKind::kSemicolon);
      for (ast::Stmt* stmt : ParseStmtList()) block.body.push_back(stmt);
    }
    procedure_column_ = outer_column;
    if (has_name) {
      block.has_errors = unit_has_errors_;
      has_damaged_body_ = has_damaged_body_ || unit_has_errors_;
      unit_has_errors_ = outer_errors;
    }
  }
  block.span = SpanFrom(begin);
  return has_begin;
}

// At an END without a name where statements of a procedure or module go on: it closes nothing.
bool Parser::AtSuperfluousEnd() const {
  if (!At(TokenKind::kEnd) || PeekKind(1) == TokenKind::kIdentifier) return false;
  if (PeekKind(1) == TokenKind::kEnd) return true;
  return PeekKind(1) == TokenKind::kSemicolon &&
         (PeekKind(2) == TokenKind::kEnd ||
          (StartsStatement(PeekKind(2)) && PeekKind(2) != TokenKind::kBegin));
}

void Parser::ParseNamedEnd(ast::Block& block, std::string_view what, const ast::Ident& name) {
  if (AtIdent()) FixLowerCase();
  SkipMisplacedPragmas();
  if (gave_up_) return;
  if (!At(TokenKind::kEnd)) {
    if (AtNextDeclarationBehind(name)) {
      // The next declaration begins: only this END is missing.
      if (MayRepair()) {
        const SourceSpan place = file_.Span(token().begin, token().begin);
        Repair(MessageId::kMissingNamedEnd, name.span, what, name.name, DescribeToken())
            .Note(MessageId::kEndProcedure, TokenSpan(), TokenSpelling(kind()))
            .Fix(place, "END " + name.name.str() + ";\n\n");
      }
      after_brace_ = position_;
      return;
    }
    structure_damaged_ = true;
    if (MayReport()) {
      Report(MessageId::kMissingNamedEnd, TokenSpan(), what, name.name, DescribeToken())
          .Note(MessageId::kNamedHere, name.span, what, name.name);
    }
    // Look for the END of this construct.
    while (!At(TokenKind::kEndOfFile) &&
           !(At(TokenKind::kEnd) && PeekKind(1) == TokenKind::kIdentifier &&
             IsOpenName(tokens_[position_ + 1].name))) {
      Advance();
    }
    if (!At(TokenKind::kEnd)) return;
  }
  block.end_span = TokenSpan();
  const bool has_other_name =
      PeekKind(1) == TokenKind::kIdentifier && tokens_[position_ + 1].name != name.name;
  const Name found = has_other_name ? tokens_[position_ + 1].name : Name();
  // This END belongs to the surrounding construct: the construct's own END is missing.
  if (has_other_name && name.name && IsOpenName(found) &&
      !(open_names_.size() == 1 && found == open_names_.front())) {
    structure_damaged_ = true;
    if (ReportSuspect(name.span)) {
      last_error_ = position_;
      unit_has_errors_ = true;
      return;
    }
    if (MayReport()) {
      Report(MessageId::kMissingNamedEnd, TokenSpan(), what, name.name, "END " + found.str())
          .Note(MessageId::kNamedHere, name.span, what, name.name);
    }
    return;
  }
  Advance();
  if (has_other_name && name.name) {
    Repair(MessageId::kWrongEndName, TokenSpan(), found, what, name.name)
        .Note(MessageId::kNamedHere, name.span, what, name.name)
        .Fix(TokenSpan(), name.name.view());
    Advance();
  } else if (AtIdent()) {
    Advance();
  } else if (MayRepair()) {
    Repair(MessageId::kExpected, AfterPrevious(), std::string(what) + " name " + name.name.str(),
           DescribeToken(), "2.2")
        .Fix(AfterPrevious(), " " + name.name.str());
  }
}

// --- Signatures ---

// "(" Formals ")" [":" Type] [RAISES Raises].
ast::Signature Parser::ParseSignature() {
  ast::Signature signature;
  const SourceSpan opening = TokenSpan();
  const bool has_none =
      AtAny({TokenKind::kSemicolon, TokenKind::kEqual, TokenKind::kColon, TokenKind::kBegin}) ||
      AtWord("IS");
  if (has_none && Helps()) {
    // `PROCEDURE P;`
    const std::string name(
        position_ > 0 ? file_.Span(tokens_[position_ - 1].begin, tokens_[position_ - 1].end).text()
                      : std::string_view());
    RepairForeign(ForeignForm::kHeadingWithoutFormals,
                  file_.Span(tokens_[position_ - 1].begin, tokens_[position_ - 1].end), {name})
        .Fix(AfterPrevious(), "()");
    last_error_ = SIZE_MAX;  // a word behind is another mistake
  } else if (Expect(TokenKind::kLeftParen, "2.2")) {
    while (!At(TokenKind::kRightParen) && !At(TokenKind::kEndOfFile)) {
      const size_t start = position_;
      TryItem([&] {
        ast::Signature scratch;
        ParseFormal(scratch);
        RequireNext({TokenKind::kSemicolon, TokenKind::kRightParen});
      });
      ParseFormal(signature);
      if (At(TokenKind::kComma)) {
        if (MayReport()) {
          Repair(MessageId::kFormalSeparator, TokenSpan()).Fix(TokenSpan(), ";");
        }
        Advance();
      } else if (!Accept(TokenKind::kSemicolon)) {
        break;
      }
      if (position_ == start) break;
    }
    CloseBracket(TokenKind::kRightParen, "';' or ')'", opening);
  }
  if (Accept(TokenKind::kColon)) {
    signature.result = repairs_.ParseResultType();
  } else if (Helps(1) && (AtJoined(TokenKind::kMinus, TokenKind::kGreater) ||
                          At(TokenKind::kReturn) || AtWord("RETURNS") || AtWord("RETURN"))) {
    const bool is_arrow = At(TokenKind::kMinus);
    const SourceSpan mark = is_arrow ? SpanTo(1) : TokenSpan();
    RepairForeign(ForeignForm::kReturnWord, mark).Fix(file_.Span(previous_end_, mark.end), ":");
    Advance();
    if (is_arrow) Advance();
    signature.result = ParseType();
  } else if (AtIdent() && (PeekKind(1) == TokenKind::kEqual || PeekKind(1) == TokenKind::kDot)) {
    // `PROCEDURE P() INTEGER =`
    if (MayRepair()) {
      Repair(MessageId::kExpected, TokenSpan(), "':' before the type of the result",
             DescribeToken(), "2.2")
          .Fix(file_.Span(previous_end_, previous_end_), ":");
    }
    signature.result = ParseType();
  }
  if (AtIdent() && PeekKind(1) == TokenKind::kLeftBrace) FixLowerCase();
  if (At(TokenKind::kRaises)) ParseRaises(signature);
  signature.span = SpanFrom(opening.begin);
  return signature;
}

// [Mode] IdList (":" Type & ":=" ConstExpr).
void Parser::ParseFormal(ast::Signature& signature) {
  ast::FormalGroup formal;
  const uint32_t begin = token().begin;
  while (At(TokenKind::kPragmaUnused)) {
    const SourceSpan opening = TokenSpan();
    Advance();
    ClosePragma(opening);
    formal.is_unused = true;
  }
  if (Accept(TokenKind::kVar)) {
    formal.mode = ast::Mode::kVar;
  } else if (Accept(TokenKind::kReadonly)) {
    formal.mode = ast::Mode::kReadonly;
  } else {
    Accept(TokenKind::kValue);
  }
  if (AtIdent() && repairs_.FixForeignFormal(formal)) {
    formal.span = SpanFrom(begin);
    signature.formals.push_back(std::move(formal));
    return;
  }
  formal.names = ParseIdList("a formal's name", "2.2");
  if (formal.names.empty()) return;
  repairs_.FixModeBehindColon(formal);
  ParseVariableTrace(formal.trace);
  ParseTypeAndValue(formal.type, formal.default_value, "a formal", "a default",
                    formal.names.back().span);
  ParseVariableTrace(formal.trace);
  formal.span = SpanFrom(begin);
  signature.formals.push_back(std::move(formal));
}

// RAISES "{" [QualId {"," QualId}] "}", RAISES ANY.
void Parser::ParseRaises(ast::Signature& signature) {
  const uint32_t begin = token().begin;
  Advance();
  const SourceSpan opening = TokenSpan();
  if (Accept(TokenKind::kAny)) {
    signature.raises_kind = ast::RaisesKind::kAny;
  } else {
    signature.raises_kind = ast::RaisesKind::kSet;
    if (AtIdent() || (At(TokenKind::kLeftParen) && PeekKind(1) == TokenKind::kIdentifier)) {
      // `RAISES E`, `RAISES (E)`
      const bool has_paren = At(TokenKind::kLeftParen);
      DiagnosticBuilder error;
      if (MayRepair()) {
        error = Repair(MessageId::kExpected, TokenSpan(), "'{'", DescribeToken(), "2.2");
        error.Fix(has_paren ? TokenSpan() : file_.Span(token().begin, token().begin), "{");
      }
      if (has_paren) Advance();
      do {
        const ast::QualId id = ParseQualId("an exception", "2.2");
        if (id.name.name) signature.raises.push_back(id);
      } while (Accept(TokenKind::kComma));
      error.Fix(has_paren && At(TokenKind::kRightParen) ? TokenSpan() : AfterPrevious(), "}");
      if (has_paren) Accept(TokenKind::kRightParen);
    } else if (Expect(TokenKind::kLeftBrace, "2.2")) {
      if (!At(TokenKind::kRightBrace)) {
        do {
          const ast::QualId id = ParseQualId("an exception", "2.2");
          if (id.name.name) signature.raises.push_back(id);
        } while (Accept(TokenKind::kComma));
      }
      CloseBracket(TokenKind::kRightBrace, "',' or '}'", opening);
    }
  }
  signature.raises_span = SpanFrom(begin);
}

}  // namespace tenure::compiler
