// A file of the Mneme object store (Moss 1990, 5; Hosking & Moss 1993, 3): objects in logical
// segments, these in physical segments, which are read and written whole.
//
// Here a file is a database of a PageServer, and a physical segment a run of its pages: all systems
// of the laboratory read and commit through the same server. What Mneme does without (locks,
// recovery) the server does for all schemes alike.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lab/mneme/object.h"
#include "lab/support/low_memory.h"
#include "store/server/page_server.h"

namespace tenure::lab::mneme {

inline constexpr uint32_t kSegmentPages = 4;
inline constexpr uint32_t kSegmentBytes = kSegmentPages * 8192;

struct FileCounters {
  uint64_t segments_read = 0;     // physical ones
  uint64_t segments_written = 0;  // since the file was opened or made
  double reading = 0;             // elapsed microseconds of reading segments
};

// One thread. A failure ends the program.
class MnemeFile {
 public:
  // A logical segment has at most `objects_in_logical` objects (2 to 1024).
  static std::unique_ptr<MnemeFile> Create(store::PageServer& server, std::string_view database,
                                           uint32_t objects_in_logical);
  // Reads no segment. The file gets the number that it had when it was saved, since its objects
  // refer to each other by it: no other open file may have that number.
  static std::unique_ptr<MnemeFile> Open(store::PageServer& server, std::string_view database);
  ~MnemeFile();
  MnemeFile(const MnemeFile&) = delete;
  MnemeFile& operator=(const MnemeFile&) = delete;

  ObjectId root() const { return root_; }
  void set_root(ObjectId root) { root_ = root; }
  const FileCounters& counters() const { return counters_; }
  uint32_t logical_segments() const { return logical_count_; }

  // The object in its buffer. Reads its physical segment unless that is there.
  static Object* Locate(ObjectId id) {
    const char* table = open_files[id.file()].tables[id.logical()];
    if (table == nullptr) table = open_files[id.file()].file->ReadSegmentOf(id.logical());
    const int32_t* const entry = reinterpret_cast<const int32_t*>(table) - 1 - id.object();
    return reinterpret_cast<Object*>(reinterpret_cast<uintptr_t>(entry) +
                                     static_cast<uintptr_t>(static_cast<intptr_t>(*entry)));
  }
  static bool IsResident(ObjectId id) {
    return open_files[id.file()].tables[id.logical()] != nullptr;
  }
  // A new object, zero but for its header, in the segment in which the last one was made if it fits
  // there. At most kSegmentBytes less some hundred.
  Object* Create(uint32_t slots, uint32_t bytes, uint32_t attributes, ObjectId* id);
  // The object's segment is written by the next Save.
  void NoteChanged(ObjectId id) { segments_[segment_of_[id.logical()]].changed = true; }
  // The objects of a logical segment, which is resident, in order.
  uint32_t ObjectsIn(uint32_t logical) const;
  // The logical segments that lie in one physical segment with this one.
  void SegmentAround(uint32_t logical, uint32_t* first, uint32_t* count) const;

  // Writes all changed segments and the root by one commit.
  void Save();

 private:
  // As an open file is found from an identifier.
  struct OpenFile {
    char** tables = nullptr;  // by logical segment: the end of its table of objects; null: not here
    MnemeFile* file = nullptr;
  };
  static OpenFile open_files[1 << ObjectId::kFileBits];

  // At the start of a physical segment. Objects follow; the tables of its logical segments grow
  // downwards from its end, one behind the other.
  struct LogicalEntry {
    uint16_t end;    // of the table, in words from the segment's start
    uint16_t count;  // of its objects
  };
  static constexpr uint32_t kLogicalMax = 30;
  struct SegmentHead {
    uint32_t used;           // bytes, from the start
    uint32_t bottom;         // bytes to the lowest table entry
    uint32_t first_logical;  // number in the file
    uint32_t logical_count;
    LogicalEntry logical[kLogicalMax];
  };
  struct Segment {
    char* buffer = nullptr;
    store::PageId first_page;
    uint64_t version = 0;  // of all its pages; 0: never written
    uint32_t first_logical = 0, logical_count = 0;
    bool changed = false;
  };
  static constexpr uint32_t kDirectoryPages = 2;
  struct Directory;

  // number 0: any free one.
  MnemeFile(store::PageServer& server, store::DatabaseId database, uint32_t number);
  char* ReadSegmentOf(uint32_t logical);
  void NewSegment();
  void NewLogical();
  void NoteTables(const Segment& segment);
  static SegmentHead& HeadOf(const Segment& segment) {
    return *reinterpret_cast<SegmentHead*>(segment.buffer);
  }

  store::PageServer& server_;
  const store::DatabaseId database_;
  uint32_t number_ = 0;
  uint32_t objects_in_logical_ = 1024;
  ObjectId root_;
  std::vector<Segment> segments_;
  std::vector<uint32_t> segment_of_;  // by logical segment
  uint32_t logical_count_ = 0;
  char* tables_[1 << ObjectId::kLogicalBits] = {};
  uint64_t directory_version_ = 0;
  LowArena buffers_;
  FileCounters counters_;
};

}  // namespace tenure::lab::mneme
