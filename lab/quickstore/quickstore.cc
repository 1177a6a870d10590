#include "lab/quickstore/quickstore.h"

#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <set>
#include <utility>

#include "lab/support/fail.h"

namespace tenure::lab::quickstore {

QuickStore* QuickStore::current = nullptr;

namespace {

using esm::HeadOf;
using esm::PageHead;
using esm::PageUse;

struct sigaction before;

std::byte* AddressOf(uint64_t frame) {
  return reinterpret_cast<std::byte*>(kBase + frame * kFrameBytes);
}
uint64_t FrameOf(const void* address) {
  return (reinterpret_cast<uintptr_t>(address) - kBase) / kFrameBytes;
}
uint64_t WithinFrame(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % kFrameBytes;
}

// Adds the time of a block to a counter.
class Timed {
 public:
  explicit Timed(uint64_t& total) : total_(total), from_(Now()) {}
  ~Timed() { total_ += Now() - from_; }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  static uint64_t Now() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
  }
  uint64_t& total_;
  const uint64_t from_;
};

// A number for a page that looks like drawn at random, the same in each run.
uint64_t Mixed(uint64_t page) {
  page = (page ^ page >> 31) * 0x9e3779b97f4a7c15;
  page = (page ^ page >> 29) * 0xbf58476d1ce4e5b9;
  return page ^ page >> 32;
}

}  // namespace

QuickStore::QuickStore(store::PageServer& server, bool create, const Options& options)
    : options_(options),
      storage_(server, create, options.pool_pages, esm::Clock::kProtection, *this) {
  if (current != nullptr) Fail("there is a QuickStore client already");
  void* const memory =
      mmap(reinterpret_cast<void*>(kBase), kFrames * kFrameBytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != reinterpret_cast<void*>(kBase)) Fail("cannot reserve addresses");
  current = this;
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (sigaction(SIGSEGV, &action, &before) != 0) Fail("cannot handle SIGSEGV");
  if (create) storage_.head().next_frame = 1;
  frames_in_use_ = storage_.head().next_frame;
}

QuickStore::~QuickStore() {
  (void)sigaction(SIGSEGV, &before, nullptr);
  munmap(reinterpret_cast<void*>(kBase), kFrames * kFrameBytes);
  current = nullptr;
}

// --- faults ---

void QuickStore::Handle(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (current != nullptr && current->Fault(address)) return;
  (void)sigaction(SIGSEGV, &before, nullptr);  // done again, it ends the program
}

bool QuickStore::Fault(uintptr_t address) {
  if (address < kBase || address >= kBase + kFrames * kFrameBytes) return false;
  const uint64_t frame = (address - kBase) / kFrameBytes;
  Descriptor* d = At(frame);
  if (d == nullptr) {
    if (!options_.relative || frame <= options_.shift) return false;
    d = Add(frame, 1, frame - options_.shift, frame - options_.shift);
    frames_in_use_ = std::max(frames_in_use_, frame + 1);
  }
  if (d->frames > 1) d = Split(d, frame);
  if (d->accessible == epoch_) {
    if (d->writable) return false;
    ++counters_.write_faults;
    OpenForWriting(*d);
    return true;
  }
  const Timed timed(counters_.fault_ns);
  esm::BufferPool& pool = storage_.pool();
  std::optional<uint32_t> slot = pool.Find(d->page, true);
  if (!slot) {
    ++counters_.read_faults;
    {
      const Timed io(counters_.data_io_ns);
      slot = pool.Fix(d->page, PageUse::kData);
    }
    pool.Pin(*slot);
    if (options_.relative) {
      // Stored pages keep the addresses that they were made with.
      if (options_.shift != 0) SwizzleRelative(*d, *slot);
    } else if (!d->swizzled || d->relocated) {
      Swizzle(*d, *slot);
    }
    pool.Unpin(*slot);
  } else {
    ++counters_.access_faults;
  }
  touched_[d->page] = d;
  MakeAccessible(*d);
  return true;
}

