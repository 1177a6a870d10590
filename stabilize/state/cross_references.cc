#include "stabilize/state/cross_references.h"

#include <string>

#include "stabilize/frames/store_names.h"
#include "stabilize/state/open_stores.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::stabilize {

namespace {

// The open database that the entry names, opened if need be.
Result<Database*> FindNamed(SessionState& session, Database& from, const ImportEntry& entry) {
  const std::string store = StoreOfHint(from.store().path, entry.store);
  // The recorded place comes before other open databases: a copy's references lead into the copy. A
  // database that is open there already is not opened again: closing it would close the program's.
  Database* const there = FindOpen(session, store, entry.name);
  if (there != nullptr && there->uuid() == entry.database) return there;
  Result<Database*> opened = Status(StatusCode::kNotFound, "another database is there");
  if (there == nullptr) {
    opened = OpenParts(session, {store, entry.name});
    if (opened.ok()) {
      (*opened)->SetImplicit(true);
      if ((*opened)->uuid() == entry.database) return opened;
      (void)CloseParts(session, **opened);
      opened = Status(StatusCode::kNotFound, "another database is there");
    }
  }
  for (auto& database : session.databases) {
    if (!database->open() || database->uuid() != entry.database) continue;
    // A copy may have any part in common with the database that the reference was made to.
    if (entry.lineage == 0 || database->server().lineage() == entry.lineage) return database.get();
    opened = Failure(StatusCode::kNotFound,
                     std::string(opened.status().text()) + "; database " + database->Path() +
                         ", which is open, is a copy of it or of what it was "
                         "restored from");
  }
  return opened.status();
}

}  // namespace

Result<abi::Ref> ImportToMemory(SessionState& session, Database& from, uint64_t number,
                                bool* refers_to_heap) {
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
    return session.missing.AddressFor(from, number, status);
  };
  Result<Database*> target = FindNamed(session, from, entry);
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
  Result<abi::Ref> place = database.Locate(home, refers_to_heap);
  if (!place.ok()) return missing(place.status().text());
  return place;
}

uint64_t ImportOf(SessionState& session, Database& from, abi::Ref object) {
  if (const DisplacedObject* displaced = session.displaced.Find(object)) {
    return from.FindImport(*displaced->database, displaced->home);
  }
  if (session.heap.Contains(object)) return 0;
  if (Database* other = session.DatabaseAt(object))
    return from.FindImport(*other, other->HomeAt(object));
  if (!session.missing.Contains(object)) return 0;
  const MissingTargets::Target* target = session.missing.At(object);
  if (target->from == &from) return target->number;
  return from.FindImport(target->from->imports()[target->number - 1]);
}

}  // namespace tenure::stabilize
