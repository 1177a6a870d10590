// A file, or a directory of files, that is made beside its place and gets its name when it is
// whole.
#pragma once

#include <optional>
#include <string>

#include "base/removed_by_signals.h"
#include "base/result.h"

namespace tenure::dbtool {

// Between Begin and Finish what is made is called NAME.partial.PROCESS. What is not finished is
// removed by the destructor, and by signals that end the command; what a killed command has left,
// by the next Begin.
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
  // Gives it its name. kExists: something of the name has come meanwhile.
  Status Finish();

 private:
  std::string name_, place_;
  std::optional<RemovedBySignals> removed_;
};

}  // namespace tenure::dbtool
