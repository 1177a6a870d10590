#include "dbtool/move/exchange.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/hex.h"
#include "dbtool/stored/progress.h"
#include "dbtool/values/json.h"
#include "dbtool/values/object_json.h"
#include "dbtool/values/texts.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::DatabaseId;
using store::PersistentRef;
using store::RefKind;

Status Export(OpenedStore& store, const std::string& database, FILE* to, const ProblemSink& problem,
              uint64_t* objects) {
  constexpr size_t kMostNamed = 1000;
  Json damaged = Json::array();
  const ProblemSink leave_out = [&](const Status& status) {
    if (damaged.size() < kMostNamed) damaged.push_back(status.text());
    problem(status);
  };
  store::PageServer& server = *store.server;
  TN_ASSIGN_OR_RETURN(DatabaseId id, server.OpenDatabase(database, store::OpenMode::kOpen));
  TN_ASSIGN_OR_RETURN(PersistentRef root, server.Root(id));
  std::vector<store::ImportEntry> imports;
  std::vector<store::ExportEntry> exports;
  // A table that cannot be read is left out; the rest is exported.
  const auto take = [&](auto&& read, auto* entries) -> Status {
    if (read.ok()) {
      *entries = *std::move(read);
    } else if (problem != nullptr && read.status().code() == StatusCode::kCorrupt) {
      leave_out(read.status());
    } else {
      return read.status();
    }
    return Status::Ok();
  };
  TN_RETURN_IF_ERROR(take(server.Imports(id), &imports));
  TN_RETURN_IF_ERROR(take(server.Exports(id), &exports));
  TN_ASSIGN_OR_RETURN(const store::Uuid uuid, server.DatabaseUuid(id));

  Json head = {{"format", kExportFormat},
               {"version", kExportVersion},
               {"database", database},
               {"uuid", store::TextOf(uuid)}};
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
    Json line = {{"type", type.index}};
    line[type.procedure.empty() ? "name" : "procedure"] =
        type.procedure.empty() ? type.name : type.procedure.substr(0, type.procedure.find(' '));
    line["description"] = type.description;
    print(line);
  }
  for (size_t i = 0; i < imports.size(); ++i) {
    const store::ImportEntry& entry = imports[i];
    print({{"import", i + 1},
           {"uuid", store::TextOf(entry.database)},
           {"store", entry.store},
           {"name", entry.name},
           {"number", entry.export_number},
           {"tag", JsonOfNumber(entry.export_tag)},
           {"lineage", JsonOfNumber(entry.lineage)}});
  }
  for (size_t i = 0; i < exports.size(); ++i) {
    const store::ExportEntry& entry = exports[i];
    print({{"export", i + 1},
           {"object", entry.object.nil() ? Json() : Json(Show(entry.object))},
           {"tag", JsonOfNumber(entry.tag)}});
  }
  // Texts stand beside references to them, for readers; import takes them from their own lines.
  ObjectSource source(server, id, store.types);
  constexpr uint64_t kMostBeside = 1000;  // characters
  const auto beside = [&](PersistentRef reference, Json* json) {
    if (reference.kind() == RefKind::kProcedure) {
      const uint64_t entry = reference.entry();
      const std::vector<StoredType>& types = store.types.all();
      if (entry == 0 || entry > types.size()) return;
      const std::string& name = types[entry - 1].procedure;
      (*json)["name"] = name.substr(0, name.find(' '));
    }
    if (!reference.is_object()) return;
    const Result<ObjectPtr> object = source.Load(reference);
    if (!object.ok() || !(*object)->type().brand.starts_with("Text")) return;
    const auto text = ReadText(*object, kMostBeside);
    if (text.ok() && *text && (*text)->characters.size() == (*text)->length) {
      (*json)["text"] = Utf8Of(**text);
    }
  };
  ObjectShapes shapes;
  WalkTotals totals;
  TN_ASSIGN_OR_RETURN(const store::PageId last, server.MaxPage(id));
  // Lines that appear on the terminal show how far the export is.
  std::optional<Progress> progress;
  if (to != stdout || isatty(STDOUT_FILENO) == 0) progress.emplace("pages exported", last.number);
  uint64_t written = 0;
  const Status status = ForEachObject(
      server, id, store.types, &totals,
      [&](const StoredObject& object) {
        if (error != 0) return false;
        if (progress) progress->Show(object.at.page().number);
        ++written;
        std::string head = LineOf(
            {{"object", Show(object.at)}, {"of", object.type->index}, {"type", object.type->name}});
        head.pop_back();  // the brace
        errno = 0;
        fputs(head.c_str(), to);
        WriteObject(object, shapes.Of(*object.type), beside, to);
        fputs("}\n", to);
        if (ferror(to) != 0) error = errno != 0 ? errno : EIO;
        return error == 0;
      },
      problem == nullptr ? problem : leave_out);
  progress.reset();
  TN_RETURN_IF_ERROR(status);
  if (objects != nullptr) *objects = written;
  if (!damaged.empty()) print({{"damaged", std::move(damaged)}});
  if (error == 0 && (fflush(to) != 0 || ferror(to) != 0)) error = errno != 0 ? errno : EIO;
  if (error != 0) return store::SystemFailure(error, "cannot write the export");
  return Status::Ok();
}

}  // namespace tenure::dbtool
