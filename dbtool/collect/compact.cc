#include "dbtool/collect/compact.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "abi/object_header.h"
#include "base/flat_table.h"
#include "dbtool/stored/object_reader.h"
#include "dbtool/stored/object_table.h"
#include "dbtool/stored/page_writes.h"
#include "dbtool/stored/progress.h"
#include "store/bdb/tree_room.h"
#include "store/format/clustering.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/server/verifier.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::DatabaseId;
using store::OpenPage;
using store::PersistentRef;

namespace {

// How many objects the database has, if it is not damaged. Counts its pages.
Result<uint64_t> CheckWhole(store::PageServer& server, DatabaseId database, RewriteTotals* totals) {
  TN_ASSIGN_OR_RETURN(store::VerifyReport report, store::VerifyDatabase(server, database));
  if (!report.ok()) {
    return store::Failure(StatusCode::kCorrupt,
                          "a damaged database is not rewritten: " + report.problems.front());
  }
  totals->pages_before += report.pages;
  return report.objects;
}

// Whether the objects to which converted ones refer may stand there, by the types that all of them
// have afterwards. Asked before an object is written.
class ReferenceCheck {
 public:
  ReferenceCheck(const StoredTypes& types, const RewriteOptions& options) {
    types_.resize(types.all().size() + 1);
    for (const StoredType& type : types.all()) {
      const Conversion* const conversion =
          type.procedure.empty() && options.conversion ? options.conversion(type) : nullptr;
      (void)store::ParseType(conversion == nullptr ? type.description : conversion->to->description,
                             &types_[type.index]);
      any_ = any_ || conversion != nullptr;
    }
  }

  // Whether anything is converted; else nothing can be wrong that was not before.
  bool needed() const { return any_; }

  // The object's type, with the payload that it has afterwards, in which references are those of
  // before.
  Status Check(const StoredType& before, const StoredType& after, PersistentRef at,
               std::span<const std::byte> payload, ObjectReader& reader) {
    Status status;
    ForEachSlot(after, payload.size(), [&](uint64_t slot, StoredSlot kind) {
      PersistentRef target;
      std::memcpy(&target, payload.data() + slot, sizeof target);
      if (kind != StoredSlot::kReference || !target.is_object() || !status.ok()) return;
      const Result<StoredObject> read = reader.Read(target);
      if (!read.ok()) {
        status = read.status();
        return;
      }
      const bool element = after.open() && slot >= after.elements_at();
      const uint64_t offset = element ? (slot - after.elements_at()) % after.element_bytes : slot;
      if (declarations_.MayRefer(before.index, element, offset, read->type->index)) return;
      const store::TypeName* const declared =
          declarations_.DeclaredAt(before.index, element, offset);
      status = store::Failure(StatusCode::kTypeMismatch,
                              "object " + Show(at) + " of type " + before.name + ": " +
                                  NameOfSlot(after, slot) + " refers to an object of type " +
                                  types_[read->type->index].own.name + ", which is no " +
                                  (declared == nullptr ? "type of the field" : declared->name) +
                                  " in the program");
    });
    return status;
  }

 private:
  std::vector<store::DeclaredType> types_;  // by index of the type that is stored now
  store::Declarations declarations_{types_};
  bool any_ = false;
};

// Without a database to write to it does all but the writing.
class Rewriting {
 public:
  Rewriting(OpenedStore& store, DatabaseId from, std::optional<DatabaseId> to,
            const RewriteOptions& options, ReferenceCheck& check, RewriteTotals* totals)
      : server_(*store.server),
        from_(from),
        to_(to),
        options_(options),
        check_(check),
        totals_(*totals),
        reader_(server_, from, store.types),
        writes_(server_, to.value_or(DatabaseId())),
        homes_(reader_, store.types) {}

  Status Run() {
    TN_ASSIGN_OR_RETURN(const uint64_t objects, CheckWhole(server_, from_, &totals_));
    TN_ASSIGN_OR_RETURN(PersistentRef root, server_.Root(from_));
    TN_ASSIGN_OR_RETURN(std::vector<store::ImportEntry> imports, server_.Imports(from_));
    TN_ASSIGN_OR_RETURN(std::vector<store::ExportEntry> exports, server_.Exports(from_));

    store::DatabaseCommit last;
    TN_ASSIGN_OR_RETURN(last.root, Moved(root));
    for (store::ExportEntry& entry : exports) {
      TN_ASSIGN_OR_RETURN(entry.object, Moved(entry.object));
    }
    Progress progress("objects written", objects);
    while (!waiting_.empty()) {
      progress.Show(++totals_.objects);
      TN_RETURN_IF_ERROR(WriteNext());
      ++written_;
      for (; !closed_.empty() && closed_.front().placed <= written_; closed_.pop_front()) {
        TN_RETURN_IF_ERROR(FinishPage(closed_.front().page));
      }
    }
    for (const OpenPage& page : open_) {
      if (page.page.valid()) TN_RETURN_IF_ERROR(FinishPage(page));
    }
    last.imports = imports;
    last.exports = exports;
    return Commit(&last);
  }

