// Reads the files of a store before an opening needs them.
#pragma once

#include <string>
#include <vector>

namespace tenure::store {

// A thread fetches the end and the beginning of each file into the system's cache, one file after
// the other. If no thread can be started nothing is done.
void ReadAhead(std::vector<std::string> paths);

// The same for the files that an opening reads. Returns the path of the store's only database,
// which is one of them; empty if there are several, since nobody knows which of them will be
// opened.
std::string ReadAheadStore(const std::string& path);

}  // namespace tenure::store
