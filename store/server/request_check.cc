#include "store/server/request_check.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <unordered_set>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "base/mutex.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"
#include "store/server/commit_check.h"
#include "store/server/store_path.h"

namespace tenure::store {

namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;

constexpr size_t kPathBytesMost = 4096;
constexpr size_t kPagesAtOnce = 32;
constexpr size_t kKnownObjects = 8192;

Status Nonsense(const std::string& text, uint64_t number = 0) {
  return Failure(StatusCode::kInvalidArgument, text, static_cast<int64_t>(number));
}

Status WrongPage(PageId page, const std::string& how) {
  const std::string where =
      page.valid() ? "commit of page " + std::to_string(page.number) : "commit of a root or export";
  return Nonsense(where + ": " + how, page.number);
}

bool IsZero(const std::byte* page, size_t begin, size_t end) {
  return std::all_of(page + begin, page + end, [](std::byte byte) { return byte == std::byte{0}; });
}

std::string Place(uint64_t bits) {
  return "page " + std::to_string(bits / kPageBytes) + " offset " +
         std::to_string(bits % kPageBytes);
}

// Bytes behind an object's beginning that say how long the object is.
size_t HeadBytes(const DescribedType& type) {
  return kHeaderBytes + (type.dimensions == 0 ? 0 : type.elements_at());
}

}  // namespace

// The objects of a page: where they begin, and their types.
struct RequestCheck::Objects {
  std::bitset<kPageBytes / 8> starts;  // of payloads
  uint32_t type = 0;                   // of all these, unless there are types
  std::vector<uint32_t> types;         // of these, in their order
  bool all_known = true;               // false: the page cannot be read; another reader reports it

  uint32_t TypeAt(size_t offset) const {
    if (types.empty()) return type;
    return types[(starts << (starts.size() - offset / 8)).count()];
  }
  void Add(size_t offset, uint32_t its) {
    const bool first = type == 0;
    if (!first && types.empty() && its != type) types.assign(starts.count(), type);
    starts.set(offset / 8);
    if (first) type = its;
    if (!types.empty()) types.push_back(its);
  }
};

// --- Types

Status RequestCheck::CheckType(std::span<const std::byte> description) {
  DescribedType type;
  if (!ParseDescription({reinterpret_cast<const char*>(description.data()), description.size()},
                        &type)) {
    return Status(StatusCode::kInvalidArgument, "a type's description that makes no sense");
  }
  if (!type.names.supertypes_known) {
    return Status(StatusCode::kInvalidArgument,
                  "the description of an object type without its supertypes");
  }
  return Status::Ok();
}

Result<uint32_t> RequestCheck::AddType(std::span<const std::byte> description) {
  TN_RETURN_IF_ERROR(CheckType(description));
  const std::string text(reinterpret_cast<const char*>(description.data()), description.size());
  const MutexLock adding(adding_);
  if (const std::optional<uint64_t> fingerprint = FingerprintIn(text)) {
    const MutexLock guard(lock_);
    TN_RETURN_IF_ERROR(RefreshTypes(SIZE_MAX));
    const auto same = by_fingerprint_.find(*fingerprint);
    if (same != by_fingerprint_.end()) {
      const std::string difference = DescribedDifference(types_[same->second]->text, text);
      if (!difference.empty()) {
        return Nonsense("the description of type " + ValueInDescription(text, "name") +
                        " contradicts the store's description of the same type: " + difference);
      }
    }
  }
  return store_.AddType(description);
}

