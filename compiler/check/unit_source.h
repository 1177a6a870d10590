// The source of the checker's units, and the list of units to check.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace tenure::compiler
