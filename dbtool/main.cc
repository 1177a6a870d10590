// The command `tenure db`: looks after stores and databases.
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "dbtool/collect.h"
#include "dbtool/compact.h"
#include "dbtool/copies.h"
#include "dbtool/exchange.h"
#include "dbtool/json.h"
#include "dbtool/program_types.h"
#include "dbtool/salvage.h"
#include "dbtool/serve.h"
#include "dbtool/stored_objects.h"
#include "dbtool/text_form.h"
#include "dbtool/upgrade.h"
#include "stabilize/fail_point.h"
#include "stabilize/store.h"

namespace tenure::dbtool {

namespace {

// As of `tenure`; problems that `verify` finds are status 1.
enum Exit { kOk = 0, kProblems = 1, kUsage = 2, kEnvironment = 3 };

constexpr const char* kHelp =
    "tenure db: looks after databases\n"
    "\n"
    "usage: tenure db stat    DIR[:NAME] [--json]      what is in the store, by database and type\n"
    "       tenure db verify  DIR[:NAME] [--json]      checks pages, objects and references\n"
    "       tenure db schema  DIR [--json]             the stored types as Modula-3\n"
    "       tenure db dump    DIR[:NAME] [PAGE]        the objects, in lines\n"
    "       tenure db why     DIR[:NAME] PAGE:OFFSET [--json]   what keeps an object\n"
    "       tenure db export  DIR[:NAME] [FILE]        JSON lines, to FILE or standard output\n"
    "       tenure db import  DIR[:NAME] [FILE]        makes a database of them\n"
    "       tenure db gc      DIR[:NAME] [--json]      frees what nothing leads to\n"
    "       tenure db compact DIR[:NAME] [--json]      rewrites in order of traversal\n"
    "       tenure db check   DIR[:NAME] PROGRAM [--json]   whether the program can read it\n"
    "       tenure db upgrade DIR PROGRAM [CONVERTER] [--json]   converts objects to the program's "
    "types,\n"
    "                                                  with CONVERTER (see DatabaseConverter.i3)\n"
    "       tenure db salvage DIR TARGET               what is readable of a damaged store\n"
    "       tenure db backup  DIR TARGET               a copy of the whole store\n"
    "       tenure db restore COPY DIR                 a store from such a copy\n"
    "\n"
    "DIR is a store, a directory; DIR:NAME one database of it (main, where one is needed and none "
    "is\n"
    "named). A store that is served can be read, collected and imported to, which holds up "
    "programs "
    "that\n"
    "write; the rest needs a store that is not in use.\n"
    "exit status: 0 done, 1 problems found or things lost, 2 wrong usage, 3 it could not be "
    "done.\n";

// As of a program, for tests; not in the help.
constexpr std::string_view kFailFlag = "@M3dbfail=";

struct Arguments {
  std::vector<std::string> words;
  bool json = false;
  std::string store, database;  // of the first word
  bool named = false;

  std::string DatabaseOrMain() const { return named ? database : "main"; }
};

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", status.text());
  return kEnvironment;
}

int Usage(const std::string& problem) {
  fprintf(stderr, "tenure db: %s\nTry 'tenure db --help'.\n", problem.c_str());
  return kUsage;
}

int Finish(OpenedStore& store, const std::function<int(OpenedStore&)>& use) {
  const int status = use(store);
  const Status closed = store.server->Close();
  return status == kOk && !closed.ok() ? Failed(closed) : status;
}

// With the store open for reading.
int WithStore(const Arguments& arguments, const std::function<int(OpenedStore&)>& use) {
  Result<OpenedStore> store = OpenForReading(arguments.store);
  if (!store.ok()) return Failed(store.status());
  if (const Status held = HoldStill(*store->server); !held.ok()) return Failed(held);
  return Finish(*store, use);
}

int StatusOf(const Status& status) { return status.ok() ? kOk : Failed(status); }

int Statistics(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) {
    return StatusOf(PrintStatistics(store, arguments.store, arguments.database, arguments.json));
  });
}

