// Where statements begin and end: words and END; also braces and indentation of other languages,
// and indentation as the sign of a missing END.
#include <algorithm>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// The word before the statements (THEN, DO ...), or what other languages have there.
Parser::Body Parser::OpenBody(TokenKind opener) {
  const std::string word(TokenSpelling(opener));
  if (At(TokenKind::kLeftBrace) && Helps()) {
    if (!braces_reported_) {
      has_repairs_ = true;
      braces_ = ShowForeign(ForeignForm::kBraces, TokenSpan());
    }
    braces_reported_ = true;
    braces_.Fix(TokenSpan(), word);
    Advance();
    return Body::kBrace;
  }
  const bool ends_line =
      At(TokenKind::kColon) && Helps() &&
      file_.PhysicalLine(token().begin) < file_.PhysicalLine(tokens_[position_ + 1].begin);
  if (ends_line) {
    if (!indents_reported_) {
      has_repairs_ = true;
      indents_ = ShowForeign(ForeignForm::kColonBlock, TokenSpan(), {word});
    }
    indents_reported_ = true;
    indents_.Fix(TokenSpan(), " " + word);
    Advance();
    return Body::kIndented;
  }
  ExpectSkipping(opener, "2.3");
  return Body::kEnd;
}

ast::StmtList Parser::ParseBody(Body body, SourceSpan opening) {
  if (body == Body::kEnd) return ParseStmtList();
  const int outer_limit = indent_limit_;
  if (body == Body::kBrace) {
    ++followers_.brace;
    indent_limit_ = -1;
  } else {
    // The column of the line in which the construct begins.
    const uint32_t start = file_.LineStart(file_.PhysicalLine(opening.begin));
    const size_t blanks = file_.text().substr(start).find_first_not_of(" \t");
    indent_limit_ = static_cast<int>(blanks);
  }
  ast::StmtList list = ParseStmtList();
  if (body == Body::kBrace) --followers_.brace;
  indent_limit_ = outer_limit;
  return list;
}

// At a line that is indented no deeper than the construct around the body at the cursor.
bool Parser::AtIndentedEnd() const {
  return indent_limit_ >= 0 && IsFirstInLine(token()) &&
         static_cast<int>(ColumnOf(token())) <= indent_limit_;
}

// Whether ELSE, ELSIF or `else if` goes on with the statement whose body, not one that ends with
// END, ends here. Makes the words ours.
bool Parser::AtElseOfBody(Body body, SourceSpan opening) {
  if (body == Body::kEnd) return At(TokenKind::kElsif) || At(TokenKind::kElse);
  size_t at = position_;
  if (body == Body::kBrace) {
    if (!At(TokenKind::kRightBrace)) return false;
    at = position_ + 1;
  }
  const auto is = [&](size_t where, std::string_view upper, TokenKind keyword) {
    if (where >= tokens_.size()) return false;
    return tokens_[where].kind == keyword || IsWord(where - position_, upper);
  };
  const bool is_elif = is(at, "ELIF", TokenKind::kElsif) || is(at, "ELSIF", TokenKind::kElsif) ||
                       is(at, "ELSEIF", TokenKind::kElsif);
  const bool is_else = is(at, "ELSE", TokenKind::kElse);
  if (!is_elif && !is_else) return false;
  if (body == Body::kIndented) {
    const uint32_t start = file_.LineStart(file_.PhysicalLine(opening.begin));
    if (ColumnOf(tokens_[at]) != file_.text().substr(start).find_first_not_of(" \t")) return false;
  }
  const bool is_else_if = is_else && is(at + 1, "IF", TokenKind::kIf);
  const size_t last = is_else_if ? at + 1 : at;
  const bool becomes_elsif = is_elif || is_else_if;
  DiagnosticBuilder& error = body == Body::kBrace ? braces_ : indents_;
  error.Fix(file_.Span(tokens_[position_].begin, tokens_[last].end),
            becomes_elsif ? "ELSIF" : "ELSE");
  AdvanceTo(last);
  Rewrite(position_).kind = becomes_elsif ? TokenKind::kElsif : TokenKind::kElse;
  return true;
}

