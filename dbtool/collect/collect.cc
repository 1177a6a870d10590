#include "dbtool/collect/collect.h"

#include <cstring>
#include <vector>

#include "base/chunked_table.h"
#include "dbtool/collect/collect_shared.h"
#include "dbtool/collect/marking.h"
#include "dbtool/collect/page_sweep.h"
#include "dbtool/stored/object_reader.h"
#include "dbtool/stored/page_writes.h"
#include "dbtool/stored/progress.h"
#include "store/format/status_text.h"
#include "store/server/freed_pages.h"
#include "store/server/verifier.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::DatabaseId;
using store::PageId;
using store::PageRecord;
using store::PersistentRef;

namespace {

class Collection {
 public:
  Collection(OpenedStore& store, DatabaseId database, const CollectOptions& options)
      : server_(*store.server),
        types_(store.types),
        database_(database),
        options_(options),
        reader_(server_, database, types_),
        writes_(server_, database),
        marking_(server_, database, types_, reader_) {}

  Result<CollectTotals> Run() {
    TN_ASSIGN_OR_RETURN(
        store::VerifyReport report,
        store::VerifyDatabase(server_, database_, [this](PageId page, size_t objects) {
          objects_.At(page.number) = static_cast<uint16_t>(objects);
        }));
    if (!report.ok()) {
      return store::Failure(StatusCode::kCorrupt, "nothing is collected in a damaged database: " +
                                                      report.problems.front());
    }
    totals_.pages = report.pages;
    totals_.objects = report.objects;
    TN_RETURN_IF_ERROR(FindFree());
    TN_RETURN_IF_ERROR(marking_.Run(totals_.objects));
    TN_ASSIGN_OR_RETURN(PageId last, server_.MaxPage(database_));
    TN_RETURN_IF_ERROR(server_.GivePlacesAgain());
    TN_RETURN_IF_ERROR(Sweep(last, Step::kCount));
    if (to_write_ > options_.pages_at_once) {
      TN_RETURN_IF_ERROR(Sweep(last, Step::kDisconnect));
      TN_RETURN_IF_ERROR(writes_.Commit());
    }
    TN_RETURN_IF_ERROR(Sweep(last, Step::kFree));
    TN_RETURN_IF_ERROR(writes_.Commit());
    return totals_;
  }

 private:
  using Step = SweepStep;

  Status FindFree() {
    TN_ASSIGN_OR_RETURN(std::vector<store::PageRun> runs,
                        server_.AllocateRemoved(database_, store::kPageNumberLimit));
    for (const store::PageRun& run : runs) {
      free_.Load(run);
      TN_RETURN_IF_ERROR(server_.ReturnPages(database_, run));
    }
    return Status::Ok();
  }

  bool Marked(PageId page, size_t payload) const { return marking_.Marked(page, payload); }

  // Whether the page has small objects and none of them is dead. Most pages are so, and need not be
  // read again.
  bool HasNoDead(PageId page) const {
    const uint16_t* const objects = objects_.Find(page.number);
    return objects != nullptr && *objects != 0 && *objects == marking_.CountMarked(page);
  }

  // --- Sweeping

  Status Sweep(PageId last, Step step) {
    reader_.Forget();  // what the last step has written
    Progress progress(step == Step::kFree ? "pages swept" : "pages looked at", last.number);
    for (PageId page{1}; page <= last; page = page + 1) {
      progress.Show(page.number);
      // Pages that are free already need not be looked at one by one.
      if (free_.Contains(page)) {
        TN_ASSIGN_OR_RETURN(const PageId next, server_.NextPage(database_, page));
        const PageId end = free_.EndOfRun(page);
        if (next != page && next < end) {
          return store::Failure(StatusCode::kCorrupt,
                                "page " + std::to_string(next.number) +
                                    " is there, and in the table of removed pages",
                                static_cast<int64_t>(next.number));
        }
        page = end;
        if (page > last) break;
      }
      if (HasNoDead(page)) continue;
      Result<const PageRecord*> record = reader_.ReadPage(page);
      if (record.status().code() == StatusCode::kNotFound) {
        // A number that was handed out and never used, unless it is free already.
        if (step == Step::kFree && !free_.Contains(page)) TN_RETURN_IF_ERROR(Remove(page, 0));
        continue;
      }
      if (!record.ok()) return record.status();
      if ((*record)->run.large()) {
        const uint32_t pages = (*record)->run.pages;
        TN_RETURN_IF_ERROR(SweepLarge(page, step));
        page = page + (pages - 1);
      } else {
        TN_RETURN_IF_ERROR(SweepPage(page, **record, step));
      }
    }
    return Status::Ok();
  }

  Status Remove(PageId page, uint64_t version) {
    ++totals_.freed_pages;
    writes_.Remove(page, version);
    return CommitIfMany();
  }

