// `tenure fmt`: lays out sources in the library's style.
#pragma once

#include "compiler/driver/options.h"

namespace tenure::compiler {

// Formats the files, the sources in the directories, or standard input. Prints diagnostics and
// problems on stderr. Returns an ExitStatus: kExitProblems if a source does not parse, or with
// --check or --diff if one is not formatted.
int FormatSources(const Options& options);

}  // namespace tenure::compiler
