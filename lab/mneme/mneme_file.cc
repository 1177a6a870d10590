#include "lab/mneme/mneme_file.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "lab/support/fail.h"
#include "lab/support/measure.h"

namespace tenure::lab::mneme {

MnemeFile::OpenFile MnemeFile::open_files[1 << ObjectId::kFileBits];

// The contents of the first pages of the database.
struct MnemeFile::Directory {
  static constexpr uint32_t kMagic = 0x4d6e656d;
  struct Entry {
    uint32_t first_page;
    uint16_t first_logical, logical_count;
  };
  static constexpr uint32_t kSegmentsMax =
      (kDirectoryPages * 8192 - 4 * sizeof(uint32_t)) / sizeof(Entry);
  uint32_t magic;
  uint32_t root;
  uint32_t objects_in_logical;
  uint32_t segments;
  Entry entries[kSegmentsMax];
};

MnemeFile::MnemeFile(store::PageServer& server, store::DatabaseId database, uint32_t number)
    : server_(server), database_(database), number_(number) {
  constexpr uint32_t kFiles = 1 << ObjectId::kFileBits;
  // File 0 is left out: object 0 of it would be the empty reference.
  if (number == 0) {
    for (number_ = 1; number_ < kFiles && open_files[number_].file != nullptr; ++number_) {
    }
  }
  if (number_ == kFiles || open_files[number_].file != nullptr) {
    Fail("too many Mneme files are open");
  }
  open_files[number_] = {tables_, this};
}

MnemeFile::~MnemeFile() { open_files[number_] = {}; }

std::unique_ptr<MnemeFile> MnemeFile::Create(store::PageServer& server, std::string_view database,
                                             uint32_t objects_in_logical) {
  const store::DatabaseId id =
      Check(server.OpenDatabase(database, store::OpenMode::kCreate), "create a Mneme file");
  std::unique_ptr<MnemeFile> file(new MnemeFile(server, id, 0));
  file->objects_in_logical_ = objects_in_logical;
  const store::PageRun run = Check(server.AllocatePages(id, kDirectoryPages), "allocate pages");
  if (run.first.number != 1) Fail("a new database does not begin with page 1");
  return file;
}

std::unique_ptr<MnemeFile> MnemeFile::Open(store::PageServer& server, std::string_view database) {
  const store::DatabaseId id =
      Check(server.OpenDatabase(database, store::OpenMode::kOpen), "open a Mneme file");
  std::vector<store::PageReply> replies(kDirectoryPages);
  const store::PageId pages[kDirectoryPages] = {store::PageId{1}, store::PageId{2}};
  Check(server.Read(id, pages, replies), "read a Mneme file's directory");
  const auto directory = std::make_unique<Directory>();
  for (uint32_t i = 0; i < kDirectoryPages; ++i) {
    Check(replies[i].status, "read a Mneme file's directory");
    std::memcpy(reinterpret_cast<char*>(directory.get()) + i * 8192, replies[i].record.contents,
                std::min<size_t>(8192, sizeof(Directory) - i * 8192));
  }
  if (directory->magic != Directory::kMagic || directory->segments > Directory::kSegmentsMax) {
    Fail("the database is no Mneme file");
  }
  const ObjectId root = ObjectId::FromBits(directory->root);
  std::unique_ptr<MnemeFile> file(new MnemeFile(server, id, root.file()));
  file->directory_version_ = replies[0].record.version;
  file->root_ = root;
  file->objects_in_logical_ = directory->objects_in_logical;
  for (uint32_t i = 0; i < directory->segments; ++i) {
    const Directory::Entry& entry = directory->entries[i];
    Segment segment;
    segment.first_page = store::PageId{entry.first_page};
    segment.first_logical = entry.first_logical;
    segment.logical_count = entry.logical_count;
    file->segments_.push_back(segment);
    file->segment_of_.insert(file->segment_of_.end(), entry.logical_count, i);
  }
  file->logical_count_ = static_cast<uint32_t>(file->segment_of_.size());
  return file;
}

void MnemeFile::NoteTables(const Segment& segment) {
  const SegmentHead& head = HeadOf(segment);
  for (uint32_t i = 0; i < head.logical_count; ++i) {
    tables_[head.first_logical + i] = segment.buffer + size_t{head.logical[i].end} * 4;
  }
}

char* MnemeFile::ReadSegmentOf(uint32_t logical) {
  if (logical >= logical_count_) Fail("an identifier names no object of its Mneme file");
  const Stopwatch watch;
  Segment& segment = segments_[segment_of_[logical]];
  segment.buffer = static_cast<char*>(buffers_.Allocate(kSegmentBytes, 4096));
  store::PageId pages[kSegmentPages];
  for (uint32_t i = 0; i < kSegmentPages; ++i) pages[i] = segment.first_page + i;
  static std::vector<store::PageReply> replies(kSegmentPages);
  Check(server_.Read(database_, pages, replies), "read a segment");
  for (uint32_t i = 0; i < kSegmentPages; ++i) {
    Check(replies[i].status, "read a segment");
    std::memcpy(segment.buffer + size_t{i} * 8192, replies[i].record.contents, 8192);
  }
  segment.version = replies[0].record.version;
  ++counters_.segments_read;
  NoteTables(segment);
  counters_.reading += watch.Read().elapsed;
  return tables_[logical];
}

void MnemeFile::NewLogical() {
  Segment& segment = segments_.back();
  SegmentHead& head = HeadOf(segment);
  if (logical_count_ == 1u << ObjectId::kLogicalBits) Fail("a Mneme file is full");
  head.logical[head.logical_count] = {static_cast<uint16_t>(head.bottom / 4), 0};
  ++head.logical_count;
  segment.logical_count = head.logical_count;
  segment_of_.push_back(static_cast<uint32_t>(segments_.size() - 1));
  tables_[logical_count_++] = segment.buffer + head.bottom;
}

void MnemeFile::NewSegment() {
  if (segments_.size() == Directory::kSegmentsMax) Fail("a Mneme file is full");
  Segment segment;
  segment.buffer = static_cast<char*>(buffers_.Allocate(kSegmentBytes, 4096));
  std::memset(segment.buffer, 0, kSegmentBytes);
  segment.first_logical = logical_count_;
  segment.first_page =
      Check(server_.AllocatePages(database_, kSegmentPages), "allocate a segment").first;
  segments_.push_back(segment);
  SegmentHead& head = HeadOf(segment);
  head.used = sizeof(SegmentHead);
  head.bottom = kSegmentBytes;
  head.first_logical = logical_count_;
  head.logical_count = 0;
  NewLogical();
}

Object* MnemeFile::Create(uint32_t slots, uint32_t bytes, uint32_t attributes, ObjectId* id) {
  const size_t size = Object::SizeOf(slots, bytes);
  if (slots > kSlotsMax || bytes > kBytesMax || size + 4 > kSegmentBytes - sizeof(SegmentHead)) {
    Fail("an object is too large for a segment");
  }
  const auto fits = [&] {
    if (segments_.empty()) return false;
    const Segment& last = segments_.back();
    if (last.buffer == nullptr) (void)ReadSegmentOf(last.first_logical);
    const SegmentHead& head = HeadOf(segments_.back());
    const bool full = head.logical[head.logical_count - 1].count == objects_in_logical_;
    return head.used + size + 4 <= head.bottom && !(full && head.logical_count == kLogicalMax);
  };
  if (!fits()) {
    NewSegment();
  } else if (HeadOf(segments_.back()).logical[HeadOf(segments_.back()).logical_count - 1].count ==
             objects_in_logical_) {
    NewLogical();
  }
  Segment& segment = segments_.back();
  SegmentHead& head = HeadOf(segment);
  LogicalEntry& logical = head.logical[head.logical_count - 1];
  auto* const object = reinterpret_cast<Object*>(segment.buffer + head.used);
  head.used += static_cast<uint32_t>(size);
  head.bottom -= 4;
  auto* const entry = reinterpret_cast<int32_t*>(segment.buffer + head.bottom);
  *entry = static_cast<int32_t>(reinterpret_cast<char*>(object) - reinterpret_cast<char*>(entry));
  object->SetHeader(slots, bytes, attributes);
  *id = ObjectId(number_, head.first_logical + head.logical_count - 1, logical.count++);
  segment.changed = true;
  return object;
}

uint32_t MnemeFile::ObjectsIn(uint32_t logical) const {
  const Segment& segment = segments_[segment_of_[logical]];
  return HeadOf(segment).logical[logical - segment.first_logical].count;
}

void MnemeFile::SegmentAround(uint32_t logical, uint32_t* first, uint32_t* count) const {
  const Segment& segment = segments_[segment_of_[logical]];
  *first = segment.first_logical;
  *count = segment.logical_count;
}

void MnemeFile::Save() {
  std::vector<store::PageWrite> writes;
  const auto put = [&](store::PageId page, uint64_t version, const char* contents) {
    store::PageWrite write;
    write.page = page;
    write.expected_version = version;
    write.contents = reinterpret_cast<const std::byte*>(contents);
    write.checksum = store::PageChecksum(page, {}, write.contents);
    writes.push_back(write);
  };
  std::vector<char> directory_pages(kDirectoryPages * 8192);
  auto& directory = *reinterpret_cast<Directory*>(directory_pages.data());
  directory.magic = Directory::kMagic;
  directory.root = root_.bits();
  directory.objects_in_logical = objects_in_logical_;
  directory.segments = static_cast<uint32_t>(segments_.size());
  for (uint32_t i = 0; i < segments_.size(); ++i) {
    directory.entries[i] = {static_cast<uint32_t>(segments_[i].first_page.number),
                            static_cast<uint16_t>(segments_[i].first_logical),
                            static_cast<uint16_t>(segments_[i].logical_count)};
  }
  for (uint32_t i = 0; i < kDirectoryPages; ++i) {
    put(store::PageId{1 + i}, directory_version_, directory_pages.data() + size_t{i} * 8192);
  }
  for (const Segment& segment : segments_) {
    if (!segment.changed) continue;
    for (uint32_t i = 0; i < kSegmentPages; ++i) {
      put(segment.first_page + i, segment.version, segment.buffer + size_t{i} * 8192);
    }
  }
  store::DatabaseCommit commit;
  commit.database = database_;
  commit.pages = writes;
  const store::CommitAnswer answer = server_.Commit({store::NewCommitId(), std::span(&commit, 1)});
  Check(answer.status, "save a Mneme file");
  directory_version_ = answer.version;
  for (Segment& segment : segments_) {
    if (!segment.changed) continue;
    segment.version = answer.version;
    segment.changed = false;
    ++counters_.segments_written;
  }
}

}  // namespace tenure::lab::mneme
