// The double-write file of a store, DOUBLEWRITE: a page of a tree is written there, and synced,
// before it is written to its place, so that a write in place that a power failure or a kill leaves
// half done can be repeated from it (docs/recovery.md, "Torn pages").
//
// It works below Berkeley DB, in the functions of tree_io.h: pages that it writes to files in
// the store's directory are collected, and reads of them answered, until there is a batch of them
// or a file is to be synced. Then the batch goes to DOUBLEWRITE, and from memory to the pages'
// places. When all files with such pages have been synced, its records are made invalid, durably,
// and it is used anew from its beginning; when it gets long they are synced for that. While a store
// is made, which is nothing before all of it is synced, pages are written to their places only.
//
// Pages of a replacement (store_files.h), which is nothing before all of it is synced, either, go
// to their places only. Berkeley DB never hears that there is no room for one: the first failure is
// kept for the caller, and from then on these pages stay in memory.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/files/descriptor.h"
#include "store/trees/tree_io.h"

namespace tenure::store {

// The space on disk that DOUBLEWRITE may need before pages can go to places that exist already.
inline constexpr uint64_t kDoubleWriteBatchBytes = 4 << 20;

// Writes the pages in DOUBLEWRITE to their places, and empties the file. Call before any other use
// of the store's files, with the store's lock. Ignores the bytes behind the last whole record: such
// pages were never written to their places.
Status RestoreTornPages(const std::string& directory);

// While an object lives, Berkeley DB's files in `directory`, the path that Berkeley DB is given,
// are written twice. Any thread; Close and destruction after Berkeley DB has closed the files.
class DoubleWrite final : public TreeOwner {
 public:
  explicit DoubleWrite(std::string directory);
  // Drops pages that are not in their places: Berkeley DB was not told that they are.
  ~DoubleWrite();
  DoubleWrite(const DoubleWrite&) = delete;
  DoubleWrite& operator=(const DoubleWrite&) = delete;

  // Everything is in its place and synced. DOUBLEWRITE is left empty, with the disk's space for a
  // batch: an opening on a full disk needs it.
  Status Close();

  const std::string& directory() const override { return directory_; }

  // The space that DOUBLEWRITE keeps for a batch.
  static constexpr uint64_t kReservedBytes = kDoubleWriteBatchBytes + (1 << 20);
  // The bytes that the file system must have for the next batch: what DOUBLEWRITE lacks. Waits
  // while a batch is written.
  uint64_t SpaceForBatch();

  // True until NoteRecovered.
  bool may_have_holes() const override { return may_have_holes_.load(std::memory_order_relaxed); }
  // From now on pages are checked against each other: the trees have all their pages.
  void NoteRecovered() { may_have_holes_.store(false, std::memory_order_relaxed); }

  std::string TroubleOf(int fd, const FileKey& key, uint32_t number,
                        std::span<const std::byte> page, int* error) override;
  void ForgetPages(const FileKey& key, const std::string& name) override;

  // The errno of the first write or sync of a replacement that failed; 0: there was none. Such a
  // replacement is of no use.
  int replacement_error() const { return replacement_error_.load(std::memory_order_relaxed); }
  // Replacements are not written or synced any more: they are given up.
  void DropReplacements();

  // An operation that fails for lack of space may be tried again: pages stay in memory, which is no
  // failure of Write, until they are in their places.
  ssize_t Write(int fd, const FileKey& key, const std::string& name, const void* bytes,
                size_t count, off_t offset) override;
  ssize_t Read(int fd, const FileKey& key, void* bytes, size_t count, off_t offset) override;
  int Sync(int fd, const FileKey& key) override;
  int Settle() override;
  // DOUBLEWRITE is durably empty afterwards.
  int Retire() override;
  bool HasPages(const FileKey& key) override;

 private:
  struct Place {
    FileKey file;
    off_t offset;
    auto operator<=>(const Place&) const = default;
  };
  using Image = std::shared_ptr<const std::string>;
  struct File {
    std::string name;
    int fd = -1;         // our own, so that the file can be closed meanwhile
    bool dirty = false;  // has been written since it was synced
  };

  struct Batch {
    std::map<Place, Image> pages;
    std::map<FileKey, File> files;
  };

  std::string Records(const Batch& batch) const TN_REQUIRES(settle_mutex_);
  int Record(const Batch& batch) TN_REQUIRES(settle_mutex_);
  int PutInPlaces() TN_REQUIRES(settle_mutex_);
  ssize_t WriteReplacement(int fd, const FileKey& key, const void* bytes, size_t count,
                           off_t offset);
  int SettleLocked() TN_REQUIRES(settle_mutex_);
  int RetireLocked() TN_REQUIRES(settle_mutex_);
  int OpenSideFile() TN_REQUIRES(settle_mutex_);
  int SyncPlaces();
  int StartOver() TN_REQUIRES(settle_mutex_);
  void StartAnew() TN_REQUIRES(settle_mutex_);

  const std::string directory_;
  std::atomic<bool> may_have_holes_ = true;

  // Held by a thread that settles. Taken before mutex_.
  Mutex settle_mutex_;
  int side_fd_ TN_GUARDED_BY(settle_mutex_) = -1;
  uint64_t generation_ TN_GUARDED_BY(settle_mutex_) = 1;
  off_t position_ TN_GUARDED_BY(settle_mutex_) =
      0;  // in DOUBLEWRITE, behind the last record of this generation
  bool empty_ TN_GUARDED_BY(settle_mutex_) = true;  // it has no record of any generation
  Batch unplaced_ TN_GUARDED_BY(settle_mutex_);     // recorded there, and perhaps not in its places

  Mutex mutex_;
  std::map<Place, Image> pending_ TN_GUARDED_BY(mutex_);
  uint64_t pending_bytes_ TN_GUARDED_BY(mutex_) = 0;
  uint64_t full_at_ TN_GUARDED_BY(mutex_) = kDoubleWriteBatchBytes;  // bytes that make a batch
  std::map<FileKey, File> files_ TN_GUARDED_BY(mutex_);  // with pages in pending_ or DOUBLEWRITE

  Mutex replacement_mutex_;
  std::set<FileKey> replacements_ TN_GUARDED_BY(replacement_mutex_);
  std::map<Place, std::string> homeless_
      TN_GUARDED_BY(replacement_mutex_);  // their pages that could not be written
  std::atomic<int> replacement_error_ = 0;
  bool dropped_ TN_GUARDED_BY(replacement_mutex_) = false;

  // The facts that pages tell of each other, for the files that Berkeley DB reads.
  struct PagesRead;
  Mutex read_mutex_;
  std::map<FileKey, std::unique_ptr<PagesRead>> read_ TN_GUARDED_BY(read_mutex_);
  PagesRead& ReadOf(const FileKey& key) TN_REQUIRES(read_mutex_);
};

}  // namespace tenure::store
