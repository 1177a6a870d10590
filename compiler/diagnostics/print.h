// How messages are printed: for people, as much as fits and is of use, or for programs.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdio>
#include <string>

#include "compiler/diagnostics/diagnostics.h"

namespace tenure::compiler {

struct PrintForm {
  DiagnosticFormat format = DiagnosticFormat::kText;
  DiagnosticColor color = DiagnosticColor::kAuto;
  // The first ones in the order of the files are printed, and then how many are not. Errors have a
  // limit of their own (Diagnostics::set_max_errors).
  int max_warnings = INT_MAX;
};

// All messages, as Diagnostics::Render says. `columns`: of the terminal, for the lines of the
// source; 0: there is none.
std::string RenderDiagnostics(const Diagnostics& diagnostics, const PrintForm& form, bool colored,
                              size_t columns);

// The same for what the stream is: a terminal or not.
void PrintDiagnostics(std::FILE* stream, const Diagnostics& diagnostics, const PrintForm& form);

}  // namespace tenure::compiler
