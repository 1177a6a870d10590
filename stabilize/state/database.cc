#include "stabilize/state/database.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "gc/card_table.h"
#include "stabilize/frames/block_table.h"
#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/store_names.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// Ids are asked for in runs, so that a small commit needs no message for them.
constexpr uint64_t kPagesAtOnce = 64;

}  // namespace

Database::Database(OpenStoreState& store, std::string name, const SessionOptions& options,
                   DisplacedObjects& displaced, const ProcedureNames& procedures)
    : store_(store),
      name_(std::move(name)),
      path_(store.path + ":" + name_),
      displaced_(displaced),
      procedures_(procedures),
      options_(options) {}

Result<std::unique_ptr<Database>> Database::Open(OpenStoreState& store, const std::string& name,
                                                 OpenMode mode, const SessionOptions& options,
                                                 DisplacedObjects& displaced,
                                                 const ProcedureNames& procedures) {
  std::unique_ptr<Database> database(new Database(store, name, options, displaced, procedures));
  TN_ASSIGN_OR_RETURN(DatabaseId id, store.server->OpenDatabase(name, mode));
  database->id_ = id;
  auto fail = [&](Status status) {
    (void)store.server->CloseDatabase(id);
    return status;
  };
  Result<PersistentRef> root = store.server->Root(id);
  if (!root.ok()) return fail(root.status());
  database->root_ = *root;
  Result<Uuid> uuid = store.server->DatabaseUuid(id);
  if (!uuid.ok()) return fail(uuid.status());
  database->uuid_ = *uuid;
  if (Status status = database->LoadTables(); !status.ok()) return fail(status);
  Result<PageId> last = store.server->MaxPage(id);
  if (!last.ok()) return fail(last.status());
  MappingOptions wanted = options.mapping;
  wanted.needed_bytes = 4 * (last->number + 1) * kPageBytes;
  Result<std::unique_ptr<FrameMapping>> frames = CreateFrameMapping(wanted);
  if (!frames.ok()) return fail(frames.status());
  database->mapping_ = std::move(*frames);
  if (Status status = database->Cover(*last); !status.ok()) return fail(status);
  database->open_ = true;
  return database;
}

Status Database::Close() {
  open_ = false;
  for (const PageRun& run : free_runs_) (void)server().ReturnPages(id_, run);
  free_runs_.clear();
  // Closed for ever: any touch is a fault, and the fault handler says why.
  mapping_->Retire(frames_.end() * kPageBytes);
  frames_ = {};
  dirty_.Forget();
  spilled_.clear();
  remembered_.Forget();
  pending_root_.reset();
  // Freed for programs that open and close many databases. clear() would keep the memory.
  literals_ = {};
  imports_ = {};
  numbers_of_ = {};
  import_of_ = {};
  exports_ = {};
  export_of_ = {};
  return server().CloseDatabase(id_);
}

Status Database::ClosedFailure() const {
  const std::string text = "database " + path_ + " is closed";
  if (closed_because_.ok()) return Failure(StatusCode::kClosed, text);
  return Failure(StatusCode::kClosed, text + ": " + closed_because_.text());
}

Status Database::Reconnect() {
  TN_ASSIGN_OR_RETURN(DatabaseId id, server().OpenDatabase(name_, OpenMode::kOpen));
  id_ = id;
  // Numbers that were handed out to us have been forgotten with the server.
  ForgetFreeRuns();
  removed_used_ = false;
  return LoadTables();
}

Status Database::LoadTables() {
  TN_ASSIGN_OR_RETURN(std::vector<ImportEntry> imports, server().Imports(id_));
  TN_ASSIGN_OR_RETURN(std::vector<ExportEntry> exports, server().Exports(id_));
  imports_.clear();
  numbers_of_.clear();
  for (const ImportEntry& entry : imports) AddImport(entry);
  exports_.clear();
  export_of_.clear();
  for (const ExportEntry& entry : exports) AddExport(entry);
  return Status::Ok();
}

uint64_t Database::ExportOf(PersistentRef home) const {
  const auto it = export_of_.find(home.bits);
  return it == export_of_.end() ? 0 : it->second;
}

uint64_t Database::FindImport(const ImportEntry& entry) const {
  const auto it = numbers_of_.find({entry.database, entry.export_number});
  if (it == numbers_of_.end()) return 0;
  for (uint64_t number : it->second) {
    if (imports_[number - 1] == entry) return number;
  }
  return 0;
}