// Reads the table unless it is known to have so many entries.
Status RequestCheck::RefreshTypes(size_t least) {
  if (least <= types_.size()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(std::vector<TypeEntry> entries, store_.TypeEntries());
  for (size_t i = types_.size(); i < entries.size(); ++i) {
    auto type = std::make_shared<DescribedType>();
    // An entry that an older version accepted and this one cannot read describes no type.
    if (!ParseDescription(entries[i].description, type.get())) type = nullptr;
    if (type != nullptr && !type->procedure) {
      const uint64_t fingerprint = *FingerprintIn(type->text);
      if (fingerprint != 0) by_fingerprint_.try_emplace(fingerprint, i);
    }
    types_.push_back(std::move(type));
  }
  // Whether a name is enough depends on what the store has with that name.
  may_refer_.clear();
  return Status::Ok();
}

Result<const DescribedType*> RequestCheck::TypeAt(uint64_t index) {
  const MutexLock guard(lock_);
  if (index == 0 || index > UINT32_MAX) return static_cast<const DescribedType*>(nullptr);
  TN_RETURN_IF_ERROR(RefreshTypes(index));
  return index > types_.size() ? nullptr : types_[index - 1].get();
}

RequestCheck::TypePtr RequestCheck::TypeWith(const std::string& fingerprint) {
  const std::optional<uint64_t> number = FingerprintIn("fingerprint " + fingerprint + "\n");
  const auto found = number ? by_fingerprint_.find(*number) : by_fingerprint_.end();
  return found == by_fingerprint_.end() ? nullptr : types_[found->second];
}

Result<bool> RequestCheck::MayRefer(const std::vector<TypeName>& declared, uint32_t target) {
  const MutexLock guard(lock_);
  TN_RETURN_IF_ERROR(RefreshTypes(target));
  const auto [known, fresh] = may_refer_.try_emplace({&declared, target}, false);
  if (fresh) {
    known->second = target <= types_.size() && types_[target - 1] != nullptr &&
                    MayBe(declared, *types_[target - 1],
                          [&](const std::string& fingerprint)
                              TN_REQUIRES(lock_) { return TypeWith(fingerprint); });
  }
  return known->second;
}

Result<bool> RequestCheck::IsOneType(uint32_t a, uint32_t b) {
  const MutexLock guard(lock_);
  TN_RETURN_IF_ERROR(RefreshTypes(std::max(a, b)));
  if (std::max(a, b) > types_.size() || types_[a - 1] == nullptr || types_[b - 1] == nullptr) {
    return false;
  }
  const auto [known, fresh] = one_type_.try_emplace({a, b}, false);
  if (fresh) {
    const DescribedType &one = *types_[a - 1], &other = *types_[b - 1];
    known->second = one.names.own.IsSame(other.names.own) && HasLayoutOf(one, other) &&
                    DescribedDifference(one.text, other.text).empty();
  }
  return known->second;
}

// --- Tables of references between databases

Result<std::optional<ImportEntry>> RequestCheck::ImportAt(DatabaseId database, uint64_t number) {
  const MutexLock guard(lock_);
  std::vector<ImportEntry>& known = imports_[database.index];
  if (number > known.size()) {
    TN_ASSIGN_OR_RETURN(known, store_.Imports(database));
  }
  return number == 0 || number > known.size() ? std::optional<ImportEntry>() : known[number - 1];
}

Result<std::optional<ExportEntry>> RequestCheck::ExportAt(DatabaseId database, uint64_t number) {
  const MutexLock guard(lock_);
  std::vector<ExportEntry>& known = exports_[database.index];
  if (number > known.size()) {
    TN_ASSIGN_OR_RETURN(known, store_.Exports(database));
  }
  return number == 0 || number > known.size() ? std::optional<ExportEntry>() : known[number - 1];
}

Result<std::optional<DatabaseId>> RequestCheck::DatabaseOf(const ImportEntry& entry) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, store_.ListDatabases());
  if (std::ranges::find(names, entry.name) == names.end()) return std::optional<DatabaseId>();
  const Result<DatabaseId> id = open_(entry.name);
  if (!id.ok()) return std::optional<DatabaseId>();  // its next reader says why
  TN_ASSIGN_OR_RETURN(const Uuid uuid, store_.DatabaseUuid(*id));
  return uuid == entry.database ? std::optional<DatabaseId>(*id) : std::nullopt;
}

Result<bool> RequestCheck::IsKnownImport(const ImportEntry& entry) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, store_.ListDatabases());
  for (const std::string& name : names) {
    const Result<DatabaseId> id = open_(name);
    if (!id.ok()) continue;
    TN_ASSIGN_OR_RETURN(const std::vector<ImportEntry> imports, store_.Imports(*id));
    if (std::ranges::any_of(imports, [&](const ImportEntry& other) {
          return other.database == entry.database && other.export_number == entry.export_number &&
                 other.export_tag == entry.export_tag;
        })) {
      return true;
    }
  }
  return false;
}

void RequestCheck::Forget(DatabaseId database) {
  const MutexLock guard(lock_);
  imports_.erase(database.index);
  exports_.erase(database.index);
  ForgetObjects();
}

// --- Objects

std::optional<uint32_t> RequestCheck::KnownObject(DatabaseId database, uint64_t bits) {
  const MutexLock guard(known_lock_);
  if (known_.empty()) return std::nullopt;
  const Known& known = known_[(bits / 8 * 31 + database.index) % kKnownObjects];
  if (known.bits != bits || known.database != database.index) return std::nullopt;
  return known.type;
}

void RequestCheck::NoteObject(DatabaseId database, uint64_t bits, uint32_t type,
                              uint64_t dead_changes) {
  const MutexLock guard(known_lock_);
  // Where a collection frees objects, or has done so since the page was read, nothing stays.
  if (dead_.any() || dead_.changes() != dead_changes) return;
  known_.resize(kKnownObjects);
  known_[(bits / 8 * 31 + database.index) % kKnownObjects] = {bits, database.index, type};
}

void RequestCheck::ForgetObjects() {
  const MutexLock guard(known_lock_);
  known_.clear();
}

Result<const DescribedType*> RequestCheck::ObjectTypeAt(PageId page, uint64_t index,
                                                        TypeCache* types) {
  if (index < types->size() && (*types)[index] != nullptr) return (*types)[index];
  TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(index));
  if (type == nullptr || type->procedure) return WrongPage(page, "an object of no known type");
  if (index >= types->size()) types->resize(index + 1);
  (*types)[index] = type;
  return type;
}

Result<const DescribedType*> RequestCheck::StoredTypeOf(DatabaseId database, PersistentRef object) {
  const auto none = static_cast<const DescribedType*>(nullptr);
  if (!object.well_formed_object()) return none;
  const uint64_t changes = dead_.changes();
  if (const auto type = KnownObject(database, object.bits)) return TypeAt(*type);
  const PageId page = object.page();
  const auto reply = std::make_unique<PageReply>();
  TN_RETURN_IF_ERROR(store_.Read(database, std::span(&page, 1), std::span(reply.get(), 1)));
  Objects objects;
  TypeCache types;
  if (!reply->status.ok() ||
      !Walk(page, reply->record.run, reply->record.contents, &objects, &types).ok() ||
      !objects.starts.test(object.offset() / 8)) {
    return none;
  }
  const uint32_t type = objects.TypeAt(object.offset());
  NoteObject(database, object.bits, type, changes);
  return TypeAt(type);
}

