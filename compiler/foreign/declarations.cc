// Declarations and units in the forms of other languages.
#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

bool Repairer::FixForeignSection(ast::Block& block) {
  if (!p_.Helps(1)) return false;
  if (p_.At(kLeftBrace)) {
    SkipBraceComment();
    return true;
  }
  if (!p_.AtIdent()) return false;
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const TokenKind next = p_.PeekKind(1);
  const bool before_name = next == kIdentifier;
  if (upper == "FUNCTION" || upper == "FUNC" || upper == "SUB" || upper == "METHOD" ||
      upper == "PROC") {
    if (!before_name) return false;
    const size_t behind =
        p_.PeekKind(2) == kLeftParen ? p_.BehindBrackets(p_.position_ + 2) : p_.position_ + 2;
    for (size_t i = behind; i < behind + 3 && i < tokens_.size(); ++i) {
      if (tokens_[i].kind == kLeftBrace) {
        return SkipSection(ForeignForm::kFunctionWord, word);
      }
    }
    return FixSectionWord(ForeignForm::kFunctionWord, kProcedure);
  }
  if (SkipSectionWord()) return true;
  if ((upper == "DEF" || upper == "FN" || upper == "VOID") && before_name) {
    const size_t behind =
        p_.PeekKind(2) == kLeftParen ? p_.BehindBrackets(p_.position_ + 2) : p_.position_;
    const bool is_heading = tokens_[behind].kind == kEqual ||
                            (behind > p_.position_ && p_.IsPascalStyle(p_.Peek(1).name));
    // Only the word is another language's.
    if (is_heading) return FixSectionWord(ForeignForm::kFunctionWord, kProcedure);
    return SkipSection(ForeignForm::kFunctionWord, word);
  }
  if (before_name && p_.PeekKind(2) == kLeftParen) {
    return SkipSection(ForeignForm::kFunctionWord, word + " " + p_.Peek(1).name.str() + "(...)");
  }
  if ((upper == "CLASS" || upper == "STRUCT") && before_name) {
    return SkipSection(ForeignForm::kClassDeclaration, word);
  }
  if (upper == "USES" || upper == "USING" || upper == "REQUIRE" || upper == "WITH" ||
      upper == "USE" || upper == "INCLUDE") {
    return before_name && FixImportWord(upper != "USING" && block.declarations.empty());
  }
  if (FixVariableWithoutVar(block)) return true;
  if (next == kLeftParen || next == kDot || next == kAssign) {
    // Statements without BEGIN: they go on to an END, or BEGIN follows later.
    p_.ReportForeign(ForeignForm::kStatementOutside, p_.SpanTo(1),
                     {word + std::string(TokenSpelling(next)) + "..."});
    p_.SkipToDeclaration();
    p_.last_error_ = p_.position_;
    return true;
  }
  return false;
}

// Reports the form and skips to the next declaration.
bool Repairer::SkipSection(ForeignForm form, const std::string& word) {
  p_.ReportForeign(form, p_.TokenSpan(), {word});
  SkipForeignStatement();
  p_.Accept(kSemicolon);
  while (!p_.At(kEndOfFile) && !p_.AtDeclarationStart() && !p_.At(kEnd)) {
    p_.Advance();
  }
  p_.last_error_ = p_.position_;
  return true;
}

// Makes the word at the cursor this keyword.
bool Repairer::FixSectionWord(ForeignForm form, TokenKind ours) {
  p_.RepairForeign(form, p_.TokenSpan()).Fix(p_.TokenSpan(), TokenSpelling(ours));
  p_.Rewrite(p_.position_).kind = ours;
  return true;
}

// `USES IO, Fmt;` is our import with another word, if imports may stand here.
bool Repairer::FixImportWord(bool may_import) {
  for (size_t i = p_.position_ + 1; i < tokens_.size() && tokens_[i].kind != kSemicolon; ++i) {
    may_import = may_import && (tokens_[i].kind == kIdentifier || tokens_[i].kind == kComma);
  }
  if (!may_import) return SkipSection(ForeignForm::kOtherImport, p_.token().name.str());
  FixSectionWord(ForeignForm::kOtherImport, kImport);
  p_.ParseImports();
  return true;
}

