#pragma once

// Every operation that changes a store's files goes through here: our own, and by its replaceable
// I/O functions Berkeley DB's. They are counted, so that a test can end the process, or make an
// operation fail, at each of them in turn. So do the operations that only look: reads, lists of
// directories, look-ups of names. They have a count of their own.
//
// All functions behave as the system calls of the same names unless said; files in a directory that
// is held are reached by its descriptor (held_directory.h). Any thread.

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

// What happens when the planned operation is reached.
enum class IoFault : uint8_t {
  kNone,
  kCrash,            // _exit(kCrashStatus) instead of the operation
  kCrashTorn,        // as kCrash; a write is done for the first half of its bytes before
  kCrashUnsynced,    // as kCrash; all writes not yet synced are taken back before: a power failure
  kCrashHalfSynced,  // as kCrashUnsynced; only the second half of each write is taken back
  kError,            // this operation fails with the errno given
  kErrorForever,     // this one and all later ones fail
  kWritesFail,       // this one and all later ones fail if they are writes: a full disk
};

inline constexpr int kCrashStatus = 77;

// Plans a fault for the `at`th operation from now (1: the next one). kNone: nothing happens any
// more; failures of syncs are forgotten too. kCrashUnsynced and kCrashHalfSynced must be planned
// before the store is opened.
void SetIoFault(IoFault fault, uint64_t at = 0, int error = 0);

// The `at`th operation from now that only looks (1: the next one), by whatever thread, fails once
// with `error`; with 0, and with EINTR, a read gets some of its bytes only at first, as the system
// may do, and other operations work. `at` 0: nothing happens any more.
void SetLookFault(uint64_t at, int error);

// Operations counted since the process began that only look.
uint64_t IoLooks();

// For tests of a power failure after a kill: the process writes the writes that it has not synced
// to `file` when the fault kCrash ends it, and TakeOverUnsynced makes them this process's, which
// kCrashUnsynced then takes back as well. Like that, to be called before the store is opened.
void KeepUnsyncedIn(const std::string& file);
void TakeOverUnsynced(const std::string& file);

// The usual form: the process ends immediately before the `at`th operation from now.
inline void SetCrashAfter(uint64_t at) { SetIoFault(IoFault::kCrash, at); }

// While one lives, syncs of files and directories by this thread do nothing and are not counted:
// what is written meanwhile counts for nothing before all of it has been synced after.
class WithoutSyncs {
 public:
  WithoutSyncs();
  ~WithoutSyncs();
  WithoutSyncs(const WithoutSyncs&) = delete;
  WithoutSyncs& operator=(const WithoutSyncs&) = delete;

  // Whether one lives on this thread.
  static bool active();
};

// Operations counted since the process began: writes, syncs, truncations, renames, removals, and
// creations of files and directories.
uint64_t IoOperations();

// The errno of this thread's last operation here that failed otherwise than with ENOENT, which is
// often no failure at all; 0 when none has since it was cleared.
int LastIoError();
void ClearLastIoError();

// Writes write all bytes or fail.
ssize_t StoreWrite(int fd, const void* bytes, size_t count);
ssize_t StorePwrite(int fd, const void* bytes, size_t count, off_t offset);
// The pieces, one behind the other. Each so many of them are an operation of their own.
ssize_t StorePwritePieces(int fd, std::span<const std::string_view> pieces, off_t offset);
ssize_t StorePwriteZeros(int fd, size_t count, off_t offset);
// fdatasync; before it, the directories in which files were created or renamed since are synced, as
// Berkeley DB never does. Once a sync of a file has failed every later one of it fails as well,
// since the system may have dropped the data: callers that try again must not be told that all is
// well.
int StoreSync(int fd);
int StoreTruncate(int fd, off_t size);
int StoreRename(const char* from, const char* to);
int StoreUnlink(const char* path);
int StoreMkdir(const char* path);
// Opens a file, close-on-exec, never through a link, and never waits for another process. Counted
// as an operation only if it creates the file, else as a look. What it creates gets the owner and
// mode of its store (OwnerFor), or is this process's alone where no store is held.
int StoreOpen(const char* path, int flags);
// Makes an empty file, in the place of an earlier one, that a rename will give its name: this one
// need not be synced.
int StoreOpenTemporary(const char* path);
// For reading, or as `flags` say; not counted.
int StoreOpenDirectory(const char* path, int flags = 0);
int StoreSyncDirectory(const char* path);

// Reads up to `count` bytes at `offset`, fewer only at the file's end; the number read, or -1.
ssize_t StoreRead(int fd, void* bytes, size_t count, off_t offset);
int StoreStat(const char* path, struct stat* info);
int StoreInfo(int fd, struct stat* info);  // fstat
// The names of all that is in the directory, or -1: never a part of them.
int StoreList(const char* path, std::vector<std::string>* names);

}  // namespace tenure::store
