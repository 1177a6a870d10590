// The user's cache ($XDG_CACHE_HOME/tenure): object files of library units that the installation
// lacks, and packages that were fetched. All of it can be made or fetched again.
#pragma once

#include <cstdint>
#include <string>

namespace tenure::compiler {

// How many bytes the cache may hold: TENURE_CACHE_SIZE megabytes, or 1024.
uint64_t UserCacheLimit();

// If the cache in `directory` holds more than `limit` bytes, removes the entries that have been
// unused for longest until three quarters of `limit` are left. Entries used within the last hour
// stay, since a build may be about to read them. Failures are ignored: the next build tries again.
void TrimUserCache(const std::string& directory, uint64_t limit);

// Notes that a file or folder of the cache is used now. Cheap if it was used a moment ago.
void NoteUse(const std::string& path);

}  // namespace tenure::compiler
