#include "dbtool/move/text_form.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "dbtool/look/schema.h"
#include "dbtool/move/exchange.h"
#include "dbtool/stored/between.h"
#include "dbtool/stored/object_reader.h"
#include "dbtool/stored/object_table.h"
#include "dbtool/values/container.h"
#include "dbtool/values/object_json.h"
#include "dbtool/values/walk.h"
#include "store/format/status_text.h"
#include "store/format/unfinished_import.h"
#include "store/server/verifier.h"

namespace tenure::dbtool {

using store::DatabaseId;
using store::PersistentRef;
using store::RefKind;

namespace {

unsigned long long Number(uint64_t number) { return number; }

Result<std::vector<std::string>> NamesOf(OpenedStore& store, const std::string& database) {
  if (!database.empty()) return std::vector<std::string>{database};
  return store.server->ListDatabases();
}

Result<DatabaseId> Open(OpenedStore& store, const std::string& database) {
  return store.server->OpenDatabase(database, store::OpenMode::kOpen);
}

// A stored reference or procedure value.
std::string ShowStored(uint64_t bits) {
  const PersistentRef reference{bits};
  if (reference.nil()) return "NIL";
  switch (reference.kind()) {
    case RefKind::kObject: return Show(reference);
    case RefKind::kImport: return "import " + std::to_string(reference.entry());
    case RefKind::kProcedure: return "procedure " + std::to_string(reference.entry());
  }
  return "?";
}

}  // namespace

Status PrintStatistics(OpenedStore& store, const std::string& path, const std::string& database,
                       bool json, Json serving) {
  TN_ASSIGN_OR_RETURN(std::vector<std::string> names, NamesOf(store, database));
  Json databases = Json::array();
  if (!json) {
    printf("store %s: %zu databases, %zu entries in the type table\n", path.c_str(), names.size(),
           store.types.all().size());
  }
  Status missing;  // the first that cannot be opened; the others are shown
  for (const std::string& name : names) {
    Result<DatabaseId> id = Open(store, name);
    if (id.status().code() == StatusCode::kCorrupt && names.size() > 1) {
      if (missing.ok()) missing = id.status();
      if (!json) printf("database %s: %s\n", name.c_str(), id.status().text());
      if (json) databases.push_back({{"name", name}, {"problem", id.status().text()}});
      continue;
    }
    if (!id.ok()) return id.status();
    TN_ASSIGN_OR_RETURN(store::DatabaseInfo info, store.server->Info(*id));
    TN_ASSIGN_OR_RETURN(std::vector<store::ImportEntry> imports, store.server->Imports(*id));
    TN_ASSIGN_OR_RETURN(std::vector<store::ExportEntry> exports, store.server->Exports(*id));
    struct Count {
      uint64_t objects = 0, bytes = 0;
    };
    std::map<uint32_t, Count> by_type;
    Count all;
    WalkTotals totals;
    const Status status =
        ForEachObject(*store.server, *id, store.types, &totals, [&](const StoredObject& object) {
          for (Count* count : {&by_type[object.type->index], &all}) {
            ++count->objects;
            count->bytes += 8 + object.payload.size();
          }
          return true;
        });
    TN_RETURN_IF_ERROR(status);
    std::vector<std::pair<uint32_t, Count>> sorted(by_type.begin(), by_type.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    if (json) {
      Json types = Json::array();
      for (const auto& [index, count] : sorted) {
        types.push_back({{"type", store.types.At(index)->name},
                         {"objects", count.objects},
                         {"bytes", count.bytes}});
      }
      databases.push_back({{"name", name},
                           {"root", info.root.nil() ? Json() : Json(ShowStored(info.root.bits))},
                           {"pages", info.pages},
                           {"last_page", info.max_page.number},
                           {"objects", all.objects},
                           {"bytes", all.bytes},
                           {"free_bytes", totals.free_bytes},
                           {"imports", imports.size()},
                           {"exports", exports.size()},
                           {"types", std::move(types)}});
    } else {
      printf(
          "database %s: root %s; %llu pages, the last is %llu; %llu objects, %llu bytes, %llu "
          "bytes free; %zu imports, %zu exports\n",
          name.c_str(), ShowStored(info.root.bits).c_str(), Number(info.pages),
          Number(info.max_page.number), Number(all.objects), Number(all.bytes),
          Number(totals.free_bytes), imports.size(), exports.size());
      for (const auto& [index, count] : sorted) {
        printf("  %10llu objects %12llu bytes  %s\n", Number(count.objects), Number(count.bytes),
               store.types.At(index)->name.c_str());
      }
    }
  }
  if (json) {
    PrintLine({{"store", path},
               {"types", store.types.all().size()},
               {"databases", std::move(databases)},
               {"serving", std::move(serving)}});
  }
  return missing;
}

Result<bool> Verify(OpenedStore& store, const std::string& path, const std::string& database,
                    bool json) {
  TN_ASSIGN_OR_RETURN(std::vector<std::string> names, NamesOf(store, database));
  bool good = true;
  Json databases = Json::array();
  for (const std::string& name : names) {
    // A damaged page ends Berkeley DB's use of the store.
    const bool ended = !store.server->failed().ok();
    Result<DatabaseId> id = Open(store, name);
    // The database's head is damaged, or its file in such a way that Berkeley DB reads no more of
    // it. The other databases are shown all the same.
    const auto cannot_be_read = [&](const Status& status) {
      if (status.code() != StatusCode::kCorrupt) return false;
      good = false;
      const std::string problem =
          ended ? "not looked at, because of the damage before" : status.text();
      if (json) {
        databases.push_back(
            {{"name", name}, {"problems", 1}, {"first_problems", Json::array({problem})}});
      } else {
        printf("database %s: 1 problems\n  %s\n", name.c_str(), problem.c_str());
      }
      return true;
    };
    if (cannot_be_read(id.status())) continue;
    if (!id.ok()) return id.status();
    Result<store::VerifyReport> report = VerifyDatabase(*store.server, *id);
    if (cannot_be_read(report.status())) continue;
    if (!report.ok()) return report.status();
    TN_ASSIGN_OR_RETURN(const bool unfinished, IsUnfinishedImport(*store.server, *id));
    if (unfinished) {
      ++report->problem_count;
      report->problems.insert(report->problems.begin(), store::kUnfinishedImportText);
    }
    TN_ASSIGN_OR_RETURN(const ImportsReport imports,
                        CheckImports(*store.server, path, *id, *report));
    report->problem_count += imports.problems.size();
    for (const std::string& problem : imports.problems) {
      if (report->problems.size() >= store::VerifyReport::kProblemsKept) break;
      report->problems.push_back(problem);
    }
    good = good && report->ok();
    if (json) {
      databases.push_back({{"name", name},
                           {"pages", report->pages},
                           {"objects", report->objects},
                           {"references", report->references},
                           {"problems", report->problem_count},
                           {"first_problems", report->problems},
                           {"not_looked_at", imports.unknown}});
    } else {
      printf("database %s: %llu pages, %llu objects, %llu references: %s\n", name.c_str(),
             Number(report->pages), Number(report->objects), Number(report->references),
             report->ok() ? "all is well"
                          : (std::to_string(report->problem_count) + " problems").c_str());
      for (const std::string& problem : report->problems) printf("  %s\n", problem.c_str());
      for (const std::string& text : imports.unknown) {
        printf("  not looked at: %s\n", text.c_str());
      }
    }
  }
  if (json) PrintLine({{"store", path}, {"databases", std::move(databases)}});
  return good;
}

namespace {

// The number of objects of each type in the databases of the store. Damaged objects are left out
// and reported to the standard error; then *whole becomes false.
Result<ObjectCounts> CountObjects(OpenedStore& store, bool* whole) {
  ObjectCounts counts;
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, store.server->ListDatabases());
  const auto report = [&](const Status& damage) {
    if (*whole) fprintf(stderr, "tenure db: damaged, left out: %s\n", damage.text());
    *whole = false;
  };
  for (const std::string& name : names) {
    const Result<DatabaseId> id = Open(store, name);
    if (id.status().code() == StatusCode::kCorrupt) {
      report(id.status());
      continue;
    }
    if (!id.ok()) return id.status();
    ObjectSource source(*store.server, *id, store.types);
    const auto count = [&](const StoredType& type) {
      ++counts[type.index];
      return false;
    };
    TN_RETURN_IF_ERROR(WalkObjects(source, count, [](const ObjectPtr&) { return true; }, report));
  }
  return counts;
}

}  // namespace

Result<bool> PrintSchema(OpenedStore& store, bool json) {
  bool whole = true;
  TN_ASSIGN_OR_RETURN(const ObjectCounts counts, CountObjects(store, &whole));
  if (!json) {
    fputs(SchemaInterface(store.types, counts).c_str(), stdout);
    return whole;
  }
  Json types = Json::array();
  for (const StoredType& type : store.types.all()) {
    if (!type.procedure.empty()) {
      types.push_back({{"index", type.index}, {"procedure", type.procedure}});
      continue;
    }
    Json fields = Json::array();
    for (const StoredField& field : type.fields) {
      fields.push_back({{"name", field.name},
                        {"type", field.type},
                        {"bit_offset", field.bit_offset},
                        {"bits", field.bit_size}});
    }
    const auto objects = counts.find(type.index);
    types.push_back({{"index", type.index},
                     {"name", type.name},
                     {"brand", type.brand},
                     {"supertype", type.supertype},
                     {"bytes", type.payload_bytes},
                     {"element_bytes", type.element_bytes},
                     {"objects", objects == counts.end() ? 0 : objects->second},
                     {"fields", std::move(fields)}});
  }
  PrintLine(types);
  return whole;
}

Status Dump(OpenedStore& store, const std::string& database, uint64_t page, bool json,
            const ProblemSink& problem) {
  TN_ASSIGN_OR_RETURN(DatabaseId id, Open(store, database));
  TN_ASSIGN_OR_RETURN(PersistentRef root, store.server->Root(id));
  TN_ASSIGN_OR_RETURN(store::PageId last, store.server->MaxPage(id));
  if (page > last.number) {
    return store::Failure(StatusCode::kNotFound, "database " + database + " has no page " +
                                                     std::to_string(page) + "; the last is " +
                                                     std::to_string(last.number));
  }
  if (json) {
    printf("{\"root\": %s, \"objects\": [", LineOf(ShowStored(root.bits)).c_str());
  } else if (page == 0) {
    printf("root %s\n", ShowStored(root.bits).c_str());
  }
  ObjectSource source(*store.server, id, store.types);
  Values values(source);
  ShowLimits limits;
  limits.places = true;
  WalkTotals totals;
  // For one page only that page's damage is reported.
  const ProblemSink here = [&](const Status& status) {
    if (page == 0 || status.number() == static_cast<int64_t>(page)) problem(status);
  };
  ObjectShapes shapes;
  const char* separator = "\n";
  const auto print = [&](const StoredObject& object) {
    if (page != 0 && object.at.page().number != page) {
      return object.at.page().number < page;
    }
    const StoredType& type = *object.type;
    if (json) {
      std::string head = LineOf({{"object", Show(object.at)}, {"type", type.name}});
      head.pop_back();  // the brace
      printf("%s%s", std::exchange(separator, ",\n"), head.c_str());
      WriteObject(object, shapes.Of(type), {}, stdout);
      fputs("}", stdout);
      return true;
    }
    std::string line = Show(object.at) + " " + type.name;
    const ObjectPtr held = source.Hold(object);
    const auto text_of = [&](const Result<Datum>& value) {
      return value.ok() ? values.Text(*value, limits)
                        : std::string("<") + value.status().text() + ">";
    };
    const ObjectShape& shape = values.ShapeOf(type);
    for (const ShapeField& field : shape.fields) {
      line += " " + field.member + (field.member.empty() ? "" : "=") +
              text_of(values.Read(held, field.type, field.bit_offset));
    }
    if (shape.text != FlatText::kNone) {
      const auto text = ReadText(held, limits.characters);
      if (text.ok() && *text) {
        line += " " + Quoted(Utf8Of(**text), (*text)->length - (*text)->characters.size());
      }
    } else if (type.open()) {
      line += " [";
      for (uint64_t i = 0; i < type.open_dimensions; ++i) {
        line += (i == 0 ? "" : "x") + std::to_string(object.Word(type.payload_bytes + 8 * i));
      }
      line += "] " + text_of(OpenArrayIn(values, held));
    }
    printf("%s\n", line.c_str());
    return true;
  };
  const Status status = ForEachObject(*store.server, id, store.types, &totals, print, here);
  if (json) fputs("\n]}\n", stdout);
  return status;
}

Status PrintWhy(OpenedStore& store, const std::string& database, const std::string& text,
                bool json) {
  const PersistentRef wanted = ParseReference(text);
  if (wanted.nil()) {
    return Status(StatusCode::kInvalidArgument,
                  "an object is named by PAGE:OFFSET, as `dump` shows it");
  }
  TN_ASSIGN_OR_RETURN(DatabaseId id, Open(store, database));
  ObjectReader reader(*store.server, id, store.types);
  const Result<StoredObject> there = reader.Read(wanted);
  // For each object the one from which it was reached; the object itself: a path begins there.
  ObjectTable from(reader, store.types);
  if (!there.ok() || !from.At(wanted).ok()) {
    return store::Failure(StatusCode::kNotFound, "there is no object at " + text);
  }
  TN_ASSIGN_OR_RETURN(PersistentRef root, store.server->Root(id));
  TN_ASSIGN_OR_RETURN(std::vector<store::ExportEntry> exports, store.server->Exports(id));
  std::map<uint64_t, std::string> starts{{root.bits, "the root"}};
  for (size_t i = 0; i < exports.size(); ++i) {
    starts.insert({exports[i].object.bits, "export " + std::to_string(i + 1)});
  }
  std::vector<uint64_t> reached;  // by one step more than those before
  const auto reach = [&](PersistentRef object, PersistentRef by) -> Status {
    if (!object.is_object()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(uint64_t* const number, from.At(object));
    if (*number != 0) return Status::Ok();
    *number = by.bits;
    reached.push_back(object.bits);
    return Status::Ok();
  };
  for (const auto& [start, name] : starts) {
    TN_RETURN_IF_ERROR(reach(PersistentRef{start}, PersistentRef{start}));
  }
  while (!reached.empty() && from.Find(wanted) == 0) {
    // In the order of pages, so that each step reads a page once.
    std::vector<uint64_t> step = std::exchange(reached, {});
    std::sort(step.begin(), step.end());
    for (const uint64_t object : step) {
      TN_ASSIGN_OR_RETURN(const StoredObject read, reader.Read(PersistentRef{object}));
      std::vector<PersistentRef> targets;  // what is read is there until something else is
      ForEachSlot(*read.type, read.payload.size(), [&](uint64_t offset, StoredSlot kind) {
        if (kind == StoredSlot::kReference) targets.push_back(PersistentRef{read.Word(offset)});
      });
      for (const PersistentRef target : targets) {
        TN_RETURN_IF_ERROR(reach(target, PersistentRef{object}));
      }
    }
  }
  if (from.Find(wanted) == 0) {
    printf(json ? "null\n" : "nothing keeps it: it is garbage\n");
    return Status::Ok();
  }
  std::vector<uint64_t> path{wanted.bits};
  while (from.Find(PersistentRef{path.back()}) != path.back()) {
    path.push_back(from.Find(PersistentRef{path.back()}));
  }
  std::reverse(path.begin(), path.end());
  Json steps = Json::array();
  std::string slot = starts[path[0]];
  for (size_t i = 0; i < path.size(); ++i) {
    TN_ASSIGN_OR_RETURN(const StoredObject object, reader.Read(PersistentRef{path[i]}));
    const std::string at = Show(PersistentRef{path[i]});
    if (json) {
      steps.push_back({{"through", slot}, {"object", at}, {"type", object.type->name}});
    } else {
      printf("%s%s -> %s %s\n", i == 0 ? "" : "  ", slot.c_str(), at.c_str(),
             object.type->name.c_str());
    }
    if (i + 1 == path.size()) break;
    slot.clear();
    ForEachSlot(*object.type, object.payload.size(), [&](uint64_t offset, StoredSlot kind) {
      if (kind == StoredSlot::kReference && slot.empty() && object.Word(offset) == path[i + 1]) {
        slot = NameOfSlot(*object.type, offset);
      }
    });
  }
  if (json) PrintLine({{"from", starts[path[0]]}, {"path", std::move(steps)}});
  return Status::Ok();
}

}  // namespace tenure::dbtool
