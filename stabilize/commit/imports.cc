// A commit's new entries in the tables of references between databases.
#include "base/check.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/frames/store_names.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::stabilize {

Status Stabilizer::Import(Database& database, Database& target, PersistentRef home) {
  if (database.FindImport(target, home) != 0) return Status::Ok();
  if (!target.open()) {
    return Failure(StatusCode::kClosed, "database " + database.Path() +
                                            " would refer to an object of database " +
                                            target.Path() + ", which is closed");
  }
  uint64_t number = target.ExportOf(home);
  if (number == 0) {
    DatabaseChanges& changes = changes_.Of(target);
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
  const MissingTargets::Target* target = session_.missing.At(missing);
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
    DatabaseChanges& changes = changes_.Of(database);
    number = database.AddImport(entry);
    changes.imports.push_back(entry);
  }
  if (target != nullptr) database.NoteImport(*target, home, number);
  return Status::Ok();
}

}  // namespace tenure::stabilize