 private:
  struct WaitingMade {
    PersistentRef to;
    MadeObject object;
  };
  // A page that gets no more objects. It is complete when `placed` objects have been written.
  struct ClosedPage {
    OpenPage page;
    uint64_t placed;
  };
  struct Contents {
    std::byte bytes[kPageBytes];
  };

  const Conversion* ConversionOf(const StoredType& type) const {
    return options_.conversion ? options_.conversion(type) : nullptr;
  }

  // Its payload's bytes afterwards.
  static uint64_t NewBytes(const StoredObject& object, const Conversion* conversion) {
    // An open array keeps its lengths, which stand at the same place. Without them the object would
    // have been found damaged.
    if (conversion == nullptr) return object.payload.size();
    return PayloadBytes(*conversion->to, object.payload).value_or(object.payload.size());
  }

  uint64_t BytesOf(const StoredObject& object) const {
    return kHeaderBytes + NewBytes(object, ConversionOf(*object.type));
  }

  Result<store::PageRun> AllocatePages(uint64_t count) {
    if (to_) return server_.AllocatePages(*to_, count);
    const store::PageRun run{store::PageId{pages_tried_ + 1}, count};
    pages_tried_ += count;
    return run;
  }

  Status Commit(const store::DatabaseCommit* more = nullptr) {
    if (to_) return writes_.Commit(more);
    writes_.Forget();
    return Status::Ok();
  }

  // A place for the object that joins the waiting ones next. `bytes` includes its header.
  Result<PersistentRef> PlaceFor(const StoredType& type, uint64_t bytes) {
    if (bytes > kPageBytes) {
      TN_ASSIGN_OR_RETURN(store::PageRun run, AllocatePages((bytes + kPageBytes - 1) / kPageBytes));
      return PersistentRef::Object(run.first, kHeaderBytes);
    }
    const bool apart = store::LiesApart(bytes, type.pure());
    if (open_.WithRoom(bytes, apart) == nullptr) {
      TN_ASSIGN_OR_RETURN(store::PageRun run, AllocatePages(1));
      const OpenPage closed = open_.Replace(run.first, apart);
      if (closed.page.valid()) closed_.push_back({closed, placed_});
    }
    OpenPage& open = *open_.WithRoom(bytes, apart);
    const PersistentRef home = PersistentRef::Object(open.page, open.offset + kHeaderBytes);
    open.offset += bytes;
    return home;
  }

  // Where an object will be after the compaction; other references stay.
  Result<PersistentRef> Moved(PersistentRef from) {
    if (!from.is_object()) return from;
    if (const uint64_t home = homes_.Find(from); home != 0) return PersistentRef{home};
    Result<PersistentRef> home = PlaceObject(from);
    if (home.ok()) TN_RETURN_IF_ERROR(PlaceSmallTargets(from));
    return home;
  }

  Result<PersistentRef> PlaceObject(PersistentRef from) {
    TN_ASSIGN_OR_RETURN(const StoredObject object, reader_.Read(from));
    if (options_.refusal) TN_RETURN_IF_ERROR(options_.refusal(*object.type));
    const Conversion* const conversion = ConversionOf(*object.type);
    const StoredType& type = conversion == nullptr ? *object.type : *conversion->to;
    TN_ASSIGN_OR_RETURN(const PersistentRef home, PlaceFor(type, BytesOf(object)));
    TN_ASSIGN_OR_RETURN(uint64_t* const number, homes_.At(from));
    *number = home.bits;
    AddWaiting(from);
    return home;
  }

  void AddWaiting(PersistentRef from) {
    ++placed_;
    waiting_.push_back(from);
  }

