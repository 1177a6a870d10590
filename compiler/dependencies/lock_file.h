// tenure.lock: which packages a build used, so that the next one uses the same.
#pragma once

#include <string>
#include <vector>

#include "compiler/dependencies/manifest.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

inline constexpr const char* kLockName = "tenure.lock";

struct LockedPackage {
  std::string version;             // as its manifest says; empty: it does not say
  Dependency source;               // the package's name, and where it comes from
  std::string commit;              // of a repository: 40 digits
  std::string hash;                // of a repository's package: content_hash.h
  std::vector<std::string> needs;  // names of the packages that this one needs, sorted
};

struct LockFile {
  std::vector<LockedPackage> packages;  // sorted by name

  // Null: the lock has no such package.
  const LockedPackage* Find(const std::string& name) const;
};

// Reads the lock of the package in a directory; there may be none, which is an empty one.
Problem ReadLock(const std::string& directory, LockFile* lock, bool* found);

// The same packages make the same text.
std::string TextOfLock(const LockFile& lock);

}  // namespace tenure::compiler