// The page is in the pool.
void QuickStore::MakeAccessible(Descriptor& d) {
  const Timed timed(counters_.mmap_ns);
  const uint32_t slot = *storage_.pool().Find(d.page, true);
  const int protection = d.opened ? PROT_READ | PROT_WRITE : PROT_READ;
  if (d.mapped_slot == slot) {
    if (mprotect(AddressOf(d.frame), kFrameBytes, protection) != 0) Fail("cannot open a page");
  } else {
    void* const at = mmap(AddressOf(d.frame), kFrameBytes, protection, MAP_SHARED | MAP_FIXED,
                          storage_.pool().file(), static_cast<off_t>(slot * kFrameBytes));
    if (at != AddressOf(d.frame)) Fail("cannot map a page");
    d.mapped_slot = slot;
  }
  d.accessible = epoch_;
  d.writable = d.opened;
}

void QuickStore::OpenForWriting(Descriptor& d) {
  if (options_.shift != 0) Fail("a database that lies elsewhere than before is only read");
  const Timed timed(counters_.copy_ns);
  if (copies_.size() >= options_.recovery_pages) LogOldest();
  Copy copy{&d, std::make_unique_for_overwrite<std::byte[]>(kFrameBytes)};
  const uint32_t slot = *storage_.pool().Find(d.page, true);
  std::memcpy(copy.bytes.get(), storage_.pool().Bytes(slot), kFrameBytes);
  copies_.push_back(std::move(copy));
  storage_.pool().WillChange(d.page);
  modified_[d.page] = &d;
  d.opened = true;
  MakeAccessible(d);
}

// --- descriptors ---

QuickStore::Descriptor* QuickStore::At(uint64_t frame) {
  auto at = by_frame_.upper_bound(frame);
  if (at == by_frame_.begin()) return nullptr;
  Descriptor& d = std::prev(at)->second;
  return frame < d.frame + d.frames ? &d : nullptr;
}

QuickStore::Descriptor* QuickStore::Add(uint64_t frame, uint64_t frames, uint64_t page,
                                        uint64_t first) {
  Descriptor& d = by_frame_[frame];
  d.frame = frame;
  d.frames = frames;
  d.page = page;
  d.first = first;
  return &d;
}

// The descriptor of some pages of a large object becomes one of the page in this frame, and those
// of the pages before and behind it.
QuickStore::Descriptor* QuickStore::Split(Descriptor* d, uint64_t frame) {
  const uint64_t begin = d->frame, end = begin + d->frames, page = d->page, first = d->first;
  const uint64_t at = page + (frame - begin);
  if (frame + 1 < end) Add(frame + 1, end - frame - 1, at + 1, first);
  if (frame == begin) {
    d->frames = 1;
    return d;
  }
  d->frames = frame - begin;
  return Add(frame, 1, at, first);
}

uint64_t QuickStore::NewFrames(uint64_t count) {
  uint64_t& next = storage_.head().next_frame;
  while (true) {
    if (next + count > kFrames) next = 1;
    const auto behind = by_frame_.lower_bound(next);
    const Descriptor* const there = At(next);
    if (there != nullptr) {
      next = there->frame + there->frames;
    } else if (behind != by_frame_.end() && behind->first < next + count) {
      next = behind->first + behind->second.frames;
    } else {
      break;
    }
  }
  const uint64_t frame = next;
  next += count;
  frames_in_use_ = std::max(frames_in_use_, next);
  return frame;
}

// Whether the page cannot have the frame that it was given when the database was made.
bool QuickStore::Collides(uint64_t page, uint64_t frame) {
  return options_.relocate_percent != 0 && frame < storage_.head().first_frames &&
         Mixed(page) % 100 < options_.relocate_percent;
}

// The frames of a page or large object that some mapping object names: those that it has, else
// those that it had, else new ones.
QuickStore::Descriptor* QuickStore::Assign(uint64_t frame, uint64_t frames, uint64_t page) {
  const auto known = by_page_.find(page);
  if (known != by_page_.end()) return known->second;
  const auto behind = by_frame_.lower_bound(frame);
  const bool taken =
      At(frame) != nullptr || (behind != by_frame_.end() && behind->first < frame + frames);
  if (taken || Collides(page, frame)) {
    frame = NewFrames(frames);
    ++counters_.relocated;
  }
  frames_in_use_ = std::max(frames_in_use_, frame + frames);
  Descriptor* const d = Add(frame, frames, page, page);
  by_page_[page] = d;
  return d;
}

