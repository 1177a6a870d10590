// A package's source files, the standard library's, and where the compiler's own files are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/check/check.h"
#include "compiler/driver/build_file.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

// Where an installed (or freshly built) compiler finds its parts, from the place of its own
// executable.
struct Installation {
  std::string library_directory;  // the standard library's sources: folders of .i3 .m3 .ig .mg
  std::string runtime_archive;    // libtenure_runtime.a
  std::string explanations;       // what `tenure explain` prints; see tools/make_explanations.py
  std::string
      object_cache;  // object files of library units, shared by all packages; may be read-only
  std::string linker_directory;  // where ld.lld is; empty: the system's linker
};
// Returns an empty problem on success.
std::string FindInstallation(Installation* installation);

// The files of a package and of the library as the checker asks for them.
class PackageSource : public UnitSource {
 public:
  // `path` is a directory or a .m3 file. Returns an empty string or what is wrong with it; what is
  // wrong in a build file is reported, and `diagnostics` has errors.
  std::string Open(const std::string& path, const std::string& library_directory,
                   Diagnostics& diagnostics);

  // Makes a module outside the package its only one that exports Main; the other units beside that
  // module belong to the package, too.
  std::string UseTest(const std::string& module);
  static bool ExportsMain(const std::string& path);

  const std::string& directory() const { return directory_; }  // of the package, absolute
  const std::string& name() const { return name_; }  // of the program, from the directory or file
  std::vector<const SourceFile*> PackageUnits();     // .i3 and .m3, sorted by name
  // Of another package or of the standard library; of the standard library.
  bool IsLibraryFile(const SourceFile* file) const;
  bool IsStandardFile(const SourceFile* file) const;
  // The packages of the program, the one that was opened last; none for a single file.
  const std::vector<std::unique_ptr<Package>>& packages() const { return reader_->packages(); }
  // Whether a program is to be made, and not only a library.
  bool makes_program() const { return makes_program_; }
  // The path of each file that was read.
  std::vector<std::string> FilesRead() const;
  // What could not be read, for the exit status; empty when all went well.
  const std::string& problem() const { return problem_; }

  const SourceFile* Interface(std::string_view name) override;
  const SourceFile* GenericInterface(std::string_view name, const SourceFile* instance) override;
  const SourceFile* GenericModule(std::string_view name, const SourceFile* instance) override;
  std::vector<const SourceFile*> ModulesExporting(std::string_view interface) override;

 private:
  // What hides what of the same name: the later the first.
  enum class Origin : uint8_t { kStandard, kImported, kOwn };
  struct Entry {
    std::string path;
    Origin origin = Origin::kOwn;
    std::unique_ptr<SourceFile> file;  // read on demand
  };
  void AddFile(const std::string& path, Origin origin);
  const SourceFile* Find(const std::string& file_name);
  const SourceFile* FindGeneric(const std::string& file_name, const SourceFile* instance);
  const SourceFile* Load(Entry& entry);
  void IndexLibraryModules();

  std::string directory_, name_, problem_;
  std::unique_ptr<PackageReader> reader_;
  bool makes_program_ = true;
  std::map<std::string, Entry> entries_;  // by file name; the package's own hide the library's
  std::map<std::string, Entry> hidden_generics_;  // of the standard library
  std::map<std::string, std::vector<std::string>, std::less<>>
      exporters_;  // interface to library file names
  std::map<const SourceFile*, const Entry*> loaded_;
};

}  // namespace tenure::compiler
