#include "stabilize/stabilizer.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "stabilize/heap_bridge.h"
#include "stabilize/page_codec.h"
#include "stabilize/status_text.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::SlotKind;
using abi::TypeDescriptor;

namespace {

// Regions closer than this are sent as one: a region costs the log about as much as so many words.
constexpr size_t kJoinWords = 4;

void StoreFiller(std::byte* at, size_t bytes) {
  const uint64_t filler = ObjectHeader::ForFiller(static_cast<uint32_t>(bytes));
  std::memcpy(at, &filler, sizeof filler);
}

}  // namespace

Status Stabilizer::Commit() {
  // Nothing new may be put on a page that becomes governed.
  session_.heap_.RetireAllBuffers();
  Status status = FindRoots();
  if (status.ok()) status = Name();
  if (status.ok()) {
    FindChangedWords();
    status = Encode();
  }
  if (status.ok()) status = Send();
  if (!status.ok()) Undo(status.code() != StatusCode::kUnknownOutcome);
  return status;
}

Stabilizer::DatabaseChanges& Stabilizer::ChangesOf(Database& database) {
  for (auto& changes : changes_) {
    if (changes->database == &database) return *changes;
  }
  changes_.push_back(std::make_unique<DatabaseChanges>());
  changes_.back()->database = &database;
  changes_.back()->open_page_before = database.open_page();
  return *changes_.back();
}

// Kept lists only: roots that were set, dirty frames, displaced objects on dirty governed pages.
Status Stabilizer::FindRoots() {
  for (auto& database : session_.databases_) {
    if (!database->open()) continue;
    if (database->pending_root()) {
      ChangesOf(*database).root_changed = true;
      TN_RETURN_IF_ERROR(Reach(*database, *database->pending_root()));
    }
    for (PageId page : database->dirty()) {
      ChangesOf(*database).pages[page.number].run = database->frames().At(page).run;
      Status status;
      auto reach = [&](SlotKind kind, Ref target) {
        if (status.ok() && kind == SlotKind::kReference) status = Reach(*database, target);
      };
      std::byte* image = database->AliasOf(page);
      const LargeRun run = database->frames().At(page).run;
      if (run.large()) {
        Result<const TypeDescriptor*> type = database->TypeOf(run.type);
        if (!type.ok()) return type.status();
        const size_t begin = size_t{run.index} * kPageBytes;
        ForEachSlotBetween(**type, begin < kHeaderBytes ? 0 : begin - kHeaderBytes,
                           begin + kPageBytes - kHeaderBytes, [&](size_t offset, SlotKind kind) {
                             Ref target;
                             std::memcpy(&target, image + (offset + kHeaderBytes - begin),
                                         sizeof target);
                             reach(kind, target);
                           });
      } else {
        ForEachObjectInImage(image, [&](const TypeDescriptor& type, Ref object) {
          abi::ForEachSlot(type, object, [&](void** slot, SlotKind kind) { reach(kind, *slot); });
        });
      }
      TN_RETURN_IF_ERROR(status);
    }
  }
  // Copies, because naming adds to the tables.
  std::vector<Ref> written;
  session_.governed_.ForEach([&](GovernedPage& page) {
    if (page.state != GovernedState::kDirty) return;
    written.insert(written.end(), page.objects.begin(), page.objects.end());
  });
  std::sort(written.begin(), written.end());
  written.erase(std::unique(written.begin(), written.end()), written.end());
  for (Ref place : written) {
    const DisplacedObject object = *session_.displaced_.Find(place);
    Database& database = *object.database;
    DatabaseChanges& changes = ChangesOf(database);
    const uint64_t last = (object.home.bits - kHeaderBytes + object.bytes - 1) / kPageBytes;
    for (uint64_t page = object.home.page().number; page <= last; ++page) {
      changes.pages[page].run = database.frames().At(PageId{page}).run;
    }
    queue_.push_back({place, &database});
  }
  return Status::Ok();
}

