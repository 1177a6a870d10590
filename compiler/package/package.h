// The contents of a package, as described by its build file (build_file.h) or by the sources in its
// folders.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/problem.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

bool IsSourceName(std::string_view path);  // .i3 .m3 .ig .mg
// The sources directly in a directory, sorted. `error` is empty on success.
std::vector<std::string> SourcesIn(const std::string& directory, Problem* problem);

// `program(NAME)` in a build file.
struct ProgramOrder {
  std::string name;
  size_t units = 0;  // number of the package's units that were named before this program
};

struct Package {
  std::string name;
  std::string directory;                // absolute
  std::vector<std::string> units;       // files of Modula-3, generated ones as well
  std::set<std::string> private_units;  // the units that other packages do not see
  std::vector<std::string> c_sources;   // sources in C and for the assembler
  std::vector<std::string> include_directories;
  std::vector<std::string> c_options;       // more options of the C compiler
  std::vector<std::string> link_arguments;  // object files, -lNAME, -LDIR
  std::vector<const Package*> imports;  // packages imported directly, without the standard library
  std::vector<std::string> templates;   // Quake files for the packages that import this one
  std::vector<ProgramOrder> programs;   // in the order of the build file
  std::string library;                  // empty: none
  bool has_build_file = false;
  bool has_manifest = false;     // tenure.toml
  SourceSpan end_of_build_file;  // invalid without a build file
};

}  // namespace tenure::compiler