int VerifyAll(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) -> int {
    Result<bool> good = Verify(store, arguments.store, arguments.database, arguments.json);
    if (!good.ok()) return Failed(good.status());
    return *good ? kOk : kProblems;
  });
}

int Schema(const Arguments& arguments) {
  return WithStore(
      arguments, [&](OpenedStore& store) { return StatusOf(PrintSchema(store, arguments.json)); });
}

int DumpAll(const Arguments& arguments) {
  uint64_t page = 0;
  if (arguments.words.size() > 1) {
    const std::string& word = arguments.words[1];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), page);
    if (error != std::errc() || end != word.data() + word.size() || page == 0) {
      return Usage("'" + word + "' is no page");
    }
  }
  return WithStore(arguments, [&](OpenedStore& store) {
    return StatusOf(Dump(store, arguments.DatabaseOrMain(), page));
  });
}

int Why(const Arguments& arguments) {
  if (arguments.words.size() != 2) return Usage("why needs a database and an object");
  return WithStore(arguments, [&](OpenedStore& store) {
    return StatusOf(
        PrintWhy(store, arguments.DatabaseOrMain(), arguments.words[1], arguments.json));
  });
}

int ExportAll(const Arguments& arguments) {
  return WithStore(arguments, [&](OpenedStore& store) -> int {
    if (arguments.words.size() == 1) {
      return StatusOf(Export(store, arguments.DatabaseOrMain(), stdout));
    }
    FILE* file = fopen(arguments.words[1].c_str(), "wx");
    if (file == nullptr) {
      fprintf(stderr, "tenure db: cannot make %s: %s\n", arguments.words[1].c_str(),
              strerror(errno));
      return kEnvironment;
    }
    const Status status = Export(store, arguments.DatabaseOrMain(), file);
    const bool closed = fclose(file) == 0;
    if (status.ok() && closed) return kOk;
    remove(arguments.words[1].c_str());
    return Failed(status.ok() ? Status(StatusCode::kIo, "the export could not be written")
                              : status);
  });
}

int ImportAll(const Arguments& arguments) {
  FILE* file = stdin;
  if (arguments.words.size() > 1) {
    file = fopen(arguments.words[1].c_str(), "r");
    if (file == nullptr) {
      fprintf(stderr, "tenure db: cannot read %s: %s\n", arguments.words[1].c_str(),
              strerror(errno));
      return kEnvironment;
    }
  }
  Result<ImportTotals> totals = Import(arguments.store, arguments.DatabaseOrMain(), file);
  if (file != stdin) fclose(file);
  if (!totals.ok()) return Failed(totals.status());
  printf("%llu objects on %llu pages\n", static_cast<unsigned long long>(totals->objects),
         static_cast<unsigned long long>(totals->pages));
  return kOk;
}

// The database that was named, or all of the store.
Result<std::vector<std::string>> DatabasesMeant(const Arguments& arguments, OpenedStore& store) {
  if (arguments.named) return std::vector{arguments.database};
  return store.server->ListDatabases();
}

unsigned long long Number(uint64_t number) { return number; }

int CollectAll(const Arguments& arguments) {
  Result<OpenedStore> opened = OpenForReading(arguments.store);
  if (!opened.ok()) return Failed(opened.status());
  return Finish(*opened, [&](OpenedStore& store) -> int {
    Result<std::vector<std::string>> names = DatabasesMeant(arguments, store);
    if (!names.ok()) return Failed(names.status());
    const char* separator = "";
    if (arguments.json) printf("{\"databases\": [");
    for (const std::string& name : *names) {
      Result<CollectTotals> totals = Collect(store, name, CollectOptions());
      if (!totals.ok()) return Failed(totals.status());
      printf(arguments.json ? "%s{\"name\": %s, \"pages\": %llu, \"objects\": %llu, "
                              "\"freed_objects\": %llu, \"freed_bytes\": %llu, "
                              "\"freed_pages\": %llu}"
                            : "%s%s: %llu pages, %llu objects; freed %llu objects of %llu bytes, "
                              "%llu pages\n",
             separator, arguments.json ? Quoted(name).c_str() : name.c_str(), Number(totals->pages),
             Number(totals->objects), Number(totals->freed_objects), Number(totals->freed_bytes),
             Number(totals->freed_pages));
      if (arguments.json) separator = ", ";
    }
    if (arguments.json) printf("]}\n");
    return kOk;
  });
}

