#include "dbtool/collect/collect_shared.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "dbtool/collect/marking.h"
#include "dbtool/collect/page_sweep.h"
#include "dbtool/move/exchange.h"
#include "dbtool/stored/object_reader.h"
#include "dbtool/stored/page_writes.h"
#include "dbtool/stored/progress.h"
#include "store/format/status_text.h"
#include "store/format/unfinished_import.h"
#include "store/server/verifier.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::Candidate;
using store::DatabaseId;
using store::PageId;
using store::PageRecord;
using store::PersistentRef;

namespace {

// A program that has just lost its connection, or is busy, may be ready at the next attempt.
constexpr int kAttempts = 3;
// Programs wait for these as for those of any transaction.
constexpr uint64_t kPagesAtOnce = 64;

class SharedCollection {
 public:
  SharedCollection(OpenedStore& store, DatabaseId database, const CollectOptions& options)
      : store_(store),
        server_(*store.server),
        database_(database),
        at_once_(std::min(options.pages_at_once, kPagesAtOnce)) {}

  Result<CollectTotals> Run() {
    for (int attempt = 1;; ++attempt) {
      server_lost_ = false;
      Status status = Decide();
      // Dead objects lose their references before any of them goes.
      if (status.ok()) status = Sweep(Step::kDisconnect);
      if (status.ok()) status = Sweep(Step::kFree);
      if (status.ok()) return totals_;
      const bool again = status.code() == StatusCode::kInUse || server_lost_;
      if (!again || attempt == kAttempts) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
  }

 private:
  using Step = SweepStep;

  // Dead objects by page, and for each by the offset of its payload, how long it is with its
  // header.
  using DeadOnPage = std::vector<std::pair<size_t, uint64_t>>;  // ascending

  Status Decide() {
    candidates_.clear();
    targets_.clear();
    targets_end_.clear();
    dead_.clear();
    TN_RETURN_IF_ERROR(BeginReadOnly(server_));
    Status status = FindCandidates();
    if (status.ok() && !candidates_.empty()) {
      status = server_.OfferCandidates(database_, candidates_);
    }
    server_.EndTransaction();
    TN_RETURN_IF_ERROR(status);
    if (candidates_.empty()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(std::vector<bool> held, server_.HeldCandidates(database_));
    if (held.size() != candidates_.size()) {
      return Status(StatusCode::kCorrupt, "the page server answers about other objects");
    }
    Keep(held);
    return Status::Ok();
  }

  Status FindCandidates() {
    TN_ASSIGN_OR_RETURN(StoredTypes types, StoredTypes::Read(server_));
    store_.types = std::move(types);
    // No reference leads to the database's objects yet: the importing program refers to all of
    // them.
    TN_ASSIGN_OR_RETURN(const bool unfinished, IsUnfinishedImport(server_, database_));
    if (unfinished) {
      return store::Failure(StatusCode::kInUse,
                            std::string("nothing is collected: ") + store::kUnfinishedImportText);
    }
    TN_ASSIGN_OR_RETURN(store::VerifyReport report, store::VerifyDatabase(server_, database_));
    if (!report.ok()) {
      return store::Failure(StatusCode::kCorrupt, "nothing is collected in a damaged database: " +
                                                      report.problems.front());
    }
    totals_ = CollectTotals();
    totals_.pages = report.pages;
    totals_.objects = report.objects;
    ObjectReader reader(server_, database_, store_.types);
    Marking marking(server_, database_, store_.types, reader);
    TN_RETURN_IF_ERROR(marking.Run(report.objects));
    WalkTotals walk;
    return ForEachObject(server_, database_, store_.types, &walk, [&](const StoredObject& object) {
      if (marking.Marked(object.at.page(), object.at.offset())) return true;
      candidates_.push_back({object.at, kHeaderBytes + object.payload.size()});
      ForEachSlot(*object.type, object.payload.size(), [&](uint64_t slot, StoredSlot kind) {
        const PersistentRef reference{object.Word(slot)};
        if (kind == StoredSlot::kReference && reference.is_object() &&
            !marking.Marked(reference.page(), reference.offset())) {
          targets_.push_back(reference);
        }
      });
      targets_end_.push_back(targets_.size());
      return true;
    });
  }

  // Keeps the candidates that programs refer to, and everything reached from these at the time of
  // marking: a program may have followed such a reference since.
  void Keep(std::vector<bool> held) {
    std::vector<size_t> waiting;
    for (size_t i = 0; i < held.size(); ++i) {
      if (held[i]) waiting.push_back(i);
    }
    while (!waiting.empty()) {
      const size_t from = waiting.back();
      waiting.pop_back();
      const uint64_t begin = from == 0 ? 0 : targets_end_[from - 1];
      for (uint64_t at = begin; at < targets_end_[from]; ++at) {
        const PersistentRef to = targets_[at];
        const auto found = std::lower_bound(
            candidates_.begin(), candidates_.end(), to.bits,
            [](const Candidate& a, uint64_t bits) { return a.object.bits < bits; });
        if (found == candidates_.end() || found->object != to) continue;
        const auto i = static_cast<size_t>(found - candidates_.begin());
        if (held[i]) continue;
        held[i] = true;
        waiting.push_back(i);
      }
    }
    for (size_t i = 0; i < held.size(); ++i) {
      if (held[i]) continue;
      const Candidate& dead = candidates_[i];
      dead_[dead.object.page().number].emplace_back(dead.object.offset(), dead.bytes);
      ++totals_.freed_objects;
      totals_.freed_bytes += dead.bytes;
    }
    targets_ = {};
    targets_end_ = {};
    candidates_.clear();
  }

  // --- Freeing

  static uint64_t PagesOf(const DeadOnPage& dead) {
    return (dead.front().second + kPageBytes - 1) / kPageBytes;  // more than one: a large object
  }

  Status Sweep(Step step) {
    Progress progress(step == Step::kFree ? "pages swept" : "pages looked at", dead_.size());
    uint64_t done = 0;
    for (auto from = dead_.begin(); from != dead_.end();) {
      auto to = from;
      std::vector<PageId> pages;
      for (; to != dead_.end() && pages.size() < at_once_; ++to) {
        for (uint64_t i = 0; i < PagesOf(to->second); ++i) pages.push_back(PageId{to->first} + i);
        ++done;
      }
      Status status;
      do {
        server_.AwaitTurn();
        TN_ASSIGN_OR_RETURN(const bool started, server_.StartTransaction());
        if (started) {
          // The server was started again and has forgotten the collection.
          server_.EndTransaction();
          server_lost_ = true;
          return Status(StatusCode::kIo, "the page server was started again meanwhile");
        }
        status = Write(step, from, to, pages);
        server_.EndTransaction();
      } while (status.code() == StatusCode::kConflict);
      TN_RETURN_IF_ERROR(status);
      progress.Show(done);
      from = to;
    }
    return Status::Ok();
  }

  using Place = std::map<uint64_t, DeadOnPage>::const_iterator;

  Status Write(Step step, Place from, Place to, const std::vector<PageId>& pages) {
    TN_RETURN_IF_ERROR(server_.WantWrite(database_, pages));
    std::vector<store::PageReply> replies(pages.size());
    TN_RETURN_IF_ERROR(server_.Read(database_, pages, replies));
    PageWrites writes(server_, database_);
    uint64_t removed = 0;
    size_t at = 0;
    for (auto page = from; page != to; ++page) {
      const auto count = static_cast<size_t>(PagesOf(page->second));
      for (size_t i = at; i < at + count; ++i) TN_RETURN_IF_ERROR(replies[i].status);
      const std::span<store::PageReply> parts = std::span(replies).subspan(at, count);
      at += count;
      if (parts[0].record.run.large()) {
        WriteLarge(step, PageId{page->first}, parts, &writes, &removed);
      } else {
        TN_RETURN_IF_ERROR(WriteSmall(step, PageId{page->first}, page->second, parts[0].record,
                                      &writes, &removed));
      }
    }
    if (writes.pages() != 0) TN_RETURN_IF_ERROR(writes.Commit());
    totals_.freed_pages += removed;
    return Status::Ok();
  }

  // Programs may add types after the marking.
  Result<const StoredType*> TypeAt(uint64_t index) {
    if (store_.types.At(index) == nullptr) {
      TN_ASSIGN_OR_RETURN(StoredTypes types, StoredTypes::Read(server_));
      store_.types = std::move(types);
    }
    const StoredType* const type = store_.types.At(index);
    if (type == nullptr) return Status(StatusCode::kCorrupt, "an object of an unknown type");
    return type;
  }

  Status WriteSmall(Step step, PageId page, const DeadOnPage& dead, PageRecord& record,
                    PageWrites* writes, uint64_t* removed) {
    const Result<PageSweep> sweep = SweepContents(
        record.contents, step, [&](uint64_t type) { return TypeAt(type); },
        [&](size_t payload, uint64_t) {
          return !std::ranges::binary_search(dead, payload, {}, &DeadOnPage::value_type::first);
        });
    if (!sweep.ok()) return sweep.status();
    if (step == Step::kFree && !sweep->some_live) {
      ++*removed;
      writes->Remove(page, record.version);
    } else {
      std::memcpy(writes->Put(page, record.version), record.contents, kPageBytes);
    }
    return Status::Ok();
  }

  void WriteLarge(Step step, PageId first, std::span<store::PageReply> parts, PageWrites* writes,
                  uint64_t* removed) {
    if (step == Step::kFree) {
      *removed += parts.size();
      for (size_t i = 0; i < parts.size(); ++i) {
        writes->Remove(first + i, parts[i].record.version);
      }
      return;
    }
    const StoredType* const type = store_.types.At(parts[0].record.run.type);
    const uint64_t bytes = dead_.at(first.number).front().second - kHeaderBytes;
    std::vector<bool> changed(parts.size());
    ForEachSlot(*type, bytes, [&](uint64_t slot, StoredSlot kind) {
      if (kind != StoredSlot::kReference) return;
      const uint64_t at = kHeaderBytes + slot;
      std::memset(parts[at / kPageBytes].record.contents + at % kPageBytes, 0, 8);
      changed[at / kPageBytes] = true;
    });
    for (size_t i = 0; i < parts.size(); ++i) {
      const PageRecord& record = parts[i].record;
      if (!changed[i]) continue;
      std::memcpy(writes->Put(first + i, record.version, record.run), record.contents, kPageBytes);
    }
  }

  OpenedStore& store_;
  store::PageServer& server_;
  const DatabaseId database_;
  const uint64_t at_once_;
  CollectTotals totals_;
  bool server_lost_ = false;           // the server was started again since Decide
  std::vector<Candidate> candidates_;  // ascending
  // The references of candidates to other candidates, one candidate's behind the other's, and where
  // those of each end.
  std::vector<PersistentRef> targets_;
  std::vector<uint64_t> targets_end_;
  std::map<uint64_t, DeadOnPage> dead_;
};

}  // namespace

Result<CollectTotals> CollectShared(OpenedStore& store, DatabaseId database,
                                    const CollectOptions& options) {
  return SharedCollection(store, database, options).Run();
}

}  // namespace tenure::dbtool
