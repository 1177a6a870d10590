#include "dbtool/between.h"

#include <map>
#include <optional>

namespace tenure::dbtool {

using store::DatabaseId;

namespace {

// What another database of the store has for those who refer to it.
struct Other {
  Status status;  // not ok: it cannot be opened
  store::Uuid uuid;
  std::vector<store::ExportEntry> exports;
};

Other Look(store::PageServer& server, const std::string& name) {
  Other other;
  const Result<DatabaseId> id = server.OpenDatabase(name, store::OpenMode::kOpen);
  other.status = id.status();
  if (!id.ok()) return other;
  const Result<store::Uuid> uuid = server.DatabaseUuid(*id);
  Result<std::vector<store::ExportEntry>> exports = server.Exports(*id);
  other.status = uuid.ok() ? exports.status() : uuid.status();
  if (!other.status.ok()) return other;
  other.uuid = *uuid;
  other.exports = *std::move(exports);
  return other;
}

// Why the entry leads to nothing; empty: it does not.
std::string ProblemOf(const store::ImportEntry& entry, const Other& other) {
  if (!other.status.ok()) return other.status.text();
  if (other.uuid != entry.database) return "another database has that name";
  if (entry.export_number > other.exports.size()) return "it has no such object";
  const store::ExportEntry& there = other.exports[entry.export_number - 1];
  if (there.tag != entry.export_tag) return "its object of that number is another one";
  return there.object.nil() ? "that was lost when the store was salvaged" : "";
}

}  // namespace

Result<std::vector<std::string>> BrokenImports(store::PageServer& server, DatabaseId database,
                                               const std::vector<bool>& used) {
  const Result<std::vector<store::ImportEntry>> imports = server.Imports(database);
  if (!imports.ok()) return imports.status();
  std::map<std::string, Other> others;
  std::vector<std::string> problems;
  for (size_t i = 0; i < imports->size(); ++i) {
    const store::ImportEntry& entry = (*imports)[i];
    if (!entry.store.empty() || (i < used.size() && !used[i])) continue;
    auto other = others.find(entry.name);
    if (other == others.end()) other = others.emplace(entry.name, Look(server, entry.name)).first;
    const std::string problem = ProblemOf(entry, other->second);
    if (problem.empty()) continue;
    problems.push_back("import " + std::to_string(i + 1) + " refers to object " +
                       std::to_string(entry.export_number) + " of database " + entry.name + ": " +
                       problem);
  }
  return problems;
}

}  // namespace tenure::dbtool
