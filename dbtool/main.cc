// The command `tenure db`: looks after stores and databases.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/command_line_advice.h"
#include "base/command_line_table.h"
#include "base/exit_status.h"
#include "base/standard_descriptors.h"
#include "dbtool/browse/command.h"
#include "dbtool/collect.h"
#include "dbtool/compact.h"
#include "dbtool/copies.h"
#include "dbtool/exchange_commands.h"
#include "dbtool/json.h"
#include "dbtool/look/commands.h"
#include "dbtool/passed_output.h"
#include "dbtool/program_types.h"
#include "dbtool/salvage.h"
#include "dbtool/serve.h"
#include "dbtool/serving.h"
#include "dbtool/stored_objects.h"
#include "dbtool/text_form.h"
#include "dbtool/upgrade.h"
#include "store/bdb/bdb_version.h"
#include "store/directory/store_directory.h"
#include "store/files/store_format.h"
#include "store/format/random_source.h"
#include "store/format/status_text.h"
#include "store/open.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_protocol.h"
#include "store/server/store_faults.h"
#include "store/server/store_path.h"

namespace tenure::dbtool {

namespace {

constexpr const char* kAbout = "Looks after databases.";
constexpr const char* kMore =
    "DIR is a store, a directory; DIR:NAME one database of it (main, where one is needed and none "
    "is\n"
    "named). A store that is served can be read, collected and imported to, which holds up "
    "programs that\n"
    "write; the rest needs a store that is not in use.\n"
    "Exit status: 0 done, 1 problems found or things lost, 2 wrong usage, 3 it could not be done.";

// The flag of a program that is linked with faults.
constexpr std::string_view kFailFlag = "@M3dbfail=";

// The parsed command line; each command uses its part of it.
struct Arguments {
  std::string place;            // DIR or DIR:NAME, as Database.Open takes it
  std::string store, database;  // the parts of it
  bool named = false;           // whether there is a NAME
  uint64_t page = 0;            // 0: all
  std::string object, file, target, program, converter;
  std::vector<std::string> renamed_types, renamed_fields;  // "OLD=NEW"
  std::vector<std::string> dropped_fields;                 // "TYPE.FIELD"
  bool drop_all = false;
  bool dry_run = false;
  bool json = false;
  bool clients = false;
  LookArguments look;
  uint16_t port = 0;  // browse
  bool read_write = false;
  bool all = false;  // show: no limit; export, import: all databases
  bool csv = false;  // query

  std::string DatabaseOrMain() const { return named ? database : "main"; }
};

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", status.text());
  return kExitEnvironment;
}

// `command` is empty where none is known.
int Usage(const std::string& problem, const std::string& command = "") {
  fprintf(stderr, "tenure db: %s\nTry 'tenure db%s --help'.\n", problem.c_str(),
          (command.empty() ? command : " " + command).c_str());
  return kExitUsage;
}

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
    const Status status = Dump(store, arguments.DatabaseOrMain(), arguments.page, problem);
    return status.ok() && damaged != 0 ? int{kExitProblems} : StatusOf(status);
  });
}

int Why(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) {
    return StatusOf(PrintWhy(store, arguments.DatabaseOrMain(), arguments.object, arguments.json));
  });
}

ExchangeArguments Exchanging(const Arguments& arguments) {
  return {arguments.store, arguments.DatabaseOrMain(), arguments.named, arguments.all,
          arguments.file};
}

int ExportAll(const Arguments& arguments) {
  if (!arguments.look.expression.empty()) {
    if (arguments.all) return Usage("--csv is of one database: without --all", "export");
    return ExportCsv(Looking(arguments), arguments.file);
  }
  return ExportCommand(Exchanging(arguments));
}

int ImportAll(const Arguments& arguments) { return ImportCommand(Exchanging(arguments)); }

// The database that was named, or all of the store.
Result<std::vector<std::string>> DatabasesMeant(const Arguments& arguments, OpenedStore& store) {
  if (arguments.named) return std::vector{arguments.database};
  return store.server->ListDatabases();
}

