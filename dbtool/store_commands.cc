#include "dbtool/store_commands.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/exit_status.h"
#include "base/shown_text.h"
#include "dbtool/browse/command.h"
#include "dbtool/change/upgrade.h"
#include "dbtool/collect/collect.h"
#include "dbtool/collect/compact.h"
#include "dbtool/move/exchange_commands.h"
#include "dbtool/move/text_form.h"
#include "dbtool/repair/salvage.h"
#include "dbtool/serve/serving.h"
#include "dbtool/stored/copies.h"
#include "dbtool/stored/program_types.h"
#include "dbtool/stored/stored_objects.h"
#include "dbtool/values/json.h"
#include "store/directory/store_directory.h"
#include "store/format/status_text.h"
#include "store/open.h"
#include "store/remote/remote_page_server.h"
#include "store/server/store_path.h"

namespace tenure::dbtool {

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", ShownText(status.text()).c_str());
  return kExitEnvironment;
}

int Usage(const std::string& problem, const std::string& command) {
  fprintf(stderr, "tenure db: %s\nTry 'tenure db%s --help'.\n", ShownText(problem).c_str(),
          (command.empty() ? command : " " + command).c_str());
  return kExitUsage;
}

namespace {

int Finish(OpenedStore& store, const std::function<int(OpenedStore&)>& use) {
  const int status = use(store);
  const Status closed = store.server->Close();
  return status == kExitOk && !closed.ok() ? Failed(closed) : status;
}

// Calls `use` with the store open for reading.
int WithStore(const Arguments& arguments, const std::function<int(OpenedStore&)>& use) {
  Result<OpenedStore> store = OpenForReading(arguments.store);
  if (!store.ok()) return Failed(store.status());
  if (const Status held = BeginReadOnly(*store->server); !held.ok()) return Failed(held);
  return Finish(*store, use);
}

int StatusOf(const Status& status) { return status.ok() ? kExitOk : Failed(status); }

}  // namespace

// For a served store first prints what needs no permission: it may show why the rest waits.
int Statistics(const Arguments& arguments) {
  const Result<store::ServingReport> report = AskServer(arguments.store);
  if (arguments.clients && !report.ok()) return Failed(report.status());
  Json serving;
  if (report.ok()) {
    serving = JsonOf(*report);
    if (!arguments.json) PrintServing(arguments.store, *report);
  }
  if (arguments.clients) {
    if (arguments.json) PrintLine({{"store", arguments.store}, {"serving", std::move(serving)}});
    return kExitOk;
  }
  return WithStore(arguments, [&](OpenedStore& store) {
    return StatusOf(PrintStatistics(store, arguments.store, arguments.database, arguments.json,
                                    std::move(serving)));
  });
}

int VerifyAll(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) -> int {
    Result<bool> good = Verify(store, arguments.store, arguments.database, arguments.json);
    if (!good.ok()) return Failed(good.status());
    return *good ? kExitOk : kExitProblems;
  });
}

int Schema(const Arguments& arguments) {
  if (arguments.named) {
    return Usage("the type table is the whole store's: name no database", "schema");
  }
  return WithStore(arguments, [&](OpenedStore& store) -> int {
    const Result<bool> whole = PrintSchema(store, arguments.json);
    if (!whole.ok()) return Failed(whole.status());
    return *whole ? kExitOk : kExitProblems;
  });
}

namespace {

// The arguments of the commands that look at data.
LookArguments Looking(const Arguments& arguments) {
  LookArguments look = arguments.look;
  look.store = arguments.store;
  look.database = arguments.DatabaseOrMain();
  look.json = arguments.json;
  look.dry_run = arguments.dry_run;
  if (arguments.all) look.limit = UINT64_MAX;
  if (arguments.json) look.format = "jsonl";
  if (arguments.csv) look.format = "csv";
  return look;
}

}  // namespace

int ShowAt(const Arguments& arguments) { return ShowCommand(Looking(arguments)); }

int QueryAll(const Arguments& arguments) { return QueryCommand(Looking(arguments)); }

int SetAt(const Arguments& arguments) { return SetCommand(Looking(arguments)); }

int ShellOf(const Arguments& arguments) { return ShellCommand(Looking(arguments)); }

int Browse(const Arguments& arguments) {
  return BrowseCommand({Looking(arguments), arguments.port, arguments.read_write});
}