  // Places them as a commit places new objects (store/format/clustering.h).
  Status PlaceSmallTargets(PersistentRef from) {
    TN_ASSIGN_OR_RETURN(const StoredObject object, reader_.Read(from));
    if (BytesOf(object) > store::kLongObject) return Status::Ok();
    Status status;
    const auto place_all = [&] {
      return cluster_.PlaceAll([&](PersistentRef one) {
        if (status.ok()) status = PlaceObject(one).status();
        return status.ok();
      });
    };
    store::PlaceSmallBehind(
        from, small_,
        [&](PersistentRef one) {
          const Result<bool> all_small = PushSmallTargets(one);
          if (!all_small.ok()) status = all_small.status();
          return all_small.ok() && *all_small;
        },
        [&](PersistentRef one) { return homes_.Find(one) != 0 || cluster_.Contains(one.bits); },
        [&](PersistentRef one) {
          const Result<StoredObject> read = reader_.Read(one);
          if (!read.ok()) status = read.status();
          if (!status.ok()) return false;
          cluster_.Add(one, one.bits, read->type->pure() ? nullptr : read->type, BytesOf(*read));
          return !cluster_.full() || place_all();
        });
    place_all();
    return status;
  }

  // Whether all that the object refers to is small.
  Result<bool> PushSmallTargets(PersistentRef from) {
    TN_ASSIGN_OR_RETURN(const StoredObject object, reader_.Read(from));
    // The references of a converted object are not known yet.
    if (ConversionOf(*object.type) != nullptr) return false;
    // The object that was read stays valid until the next Read, so its targets are copied.
    std::vector<PersistentRef> targets;
    ForEachSlot(*object.type, object.payload.size(), [&](uint64_t slot, StoredSlot kind) {
      PersistentRef target;
      std::memcpy(&target, object.payload.data() + slot, sizeof target);
      if (kind == StoredSlot::kReference && target.is_object()) targets.push_back(target);
    });
    bool all_small = true;
    std::vector<PersistentRef> pure;
    for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
      TN_ASSIGN_OR_RETURN(const StoredObject read, reader_.Read(*target));
      if (BytesOf(read) > store::kSmallObject) {
        all_small = false;
      } else if (homes_.Find(*target) == 0) {
        (read.type->pure() ? pure : small_).push_back(*target);
      }
    }
    small_.insert(small_.end(), pure.begin(), pure.end());
    return all_small;
  }

  static std::vector<std::byte> HeaderOf(const StoredType& type) {
    std::vector<std::byte> whole(kHeaderBytes);
    const uint64_t header = uint64_t{type.index} << store::kStoredTypeShift;
    std::memcpy(whole.data(), &header, sizeof header);
    return whole;
  }

  Status Write(PersistentRef to, const StoredType& type, std::span<const std::byte> whole) {
    return whole.size() > kPageBytes ? WriteLarge(to, type, whole) : WriteSmall(to, whole);
  }

  Status WriteMade(PersistentRef to, const MadeObject& object) {
    std::vector<std::byte> whole = HeaderOf(*object.type);
    whole.insert(whole.end(), object.payload.begin(), object.payload.end());
    return Write(to, *object.type, whole);
  }

  Status WriteNext() {
    const PersistentRef from = waiting_.front();
    waiting_.pop_front();
    if (from.nil()) {
      const WaitingMade made = std::move(made_.front());
      made_.pop_front();
      return WriteMade(made.to, made.object);
    }
    const PersistentRef to{homes_.Find(from)};
    TN_ASSIGN_OR_RETURN(StoredObject object, reader_.Read(from));
    const Conversion* const conversion = ConversionOf(*object.type);
    const StoredType& type = conversion == nullptr ? *object.type : *conversion->to;
    const uint64_t bytes = NewBytes(object, conversion);
    std::vector<std::byte> whole = HeaderOf(type);
    std::vector<MadeObject> made;
    if (conversion == nullptr) {
      whole.insert(whole.end(), object.payload.begin(), object.payload.end());
    } else {
      ++totals_.converted;
      Converted converted = conversion->convert(object, reader_);
      whole.insert(whole.end(), converted.payload.begin(), converted.payload.end());
      made = std::move(converted.made);
    }
    whole.resize(kHeaderBytes + bytes);
    if (check_.needed()) {
      TN_RETURN_IF_ERROR(
          check_.Check(*object.type, type, from, std::span(whole).subspan(kHeaderBytes), reader_));
    }
    Status status;
    ForEachSlot(type, bytes, [&](uint64_t slot, StoredSlot kind) {
      if (kind != StoredSlot::kReference || !status.ok()) return;
      PersistentRef reference;
      std::memcpy(&reference, whole.data() + kHeaderBytes + slot, sizeof reference);
      // The object's memory is the reader's, and not used from here on.
      const Result<PersistentRef> moved = Moved(reference);
      if (!moved.ok()) {
        status = moved.status();
        return;
      }
      std::memcpy(whole.data() + kHeaderBytes + slot, &*moved, sizeof *moved);
    });
    TN_RETURN_IF_ERROR(status);
    for (MadeObject& one : made) {
      const uint64_t slot = one.slot;
      TN_ASSIGN_OR_RETURN(const PersistentRef home, PlaceMade(std::move(one)));
      std::memcpy(whole.data() + kHeaderBytes + slot, &home, sizeof home);
    }
    return Write(to, type, whole);
  }

