// What Berkeley DB calls instead of the system's functions for its files: pages of a tree go
// through the DoubleWrite of its store, everything else through store_io.h.
#pragma once

#include <sys/types.h>

#include <string>

#include "stabilize/double_write.h"

namespace tenure::stabilize {

// From now on, until it is removed, files that Berkeley DB opens in `pages->directory()` are
// written and read by `pages`, which does both of itself while it lives. Any thread.
void AddTreeOwner(DoubleWrite* pages);
void RemoveTreeOwner(DoubleWrite* pages);

// Like the system calls that they stand for; -1 with errno.
ssize_t TreeRead(int fd, void* bytes, size_t count, off_t offset);
ssize_t TreeWrite(int fd, const void* bytes, size_t count, off_t offset);
ssize_t TreeWriteHere(int fd, const void* bytes, size_t count);
// A page that TreeRead has found trouble with has got a wrong checksum. What the trouble was, of
// the last such page that this thread has read since the other call: "FILE: page N ..."; or empty.
const std::string& PageTrouble();
void ClearPageTrouble();
// These return an error number or 0, which is what Berkeley DB, other than the system, asks of
// them.
int TreeSync(int fd);
int TreeTruncate(int fd, off_t size);
int TreeRename(const char* from, const char* to);
int TreeUnlink(const char* path);
// The descriptor, or -1.
int TreeOpen(const char* path, int flags, ...);
// An error number or 0. A list is all that is there, or an error.
int TreeExists(const char* path, int* is_directory);
int TreeList(const char* directory, char*** names, int* count);
void TreeListEnd(char** names, int count);

}  // namespace tenure::stabilize