int DumpAll(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) {
    uint64_t damaged = 0;
    const ProblemSink problem = [&](const Status& status) {
      ++damaged;
      fflush(stdout);
      fprintf(stderr, "tenure db: damaged, left out: %s\n", status.text());
    };
    const Status status =
        Dump(store, arguments.DatabaseOrMain(), arguments.page, arguments.json, problem);
    return status.ok() && damaged != 0 ? int{kExitProblems} : StatusOf(status);
  });
}

int Why(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) {
    return StatusOf(PrintWhy(store, arguments.DatabaseOrMain(), arguments.object, arguments.json));
  });
}

namespace {

ExchangeArguments Exchanging(const Arguments& arguments) {
  return {arguments.store, arguments.DatabaseOrMain(),
          arguments.named, arguments.all,
          arguments.file,  arguments.json};
}

}  // namespace

int ExportAll(const Arguments& arguments) {
  if (!arguments.look.expression.empty()) {
    if (arguments.all) return Usage("--csv writes one database: leave out --all", "export");
    if (arguments.json && arguments.file.empty()) {
      return Usage("--json says what was written to FILE: name one", "export");
    }
    return ExportCsv(Looking(arguments), arguments.file);
  }
  return ExportCommand(Exchanging(arguments));
}

int ImportAll(const Arguments& arguments) { return ImportCommand(Exchanging(arguments)); }

namespace {

// The database that was named, or all of the store.
Result<std::vector<std::string>> DatabasesMeant(const Arguments& arguments, OpenedStore& store) {
  if (arguments.named) return std::vector{arguments.database};
  return store.server->ListDatabases();
}

unsigned long long Number(uint64_t number) { return number; }

}  // namespace

int CollectAll(const Arguments& arguments) {
  // A collection does not begin again.
  Result<OpenedStore> opened = OpenForReading(arguments.store, /*gives_way=*/false);
  if (!opened.ok()) return Failed(opened.status());
  return Finish(*opened, [&](OpenedStore& store) -> int {
    Result<std::vector<std::string>> names = DatabasesMeant(arguments, store);
    if (!names.ok()) return Failed(names.status());
    Json databases = Json::array();
    for (const std::string& name : *names) {
      Result<CollectTotals> totals = Collect(store, name, CollectOptions());
      if (!totals.ok()) return Failed(totals.status());
      databases.push_back({{"name", name},
                           {"pages", totals->pages},
                           {"objects", totals->objects},
                           {"freed_objects", totals->freed_objects},
                           {"freed_bytes", totals->freed_bytes},
                           {"freed_pages", totals->freed_pages}});
      if (arguments.json) continue;
      printf("%s: %llu pages, %llu objects; freed %llu objects of %llu bytes, %llu pages\n",
             name.c_str(), Number(totals->pages), Number(totals->objects),
             Number(totals->freed_objects), Number(totals->freed_bytes),
             Number(totals->freed_pages));
    }
    if (arguments.json) PrintLine({{"databases", std::move(databases)}});
    return kExitOk;
  });
}

int Compact(const Arguments& arguments) {
  Result<OpenedStore> store = OpenAlone(arguments.store);
  if (!store.ok()) return Failed(store.status());
  Result<std::vector<std::string>> names = DatabasesMeant(arguments, *store);
  if (!names.ok()) return Failed(names.status());
  RewriteOptions options;
  options.directory = arguments.store;
  Result<RewriteTotals> totals = Rewrite(*store, *names, options);
  if (!totals.ok()) return Failed(totals.status());
  if (arguments.json) {
    PrintLine({{"objects", totals->objects},
               {"pages_before", totals->pages_before},
               {"pages", totals->pages}});
  } else {
    printf("%llu objects; %llu pages before, %llu now\n", Number(totals->objects),
           Number(totals->pages_before), Number(totals->pages));
  }
  return kExitOk;
}