Status Stabilizer::Name() {
  while (next_ < queue_.size()) {
    const Pending pending = queue_[next_++];
    Status status;
    abi::ForEachSlot(*ObjectHeader::Of(pending.object)->type(), pending.object,
                     [&](void** slot, SlotKind kind) {
                       if (status.ok() && kind == SlotKind::kReference)
                         status = Reach(*pending.database, *slot);
                     });
    TN_RETURN_IF_ERROR(status);
  }
  return Status::Ok();
}

Status Stabilizer::Reach(Database& database, Ref target) {
  if (target == nullptr || database.Contains(target)) return Status::Ok();
  if (session_.heap_.Contains(target)) {
    const ObjectHeader* header = ObjectHeader::Of(target);
    const TypeDescriptor& type = *header->type();
    if (header->displaced()) {
      const DisplacedObject* object = session_.displaced_.Find(target);
      if (object->database == &database) return Status::Ok();
      return Failure(StatusCode::kNotSupported,
                     "database " + database.Path() + " refers to an object of database " +
                         object->database->Path() +
                         " (references between databases are not supported)");
    }
    if ((type.flags & abi::kTypeTransient) != 0) return Status::Ok();
    return NameObject(database, target, kHeaderBytes + abi::PayloadBytes(type, target));
  }
  if (const Database* other = session_.At(target)) {
    return Failure(StatusCode::kNotSupported,
                   "database " + database.Path() + " refers to an object of database " +
                       other->Path() + " (references between databases are not supported)");
  }
  // Outside of heap and databases there are only text literals.
  if (database.literals().contains(target)) return Status::Ok();
  return NameLiteral(database, target);
}

Result<PersistentRef> Stabilizer::Place(Database& database, size_t bytes) {
  DatabaseChanges& changes = ChangesOf(database);
  Database::OpenPage& open = database.open_page();
  if (!open.page.valid() || kPageBytes - open.offset < bytes) {
    Result<PageId> page = database.NextPage();
    if (!page.ok()) return page.status();
    changes.taken.push_back({*page, 1});
    changes.pages[page->number].fresh = true;
    std::memset(database.AliasOf(*page), 0, kPageBytes);
    open = {*page, 0};
  }
  std::byte* image = database.AliasOf(open.page);
  const size_t at = open.offset;
  // Fillers of the right sizes keep the page walkable while the slot is empty.
  StoreFiller(image + at, bytes);
  open.offset += bytes;
  if (open.offset < kPageBytes) StoreFiller(image + open.offset, kPageBytes - open.offset);
  PageChange& change = changes.pages[open.page.number];
  for (size_t word = at / 8; word < open.offset / 8; ++word) change.changed.set(word);
  if (open.offset < kPageBytes) change.changed.set(open.offset / 8);
  return PersistentRef::Object(open.page, at + kHeaderBytes);
}

Result<PersistentRef> Stabilizer::PlaceLarge(Database& database, const TypeDescriptor& type,
                                             size_t bytes) {
  const uint64_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  Result<PageRun> run = database.NextRun(pages);
  if (!run.ok()) return run.status();
  DatabaseChanges& changes = ChangesOf(database);
  changes.taken.push_back(*run);
  const LargeRun record{database.IndexOf(type), 0, static_cast<uint32_t>(pages)};
  // Behind the object the last page is zero in the store, and must be here: a failed commit may
  // have left something.
  std::memset(database.AliasOf(run->first) + bytes, 0, pages * kPageBytes - bytes);
  for (uint64_t i = 0; i < pages; ++i) {
    PageChange& change = changes.pages[run->first.number + i];
    change.fresh = true;
    change.run = record;
    change.run.index = static_cast<uint32_t>(i);
  }
  return PersistentRef::Object(run->first, kHeaderBytes);
}