uint64_t Database::FindImport(const Database& target, PersistentRef home) const {
  const auto it = import_of_.find({&target, home.bits});
  return it == import_of_.end() ? 0 : it->second;
}

void Database::NoteImport(const Database& target, PersistentRef home, uint64_t number) {
  const auto [it, fresh] = import_of_.insert({{&target, home.bits}, number});
  if (!fresh && it->second != number) not_round_trippable_ = true;
}

bool Database::ImportsFrom(const Database& target) const {
  const auto it = import_of_.lower_bound({&target, 0});
  return it != import_of_.end() && it->first.first == &target;
}

uint64_t Database::AddImport(const ImportEntry& entry) {
  imports_.push_back(entry);
  numbers_of_[{entry.database, entry.export_number}].push_back(imports_.size());
  return imports_.size();
}

void Database::DropImports(size_t from) {
  for (size_t i = from; i < imports_.size(); ++i) {
    std::erase(numbers_of_[{imports_[i].database, imports_[i].export_number}], i + 1);
  }
  std::erase_if(import_of_, [&](const auto& entry) { return entry.second > from; });
  imports_.resize(from);
}

uint64_t Database::AddExport(const ExportEntry& entry) {
  exports_.push_back(entry);
  export_of_.insert({entry.object.bits, exports_.size()});
  return exports_.size();
}

void Database::DropExports(size_t from) {
  for (size_t i = from; i < exports_.size(); ++i) export_of_.erase(exports_[i].object.bits);
  exports_.resize(from);
}

Status Database::Cover(PageId page) {
  TN_RETURN_IF_ERROR(mapping_->Grow((page.number + 1) * kPageBytes));
  const uint64_t covered = frames_.end();
  frames_.Cover(page);
  // A copy calls its barrier before it stores, so the first copy to a page must find that the page
  // calls.
  if (paranoid_barriers()) {
    for (PageId at{covered}; at.number < frames_.end(); at = at + 1) {
      BlockTable::SetPage(FrameOf(at), abi::kBlockCalls);
    }
  }
  return Status::Ok();
}

Status Database::RefreshRoot() {
  TN_ASSIGN_OR_RETURN(PersistentRef root, server().Root(id_));
  TN_ASSIGN_OR_RETURN(PageId last, server().MaxPage(id_));
  TN_RETURN_IF_ERROR(Cover(last));
  root_ = root;
  root_fresh_ = true;
  return Status::Ok();
}

void Database::Remember(PageId page) {
  remembered_.Add(page);
  gc::CardTable::MarkRange(FrameOf(page), kPageBytes);
}

void Database::ForgetRemembered(PageId page) {
  if (!remembered_.Remove(page)) return;
  gc::CardTable::ClearRange(FrameOf(page), kPageBytes);
}

Result<PageId> Database::NextPage() {
  TN_ASSIGN_OR_RETURN(PageRun run, NextRun(1));
  return run.first;
}

Result<PageRun> Database::NextRun(uint64_t pages) {
  for (auto it = free_runs_.begin(); it != free_runs_.end(); ++it) {
    if (it->pages < pages) continue;
    const PageRun taken{it->first, pages};
    TN_RETURN_IF_ERROR(Cover(taken.first + (pages - 1)));
    it->first = it->first + pages;
    it->pages -= pages;
    if (it->pages == 0) free_runs_.erase(it);
    return taken;
  }
  // Pages that a disk collection has freed come first.
  if (!removed_used_) {
    TN_ASSIGN_OR_RETURN(std::vector<PageRun> removed, server().AllocateRemoved(id_, kPagesAtOnce));
    removed_used_ = removed.empty();
    for (const PageRun& run : removed) PutBack(run);
    return NextRun(pages);
  }
  TN_ASSIGN_OR_RETURN(PageRun more, server().AllocatePages(id_, std::max(pages, kPagesAtOnce)));
  PutBack(more);
  return NextRun(pages);
}

