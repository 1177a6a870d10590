// Check: syntax trees to the typed program, for a whole program at once, because layouts need every
// revelation (docs/architecture.md, "compile").
#pragma once

#include <memory>

#include "compiler/check/checked_unit.h"
#include "compiler/check/unit_source.h"
#include "compiler/diagnostics/diagnostics.h"

namespace tenure::compiler {

// Parses and checks the package's units and all they need, transitively: imported and exported
// interfaces, and the modules that export those. Reports every error of every unit, once, without
// cascades. Returns null when there was an error. Units come in initialisation order
// (docs/language.md 22.2). Units that the compiler needs by itself (Text and TextFlat as soon as
// there is a text literal or &, Thread for LOCK, RuntimeError) are added. Revelations are complete
// and consistent, brands are unique, every type is filled in.
std::unique_ptr<Program> CheckProgram(UnitSource& source, const CheckOptions& options,
                                      Diagnostics& diagnostics);

}  // namespace tenure::compiler
