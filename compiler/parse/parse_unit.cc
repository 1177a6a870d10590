// Units and imports (language.md 2.1).

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

ast::Unit* Parser::ParseCompilation() {
  ast::Unit* unit = New<ast::Unit>();
  unit_ = unit;
  unit->file = &file_;
  const uint32_t begin = token().begin;
  for (;;) {
    FixLowerCase();
    repairs_.FixForeignUnit(*unit);
    if (At(TokenKind::kPragmaExternal)) {
      ParseExternalPragma(unit->external);
    } else if (At(TokenKind::kPragmaLibrary)) {
      ParseLibraryPragma(*unit);
    } else if (At(TokenKind::kUnsafe)) {
      unit->is_unsafe = true;
      Advance();
    } else if (At(TokenKind::kGeneric)) {
      unit->is_generic = true;
      Advance();
    } else {
      break;
    }
  }
  if (At(TokenKind::kModule)) {
    unit->kind = ast::UnitKind::kModule;
    if (unit->external.is_external) {
      Report(MessageId::kPragmaDoesNotApply, unit->external.span, "EXTERNAL", "MODULE");
    }
    if (!unit->libraries.empty()) {
      Report(MessageId::kPragmaDoesNotApply, unit->libraries[0].span, "LIBRARY", "MODULE");
    }
  } else if (!At(TokenKind::kInterface)) {
    if (MayReport()) {
      Report(MessageId::kExpectedUnit, TokenSpan(), DescribeToken()).Hint(MessageId::kProgramIs);
    }
    return nullptr;
  }
  Advance();
  unit->name = ExpectIdent("the unit's name", "2.1");
  if (unit->name.name) open_names_.push_back(unit->name.name);
  ParseUnitBody(*unit);
  unit->span = SpanFrom(begin);
  unit->has_errors = unit_has_errors_ || structure_damaged_;
  unit->has_repairs = has_repairs_ || has_damaged_body_;
  return unit;
}

// <*LIBRARY "L", "P"*>.
void Parser::ParseLibraryPragma(ast::Unit& unit) {
  const SourceSpan opening = TokenSpan();
  Advance();
  ast::LibraryPragma pragma;
  pragma.library = ParseLinkName("a text literal");
  if (Expect(TokenKind::kComma, "26")) pragma.package = ParseLinkName("a text literal");
  ClosePragma(opening);
  pragma.span = SpanFrom(opening.begin);
  if (pragma.library && pragma.package) unit.libraries.push_back(pragma);
}

void Parser::ParseUnitBody(ast::Unit& unit) {
  const bool is_module = unit.kind == ast::UnitKind::kModule;
  if (At(TokenKind::kExports)) {
    if (!is_module || unit.is_generic) ReportExpected("';'", "2.1");
    Advance();
    unit.has_exports = true;
    unit.exports = ParseIdList("the name of an interface", "2.1");
  }
  if (unit.is_generic) {
    unit.formals = ParseGenericList("a formal's name");
  } else if (Accept(TokenKind::kEqual)) {
    ParseInstance(unit);
    return;
  }
  ExpectSemicolon("the unit's heading", "2.1");
  unit.heading_end = AfterPrevious();
  ParseImports();
  if (is_module) {
    ParseBlockToEnd(unit.block, "the module", /*has_name=*/true);
  } else {
    const uint32_t begin = token().begin;
    ParseDeclarations(unit.block);
    if (At(TokenKind::kBegin)) {
      if (MayReport()) Report(MessageId::kInterfaceBody, TokenSpan());
      Advance();
      ParseStmtList();
    }
    unit.block.span = SpanFrom(begin);
  }
  ParseUnitEnd(unit);
}

// "=" was read: Id GenActls END.
void Parser::ParseInstance(ast::Unit& unit) {
  unit.is_instance = true;
  unit.generic = ExpectIdent("the name of a generic unit", "2.1");
  unit.actuals = ParseGenericList("the name of an interface");
  // `INTERFACE I = G(A);` is a likely slip.
  if (At(TokenKind::kSemicolon) && PeekKind(1) == TokenKind::kEndOfFile && MayRepair()) {
    Repair(MessageId::kExpected, TokenSpan(), "END " + unit.name.name.str() + ".", DescribeToken(),
           "2.1")
        .Fix(TokenSpan(), " END " + unit.name.name.str() + ".");
    Advance();
    return;
  }
  if (At(TokenKind::kSemicolon)) {
    ReportExpected("END", "2.1");
    Advance();
  }
  ParseUnitEnd(unit);
}

// "(" [IdList] ")".
std::vector<ast::Ident> Parser::ParseGenericList(std::string_view what) {
  std::vector<ast::Ident> list;
  const SourceSpan opening = TokenSpan();
  if (!Expect(TokenKind::kLeftParen, "2.1")) return list;
  if (!At(TokenKind::kRightParen)) list = ParseIdList(what, "2.1");
  CloseBracket(TokenKind::kRightParen, "',' or ')'", opening);
  return list;
}

