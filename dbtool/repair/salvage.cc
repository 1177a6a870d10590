#include "dbtool/repair/salvage.h"

#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>

#include "abi/object_header.h"
#include "dbtool/repair/raw_tree.h"
#include "dbtool/stored/between.h"
#include "dbtool/stored/copies.h"
#include "dbtool/stored/page_writes.h"
#include "dbtool/stored/progress.h"
#include "dbtool/stored/stored_types.h"
#include "store/bdb/bdb_records.h"
#include "store/directory/store_directory.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_format.h"
#include "store/format/declared_types.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/log/redo_log.h"
#include "store/open.h"
#include "store/server/reference_entries.h"
#include "store/server/store_path.h"
#include "store/server/verifier.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PageRecord;
using store::PersistentRef;

namespace {

constexpr uint64_t kPagesAtOnce = 2048;
// The most entries of a table of references between databases; a higher number is nonsense.
constexpr uint64_t kEntriesMost = uint64_t{1} << 28;

class DatabaseSalvage {
 public:
  // `store`: whose databases are saved; zero: any.
  // `names`: the list of databases.
  DatabaseSalvage(const std::string& file, const store::Uuid& store, store::PageServer& target,
                  const std::vector<std::optional<StoredType>>& types,
                  std::span<const store::ListedName> names, SalvagedDatabase* report)
      : file_(file),
        store_(store),
        target_(target),
        types_(types),
        names_(names),
        report_(*report) {
    declared_.resize(types.size() + 1);
    for (const std::optional<StoredType>& type : types) {
      if (type) (void)store::ParseType(type->description, &declared_[type->index]);
    }
  }

  // Makes a database in the target that will replace the one of the copy.
  Result<store::DatabaseId> Run() {
    TN_RETURN_IF_ERROR(Collect());
    if (other_version_ != 0) {
      return store::Failure(StatusCode::kFormat,
                            "it has format version " + std::to_string(other_version_) +
                                ", which this tool does not know",
                            other_version_);
    }
    if (head_ && head_->store != store::Uuid() && store_ != store::Uuid() &&
        head_->store != store_) {
      return store::Failure(StatusCode::kCorrupt,
                            "it is a database of the store with uuid " + TextOf(head_->store));
    }
    report_.other_file = IsOtherFile();
    for (auto& [page, record] : pages_) FindObjects(PageId{page}, record.get());
    TN_RETURN_IF_ERROR(DropBrokenRuns());
    report_.objects = objects_;
    report_.pages = pages_.size();
    return Write();
  }

 private:
  using Starts = std::bitset<kPageBytes / 8>;

  Status Collect() {
    return ForEachRawRecord(
        file_, [&](std::span<const std::byte> key, std::span<const std::byte> value) {
          store::PageKey page_key;
          if (key.size() != page_key.size()) return;
          std::memcpy(page_key.data(), key.data(), key.size());
          const PageId page = store::PageOfKey(page_key);
          if (page == store::kHeadKey) {
            uint32_t version;
            head_ = store::DecodeHead(value, &version);
            if (version > store::kDatabaseFormatVersion) other_version_ = version;
          } else if (page.number < store::kPageNumberLimit) {
            TakePage(page, value);
          } else if (page.number >> 56 == store::kImportKeys >> 56) {
            if (auto entry = store::DecodeImport(value)) {
              Take(page.number - store::kImportKeys, *std::move(entry), &imports_);
            }
          } else if (page.number >> 56 == store::kExportKeys >> 56) {
            if (auto object = store::DecodeExport(value)) {
              Take(page.number - store::kExportKeys, *std::move(object), &exports_);
            }
          }
        });
  }

  // Whether the list has other stamps for the database than its head. Of each name there may be
  // several entries: some may be old.
  bool IsOtherFile() const {
    bool stamped = false, fits = false;
    for (const store::ListedName& entry : names_) {
      if (entry.name != report_.name) continue;
      stamped |= entry.stamp.number != 0;
      fits |= entry.stamp.number == 0 || (head_ && (entry.stamp.number == head_->stamp.number ||
                                                    entry.stamp.number == head_->replaces));
    }
    return head_ && stamped && !fits;
  }

  template <typename Entry>
  static void Take(uint64_t number, Entry entry, std::map<uint64_t, Entry>* entries) {
    if (number != 0 && number <= kEntriesMost) (*entries)[number] = std::move(entry);
  }

