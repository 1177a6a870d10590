#include "dbtool/exchange.h"

#include <cerrno>
#include <cstring>

#include "dbtool/json.h"
#include "dbtool/text_form.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::DatabaseId;
using store::PersistentRef;
using store::RefKind;

namespace {

std::string Hex(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

std::string UuidText(const store::Uuid& uuid) { return Hex(std::as_bytes(std::span(uuid.bytes))); }

}  // namespace

Status Export(OpenedStore& store, const std::string& database, FILE* to) {
  store::PageServer& server = *store.server;
  TN_ASSIGN_OR_RETURN(DatabaseId id, server.OpenDatabase(database, store::OpenMode::kOpen));
  TN_ASSIGN_OR_RETURN(PersistentRef root, server.Root(id));
  TN_ASSIGN_OR_RETURN(std::vector<store::ImportEntry> imports, server.Imports(id));
  TN_ASSIGN_OR_RETURN(std::vector<store::ExportEntry> exports, server.Exports(id));
  TN_ASSIGN_OR_RETURN(const store::Uuid uuid, server.DatabaseUuid(id));

  Json head = {
      {"format", kExportFormat}, {"version", 1}, {"database", database}, {"uuid", UuidText(uuid)}};
  if (root.is_object()) head["root"] = Show(root);
  if (!root.nil() && root.kind() == RefKind::kImport) head["root_import"] = root.entry();
  int error = 0;  // of writing
  const auto print = [&](const Json& line) {
    if (error != 0) return;
    errno = 0;
    PrintLine(line, to);
    if (ferror(to) != 0) error = errno != 0 ? errno : EIO;
  };
  print(head);
  for (const StoredType& type : store.types.all()) {
    print({{"type", type.index}, {"description", type.description}});
  }
  for (size_t i = 0; i < imports.size(); ++i) {
    const store::ImportEntry& entry = imports[i];
    print({{"import", i + 1},
           {"uuid", UuidText(entry.database)},
           {"store", entry.store},
           {"name", entry.name},
           {"number", entry.export_number},
           {"tag", entry.export_tag},
           {"lineage", entry.lineage}});
  }
  for (size_t i = 0; i < exports.size(); ++i) {
    const store::ExportEntry& entry = exports[i];
    print({{"export", i + 1},
           {"object", entry.object.nil() ? Json() : Json(Show(entry.object))},
           {"tag", entry.tag}});
  }
  WalkTotals totals;
  const Status status =
      ForEachObject(server, id, store.types, &totals, [&](const StoredObject& object) {
        std::vector<std::byte> data(object.payload.begin(), object.payload.end());
        Json references = Json::array(), procedures = references, foreign = references;
        ForEachSlot(*object.type, data.size(), [&](uint64_t offset, StoredSlot) {
          const PersistentRef stored{object.Word(offset)};
          if (stored.nil()) return;
          std::memset(data.data() + offset, 0, 8);
          switch (stored.kind()) {
            case RefKind::kObject: references.push_back({offset, Show(stored)}); break;
            case RefKind::kImport: foreign.push_back({offset, stored.entry()}); break;
            case RefKind::kProcedure: procedures.push_back({offset, stored.entry()}); break;
          }
        });
        Json line = {{"object", Show(object.at)}, {"of", object.type->index}, {"data", Hex(data)}};
        if (!references.empty()) line["references"] = std::move(references);
        if (!foreign.empty()) line["imports"] = std::move(foreign);
        if (!procedures.empty()) line["procedures"] = std::move(procedures);
        line["name"] = object.type->name;
        if (!object.type->open()) {  // those of one are its elements'
          Json fields = Json::object();
          for (const StoredField& field : object.type->fields) {
            fields.emplace(field.name, JsonOf(object, field));
          }
          line["fields"] = std::move(fields);
        }
        print(line);
        return error == 0;
      });
  TN_RETURN_IF_ERROR(status);
  if (error == 0 && (fflush(to) != 0 || ferror(to) != 0)) error = errno != 0 ? errno : EIO;
  if (error != 0) return store::SystemFailure(error, "cannot write the export");
  return Status::Ok();
}

}  // namespace tenure::dbtool