void Parser::CloseBody(Body body, std::string_view what, SourceSpan opening) {
  switch (body) {
    case Body::kEnd: ExpectEnd(what, opening); return;
    case Body::kBrace:
      if (!At(TokenKind::kRightBrace)) {
        ExpectEnd(what, opening);
        return;
      }
      {
        const TokenKind next = PeekKind(1);
        const bool ends_list = next == TokenKind::kEnd || next == TokenKind::kElse ||
                               next == TokenKind::kElsif || next == TokenKind::kRightBrace ||
                               next == TokenKind::kSemicolon || next == TokenKind::kBar;
        braces_.Fix(TokenSpan(), ends_list ? "END" : "END;");
      }
      Advance();
      after_brace_ = position_;
      return;
    case Body::kIndented: {
      if (At(TokenKind::kEnd) && IsFirstInLine(token()) && !AtOuterEnd() &&
          ColumnOf(token()) >= ColumnOf(tokens_[0]) &&
          static_cast<int>(ColumnOf(token())) > indent_limit_) {
        // Half of the construct is ours: its END is there.
        const uint32_t start = file_.LineStart(file_.PhysicalLine(opening.begin));
        const size_t blanks = file_.text().substr(start).find_first_not_of(" \t");
        if (ColumnOf(token()) == blanks) {
          Advance();
          return;
        }
      }
      const bool ends_list = AtAny({TokenKind::kEnd, TokenKind::kElse, TokenKind::kElsif});
      indents_.Fix(AfterPrevious(), ends_list ? " END" : " END;");
      after_brace_ = position_;
      return;
    }
  }
}

// --- a missing END by indentation ---

// Tokens between the heading of a procedure and its statements, or behind its END.
static bool BeginsDeclaration(TokenKind kind) {
  switch (kind) {
    case TokenKind::kProcedure:
    case TokenKind::kBegin:
    case TokenKind::kVar:
    case TokenKind::kConst:
    case TokenKind::kType:
    case TokenKind::kException:
    case TokenKind::kReveal: return true;
    default: return false;
  }
}

bool Parser::AtNextDeclaration() const {
  if (grammar_only_ || procedure_column_ < 0) return false;
  if (!BeginsDeclaration(kind())) return false;
  if (!IsFirstInLine(token()) || static_cast<int>(ColumnOf(token())) > procedure_column_ ||
      open_names_.empty()) {
    return false;
  }
  // Indentation decides only where the procedure's END is missing.
  for (size_t i = position_; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind == TokenKind::kEnd && tokens_[i + 1].kind == TokenKind::kIdentifier &&
        tokens_[i + 1].name == open_names_.back()) {
      return false;
    }
  }
  return true;
}

// As AtNextDeclaration, where the END of the procedure is expected.
bool Parser::AtNextDeclarationBehind(const ast::Ident& procedure) const {
  if (!BeginsDeclaration(kind())) return false;
  if (!procedure.name || !IsFirstInLine(token())) return false;
  const uint32_t start = file_.LineStart(file_.PhysicalLine(procedure.span.begin));
  const size_t blanks = file_.text().substr(start).find_first_not_of(" \t");
  return ColumnOf(token()) <= blanks;
}

// At the END that is about to close the construct: a suspect if indented less than the opening.
void Parser::CheckIndentation(std::string_view what, SourceSpan opening) {
  if (!IsFirstInLine(token())) return;
  const uint32_t start = file_.LineStart(file_.PhysicalLine(opening.begin));
  const size_t blanks = file_.text().substr(start).find_first_not_of(" \t");
  if (file_.PhysicalLine(opening.begin) == file_.PhysicalLine(token().begin)) return;
  if (ColumnOf(token()) >= blanks) return;
  suspects_.push_back({std::string(what), opening, TokenSpan(), false, {}});
}

// Where END is missing for the construct at `opening`, or for the procedure around it: if the END
// of a construct inside it is indented as one of an outer construct, that inner construct is the
// one that lacks its END. False if there is none.
bool Parser::ReportSuspect(SourceSpan opening) {
  for (const Suspect& suspect : suspects_) {
    if (suspect.opening.begin <= opening.begin) continue;
    const uint32_t line = file_.PhysicalLine(suspect.end.begin);
    const std::string indentation(
        file_.LineText(line).substr(0, suspect.end.begin - file_.LineStart(line)));
    if (suspect.is_else_if) {
      RepairForeign(ForeignForm::kElseIf, suspect.else_if).Fix(suspect.else_if, "ELSIF");
    } else {
      const uint32_t opened = file_.PhysicalLine(suspect.opening.begin);
      const std::string_view text = file_.LineText(opened);
      const std::string inner(text.substr(0, text.find_first_not_of(" \t")));
      const SourceSpan place = file_.Span(suspect.end.begin, suspect.end.begin);
      Report(MessageId::kMissingEnd, suspect.opening, suspect.what)
          .Note(MessageId::kClosesOther, suspect.end, "a statement around it")
          .Fix(place,
               inner.substr(std::min(inner.size(), indentation.size())) + "END;\n" + indentation);
    }
    suspects_.clear();
    return true;
  }
  return false;
}

}  // namespace tenure::compiler
