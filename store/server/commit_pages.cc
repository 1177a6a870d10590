#include "store/server/commit_pages.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "store/format/page_codec.h"
#include "store/server/request_failure.h"
#include "store/server/store_path.h"

namespace tenure::store {

using abi::kHeaderBytes;
using abi::kPageBytes;

namespace {

constexpr size_t kPathBytesMost = 4096;

// Bytes behind an object's beginning that say how long the object is.
size_t HeadBytes(const DescribedType& type) {
  return kHeaderBytes + (type.dimensions == 0 ? 0 : type.elements_at());
}

}  // namespace

Status CommitPages::FindObjects() {
  TN_ASSIGN_OR_RETURN(const PageId last, store_.pages.MaxPage(commit_.database));
  last_ = last.number;
  new_imports_ = commit_.imports_before + commit_.imports.size();
  if (commit_.imports_before > new_imports_) return Nonsense("a table of that length");
  TN_ASSIGN_OR_RETURN(root_before_, store_.pages.Root(commit_.database));
  root_ = commit_.root ? *commit_.root : root_before_;
  if (commit_.root || !commit_.imports.empty()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, StoredRootType());
    importing_ = type != nullptr && type->mark;
  }
  for (const PageWrite& write : commit_.pages) {
    if (write.page.number == 0 || write.page.number > last_) {
      return WrongPage(write.page, "the page was never handed out");
    }
    if (write.remove) removed_.insert(write.page.number);
    if (IsPartOfNew(write)) large_.emplace(write.page.number, &write);
  }
  for (const PageWrite& write : commit_.pages) {
    if (!IsFresh(write)) continue;
    TN_RETURN_IF_ERROR(FindStarts(store_.types, write.page, write.run, write.contents,
                                  &objects_[write.page.number], &types_));
  }
  TN_RETURN_IF_ERROR(CheckNewRuns());
  return stored_.ForEach(
      [&](const PageWrite& write, const PageRecord& record) { return FindChanged(write, record); });
}

Status CommitPages::CheckReferences(const AllPages& all, CheckedCommit* checked) {
  all_ = &all;
  TN_RETURN_IF_ERROR(CheckTables());
  for (const PageWrite& write : commit_.pages) {
    if (!IsFresh(write)) continue;
    TN_RETURN_IF_ERROR(
        CheckSlots(write.page, write.run, write.contents, nullptr, nullptr, write.regions));
  }
  TN_RETURN_IF_ERROR(stored_.ForEach([&](const PageWrite& write, const PageRecord& record) {
    if (write.remove) return Status::Ok();
    return CheckSlots(write.page, record.run, stored_.After(write, record), record.contents,
                      &before_[write.page.number], write.regions);
  }));
  if (commit_.root && !commit_.root->nil()) {
    TN_RETURN_IF_ERROR(CheckReference(PageId{0}, nullptr, commit_.root->bits));
    TN_RETURN_IF_ERROR(CheckMark());
  }
  for (const ExportEntry& entry : commit_.exports) {
    if (!entry.object.is_object()) return Nonsense("an exported object that is none");
    TN_RETURN_IF_ERROR(CheckReference(PageId{0}, nullptr, entry.object.bits));
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeOf(entry.object.bits));
    if (type != nullptr && type->mark) return Nonsense("an exported object that is a mark");
  }
  return NoteDisconnected(checked);
}

Result<uint32_t> CommitPages::TypeIndexOf(uint64_t bits) {
  const PersistentRef reference{bits};
  if (!reference.well_formed_object() || reference.page().number > last_) return uint32_t{0};
  TN_ASSIGN_OR_RETURN(const std::optional<uint32_t> type, Find(PageId{0}, bits));
  return type.value_or(0);
}

Status CommitPages::CheckNewRuns() {
  uint64_t parts = 0;
  for (const auto& [number, write] : large_) {
    if (write->run.index != 0) continue;
    for (uint32_t i = 0; i < write->run.pages; ++i) {
      const auto part = large_.find(number + i);
      if (part == large_.end() ||
          part->second->run != LargeRun{write->run.type, i, write->run.pages}) {
        return WrongPage(write->page, "a large object of which a part is missing");
      }
    }
    parts += write->run.pages;
    const PageWrite& last = *large_.at(number + write->run.pages - 1);
    TN_RETURN_IF_ERROR(CheckTail(last.page, last.run, last.contents, write->contents));
  }
  if (parts == large_.size()) return Status::Ok();
  return Nonsense("a part of a large object that does not begin");
}

