// An interface as `tenure doc` sees it: the compiler's tokens, with the comments and blanks between
// them, and the declarations and imports of the syntax tree. A source with errors also gets a page,
// with the names that the parser understood.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "compiler/ast/ast.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/lex/lexer.h"
#include "compiler/source/interner.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

enum class PieceKind : uint8_t { kBlank, kWord, kKeyword, kLiteral, kComment, kPragma, kOther };

// A part of the source; all parts together are the source.
struct Piece {
  PieceKind kind;
  std::string_view text;
  std::string declares;      // kWord: the full name ("T", "T.method") that it declares; else empty
  bool in_brackets = false;  // within brackets, a record or an object type
};

class InterfaceSource {
 public:
  InterfaceSource(const std::string& name, const std::string& text);

  const std::vector<Piece>& pieces() const { return pieces_; }
  // Full names of declarations, each once, in their order.
  const std::vector<std::string>& declared() const { return declared_; }
  // The generic interface that this one instantiates; empty if this one is not an instance.
  const std::string& generic() const { return generic_; }
  // Local names of imported interfaces, with the interfaces' names.
  const std::map<std::string, std::string>& imports() const { return imports_; }
  // FROM I IMPORT x: x, with I.
  const std::map<std::string, std::string>& imported_names() const { return imported_names_; }

 private:
  void ReadTree();
  void Declare(const ast::Ident& ident, std::string full_name);
  void DeclareMethods(const std::string& type_name, const ast::TypeExpr* type);
  void MakePieces();
  void AddToken(size_t* index);
  // The text between two tokens.
  void AddGap(uint32_t begin, uint32_t end, size_t* comment);
  void Add(PieceKind kind, uint32_t begin, uint32_t end);

  SourceFile file_;
  Interner interner_;
  Diagnostics diagnostics_;  // messages reported here are not shown
  Arena arena_;
  TokenList tokens_;
  const ast::Unit* unit_;                     // null: the text does not begin like a unit
  std::map<uint32_t, std::string> names_at_;  // by the offset of the declaring word
  std::vector<std::string> declared_;
  std::string generic_;
  std::map<std::string, std::string> imports_, imported_names_;
  int depth_ = 0;  // of brackets, while pieces are made
  std::vector<Piece> pieces_;
};

}  // namespace tenure::compiler
