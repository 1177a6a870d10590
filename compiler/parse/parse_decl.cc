// Declarations, blocks and signatures (language.md 2.2, pragmas 26).

#include <utility>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {
namespace {

const char* SectionWord(TokenKind section) {
  switch (section) {
    case TokenKind::kConst: return "CONST";
    case TokenKind::kType: return "TYPE";
    case TokenKind::kException: return "EXCEPTION";
    case TokenKind::kVar: return "VAR";
    case TokenKind::kProcedure: return "PROCEDURE";
    default: return "REVEAL";
  }
}

// Whether the block declares a variable of this name, so far.
bool IsVariableOf(const ast::Block& block, Name name) {
  for (const ast::Decl* decl : block.declarations) {
    const auto* variable = ast::DynAs<ast::VariableDecl>(decl);
    if (variable == nullptr) continue;
    for (const ast::Ident& ident : variable->names) {
      if (ident.name == name) return true;
    }
  }
  return false;
}

bool IsSection(TokenKind k) {
  return k == TokenKind::kConst || k == TokenKind::kType || k == TokenKind::kException ||
         k == TokenKind::kVar || k == TokenKind::kProcedure || k == TokenKind::kReveal;
}

}  // namespace

// {Decl}. Ends at BEGIN, END, or the end of the file.
void Parser::ParseDeclarations(ast::Block& block) {
  for (;;) {
    const size_t start = position_;
    if (IsSection(kind())) {
      ParseSection(block);
    } else if (IsPragma(kind())) {
      ParseDeclPragma(block);
    } else if (At(TokenKind::kImport) || At(TokenKind::kFrom)) {
      if (MayRepair()) {
        Repair(MessageId::kImportTooLate, TokenSpan()).Hint(MessageId::kMoveUp);
      }
      ParseImports();
    } else if (At(TokenKind::kSemicolon)) {
      if (MayRepair()) Repair(MessageId::kStraySemicolon, TokenSpan()).Fix(TokenSpan(), "");
      Advance();
    } else if (At(TokenKind::kBegin) || At(TokenKind::kEnd) || At(TokenKind::kEndOfFile)) {
      break;
    } else if (in_statement_block_ && AtIdent()) {
      break;  // The missing BEGIN is reported.
    } else if (FixForeignSection(block)) {
      continue;
    } else if (!FixLowerCase() && !FixSection()) {
      ReportExpected("a declaration, BEGIN or END", "2.2");
      SkipToDeclaration();
      if (position_ == start) Advance();
      if (At(TokenKind::kEnd)) last_error_ = position_;  // the missing part has been reported
    }
  }
  // Only FATAL may stand before BEGIN.
  for (const Token& pragma : decl_pragmas_) {
    Report(MessageId::kPragmaWithoutDeclaration, file_.Span(pragma.begin, pragma.end),
           TokenSpelling(pragma.kind));
  }
  decl_pragmas_.clear();
  pragmas_ = {};
}

void Parser::ParseSection(ast::Block& block) {
  const TokenKind section = kind();
  CheckPragmasApply(section);
  const ast::DeclPragmas pragmas = pragmas_;
  decl_pragmas_.clear();
  pragmas_ = {};
  if (section == TokenKind::kProcedure) {
    ParseProcedureDecl(block, pragmas);
    return;
  }
  const size_t section_begin = position_;
  Advance();
  ast::DeclPragmas item_pragmas = pragmas;
  // Behind a name that begins no item, statements begin too early.
  const auto at_statement = [&] {
    const TokenKind next = PeekKind(1);
    return AtIdent() &&
           (section == TokenKind::kVar || section == TokenKind::kConst ||
            section == TokenKind::kType) &&
           (next == TokenKind::kDot || next == TokenKind::kLeftParen ||
            next == TokenKind::kLeftBracket || next == TokenKind::kCaret) &&
           FindKeyword(token().name.view()) == TokenKind::kIdentifier &&
           position_ > section_begin + 1;
  };
  while (!at_statement() && !AtSectionWord() &&
         ((AtName() && !FixSection()) || ParseItemPragmas(item_pragmas))) {
    const uint32_t begin = token().begin;
    if (section == TokenKind::kVar && PeekKind(1) == TokenKind::kAssign &&
        IsVariableOf(block, token().name)) {
      // An assignment that stands before BEGIN.
      ReportForeign(ForeignForm::kStatementOutside, file_.Span(begin, tokens_[position_ + 1].end),
                    {token().name.str() + " := ..."});
      while (!At(TokenKind::kSemicolon) && !AtDeclarationStart() && !At(TokenKind::kEndOfFile)) {
        Advance();
      }
      Accept(TokenKind::kSemicolon);
      last_error_ = position_;
      continue;
    }
    ast::Decl* decl = nullptr;
    const char* what = "";
    switch (section) {
      case TokenKind::kConst:
        decl = ParseConstDecl();
        what = "the constant";
        break;
      case TokenKind::kType:
        decl = ParseTypeDecl();
        what = "the type";
        break;
      case TokenKind::kException:
        decl = ParseExceptionDecl();
        what = "the exception";
        break;
      case TokenKind::kVar:
        decl = ParseVariableDecl();
        what = "the variable";
        break;
      default:
        decl = ParseRevealDecl();
        what = "the revelation";
        break;
    }
    decl->pragmas = item_pragmas;
    decl->span = SpanFrom(begin);
    item_pragmas = pragmas;
    ExpectSemicolon(what, "2.2");
    block.declarations.push_back(decl);
  }
}

