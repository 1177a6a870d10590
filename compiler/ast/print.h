// Syntax trees as text, for --dump=ast and for tests.

#pragma once

#include <string>

#include "compiler/ast/ast.h"

namespace tenure::compiler::ast {

// The whole tree as nested parentheses, `(kind part part ...)`: a line per declaration and
// statement, expressions and types within the line. Missing parts are `-`.
std::string Print(const Unit& unit);
std::string Print(const Expr& expr);
std::string Print(const TypeExpr& type);
std::string Print(const Stmt& stmt);
std::string Print(const Decl& decl);

}  // namespace tenure::compiler::ast
