#include "stabilize/session/cross_references.h"

#include <sys/mman.h>

#include <filesystem>

#include "base/address_limit.h"
#include "base/check.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/session.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::stabilize {

// -------------------------------------------------------------------------------------- missing --

MissingTargets::~MissingTargets() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

Result<abi::Ref> MissingTargets::AddressFor(Database& from, uint64_t number, Status why) {
  if (base_ == nullptr) {
    const size_t bytes = WithinAddressLimit(size_t{1} << 36, 64, kStride);
    void* range =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
      return Status(StatusCode::kNoMemory, "no addresses are left for missing objects");
    }
    base_ = static_cast<char*>(range);
    bytes_ = bytes;
  }
  const auto [it, fresh] = index_.insert({{&from, number}, targets_.size()});
  if (fresh) {
    if ((targets_.size() + 1) * kStride > bytes_) {
      index_.erase(it);
      return Status(StatusCode::kNoMemory, "no addresses are left for missing objects");
    }
    targets_.push_back({&from, number, why});
  }
  targets_[it->second].why = why;
  return base_ + it->second * kStride + abi::kHeaderBytes;
}

const MissingTargets::Target* MissingTargets::At(const void* address) const {
  const size_t index = static_cast<size_t>(static_cast<const char*>(address) - base_) / kStride;
  return index < targets_.size() ? &targets_[index] : nullptr;
}

// ------------------------------------------------------------------------------------ the session
// --

Result<Database*> SessionReferences::Find(Database& from, const ImportEntry& entry) {
  const std::string store = StoreOfHint(from.store().path, entry.store);
  // The place that was noted comes before others that are open: a copy's references lead into the
  // copy. What is open there already is not opened again: closing it would close it for the
  // program.
  Database* const there = session_.FindOpen(store, entry.name);
  if (there != nullptr && there->uuid() == entry.database) return there;
  Result<Database*> opened = Status(StatusCode::kNotFound, "another database is there");
  if (there == nullptr) {
    opened = session_.OpenParts({store, entry.name});
    if (opened.ok()) {
      (*opened)->implicit = true;
      if ((*opened)->uuid() == entry.database) return opened;
      (void)session_.CloseParts(**opened);
      opened = Status(StatusCode::kNotFound, "another database is there");
    }
  }
  for (auto& database : session_.databases_) {
    if (!database->open() || database->uuid() != entry.database) continue;
    // Of a copy nobody knows what it has in common with what the reference was made to.
    if (entry.lineage == 0 || database->server().lineage() == entry.lineage) return database.get();
    opened = Failure(StatusCode::kNotFound,
                     std::string(opened.status().text()) + "; database " + database->Path() +
                         ", which is open, is a copy of it or of what it was "
                         "restored from");
  }
  return opened.status();
}

Result<abi::Ref> SessionReferences::ToMemory(Database& from, uint64_t number, bool* outward) {
  if (number == 0 || number > from.imports().size()) {
    // Another session may have added it.
    TN_RETURN_IF_ERROR(from.LoadTables());
    if (number == 0 || number > from.imports().size()) {
      return Status(StatusCode::kCorrupt, "a reference to an entry that the import table lacks",
                    static_cast<int64_t>(number));
    }
  }
  const ImportEntry entry = from.imports()[number - 1];
  const auto missing = [&](const std::string& why) {
    const Status status =
        Failure(StatusCode::kNotFound, "database " + from.Path() + " refers to object " +
                                           std::to_string(entry.export_number) + " of database " +
                                           StoreOfHint(from.store().path, entry.store) + ":" +
                                           entry.name + ": " + why);
    return session_.missing_.AddressFor(from, number, status);
  };
  Result<Database*> target = Find(from, entry);
  if (!target.ok()) return missing(target.status().text());
  Database& database = **target;
  if (entry.export_number > database.exports().size()) TN_RETURN_IF_ERROR(database.LoadTables());
  if (entry.export_number > database.exports().size()) {
    return missing("it has no such object (it may have been restored from an older copy)");
  }
  const ExportEntry& there = database.exports()[entry.export_number - 1];
  if (there.tag != entry.export_tag) {
    return missing(
        "its object of this number is another one (it was restored from an older copy, or is a "
        "copy that has gone its own way)");
  }
  const PersistentRef home = there.object;
  if (home.nil()) return missing("it was lost when the store was salvaged");
  from.NoteImport(database, home, number);
  Result<abi::Ref> place = database.ToMemory(home, outward);
  if (!place.ok()) return missing(place.status().text());
  return place;
}

uint64_t SessionReferences::ImportOf(Database& from, abi::Ref object) {
  if (const DisplacedObject* displaced = session_.displaced_.Find(object)) {
    return from.FindImport(*displaced->database, displaced->home);
  }
  if (session_.heap_.Contains(object)) return 0;
  if (Database* other = session_.At(object)) return from.FindImport(*other, other->HomeAt(object));
  if (!session_.missing_.Contains(object)) return 0;
  const MissingTargets::Target* target = session_.missing_.At(object);
  if (target->from == &from) return target->number;
  return from.FindImport(target->from->imports()[target->number - 1]);
}

// -------------------------------------------------------------------------------------- commit --

Status Stabilizer::Import(Database& database, Database& target, PersistentRef home) {
  if (database.FindImport(target, home) != 0) return Status::Ok();
  if (!target.open()) {
    return Failure(StatusCode::kClosed, "database " + database.Path() +
                                            " would refer to an object of database " +
                                            target.Path() + ", which is closed");
  }
  uint64_t number = target.ExportOf(home);
  if (number == 0) {
    DatabaseChanges& changes = ChangesOf(target);
    const ExportEntry entry{home, NewTag()};
    number = target.AddExport(entry);
    changes.exports.push_back(entry);
  }
  ImportEntry entry;
  entry.database = target.uuid();
  entry.store = StoreHint(database.store().path, target.store().path);
  entry.name = target.name();
  entry.export_number = number;
  entry.export_tag = target.exports()[number - 1].tag;
  entry.lineage = target.server().lineage();
  return AddImport(database, entry, &target, home);
}

// A reference to a missing object of one database is stored in another: it is as missing there.
Status Stabilizer::ImportMissing(Database& database, abi::Ref missing) {
  const MissingTargets::Target* target = session_.missing_.At(missing);
  TN_CHECK(target != nullptr);
  if (target->from == &database) return Status::Ok();
  ImportEntry entry = target->from->imports()[target->number - 1];
  entry.store =
      StoreHint(database.store().path, StoreOfHint(target->from->store().path, entry.store));
  return AddImport(database, entry, nullptr, {});
}

Status Stabilizer::AddImport(Database& database, const ImportEntry& entry, Database* target,
                             PersistentRef home) {
  uint64_t number = database.FindImport(entry);
  if (number == 0) {
    DatabaseChanges& changes = ChangesOf(database);
    number = database.AddImport(entry);
    changes.imports.push_back(entry);
  }
  if (target != nullptr) database.NoteImport(*target, home, number);
  return Status::Ok();
}

}  // namespace tenure::stabilize