Status Stabilizer::NameObject(Database& database, Ref object, size_t bytes) {
  const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  Result<uint32_t> index = database.store().catalog.IndexOf(database.server(), type);
  if (!index.ok()) return index.status();
  Result<PersistentRef> home =
      bytes > kPageBytes ? PlaceLarge(database, type, bytes) : Place(database, bytes);
  if (!home.ok()) return home.status();
  // A page-mate of objects that were named before may lie on a protected page.
  if (GovernedPage* page = session_.governed_.Find(ObjectHeader::Of(object))) {
    TN_RETURN_IF_ERROR(session_.governed_.MakeWritable(*page));
  }
  ObjectHeader::Of(object)->word |= ObjectHeader::kDisplacedBit;
  session_.displaced_.Add({object, &database, *home, bytes});
  session_.governed_.Add(object, bytes);
  named_.push_back(object);
  queue_.push_back({object, &database});
  return Status::Ok();
}

Status Stabilizer::NameLiteral(Database& database, Ref literal) {
  const TypeDescriptor& type = *ObjectHeader::Of(literal)->type();
  TN_CHECK((type.flags & abi::kTypeText) != 0);
  Result<uint32_t> index = database.store().catalog.IndexOf(database.server(), type);
  if (!index.ok()) return index.status();
  const size_t bytes = kHeaderBytes + abi::PayloadBytes(type, literal);
  Result<PersistentRef> home =
      bytes > kPageBytes ? PlaceLarge(database, type, bytes) : Place(database, bytes);
  if (!home.ok()) return home.status();
  // The copy is at home at once: the literal itself stays what the program uses.
  const uint64_t header = ObjectHeader::ForType(&type);
  char* copy = database.mapping().Alias(database.AddressOf(*home));
  std::memcpy(copy - kHeaderBytes, &header, sizeof header);
  std::memcpy(copy, literal, bytes - kHeaderBytes);
  database.literals().insert({literal, *home});
  literals_.push_back({&database, literal});
  return Status::Ok();
}

void Stabilizer::FindChangedWords() {
  auto compare = [](const std::byte* a, const std::byte* b, size_t begin_word, size_t words,
                    auto&& differs) {
    for (size_t i = 0; i < words; ++i) {
      if (std::memcmp(a + 8 * (begin_word + i), b + 8 * (begin_word + i), 8) != 0) differs(i);
    }
  };
  for (auto& changes : changes_) {
    for (auto& [number, change] : changes->pages) {
      const Frame& frame = changes->database->frames().At(PageId{number});
      if (frame.rewritten) change.changed.set();
      if (frame.twin == nullptr) continue;
      compare(changes->database->AliasOf(PageId{number}), frame.twin.get(), 0, kWords,
              [&](size_t word) { change.changed.set(word); });
    }
  }
  session_.governed_.ForEach([&](GovernedPage& page) {
    if (page.state != GovernedState::kDirty) return;
    for (Ref place : page.objects) {
      const DisplacedObject* object = session_.displaced_.Find(place);
      const PartOnPage part = PartOf(page, place, object->bytes);
      DatabaseChanges& changes = ChangesOf(*object->database);
      const size_t offset_in_object =
          static_cast<size_t>(page.begin + part.begin - (static_cast<char*>(place) - kHeaderBytes));
      const uint64_t stored = object->home.bits - kHeaderBytes + offset_in_object;
      compare(reinterpret_cast<std::byte*>(page.begin), page.twin.get(), part.begin / 8,
              (part.end - part.begin) / 8, [&](size_t word) {
                const uint64_t byte = stored + 8 * word;
                changes.pages[byte / kPageBytes].changed.set(byte % kPageBytes / 8);
              });
    }
  });
}