void Parser::ParseUnitEnd(ast::Unit& unit) {
  ParseNamedEnd(unit.block, unit.kind == ast::UnitKind::kModule ? "module" : "interface",
                unit.name);
  if (At(TokenKind::kSemicolon) || At(TokenKind::kEndOfFile)) {
    // `END Main;`: go on as if it were the point.
    if (MayRepair()) {
      const bool is_semicolon = At(TokenKind::kSemicolon);
      Repair(MessageId::kExpected, is_semicolon ? TokenSpan() : AfterPrevious(), "'.'",
             DescribeToken(), "2.1")
          .Fix(is_semicolon ? TokenSpan() : AfterPrevious(), ".");
    }
    Accept(TokenKind::kSemicolon);
  } else {
    Expect(TokenKind::kDot, "2.1");
  }
  if (!At(TokenKind::kEndOfFile) && MayReport()) {
    Report(MessageId::kTextAfterUnit, TokenSpan());
  }
}

void Parser::ParseImports() {
  for (;;) {
    if (AtIdent()) FixLowerCase();
    if (At(TokenKind::kImport)) {
      ParseAsImport();
    } else if (At(TokenKind::kFrom)) {
      ParseFromImport();
    } else {
      return;
    }
  }
}

// IMPORT ImportItem {"," ImportItem} ";".
void Parser::ParseAsImport() {
  Advance();
  do {
    const uint32_t begin = token().begin;
    ast::Import import;
    if (At(TokenKind::kTextLiteral) && Helps()) {
      const std::string_view quoted = TokenSpan().text();
      const std::string_view name = quoted.substr(1, quoted.size() < 2 ? 0 : quoted.size() - 2);
      DiagnosticBuilder error =
          ReportForeign(ForeignForm::kOtherImport, TokenSpan(), {std::string(quoted)});
      if (name.find('/') == std::string_view::npos) error.Fix(TokenSpan(), name);
      Advance();
      continue;
    }
    import.interface = ExpectIdent("the name of an interface", "2.1");
    import.local = import.interface;
    if (Helps() && (At(TokenKind::kAssign) || At(TokenKind::kEqual)) &&
        PeekKind(1) == TokenKind::kIdentifier) {
      // `IMPORT Out := IO`
      Advance();
      import.interface = ExpectIdent("the name of an interface", "2.1");
      const SourceSpan whole = SpanFrom(begin);
      const std::string ours = import.interface.name.str() + " AS " + import.local.name.str();
      has_repairs_ = true;
      ShowForeign(ForeignForm::kImportAlias, whole, {std::string(whole.text()), ours})
          .Fix(whole, ours);
    }
    if (At(TokenKind::kDot) && Helps()) {
      if ((IsWord(1, "I3") || IsWord(1, "M3")) && MayRepair()) {
        // `IMPORT Fmt.i3`
        const SourceSpan ending = SpanTo(1);
        ShowForeign(ForeignForm::kOtherImport, ending).Fix(ending, "");
        has_repairs_ = true;
        Advance();
        Advance();
        import.span = SpanFrom(begin);
        unit_->imports.push_back(import);
        continue;
      }
      // `IMPORT java.util.List`
      ReportForeign(ForeignForm::kOtherImport, SpanFrom(begin),
                    {std::string(SpanFrom(begin).text()) + ". ..."});
      while (!At(TokenKind::kSemicolon) && !At(TokenKind::kComma) && !AtDeclarationStart() &&
             !At(TokenKind::kEndOfFile)) {
        Advance();
      }
      continue;
    }
    if (Accept(TokenKind::kAs)) import.local = ExpectIdent("a name after AS", "2.1");
    import.span = SpanFrom(begin);
    if (import.local.name) unit_->imports.push_back(import);
  } while (Accept(TokenKind::kComma));
  ExpectSemicolon("the import", "2.1");
}

// FROM Id IMPORT IdList ";".
void Parser::ParseFromImport() {
  const uint32_t begin = token().begin;
  Advance();
  const ast::Ident interface = ExpectIdent("the name of an interface", "2.1");
  const bool has_import = Expect(TokenKind::kImport, "2.1");
  if (has_import && At(TokenKind::kStar) && Helps()) {
    ReportForeign(ForeignForm::kStarImport, TokenSpan());
    Advance();
  } else if (has_import) {
    for (const ast::Ident& item : ParseIdList("a name from the interface", "2.1")) {
      ast::Import import;
      import.is_from = true;
      import.interface = interface;
      import.local = item;
      import.span = SpanFrom(begin);
      if (interface.name) unit_->imports.push_back(import);
    }
  }
  ExpectSemicolon("the import", "2.1");
}

}  // namespace tenure::compiler