// At a name where an item begins, or the next section: no item begins with two names.
bool Parser::FixSection() {
  if (!AtIdent()) return false;
  const TokenKind next = PeekKind(1);
  if (next != TokenKind::kIdentifier && !IsKeyword(next)) return false;
  return FixMisspelling(
      {TokenKind::kProcedure, TokenKind::kBegin, TokenKind::kConst, TokenKind::kType,
       TokenKind::kException, TokenKind::kVar, TokenKind::kReveal, TokenKind::kEnd},
      "2.2");
}

// <*UNUSED*> or <*OBSOLETE*> in front of one item of a section. False if there is none.
bool Parser::ParseItemPragmas(ast::DeclPragmas& pragmas) {
  bool found = false;
  while ((At(TokenKind::kPragmaUnused) || At(TokenKind::kPragmaObsolete)) &&
         PeekKind(1) == TokenKind::kPragmaClose &&
         (PeekKind(2) == TokenKind::kIdentifier || (found && IsPragma(PeekKind(2))))) {
    (At(TokenKind::kPragmaUnused) ? pragmas.is_unused : pragmas.is_obsolete) = true;
    Advance();
    Advance();
    found = true;
  }
  return found && AtName();
}

// Takes a pragma that precedes a declaration; its effect waits in pragmas_ for the next section.
void Parser::ParseDeclPragma(ast::Block& block) {
  const Token opening = token();
  switch (opening.kind) {
    case TokenKind::kPragmaFatal: ParseFatalPragma(block); return;
    case TokenKind::kPragmaExternal: ParseExternalPragma(pragmas_.external); break;
    case TokenKind::kPragmaInline:
    case TokenKind::kPragmaUnused:
    case TokenKind::kPragmaObsolete:
    case TokenKind::kPragmaImplicit:
      if (opening.kind == TokenKind::kPragmaInline) pragmas_.is_inline = true;
      if (opening.kind == TokenKind::kPragmaUnused) pragmas_.is_unused = true;
      if (opening.kind == TokenKind::kPragmaObsolete) pragmas_.is_obsolete = true;
      if (opening.kind == TokenKind::kPragmaImplicit) pragmas_.is_implicit = true;
      Advance();
      ClosePragma(file_.Span(opening.begin, opening.end));
      break;
    default:
      if (!ParseConvention(pragmas_.convention)) {
        SkipMisplacedPragma();
        return;
      }
  }
  decl_pragmas_.push_back(opening);
}

void Parser::CheckPragmasApply(TokenKind section) {
  for (const Token& pragma : decl_pragmas_) {
    bool applies = true;
    switch (pragma.kind) {
      case TokenKind::kPragmaUnused:
      case TokenKind::kPragmaObsolete: break;
      case TokenKind::kPragmaExternal:
        applies = section == TokenKind::kVar || section == TokenKind::kProcedure;
        break;
      case TokenKind::kPragmaImplicit: applies = section == TokenKind::kException; break;
      default: applies = section == TokenKind::kProcedure;
    }
    if (!applies) {
      Report(MessageId::kPragmaDoesNotApply, file_.Span(pragma.begin, pragma.end),
             TokenSpelling(pragma.kind), SectionWord(section));
    }
  }
}