Status CommitPages::CheckTail(PageId page, const LargeRun& run, const std::byte* contents,
                              const std::byte* first) {
  TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, run.type));
  uint64_t payload;
  const uint64_t bytes =
      StoredObjectBytes(*type, first, kPageBytes, uint64_t{run.pages} * kPageBytes, &payload);
  const uint64_t begin = uint64_t{run.index} * kPageBytes;
  if (bytes <= begin || !IsZero(contents, std::min(bytes - begin, kPageBytes), kPageBytes)) {
    return WrongPage(page, "what follows a large object is not zero");
  }
  return Status::Ok();
}

Status CommitPages::FindChanged(const PageWrite& write, const PageRecord& record) {
  const PageId page = write.page;
  ObjectStarts& before = before_[page.number];
  before = ObjectStarts();
  TN_RETURN_IF_ERROR(FindStarts(store_.types, page, record.run, record.contents, &before, &types_));
  if (write.remove) return CheckRemoved(page, record, before);
  if (write.contents != nullptr && write.run != record.run) {
    return WrongPage(page, "a page of a large object becomes another one, or the reverse");
  }
  const std::byte* const after = stored_.After(write, record);
  if (write.contents != nullptr && !write.regions.empty() &&
      std::memcmp(write.contents, after, kPageBytes) != 0) {
    return WrongPage(page, "the page is not what its changed regions make of it");
  }
  ObjectStarts& objects = objects_[page.number];
  if (record.run.large()) {
    objects = before;
    return CheckLarge(write, record, after);
  }
  TN_RETURN_IF_ERROR(FindStarts(store_.types, page, record.run, after, &objects, &types_));
  for (size_t word = before.starts._Find_first(); word < before.starts.size();
       word = before.starts._Find_next(word)) {
    const size_t at = word * 8, header = at - kHeaderBytes;
    const uint32_t index = before.TypeAt(at);
    bool stays = objects.starts.test(word);
    if (stays && objects.TypeAt(at) != index) {
      TN_ASSIGN_OR_RETURN(stays, store_.types.IsOneType(index, objects.TypeAt(at)));
    }
    if (!stays) {
      const uint64_t bits = PersistentRef::Object(page, at).bits;
      TN_ASSIGN_OR_RETURN(const bool gone, MayGo(page, bits, index));
      if (gone && !objects.starts.test(word)) continue;
      return WrongPage(page, "the object at offset " + std::to_string(at) +
                                 " is replaced, and no collection has found it dead");
    }
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, index));
    if (type->dimensions != 0 &&
        std::memcmp(record.contents + header + kHeaderBytes + type->payload,
                    after + header + kHeaderBytes + type->payload, 8 * type->dimensions) != 0) {
      return WrongPage(page, "the array at offset " + std::to_string(at) + " gets another length");
    }
  }
  return Status::Ok();
}

Result<bool> CommitPages::MayGo(PageId page, uint64_t bits, uint32_t index) {
  TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, index));
  // Only a root refers to a mark.
  if (type->mark && root_.bits != bits) return true;
  return store_.dead.MayFree(commit_.database, PersistentRef{bits}, by_.client);
}

Status CommitPages::CheckRemoved(PageId page, const PageRecord& record,
                                 const ObjectStarts& before) {
  for (size_t word = before.starts._Find_first(); word < before.starts.size();
       word = before.starts._Find_next(word)) {
    const uint64_t bits = PersistentRef::Object(page, word * 8).bits;
    TN_ASSIGN_OR_RETURN(const bool gone, MayGo(page, bits, before.TypeAt(word * 8)));
    if (!gone) {
      return WrongPage(page, "a page is removed that no collection has found empty");
    }
  }
  if (!record.run.large()) return Status::Ok();
  const uint64_t first = page.number - record.run.index;
  for (uint32_t i = 0; i < record.run.pages; ++i) {
    if (!removed_.contains(first + i)) {
      return WrongPage(page, "a page of a large object is removed, and others are not");
    }
  }
  return Status::Ok();
}

Status CommitPages::CheckLarge(const PageWrite& write, const PageRecord& record,
                               const std::byte* after) {
  const LargeRun& run = record.run;
  if (run.index == 0) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(write.page, run.type));
    const size_t head = std::min(kPageBytes, HeadBytes(*type));
    const size_t lengths = kHeaderBytes + std::min(type->payload, kPageBytes - kHeaderBytes);
    if (WordAt(after, 0) != WordAt(record.contents, 0) ||
        (head > lengths &&
         std::memcmp(after + lengths, record.contents + lengths, head - lengths) != 0)) {
      return WrongPage(write.page, "a large object gets another type or length");
    }
  }
  if (run.index != run.pages - 1) return Status::Ok();
  if (run.index == 0) return CheckTail(write.page, run, after, after);
  const PageId first{write.page.number - run.index};
  TN_RETURN_IF_ERROR(
      store_.pages.Read(commit_.database, std::span(&first, 1), std::span(target_.get(), 1)));
  TN_RETURN_IF_ERROR(target_->status);
  return CheckTail(write.page, run, after, target_->record.contents);
}