  Status CommitIfMany() {
    return writes_.pages() < options_.pages_at_once ? Status::Ok() : writes_.Commit();
  }

  Result<const StoredType*> TypeAt(uint64_t index) const {
    const StoredType* const type = types_.At(index);
    if (type == nullptr) return Status(StatusCode::kCorrupt, "an object of an unknown type");
    return type;
  }

  Status SweepPage(PageId page, const PageRecord& record, Step step) {
    std::byte contents[kPageBytes];
    std::memcpy(contents, record.contents, kPageBytes);
    const Result<PageSweep> sweep = SweepContents(
        contents, step, [&](uint64_t type) { return TypeAt(type); },
        [&](size_t payload, uint64_t bytes) {
          const bool live = Marked(page, payload);
          if (!live && step == Step::kFree) {
            ++totals_.freed_objects;
            totals_.freed_bytes += bytes;
          }
          return live;
        });
    if (!sweep.ok()) return sweep.status();
    if (sweep->some_live && !sweep->some_dead) return Status::Ok();
    switch (step) {
      case Step::kCount: ++to_write_; return Status::Ok();
      case Step::kDisconnect:
        if (!sweep->references) return Status::Ok();
        break;
      case Step::kFree:
        if (!sweep->some_live) return Remove(page, record.version);
        break;
    }
    std::memcpy(writes_.Put(page, record.version), contents, kPageBytes);
    return CommitIfMany();
  }

  // All of a large object is written in one commit.
  Status SweepLarge(PageId first, Step step) {
    if (Marked(first, kHeaderBytes)) return Status::Ok();
    TN_ASSIGN_OR_RETURN(const PageRecord* head, reader_.ReadPage(first));
    const store::LargeRun run = head->run;
    if (step == Step::kCount) {
      to_write_ += run.pages;
      return Status::Ok();
    }
    Result<StoredObject> object = reader_.Read(PersistentRef::Object(first, kHeaderBytes));
    if (!object.ok()) return object.status();
    std::vector<bool> written(run.pages, step == Step::kFree);
    if (step == Step::kFree) {
      ++totals_.freed_objects;
      totals_.freed_bytes += kHeaderBytes + object->payload.size();
    } else {
      // Slots are aligned, so that none lies on two pages.
      ForEachSlot(*object->type, object->payload.size(), [&](uint64_t slot, StoredSlot kind) {
        if (kind == StoredSlot::kReference && object->Word(slot) != 0) {
          written[(kHeaderBytes + slot) / kPageBytes] = true;
        }
      });
    }
    std::vector<std::byte*> contents(run.pages, nullptr);
    for (store::LargeRun part = run; part.index < run.pages; ++part.index) {
      if (!written[part.index]) continue;
      const PageId page = first + part.index;
      TN_ASSIGN_OR_RETURN(const PageRecord* record, reader_.ReadPage(page));
      if (step == Step::kFree) {
        ++totals_.freed_pages;
        writes_.Remove(page, record->version);
      } else {
        contents[part.index] = writes_.Put(page, record->version, part);
        std::memcpy(contents[part.index], record->contents, kPageBytes);
      }
    }
    if (step == Step::kDisconnect) {
      object = reader_.Read(PersistentRef::Object(first, kHeaderBytes));
      if (!object.ok()) return object.status();
      ForEachSlot(*object->type, object->payload.size(), [&](uint64_t slot, StoredSlot kind) {
        const uint64_t at = kHeaderBytes + slot;
        std::byte* const page = contents[at / kPageBytes];
        if (kind == StoredSlot::kReference && page != nullptr) {
          std::memset(page + at % kPageBytes, 0, 8);
        }
      });
    }
    return CommitIfMany();
  }

  store::PageServer& server_;
  const StoredTypes& types_;
  const DatabaseId database_;
  const CollectOptions options_;
  ObjectReader reader_;
  PageWrites writes_;
  CollectTotals totals_;
  Marking marking_;
  ChunkedTable<uint16_t> objects_;  // of each page of small objects
  store::FreedPages free_;          // of earlier collections
  uint64_t to_write_ = 0;           // pages that freeing changes
};

}  // namespace

Result<CollectTotals> Collect(OpenedStore& store, const std::string& database,
                              const CollectOptions& options) {
  // A served store has no part in commits of several stores.
  if (!store.server->capabilities().shared) {
    TN_RETURN_IF_ERROR(CheckNothingPrepared(*store.server));
  }
  TN_ASSIGN_OR_RETURN(DatabaseId id, store.server->OpenDatabase(database, store::OpenMode::kOpen));
  Result<CollectTotals> totals = store.server->capabilities().shared
                                     ? CollectShared(store, id, options)
                                     : Collection(store, id, options).Run();
  const Status closed = store.server->CloseDatabase(id);
  if (totals.ok() && !closed.ok()) return closed;
  return totals;
}

}  // namespace tenure::dbtool