// <*EXTERNAL*>, <*EXTERNAL N*>, <*EXTERNAL N:L*>.
void Parser::ParseExternalPragma(ast::ExternalPragma& external) {
  const SourceSpan opening = TokenSpan();
  Advance();
  external.is_external = true;
  const auto parse_name = [this]() {
    Name name;
    if (AtIdent()) {
      name = token().name;
      Advance();
    } else if (At(TokenKind::kTextLiteral)) {
      std::string text;
      for (const char32_t c : list_.texts[token().value]) text += static_cast<char>(c);
      name = interner_.Intern(text);
      Advance();
    } else {
      ReportExpected("a name or a text literal", "26");
    }
    return name;
  };
  if (!At(TokenKind::kPragmaClose)) {
    external.link_name = parse_name();
    if (Accept(TokenKind::kColon)) external.language = parse_name();
  }
  ClosePragma(opening);
  external.span = SpanFrom(opening.begin);
}

// <*FATAL E1, E2*>, <*FATAL ANY*>.
void Parser::ParseFatalPragma(ast::Block& block) {
  const SourceSpan opening = TokenSpan();
  Advance();
  ast::FatalPragma fatal;
  if (Accept(TokenKind::kAny)) {
    fatal.is_any = true;
  } else {
    do {
      const ast::QualId id = ParseQualId("an exception or ANY", "26");
      if (id.name.name) fatal.exceptions.push_back(id);
    } while (Accept(TokenKind::kComma));
  }
  ClosePragma(opening);
  fatal.span = SpanFrom(opening.begin);
  block.fatal.push_back(std::move(fatal));
}

// <*TRACE p*>.
void Parser::ParseVariableTrace(ast::Expr*& trace) {
  if (!At(TokenKind::kPragmaTrace) || trace != nullptr) return;
  const SourceSpan opening = TokenSpan();
  Advance();
  trace = ParseExpr();
  ClosePragma(opening);
}

// <*TRACE s1; s2*>.
void Parser::ParseBlockTrace(ast::StmtList& trace) {
  const SourceSpan opening = TokenSpan();
  Advance();
  const Followers outer = followers_;
  followers_ = {};
  followers_.pragma = 1;
  trace = ParseStmtList();
  followers_ = outer;
  ClosePragma(opening);
}

// --- Items ---

// Id [":" Type] "=" ConstExpr.
ast::Decl* Parser::ParseConstDecl() {
  ast::ConstDecl* decl = New<ast::ConstDecl>();
  decl->name = ExpectIdent("a name", "2.2");
  SkipExportMark();
  if (Accept(TokenKind::kColon)) decl->type = ParseType();
  if (At(TokenKind::kAssign)) {
    if (MayRepair()) {
      Repair(MessageId::kEqualWithAssign, TokenSpan(), "the value of a constant")
          .Fix(TokenSpan(), "=");
    }
    Advance();
  } else {
    Expect(TokenKind::kEqual, "2.2");
  }
  decl->value = ParseExpr();
  return decl;
}

// Id ("=" | "<:") Type.
ast::Decl* Parser::ParseTypeDecl() {
  ast::TypeDecl* decl = New<ast::TypeDecl>();
  decl->name = ExpectIdent("a name", "2.2");
  SkipExportMark();
  if (Accept(TokenKind::kSubtype)) {
    decl->is_opaque = true;
  } else if (At(TokenKind::kAssign) || At(TokenKind::kColon) || AtWord("IS")) {
    RepairForeign(ForeignForm::kDefinedBy, TokenSpan(), {std::string(TokenSpan().text())})
        .Fix(TokenSpan(), At(TokenKind::kColon) ? " =" : "=");
    Advance();
  } else if (!At(TokenKind::kEqual) && (AtIdent() || StartsType(kind()))) {
    // `TYPE T RECORD ...`, `type T struct`.
    if (MayRepair()) {
      Repair(MessageId::kExpected, TokenSpan(), "'='", DescribeToken(), "2.2")
          .Fix(AfterPrevious(), " =");
    }
  } else {
    Expect(TokenKind::kEqual, "2.2");
  }
  const uint32_t type_begin = token().begin;
  decl->type = ParseType();
  SkipGenericActuals(type_begin);
  return decl;
}

