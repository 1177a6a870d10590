// What a package is made of, as its build file (build_file.h) or the sources in its folders say.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::compiler {

bool IsSourceName(std::string_view path);  // .i3 .m3 .ig .mg
// The sources directly in a directory, sorted. `error` is empty on success.
std::vector<std::string> SourcesIn(const std::string& directory, std::string* error);

// `program(NAME)` in a build file.
struct ProgramOrder {
  std::string name;
  size_t units = 0;  // of the package's units, how many had been named before
};

struct Package {
  std::string name;
  std::string directory;                // absolute
  std::vector<std::string> units;       // files of Modula-3, generated ones as well
  std::set<std::string> private_units;  // of the units, those that other packages do not see
  std::vector<std::string> c_sources;   // and of the assembler
  std::vector<std::string> include_directories;
  std::vector<std::string> c_options;       // more of the C compiler's
  std::vector<std::string> link_arguments;  // object files, -lNAME, -LDIR
  std::vector<const Package*> imports;      // directly, without the standard library
  std::vector<std::string> templates;       // Quake files for the packages that import this one
  std::vector<ProgramOrder> programs;       // in the order of the build file
  std::string library;                      // empty: none
  bool has_build_file = false;
};

}  // namespace tenure::compiler