// --- swizzling ---

// Lies in the page itself; for a large object, behind the object. Null: the page has no pointers.
esm::MetaObject* QuickStore::MetaOf(const Descriptor& d, std::byte* page) {
  if (d.page == d.first && HeadOf(page).large == 0) return &HeadOf(page).meta;
  esm::BufferPool& pool = storage_.pool();
  const PageHead& head = HeadOf(pool.Bytes(pool.Fix(d.first, PageUse::kData)));
  if (head.metas_at == 0) return nullptr;
  const uint64_t at = head.metas_at + (d.page - d.first) * sizeof(esm::MetaObject);
  const uint32_t slot = pool.Fix(d.first + at / esm::kPageBytes, PageUse::kMap);
  return reinterpret_cast<esm::MetaObject*>(pool.Bytes(slot) + at % esm::kPageBytes);
}

std::vector<QuickStore::MapEntry> QuickStore::ReadMapping(esm::ObjectId id) {
  const uint32_t bytes = storage_.SizeOf(id, PageUse::kMap);
  const std::byte* const object = storage_.Locate(id, PageUse::kMap);
  uint32_t count = 0;
  std::memcpy(&count, object, sizeof count);
  if (count > bytes / sizeof(MapEntry)) Fail("a mapping object is too short");
  std::vector<MapEntry> entries(count);
  std::memcpy(entries.data(), object + sizeof(esm::ObjectHeader), count * sizeof(MapEntry));
  return entries;
}

QuickStore::Bitmap QuickStore::ReadBitmap(esm::ObjectId id) {
  Bitmap bitmap;
  static_assert(sizeof bitmap == esm::kPageBytes / 64);
  std::memcpy(&bitmap, storage_.Locate(id, PageUse::kMap) + sizeof(esm::ObjectHeader),
              sizeof bitmap);
  return bitmap;
}

// The page has been read, and is pinned.
void QuickStore::Swizzle(Descriptor& d, uint32_t slot) {
  struct Moved {
    uint64_t frame, frames;  // before
    uint64_t by;
  };
  esm::BufferPool& pool = storage_.pool();
  const esm::MetaObject* const found = MetaOf(d, pool.Bytes(slot));
  d.swizzled = true;
  if (found == nullptr || found->mapping == 0) return;
  const esm::MetaObject meta = *found;
  std::vector<MapEntry> entries;
  {
    const Timed timed(counters_.map_io_ns);
    entries = ReadMapping(meta.mapping);
  }
  std::vector<Moved> moved;
  {
    const Timed timed(counters_.swizzle_ns);
    counters_.map_entries += entries.size();
    for (const MapEntry& entry : entries) {
      const uint64_t frame = entry.frame(), frames = entry.frames();
      const Descriptor* const to = Assign(frame, frames, entry.page);
      if (to->frame != frame) moved.push_back({frame, frames, (to->frame - frame) * kFrameBytes});
    }
  }
  if (moved.empty()) return;
  Bitmap bitmap;
  {
    const Timed timed(counters_.map_io_ns);
    bitmap = ReadBitmap(meta.bitmap);
    ++counters_.bitmaps_read;
  }
  const Timed timed(counters_.swizzle_ns);
  std::sort(moved.begin(), moved.end(),
            [](const Moved& a, const Moved& b) { return a.frame < b.frame; });
  auto* const words = reinterpret_cast<uint64_t*>(pool.Bytes(slot));
  bool patched = false;
  for (size_t i = bitmap._Find_first(); i < bitmap.size(); i = bitmap._Find_next(i)) {
    if (words[i] == 0) continue;
    const uint64_t frame = FrameOf(reinterpret_cast<void*>(words[i]));
    auto at = std::upper_bound(moved.begin(), moved.end(), frame,
                               [](uint64_t f, const Moved& m) { return f < m.frame; });
    if (at == moved.begin()) continue;
    --at;
    if (frame >= at->frame + at->frames) continue;
    words[i] += at->by;
    ++counters_.pointers_patched;
    patched = true;
  }
  if (!patched) return;
  ++counters_.pages_patched;
  if (options_.relocate_once) {
    pool.ChangedWhole(d.page);
    modified_[d.page] = &d;
  } else {
    d.relocated = !pool.IsChanged(d.page);
  }
}