  void TakePage(PageId page, std::span<const std::byte> value) {
    auto record = std::make_unique<PageRecord>();
    if (value.size() != store::kPageRecordBytes) {
      ++report_.damaged_pages;
      return;
    }
    std::memcpy(record.get(), value.data(), value.size());
    if (!store::CheckPageRecord(page, *record).ok()) {
      ++report_.damaged_pages;
      return;
    }
    std::unique_ptr<PageRecord>& place = pages_[page.number];
    if (place == nullptr || place->version < record->version) place = std::move(record);
  }

  const StoredType* TypeAt(uint64_t index) const {
    if (index == 0 || index > types_.size() || !types_[index - 1]) return nullptr;
    return types_[index - 1]->procedure.empty() ? &*types_[index - 1] : nullptr;
  }

  void FindObjects(PageId page, PageRecord* record) {
    if (record->run.large()) return;
    Starts& starts = starts_[page.number];
    for (size_t at = 0; at < kPageBytes;) {
      uint64_t header;
      std::memcpy(&header, record->contents + at, sizeof header);
      size_t bytes = 0;
      if (const abi::ObjectHeader word{header}; word.is_filler()) {
        bytes = word.filler_bytes();
        if (bytes < kHeaderBytes || bytes % 8 != 0 || bytes > kPageBytes - at) bytes = 0;
      } else if (const StoredType* type = TypeAt(header >> store::kStoredTypeShift)) {
        const auto payload = std::span(record->contents).subspan(at + kHeaderBytes);
        const std::optional<uint64_t> length = PayloadBytes(*type, payload);
        if (length && *length <= payload.size()) {
          bytes = kHeaderBytes + *length;
          starts.set((at + kHeaderBytes) / 8);
          ++objects_;
        }
      }
      if (bytes == 0) {
        // The place where the next object begins is unknown.
        ++report_.damaged_pages;
        std::memset(record->contents + at, 0, kPageBytes - at);
        store::StoreFiller(record->contents + at, kPageBytes - at);
        return;
      }
      at += bytes;
    }
  }

  // Drops large objects with missing pages.
  Status DropBrokenRuns() {
    for (auto it = pages_.begin(); it != pages_.end();) {
      const store::LargeRun run = it->second->run;
      if (!run.large()) {
        ++it;
        continue;
      }
      const uint64_t first = it->first;
      uint32_t found = 0;
      for (auto next = it; found < run.pages && next != pages_.end(); ++next, ++found) {
        const store::LargeRun expected{run.type, found, run.pages};
        if (next->first != first + found || !(next->second->run == expected)) break;
      }
      const StoredType* const type = TypeAt(run.type);
      std::optional<uint64_t> length;
      uint64_t header;
      std::memcpy(&header, it->second->contents, sizeof header);
      if (type != nullptr && run.index == 0 &&
          header == uint64_t{run.type} << store::kStoredTypeShift) {
        length = PayloadBytes(*type, std::span(it->second->contents).subspan(kHeaderBytes));
      }
      const bool whole = found == run.pages && run.pages > 0 && length &&
                         (*length + kHeaderBytes + kPageBytes - 1) / kPageBytes == run.pages;
      if (whole) {
        starts_[first].set(kHeaderBytes / 8);
        large_bytes_[first] = *length;
        ++objects_;
        std::advance(it, run.pages);
      } else {
        ++report_.damaged_pages;
        it = pages_.erase(it);
      }
    }
    return Status::Ok();
  }

  // The type of an object that was saved.
  uint64_t TypeOf(PersistentRef object) const {
    uint64_t header;
    std::memcpy(&header, pages_.at(object.page().number)->contents + object.offset() - kHeaderBytes,
                sizeof header);
    return header >> store::kStoredTypeShift;
  }

  bool There(PersistentRef reference) const {
    if (reference.kind() == store::RefKind::kImport) {
      return imports_.contains(reference.entry());
    }
    if (!reference.well_formed_object()) return false;
    const auto page = starts_.find(reference.page().number);
    return page != starts_.end() && page->second.test(reference.offset() / 8);
  }

