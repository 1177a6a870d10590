// The places of the compiler's own files.
#pragma once

#include <string>

namespace tenure::compiler {

// The places of the parts of an installed (or freshly built) compiler, found from the place of its
// executable.
struct Installation {
  std::string library_directory;  // the standard library's sources: folders of .i3 .m3 .ig .mg
  std::string runtime_archive;    // libtenure_runtime.a
  std::string boehm_archive;      // libruntime_boehm.a, for --gc=boehm
  std::string faults_archive;     // libstore_faults.a, for --faults
  std::string explanations;       // the texts of `tenure explain`; see tools/make_explanations.py
  std::string object_cache;       // object files of library units, shared; may be read-only
  std::string linker_directory;   // where ld.lld is; empty: the system's linker
};

// The folder of the library's headers for sources in C.
std::string HeaderDirectory(const Installation& installation);

// Returns an empty problem on success.
std::string FindInstallation(Installation* installation);

}  // namespace tenure::compiler