// One addition for each pointer, wherever the target's page lay before.
void QuickStore::SwizzleRelative(Descriptor& d, uint32_t slot) {
  std::optional<esm::IndexValue> found;
  Bitmap bitmap;
  {
    const Timed timed(counters_.map_io_ns);
    found = storage_.Index(esm::IndexName::kByPage)
                .Find({static_cast<uint32_t>(d.page >> 32), static_cast<uint32_t>(d.page)});
    if (!found) return;
    bitmap = ReadBitmap(found->first);
    ++counters_.bitmaps_read;
  }
  const Timed timed(counters_.swizzle_ns);
  auto* const words = reinterpret_cast<uint64_t*>(storage_.pool().Bytes(slot));
  const uint64_t by = options_.shift * kFrameBytes;
  for (size_t i = bitmap._Find_first(); i < bitmap.size(); i = bitmap._Find_next(i)) {
    if (words[i] == 0) continue;
    words[i] += by;
    ++counters_.pointers_patched;
  }
  ++counters_.pages_patched;
  d.relocated = true;
}

// --- objects ---

void* QuickStore::Make(esm::Cluster cluster, uint32_t type, size_t bytes, bool pointers) {
  const esm::Placed placed = storage_.Place(cluster, bytes, pointers);
  if (placed.new_pages) {
    const uint64_t frame = options_.relative ? placed.page : NewFrames(placed.pages);
    frames_in_use_ = std::max(frames_in_use_, frame + placed.pages);
    for (uint64_t i = 0; i < placed.pages; ++i) {
      Descriptor* const d = Add(frame + i, 1, placed.page + i, placed.page);
      if (i == 0) by_page_[placed.page] = d;
      touched_[d->page] = d;
      modified_[d->page] = d;
      d->swizzled = true;
      d->opened = true;
    }
  }
  const Descriptor* const d = touched_.at(placed.page);
  std::byte* const object = AddressOf(d->frame) + placed.offset;
  *reinterpret_cast<esm::ObjectHeader*>(object) = {type, 1};
  return object + sizeof(esm::ObjectHeader);
}

void QuickStore::NotePointer(const void* place) {
  new_bitmaps_[At(FrameOf(place))->page].set(WithinFrame(place) / 8);
}

void QuickStore::SetRoot(void* object) {
  const esm::IndexValue value = ValueOf(object);
  storage_.head().root_address = value.first;
  storage_.head().root = esm::MakeId(value.second, 0);
  storage_.HeadChanged();
}

void* QuickStore::Root() {
  return ObjectOf({storage_.head().root_address, esm::PageOf(storage_.head().root)});
}

esm::IndexValue QuickStore::ValueOf(void* object) {
  if (options_.relative) {
    return {reinterpret_cast<uint64_t>(object) - options_.shift * kFrameBytes,
            FrameOf(object) - options_.shift};
  }
  return {reinterpret_cast<uint64_t>(object), At(FrameOf(object))->page};
}

void* QuickStore::ObjectOf(esm::IndexValue value) {
  auto* const object = reinterpret_cast<std::byte*>(value.first);
  const uint64_t frame = FrameOf(object);
  if (options_.relative) return object + options_.shift * kFrameBytes;
  const Descriptor* const d = Assign(frame, 1, value.second);
  return object + (d->frame - frame) * kFrameBytes;
}

// --- the commit ---

