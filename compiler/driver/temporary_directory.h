// A directory for the files of one run, below $TMPDIR or /tmp.
#pragma once

#include <memory>
#include <string>

#include "base/removed_by_signals.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

// Only the user can read the directory and write in it. The destructor removes it with everything
// in it, and so does a signal that ends the process.
class TemporaryDirectory {
 public:
  TemporaryDirectory() = default;  // none yet
  ~TemporaryDirectory() { Remove(); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  // Makes the directory, NAME-XXXXXX, unless this object has one already.
  Problem Make(const std::string& name);
  void Remove();

  const std::string& path() const { return path_; }  // empty: none

 private:
  std::string path_;
  std::unique_ptr<RemovedBySignals> removed_;
};

}  // namespace tenure::compiler