  Result<PersistentRef> PlaceMade(MadeObject one) {
    one.payload.resize(std::max<size_t>((one.payload.size() + 7) / 8 * 8, abi::kMinPayloadBytes));
    PersistentRef* place = nullptr;
    if (one.shared) {
      place = &shared_[{one.type->index, one.payload}];
      if (!place->nil()) return *place;
    }
    const Result<PersistentRef> home = PlaceFor(*one.type, kHeaderBytes + one.payload.size());
    if (!home.ok()) return home;
    if (place != nullptr) *place = *home;
    AddWaiting(PersistentRef());
    made_.push_back({*home, std::move(one)});
    return home;
  }

  Status WriteLarge(PersistentRef to, const StoredType& type, std::span<const std::byte> whole) {
    store::LargeRun run{type.index, 0,
                        static_cast<uint32_t>((whole.size() + kPageBytes - 1) / kPageBytes)};
    for (; run.index < run.pages; ++run.index) {
      const std::span<const std::byte> part = whole.subspan(uint64_t{run.index} * kPageBytes);
      std::byte* const page = writes_.Put(to.page() + run.index, 0, run);
      std::memset(page, 0, kPageBytes);
      std::memcpy(page, part.data(), std::min<size_t>(part.size(), kPageBytes));
      ++totals_.pages;
    }
    return Status::Ok();
  }

  Status WriteSmall(PersistentRef to, std::span<const std::byte> whole) {
    std::unique_ptr<Contents>& contents = contents_[to.page().number];
    if (contents == nullptr) contents = std::make_unique<Contents>();
    std::memcpy(contents->bytes + to.offset() - kHeaderBytes, whole.data(), whole.size());
    return Status::Ok();
  }

  Status FinishPage(const OpenPage& page) {
    std::byte* const to = writes_.Put(page.page, 0);
    const auto contents = contents_.find(page.page.number);
    std::memcpy(to, contents->second->bytes, kPageBytes);
    contents_.erase(contents);
    if (page.left() > 0) store::StoreFiller(to + page.offset, page.left());
    ++totals_.pages;
    return writes_.pages() >= options_.pages_at_once ? Commit() : Status::Ok();
  }

  store::PageServer& server_;
  const DatabaseId from_;
  const std::optional<DatabaseId> to_;
  uint64_t pages_tried_ = 0;  // that would have been allocated
  const RewriteOptions& options_;
  ReferenceCheck& check_;
  RewriteTotals& totals_;
  ObjectReader reader_;
  PageWrites writes_;
  ObjectTable homes_;  // new references, by old ones
  // Shared objects that were made, by type and payload.
  std::map<std::pair<uint32_t, std::vector<std::byte>>, PersistentRef> shared_;
  // Objects that have places and are not written yet, in the order of both.
  std::deque<PersistentRef> waiting_;  // where they were; NIL: the next of made_
  std::deque<WaitingMade> made_;
  uint64_t placed_ = 0, written_ = 0;
  // For PlaceSmallTargets.
  struct BitsHash {
    uint64_t operator()(uint64_t bits) const { return SpreadBits(bits); }
  };
  std::vector<PersistentRef> small_;
  store::Cluster<PersistentRef, uint64_t, StoredType, BitsHash> cluster_;
  store::OpenPages open_;
  std::deque<ClosedPage> closed_;
  std::unordered_map<uint64_t, std::unique_ptr<Contents>> contents_;  // not finished, by page
};

Status NoRoom(const std::string& directory, uint64_t needed, uint64_t free) {
  return store::Failure(StatusCode::kNoSpace,
                        "no space left for store " + directory +
                            ": its new files, which take the place of the old "
                            "ones at the end, need " +
                            std::to_string((needed + 1023) >> 10) + " KB, " +
                            std::to_string(free >> 10) + " KB are free");
}