Status RequestCheck::Walk(PageId page, const LargeRun& run, const std::byte* contents,
                          Objects* objects, TypeCache* types) {
  if (run.large() ? run.index >= run.pages || run.index >= page.number
                  : run.index != 0 || run.pages != 0) {
    return WrongPage(page, "its place in a large object makes no sense");
  }
  if (run.large()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, ObjectTypeAt(page, run.type, types));
    if (run.index != 0) return Status::Ok();
    uint64_t payload;
    const uint64_t bytes = WordAt(contents, 0) == uint64_t{run.type} << kStoredTypeShift
                               ? StoredObjectBytes(*type, contents, kPageBytes,
                                                   uint64_t{run.pages} * kPageBytes, &payload)
                               : 0;
    if (bytes == 0 || (bytes + kPageBytes - 1) / kPageBytes != run.pages) {
      return WrongPage(page, "a large object whose header or length is wrong");
    }
    objects->Add(kHeaderBytes, run.type);
    return Status::Ok();
  }
  // Neighbours are often of one type.
  uint64_t recent_index = 0;
  const DescribedType* type = nullptr;
  for (size_t at = 0; at < kPageBytes;) {
    const uint64_t header = WordAt(contents, at);
    const uint64_t room = kPageBytes - at;
    if (const abi::ObjectHeader word{header}; word.is_filler()) {
      const uint64_t bytes = word.filler_bytes();
      if (header != abi::ObjectHeader::ForFiller(static_cast<uint32_t>(bytes)) ||
          bytes < kHeaderBytes || bytes % 8 != 0 || bytes > room ||
          !IsZero(contents, at + kHeaderBytes, at + bytes)) {
        return WrongPage(page, "a free place that is none");
      }
      at += bytes;
      continue;
    }
    if (header % (1u << kStoredTypeShift) != 0) return WrongPage(page, "no object's header");
    const uint64_t index = header >> kStoredTypeShift;
    if (index != recent_index) {
      TN_ASSIGN_OR_RETURN(type, ObjectTypeAt(page, index, types));
      recent_index = index;
    }
    uint64_t payload;
    const uint64_t bytes = StoredObjectBytes(*type, contents + at, room, room, &payload);
    if (bytes == 0) return WrongPage(page, "an object that does not fit its page");
    objects->Add(at + kHeaderBytes, static_cast<uint32_t>(index));
    at += bytes;
  }
  return Status::Ok();
}

// --- Commits

// The pages of one database in a request.
class RequestCheck::Pages {
 public:
  Pages(RequestCheck& check, const CommitRequest& request, const DatabaseCommit& commit,
        const Requester& by)
      : check_(check), request_(request), commit_(commit), by_(by) {}

  DatabaseId database() const { return commit_.database; }

  // First for each database: where objects begin after the commit, and that those of before stay.
  Status FindObjects() {
    TN_ASSIGN_OR_RETURN(const PageId last, check_.store_.MaxPage(commit_.database));
    last_ = last.number;
    new_imports_ = commit_.imports_before + commit_.imports.size();
    if (commit_.imports_before > new_imports_) return Nonsense("a table of that length");
    TN_ASSIGN_OR_RETURN(root_before_, check_.store_.Root(commit_.database));
    root_ = commit_.root ? *commit_.root : root_before_;
    if (commit_.root || !commit_.imports.empty()) {
      TN_ASSIGN_OR_RETURN(const DescribedType* const type,
                          check_.StoredTypeOf(commit_.database, root_before_));
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
      TN_RETURN_IF_ERROR(check_.Walk(write.page, write.run, write.contents,
                                     &objects_[write.page.number], &types_));
    }
    TN_RETURN_IF_ERROR(CheckNewRuns());
    return ForEachChanged([&](const PageWrite& write, const PageRecord& record) {
      return FindChanged(write, record);
    });
  }

