// Faults of a store's files, for tests: a FileSystem that counts the operations and, at a chosen
// one, ends the process, tears the write, takes back unsynced writes or returns an error. A program
// that is linked with this file uses that file system from the start.
//
// Two counts: operations that change files (writes, syncs, truncations, renames, removals, and
// creations of files and directories), and operations that only look (reads, lists of directories,
// look-ups of names and of open files). Any thread.

#pragma once

#include <cstdint>
#include <string>

namespace tenure::store {

// The fault at the planned operation. Only operations that change files are counted.
enum class IoFault : uint8_t {
  kNone,
  kCrash,            // _exit(kCrashStatus) instead of the operation
  kCrashTorn,        // as kCrash; a write first writes the first half of its bytes
  kCrashUnsynced,    // as kCrash; first all unsynced writes are taken back: a power failure
  kCrashHalfSynced,  // as kCrashUnsynced; only the second half of each write is taken back
  // As kCrashUnsynced; but each sector of 512 bytes keeps some of its unsynced writes, the first
  // ones: which sectors and how many is drawn at random, from the number of the operation.
  kCrashSomeSynced,
  // As kCrashUnsynced and kCrashSomeSynced, on a lying disk: syncs among the last kLies operations
  // before the crash succeed and do nothing, so that what they were for is taken back as well.
  kCrashLied,
  kCrashSomeLied,
  kError,         // this operation fails with the errno given
  kErrorForever,  // this one and all later ones fail
  kWritesFail,    // this one and all later ones fail if they are writes: a full disk
};

inline constexpr int kCrashStatus = 77;
inline constexpr uint64_t kLies = 12;  // operations

// Plans a fault for the `at`th operation from now (1: the next one). kNone: plans nothing, and
// forgets failures of syncs. The faults that take writes back must be planned before the store is
// opened.
void SetIoFault(IoFault fault, uint64_t at = 0, int error = 0);

// The `at`th operation from now that only looks (1: the next one), of any thread, fails once with
// `error`. With 0 only a read is affected: the system call reads a part of its bytes; with EINTR
// only a read fails. `at` 0: plans nothing.
void SetLookFault(uint64_t at, int error);

// Operations since the process began: those that change files, and those that only look.
uint64_t IoOperations();
uint64_t IoLooks();

// For tests of a power failure after a kill: when the fault kCrash ends the process, the process
// records its unsynced writes in `file`. TakeOverUnsynced reads such a record, so that
// kCrashUnsynced of this process takes those writes back as well. Call both before the store is
// opened.
void KeepUnsyncedIn(const std::string& file);
void TakeOverUnsynced(const std::string& file);

}  // namespace tenure::store
