// Source text to syntax tree (language.md section 2).

#pragma once

#include "base/arena.h"
#include "compiler/ast/ast.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/lex/lexer.h"
#include "compiler/source/interner.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

// Parses one compilation unit. Reports errors and goes on; all independent errors are reported,
// each once. Returns the unit, owned by `arena`, with has_errors or has_repairs set (ast::Unit) if
// there was a lexical or syntax error; null only if the text does not begin like a unit (which is
// reported). Accepts any input.
ast::Unit* Parse(const SourceFile& source, Arena& arena, Interner& interner,
                 Diagnostics& diagnostics);

// The same for tokens that were read before.
ast::Unit* Parse(const TokenList& tokens, Arena& arena, Interner& interner,
                 Diagnostics& diagnostics);

}  // namespace tenure::compiler
