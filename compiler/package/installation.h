// The places of the compiler's own files.
#pragma once

#include <string>

#include "compiler/source/problem.h"

namespace tenure::compiler {

// The places of the parts of an installed (or freshly built) compiler, found from the place of its
// executable.
struct Installation {
  std::string library_directory;  // the standard library's sources: folders of .i3 .m3 .ig .mg
  std::string runtime_archive;    // libtenure_runtime.a
  std::string boehm_archive;      // libruntime_boehm.a, for --gc=boehm
  std::string faults_archive;     // libstore_faults.a, for --faults
  std::string explanations;       // the texts of `tenure explain`; see tools/make_explanations.py
  // The name of the library's directory in line tables and messages; the directory itself unless
  // TENURE_STDLIB_NAME says otherwise, as when the library is compiled for another place.
  std::string library_name;
  std::string object_cache;  // object files of library units that came with the compiler
  // Where object files of library units are written that object_cache lacks: object_cache itself in
  // a folder of builds; for an installed compiler the user's cache, or nowhere (empty).
  std::string new_objects;
  std::string linker_directory;  // where ld.lld is; empty: the system's linker
};

// $XDG_CACHE_HOME/tenure, or .cache/tenure in the user's home directory. Makes the directory, for
// the user alone, if it is not there. Empty if the user has none, if it cannot be made, or if
// another user (but root) owns it or everybody can write there: what lies in it is built, linked
// and run, so nobody else may have put it there. A note on stderr tells of the last case.
std::string UserCacheDirectory();

// The folder of the library's headers for sources in C.
std::string HeaderDirectory(const Installation& installation);

// Returns an empty problem on success.
Problem FindInstallation(Installation* installation);

}  // namespace tenure::compiler
