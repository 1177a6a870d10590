#include "lab/epvm/epvm.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "lab/support/fail.h"

namespace tenure::lab::epvm {

using esm::PageUse;

Epvm* Epvm::current = nullptr;
LocalSlot* Epvm::stack = nullptr;
LocalSlot* Epvm::top = nullptr;

Epvm::Epvm(store::PageServer& server, bool create, const Options& options)
    : options_(options),
      storage_(server, create, options.pool_pages, esm::Clock::kBits, *this),
      side_(std::make_unique_for_overwrite<std::byte[]>(options.side_bytes)) {
  if (current != nullptr) Fail("there is an EPVM already");
  current = this;
  void* const memory = mmap(nullptr, kSlots * sizeof(LocalSlot), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) Fail("cannot make the stack of variables");
  stack = top = static_cast<LocalSlot*>(memory);
}

Epvm::~Epvm() {
  if (top != stack) Fail("variables of E outlive its interpreter");
  munmap(stack, kSlots * sizeof(LocalSlot));
  current = nullptr;
}

void Epvm::Dereference(LocalSlot* slot) {
  ++counters_.dereferences;
  if (slot->oid.object == 0) Fail("a reference to no object is followed");
  std::byte* const object = storage_.Locate(slot->oid.object, PageUse::kData);
  if (reinterpret_cast<const esm::ObjectHeader*>(object)->unique != slot->oid.unique) {
    Fail("a reference is followed whose object is gone");
  }
  slot->address = object + sizeof(esm::ObjectHeader);
}

std::byte* Epvm::Part(const LocalSlot* slot, size_t offset) {
  ++counters_.large_calls;
  const size_t at = sizeof(esm::PageHead) + sizeof(esm::ObjectHeader) + offset;
  esm::BufferPool& pool = storage_.pool();
  const uint64_t page = esm::PageOf(slot->oid.object) + at / esm::kPageBytes;
  return pool.Bytes(pool.Fix(page, PageUse::kData)) + at % esm::kPageBytes;
}

char Epvm::CharOf(const LocalSlot* slot, size_t offset) {
  return static_cast<char>(*Part(slot, offset));
}

std::byte* Epvm::WillUpdate(LocalSlot* slot) {
  ++counters_.updates;
  if (slot->address == nullptr) Dereference(slot);
  const esm::ObjectId id = slot->oid.object;
  const uint64_t page = esm::PageOf(id);
  esm::BufferPool& pool = storage_.pool();
  if (!pool.IsNew(page)) {
    const std::byte* const start = pool.Bytes(pool.Fix(page, PageUse::kData));
    const auto offset = static_cast<uint32_t>(slot->address - start);
    CopyOriginal(page, offset, storage_.SizeOf(id, PageUse::kData));
  }
  return slot->address;
}

std::byte* Epvm::WillUpdatePart(LocalSlot* slot, size_t offset, size_t* bytes) {
  ++counters_.updates;
  esm::BufferPool& pool = storage_.pool();
  size_t at;
  if (esm::IsLarge(slot->oid.object)) {
    at = sizeof(esm::PageHead) + sizeof(esm::ObjectHeader) + offset;
  } else {
    const std::byte* const object = storage_.Locate(slot->oid.object, PageUse::kData);
    const std::byte* const start =
        pool.Bytes(pool.Fix(esm::PageOf(slot->oid.object), PageUse::kData));
    at = static_cast<size_t>(object - start) + sizeof(esm::ObjectHeader) + offset;
  }
  const uint64_t page = esm::PageOf(slot->oid.object) + at / esm::kPageBytes;
  const auto within = static_cast<uint32_t>(at % esm::kPageBytes);
  *bytes = std::min(*bytes, esm::kPageBytes - within);
  std::byte* const start = pool.Bytes(pool.Fix(page, PageUse::kData));
  if (!pool.IsNew(page)) {
    const auto end = static_cast<uint32_t>(within + *bytes);
    for (uint32_t chunk = within / kChunkBytes * kChunkBytes; chunk < end; chunk += kChunkBytes) {
      CopyOriginal(page, chunk, kChunkBytes);
    }
  }
  return start + within;
}

void Epvm::CopyOriginal(uint64_t page, uint32_t offset, uint32_t bytes) {
  if (originals_.contains({page, offset})) return;
  if (side_used_ + bytes > options_.side_bytes) LogAll();
  esm::BufferPool& pool = storage_.pool();
  pool.WillChange(page);
  std::memcpy(side_.get() + side_used_, pool.Bytes(*pool.Find(page, true)) + offset, bytes);
  side_used_ += bytes;
  originals_[{page, offset}] = bytes;
  ++counters_.copied;
}

// Logs whole objects, the values before and after, without a comparison. The pages are in the pool.
void Epvm::LogPage(uint64_t page) {
  auto at = originals_.lower_bound({page, 0});
  while (at != originals_.end() && at->first.first == page) {
    storage_.pool().Regions(page).Add({at->first.second, at->second});
    counters_.log.Add(at->second);
    at = originals_.erase(at);
  }
}

void Epvm::LogAll() {
  while (!originals_.empty()) LogPage(originals_.begin()->first.first);
  side_used_ = 0;
}

Oid Epvm::Make(esm::Cluster cluster, uint32_t type, size_t bytes) {
  const esm::Placed placed = storage_.Place(cluster, bytes, false);
  const auto unique = static_cast<uint32_t>(storage_.head().objects);
  auto* const header =
      reinterpret_cast<esm::ObjectHeader*>(storage_.Locate(placed.id, PageUse::kData));
  *header = {type, unique};
  return {placed.id, unique, kVolume};
}

Oid Epvm::Root() {
  const esm::ObjectId id = storage_.head().root;
  const auto* const header =
      reinterpret_cast<const esm::ObjectHeader*>(storage_.Locate(id, PageUse::kData));
  return {id, header->unique, kVolume};
}

void Epvm::SetRoot(const Oid& oid) {
  storage_.head().root = oid.object;
  storage_.HeadChanged();
}

void Epvm::Commit() {
  LogAll();
  const auto from = std::chrono::steady_clock::now();
  storage_.Commit();
  counters_.commit_ns += static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - from).count());
}

void Epvm::Leaves(uint64_t page, uint32_t number) {
  LogPage(page);
  const std::byte* const begin = storage_.pool().Bytes(number);
  const std::byte* const end = begin + esm::kPageBytes;
  for (LocalSlot* slot = stack; slot < top; ++slot) {
    if (slot->address < begin || slot->address >= end) continue;
    slot->address = nullptr;
    ++counters_.unswizzled;
  }
}

}  // namespace tenure::lab::epvm