// Prints the types whose stored objects the program cannot read.
int CheckAll(const Arguments& arguments) {
  Result<std::vector<ProgramType>> program = TypesOfProgram(arguments.program);
  if (!program.ok()) return Failed(program.status());
  return WithStore(arguments, [&](OpenedStore& store) -> int {
    Result<std::vector<std::string>> names = DatabasesMeant(arguments, store);
    if (!names.ok()) return Failed(names.status());
    Json differences = Json::array();
    for (const std::string& name : *names) {
      Result<std::vector<TypeComparison>> types = CompareTypes(store, name, *program);
      if (!types.ok()) return Failed(types.status());
      for (const TypeComparison& type : *types) {
        if (type.difference.empty()) continue;
        differences.push_back({{"database", name},
                               {"type", type.stored->name},
                               {"objects", type.objects},
                               {"difference", type.difference}});
        if (arguments.json) continue;
        printf("database %s: type %s (%llu objects): %s\n", name.c_str(), type.stored->name.c_str(),
               Number(type.objects), type.difference.c_str());
      }
    }
    const bool agree = differences.empty();
    if (arguments.json) {
      PrintLine({{"differences", std::move(differences)}});
    } else if (agree) {
      printf("all types agree\n");
    }
    return agree ? kExitOk : kExitProblems;
  });
}

int UpgradeAll(const Arguments& arguments) {
  if (arguments.named) return Usage("all databases of a store are upgraded together");
  Result<Renaming> renaming = ParseRenaming(arguments.renamed_types, arguments.renamed_fields);
  if (!renaming.ok()) return Usage(renaming.status().text(), "upgrade");
  Result<DroppedFields> dropped = ParseDropped(arguments.dropped_fields, arguments.drop_all);
  if (!dropped.ok()) return Usage(dropped.status().text(), "upgrade");
  Result<std::vector<ProgramType>> program = TypesOfProgram(arguments.program);
  if (!program.ok()) return Failed(program.status());
  Result<OpenedStore> store = OpenAlone(arguments.store);
  if (!store.ok()) return Failed(store.status());
  Result<std::vector<std::string>> names = store->server->ListDatabases();
  if (!names.ok()) return Failed(names.status());
  std::unique_ptr<Converter> converter;
  if (!arguments.converter.empty()) {
    Result<std::unique_ptr<Converter>> started = Converter::Start(arguments.converter);
    if (!started.ok()) return Failed(started.status());
    converter = *std::move(started);
  }
  UpgradeOptions options{converter.get(),
                         *std::move(renaming),
                         *std::move(dropped),
                         arguments.rebuilt,
                         arguments.dry_run,
                         arguments.store,
                         {},
                         {}};
  Json planned = Json::array();
  options.planned = [&](const UpgradedType& type) {
    if (arguments.json) {
      planned.push_back({{"database", type.database},
                         {"type", type.name},
                         {"objects", type.objects},
                         {"difference", type.difference},
                         {"dropped", type.dropped}});
      return;
    }
    printf("database %s: type %s (%llu objects): %s\n", type.database.c_str(), type.name.c_str(),
           Number(type.objects), type.difference.empty() ? "other names" : type.difference.c_str());
    for (const std::string& field : type.dropped) {
      printf("  the values of field %s are dropped\n", field.c_str());
    }
  };
  options.note = [](const std::string& text) { fprintf(stderr, "tenure db: %s\n", text.c_str()); };
  Result<RewriteTotals> totals = Upgrade(*store, *names, *program, options);
  if (!totals.ok()) {
    if (arguments.json) {
      PrintLine({{"problem", totals.status().text()}, {"types", std::move(planned)}});
    }
    return Failed(totals.status());
  }
  if (arguments.json) {
    PrintLine({{"converted", totals->converted},
               {"objects", totals->objects},
               {"pages", totals->pages},
               {"types", std::move(planned)}});
  } else if (arguments.dry_run) {
    printf("%llu objects would be converted; nothing has been changed\n",
           Number(totals->converted));
  } else {
    printf("%llu objects converted; %llu objects on %llu pages written\n",
           Number(totals->converted), Number(totals->objects), Number(totals->pages));
  }
  return kExitOk;
}

