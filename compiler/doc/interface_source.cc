#include "compiler/doc/interface_source.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "compiler/parse/parser.h"

namespace tenure::compiler {

namespace {

PieceKind KindOf(const Token& token) {
  if (IsKeyword(token.kind)) return PieceKind::kKeyword;
  switch (token.kind) {
    case TokenKind::kIdentifier: return PieceKind::kWord;
    case TokenKind::kCharLiteral:
    case TokenKind::kTextLiteral: return PieceKind::kLiteral;
    default: return PieceKind::kOther;
  }
}

// The change of nesting depth by the token.
int Nesting(TokenKind kind) {
  switch (kind) {
    case TokenKind::kLeftParen:
    case TokenKind::kLeftBracket:
    case TokenKind::kLeftBrace:
    case TokenKind::kRecord:
    case TokenKind::kObject: return 1;
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
    case TokenKind::kEnd: return -1;
    default: return 0;
  }
}

bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

}  // namespace

InterfaceSource::InterfaceSource(const std::string& name, const std::string& text)
    : file_(name, text),
      tokens_(Lex(file_, interner_, diagnostics_)),
      unit_(Parse(tokens_, arena_, interner_, diagnostics_)) {
  if (unit_ != nullptr) ReadTree();
  MakePieces();
}

void InterfaceSource::ReadTree() {
  if (unit_->is_instance) generic_ = unit_->generic.name.str();
  for (const ast::Ident& actual : unit_->actuals) actuals_.push_back(actual.name.str());
  for (const ast::Ident& formal : unit_->formals) formals_.push_back(formal.name.str());
  if (unit_->kind == ast::UnitKind::kModule) {
    for (const ast::Ident& exported : unit_->exports) exports_.push_back(exported.name.str());
    if (!unit_->has_exports) exports_.push_back(unit_->name.name.str());
  }
  for (const ast::Import& import : unit_->imports) {
    const std::string interface = import.interface.name.str();
    if (import.is_from) {
      imports_.emplace(interface, interface);
      imported_names_[import.local.name.str()] = interface;
    } else {
      imports_[import.local.name.str()] = interface;
    }
  }
  for (const ast::Decl* const decl : unit_->block.declarations) {
    if (const auto* constant = ast::DynAs<ast::ConstDecl>(decl)) {
      Declare(constant->name, constant->name.name.str());
    } else if (const auto* type = ast::DynAs<ast::TypeDecl>(decl)) {
      Declare(type->name, type->name.name.str());
      DeclareMethods(type->name.name.str(), type->type);
      Outline(type->name.name.str(), type->type);
    } else if (const auto* exception = ast::DynAs<ast::ExceptionDecl>(decl)) {
      Declare(exception->name, exception->name.name.str());
    } else if (const auto* variables = ast::DynAs<ast::VariableDecl>(decl)) {
      for (const ast::Ident& ident : variables->names) Declare(ident, ident.name.str());
    } else if (const auto* procedure = ast::DynAs<ast::ProcedureDecl>(decl)) {
      Declare(procedure->name, procedure->name.name.str());
    } else if (const auto* revelation = ast::DynAs<ast::RevealDecl>(decl)) {
      // Another interface declares the type, as a rule.
      const ast::QualId& name = revelation->name;
      const std::string qualifier = name.is_qualified() ? name.qualifier.name.str() + "." : "";
      DeclareMethods(qualifier + name.name.name.str(), revelation->type);
    }
  }
}

void InterfaceSource::Declare(const ast::Ident& ident, std::string full_name) {
  if (!ident.name || ident.span.begin == ident.span.end) return;
  if (std::find(declared_.begin(), declared_.end(), full_name) == declared_.end()) {
    declared_.push_back(full_name);
  }
  lines_.emplace(full_name, ident.span.line());
  names_at_.emplace(ident.span.begin, std::move(full_name));
}

uint32_t InterfaceSource::LineOf(const std::string& full_name) const {
  const auto found = lines_.find(full_name);
  return found == lines_.end() ? 0 : found->second;
}

void InterfaceSource::Outline(const std::string& type_name, const ast::TypeExpr* type) {
  TypeOutline& outline = types_[type_name];
  while (const auto* object = ast::DynAs<ast::ObjectType>(type)) {
    for (const ast::Method& method : object->methods) {
      outline.methods.push_back(method.name.name.str());
    }
    type = object->supertype;
  }
  const auto* named = ast::DynAs<ast::NamedType>(type);
  if (named == nullptr || named->form != ast::NamedType::Form::kQualId) return;
  outline.super = named->id.name.name.str();
  if (named->id.is_qualified()) outline.super_unit = named->id.qualifier.name.str();
}

void InterfaceSource::DeclareMethods(const std::string& type_name, const ast::TypeExpr* type) {
  const auto* const object = ast::DynAs<ast::ObjectType>(type);
  if (object == nullptr) return;
  DeclareMethods(type_name, object->supertype);
  for (const ast::Method& method : object->methods) {
    Declare(method.name, type_name + "." + method.name.name.str());
  }
}

void InterfaceSource::MakePieces() {
  uint32_t at = 0;
  size_t comment = 0;
  for (size_t i = 0; i < tokens_.tokens.size(); ++i) {
    AddGap(at, tokens_.tokens[i].begin, &comment);
    if (tokens_.tokens[i].kind == TokenKind::kEndOfFile) break;
    AddToken(&i);
    at = tokens_.tokens[i].end;
    // Comments within a pragma are part of the pragma.
    while (comment < tokens_.comments.size() && tokens_.comments[comment].begin < at) ++comment;
  }
  AddGap(std::max(at, tokens_.tokens.back().begin), file_.size(), &comment);
}

// Advances *index to the last token of a pragma.
void InterfaceSource::AddToken(size_t* index) {
  const Token& token = tokens_.tokens[*index];
  if (IsPragma(token.kind)) {
    size_t last = *index;
    while (last + 2 < tokens_.tokens.size() &&
           tokens_.tokens[last].kind != TokenKind::kPragmaClose) {
      ++last;
    }
    *index = last;
    Add(PieceKind::kPragma, token.begin, tokens_.tokens[last].end);
    return;
  }
  const int nesting = Nesting(token.kind);
  if (nesting < 0) depth_ = std::max(0, depth_ + nesting);
  Add(KindOf(token), token.begin, token.end);
  if (nesting > 0) depth_ += nesting;
}

void InterfaceSource::AddGap(uint32_t begin, uint32_t end, size_t* comment) {
  const std::string_view text = file_.text();
  while (begin < end) {
    const bool has_comment =
        *comment < tokens_.comments.size() && tokens_.comments[*comment].begin < end;
    if (has_comment && tokens_.comments[*comment].begin <= begin) {
      const uint32_t behind = std::min(tokens_.comments[*comment].end, end);
      Add(PieceKind::kComment, begin, behind);
      begin = behind;
      ++*comment;
      continue;
    }
    const uint32_t limit = has_comment ? tokens_.comments[*comment].begin : end;
    uint32_t behind = begin;
    const bool blank = IsBlank(text[begin]);
    while (behind < limit && IsBlank(text[behind]) == blank) ++behind;
    // A part that the lexer skips and that is neither blank nor a comment: a pragma, or an illegal
    // character.
    Add(blank ? PieceKind::kBlank : PieceKind::kPragma, begin, behind);
    begin = behind;
  }
}

void InterfaceSource::Add(PieceKind kind, uint32_t begin, uint32_t end) {
  if (begin >= end) return;
  Piece piece{kind, file_.text().substr(begin, end - begin), "", depth_ > 0};
  if (const auto name = names_at_.find(begin); name != names_at_.end())
    piece.declares = name->second;
  pieces_.push_back(std::move(piece));
}

}  // namespace tenure::compiler
