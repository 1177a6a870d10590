// QuickStore (White & DeWitt 1995, 4): objects refer to each other by addresses, in memory and in
// the store. A page that is absent has a frame of addresses nevertheless, which is protected; the
// trap reads the page, gives frames to the pages that its mapping object names, and changes the
// page's pointers only if one of them lies elsewhere than before.
#pragma once

#include <bitset>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "lab/esm/storage.h"
#include "lab/quickstore/counters.h"
#include "store/server/page_server.h"

namespace tenure::lab::quickstore {

inline constexpr size_t kFrameBytes = esm::kPageBytes;
inline constexpr uintptr_t kBase = 0x300000000000;
inline constexpr uint64_t kFrames = uint64_t{1} << 23;  // 64 GB of addresses

struct Options {
  uint32_t pool_pages = 1536;     // 12 MB
  uint32_t recovery_pages = 512;  // 4 MB of copies
  // The percentage of the database's original pages that do not get their frames again.
  uint32_t relocate_percent = 0;
  // Relocated pages are written with their new pointers (QS-OR). Otherwise their pointers are
  // changed again each time (QS-CR).
  bool relocate_once = false;
  // References are relative to where the database lies: each page has the frame of its number, and
  // no mapping object.
  bool relative = false;
  // Relative: how many frames behind the stored addresses the database lies. If not 0, every
  // pointer is changed when its page is read.
  uint64_t shift = 0;
};

// The client. Only one at a time: pointers do not name it. One thread.
class QuickStore final : private esm::PoolUser {
 public:
  QuickStore(store::PageServer& server, bool create, const Options& options);
  ~QuickStore();
  QuickStore(const QuickStore&) = delete;
  QuickStore& operator=(const QuickStore&) = delete;

  static QuickStore& Get() { return *current; }

  // A new object, all zero. `pointers`: it may have some, which NotePointer tells.
  void* Make(esm::Cluster cluster, uint32_t type, size_t bytes, bool pointers);
  // There is a pointer at this place of a new object.
  void NotePointer(const void* place);
  void* Root();
  void SetRoot(void* object);
  // The form of an object's address in an index, and back.
  esm::IndexValue ValueOf(void* object);
  void* ObjectOf(esm::IndexValue value);
  esm::BTree& Index(esm::IndexName name) { return storage_.Index(name); }
  // Ends the transaction and begins another one. Pages and their frames are kept.
  void Commit();

  const Counters& counters() const { return counters_; }
  const esm::PoolCounters& pool_counters() { return storage_.pool().counters(); }
  const esm::DatabaseHead& head() { return storage_.head(); }

 private:
  // Pages in a row: one that has been touched, or those of a large object that have not.
  struct Descriptor {
    uint64_t frame = 0, frames = 1;
    uint64_t page = 0;
    uint64_t first = 0;        // page: of the object, if it is large
    bool swizzled = false;     // it has been read before
    bool relocated = false;    // its pointers are not those of the stored page
    bool opened = false;       // it may be written: there is a copy, or it is new
    bool writable = false;     // its memory was made accessible for writing
    uint64_t accessible = 0;   // its memory is, if this is the present epoch
    int64_t mapped_slot = -1;  // its frame maps this one
  };
  // An entry of a mapping object: where a page, or the pages of a large object, lay.
  struct MapEntry {
    uint32_t place;  // frame << 9 | frames
    uint32_t page;
    uint64_t frame() const { return place >> 9; }
    uint64_t frames() const { return place & 511; }
    friend constexpr auto operator<=>(const MapEntry&, const MapEntry&) = default;
  };
  struct Copy {
    Descriptor* of;
    std::unique_ptr<std::byte[]> bytes;
  };
  using Bitmap = std::bitset<esm::kPageBytes / 8>;

  static void Handle(int, siginfo_t* info, void* context);
  bool Fault(uintptr_t address);
  void OpenForWriting(Descriptor& d);
  void MakeAccessible(Descriptor& d);
  Descriptor* At(uint64_t frame);
  Descriptor* Split(Descriptor* d, uint64_t frame);
  Descriptor* Add(uint64_t frame, uint64_t frames, uint64_t page, uint64_t first);
  Descriptor* Assign(uint64_t frame, uint64_t frames, uint64_t page);
  uint64_t NewFrames(uint64_t count);
  bool Collides(uint64_t page, uint64_t frame);
  esm::MetaObject* MetaOf(const Descriptor& d, std::byte* page);
  std::vector<MapEntry> ReadMapping(esm::ObjectId id);
  Bitmap ReadBitmap(esm::ObjectId id);
  void Swizzle(Descriptor& d, uint32_t slot);
  void SwizzleRelative(Descriptor& d, uint32_t slot);
  void UpdateBitmap(const Descriptor& d);
  void Log(const Copy& copy);
  void LogOldest();
  void UpdateMapping(Descriptor& d);
  void Leaves(uint64_t page, uint32_t slot) override;
  void ProtectAll() override;

  static QuickStore* current;
  const Options options_;
  esm::Storage storage_;
  std::map<uint64_t, Descriptor> by_frame_;            // balanced, by the first frame
  std::unordered_map<uint64_t, Descriptor*> by_page_;  // the first page of a large object
  std::unordered_map<uint64_t, Descriptor*> touched_;  // each page that has a descriptor of its own
  std::map<uint64_t, Descriptor*> modified_;           // by page
  std::unordered_map<uint64_t, Bitmap> new_bitmaps_;   // of new pages
  std::deque<Copy> copies_;
  uint64_t epoch_ = 1;  // counts how often all was protected
  uint64_t frames_in_use_ = 0;
  Counters counters_;
};

}  // namespace tenure::lab::quickstore
