// The whole compiler, phase by phase.
#pragma once

#include <functional>
#include <string>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/driver/options.h"
#include "compiler/package/package_source.h"

namespace tenure::compiler {

// Builds the package that the options name. Prints diagnostics and problems on stderr. Returns an
// ExitStatus; on success `program` is the path of the executable (empty after a --dump).
int Build(const Options& options, std::string* program);

// Checks the sources of the package that the options name, a program's or a library's, and if these
// are correct the modules in its tests; builds nothing. Prints diagnostics and problems on stderr.
// Returns an ExitStatus. Files that a build file generates go to the package's .tenure if it
// exists, and are removed again otherwise.
int CheckSources(const Options& options);

// The same, where `texts` stand in place of files of the package. If `see` is given, it gets the
// messages of each program, which are then not printed.
using SeeMessages = std::function<void(const Diagnostics&, const PackageSource&)>;
int CheckTexts(const Options& options, const SourceTexts& texts, const SeeMessages& see);

}  // namespace tenure::compiler