// Removes the name of a database whose file is gone.
int Forget(const Arguments& arguments) {
  if (!arguments.named) return Usage("name the database that is given up: DIR:NAME", "forget");
  Result<OpenedStore> opened = OpenAlone(arguments.store);
  if (!opened.ok()) return Failed(opened.status());
  return Finish(*opened, [&](OpenedStore& store) -> int {
    const std::string& name = arguments.database;
    const std::string text = "database " + name + " of store " + arguments.store;
    const Result<std::vector<std::string>> names = store.server->ListDatabases();
    if (!names.ok()) return Failed(names.status());
    if (std::find(names->begin(), names->end(), name) == names->end()) {
      return Failed(store::Failure(StatusCode::kNotFound, text + " does not exist"));
    }
    const Result<std::vector<std::string>> lost = LostDatabases(*store.server, arguments.store);
    if (!lost.ok()) return Failed(lost.status());
    if (std::find(lost->begin(), lost->end(), name) == lost->end()) {
      return Failed(store::Failure(StatusCode::kExists,
                                   text + " has its file: only what is lost can be given up so "
                                          "(Database.Delete deletes a database)"));
    }
    if (const Status status = store.server->DeleteDatabase(name); !status.ok()) {
      return Failed(status);
    }
    if (arguments.json) {
      PrintLine({{"store", arguments.store}, {"given_up", name}});
    } else {
      printf("%s is given up\n", text.c_str());
    }
    return kExitOk;
  });
}

namespace {

Json JsonOf(const SalvageReport& report) {
  Json databases = Json::array();
  for (const SalvagedDatabase& database : report.databases) {
    databases.push_back({{"name", database.name},
                         {"failure", database.failure},
                         {"objects", database.objects},
                         {"pages", database.pages},
                         {"damaged_pages", database.damaged_pages},
                         {"lost_references", database.lost_references},
                         {"wrong_references", database.wrong_references},
                         {"lost_exports", database.lost_exports},
                         {"root_lost", database.root_lost},
                         {"identity_lost", database.identity_lost},
                         {"other_file", database.other_file},
                         {"broken", database.broken}});
  }
  return {{"complete", report.complete()},
          {"unreadable", report.unreadable},
          {"mended", report.mended},
          {"recovery_problem", report.recovery_problem},
          {"lost_prepared", report.lost_prepared},
          {"lost_types", report.lost_types},
          {"databases", std::move(databases)}};
}

}  // namespace

int SalvageAll(const Arguments& arguments) {
  Result<SalvageReport> report = Salvage(arguments.place, arguments.target);
  if (!report.ok()) return Failed(report.status());
  if (arguments.json) {
    PrintLine(JsonOf(*report));
    return report->complete() ? kExitOk : kExitProblems;
  }
  for (const std::string& part : report->unreadable) printf("left out: %s\n", part.c_str());
  if (!report->mended.empty()) printf("FORMAT made anew: %s\n", report->mended.c_str());
  if (!report->recovery_problem.empty()) {
    printf("no recovery, the last commits may be missing: %s\n", report->recovery_problem.c_str());
  }
  if (report->lost_prepared != 0) {
    printf(
        "%llu commits of several stores whose outcome another store knows are left out: open a "
        "database of the store with a program first, if it can be opened\n",
        Number(report->lost_prepared));
  }
  if (report->lost_types != 0) printf("%llu types lost\n", Number(report->lost_types));
  for (const SalvagedDatabase& database : report->databases) {
    if (!database.failure.empty()) {
      printf("%s: lost: %s\n", database.name.c_str(), database.failure.c_str());
      continue;
    }
    printf("%s: %llu objects on %llu pages saved; %llu damaged pages, %llu references lost%s\n",
           database.name.c_str(), Number(database.objects), Number(database.pages),
           Number(database.damaged_pages), Number(database.lost_references),
           database.root_lost ? ", the root lost" : "");
    if (database.wrong_references != 0) {
      printf("  %llu of these references led to objects of other types than they are declared as\n",
             Number(database.wrong_references));
    }
    if (database.other_file) {
      printf(
          "  the file is not the one that the store had last, but an older one or one of another "
          "copy: commits are missing\n");
    }
    if (database.identity_lost) {
      printf("  other databases do not find it any more: its head was lost\n");
    }
    if (database.lost_exports != 0) {
      printf("  %llu objects that other databases refer to are lost\n",
             Number(database.lost_exports));
    }
    for (const std::string& problem : database.broken) printf("  %s\n", problem.c_str());
  }
  return report->complete() ? kExitOk : kExitProblems;
}

int Copy(const Arguments& arguments) {
  const Status status = CopyStore(arguments.place, arguments.target);
  if (status.ok() && arguments.json) {
    PrintLine({{"from", arguments.place}, {"made", arguments.target}});
  }
  return StatusOf(status);
}

}  // namespace tenure::dbtool
