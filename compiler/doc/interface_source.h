// An interface or module as `tenure doc` sees it: the compiler's tokens, with the comments and
// blanks between them, and the declarations and imports of the syntax tree. A source with errors
// also gets a page, with the names that the parser understood.
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

// The methods in a type declaration, without a look at other declarations.
struct TypeOutline {
  // The named supertype; `super` is empty if there is none, `super_unit` if it is not qualified.
  std::string super_unit, super;
  std::vector<std::string> methods;  // that the declaration itself introduces
};

class InterfaceSource {
 public:
  InterfaceSource(const std::string& name, const std::string& text);

  const std::vector<Piece>& pieces() const { return pieces_; }
  // Full names of declarations, each once, in their order.
  const std::vector<std::string>& declared() const { return declared_; }
  // The generic interface that this one instantiates; empty if this one is not an instance.
  const std::string& generic() const { return generic_; }
  // The actual interfaces of an instance; the formal ones of a generic.
  const std::vector<std::string>& actuals() const { return actuals_; }
  const std::vector<std::string>& formals() const { return formals_; }
  // A module's interfaces: those behind EXPORTS, or the one of its name. Empty for an interface.
  const std::vector<std::string>& exports() const { return exports_; }
  // By the name of a type: object types, opaque types, and names for other types.
  const std::map<std::string, TypeOutline>& types() const { return types_; }
  // The line, from 1, of the declaration of a full name; 0 if there is none. In a module, lines of
  // procedures are those of their bodies.
  uint32_t LineOf(const std::string& full_name) const;
  // Local names of imported interfaces, with the interfaces' names.
  const std::map<std::string, std::string>& imports() const { return imports_; }
  // FROM I IMPORT x: x, with I.
  const std::map<std::string, std::string>& imported_names() const { return imported_names_; }

 private:
  void ReadTree();
  void Declare(const ast::Ident& ident, std::string full_name);
  void DeclareMethods(const std::string& type_name, const ast::TypeExpr* type);
  void Outline(const std::string& type_name, const ast::TypeExpr* type);
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
  std::vector<std::string> actuals_, formals_, exports_;
  std::map<std::string, TypeOutline> types_;
  std::map<std::string, uint32_t> lines_;
  std::map<std::string, std::string> imports_, imported_names_;
  int depth_ = 0;  // of brackets, while pieces are made
  std::vector<Piece> pieces_;
};

}  // namespace tenure::compiler