unsigned long long Number(uint64_t number) { return number; }

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
  Result<RewriteTotals> totals = Rewrite(*store, *names, RewriteOptions());
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
  UpgradeOptions options{
      converter.get(), *std::move(renaming), *std::move(dropped), arguments.dry_run, {}, {}};
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
    printf("%s is given up\n", text.c_str());
    return kExitOk;
  });
}

int SalvageAll(const Arguments& arguments) {
  Result<SalvageReport> report = Salvage(arguments.place, arguments.target);
  if (!report.ok()) return Failed(report.status());
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
  return StatusOf(CopyStore(arguments.place, arguments.target));
}

// The message if a signal ends the command.
std::string interruption;

extern "C" void SayInterrupted(int signal) {
  (void)!write(STDERR_FILENO, interruption.data(), interruption.size());
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// From now on an interrupt (SIGINT, SIGTERM) reports which files are left. After SIGKILL there is
// no report, and the store is whole all the same.
void TellWhenInterrupted(const std::string& command, const Arguments& arguments) {
  if (!arguments.target.empty()) {
    interruption = "\ntenure db: interrupted: there is no " + arguments.target +
                   "; what was made of it is " + PlaceOfPart(arguments.target, kPartial) +
                   (command == "salvage" ? " and " + PlaceOfPart(arguments.target, kCopy) : "") +
                   ", which the next " + command + " to that place removes\n";
  } else if (command == "compact" || command == "upgrade" || command == "import") {
    interruption =
        "\ntenure db: interrupted: store " + arguments.store +
        " is whole, and as it was before; only if its files were being replaced already, "
        "whoever opens it next finishes that\n";
  } else if (command == "gc") {
    interruption = "\ntenure db: interrupted: store " + arguments.store +
                   " is whole; what was freed stays free, the next gc does the rest\n";
  } else {
    return;
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, SayInterrupted) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

using Run = int (*)(const Arguments&);

// A colon without a name, or with an impossible name, is a slip. The source of a copy may have any
// path.
Status CheckPlace(const Arguments& arguments) {
  const bool is_copied = !arguments.target.empty();
  return arguments.named && !is_copied ? store::CheckDatabaseName(arguments.database)
                                       : Status::Ok();
}

// The commands with their arguments and options; `chosen` becomes the one that was parsed.
class CommandLine {
 public:
  CommandLine() : app_(kAbout, "tenure db") {
    app_.require_subcommand(1);
    app_.footer(kMore);
    // Listed for the help only; Main prints the version.
    app_.add_flag_callback("--version", [] {}, "the formats of stores that this program reads");
    AddJson(Add("stat", "what is in the store, by database and type; who uses it", Statistics))
        ->add_flag("--clients", given_.clients,
                   "of a served store only who uses it, who holds what, and who waits for whom: "
                   "waits for nobody");
    AddJson(Add("verify", "checks pages, objects and references", VerifyAll));
    AddJson(Add("schema", "the stored types as a Modula-3 interface", Schema, kStore));
    CLI::App* show = AddJson(Add("show", "what is at a path: root.people[\"Ada\"].name", ShowAt));
    show->add_option("PATH", given_.look.expression,
                     "from root, a name or PAGE:OFFSET on (default: the root and the names)")
        ->type_name("");
    show->add_option("--limit", given_.look.limit, "show so many entries and elements (20)")
        ->type_name("N")
        ->check(WholeNumber(0));
    show->add_flag("--all", given_.all, "show all of them");
    AddViews(show);
    CLI::App* query = Add("query", "the rows that an expression asks for", QueryAll);
    query
        ->add_option("EXPRESSION", given_.look.expression,
                     "from SOURCE where CONDITION select COLUMNS group by ... sort by ... limit N; "
                     "SOURCE is a path or a type")
        ->type_name("")
        ->required();
    query->add_option("--format", given_.look.format, "table (default), jsonl or csv")
        ->type_name("FORMAT")
        ->check(OneOf({"table", "jsonl", "csv"}));
    query->add_flag("--json", given_.json, "JSON lines");
    query->add_flag("--csv", given_.csv, "CSV");
    query->add_flag("--stats", given_.look.statistics,
                    "say on the standard error how the rows were found and how many pages were "
                    "read");
    AddViews(query);
    CLI::App* set = Add("set", "changes one value, in a transaction", SetAt);
    set->add_option("PATH", given_.look.expression, "a field, an element or an entry, as in show")
        ->type_name("")
        ->required();
    set->add_option("VALUE", given_.look.value,
                    "12, 1.5, \"text\", TRUE, Green, NIL, PAGE:OFFSET, a path, [Mo, Tu]; JSON for "
                    "a record")
        ->type_name("")
        ->required();
    set->add_flag("--dry-run", given_.dry_run, "checks all, and changes nothing");
    AddViews(set);
    AddViews(Add("shell", "paths, queries and changes, one after the other", ShellOf));
    CLI::App* browse =
        Add("browse", "a page for a web browser of this machine, until it is interrupted", Browse);
    browse->add_option("--port", given_.port, "the port of the page (default: any free one)")
        ->type_name("N")
        ->check(CLI::Range(0, 65535));
    browse->add_flag("--read-write", given_.read_write, "the page can change values");
    AddViews(browse);
    Add("dump", "the objects, in lines", DumpAll)
        ->add_option("PAGE", given_.page, "only the objects of this page")
        ->type_name("")
        // CLI11 takes -1 and numbers that are too large for other ones.
        ->check([](const std::string& page) {
          uint64_t number = 0;
          const char* end = page.data() + page.size();
          const auto [stop, error] = std::from_chars(page.data(), end, number);
          return error == std::errc() && stop == end && number != 0
                     ? ""
                     : "'" + page + "' is no page: the first is 1";
        });
    CLI::App* why = AddJson(Add("why", "what keeps an object: the path of references to it", Why));
    why->add_option("PAGE:OFFSET", given_.object, "the object, as dump shows it")
        ->type_name("")
        ->required();
    CLI::App* exported = Add("export", "writes JSON lines", ExportAll);
    exported->add_option("FILE", given_.file, "a new file (default: standard output)")
        ->type_name("");
    exported
        ->add_option("--csv", given_.look.expression,
                     "instead, the objects of this type and its subtypes as CSV")
        ->type_name("TYPE");
    exported->add_flag("--all", given_.all,
                       "all databases of the store; FILE is a new directory for them");
    CLI::App* imported = Add("import", "makes a database of such lines", ImportAll);
    imported->add_option("FILE", given_.file, "the lines (default: standard input)")->type_name("");
    imported->add_flag("--all", given_.all,
                       "all databases that an export --all has written to the directory FILE");
    AddJson(Add("gc", "frees what nothing leads to", CollectAll));
    AddJson(Add("compact", "rewrites in order of traversal", Compact));
    CLI::App* check = AddJson(Add("check", "whether a program can read it", CheckAll));
    check->add_option("PROGRAM", given_.program, "the program's file")->type_name("")->required();
    CLI::App* upgrade =
        AddJson(Add("upgrade", "converts objects to a program's types", UpgradeAll, kStore));
    upgrade->add_option("PROGRAM", given_.program, "the program that knows the new types")
        ->type_name("")
        ->required();
    upgrade
        ->add_option("CONVERTER", given_.converter,
                     "a program for what no rule converts (see DatabaseConverter.i3)")
        ->type_name("");
    upgrade
        ->add_option("--rename-type", given_.renamed_types,
                     "a type that has another name in the program; again for more")
        ->type_name("TYPE=NEW")
        ->allow_extra_args(false);
    upgrade
        ->add_option("--rename-field", given_.renamed_fields,
                     "the same for a field, of the type and its subtypes, as they are stored")
        ->type_name("TYPE.FIELD=NEW")
        ->allow_extra_args(false);
    upgrade
        ->add_option("--drop-field", given_.dropped_fields,
                     "a field whose values may be lost, since the program does not have it; again "
                     "for more")
        ->type_name("TYPE.FIELD")
        ->allow_extra_args(false);
    upgrade->add_flag("--drop", given_.drop_all, "the values of all such fields may be lost");
    upgrade->add_flag("--dry-run", given_.dry_run,
                      "does it all but the writing, and ends with the same status");
    Add("forget", "gives up a database whose file is gone", Forget, "DIR:NAME");
    AddCopy("salvage", "saves what is readable of a damaged store", SalvageAll, "DIR", "TARGET");
    AddCopy("backup", "copies the whole store", Copy, "DIR", "TARGET");
    AddCopy("restore", "makes a store of such a copy", Copy, "COPY", "DIR");
  }

  // Throws what CLI::App::parse does.
  Run Parse(const std::vector<std::string>& words, Arguments* arguments) {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    const store::StorePath split = store::SplitStorePath(given_.place);
    given_.named = split.named;
    given_.store = split.store;
    given_.database = split.database;
    // The name is the directory's also with a slash behind it.
    while (given_.target.size() > 1 && given_.target.ends_with('/')) given_.target.pop_back();
    *arguments = given_;
    return chosen_;
  }

  bool Has(const std::string& command) const {
    return !app_.get_subcommands([&](const CLI::App* it) { return it->check_name(command); })
                .empty();
  }
  // The command that was probably meant by `word`; may be empty.
  std::string Meant(const std::string& word) const {
    // What other tools call it.
    static const OtherNames kOtherNames = {
        {"ls", "show"},          {"list", "show"},       {"cat", "show"},
        {"get", "show"},         {"tree", "show"},       {"print", "show"},
        {"browse", "show"},      {"info", "stat"},       {"status", "stat"},
        {"size", "stat"},        {"fsck", "verify"},     {"validate", "verify"},
        {"integrity", "verify"}, {"types", "schema"},    {"describe", "schema"},
        {"select", "query"},     {"sql", "query"},       {"find", "query"},
        {"put", "set"},          {"edit", "set"},        {"repl", "shell"},
        {"vacuum", "compact"},   {"defrag", "compact"},  {"collect", "gc"},
        {"copy", "backup"},      {"snapshot", "backup"}, {"migrate", "upgrade"},
        {"convert", "upgrade"},  {"repair", "salvage"},  {"recover", "salvage"},
        {"delete", "forget"},    {"drop", "forget"},     {"load", "import"},
        {"save", "export"}};
    return CommandMeant(app_, word, kOtherNames);
  }
  std::string Describe(const CLI::ParseError& error) const {
    return DescribeParseError(app_, error);
  }
  std::string Help() const { return app_.help(); }
  Json Table() const { return CommandTable(app_); }

 private:
  static constexpr const char* kStore = "DIR";

  CLI::App* Add(const char* name, const char* what, Run run, const char* place = "DIR[:NAME]") {
    CLI::App* command = app_.add_subcommand(name, what);
    command->add_option(place, given_.place, "the store, or one database of it")
        ->type_name("")
        ->required();
    command->callback([this, run] { chosen_ = run; });
    return command;
  }
  void AddViews(CLI::App* command) {
    command
        ->add_option("--views", given_.look.views,
                     "a file with views of a program's own containers; again for more")
        ->type_name("FILE")
        ->allow_extra_args(false);
  }
  CLI::App* AddJson(CLI::App* command) {
    command->add_flag("--json", given_.json, "one JSON value instead of text");
    return command;
  }
  void AddCopy(const char* name, const char* what, Run run, const char* from, const char* to) {
    Add(name, what, run, from)
        ->add_option(to, given_.target, "a new directory")
        ->type_name("")
        ->check([](const std::string& path) {
          return path.empty() ? "the name of the new directory is empty" : "";
        })
        ->required();
  }

  CLI::App app_;
  Arguments given_;
  Run chosen_ = nullptr;
};

// Nothing has been lost by then that a crash would not lose.
[[noreturn]] void EndWith(const char* problem) {
  for (const std::string_view part : {"tenure db: ", problem, "\n"}) {
    (void)!write(STDERR_FILENO, part.data(), part.size());
  }
  _exit(kExitEnvironment);
}

[[noreturn]] void EndWithoutMemory() { EndWith("out of memory"); }

// Ends after an uncaught exception, mostly a thread that could not be started.
[[noreturn]] void EndWithException() {
  try {
    if (std::exception_ptr uncaught = std::current_exception()) std::rethrow_exception(uncaught);
  } catch (const std::exception& problem) {
    EndWith(problem.what());
  } catch (...) {
  }
  EndWith("an unknown failure");
}

// The formats that this program reads and writes, and the library that it stores with.
void PrintVersion() {
  printf("store format %d (reads %d to %d), server protocol %u, Berkeley DB %s\n",
         store::kStoreFormatVersion, store::kOldestStoreFormatVersion, store::kStoreFormatVersion,
         store::kProtocolVersion, store::BerkeleyDbVersion().c_str());
}

// A command on a served store may wait until another program's transaction ends.
void TellOfWait(const std::string& store, int64_t process) {
  if (process == 0) {
    fprintf(stderr, "tenure db: waiting for a transaction at store %s\n", store.c_str());
  } else {
    fprintf(stderr, "tenure db: waiting for a transaction of process %lld at store %s\n",
            static_cast<long long>(process), store.c_str());
  }
}

int Main(int argc, char** argv) {
  OpenStandardDescriptors(ClosedOutput::kFails);
  // A limit on the size of files, or a pipe without a reader, is an error of the write, no signal.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(EndWithoutMemory);
  std::set_terminate(EndWithException);
  std::vector<std::string> words;
  for (const std::string_view word : std::span(argv + 1, static_cast<size_t>(argc - 1))) {
    const store::FaultOption* const option = store::LinkedFaultOption();
    if (option == nullptr || !word.starts_with(kFailFlag)) {
      words.emplace_back(word);
      continue;
    }
    const auto faults = option->parse(word.substr(kFailFlag.size()));
    if (!faults.ok()) return Usage(faults.status().text());
    if (!(*faults)->PlanFileFault()) PlanFailure(*faults);
  }
  if (words.empty()) return Usage("no command given");
  // All commands but a server end soon, so other programs wait for them.
  store::StoreDirectory::DescribeHolder(
      words[0] == "serve" ? "tenure serve" : "tenure db " + words[0], words[0] != "serve");
  if (words[0] == "serve") return Serve({words.begin() + 1, words.end()});
  store::RemotePageServer::ReportWaits(TellOfWait);
  CommandLine line;
  if (words[0] == kCommandTableOption) {
    const Json commands = {line.Table(), ServeTable()};
    printf("%s\n", commands.dump(1).c_str());
    return fflush(stdout) == 0 ? kExitOk : kExitEnvironment;
  }
  if (words[0] == "--version") {
    PrintVersion();
    return fflush(stdout) == 0 ? kExitOk : kExitEnvironment;
  }
  if (words[0] == "help") words[0] = "--help";
  if (!words[0].starts_with("-") && !line.Has(words[0])) {
    const std::string meant = words[0] == "server" ? "tenure serve" : line.Meant(words[0]);
    return Usage("there is no command '" + words[0] + "'" +
                 (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
  }
  Arguments arguments;
  std::unique_ptr<PassedOutput> output;
  int status = kExitOk;
  try {
    const Run run = line.Parse(words, &arguments);
    if (const Status place = CheckPlace(arguments); !place.ok()) {
      return Usage(place.text(), words[0]);
    }
    TellWhenInterrupted(words[0], arguments);
    if (const Status random = store::CheckRandomSource(); !random.ok()) return Failed(random);
    // While somebody looks at what a pager shows, the store is everybody's again. The other two
    // talk with who uses them.
    if (words[0] != "shell" && words[0] != "browse") output = PassedOutput::Start();
    status = run(arguments);
  } catch (const CLI::CallForHelp&) {
    fputs(line.Help().c_str(), stdout);
  } catch (const CLI::ParseError& problem) {
    return Usage(line.Describe(problem), words[0].starts_with("-") ? "" : words[0]);
  }
  const bool is_passed = output == nullptr || output->End();
  if (is_passed && fflush(stdout) == 0 && ferror(stdout) == 0) return status;
  fprintf(stderr, "tenure db: cannot write to standard output\n");
  return kExitEnvironment;
}

}  // namespace

}  // namespace tenure::dbtool

int main(int argc, char** argv) { return tenure::dbtool::Main(argc, argv); }