int Compact(const Arguments& arguments) {
  Result<OpenedStore> store = OpenAlone(arguments.store);
  if (!store.ok()) return Failed(store.status());
  Result<std::vector<std::string>> names = DatabasesMeant(arguments, *store);
  if (!names.ok()) return Failed(names.status());
  Result<RewriteTotals> totals = Rewrite(*store, *names, RewriteOptions());
  if (!totals.ok()) return Failed(totals.status());
  printf(arguments.json ? "{\"objects\": %llu, \"pages_before\": %llu, \"pages\": %llu}\n"
                        : "%llu objects; %llu pages before, %llu now\n",
         Number(totals->objects), Number(totals->pages_before), Number(totals->pages));
  return kOk;
}

// Prints the types whose stored objects the program cannot read.
int CheckAll(const Arguments& arguments) {
  if (arguments.words.size() != 2) return Usage("check needs a store and a program");
  Result<std::vector<ProgramType>> program = TypesOfProgram(arguments.words[1]);
  if (!program.ok()) return Failed(program.status());
  return WithStore(arguments, [&](OpenedStore& store) -> int {
    Result<std::vector<std::string>> names = DatabasesMeant(arguments, store);
    if (!names.ok()) return Failed(names.status());
    uint64_t different = 0;
    if (arguments.json) printf("{\"differences\": [");
    for (const std::string& name : *names) {
      Result<std::vector<TypeComparison>> types = CompareTypes(store, name, *program);
      if (!types.ok()) return Failed(types.status());
      for (const TypeComparison& type : *types) {
        if (type.difference.empty()) continue;
        const char* const separator = different++ == 0 ? "" : ", ";
        if (arguments.json) {
          printf("%s{\"database\": %s, \"type\": %s, \"objects\": %llu, \"difference\": %s}",
                 separator, Quoted(name).c_str(), Quoted(type.stored->name).c_str(),
                 Number(type.objects), Quoted(type.difference).c_str());
        } else {
          printf("database %s: type %s (%llu objects): %s\n", name.c_str(),
                 type.stored->name.c_str(), Number(type.objects), type.difference.c_str());
        }
      }
    }
    if (arguments.json) printf("]}\n");
    if (!arguments.json && different == 0) printf("all types agree\n");
    return different == 0 ? kOk : kProblems;
  });
}

int UpgradeAll(const Arguments& arguments) {
  if (arguments.words.size() < 2) return Usage("upgrade needs a store and a program");
  if (arguments.named) return Usage("all databases of a store are upgraded together");
  Result<std::vector<ProgramType>> program = TypesOfProgram(arguments.words[1]);
  if (!program.ok()) return Failed(program.status());
  Result<OpenedStore> store = OpenAlone(arguments.store);
  if (!store.ok()) return Failed(store.status());
  Result<std::vector<std::string>> names = store->server->ListDatabases();
  if (!names.ok()) return Failed(names.status());
  std::unique_ptr<Converter> converter;
  if (arguments.words.size() == 3) {
    Result<std::unique_ptr<Converter>> started = Converter::Start(arguments.words[2]);
    if (!started.ok()) return Failed(started.status());
    converter = *std::move(started);
  }
  Result<RewriteTotals> totals = Upgrade(*store, *names, *program, converter.get());
  if (!totals.ok()) return Failed(totals.status());
  printf(arguments.json ? "{\"converted\": %llu, \"objects\": %llu, \"pages\": %llu}\n"
                        : "%llu objects converted; %llu objects on %llu pages written\n",
         Number(totals->converted), Number(totals->objects), Number(totals->pages));
  return kOk;
}

