// Every operation on a store's files goes through these functions: our own operations, and by its
// replaceable I/O functions Berkeley DB's. Below them is a FileSystem (store/files/file_system.h),
// which tests replace.
//
// All functions behave as the system calls of the same names unless said; files in a directory that
// is held are reached by its descriptor (held_directory.h). Any thread.

#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::store {

class FileSystem;

// All functions below make their system calls through `files` from now on, which lives as long as
// the process. Syncs that failed before are forgotten: a later sync of such a file may succeed. For
// tests, before other threads use a store.
void UseFileSystem(FileSystem& files);

// While an object of this class lives, syncs of files and directories by this thread do nothing:
// the caller syncs all files afterwards, before any of them counts.
class WithoutSyncs {
 public:
  WithoutSyncs();
  ~WithoutSyncs();
  WithoutSyncs(const WithoutSyncs&) = delete;
  WithoutSyncs& operator=(const WithoutSyncs&) = delete;

  // Whether one lives on this thread.
  static bool active();
};

// The errno of this thread's last operation here that failed, 0 if none has since it was cleared.
// ENOENT does not count: a missing file is often no failure.
int LastIoError();
void ClearLastIoError();

// Writes write all bytes or fail.
ssize_t StoreWrite(int fd, const void* bytes, size_t count);
ssize_t StorePwrite(int fd, const void* bytes, size_t count, off_t offset);
// Writes the pieces one behind the other, up to IOV_MAX of them with one system call.
ssize_t StorePwritePieces(int fd, std::span<const std::string_view> pieces, off_t offset);
ssize_t StorePwriteZeros(int fd, size_t count, off_t offset);
// fdatasync, and before it a sync of the directories in which files were created or renamed, which
// Berkeley DB does not sync. After one failed sync of a file every later sync of the file fails as
// well, since the system may have dropped the data: a caller that tries again must not be told that
// the data are on the disk.
int StoreSync(int fd);
// The same for a file that is going to be opened anew, as by another process: a sync that failed
// before is no reason to fail, and then the file is read from the disk from now on. The caller
// believes nothing that this process knows of the file's contents.
int StoreSyncAnew(int fd);
int StoreTruncate(int fd, off_t size);
int StoreRename(const char* from, const char* to);
int StoreUnlink(const char* path);
int StoreMkdir(const char* path);
// Opens a file, close-on-exec, never through a link, and never waits for another process. A file
// that it creates gets the owner and mode of its store (OwnerFor), or is this process's alone where
// no store is held.
int StoreOpen(const char* path, int flags);
// Makes an empty file in the place of an earlier one. A rename will give the file its name, so the
// directory need not be synced before.
int StoreOpenTemporary(const char* path);
// Opens a directory for reading, or with `flags`.
int StoreOpenDirectory(const char* path, int flags = 0);
int StoreSyncDirectory(const char* path);

// Reads up to `count` bytes at `offset`, fewer only at the file's end; the number read, or -1.
ssize_t StoreRead(int fd, void* bytes, size_t count, off_t offset);
int StoreStat(const char* path, struct stat* info);
int StoreInfo(int fd, struct stat* info);  // fstat
// The names of all that is in the directory, or -1: never a part of them.
int StoreList(const char* path, std::vector<std::string>* names);

}  // namespace tenure::store
