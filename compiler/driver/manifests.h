// Connects what compiler/dependencies knows about packages with what reads their sources.
#pragma once

#include <map>
#include <string>

#include "compiler/dependencies/resolver.h"
#include "compiler/package/build_file.h"

namespace tenure::compiler {

// The directory for copies of repositories: in the user's cache, or, without one, a directory that
// is removed at the end of this process.
std::string RepositoryCache();

// The resolver for these copies.
Resolver MakeResolver();
// On the standard error.
void PrintWarnings(const Resolution& resolution);

// Answers PackageReader. A package with a manifest that no earlier package needed is resolved
// separately, with its own lock.
class Manifests {
 public:
  explicit Manifests(Resolver resolver) : resolver_(std::move(resolver)) {}

  // tenure.lock may not change: an error if it would.
  void KeepLock() { resolver_.KeepLock(); }

  // Whether a package came from a repository, so that the user's cache may have grown.
  bool used_repositories() const { return used_repositories_; }

  Problem Find(const std::string& directory, ManifestFacts* facts);

 private:
  Resolver resolver_;
  bool used_repositories_ = false;
  std::map<std::string, ManifestFacts> known_;  // by directory, links resolved
};

}  // namespace tenure::compiler
