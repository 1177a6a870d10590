// Turns of the commands that change the files of one package.
#pragma once

#include <string>

namespace tenure::compiler {

// Held from reading tenure.toml and tenure.lock until their new texts are written, so that of
// commands that run at the same time none loses the change of another one. The destructor gives
// the turn back, and so does the end of the process.
//
// The lock is on the package's directory itself (flock), so no file is left behind. Where the
// directory cannot be opened or the file system has no locks, nobody waits.
class PackageLock {
 public:
  // Waits until no other PackageLock of the directory exists in any process.
  explicit PackageLock(const std::string& directory);
  ~PackageLock();
  PackageLock(const PackageLock&) = delete;
  PackageLock& operator=(const PackageLock&) = delete;

 private:
  int directory_ = -1;
};

}  // namespace tenure::compiler