// `int x;`, `INTEGER x;`, `x: INTEGER;`.
bool Repairer::FixVariableWithoutVar(ast::Block& block) {
  const uint32_t begin = p_.token().begin;
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const TokenKind next = p_.PeekKind(1), second = p_.PeekKind(2);
  ast::VariableDecl* decl = nullptr;
  if (next == kIdentifier && (second == kSemicolon || second == kEqual || second == kAssign) &&
      FindKeyword(upper) == kIdentifier) {
    const std::string name = p_.Peek(1).name.str();
    const std::string type(TypeOfWord(upper).empty() ? std::string_view(word) : TypeOfWord(upper));
    const std::string written = "VAR " + name + (IsDeclaringWord(upper) ? "" : ": " + type);
    const SourceSpan whole = p_.SpanTo(1);
    p_.RepairForeign(ForeignForm::kVarMissing, whole, {word + " " + name, written})
        .Fix(whole, written);
    decl = p_.New<ast::VariableDecl>();
    p_.Advance();
    decl->names = {{p_.token().name, p_.TokenSpan()}};
    p_.Advance();
    ast::TypeExpr* none = nullptr;
    ast::Expr* value = nullptr;
    if (!p_.At(kSemicolon)) {
      p_.ParseTypeAndValue(none, value, "a variable", "an initial value", decl->names[0].span);
    }
    decl->type = p_.New<ast::ErrorType>();
    decl->type->span = whole;
  } else if (next == kColon || (next == kComma && second == kIdentifier)) {
    p_.RepairForeign(ForeignForm::kVarMissing, p_.TokenSpan(),
                     {word + ": ...", "VAR " + word + ": ..."})
        .Fix(file_.Span(begin, begin), "VAR ");
    decl = ast::As<ast::VariableDecl>(p_.ParseVariableDecl());
  } else {
    return false;
  }
  decl->span = p_.SpanFrom(begin);
  p_.ExpectSemicolon("the variable", "2.2");
  block.declarations.push_back(decl);
  return true;
}

// --- words in front of a declaration ---

bool Repairer::AtSectionWord() const {
  return p_.AtIdent() && p_.Helps(1) && p_.PeekKind(1) == kIdentifier &&
         FindForeignWord(In(WordPlace::kSection), Upper(p_.token().name.view())) != nullptr;
}

bool Repairer::SkipSectionWord() {
  const std::string text = p_.token().name.str();
  const ForeignWord* word = FindForeignWord(In(WordPlace::kSection), Upper(text));
  const TokenKind next = p_.PeekKind(1);
  if (word == nullptr ||
      (next != kIdentifier && next != kNumber && next != kSemicolon && !IsKeyword(next))) {
    return false;
  }
  p_.ReportForeign(word->form, p_.TokenSpan(), {text, std::string(word->advice)});
  p_.Advance();
  // `IMPL T ... END T;`
  for (size_t i = p_.position_ + 1; i + 2 < tokens_.size() && p_.AtIdent(); ++i) {
    if (tokens_[i].kind != kEnd || tokens_[i + 1].name != p_.token().name ||
        tokens_[i + 1].kind != kIdentifier || tokens_[i + 2].kind != kSemicolon) {
      continue;
    }
    p_.unit_has_errors_ = true;
    p_.AdvanceTo(i + 3);
    p_.last_error_ = p_.position_;
    return true;
  }
  while (!p_.At(kSemicolon) && !p_.AtDeclarationStart() && !p_.AtAny({kEnd, kBegin, kEndOfFile})) {
    if (p_.At(kLeftBrace)) {
      p_.SkipBalanced(kLeftBrace, kRightBrace);
    } else {
      p_.Advance();
    }
  }
  p_.Accept(kSemicolon);
  p_.last_error_ = p_.position_;
  return true;
}

// --- units ---

bool Repairer::FixForeignUnit(ast::Unit& unit) {
  if (!p_.AtIdent() || !p_.Helps()) return false;
  const uint32_t begin = p_.token().begin;
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const SourceSpan span = p_.TokenSpan();
  if (upper == "PROGRAM" && p_.PeekKind(1) == kIdentifier) {
    const std::string name = p_.Peek(1).name.str();
    const bool is_main = name == "Main";
    DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kProgram, span, {word, name});
    error.Fix(span, "MODULE");
    if (!is_main) {
      const uint32_t end = p_.Peek(1).end;
      error.Fix(file_.Span(end, end), " EXPORTS Main");
      unit.has_exports = true;
      unit.exports = {{p_.interner_.Intern("Main"), span}};
    }
    p_.Rewrite(p_.position_).kind = kModule;
    return true;
  }
  const bool is_definition = upper == "DEFINITION" || upper == "FOREIGN";
  if ((is_definition || upper == "IMPLEMENTATION") &&
      (p_.PeekKind(1) == kModule || p_.IsWord(1, "MODULE"))) {
    const std::string name = p_.PeekKind(2) == kIdentifier ? p_.Peek(2).name.str() : "M";
    const SourceSpan both = file_.Span(begin, p_.Peek(1).end);
    p_.RepairForeign(is_definition ? ForeignForm::kDefinition : ForeignForm::kImplementation, both,
                     {name})
        .Fix(both, is_definition ? "INTERFACE" : "MODULE");
    p_.Advance();
    p_.Rewrite(p_.position_).kind = is_definition ? kInterface : kModule;
    return true;
  }
  return false;
}

}  // namespace tenure::compiler
