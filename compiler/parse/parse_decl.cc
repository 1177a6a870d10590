// Sections of declarations and their items (language.md 2.2, pragmas 26).

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

const char* ItemWords(TokenKind section) {
  switch (section) {
    case TokenKind::kConst: return "the constant";
    case TokenKind::kType: return "the type";
    case TokenKind::kException: return "the exception";
    case TokenKind::kVar: return "the variable";
    default: return "the revelation";
  }
}

bool IsSection(TokenKind k) {
  return k == TokenKind::kConst || k == TokenKind::kType || k == TokenKind::kException ||
         k == TokenKind::kVar || k == TokenKind::kProcedure || k == TokenKind::kReveal;
}

}  // namespace

// {Decl}. Ends at BEGIN, END, or the end of the file.
void Parser::ParseDeclarations(ast::Block& block) {
  VariableNames variables(block);
  for (;;) {
    const size_t start = position_;
    if (IsSection(kind())) {
      ParseSection(block, variables);
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
    } else if (AtAny({TokenKind::kBegin, TokenKind::kEnd, TokenKind::kEndOfFile})) {
      break;
    } else if (in_statement_block_ && AtIdent()) {
      break;  // The missing BEGIN is reported.
    } else if (repairs_.FixForeignSection(block)) {
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

void Parser::ParseSection(ast::Block& block, VariableNames& variables) {
  const TokenKind section = kind();
  CheckPragmasApply(section);
  const ast::DeclPragmas pragmas = pragmas_;
  decl_pragmas_.clear();
  pragmas_ = {};
  if (section == TokenKind::kProcedure) {
    TryItem([&] {
      ast::Block scratch;
      ParseProcedureDecl(scratch, pragmas);
    });
    ParseProcedureDecl(block, pragmas);
    return;
  }
  const size_t section_begin = position_;
  Advance();
  ast::DeclPragmas item_pragmas = pragmas;
  // Behind a name that begins no item, statements begin too early.
  const auto at_statement = [&] {
    const TokenKind next = PeekKind(1);
    return AtIdent() && Helps(1) &&
           (section == TokenKind::kVar || section == TokenKind::kConst ||
            section == TokenKind::kType) &&
           (next == TokenKind::kDot || next == TokenKind::kLeftParen ||
            next == TokenKind::kLeftBracket || next == TokenKind::kCaret) &&
           FindKeyword(token().name.view()) == TokenKind::kIdentifier &&
           position_ > section_begin + 1;
  };
  while (!at_statement() && !repairs_.AtSectionWord() &&
         ((AtName() && !FixSection()) || ParseItemPragmas(item_pragmas))) {
    const uint32_t begin = token().begin;
    if (section == TokenKind::kVar && PeekKind(1) == TokenKind::kAssign &&
        variables.Has(token().name)) {
      if (grammar_only_) {
        Fail();
        return;
      }
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
    TryItem([&] {
      ParseItem(section);
      RequireNext({TokenKind::kSemicolon});
    });
    ast::Decl* decl = ParseItem(section);
    decl->pragmas = item_pragmas;
    decl->span = SpanFrom(begin);
    item_pragmas = pragmas;
    ExpectSemicolon(ItemWords(section), "2.2");
    block.declarations.push_back(decl);
  }
}

ast::Decl* Parser::ParseItem(TokenKind section) {
  switch (section) {
    case TokenKind::kConst: return ParseConstDecl();
    case TokenKind::kType: return ParseTypeDecl();
    case TokenKind::kException: return ParseExceptionDecl();
    case TokenKind::kVar: return ParseVariableDecl();
    default: return ParseRevealDecl();
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

Name Parser::ParseLinkName(std::string_view what) {
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
    ReportExpected(what, "26");
  }
  return name;
}

// <*EXTERNAL*>, <*EXTERNAL N*>, <*EXTERNAL N:L*>.
void Parser::ParseExternalPragma(ast::ExternalPragma& external) {
  const SourceSpan opening = TokenSpan();
  Advance();
  external.is_external = true;
  if (!At(TokenKind::kPragmaClose)) {
    external.link_name = ParseLinkName("a name or a text literal");
    if (Accept(TokenKind::kColon)) {
      external.language = ParseLinkName("a name or a text literal");
    }
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
  repairs_.SkipExportMark();
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
  repairs_.SkipExportMark();
  if (Accept(TokenKind::kSubtype)) {
    decl->is_opaque = true;
  } else if (Helps() && (At(TokenKind::kAssign) || At(TokenKind::kColon) || AtWord("IS"))) {
    RepairForeign(ForeignForm::kDefinedBy, TokenSpan())
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
  repairs_.SkipGenericActuals(type_begin);
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
  } else if (At(TokenKind::kColon) && Helps()) {
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
  if (repairs_.FixLengthBehindName(type, name)) {
  } else if (Accept(TokenKind::kColon)) {
    const uint32_t type_begin = token().begin;
    type = ParseType();
    repairs_.SkipGenericActuals(type_begin);
  } else if (Helps() && (AtIdent() || StartsType(kind())) && !At(TokenKind::kLeftBrace) &&
             file_.PhysicalLine(name.begin) == file_.PhysicalLine(token().begin) &&
             FindKeyword(TokenSpan().text()) == TokenKind::kIdentifier) {
    repairs_.ParseTypeWithoutColon(type, name);
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

}  // namespace tenure::compiler
