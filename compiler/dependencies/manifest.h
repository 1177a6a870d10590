// tenure.toml: the name and version of a package, and the packages that it needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/problem.h"

namespace tenure::compiler {

inline constexpr const char* kManifestName = "tenure.toml";

// A package that another one needs, and where it comes from: a directory or a repository.
struct Dependency {
  std::string name;
  std::string path;  // of the directory, from that of the manifest; or else:
  std::string git;   // the repository's URL, or its path from the directory of the manifest
  // At most one of these three; all are empty in what `tenure add` is given.
  std::string tag, commit;
  std::string subdirectory;  // of the repository; empty: the package is the whole of it
  std::string branch = {};   // the lock says which of its commits

  // "tag v1.2", "branch main" or "commit 0123...", for messages.
  std::string Version() const;
  bool operator==(const Dependency&) const = default;
};

struct Manifest {
  std::string name, version;             // empty: not given
  std::vector<Dependency> dependencies;  // sorted by name
  // Takes the place of each dependency of these names, of whatever package. Only the manifest of
  // the package that is built counts.
  std::vector<Dependency> overrides;
};

// Whether the text is the name of a commit: 40 hexadecimal digits, or 64 of SHA-256, in small
// letters.
bool IsCommit(std::string_view text);

// Reads the manifest of the package in a directory; `found` says whether there is one. A
// problem names file and line.
Problem ReadManifest(const std::string& directory, Manifest* manifest, bool* found);

// Writes a dependency to the manifest in a directory, in the place of one of the same name. Makes
// the file if there is none, for a package with the name of the directory. All else in the file
// stays as it was.
Problem WriteDependency(const std::string& directory, const Dependency& dependency);

// Removes the dependency of this name; an error if there is none.
Problem RemoveDependency(const std::string& directory, const std::string& name);

}  // namespace tenure::compiler