// Id ["(" Type ")"].
ast::Decl* Parser::ParseExceptionDecl() {
  ast::ExceptionDecl* decl = New<ast::ExceptionDecl>();
  decl->name = ExpectIdent("a name", "2.2");
  const SourceSpan opening = TokenSpan();
  if (Accept(TokenKind::kLeftParen)) {
    decl->argument = ParseType();
    CloseBracket(TokenKind::kRightParen, "')'", opening);
  } else if (At(TokenKind::kColon)) {
    const std::string name(decl->name.name.view());
    DiagnosticBuilder error = RepairForeign(ForeignForm::kVarMissing, TokenSpan(),
                                            {name + ": T", "EXCEPTION " + name + "(T)"});
    const uint32_t before = previous_end_;
    Advance();
    error.Fix(file_.Span(before, token().begin), "(");
    decl->argument = ParseType();
    error.Fix(AfterPrevious(), ")");
  }
  return decl;
}

// IdList (":" Type & ":=" Expr).
ast::Decl* Parser::ParseVariableDecl() {
  ast::VariableDecl* decl = New<ast::VariableDecl>();
  decl->names = ParseIdList("a name", "2.2");
  ParseVariableTrace(decl->trace);
  ParseTypeAndValue(decl->type, decl->initial, "a variable", "an initial value",
                    decl->names.empty() ? AfterPrevious() : decl->names.back().span);
  ParseVariableTrace(decl->trace);
  return decl;
}

// QualId ("=" | "<:") Type.
ast::Decl* Parser::ParseRevealDecl() {
  ast::RevealDecl* decl = New<ast::RevealDecl>();
  decl->name = ParseQualId("the name of an opaque type", "2.2");
  if (Accept(TokenKind::kSubtype)) {
    decl->is_partial = true;
  } else {
    Expect(TokenKind::kEqual, "2.2");
  }
  decl->type = ParseType();
  return decl;
}

void Parser::ParseTypeAndValue(ast::TypeExpr*& type, ast::Expr*& value, std::string_view what,
                               std::string_view value_word, SourceSpan name) {
  if (FixLengthBehindName(type, name)) {
  } else if (Accept(TokenKind::kColon)) {
    const uint32_t type_begin = token().begin;
    type = ParseType();
    SkipGenericActuals(type_begin);
  } else if ((AtIdent() || StartsType(kind())) && !At(TokenKind::kLeftBrace) &&
             file_.PhysicalLine(name.begin) == file_.PhysicalLine(token().begin) &&
             FindKeyword(TokenSpan().text()) == TokenKind::kIdentifier) {
    ParseTypeWithoutColon(type, name);
  }
  if (At(TokenKind::kEqual) && PeekKind(1) != TokenKind::kBegin) {
    if (MayRepair()) {
      Repair(MessageId::kAssignWithoutColon, TokenSpan(), value_word).Fix(TokenSpan(), ":=");
    }
    Advance();
    value = ParseExpr();
  } else if (Accept(TokenKind::kAssign)) {
    value = ParseExpr();
  }
  if (type == nullptr && value == nullptr) {
    if (MayReport()) Report(MessageId::kNeedsTypeOrValue, name, what, value_word);
    type = New<ast::ErrorType>();
    type->span = AfterPrevious();
  }
}

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
  const bool has_receiver = SkipReceiver();
  decl->name = ExpectIdent("the procedure's name", "2.2");
  SkipExportMark();
  if (has_receiver) ReportReceiver(receiver, decl->name);
  decl->signature = ParseSignature();
  ParseForeignHeading();
  bool has_body = Accept(TokenKind::kEqual);
  if (At(TokenKind::kSemicolon) && !has_body &&
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
  const bool has_none = At(TokenKind::kSemicolon) || At(TokenKind::kEqual) ||
                        At(TokenKind::kColon) || At(TokenKind::kBegin) || AtWord("IS");
  if (has_none) {
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
    signature.result = ParseResultType();
  } else if (AtJoined(TokenKind::kMinus, TokenKind::kGreater) || At(TokenKind::kReturn) ||
             AtWord("RETURNS") || AtWord("RETURN")) {
    const bool is_arrow = At(TokenKind::kMinus);
    const SourceSpan mark = is_arrow ? JoinedSpan() : TokenSpan();
    RepairForeign(ForeignForm::kReturnWord, mark, {std::string(mark.text())})
        .Fix(file_.Span(previous_end_, mark.end), ":");
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
  if (AtIdent() && FixForeignFormal(formal)) {
    formal.span = SpanFrom(begin);
    signature.formals.push_back(std::move(formal));
    return;
  }
  formal.names = ParseIdList("a formal's name", "2.2");
  if (formal.names.empty()) return;
  FixModeBehindColon(formal);
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
