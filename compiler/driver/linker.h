// Linking the objects of a program with the run time, by the system's compiler driver.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/check/checked_unit.h"
#include "compiler/package/installation.h"
#include "compiler/package/package.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

struct LinkInputs {
  std::vector<std::string> objects;
  std::vector<std::string> arguments;    // more objects, -lNAME, -LDIR of the build files
  std::vector<SystemLibrary> libraries;  // that interfaces of the program name
  bool boehm = false;                    // with libgc as the collector
  bool is_static = false;                // with the system's libraries in the program
  bool faults = false;                   // with faults of stores, for tests
};

// The sources in C of a package.
struct ForeignInputs {
  const Package& package;
  const Installation& installation;
  std::string directory;  // of the object files; made if missing
  bool verbose;           // prints the name of each source that is compiled
};

// Compiles the sources in C of a package, unless they and all headers that they include are
// unchanged. Headers of the library (m3core.h) are found after the package's. Adds the object files
// to `objects`, and the sources and headers to `files_read`.
Problem CompileForeign(const ForeignInputs& inputs, std::vector<std::string>* objects,
                       std::set<std::string>* files_read);

// Makes one object file, `path`, of the parts, and removes the parts.
Problem LinkParts(const std::vector<std::string>& parts, const Installation& installation,
                  const std::string& path);

// Makes the output completely or not at all. `verbose` prints the command.
Problem LinkProgram(const LinkInputs& inputs, const Installation& installation,
                    const std::string& output, bool verbose);

}  // namespace tenure::compiler
