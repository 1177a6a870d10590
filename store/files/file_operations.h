// Reading and replacing whole files of a store, and looking at its directory.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tenure::store {

// Gives `path` these contents durably, or leaves the file unchanged: writes a temporary file beside
// it, syncs, renames, syncs the directory.
Status ReplaceFile(const std::string& directory, std::string_view name, std::string_view contents);
// The same with contents that depend on the file, which `contents_of` is given.
Status ReplaceFile(const std::string& directory, std::string_view name,
                   const std::function<std::string(int fd)>& contents_of);

// The contents of the file, which must not be reached through a link.
Result<std::string> ReadWholeFile(const std::string& file);

// kCorrupt if `file` is a link, a pipe, a directory or the like; kInvalidArgument if `writes` and
// the file has other names.
Status CheckIsFile(const struct stat& info, const std::string& file, bool writes);

// The names of all that is in the directory.
Result<std::vector<std::string>> EntriesOf(const std::string& path);

// The names of the databases in a store's directory, sorted.
Result<std::vector<std::string>> DatabaseNames(const std::string& directory);

}  // namespace tenure::store
