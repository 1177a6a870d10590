// Check: syntax trees to the typed program, for a whole program at once, because layouts need every
// revelation (docs/architecture.md, "compile").
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/check/checked_unit.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

// The source of units; the driver implements it over directories, tests over strings. Every
// function returns null if the unit does not exist. Files are owned by the source and outlive the
// program.
class UnitSource {
 public:
  virtual ~UnitSource() = default;
  // NAME.i3 as the importing file means it: packages of one program may have units of one name. The
  // compiler itself imports with null.
  virtual const SourceFile* Interface(std::string_view name, const SourceFile* importer) = 0;
  // NAME.ig and NAME.mg, as the file of an instance means them: an instance in a library gets the
  // library's generic even if the program has a generic of the same name.
  virtual const SourceFile* GenericInterface(std::string_view name, const SourceFile* instance) = 0;
  virtual const SourceFile* GenericModule(std::string_view name, const SourceFile* instance) = 0;
  // The modules outside the package that export the interface (found by a quick scan of their
  // headings); the package's own modules are all in the program anyway.
  virtual std::vector<const SourceFile*> ModulesExporting(std::string_view name,
                                                          const SourceFile* interface) = 0;
  // The interfaces that the importing file may import, each once.
  virtual std::vector<const SourceFile*> VisibleInterfaces(const SourceFile*) { return {}; }
  // Stands for the package of the file.
  virtual const void* PackageOf(const SourceFile*) { return nullptr; }
  // The prefix of the unit's link names; not empty if another file has a unit of this name and
  // kind. The prefix depends on all files that exist, whether the program uses them or not.
  virtual std::string LinkPrefix(const SourceFile*) { return ""; }
};

struct CheckOptions {
  std::string program_name;
  // The package's own units: all are checked and become part of the program, used or not.
  std::vector<const SourceFile*> units;
  // The program must have a module that exports Main (false for libraries and single-unit checks).
  bool needs_main = true;
};

// Parses and checks the package's units and all they need, transitively: imported and exported
// interfaces, and the modules that export those. Reports every error of every unit, once, without
// cascades. Returns null when there was an error. Units come in initialisation order
// (docs/language.md 22.2). Units that the compiler needs by itself (Text and TextFlat as soon as
// there is a text literal or &, Thread for LOCK, RuntimeError) are added. Revelations are complete
// and consistent, brands are unique, every type is filled in.
std::unique_ptr<Program> CheckProgram(UnitSource& source, const CheckOptions& options,
                                      Diagnostics& diagnostics);

}  // namespace tenure::compiler