// Whether the disk has room for the new databases.
Status CheckRoom(OpenedStore& store, const std::vector<std::string>& databases,
                 const RewriteOptions& options) {
  struct statvfs disk;
  if (options.directory.empty() || statvfs(options.directory.c_str(), &disk) != 0) {
    return Status::Ok();
  }
  const uint64_t free = static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize;
  const auto needed = [&](uint64_t pages) {
    return store::TreeRoom(pages) + databases.size() * store::TreeRoom(0) + store::kReplacingRoom;
  };
  store::PageServer& server = *store.server;
  uint64_t before = 0;
  for (const std::string& name : databases) {
    TN_ASSIGN_OR_RETURN(const DatabaseId id, server.OpenDatabase(name, store::OpenMode::kOpen));
    const Result<store::DatabaseInfo> info = server.Info(id);
    TN_RETURN_IF_ERROR(server.CloseDatabase(id));
    TN_RETURN_IF_ERROR(info.status());
    before += info->pages;
  }
  // Much room, or conversions that cannot be tried: the writing tells.
  constexpr uint64_t kMuch = 4;
  if (free >= kMuch * needed(before) || !options.may_rerun_conversions) return Status::Ok();
  if (!options.conversion && free >= needed(before)) return Status::Ok();
  RewriteTotals totals;
  ReferenceCheck check(store.types, options);
  for (const std::string& name : databases) {
    TN_ASSIGN_OR_RETURN(const DatabaseId from, server.OpenDatabase(name, store::OpenMode::kOpen));
    const Status status = Rewriting(store, from, std::nullopt, options, check, &totals).Run();
    TN_RETURN_IF_ERROR(server.CloseDatabase(from));
    TN_RETURN_IF_ERROR(status);
  }
  if (options.problem) TN_RETURN_IF_ERROR(options.problem());
  return free >= needed(totals.pages) ? Status::Ok()
                                      : NoRoom(options.directory, needed(totals.pages), free);
}

Status RewriteAll(OpenedStore& store, const std::vector<std::string>& databases,
                  const RewriteOptions& options, RewriteTotals* totals) {
  store::PageServer& server = *store.server;
  TN_RETURN_IF_ERROR(CheckNothingPrepared(server));
  if (!options.only_try) TN_RETURN_IF_ERROR(CheckRoom(store, databases, options));
  ReferenceCheck check(store.types, options);
  std::vector<DatabaseId> made;
  for (const std::string& name : databases) {
    std::optional<DatabaseId> to;
    if (!options.only_try) {
      TN_ASSIGN_OR_RETURN(to, server.CreateReplacement(name));
      made.push_back(*to);
    }
    TN_ASSIGN_OR_RETURN(DatabaseId from, server.OpenDatabase(name, store::OpenMode::kOpen));
    const Status status = Rewriting(store, from, to, options, check, totals).Run();
    TN_RETURN_IF_ERROR(server.CloseDatabase(from));
    TN_RETURN_IF_ERROR(status);
    if (!to) continue;
    TN_ASSIGN_OR_RETURN(store::VerifyReport report, store::VerifyDatabase(server, *to));
    if (!report.ok()) {
      return store::Failure(StatusCode::kCorrupt, "database " + name + " could not be rewritten: " +
                                                      report.problems.front());
    }
  }
  if (options.problem) TN_RETURN_IF_ERROR(options.problem());
  if (options.only_try) return server.Close();
  // A conversion may have opened databases to which others refer.
  for (const std::string& name : databases) {
    TN_ASSIGN_OR_RETURN(const DatabaseId id, server.OpenDatabase(name, store::OpenMode::kOpen));
    TN_RETURN_IF_ERROR(server.CloseDatabase(id));
  }
  return server.CloseReplacing(made);
}

}  // namespace

Result<RewriteTotals> Rewrite(OpenedStore& store, const std::vector<std::string>& databases,
                              const RewriteOptions& options) {
  RewriteTotals totals;
  const Status status = RewriteAll(store, databases, options, &totals);
  (void)store.server->Close();  // closed already when all went well
  if (status.code() == StatusCode::kNoSpace) {
    return store::Failure(status.code(), std::string(status.text()) + "; nothing has been changed");
  }
  if (!status.ok()) return status;
  return totals;
}

}  // namespace tenure::dbtool
