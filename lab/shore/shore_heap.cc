#include "lab/shore/shore_heap.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "lab/oo1/references.h"
#include "lab/support/fail.h"

namespace tenure::lab::shore {

ShoreClient* ShoreClient::current = nullptr;

namespace {

constexpr uint64_t kVolume = 1;

store::DatabaseId OpenOrCreate(store::PageServer& server, const char* name, bool create) {
  return Check(
      server.OpenDatabase(name, create ? store::OpenMode::kCreate : store::OpenMode::kOpen),
      "open a database");
}

}  // namespace

ShoreClient::ShoreClient(store::PageServer& server, bool create)
    : server_(server),
      objects_(OpenOrCreate(server, "objects", create)),
      index_database_(OpenOrCreate(server, "index", create)),
      pages_(server, objects_),
      index_pages_(server, index_database_),
      index_(index_pages_) {
  if (current != nullptr) Fail("there is a SHORE client already");
  current = this;
  (void)Check(server_.StartTransaction(), "begin a transaction");
  create ? index_.Create() : index_.Open();
}

ShoreClient::~ShoreClient() {
  server_.EndTransaction();
  current = nullptr;
}

// A message to the server and its answer.
void ShoreClient::Request() {
  ++counters_.requests;
  (void)Check(server_.Root(objects_), "ask the server");
}

ServerIndex& ShoreClient::Index() {
  Request();
  return index_;
}

ObjectRef ShoreClient::Root() const { return {kVolume, MakeSerial(1, 0)}; }

CacheEntry* ShoreClient::EntryOf(Serial serial) {
  std::unique_ptr<CacheEntry>& entry = cache_[serial];
  if (entry == nullptr) {
    entry = std::make_unique<CacheEntry>();
    entry->serial = serial;
  }
  return entry.get();
}

// An object that is larger than a page comes alone; any other with all objects of its page, each of
// which is cached separately.
void ShoreClient::Fetch(CacheEntry* entry) {
  if (pages_.IsLarge(entry->serial)) {
    const size_t bytes = pages_.SizeOf(entry->serial);
    entry->object = std::make_unique_for_overwrite<std::byte[]>(bytes);
    for (size_t at = 0; at < bytes;) {
      const std::span<std::byte> part = pages_.FindPart(entry->serial, at);
      std::memcpy(entry->object.get() + at, part.data(), part.size());
      at += part.size();
    }
    NoteFetched(entry, bytes);
    return;
  }
  const uint64_t page = PageOf(entry->serial);
  const uint32_t objects = pages_.ObjectsOn(page);
  for (uint32_t place = 0; place < objects; ++place) {
    CacheEntry* const near = EntryOf(MakeSerial(page, place));
    if (near->object != nullptr) continue;
    const std::span<std::byte> stored = pages_.Find(near->serial);
    near->object = std::make_unique_for_overwrite<std::byte[]>(stored.size());
    std::memcpy(near->object.get(), stored.data(), stored.size());
    NoteFetched(near, stored.size());
  }
}

void ShoreClient::NoteFetched(CacheEntry* entry, size_t bytes) {
  entry->bytes = static_cast<uint32_t>(bytes);
  std::memcpy(&entry->type, entry->object.get(), sizeof entry->type);
  ++counters_.fetched;
  counters_.fetched_bytes += bytes;
}

CacheEntry* ShoreClient::Create(oo7::TypeNumber type, size_t bytes) {
  bytes = (bytes + kHeaderBytes + 7) / 8 * 8;
  CacheEntry* const entry = EntryOf(pages_.Place(bytes));
  entry->object = std::make_unique<std::byte[]>(bytes);
  std::memcpy(entry->object.get(), &type, sizeof type);
  entry->bytes = static_cast<uint32_t>(bytes);
  entry->type = type;
  entry->told = true;
  NoteChanged(entry);
  return entry;
}

// Into its page, with identifiers for references.
void ShoreClient::WriteBack(CacheEntry* entry) {
  std::vector<std::byte> copy(entry->object.get(), entry->object.get() + entry->bytes);
  oo1::ForEachReference<ShoreHeap>(
      entry->type, copy.data() + kHeaderBytes, copy.size() - kHeaderBytes, [](ObjectRef& ref) {
        if (ref.volume == 0 && ref.word != 0) {
          ref = {kVolume, reinterpret_cast<const CacheEntry*>(ref.word)->serial};
        }
      });
  if (pages_.IsLarge(entry->serial)) {
    for (size_t at = 0; at < copy.size();) {
      const std::span<std::byte> part = pages_.FindPart(entry->serial, at);
      std::memcpy(part.data(), copy.data() + at, part.size());
      pages_.NoteChanged(entry->serial, at);
      at += part.size();
    }
  } else {
    std::memcpy(pages_.Find(entry->serial).data(), copy.data(), copy.size());
    pages_.NoteChanged(entry->serial);
  }
}

// The client looks at each cached object; it tells the server of those that the server does not
// know of yet, one by one (Hosking & Chen 1999, 5.4.1).
void ShoreClient::Commit() {
  for (const auto& [serial, entry] : cache_) {
    if (entry->object == nullptr) continue;
    ++counters_.commit_visits;
    if (!entry->told) Request();
    entry->told = true;
    if (entry->pins != 0) Fail("an object is pinned when its transaction ends");
  }
  for (CacheEntry* const entry : changed_) {
    WriteBack(entry);
    entry->changed = false;
  }
  changed_.clear();
  // One commit for both, so that a crash leaves the index as the objects are.
  index_pages_.NoteCommitted(pages_.Commit(index_pages_.Prepare()));
  server_.EndTransaction();
  (void)Check(server_.StartTransaction(), "begin a transaction");
}

}  // namespace tenure::lab::shore