void Database::PutBack(PageRun run) {
  // Ascending and joined, so that later pages come in order of their numbers.
  const auto at =
      std::lower_bound(free_runs_.begin(), free_runs_.end(), run,
                       [](const PageRun& a, const PageRun& b) { return a.first < b.first; });
  auto it = free_runs_.insert(at, run);
  if (it + 1 != free_runs_.end() && it->first + it->pages == (it + 1)->first) {
    it->pages += (it + 1)->pages;
    free_runs_.erase(it + 1);
  }
  if (it != free_runs_.begin() && (it - 1)->first + (it - 1)->pages == it->first) {
    (it - 1)->pages += it->pages;
    free_runs_.erase(it);
  }
}

PlainReferences Database::Plain() const {
  const uint64_t stored = displaced_.home_pages() == 0 ? frames_.end() * kPageBytes : 0;
  return {mapping_->base(), mapping_->reserved_bytes(), stored};
}

Result<abi::Ref> Database::Locate(PersistentRef home, bool* refers_to_heap) {
  if (!home.well_formed_object() || !frames_.Covers(home.page())) {
    return Status(StatusCode::kCorrupt, "a stored reference is not one of this database",
                  static_cast<int64_t>(home.bits));
  }
  if (abi::Ref place = displaced_.PlaceOf(this, home)) {
    *refers_to_heap = true;
    return place;
  }
  return AddressOf(home);
}

PersistentRef Database::HomeOf(abi::Ref object) const {
  if (Contains(object)) return HomeAt(object);
  if (const DisplacedObject* displaced = displaced_.Find(object)) {
    if (displaced->database == this) return displaced->home;
  }
  if (const auto literal = literals_.find(object); literal != literals_.end())
    return literal->second;
  return PersistentRef::Nil();
}

// A procedure is stored as an entry of the store's type table that holds its name.
uint64_t Database::ProcedureToStored(void* code) {
  const std::string* name = procedures_.NameOf(code);
  if (name == nullptr) return 0;
  const std::string description = "procedure " + *name + "\n";
  Result<uint32_t> entry = server().AddType(std::as_bytes(std::span(description)));
  if (!entry.ok()) {
    if (encode_failure_.ok()) encode_failure_ = entry.status();
    return 0;
  }
  return PersistentRef::Entry(RefKind::kProcedure, *entry).bits;
}

void* Database::ProcedureToMemory(PageId page, size_t offset, uint64_t stored, uint32_t shape) {
  const PersistentRef entry{stored};
  if (entry.kind() != RefKind::kProcedure) return nullptr;
  const std::string name =
      store_.catalog.ProcedureName(server(), static_cast<uint32_t>(entry.entry()));
  void* code = procedures_.CodeOf(name, shape);
  if (code == nullptr) unknown_procedures_[page].push_back({offset, stored});
  return code;
}

std::span<const Database::UnknownProcedure> Database::UnknownProceduresOn(PageId page) const {
  const auto found = unknown_procedures_.find(page);
  return found == unknown_procedures_.end() ? std::span<const UnknownProcedure>() : found->second;
}

void Database::ForgetUnknownProcedure(PageId page, size_t offset) {
  const auto found = unknown_procedures_.find(page);
  if (found == unknown_procedures_.end()) return;
  std::erase_if(found->second, [&](const UnknownProcedure& one) { return one.offset == offset; });
}

Result<const abi::TypeDescriptor*> Database::TypeOf(uint32_t index) {
  Result<const abi::TypeDescriptor*> type = store_.catalog.TypeOf(index);
  if (!type.ok() && type.status().code() == StatusCode::kCorrupt && index != 0) {
    // Another program may have made the entry.
    const Status status = store_.catalog.Refresh(server(), index);
    if (!status.ok() && status.code() != StatusCode::kCorrupt) return status;
    type = store_.catalog.TypeOf(index);
  }
  if (type.ok() && store_.catalog.KnownIndexOf(**type) != index) not_round_trippable_ = true;
  return type;
}

Result<const abi::TypeDescriptor*> Database::TypeOrUnknown(uint32_t index) {
  if (const abi::TypeDescriptor* const unknown = store_.catalog.Unknown(index)) return unknown;
  Result<const abi::TypeDescriptor*> type = TypeOf(index);
  if (type.status().code() != StatusCode::kTypeMismatch) return type;
  const abi::TypeDescriptor* const unknown = store_.catalog.MakeUnknown(index);
  return unknown == nullptr ? type : unknown;
}

}  // namespace tenure::stabilize