  // `type`: the object's; `at`: from the beginning of its payload.
  void MendSlot(std::byte* slot, StoredSlot kind, const StoredType& type, uint64_t at) {
    PersistentRef reference;
    std::memcpy(&reference, slot, sizeof reference);
    if (reference.nil()) return;
    if (kind == StoredSlot::kProcedure) {
      const uint64_t entry = reference.entry();
      if (reference.kind() == store::RefKind::kProcedure && entry > 0 && entry <= types_.size() &&
          types_[entry - 1]) {
        return;
      }
    } else if (kind == StoredSlot::kReference && There(reference)) {
      const bool element = type.open() && at >= type.elements_at();
      const uint64_t in = element ? (at - type.elements_at()) % type.element_bytes : at;
      if (!reference.is_object() ||
          declarations_.MayRefer(type.index, element, in, TypeOf(reference))) {
        return;
      }
      ++report_.wrong_references;
    }
    ++report_.lost_references;
    std::memset(slot, 0, 8);
  }

  void Mend(PageId page, PageRecord* record) {
    if (record->run.large()) {
      const uint64_t first = page.number - record->run.index;
      const uint64_t begin = uint64_t{record->run.index} * kPageBytes;
      const StoredType& type = *TypeAt(record->run.type);
      ForEachSlot(type, large_bytes_[first], [&](uint64_t slot, StoredSlot kind) {
        const uint64_t at = kHeaderBytes + slot;
        if (at < begin || at >= begin + kPageBytes) return;
        MendSlot(record->contents + (at - begin), kind, type, slot);
      });
      return;
    }
    const Starts& starts = starts_[page.number];
    for (size_t at = kHeaderBytes; at < kPageBytes; at += 8) {
      if (!starts.test(at / 8)) continue;
      uint64_t header;
      std::memcpy(&header, record->contents + at - kHeaderBytes, sizeof header);
      const StoredType& type = *TypeAt(header >> store::kStoredTypeShift);
      const auto payload = std::span(record->contents).subspan(at);
      ForEachSlot(type, *PayloadBytes(type, payload), [&](uint64_t slot, StoredSlot kind) {
        MendSlot(record->contents + at + slot, kind, type, slot);
      });
    }
  }

  // Entries keep their numbers; `lost` replaces the missing ones.
  template <typename Entry>
  static std::vector<Entry> Table(const std::map<uint64_t, Entry>& entries, const Entry& lost) {
    std::vector<Entry> list(entries.empty() ? 0 : entries.rbegin()->first, lost);
    for (const auto& [number, entry] : entries) list[number - 1] = entry;
    return list;
  }

  std::vector<store::ExportEntry> Exports() {
    std::vector<store::ExportEntry> exports = Table(exports_, store::ExportEntry());
    for (store::ExportEntry& entry : exports) {
      if (!entry.object.nil() && There(entry.object)) continue;
      entry.object = PersistentRef();
      ++report_.lost_exports;
    }
    return exports;
  }

  Result<store::DatabaseId> Write() {
    report_.identity_lost = !head_;
    TN_ASSIGN_OR_RETURN(store::DatabaseId made,
                        target_.CreateReplacement(report_.name, head_ ? &head_->uuid : nullptr));
    if (!pages_.empty()) {
      TN_RETURN_IF_ERROR(target_.AllocatePages(made, pages_.rbegin()->first).status());
    }
    PageWrites writes(target_, made);
    Progress progress("pages saved", pages_.size());
    uint64_t done = 0;
    for (auto& [number, record] : pages_) {
      progress.Show(++done);
      const PageId page{number};
      Mend(page, record.get());
      std::memcpy(writes.Put(page, 0, record->run), record->contents, kPageBytes);
      if (writes.pages() >= kPagesAtOnce) TN_RETURN_IF_ERROR(writes.Commit());
    }
    store::DatabaseCommit last;
    if (head_ && (head_->root.nil() || There(head_->root))) {
      last.root = head_->root;
    } else {
      report_.root_lost = true;
    }
    store::ImportEntry lost;  // which nothing refers to
    lost.database = store::NewUuid();
    lost.export_number = 1;
    lost.name = "lost";
    const std::vector<store::ImportEntry> imports = Table(imports_, lost);
    const std::vector<store::ExportEntry> exports = Exports();
    last.imports = imports;
    last.exports = exports;
    TN_RETURN_IF_ERROR(writes.Commit(&last));
    return made;
  }

