// A package's source files, the standard library's, and where the compiler's own files are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/check/check.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

// Where an installed (or freshly built) compiler finds its parts, from the place of its own
// executable.
struct Installation {
  std::string library_directory;  // the standard library's sources: folders of .i3 .m3 .ig .mg
  std::string runtime_archive;    // libtenure_runtime.a
  std::string
      object_cache;  // object files of library units, shared by all packages; may be read-only
  std::string linker_directory;  // where ld.lld is; empty: the system's linker
};
// Returns an empty problem on success.
std::string FindInstallation(Installation* installation);

// The files of a package and of the library as the checker asks for them.
class PackageSource : public UnitSource {
 public:
  // `path` is a directory or a .m3 file. Returns an empty string or what is wrong with it.
  std::string Open(const std::string& path, const std::string& library_directory);

  const std::string& directory() const { return directory_; }  // of the package, absolute
  const std::string& name() const { return name_; }  // of the program, from the directory or file
  std::vector<const SourceFile*> PackageUnits();     // .i3 and .m3, sorted by name
  bool IsLibraryFile(const SourceFile* file) const;
  // The path of each file that was read.
  std::vector<std::string> FilesRead() const;
  // What could not be read, for the exit status; empty when all went well.
  const std::string& problem() const { return problem_; }

  const SourceFile* Interface(std::string_view name) override;
  const SourceFile* GenericInterface(std::string_view name) override;
  const SourceFile* GenericModule(std::string_view name) override;
  std::vector<const SourceFile*> ModulesExporting(std::string_view interface) override;

 private:
  struct Entry {
    std::string path;
    bool library = false;
    std::unique_ptr<SourceFile> file;  // read on demand
  };
  void AddFile(const std::string& path, bool library);
  const SourceFile* Find(const std::string& file_name);
  const SourceFile* Load(Entry& entry);
  void IndexLibraryModules();

  std::string directory_, name_, problem_;
  std::map<std::string, Entry> entries_;  // by file name; the package's own hide the library's
  std::map<std::string, std::vector<std::string>, std::less<>>
      exporters_;  // interface to library file names
  std::map<const SourceFile*, const Entry*> loaded_;
};

}  // namespace tenure::compiler
