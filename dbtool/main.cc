// The command `tenure db`: looks after stores and databases.
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dbtool/copies.h"
#include "dbtool/exchange.h"
#include "dbtool/serve.h"
#include "dbtool/stored_objects.h"
#include "dbtool/text_form.h"

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
    "       tenure db backup  DIR TARGET               a copy of the whole store\n"
    "       tenure db restore COPY DIR                 a store from such a copy\n"
    "\n"
    "DIR is a store, a directory; DIR:NAME one database of it (main, where one is needed and none "
    "is\n"
    "named). The store must not be in use.\n"
    "exit status: 0 done, 1 verify has found problems, 2 wrong usage, 3 it could not be done.\n";

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

// With the store open for reading.
int WithStore(const Arguments& arguments, const std::function<int(OpenedStore&)>& use) {
  Result<OpenedStore> store = OpenForReading(arguments.store);
  if (!store.ok()) return Failed(store.status());
  const int status = use(*store);
  const Status closed = store->server->Close();
  return status == kOk && !closed.ok() ? Failed(closed) : status;
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
    {"import", 2, false, ImportAll}, {"backup", 2, false, Copy},
    {"restore", 2, false, Copy},
};

int Main(int argc, char** argv) {
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
      if (word == "--json" && command.json) {
        arguments.json = true;
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