void QuickStore::Log(const Copy& copy) {
  const Timed timed(counters_.diff_ns);
  Descriptor& d = *copy.of;
  std::byte* const page = storage_.pool().Bytes(*storage_.pool().Find(d.page, false));
  esm::RegionSet& regions = storage_.pool().Regions(d.page);
  if (d.relocated) {
    // The stored page has other pointers.
    storage_.pool().ChangedWhole(d.page);
    d.relocated = false;
  }
  // Relative: the page may be any of a large object.
  if (options_.relative || d.page != d.first || HeadOf(page).large != 0) {
    esm::DiffObject(copy.bytes.get(), page, 0, kFrameBytes, &regions, &counters_.log);
  } else {
    for (uint32_t i = 0; i < HeadOf(page).count; ++i) {
      const esm::PlaceEntry& entry = esm::EntryAt(page, i);
      esm::DiffObject(copy.bytes.get() + entry.offset, page + entry.offset, entry.offset,
                      entry.bytes, &regions, &counters_.log);
    }
  }
  d.opened = false;
  if (d.accessible == epoch_ && d.writable) {
    if (mprotect(AddressOf(d.frame), kFrameBytes, PROT_READ) != 0) Fail("cannot protect a page");
    d.writable = false;
  }
}

void QuickStore::LogOldest() {
  const Copy copy = std::move(copies_.front());
  copies_.pop_front();
  Log(copy);
}

// The set of pages that the page's pointers lead to is made anew, and the mapping object written
// if the set has changed (4.6).
void QuickStore::UpdateMapping(Descriptor& d) {
  ++counters_.mappings_checked;
  esm::BufferPool& pool = storage_.pool();
  const esm::Pinned page(pool, pool.Fix(d.page, PageUse::kData));
  esm::MetaObject* const found = MetaOf(d, page.bytes());
  if (found == nullptr) return;
  esm::MetaObject meta = *found;
  const auto fresh = new_bitmaps_.find(d.page);
  if (fresh == new_bitmaps_.end() && meta.bitmap == 0) return;
  const Bitmap bitmap = fresh != new_bitmaps_.end() ? fresh->second : ReadBitmap(meta.bitmap);
  std::set<MapEntry> set;
  const auto* const words = reinterpret_cast<const uint64_t*>(page.bytes());
  const Descriptor* last = nullptr;
  for (size_t i = bitmap._Find_first(); i < bitmap.size(); i = bitmap._Find_next(i)) {
    if (words[i] == 0) continue;
    const uint64_t frame = FrameOf(reinterpret_cast<void*>(words[i]));
    if (last != nullptr && frame == last->frame) continue;
    last = At(frame);
    // All pages of a large object, whether they have been touched or not.
    uint64_t frames = last->frames;
    for (const Descriptor* next; (next = At(last->frame + frames)) != nullptr &&
                                 next->first == last->first && last->page == last->first;) {
      frames += next->frames;
    }
    if (frames > 511 || last->page > UINT32_MAX) Fail("an object is too large for its mapping");
    set.insert(
        {static_cast<uint32_t>(last->frame << 9 | frames), static_cast<uint32_t>(last->page)});
  }
  const std::vector<MapEntry> entries(set.begin(), set.end());
  std::vector<MapEntry> stored;
  if (meta.mapping != 0) stored = ReadMapping(meta.mapping);
  const bool same = meta.mapping != 0 && stored == entries;
  if (same && fresh == new_bitmaps_.end()) return;
  const size_t bytes = entries.size() * sizeof(MapEntry);
  if (!same) {
    ++counters_.mappings_written;
    if (meta.mapping == 0 || storage_.SizeOf(meta.mapping, PageUse::kMap) < bytes) {
      meta.mapping = storage_.Place(esm::Cluster::kMappings, bytes, false).id;
    }
    std::byte* const object = storage_.Locate(meta.mapping, PageUse::kMap);
    const auto count = static_cast<uint32_t>(entries.size());
    pool.ChangedWhole(esm::PageOf(meta.mapping));
    std::memcpy(object, &count, sizeof count);
    std::memcpy(object + sizeof(esm::ObjectHeader), entries.data(), bytes);
  }
  if (fresh != new_bitmaps_.end()) {
    if (meta.bitmap == 0) {
      meta.bitmap = storage_.Place(esm::Cluster::kBitmaps, sizeof bitmap, false).id;
    }
    pool.ChangedWhole(esm::PageOf(meta.bitmap));
    std::memcpy(storage_.Locate(meta.bitmap, PageUse::kMap) + sizeof(esm::ObjectHeader), &bitmap,
                sizeof bitmap);
    new_bitmaps_.erase(fresh);
  }
  esm::MetaObject* const place = MetaOf(d, page.bytes());
  if (std::memcmp(place, &meta, sizeof meta) == 0) return;
  *place = meta;
  if (d.page == d.first && HeadOf(page.bytes()).large == 0) {
    pool.Regions(d.page).Add({offsetof(PageHead, meta), sizeof meta});
  } else {
    const PageHead& head = HeadOf(pool.Bytes(pool.Fix(d.first, PageUse::kData)));
    const uint64_t at = head.metas_at + (d.page - d.first) * sizeof meta;
    const uint64_t of = d.first + at / esm::kPageBytes;
    (void)pool.Fix(of, PageUse::kMap);
    pool.Regions(of).Add({static_cast<uint32_t>(at % esm::kPageBytes), sizeof meta});
  }
}