void Stabilizer::EncodeOne(Database& database, PageId page, PageChange& change) {
  change.encoded = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
  std::byte* to = change.encoded.get();
  const std::vector<Ref>* slots = session_.displaced_.WithHomeOn(&database, page);
  if (change.run.large()) {
    // A displaced large object's run has no contents in its frames; its pages correspond to those
    // of its place.
    const PersistentRef home =
        PersistentRef::Object(PageId{page.number - change.run.index}, kHeaderBytes);
    Result<const TypeDescriptor*> type = database.TypeOf(change.run.type);
    TN_CHECK(type.ok());
    const std::byte* image = database.AliasOf(page);
    if (Ref place = session_.displaced_.PlaceOf(&database, home)) {
      const auto* begin = reinterpret_cast<const std::byte*>(place) - kHeaderBytes;
      const size_t bytes = session_.displaced_.Find(place)->bytes;
      const size_t skip = size_t{change.run.index} * kPageBytes;
      const size_t here = std::min(kPageBytes, bytes - skip);
      alignas(8) std::byte copy[kPageBytes] = {};
      std::memcpy(copy, begin + skip, here);
      EncodeLargePage(**type, change.run, copy, database, to);
      return;
    }
    EncodeLargePage(**type, change.run, image, database, to);
    return;
  }
  EncodePage(database.AliasOf(page), database, to);
  if (slots == nullptr) return;
  for (Ref place : *slots) {
    const DisplacedObject* object = session_.displaced_.Find(place);
    EncodeObject(*ObjectHeader::Of(place)->type(), place, object->bytes, database,
                 to + object->home.offset() - kHeaderBytes);
  }
}

Status Stabilizer::Encode() {
  for (auto& changes : changes_) {
    Database& database = *changes->database;
    for (auto it = changes->pages.begin(); it != changes->pages.end();) {
      PageChange& change = it->second;
      const PageId page{it->first};
      if (!change.fresh && change.changed.none()) {
        // Written, but as it was before.
        it = changes->pages.erase(it);
        continue;
      }
      EncodeOne(database, page, change);
      TN_RETURN_IF_ERROR(database.TakeEncodeFailure());
      change.checksum = PageChecksum(page, change.run, change.encoded.get());
      for (size_t word = 0; !change.fresh && word < kWords;) {
        if (!change.changed.test(word)) {
          ++word;
          continue;
        }
        size_t end = word + 1, last = word;
        for (; end < kWords && end - last <= kJoinWords; ++end) {
          if (change.changed.test(end)) last = end;
        }
        change.regions.push_back(
            {static_cast<uint32_t>(word * 8),
             std::span<const std::byte>(change.encoded.get() + word * 8, (last + 1 - word) * 8)});
        word = last + 1;
      }
      ++it;
    }
    if (changes->root_changed)
      changes->root = database.pending_root() && *database.pending_root() != nullptr
                          ? database.ToStored(*database.pending_root())
                          : PersistentRef::Nil();
  }
  return Status::Ok();
}

Status Stabilizer::Send() {
  PageServer* server = nullptr;
  std::vector<std::vector<PageWrite>> writes;
  std::vector<DatabaseCommit> databases;
  for (auto& changes : changes_) {
    if (changes->pages.empty() && !changes->root_changed) continue;
    if (server != nullptr && server != &changes->database->server()) {
      return Status(StatusCode::kNotSupported,
                    "one transaction changes databases of different stores");
    }
    server = &changes->database->server();
    std::vector<PageWrite>& list = writes.emplace_back();
    for (auto& [number, change] : changes->pages) {
      PageWrite write;
      write.page = PageId{number};
      write.expected_version =
          change.fresh ? 0 : changes->database->frames().At(PageId{number}).version;
      write.checksum = change.checksum;
      write.run = change.run;
      if (change.fresh) {
        write.contents = change.encoded.get();
      } else {
        write.regions = change.regions;
      }
      list.push_back(write);
    }
    DatabaseCommit commit;
    commit.database = changes->database->id();
    if (changes->root_changed) commit.root = changes->root;
    databases.push_back(commit);
  }
  if (server == nullptr) return Accept(0);  // Nothing changed.
  for (size_t i = 0; i < databases.size(); ++i) databases[i].pages = writes[i];

  CommitRequest request;
  request.id = NewCommitId();
  request.databases = databases;
  const PageServerStatistics before = server->statistics();
  CommitAnswer answer = server->Commit(request);
  if (answer.outcome == CommitOutcome::kUnknown) {
    Result<std::optional<uint64_t>> outcome = server->Outcome(request.id);
    if (!outcome.ok())
      return Status(StatusCode::kUnknownOutcome, answer.status.text(), answer.status.number());
    answer.outcome = outcome->has_value() ? CommitOutcome::kCommitted : CommitOutcome::kFailed;
    answer.version = outcome->value_or(0);
    if (!outcome->has_value())
      answer.status = Status(StatusCode::kAborted, "the commit did not reach the page server");
  }
  if (answer.outcome == CommitOutcome::kConflict)
    return Status(StatusCode::kConflict, "another transaction won");
  if (answer.outcome != CommitOutcome::kCommitted) {
    return answer.status.ok() ? Status(StatusCode::kIo, "the page server did not commit")
                              : answer.status;
  }
  const PageServerStatistics after = server->statistics();
  session_.counters_.pages_written +=
      after.pages_written + after.pages_changed - before.pages_written - before.pages_changed;
  session_.counters_.bytes_written += after.bytes_written - before.bytes_written;
  session_.counters_.log_bytes += after.log_bytes - before.log_bytes;
  ++session_.counters_.commits;
  session_.counters_.objects_named += named_.size() + literals_.size();
  return Accept(answer.version);
}

