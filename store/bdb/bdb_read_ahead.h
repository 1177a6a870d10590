// Reads the files of a store before an opening needs them.
#pragma once

#include <string>
#include <vector>

namespace tenure::store {

// A thread fetches the end and the beginning of each file into the system's cache, one file after
// the other. Does nothing if no thread can be started.
void ReadAhead(std::vector<std::string> paths);

// The same for the files that an opening reads. Returns the path of the store's only database,
// which is one of these files; empty if there are several databases, since the program may open
// any.
std::string ReadAheadStore(const std::string& path);

}  // namespace tenure::store