// The bitmap of a new page in a store whose references are relative.
void QuickStore::UpdateBitmap(const Descriptor& d) {
  const auto fresh = new_bitmaps_.find(d.page);
  if (fresh == new_bitmaps_.end()) return;
  const esm::ObjectId id = storage_.Place(esm::Cluster::kBitmaps, sizeof(Bitmap), false).id;
  std::memcpy(storage_.Locate(id, PageUse::kMap) + sizeof(esm::ObjectHeader), &fresh->second,
              sizeof(Bitmap));
  storage_.Index(esm::IndexName::kByPage)
      .Insert({static_cast<uint32_t>(d.page >> 32), static_cast<uint32_t>(d.page)}, {id, 0});
  new_bitmaps_.erase(fresh);
}

void QuickStore::Commit() {
  const esm::PoolCounters& pool = storage_.pool().counters();
  const uint64_t reads_before = pool.data_reads + pool.spilled_reads;
  while (!copies_.empty()) LogOldest();
  {
    const Timed timed(counters_.map_update_ns);
    for (const auto& [page, d] : modified_) {
      options_.relative ? UpdateBitmap(*d) : UpdateMapping(*d);
    }
  }
  for (const auto& [page, d] : modified_) {
    d->opened = false;
    if (d->accessible == epoch_ && d->writable) {
      if (mprotect(AddressOf(d->frame), kFrameBytes, PROT_READ) != 0) Fail("cannot protect a page");
      d->writable = false;
    }
  }
  if (!modified_.empty()) {
    // Frames that were given in a transaction that only reads are given again.
    storage_.HeadChanged();
    if (storage_.head().first_frames == 0) {
      storage_.head().first_frames = storage_.head().next_frame;
    }
    if (storage_.head().root != 0) SetRoot(Root());
  }
  modified_.clear();
  const Timed timed(counters_.commit_ns);
  storage_.Commit();
  counters_.commit_reads += pool.data_reads + pool.spilled_reads - reads_before;
}

// --- the pool ---

void QuickStore::Leaves(uint64_t page, uint32_t) {
  const auto found = touched_.find(page);
  if (found == touched_.end()) return;
  Descriptor& d = *found->second;
  const auto copy =
      std::find_if(copies_.begin(), copies_.end(), [&](const Copy& c) { return c.of == &d; });
  if (copy != copies_.end()) {
    const Copy taken = std::move(*copy);
    copies_.erase(copy);
    Log(taken);
  }
  d.accessible = 0;
  d.mapped_slot = -1;
}

void QuickStore::ProtectAll() {
  ++epoch_;
  if (mprotect(reinterpret_cast<void*>(kBase), frames_in_use_ * kFrameBytes, PROT_NONE) != 0) {
    Fail("cannot protect all pages");
  }
}

}  // namespace tenure::lab::quickstore
