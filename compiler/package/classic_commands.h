// Definitions that build files for other builders (SRC m3build, PM3, CM3) expect beyond the
// commands that describe a package (docs/packages.md): variables, commands that are accepted and do
// nothing, and commands that need a tool that does not exist here.
#pragma once

#include "compiler/package/package.h"
#include "compiler/quake/interpreter.h"

namespace tenure::compiler {

// The only target, as classic builders name it; also the folder of generated files.
inline constexpr const char* kTargetName = "AMD64_LINUX";

// The file that generate_tfile writes, in the folder of generated files.
inline constexpr const char* kUnitTable = ".M3IMPTAB";

void DefineClassicCommands(quake::Interpreter& interpreter);
// The installation folders lie below `scratch_directory`: nothing is installed.
void DefineClassicVariables(quake::Interpreter& interpreter, const Package& package,
                            const std::string& scratch_directory);

}  // namespace tenure::compiler
