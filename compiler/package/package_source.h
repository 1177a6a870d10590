// The source files of a package, of the packages that it imports and of the standard library.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/check/check.h"
#include "compiler/package/build_file.h"
#include "compiler/source/problem.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

// Texts that are read in place of files, by canonical path.
using SourceTexts = std::map<std::string, std::string>;

// The files of a package and of the library as the checker asks for them.
class PackageSource : public UnitSource {
 public:
  // Line tables and messages name the library's files as if they were in this directory, once Open
  // is called; without a name, in the directory that Open is given.
  void set_library_name(std::string name) { library_name_ = std::move(name); }

  // Sets the reader of manifests, before Open is called. Without one there are no manifests.
  void set_manifest_finder(ManifestFinder finder) { find_manifest_ = std::move(finder); }

  // Reads these texts, which outlive the source, in place of the package's own files. Which units a
  // module exports to and whether it has tests is still asked of the file.
  void UseTexts(const SourceTexts& texts) { texts_ = &texts; }

  // `path` is a directory or a .m3 file. Errors in a build file are reported to `diagnostics`.
  Problem Open(const std::string& path, const std::string& library_directory,
               Diagnostics& diagnostics);

  // Makes a module outside of the package its only module that exports Main. The other units beside
  // that module then belong to the package, too.
  Problem UseTest(const std::string& module);
  // Makes the program that runs the tests of the package: the package's units but for modules that
  // export Main, the units in the directory `tests` (empty: none) but for such modules, and a main
  // module that calls TestMain.Run. A module there needs no interface of its own.
  Problem UseTests(const std::string& tests);
  static bool ExportsMain(const std::string& path);
  // Whether the file is a module with a procedure named like a test or a benchmark
  // (stdlib/test/Test.i3).
  static bool HasTests(const std::string& path);

  // The programs that the package makes, for UseProgram; a library has one, which is not linked.
  size_t program_count() const { return std::max<size_t>(orders_.size(), 1); }
  // The program that is run, or that is written to the file of -o: the one named like the file,
  // else the one named like the package, else the first.
  size_t MainProgram(const std::string& output) const;
  // Selects one of several programs. It has the units that the build file named before it, but only
  // one module that exports Main: one named since the previous program and, if there are several,
  // the one with the program's name.
  void UseProgram(size_t index);

  const std::string& directory() const { return directory_; }  // of the package, absolute
  const std::string& name() const { return name_; }  // of the program, from the directory or file
  // Name of the folder of object files: programs of one package share their common object files.
  std::string objects_name() const;
  std::vector<const SourceFile*> PackageUnits();  // .i3 and .m3, sorted by name
  // Whether the file is of another package or of the standard library; whether it is of the
  // standard library.
  bool IsLibraryFile(const SourceFile* file) const;
  bool IsStandardFile(const SourceFile* file) const;
  // The packages of the program, the one that was opened last; none for a single file.
  const std::vector<std::unique_ptr<Package>>& packages() const { return reader_->packages(); }
  // The canonical path of a file of the package itself that the user may change; empty: the file is
  // another package's, the library's, or made by the compiler or by a build file.
  std::string WritablePath(const SourceFile* file) const;
  // Reports, among all imports that Interface was asked for, those of units that another package
  // keeps private and those of units that several packages offer.
  void ReportImports(Diagnostics& diagnostics);
  // Whether a build file says what the package makes; whether one of its modules exports Main.
  bool has_build_file() const { return !packages().empty() && packages().back()->has_build_file; }
  bool HasMain() const;
  // Whether a program is to be made, and not only a library.
  bool makes_program() const { return makes_program_; }
  BuildFileInputs build_file_inputs() const { return reader_->inputs(); }
  // The path of each file that was read.
  std::vector<std::string> FilesRead() const;
  // The path that could not be read, for the exit status; empty if all files were read.
  const Problem& problem() const { return problem_; }

  const SourceFile* Interface(std::string_view name, const SourceFile* importer) override;
  const SourceFile* GenericInterface(std::string_view name, const SourceFile* instance) override;
  const SourceFile* GenericModule(std::string_view name, const SourceFile* instance) override;
  std::vector<const SourceFile*> ModulesExporting(std::string_view name,
                                                  const SourceFile* interface) override;
  std::vector<const SourceFile*> VisibleInterfaces(const SourceFile* importer) override;
  const void* PackageOf(const SourceFile* file) override;
  std::string LinkPrefix(const SourceFile* file) override;

 private:
  struct Group;
  struct Entry {
    std::string path;
    Group* group = nullptr;
    bool is_private = false;           // to its package
    std::unique_ptr<SourceFile> file;  // read on demand
  };
  // The files that see each other: the standard library, an imported package, the package itself.
  struct Group {
    std::string name;
    std::string prefix =
        "program:";  // prefix of link names; for a program the prefix does not contain its place
    const Package* package = nullptr;  // null: of the standard library, a single file or a test
    std::map<std::string, Entry*> entries;  // by file name
    std::vector<Group*> imports;            // directly imported packages
    std::vector<Group*> all_imports;        // and the packages that these import, transitively
  };
  // The meaning of a name in a file, and the other groups that offer the same name.
  struct Meaning {
    Entry* entry = nullptr;
    const Entry* other = nullptr;
  };
  void AddFile(const std::string& path, Group* group);
  // A unit of the package that has this text and no file.
  void AddGenerated(const std::string& path, std::string text);
  void MakePrefixesDistinct();
  std::string MainModuleOf(size_t index) const;
  const Entry* EntryOf(const SourceFile* file) const;
  // Finds a name for a file of the group: the group's own units hide the units that it imports, and
  // these hide the standard library.
  Meaning FindFor(Group* group, const std::string& file_name);
  // The units that these packages offer to others.
  static std::vector<Entry*> Offered(const std::vector<Group*>& groups,
                                     const std::string& file_name);
  const SourceFile* Find(const std::string& file_name, const SourceFile* importer);
  const SourceFile* Load(Entry& entry);
  // The text that UseTexts gave for the entry, or null.
  const std::string* TextOf(const Entry& entry) const;
  // The path of the entry's file in line tables and messages.
  std::string ShownPath(const Entry& entry) const;
  void IndexModules();

  std::string directory_, name_;
  Problem problem_;
  std::string library_directory_, library_name_;
  ManifestFinder find_manifest_;
  const SourceTexts* texts_ = nullptr;  // null: none
  std::unique_ptr<PackageReader> reader_;
  bool makes_program_ = true;
  std::vector<ProgramOrder> orders_;
  std::map<std::string, std::unique_ptr<Entry>> files_;  // by path
  Group standard_, own_;
  std::deque<Group> imported_;  // in the order of packages()
  // Interface to the modules outside the package that export one of this name.
  std::map<std::string, std::vector<Entry*>, std::less<>> exporters_;
  std::map<const SourceFile*, const Entry*> loaded_;
  // By the importing file and the imported name.
  std::map<std::pair<const Entry*, std::string>, Meaning> asked_;
};

}  // namespace tenure::compiler