// The server has it: from here on failures only concern protections.
Status Stabilizer::Accept(uint64_t version) {
  Status first_failure;
  auto note = [&](Status status) {
    if (first_failure.ok()) first_failure = status;
  };
  for (auto& changes : changes_) {
    Database& database = *changes->database;
    for (auto& [number, change] : changes->pages) {
      Frame& frame = database.frames().At(PageId{number});
      frame.version = version;
      frame.rewritten = false;
      if (!change.fresh) continue;
      frame.run = change.run;
      // A large object's frames stay absent until it comes home: nothing refers to them. A
      // literal's are there.
      const PersistentRef home =
          PersistentRef::Object(PageId{number - change.run.index}, kHeaderBytes);
      if (change.run.large() && session_.displaced_.PlaceOf(&database, home) != nullptr) continue;
      note(database.mapping().SetAccess(database.FrameOf(PageId{number}), 1, Access::kNone,
                                        Access::kRead));
      frame.state = FrameState::kClean;
    }
    if (changes->root_changed) database.AcceptRoot(changes->root);
  }
  for (auto& database : session_.databases_) {
    for (PageId page : database->dirty()) {
      Frame& frame = database->frames().At(page);
      note(
          database->mapping().SetAccess(database->FrameOf(page), 1, Access::kWrite, Access::kRead));
      frame.state = FrameState::kClean;
      frame.twin.reset();
    }
    database->dirty().clear();
  }
  session_.governed_.ForEach([&](GovernedPage& page) {
    if (page.state == GovernedState::kDirty) session_.governed_.Accept(page);
  });
  note(session_.governed_.ProtectAll());
  TN_CHECK(first_failure.ok());  // Memory protection that fails leaves nothing to go on with.
  return Status::Ok();
}

void Stabilizer::Undo(bool outcome_known) {
  for (Ref place : named_) {
    const DisplacedObject object = *session_.displaced_.Find(place);
    session_.displaced_.Remove(place);
    session_.governed_.Remove(place, object.bytes);
    ObjectHeader::Of(place)->word &= ~ObjectHeader::kDisplacedBit;
  }
  for (const auto& [database, literal] : literals_) database->literals().erase(literal);
  for (auto& changes : changes_) {
    Database& database = *changes->database;
    if (outcome_known) {
      for (const PageRun& run : changes->taken) database.PutBack(run);
    }
    // The slots on the page that was open before are free again.
    database.open_page() = changes->open_page_before;
    const Database::OpenPage& open = database.open_page();
    if (open.page.valid() && open.offset < kPageBytes) {
      StoreFiller(database.AliasOf(open.page) + open.offset, kPageBytes - open.offset);
    }
  }
  TN_CHECK(session_.governed_.Sweep().ok());
  TN_CHECK(session_.governed_.ProtectAll().ok());
}

}  // namespace tenure::stabilize
