// Finds all packages that a package needs, directly or not, by its tenure.toml and tenure.lock.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/dependencies/lock_file.h"
#include "compiler/dependencies/manifest.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

struct ResolvedPackage {
  LockedPackage locked;
  // Its files; begins with the directory that was given for the package that is built.
  std::string directory;
  bool is_vendored = false;
  // The first package that needs it, for messages.
  std::string needed_by, directory_of_needer;
};

struct Resolution {
  std::string directory;                            // of the package that is built, as given
  std::vector<std::string> needs;                   // direct dependencies, sorted
  std::map<std::string, ResolvedPackage> packages;  // by name
  std::set<std::string> inputs;                     // files that decided, whether there or not
  // About packages that the lock did not have before.
  std::vector<std::string> warnings = {};
};

struct ResolverPlaces {
  std::string repositories;  // copies of repositories, shared by all packages
  // The directory for the packages that are taken out of them, for a package that is built; see
  // StateDirectory in compiler/package.
  std::function<std::string(const std::string& directory)> state_of;
};

class Resolver {
 public:
  explicit Resolver(ResolverPlaces places) : places_(std::move(places)) {}

  // tenure.lock may not change: an error if it would.
  void KeepLock() { keep_lock_ = true; }

  // Finds the packages that the package in `directory` needs. Uses the lock if it agrees with the
  // manifests, fetches missing packages, checks the hashes, and writes the lock if it changed.
  //
  Problem Resolve(const std::string& directory, Resolution* resolution);

  // The same, but asks the repositories again which commits the tags of these packages are; of all
  // packages if there are no names. Adds a line for each change to `changes`.
  Problem Update(const std::string& directory, const std::vector<std::string>& names,
                 Resolution* resolution, std::vector<std::string>* changes);

  // Copies all packages that come from repositories to DIRECTORY/vendor, and removes earlier copies
  // that are not needed any more. Adds the names to `copied`.
  Problem Vendor(const std::string& directory, std::vector<std::string>* copied);

 private:
  // A dependency that one package has, in the form of the lock: paths are relative to the package
  // that is built.
  struct Need {
    Dependency source;
    std::string needed_by, directory_of_needer;
  };
  // The state of one call.
  struct Job;

  Problem Run(Job& job);
  Problem AddNeeds(Job& job, const Manifest& manifest, const ResolvedPackage* needer,
                   std::vector<std::string>* names);
  Problem Add(Job& job, const Need& need);
  Problem AgreesWith(Job& job, const Need& need, const ResolvedPackage& there);
  Problem FindDirectory(Job& job, ResolvedPackage* package);
  static void CompareVersions(Job& job, const ResolvedPackage& package);
  Problem TakeOut(Job& job, ResolvedPackage* package);
  Problem FindCommit(Job& job, const Dependency& source, std::string* commit);
  Problem WriteLock(Job& job);

  ResolverPlaces places_;
  bool keep_lock_ = false;
};

}  // namespace tenure::compiler