// --- Tables

Status CommitPages::CheckTables() {
  for (const ImportEntry& entry : commit_.imports) {
    if (entry.export_number == 0 || entry.export_number >> 60 != 0 ||
        !CheckDatabaseName(entry.name).ok() || entry.store.size() > kPathBytesMost ||
        entry.store.find('\0') != std::string::npos) {
      return Nonsense("an entry of the import table that makes no sense");
    }
    if (!entry.store.empty()) {
      if (StoreOfHint(store_.place, entry.store) == store_.place) {
        return Nonsense("an entry of the import table that names its own store by a path");
      }
      continue;
    }
    TN_ASSIGN_OR_RETURN(const std::optional<ExportEntry> there, ExportOf(entry));
    if (there && there->tag == entry.export_tag) continue;
    // An import brings references whose databases may come later, or never.
    if (importing_) continue;
    TN_ASSIGN_OR_RETURN(const bool known, store_.entries.IsKnownImport(entry));
    if (known) continue;
    return Nonsense("an entry of the import table that leads to no object of database " +
                    entry.name);
  }
  return Status::Ok();
}

Result<std::optional<ExportEntry>> CommitPages::ExportOf(const ImportEntry& entry) {
  TN_ASSIGN_OR_RETURN(const std::optional<DatabaseId> id, store_.entries.DatabaseOf(entry));
  if (!id) return std::optional<ExportEntry>();
  for (const DatabaseCommit& commit : request_.databases) {
    if (commit.database != *id || entry.export_number <= commit.exports_before) continue;
    const uint64_t i = entry.export_number - commit.exports_before - 1;
    return i < commit.exports.size() ? std::optional<ExportEntry>(commit.exports[i]) : std::nullopt;
  }
  return store_.entries.ExportAt(*id, entry.export_number);
}

Status CommitPages::CheckMark() {
  TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeOf(root_.bits));
  if (type == nullptr || !type->mark) return Status::Ok();
  if (by_.owner && (root_before_.nil() || importing_)) return Status::Ok();
  return Nonsense("a root that says that the database is being imported, which has another root");
}

Status CommitPages::NoteDisconnected(CheckedCommit* checked) {
  const std::vector<PageId> connected =
      store_.dead.Connected(commit_.database, by_.client, commit_.pages);
  if (connected.empty()) return Status::Ok();
  std::vector<PageId> free;
  TN_RETURN_IF_ERROR(stored_.ForEach([&](const PageWrite& write, const PageRecord& record) {
    if (std::ranges::find(connected, write.page) == connected.end()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(const bool refers, RefersToDead(write, record));
    if (!refers) free.push_back(write.page);
    return Status::Ok();
  }));
  checked->disconnected.emplace_back(commit_.database, std::move(free));
  return Status::Ok();
}

Result<bool> CommitPages::RefersToDead(const PageWrite& write, const PageRecord& record) {
  if (write.remove) return false;
  const std::byte* const contents = stored_.After(write, record);
  bool refers = false;
  TN_RETURN_IF_ERROR(ForEachReference(
      store_.types, write.page, record.run, contents, &types_, [&](uint64_t from, uint64_t to) {
        refers = refers || (store_.dead.Contains(commit_.database, PersistentRef{from}) &&
                            store_.dead.Contains(commit_.database, PersistentRef{to}));
      }));
  return refers;
}

Result<const DescribedType*> CommitPages::TypeAt(PageId page, uint64_t index) {
  return store_.types.ObjectTypeAt(page, index, &types_);
}

Result<const DescribedType*> CommitPages::StoredRootType() {
  const auto none = static_cast<const DescribedType*>(nullptr);
  const PersistentRef object = root_before_;
  if (!object.well_formed_object()) return none;
  const uint64_t changes = store_.dead.changes();
  if (const auto type = store_.objects.TypeOf(commit_.database, object.bits))
    return store_.types.At(*type);
  const PageId page = object.page();
  const auto reply = std::make_unique<PageReply>();
  TN_RETURN_IF_ERROR(
      store_.pages.Read(commit_.database, std::span(&page, 1), std::span(reply.get(), 1)));
  ObjectStarts objects;
  KnownTypes::Cache types;
  if (!reply->status.ok() ||
      !FindStarts(store_.types, page, reply->record.run, reply->record.contents, &objects, &types)
           .ok() ||
      !objects.starts.test(object.offset() / 8)) {
    return none;
  }
  const uint32_t type = objects.TypeAt(object.offset());
  store_.objects.Note(commit_.database, object.bits, type, changes);
  return store_.types.At(type);
}

}  // namespace tenure::store