int SalvageAll(const Arguments& arguments) {
  if (arguments.words.size() != 2) return Usage("two directories are needed");
  Result<SalvageReport> report = Salvage(arguments.words[0], arguments.words[1]);
  if (!report.ok()) return Failed(report.status());
  if (!report->recovery_problem.empty()) {
    printf("no recovery, the last commits may be missing: %s\n", report->recovery_problem.c_str());
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
  }
  return report->complete() ? kOk : kProblems;
}

int Copy(const Arguments& arguments) {
  if (arguments.words.size() != 2) return Usage("two directories are needed");
  return StatusOf(CopyStore(arguments.words[0], arguments.words[1]));
}

struct Command {
  const char* name;
  size_t most_words;
  bool json;
  int (*run)(const Arguments& arguments);
};

constexpr Command kCommands[] = {
    {"stat", 1, true, Statistics},   {"verify", 1, true, VerifyAll},
    {"schema", 1, true, Schema},     {"dump", 2, false, DumpAll},
    {"why", 2, true, Why},           {"export", 2, false, ExportAll},
    {"import", 2, false, ImportAll}, {"gc", 1, true, CollectAll},
    {"check", 2, true, CheckAll},    {"upgrade", 3, true, UpgradeAll},
    {"compact", 1, true, Compact},   {"backup", 2, false, Copy},
    {"restore", 2, false, Copy},     {"salvage", 2, false, SalvageAll},
};

// Nothing has been lost by then that a crash would not lose.
[[noreturn]] void EndWithoutMemory() {
  constexpr std::string_view kText = "tenure db: out of memory, or of threads\n";
  (void)!write(STDERR_FILENO, kText.data(), kText.size());
  _exit(kEnvironment);
}

int Main(int argc, char** argv) {
  std::set_new_handler(EndWithoutMemory);
  std::set_terminate(EndWithoutMemory);  // threads that cannot be made
  if (argc < 2) return Usage("no command given");
  const std::string_view name = argv[1];
  if (name == "serve") return Serve(argc - 2, argv + 2);
  if (name == "--help" || name == "-h" || name == "help") {
    fputs(kHelp, stdout);
    return kOk;
  }
  for (const Command& command : kCommands) {
    if (name != command.name) continue;
    Arguments arguments;
    for (int i = 2; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word == "--help" || word == "-h") {
        fputs(kHelp, stdout);
        return kOk;
      }
      if (word == "--json" && command.json) {
        arguments.json = true;
      } else if (word.starts_with(kFailFlag)) {
        const auto point = stabilize::ParseFailPoint(word.substr(kFailFlag.size()));
        if (!point.ok()) return Usage(point.status().text());
        if (!stabilize::PlanIoFault(*point)) PlanFailure(*point);
      } else if (word.starts_with("-")) {
        return Usage("'" + std::string(word) + "' is no option of " + command.name);
      } else {
        arguments.words.push_back(std::string(word));
      }
    }
    if (arguments.words.empty()) return Usage(std::string(command.name) + " needs a store");
    if (arguments.words.size() > command.most_words) return Usage("too many arguments");
    // As Database.Open takes it.
    const std::string& path = arguments.words[0];
    const size_t colon = path.rfind(':');
    arguments.named =
        colon != std::string::npos && colon > 0 && path.find('/', colon) == std::string::npos;
    arguments.store = arguments.named ? path.substr(0, colon) : path;
    if (arguments.named) arguments.database = path.substr(colon + 1);
    const int status = command.run(arguments);
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return status;
    fprintf(stderr, "tenure db: cannot write to standard output\n");
    return kEnvironment;
  }
  return Usage("there is no command '" + std::string(name) + "'");
}

}  // namespace

}  // namespace tenure::dbtool

int main(int argc, char** argv) { return tenure::dbtool::Main(argc, argv); }
