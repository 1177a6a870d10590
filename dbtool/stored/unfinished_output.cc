#include "dbtool/stored/unfinished_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "dbtool/stored/copies.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

UnfinishedOutput::~UnfinishedOutput() {
  std::error_code ignored;
  if (!place_.empty()) std::filesystem::remove_all(place_, ignored);
}

Status UnfinishedOutput::Begin(const std::string& from, const std::string& name) {
  TN_RETURN_IF_ERROR(CheckTarget(from, name));
  name_ = name;
  place_ = PlaceOfPart(name, kPartial);
  removed_.emplace(place_);
  return Status::Ok();
}

Status UnfinishedOutput::Finish() {
  int failed = renameat2(AT_FDCWD, place_.c_str(), AT_FDCWD, name_.c_str(), RENAME_NOREPLACE);
  // Not all file systems can refuse to replace.
  if (failed != 0 && errno == EINVAL) failed = rename(place_.c_str(), name_.c_str());
  if (failed != 0) return store::SystemFailure(errno, "cannot make " + name_);
  place_.clear();
  removed_.reset();
  return Status::Ok();
}

}  // namespace tenure::dbtool
