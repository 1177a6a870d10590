// Source text to tokens (language.md section 1, pragmas section 26).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/lex/token.h"
#include "compiler/source/interner.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

// Splits the file into tokens. Reports lexical errors and continues behind each. Passes LINE
// pragmas to the file and NOWARN pragmas to `diagnostics`.
TokenList Lex(const SourceFile& source, Interner& interner, Diagnostics& diagnostics);

}  // namespace tenure::compiler
