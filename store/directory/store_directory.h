// The directory of a store: its holder, and its FORMAT file. store/files/store_files.h lists the
// files in the directory.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/files/descriptor.h"
#include "store/files/held_directory.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A store's directory, locked by this process from Lock to Unlock or destruction. One thread at a
// time.
class StoreDirectory {
 public:
  // Locks the store at `path`, creating or completing it as `mode` says. When created() is true
  // afterwards the directory holds nothing but LOCK, and Complete makes it a store once the caller
  // has put everything else into it; until then it is detectably half-created, and the next Lock
  // that may create starts it afresh.
  //
  // kNotFound, kExists by `mode`; kInUse, with the holder's process id, if it is open elsewhere or
  // here; kInvalidArgument if `path` holds something else; kFormat, kCorrupt by what FORMAT says,
  // or because it is missing although the store was complete. Only kOpenOrCreate and kCreate ever
  // create anything, LOCK included.
  //
  // With kOpen a store in which this process may write nothing (a file system mounted read-only,
  // permissions) is locked against writers only, and is not writable() then. kPermission if it was
  // not closed cleanly, as recovery writes.
  //
  // While another process makes the store, or has it and said that it ends soon, this waits, and
  // says so on stderr after a second or two.
  static Result<StoreDirectory> Lock(const std::string& path, OpenMode mode);

  // Whether the process that holds the store at `path` is of another container or machine, so that
  // the ids of processes that it knows mean nothing here. False if nothing is known.
  static bool IsHeldElsewhere(const std::string& path);

  // The name under which others hear of this process; by default its executable file's name.
  // `ends_soon`: it will release a store unasked, so others wait. Call before the first Lock.
  static void DescribeHolder(const std::string& program, bool ends_soon);

  StoreDirectory(StoreDirectory&& other) noexcept;
  StoreDirectory& operator=(StoreDirectory&&) = delete;
  ~StoreDirectory();

  // Syncs all files, which are closed, and writes FORMAT. Only if created(), which it is no more.
  Status Complete();

  // Lets other processes have the store. Call when all files are closed; `clean` says that they
  // need no recovery, which LOCK notes of a complete store. The destructor does it too, not clean.
  void Unlock(bool clean);

  // Gives up the lock and keeps the files open; this process must not write to them meanwhile.
  // Reacquire takes the lock again if no process has held the store since and nothing in the
  // directory has changed. Otherwise it returns false, and the files must not be written any more.
  void ReleaseForHandoff();
  bool Reacquire();

  // Ok while the path leads to this directory, and LOCK is the file that was locked: asked before
  // commits. All files are reached by the directory's descriptor anyway (held_directory.h), so that
  // the store stays whole when it is moved.
  Status CheckInPlace() const;

  bool created() const { return created_; }
  // Whether LOCK said that the last holder closed the store cleanly.
  bool found_clean() const { return found_clean_; }
  bool writable() const { return read_only_error_ == 0; }
  // Ok, or kPermission with the reason.
  Status CheckWritable() const;
  const Uuid& uuid() const { return uuid_; }
  // PageServer::lineage.
  uint64_t lineage() const { return lineage_; }
  const std::string& path() const { return path_; }
  // The path of a file in the directory.
  std::string File(std::string_view name) const { return path_ + "/" + std::string(name); }

  // Bytes that the file system has left for us.
  Result<uint64_t> FreeBytes() const;
  // The size of the file system; 0: not known.
  uint64_t DiskBytes() const;

 private:
  explicit StoreDirectory(std::string path) : path_(std::move(path)) {}

  Status TakeLock(OpenMode mode);
  // False with errno.
  bool TakeLocks();
  // LOCK, as far as it may be opened; -1 with errno.
  int OpenLockFile(OpenMode mode);
  // For a store that is not writable: ok if it can be read without recovery.
  Status CheckClosedCleanly() const;
  // Writes of the previous process may be in the system's cache only; after a failed sync they even
  // look as if they were on the disk. So all files are synced before they are believed, and the
  // logs are read from the disk.
  Status SyncWhatIsThere() const;
  // Writes the name of this process to LOCK.
  Status WriteName();
  // The text of LOCK between ReleaseForHandoff and the next holder.
  std::string LeftText() const;
  // Differs when a file of the directory was replaced or changed.
  std::string Fingerprint() const;
  Status StartAfresh();
  Status SyncFiles() const;
  Status ReadFormat();

  std::string path_;
  HeldDirectory held_;
  std::string lock_path_;  // absolute
  FileKey lock_key_;
  int lock_fd_ = -1;
  bool created_ = false;
  bool found_clean_ = false;
  int read_only_error_ = 0;  // why nothing can be written
  Uuid uuid_;
  uint64_t lineage_ = 0;
  bool left_ = false;
  std::string fingerprint_;  // at ReleaseForHandoff
};

}  // namespace tenure::store