  const std::string file_;
  const store::Uuid store_;
  uint32_t other_version_ = 0;  // of the database's format
  store::PageServer& target_;
  const std::vector<std::optional<StoredType>>& types_;
  const std::span<const store::ListedName> names_;
  SalvagedDatabase& report_;
  std::map<uint64_t, std::unique_ptr<PageRecord>> pages_;
  std::unordered_map<uint64_t, Starts> starts_;
  std::unordered_map<uint64_t, uint64_t> large_bytes_;  // by first page
  uint64_t objects_ = 0;
  std::vector<store::DeclaredType> declared_;  // by index
  store::Declarations declarations_{declared_};
  std::optional<store::DatabaseHead> head_;
  std::map<uint64_t, store::ImportEntry> imports_;
  std::map<uint64_t, store::ExportEntry> exports_;
};

// The type table, without the entries that are lost.
Result<std::vector<std::optional<StoredType>>> RawTypes(const std::string& file) {
  std::map<uint32_t, StoredType> found;
  TN_RETURN_IF_ERROR(
      ForEachRawRecord(file, [&](std::span<const std::byte> key, std::span<const std::byte> value) {
        store::StoreKey store_key;
        if (key.size() != store_key.size() || key[0] != store::kTypeTag) return;
        std::memcpy(store_key.data(), key.data(), key.size());
        const uint32_t index = store::NumberOfStoreKey(store_key);
        const std::optional<std::string> description = store::DecodeType(value);
        if (!description || index == 0 || index > 1 << 24) return;
        if (auto type = ParseType(index, *description)) found[index] = *std::move(type);
      }));
  std::vector<std::optional<StoredType>> types(found.empty() ? 0 : found.rbegin()->first);
  for (auto& [index, type] : found) types[index - 1] = std::move(type);
  return types;
}

// The entries of the list of databases.
Result<std::vector<store::ListedName>> RawNames(const std::string& file) {
  std::vector<store::ListedName> names;
  TN_RETURN_IF_ERROR(
      ForEachRawRecord(file, [&](std::span<const std::byte> key, std::span<const std::byte> value) {
        if (key.size() != store::StoreKey().size() || key[0] != store::kNameTag) return;
        const std::optional<store::ListedName> entry = store::DecodeName(value);
        if (entry && store::CheckDatabaseName(entry->name).ok()) names.push_back(*entry);
      }));
  return names;
}

// Which store the databases say that they are of; nothing when they do not agree.
std::optional<store::Uuid> StoreOfHeads(const std::string& directory) {
  const Result<std::vector<std::string>> names = store::DatabaseNames(directory);
  std::optional<store::Uuid> store;
  bool agree = true;
  for (size_t i = 0; names.ok() && i < names->size(); ++i) {
    (void)ForEachRawRecord(
        directory + "/" + store::DatabaseFile((*names)[i]),
        [&](std::span<const std::byte> key, std::span<const std::byte> value) {
          const store::PageKey head_key = KeyOf(store::kHeadKey);
          if (!std::equal(key.begin(), key.end(), head_key.begin(), head_key.end())) return;
          uint32_t version;
          const auto head = store::DecodeHead(value, &version);
          if (!head || head->store == store::Uuid()) return;
          agree = agree && (!store || *store == head->store);
          store = head->store;
        });
  }
  return agree ? store : std::nullopt;
}

// Finds references that are broken between the databases that were saved.
Status FindBroken(const std::string& store, SalvageReport* report) {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<store::PageServer> server,
                      store::OpenStore(store, store::StoreOptions()));
  for (SalvagedDatabase& database : report->databases) {
    if (!database.failure.empty()) continue;
    TN_ASSIGN_OR_RETURN(const store::DatabaseId id,
                        server->OpenDatabase(database.name, store::OpenMode::kOpen));
    TN_ASSIGN_OR_RETURN(const store::VerifyReport verified, store::VerifyDatabase(*server, id));
    TN_ASSIGN_OR_RETURN(ImportsReport imports, CheckImports(*server, "", id, verified));
    database.broken = std::move(imports.problems);
  }
  return server->Close();
}

