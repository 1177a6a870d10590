// Reads the build file of a package (docs/packages.md): m3makefile, in the package's directory or
// in its src, is a program in Quake whose calls name the units, the packages that it imports, and
// the program or library that it makes. A package without one is its sources.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/package/package.h"
#include "compiler/quake/interpreter.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

// The inputs of the build files: if these are unchanged, another run has the same result.
struct BuildFileInputs {
  std::set<std::string> paths;  // files that were read or tested
  std::map<std::string, std::string> environment;
  bool complete = true;  // false: commands were run, or something was printed
};

// Whether this is a name of the standard library's packages: importing one finds no other package.
bool IsLibraryPackage(const std::string& name);

// The facts in a package's manifest (compiler/dependencies), for PackageReader.
struct ManifestFacts {
  struct Need {
    std::string name, directory;
  };
  bool has_manifest = false;
  std::string name;              // empty: the name of the directory
  std::vector<Need> needs;       // packages, by name
  std::set<std::string> inputs;  // files that decided, whether there or not
};

// Finds the facts about the package in a directory.
using ManifestFinder = std::function<Problem(const std::string& directory, ManifestFacts* facts)>;

// Reads a package's build file and those of the packages that it imports.
class PackageReader {
 public:
  // Generated files go to `derived_directory`/PACKAGE.
  PackageReader(Diagnostics& diagnostics, std::string derived_directory);

  // Without one, no package has a manifest.
  void set_manifest_finder(ManifestFinder finder) { find_manifest_ = std::move(finder); }

  // Errors in build files are diagnostics. `directory` is as the user gave it: paths in messages
  // begin with it.
  Problem Read(const std::string& directory);

  // Imported packages come before their importers; the requested package is last.
  const std::vector<std::unique_ptr<Package>>& packages() const { return packages_; }
  BuildFileInputs inputs() const;

 private:
  // m3overrides beside a build file says where packages are. Old ones often name places on their
  // author's machine, so an error in an override file is ignored; a package that is not found is
  // reported later.
  void ReadOverrides(const std::string& build_file, const Package& package,
                     const std::string& derived);
  void WarnOfNothingMade(const Package& package, const std::string& name);
  Package* ReadPackage(const std::string& directory, const std::string& name, Problem* problem);
  // The package that another one imports, which is read if necessary; null after an error, or if it
  // is part of our own library.
  Package* Import(const quake::Call& call, Package& importer);
  Package* FindImport(const quake::Call& call, const Package& importer);
  // The package that another one needs by its manifest; null with a problem.
  Package* FindNeeded(const ManifestFacts::Need& need, const Package& importer, Problem* problem);
  // Imports the needed packages that the build file did not import.
  void ImportNeeded(Package& importer, Problem* problem);
  // The problem of two packages of one name; a manifest needs one of them.
  Problem TwoOfOneName() const;
  // Places of a package: near the importer or where an override says; else folders are searched.
  std::vector<std::string> NearPlacesOf(const std::string& name, const Package& importer) const;
  static std::vector<std::string> FarPlacesOf(const std::string& name, const Package& importer);
  // The program for a `command` that a build file runs and that does not exist: made by the package
  // of that name, or by a package that is already imported. Empty: no package makes it.
  std::string FindTool(const quake::Call& call, const Package& importer,
                       const std::string& command);
  static std::string BuildFileIn(const std::string& directory);
  // Classic builders keep generated files in PACKAGE/TARGET, beside the sources, and build files
  // say so; here they lie elsewhere (docs/packages.md). Returns the real place of such a path;
  // empty if the path is not of this form or if the file exists.
  std::string PlaceOfMade(const std::string& path) const;

  Diagnostics& diagnostics_;
  std::string derived_directory_;
  ManifestFinder find_manifest_;
  std::map<const Package*, std::vector<ManifestFacts::Need>> needs_;
  std::vector<std::unique_ptr<Package>> packages_;
  std::map<std::string, Package*> by_name_;  // the first of each name
  std::map<std::string, Package*> by_directory_;
  std::map<std::string, int> of_this_name_;
  std::set<const Package*> in_progress_;
  std::map<std::string, std::string> overrides_;  // package to the directory that holds it
  // Interpreters hold the sources that diagnostics point into.
  std::vector<std::unique_ptr<quake::Interpreter>> interpreters_;
  BuildFileInputs search_;                // of packages
  std::deque<Diagnostics> of_overrides_;  // and packages that commands in them described
  std::deque<Package> packages_of_overrides_;
};

}  // namespace tenure::compiler
