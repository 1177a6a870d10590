// Forms of other languages that the lexer and the parser know, in order to say what Modula-3 has
// instead.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"

namespace tenure::compiler {

enum class ForeignForm : uint8_t {
#define TN_FOREIGN_FORM(id, form, ours, rule) id,
#include "compiler/foreign/tables/forms.def"
};

// Reports the form at the span. The arguments are those of forms.def.
DiagnosticBuilder ReportForeignForm(Diagnostics& diagnostics, ForeignForm form, SourceSpan span,
                                    const std::vector<std::string>& args = {});

}  // namespace tenure::compiler