  // Then: that what is new refers to objects that may be there.
  Status CheckReferences(const PagesOfCommit& all, Checked* checked) {
    all_ = &all;
    TN_RETURN_IF_ERROR(CheckTables());
    for (const PageWrite& write : commit_.pages) {
      if (!IsFresh(write)) continue;
      TN_RETURN_IF_ERROR(
          CheckSlots(write.page, write.run, write.contents, nullptr, nullptr, write.regions));
    }
    TN_RETURN_IF_ERROR(ForEachChanged([&](const PageWrite& write, const PageRecord& record) {
      if (write.remove) return Status::Ok();
      return CheckSlots(write.page, record.run, After(write, record), record.contents,
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

  // The index of the type of an object of this database, as it will be; 0: none begins there, or
  // that is not known.
  Result<uint32_t> TypeIndexOf(uint64_t bits) {
    const PersistentRef reference{bits};
    if (!reference.well_formed_object() || reference.page().number > last_) return uint32_t{0};
    TN_ASSIGN_OR_RETURN(const std::optional<uint32_t> type, Find(PageId{0}, bits));
    return type.value_or(0);
  }

 private:
  // A page that is not there before.
  static bool IsFresh(const PageWrite& write) {
    return LogsWhole(write) && write.expected_version == 0;
  }
  static bool IsPartOfNew(const PageWrite& write) { return IsFresh(write) && write.run.large(); }

  // A large object is made as a whole, with nothing behind it.
  Status CheckNewRuns() {
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

  // What follows the large object whose first page is `first` on its last page.
  Status CheckTail(PageId page, const LargeRun& run, const std::byte* contents,
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

  Status FindChanged(const PageWrite& write, const PageRecord& record) {
    const PageId page = write.page;
    Objects& before = before_[page.number];
    before = Objects();
    TN_RETURN_IF_ERROR(check_.Walk(page, record.run, record.contents, &before, &types_));
    if (write.remove) return CheckRemoved(page, record, before);
    if (write.contents != nullptr && write.run != record.run) {
      return WrongPage(page, "a page of a large object becomes another one, or the reverse");
    }
    const std::byte* const after = After(write, record);
    if (write.contents != nullptr && !write.regions.empty() &&
        std::memcmp(write.contents, after, kPageBytes) != 0) {
      return WrongPage(page, "the page is not what its changed regions make of it");
    }
    Objects& objects = objects_[page.number];
    if (record.run.large()) {
      objects = before;
      return CheckLarge(write, record, after);
    }
    TN_RETURN_IF_ERROR(check_.Walk(page, record.run, after, &objects, &types_));
    for (size_t word = before.starts._Find_first(); word < before.starts.size();
         word = before.starts._Find_next(word)) {
      const size_t at = word * 8, header = at - kHeaderBytes;
      const uint32_t index = before.TypeAt(at);
      bool stays = objects.starts.test(word);
      if (stays && objects.TypeAt(at) != index) {
        TN_ASSIGN_OR_RETURN(stays, check_.IsOneType(index, objects.TypeAt(at)));
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
        return WrongPage(page,
                         "the array at offset " + std::to_string(at) + " gets another length");
      }
    }
    return Status::Ok();
  }

  // Whether the object may become a free place.
  Result<bool> MayGo(PageId page, uint64_t bits, uint32_t index) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, index));
    // Only a root refers to a mark.
    if (type->mark && root_.bits != bits) return true;
    return check_.dead_.MayFree(commit_.database, PersistentRef{bits}, by_.client);
  }

  Status CheckRemoved(PageId page, const PageRecord& record, const Objects& before) {
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

  // A stored large object keeps its header and its length, and has nothing behind it.
  Status CheckLarge(const PageWrite& write, const PageRecord& record, const std::byte* after) {
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
        check_.store_.Read(commit_.database, std::span(&first, 1), std::span(target_.get(), 1)));
    TN_RETURN_IF_ERROR(target_->status);
    return CheckTail(write.page, run, after, target_->record.contents);
  }

  // --- Tables

  Status CheckTables() {
    for (const ImportEntry& entry : commit_.imports) {
      if (entry.export_number == 0 || entry.export_number >> 60 != 0 ||
          !CheckDatabaseName(entry.name).ok() || entry.store.size() > kPathBytesMost ||
          entry.store.find('\0') != std::string::npos) {
        return Nonsense("an entry of the import table that makes no sense");
      }
      if (!entry.store.empty()) {
        if (StoreOfHint(check_.place_, entry.store) == check_.place_) {
          return Nonsense("an entry of the import table that names its own store by a path");
        }
        continue;
      }
      TN_ASSIGN_OR_RETURN(const std::optional<ExportEntry> there, ExportOf(entry));
      if (there && there->tag == entry.export_tag) continue;
      // An import brings references whose databases may come later, or never.
      if (importing_) continue;
      TN_ASSIGN_OR_RETURN(const bool known, check_.IsKnownImport(entry));
      if (known) continue;
      return Nonsense("an entry of the import table that leads to no object of database " +
                      entry.name);
    }
    return Status::Ok();
  }

  // The export to which an entry with an empty store leads after this commit; nothing: there is no
  // such database or export.
  Result<std::optional<ExportEntry>> ExportOf(const ImportEntry& entry) {
    TN_ASSIGN_OR_RETURN(const std::optional<DatabaseId> id, check_.DatabaseOf(entry));
    if (!id) return std::optional<ExportEntry>();
    for (const DatabaseCommit& commit : request_.databases) {
      if (commit.database != *id || entry.export_number <= commit.exports_before) continue;
      const uint64_t i = entry.export_number - commit.exports_before - 1;
      return i < commit.exports.size() ? std::optional<ExportEntry>(commit.exports[i])
                                       : std::nullopt;
    }
    return check_.ExportAt(*id, entry.export_number);
  }

  // A database becomes one that is being imported only as a new one, by its owner.
  Status CheckMark() {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeOf(root_.bits));
    if (type == nullptr || !type->mark) return Status::Ok();
    if (by_.owner && (root_before_.nil() || importing_)) return Status::Ok();
    return Nonsense("a root that says that the database is being imported, which has another root");
  }

  // --- References

  // The type of an object of this database; null: it is not known.
  Result<const DescribedType*> TypeOf(uint64_t bits) {
    TN_ASSIGN_OR_RETURN(const uint32_t index, TypeIndexOf(bits));
    if (index == 0) return static_cast<const DescribedType*>(nullptr);
    return check_.TypeAt(index);
  }

  // The index of the type of the object that begins there, or 0 if its page cannot be read;
  // nothing: none begins there.
  Result<std::optional<uint32_t>> Find(PageId on, uint64_t bits) {
    const PersistentRef reference{bits};
    const PageId page = reference.page();
    if (removed_.contains(page.number)) return std::optional<uint32_t>();
    auto known = objects_.find(page.number);
    if (known == objects_.end()) {
      if (const auto type = check_.KnownObject(commit_.database, bits)) return type;
      TN_RETURN_IF_ERROR(
          check_.store_.Read(commit_.database, std::span(&page, 1), std::span(target_.get(), 1)));
      if (target_->status.code() == StatusCode::kNotFound) {
        return WrongPage(on, "a reference to a page that is not there");
      }
      known = objects_.try_emplace(page.number).first;
      const PageRecord& record = target_->record;
      // The next reader of a damaged page reports the damage.
      known->second.all_known =
          target_->status.ok() &&
          check_.Walk(page, record.run, record.contents, &known->second, &types_).ok();
    }
    const Objects& objects = known->second;
    if (!objects.all_known) return std::optional<uint32_t>(0);
    if (!objects.starts.test(reference.offset() / 8)) return std::optional<uint32_t>();
    const uint32_t type = objects.TypeAt(reference.offset());
    // Pages that the commit writes are not there yet.
    if (!written_.contains(page.number))
      check_.NoteObject(commit_.database, bits, type, dead_changes_);
    return std::optional<uint32_t>(type);
  }

  // `declared`: null if any object may be there.
  Status CheckReference(PageId on, const std::vector<TypeName>* declared, uint64_t bits) {
    const PersistentRef reference{bits};
    // Most references of a commit lead to its own pages, one like the other.
    if (const auto known = objects_.find(reference.page().number);
        known != objects_.end() && reference.well_formed_object() && known->second.all_known &&
        known->second.starts.test(reference.offset() / 8) && declared == recent_declared_ &&
        known->second.TypeAt(reference.offset()) == recent_type_ && !check_.dead_.any()) {
      return Status::Ok();
    }
    if (reference.kind() == RefKind::kImport) return CheckImport(on, declared, reference.entry());
    if (!reference.well_formed_object() || reference.page().number > last_ ||
        removed_.contains(reference.page().number)) {
      return WrongPage(on, "a reference to no page of the database");
    }
    if (check_.dead_.Contains(commit_.database, reference)) {
      return WrongPage(on, "a reference to an object that a collection has found dead");
    }
    TN_ASSIGN_OR_RETURN(const std::optional<uint32_t> type, Find(on, bits));
    if (!type) return WrongPage(on, "a reference to " + Place(bits) + ", where no object begins");
    return CheckTarget(on, declared, *type, bits);
  }

  Status CheckTarget(PageId on, const std::vector<TypeName>* declared, uint32_t type,
                     uint64_t bits) {
    if (type == 0) return Status::Ok();
    if (declared == recent_declared_ && type == recent_type_) return Status::Ok();
    if (declared != nullptr) {
      TN_ASSIGN_OR_RETURN(const bool fits, check_.MayRefer(*declared, type));
      if (!fits) {
        TN_ASSIGN_OR_RETURN(const DescribedType* const target, check_.TypeAt(type));
        return WrongPage(on, "a reference to a " + declared->front().name + " that leads to " +
                                 Place(bits) + ", an object of type " +
                                 (target == nullptr ? "?" : target->names.own.name));
      }
    }
    if (on.valid()) {
      TN_ASSIGN_OR_RETURN(const DescribedType* const target, check_.TypeAt(type));
      if (target != nullptr && target->mark) {
        return WrongPage(on, "a reference to the mark of an import");
      }
      recent_declared_ = declared;
      recent_type_ = type;
    }
    return Status::Ok();
  }

  Status CheckImport(PageId on, const std::vector<TypeName>* declared, uint64_t number) {
    if (number == 0) return WrongPage(on, "a reference to no entry of the import table");
    std::optional<ImportEntry> entry;
    if (number > commit_.imports_before && number <= new_imports_) {
      entry = commit_.imports[number - commit_.imports_before - 1];
    } else {
      TN_ASSIGN_OR_RETURN(entry, check_.ImportAt(commit_.database, number));
    }
    if (!entry) return WrongPage(on, "a reference that the import table lacks");
    if (declared == nullptr || !entry->store.empty()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(const std::optional<ExportEntry> there, ExportOf(*entry));
    // A missing one: programs raise Database.Missing.
    if (!there || there->tag != entry->export_tag || there->object.nil()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(const std::optional<DatabaseId> id, check_.DatabaseOf(*entry));
    for (const std::unique_ptr<Pages>& pages : *all_) {
      if (pages->database() != *id) continue;
      TN_ASSIGN_OR_RETURN(const uint32_t type, pages->TypeIndexOf(there->object.bits));
      return CheckTarget(on, declared, type, there->object.bits);
    }
    const DatabaseCommit none{*id, {}, std::nullopt};
    Pages other(check_, request_, none, by_);
    TN_RETURN_IF_ERROR(other.FindObjects());
    TN_ASSIGN_OR_RETURN(const uint32_t type, other.TypeIndexOf(there->object.bits));
    return CheckTarget(on, declared, type, there->object.bits);
  }

  Status CheckSlot(PageId page, const DescribedType::Slots& slots, uint64_t stored) {
    if (stored == 0) return Status::Ok();
    switch (static_cast<abi::SlotKind>(slots.kind)) {
      case abi::SlotKind::kReference: return CheckReference(page, slots.declared, stored);
      case abi::SlotKind::kProcedure: {
        const PersistentRef entry{stored};
        if (entry.kind() != RefKind::kProcedure) break;
        TN_ASSIGN_OR_RETURN(const DescribedType* const type, check_.TypeAt(entry.entry()));
        if (type != nullptr && type->procedure) return Status::Ok();
        break;
      }
      default: break;
    }
    return WrongPage(page, "a slot that is not a reference has something");
  }

  // Checks the slots of a page whose objects are known. `before` and `objects`: what it was; null:
  // there was no such page. Words that stay are not looked at: nothing that they refer to goes.
  // `regions`: outside of these nothing has changed; empty: anything may have.
  Status CheckSlots(PageId page, const LargeRun& run, const std::byte* contents,
                    const std::byte* before, const Objects* objects,
                    std::span<const ChangedRegion> regions) {
    Status status;
    const auto check = [&](size_t at, const DescribedType::Slots& slots, bool same) {
      const uint64_t word = WordAt(contents, at);
      if (word == 0 || (same && WordAt(before, at) == word)) return true;
      status = CheckSlot(page, slots, word);
      return status.ok();
    };
    if (run.large()) {
      TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, run.type));
      // The bytes behind the object are zeros, which are valid slots.
      const uint64_t begin = uint64_t{run.index} * kPageBytes;
      const uint64_t first = begin < kHeaderBytes ? 0 : begin - kHeaderBytes;
      const uint64_t end = begin + kPageBytes - kHeaderBytes;
      (void)ForEachDescribedSlot(
          *type, end, first, end, [&](uint64_t offset, const DescribedType::Slots& slots) {
            return check(offset + kHeaderBytes - begin, slots, before != nullptr);
          });
      return status;
    }
    for (size_t at = 0; at < kPageBytes && status.ok();) {
      const uint64_t header = WordAt(contents, at);
      if (const abi::ObjectHeader word{header}; word.is_filler()) {
        at += word.filler_bytes();
        continue;
      }
      TN_ASSIGN_OR_RETURN(const DescribedType* const type,
                          TypeAt(page, header >> kStoredTypeShift));
      uint64_t payload = 0;
      const uint64_t bytes =
          StoredObjectBytes(*type, contents + at, kPageBytes - at, kPageBytes - at, &payload);
      // An object that was there before has its type and length still.
      const bool same = objects != nullptr && objects->starts.test((at + kHeaderBytes) / 8);
      bool changed = true;
      if (same && before != nullptr && !regions.empty()) {
        while (!regions.empty() && regions.front().offset + regions.front().bytes.size() <= at) {
          regions = regions.subspan(1);
        }
        if (regions.empty()) break;
        changed = regions.front().offset < at + bytes;
      }
      if (changed) {
        (void)ForEachDescribedSlot(*type, payload, 0, payload,
                                   [&](uint64_t offset, const DescribedType::Slots& slots) {
                                     return check(at + kHeaderBytes + offset, slots, same);
                                   });
      }
      at += bytes;
    }
    return status;
  }

  // Pages on which dead objects refer to dead ones before the commit, and do not afterwards.
  Status NoteDisconnected(Checked* checked) {
    const std::vector<PageId> connected =
        check_.dead_.Connected(commit_.database, by_.client, commit_.pages);
    if (connected.empty()) return Status::Ok();
    std::vector<PageId> free;
    TN_RETURN_IF_ERROR(ForEachChanged([&](const PageWrite& write, const PageRecord& record) {
      if (std::ranges::find(connected, write.page) == connected.end()) return Status::Ok();
      TN_ASSIGN_OR_RETURN(const bool refers, RefersToDead(write, record));
      if (!refers) free.push_back(write.page);
      return Status::Ok();
    }));
    checked->disconnected.emplace_back(commit_.database, std::move(free));
    return Status::Ok();
  }

  Result<bool> RefersToDead(const PageWrite& write, const PageRecord& record) {
    if (write.remove) return false;
    const std::byte* const contents = After(write, record);
    bool refers = false;
    TN_RETURN_IF_ERROR(check_.ForEachReference(
        write.page, record.run, contents, &types_, [&](uint64_t from, uint64_t to) {
          refers = refers || (check_.dead_.Contains(commit_.database, PersistentRef{from}) &&
                              check_.dead_.Contains(commit_.database, PersistentRef{to}));
        }));
    return refers;
  }

  Result<const DescribedType*> TypeAt(PageId page, uint64_t index) {
    return check_.ObjectTypeAt(page, index, &types_);
  }

  // The page as it will be.
  const std::byte* After(const PageWrite& write, const PageRecord& record) {
    if (LogsWhole(write)) return write.contents;
    std::memcpy(after_, record.contents, kPageBytes);
    for (const ChangedRegion& region : write.regions) {
      std::memcpy(after_ + region.offset, region.bytes.data(), region.bytes.size());
    }
    return after_;
  }

  // Calls visit(write, record) for each page that is there and changes; `record` is the stored
  // page. If the page is missing, or has another version, the commit itself reports that.
  template <typename Visit>
  Status ForEachChanged(const Visit& visit) {
    if (!listed_) {
      for (const PageWrite& write : commit_.pages) {
        written_.insert(write.page.number);
        TN_RETURN_IF_ERROR(CheckRegions(write));
        if (!IsFresh(write) && (LogsWhole(write) || !write.regions.empty() || write.remove)) {
          changed_.push_back(&write);
        }
      }
      listed_ = true;
    }
    for (size_t begin = 0; begin < changed_.size(); begin += kPagesAtOnce) {
      const auto writes =
          std::span(changed_).subspan(begin, std::min(kPagesAtOnce, changed_.size() - begin));
      // The last ones are still there.
      if (!read_ || changed_.size() > kPagesAtOnce) TN_RETURN_IF_ERROR(ReadAll(writes));
      read_ = true;
      for (size_t k = 0; k < writes.size(); ++k) {
        const PageReply& reply = replies_[k];
        if (reply.status.ok() && reply.record.version == writes[k]->expected_version) {
          TN_RETURN_IF_ERROR(visit(*writes[k], reply.record));
        } else if (!reply.status.ok() && reply.status.code() != StatusCode::kNotFound &&
                   writes[k]->contents != nullptr) {
          // The commit does not read a page whose whole contents the request has.
          return reply.status;
        }
      }
    }
    return Status::Ok();
  }

  Status ReadAll(std::span<const PageWrite* const> writes) {
    std::vector<PageId> pages;
    for (const PageWrite* const write : writes) pages.push_back(write->page);
    replies_.resize(std::max(replies_.size(), pages.size()));
    const std::span replies = std::span(replies_).first(pages.size());
    for (PageReply& reply : replies) reply.status = Status::Ok();
    return check_.store_.Read(commit_.database, pages, replies);
  }

  static Status CheckRegions(const PageWrite& write) {
    size_t end = 0;
    for (const ChangedRegion& region : write.regions) {
      if (region.bytes.empty() || region.offset < end || region.offset > kPageBytes ||
          region.bytes.size() > kPageBytes - region.offset) {
        return WrongPage(write.page, "regions that are empty, unsorted or outside the page");
      }
      end = region.offset + region.bytes.size();
    }
    return Status::Ok();
  }

  RequestCheck& check_;
  const CommitRequest& request_;
  const DatabaseCommit& commit_;
  const Requester by_;
  const PagesOfCommit* all_ = nullptr;
  uint64_t last_ = 0;         // page that has been handed out
  uint64_t new_imports_ = 0;  // the import table's length afterwards
  PersistentRef root_before_, root_;
  std::unordered_map<uint64_t, Objects> objects_;         // by page, as they will be
  std::unordered_map<uint64_t, Objects> before_;          // of pages that change, as they were
  std::unordered_map<uint64_t, const PageWrite*> large_;  // parts of new large objects
  std::unordered_set<uint64_t> removed_, written_;        // pages
  TypeCache types_;
  const uint64_t dead_changes_ = check_.dead_.changes();    // before any page is read
  bool importing_ = false;                                  // the root is a mark, before
  const std::vector<TypeName>* recent_declared_ = nullptr;  // an answer of MayRefer
  uint32_t recent_type_ = 0;
  std::vector<const PageWrite*> changed_;  // pages that are there
  bool listed_ = false, read_ = false;     // changed_, replies_
  std::vector<PageReply> replies_;
  std::unique_ptr<PageReply> target_ = std::make_unique<PageReply>();
  alignas(8) std::byte after_[kPageBytes];
};

Status RequestCheck::CheckCommit(const CommitRequest& request, const Requester& by,
                                 Checked* checked) {
  *checked = {dead_.changes(), {}};
  PagesOfCommit all;
  for (const DatabaseCommit& commit : request.databases) {
    all.push_back(std::make_unique<Pages>(*this, request, commit, by));
    TN_RETURN_IF_ERROR(all.back()->FindObjects());
  }
  for (const std::unique_ptr<Pages>& pages : all) {
    TN_RETURN_IF_ERROR(pages->CheckReferences(all, checked));
  }
  return Status::Ok();
}

void RequestCheck::NoteCommitted(const Requester& by, const Checked& checked) {
  for (const auto& [database, pages] : checked.disconnected) {
    dead_.Disconnected(database, by.client, pages);
  }
}

void RequestCheck::Decide(DatabaseId database, const void* collector,
                          std::span<const Candidate> candidates,
                          std::span<const CandidateEdge> edges, std::vector<bool>* held) {
  dead_.Decide(database, collector, candidates, edges, held);
  ForgetObjects();
}

// --- Collections

template <typename Visit>
Status RequestCheck::ForEachReference(PageId page, const LargeRun& run, const std::byte* contents,
                                      TypeCache* types, const Visit& visit) {
  const auto look = [&](uint64_t from, size_t at, const DescribedType::Slots& slots) {
    const PersistentRef to{WordAt(contents, at)};
    if (slots.kind == static_cast<unsigned>(abi::SlotKind::kReference) && to.is_object()) {
      visit(from, to.bits);
    }
    return true;
  };
  if (run.large()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, ObjectTypeAt(page, run.type, types));
    const uint64_t from = PersistentRef::Object(PageId{page.number - run.index}, kHeaderBytes).bits;
    const uint64_t begin = uint64_t{run.index} * kPageBytes;
    const uint64_t end = begin + kPageBytes - kHeaderBytes;
    (void)ForEachDescribedSlot(*type, end, begin < kHeaderBytes ? 0 : begin - kHeaderBytes, end,
                               [&](uint64_t offset, const DescribedType::Slots& slots) {
                                 return look(from, offset + kHeaderBytes - begin, slots);
                               });
    return Status::Ok();
  }
  Objects objects;
  TN_RETURN_IF_ERROR(Walk(page, run, contents, &objects, types));
  for (size_t word = objects.starts._Find_first(); word < objects.starts.size();
       word = objects.starts._Find_next(word)) {
    const size_t at = word * 8;
    TN_ASSIGN_OR_RETURN(const DescribedType* const type,
                        ObjectTypeAt(page, objects.TypeAt(at), types));
    uint64_t payload = 0;
    const size_t room = kPageBytes - at + kHeaderBytes;
    (void)StoredObjectBytes(*type, contents + at - kHeaderBytes, room, room, &payload);
    (void)ForEachDescribedSlot(
        *type, payload, 0, payload, [&](uint64_t offset, const DescribedType::Slots& slots) {
          return look(PersistentRef::Object(page, at).bits, at + offset, slots);
        });
  }
  return Status::Ok();
}

Status RequestCheck::FindEdges(DatabaseId database, std::span<const Candidate> candidates,
                               std::vector<CandidateEdge>* edges) {
  const auto by_place = [](const Candidate& candidate) { return candidate.object.bits; };
  if (!std::ranges::is_sorted(candidates, std::less_equal<>(), by_place)) {
    return Nonsense("candidates for a collection that are not in order");
  }
  const auto find = [&](uint64_t bits) -> std::optional<size_t> {
    const auto at = std::ranges::lower_bound(candidates, bits, {}, by_place);
    if (at == candidates.end() || at->object.bits != bits) return std::nullopt;
    return static_cast<size_t>(at - candidates.begin());
  };
  TypeCache types;
  std::optional<uint64_t> reached;
  std::vector<bool> seen(candidates.size());
  const auto visit_page = [&](PageId page, const PageRecord& record) {
    if (!record.run.large() || record.run.index == 0) {
      Objects objects;
      TN_RETURN_IF_ERROR(Walk(page, record.run, record.contents, &objects, &types));
      for (auto at = std::ranges::lower_bound(candidates, page.number * kPageBytes, {}, by_place);
           at != candidates.end() && at->object.page() == page; ++at) {
        seen[static_cast<size_t>(at - candidates.begin())] =
            at->object.is_object() && objects.starts.test(at->object.offset() / 8);
      }
    }
    return ForEachReference(page, record.run, record.contents, &types,
                            [&](uint64_t from, uint64_t to) {
                              const std::optional<size_t> target = find(to);
                              if (!target) return;
                              if (const std::optional<size_t> source = find(from)) {
                                edges->push_back({*source, *target, page.number});
                              } else {
                                reached = to;
                              }
                            });
  };
  TN_ASSIGN_OR_RETURN(const PageId last, store_.MaxPage(database));
  std::vector<PageReply> replies(kPagesAtOnce);
  std::vector<PageId> wanted;
  for (PageId page{1}; page <= last;) {
    TN_ASSIGN_OR_RETURN(page, store_.NextPage(database, page));
    wanted.clear();
    for (; page <= last && wanted.size() < kPagesAtOnce; page = page + 1) wanted.push_back(page);
    if (wanted.empty()) break;
    const std::span read = std::span(replies).first(wanted.size());
    for (PageReply& reply : read) reply.status = Status::Ok();
    TN_RETURN_IF_ERROR(store_.Read(database, wanted, read));
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (read[i].status.code() == StatusCode::kNotFound) continue;
      TN_RETURN_IF_ERROR(read[i].status);
      TN_RETURN_IF_ERROR(visit_page(wanted[i], read[i].record));
    }
  }
  TN_ASSIGN_OR_RETURN(const PersistentRef root, store_.Root(database));
  if (find(root.bits)) reached = root.bits;
  TN_ASSIGN_OR_RETURN(const std::vector<ExportEntry> exports, store_.Exports(database));
  for (const ExportEntry& entry : exports) {
    if (find(entry.object.bits)) reached = entry.object.bits;
  }
  if (reached) {
    return Nonsense("a collection would free the object at " + Place(*reached) +
                    ", to which others refer");
  }
  if (std::ranges::find(seen, false) != seen.end()) {
    return Nonsense("a collection would free an object that is none");
  }
  std::ranges::stable_sort(*edges, {}, &CandidateEdge::from);
  return Status::Ok();
}

}  // namespace tenure::store
