// A file, or a directory of files, that is made beside its place and gets its name when it is
// whole.
#pragma once

#include <optional>
#include <string>

#include "base/removed_by_signals.h"
#include "base/result.h"

namespace tenure::dbtool {

// Between Begin and Finish the output is called NAME.partial.PROCESS. The destructor removes
// unfinished output, and so do signals that end the command; the next Begin removes what a killed
// command has left.
class UnfinishedOutput {
 public:
  UnfinishedOutput() = default;
  ~UnfinishedOutput();
  UnfinishedOutput(const UnfinishedOutput&) = delete;
  UnfinishedOutput& operator=(const UnfinishedOutput&) = delete;

  // `from`: the store that is read. kExists: there is something called `name`; kInvalidArgument: it
  // would lie within the store.
  Status Begin(const std::string& from, const std::string& name);
  // Where to write.
  const std::string& place() const { return place_; }
  // Gives the output its name. kExists: something else has got that name since Begin.
  Status Finish();

 private:
  std::string name_, place_;
  std::optional<RemovedBySignals> removed_;
};

}  // namespace tenure::dbtool