// `store`: whose databases are saved; zero: any.
Status SalvageInto(const std::string& copy, const store::Uuid& store, const std::string& target,
                   SalvageReport* report) {
  std::vector<std::string> listed;
  {
    store::StoreOptions options;
    Result<std::unique_ptr<store::PageServer>> server = store::OpenStore(copy, options);
    Status status = server.status();
    if (server.ok()) {
      if (const auto prepared = (*server)->Prepared(); prepared.ok()) {
        report->lost_prepared = prepared->size();
      }
      if (auto names = (*server)->ListDatabases(); names.ok()) listed = *std::move(names);
      status = (*server)->Close();
    }
    if (!status.ok()) {
      report->recovery_problem = status.text();
      options.bdb.redo_until_damage = true;
      server = store::OpenStore(copy, options);
      if (server.ok()) (void)(*server)->Close();
    }
  }
  TN_ASSIGN_OR_RETURN(std::vector<std::optional<StoredType>> types,
                      RawTypes(copy + "/" + std::string(store::kStoreTreeFile)));
  TN_ASSIGN_OR_RETURN(std::vector<std::string> names, store::DatabaseNames(copy));
  TN_ASSIGN_OR_RETURN(const std::vector<store::ListedName> entries,
                      RawNames(copy + "/" + std::string(store::kStoreTreeFile)));
  if (listed.empty()) {
    for (const store::ListedName& entry : entries) listed.push_back(entry.name);
  }
  std::set<std::string> lost(listed.begin(), listed.end());
  for (const std::string& name : names) lost.erase(name);
  for (const std::string& name : lost) {
    SalvagedDatabase& database = report->databases.emplace_back();
    database.name = name;
    database.failure = "its file " + store::DatabaseFile(name) + " is gone";
  }
  store::StoreOptions options;
  options.mode = store::OpenMode::kCreate;
  TN_ASSIGN_OR_RETURN(std::unique_ptr<store::PageServer> made, store::OpenStore(target, options));
  for (size_t i = 0; i < types.size(); ++i) {
    const std::optional<StoredType>& type = types[i];
    report->lost_types += !type.has_value();
    // Others keep their numbers.
    const std::string description =
        type ? type->description : "procedure (lost type " + std::to_string(i + 1) + ")\n";
    TN_ASSIGN_OR_RETURN(uint32_t index, made->AddType(std::as_bytes(std::span(description))));
    if (index != i + 1) return Status(StatusCode::kCorrupt, "a type is twice in the type table");
  }
  std::vector<store::DatabaseId> saved;
  for (const std::string& name : names) {
    SalvagedDatabase& database = report->databases.emplace_back();
    database.name = name;
    const Result<store::DatabaseId> id = DatabaseSalvage(copy + "/" + store::DatabaseFile(name),
                                                         store, *made, types, entries, &database)
                                             .Run();
    if (id.status().code() == StatusCode::kNoSpace) return id.status();
    if (id.ok()) {
      saved.push_back(*id);
    } else {
      database.failure = id.status().text();
    }
  }
  TN_RETURN_IF_ERROR(made->CloseReplacing(saved));
  return FindBroken(target, report);
}

}  // namespace

bool SalvageReport::complete() const {
  return unreadable.empty() && recovery_problem.empty() && lost_prepared == 0 && lost_types == 0 &&
         std::all_of(databases.begin(), databases.end(),
                     [](const SalvagedDatabase& database) { return database.complete(); });
}

Result<SalvageReport> Salvage(const std::string& store, const std::string& target) {
  TN_RETURN_IF_ERROR(CheckTarget(store, target));
  const std::string copy = PlaceOfPart(target, kCopy);
  SalvageReport report;
  Status status;
  store::Uuid uuid;
  {
    // When even FORMAT is damaged or lost it cannot be locked.
    Result<store::StoreDirectory> lock = store::StoreDirectory::Lock(store, store::OpenMode::kOpen);
    const StatusCode code = lock.status().code();
    if (code == StatusCode::kFormat) {
      return store::Failure(code,
                            std::string(lock.status().text()) +
                                ": salvage it with the program that has written it, or a later "
                                "one; nothing has been done",
                            lock.status().number());
    }
    if (!lock.ok() && code != StatusCode::kCorrupt) return lock.status();
    if (lock.ok()) uuid = lock->uuid();
    status = CopyFiles(store, copy, &report.unreadable);
    if (status.ok() && code == StatusCode::kCorrupt) {
      // Recovery wants one; all that it says is whose log it is.
      report.mended = lock.status().text();
      store::StoreFormat format;
      format.uuid =
          store::StoreOfRedoLog(copy).value_or(StoreOfHeads(copy).value_or(store::NewUuid()));
      format.lineage = store::NewTag();
      status = store::WriteStoreFormat(copy, format);
    }
  }
  if (status.ok()) {
    status = MakeWhole(target, [&](const std::string& directory) {
      TN_RETURN_IF_ERROR(MakeDirectoryLike(copy, directory));
      return SalvageInto(copy, uuid, directory, &report);
    });
  }
  std::error_code error;
  std::filesystem::remove_all(copy, error);
  if (!status.ok()) return status;
  return report;
}

}  // namespace tenure::dbtool
